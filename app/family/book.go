package family

import (
	"context"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
	"perfectplay/solve"
	"perfectplay/solve/book"
)

// Sources are the flags --tables and --book.
type Sources struct {
	tables, book string
	warn         func(error)
}

func (s *Sources) Flags(cmd *cobra.Command) {
	s.warn = cli.Warner(cmd)
	cli.TablesFlag(cmd, &s.tables)
	BookFlag(cmd, &s.book)
}

// Options opens the book and returns the options of a service within memory bytes. The service
// asks the games' own sources, the tables and the book.
func (s *Sources) Options(a *App, memory int64, threads int) (explore.Options, error) {
	o := explore.Options{Wings: a.Wings(), Tables: s.tables, Warn: s.warn, Memory: memory, Threads: threads}
	if s.book == "" {
		return o, nil
	}
	b, err := book.Open(s.book, false)
	if err != nil {
		return o, err
	}
	o.Book, o.Proved = b, func(g game.Game) any {
		if proved := a.Of(g).Proved; proved != nil {
			return proved(g, b)
		}
		return nil
	}
	return o, nil
}

func (s *Sources) Service(a *App, r cli.Resources) (*explore.Service, error) {
	o, err := s.Options(a, int64(r.Mem), r.Threads)
	if err != nil {
		return nil, err
	}
	return explore.New(o)
}

// BookFlag adds --book to a command.
func BookFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "book", "", "begin with what is proved in the book `FILE` (solve search and solve mnk solve add to it)")
}

// BookNodesFlag adds --book-nodes to a command that adds to a book.
func BookNodesFlag(cmd *cobra.Command, nodes *uint64) {
	cli.Number(cmd, nodes, "book-nodes", solve.DefaultBookNodes, "put proofs of at least `N` nodes into the book")
}

// Checker proves a book's facts about one game again, without the book.
type Checker interface {
	// Check proves a fact, with its notes, about the unfinished position of s. wrong is the fault
	// of the fact, nil if the fact holds; err is the context's error.
	Check(ctx context.Context, s game.State, it book.Item) (wrong, err error)
	Kind() wing.Kind
	Close() error
}

// NewChecker returns the family's checker of facts about a game, else a search.
func (a *App) NewChecker(ctx context.Context, g game.Game, o solve.Options) (Checker, error) {
	if checker := a.Of(g).Checker; checker != nil {
		if c, err := checker(ctx, g, o); c != nil || err != nil {
			return c, err
		}
	}
	return bySearch{g, o}, nil
}

type bySearch struct {
	g game.Game
	o solve.Options
}

func (c bySearch) Check(ctx context.Context, s game.State, it book.Item) (wrong, err error) {
	return solve.Check(ctx, c.g, s, it.Hero, it.Fact, c.o)
}

func (bySearch) Kind() wing.Kind { return wing.BySearch }
func (bySearch) Close() error    { return nil }
