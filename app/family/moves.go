package family

import (
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
)

// MoveWorth is a move of a position, its value for the seat that makes it, and the next position.
type MoveWorth struct {
	Move string `json:"move"`
	explore.Worth
	Position string `json:"position"`
}

// String is the move with its worth, as one word.
func (m MoveWorth) String() string { return word(m.Move, m.Worth.String()) }

func word(move, worth string) string { return move + "=" + strings.ReplaceAll(worth, " ", "_") }

// Moves are the moves of a position, best first.
type Moves = cli.List[MoveWorth]

// SolvedMove is a [MoveWorth] of a solved game.
type SolvedMove struct {
	Move string `json:"move"`
	Worth
	Position string `json:"position"`
	// Alone is the value that each of more than two seats can force alone after the move, in turn
	// order. Distances include the move.
	Alone []Worth `json:"alone,omitempty"`
}

func (m SolvedMove) String() string { return word(m.Move, m.Worth.String()) }

// SolvedMoves are the moves of a position, best first.
type SolvedMoves = cli.List[SolvedMove]

// EachPosition reads a position from each argument or, if - is the only argument, from each line of
// standard input. It plays moves from each position, and calls one with the result.
func EachPosition(cmd *cobra.Command, g game.Game, args, moves []string, one func(game.State) error) error {
	do := func(s game.State, err error) error {
		if err == nil {
			err = Play(g, s, moves)
		}
		if err == nil {
			err = one(s)
		}
		return err
	}
	if len(args) != 1 || args[0] != "-" {
		for _, text := range args {
			s, err := Parse(g, text)
			if err := do(s, cli.Usage(err)); err != nil {
				return err
			}
		}
		return nil
	}
	return cli.Lines(cmd, "-", "positions", func(text string) error { return do(Parse(g, text)) })
}
