package family

import (
	"github.com/spf13/cobra"

	"perfectplay/explore"
	"perfectplay/solve/book"
)

// Book is the flag --book of commands that ask, and do not add to what is known.
type Book struct{ Name string }

// Flag adds it.
func (b *Book) Flag(cmd *cobra.Command) { BookFlag(cmd, &b.Name) }

// BookFlag adds --book to a command.
func BookFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "book", "", "begin with what is proved in the book `FILE` (solve search --book adds to it)")
}

// Open opens the book, nil where none is named.
func (b *Book) Open() (explore.Book, error) {
	if b.Name == "" {
		return nil, nil
	}
	return book.Open(b.Name, false)
}
