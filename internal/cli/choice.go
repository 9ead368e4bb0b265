package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Choice adds a flag that takes one of a few words, refuses others with a hint, and completes
// them. value is the default, which need not be one of the words.
func Choice[T ~string](cmd *cobra.Command, p *T, name string, value T, words []string, usage string) {
	*p = value
	cmd.Flags().Var(&choice[T]{p, words}, name, usage)
	CompleteBy(cmd, name, Words(words))
}

type choice[T ~string] struct {
	p     *T
	words []string
}

func (c *choice[T]) Set(text string) error {
	if err := wanted(text, c.words); err != nil {
		return err
	}
	*c.p = T(text)
	return nil
}

func (c *choice[T]) String() string {
	if c.p == nil {
		return ""
	}
	return string(*c.p)
}

func (c *choice[T]) Type() string      { return "word" }
func (c *choice[T]) offered() []string { return c.words }

func wanted(text string, words []string) error {
	if slices.Contains(words, text) {
		return nil
	}
	return fmt.Errorf("want %s%s", Or(words), DidYouMean(Near(text, words)))
}

// Choices adds a flag that takes some of a few words, with commas between them or in repeated
// flags, refuses others with a hint, and completes them. value is the default. Without words
// it takes any, and completes nothing.
func Choices(cmd *cobra.Command, p *[]string, name string, value, words []string, usage string) {
	*p = value
	cmd.Flags().Var(&choices{p: p, words: words}, name, usage)
	if words == nil {
		return
	}
	CompleteBy(cmd, name, CompleteLast(func(*cobra.Command, []string, []string) []string { return words }))
}

// Switch is a word of a flag and the variable that the word sets to true.
type Switch struct {
	Word string
	On   *bool
}

// Switches adds a flag like [Choices] whose words each set a variable to true.
func Switches(cmd *cobra.Command, name, usage string, list ...Switch) {
	var words, given []string
	for _, s := range list {
		words = append(words, s.Word)
	}
	Choices(cmd, &given, name, nil, words, usage)
	Before(cmd, func() error {
		for _, s := range list {
			*s.On = *s.On || slices.Contains(given, s.Word)
		}
		return nil
	})
}

type choices struct {
	p     *[]string
	words []string
	given bool
}

func (c *choices) Set(text string) error {
	list := strings.Split(text, ",")
	for _, word := range list {
		if err := wanted(word, c.words); c.words != nil && err != nil {
			return err
		}
	}
	if !c.given { // the first word replaces the default
		*c.p, c.given = nil, true
	}
	*c.p = append(*c.p, list...)
	return nil
}

func (c *choices) String() string {
	if c.p == nil {
		return ""
	}
	return strings.Join(*c.p, ",")
}

func (c *choices) Type() string { return "words" }
