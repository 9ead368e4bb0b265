//go:build js || wasip1

package book

import (
	"errors"
	"fmt"

	"perfectplay/game"
	"perfectplay/solve"
)

// Book is a file of facts. This system has none: bbolt maps files into memory and locks them.
type Book struct{}

// Open returns an error: this system has no books.
func Open(name string, _ bool) (*Book, error) {
	return nil, fmt.Errorf("book %s: %w on this system", name, errors.ErrUnsupported)
}

func (*Book) Facts(game.Game, int, func([]uint64, solve.Fact)) error { return errors.ErrUnsupported }

func (*Book) Noted(game.Game, int, func(Item) error) error { return errors.ErrUnsupported }

func (*Book) Look(game.Game, int, []game.State) ([]solve.Fact, []bool, error) {
	return nil, nil, errors.ErrUnsupported
}

func (*Book) Learn(game.Game, int, game.State, []uint64, solve.Fact) {}

func (*Book) LearnNoted(game.Game, int, game.State, []uint64, solve.Fact, Notes) {}

func (*Book) Each(func(Item) error) error { return errors.ErrUnsupported }

func (*Book) Merge(*Book) (int, error) { return 0, errors.ErrUnsupported }

func (*Book) Close() error { return nil }
