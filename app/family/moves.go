package family

import (
	"bufio"
	"encoding/json"
	"fmt"
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

// Moves are the moves of a position, best first.
type Moves []MoveWorth

func (l Moves) MarshalText() ([]byte, error) {
	var list []string
	for _, m := range l {
		list = append(list, m.Move+"="+strings.ReplaceAll(m.Worth.String(), " ", "_"))
	}
	return []byte(strings.Join(list, " ")), nil
}

// MarshalJSON returns a list, not the text of MarshalText.
func (l Moves) MarshalJSON() ([]byte, error) { return json.Marshal([]MoveWorth(l)) }

// SolvedMove is a [MoveWorth] of a solved game.
type SolvedMove struct {
	Move string `json:"move"`
	Worth
	Position string `json:"position"`
	// Alone is the value that each of more than two seats can force alone after the move, in turn
	// order. Distances include the move.
	Alone []Worth `json:"alone,omitempty"`
}

// SolvedMoves are the moves of a position, best first.
type SolvedMoves []SolvedMove

func (l SolvedMoves) MarshalText() ([]byte, error) {
	var list []string
	for _, m := range l {
		list = append(list, m.Move+"="+strings.ReplaceAll(m.Worth.String(), " ", "_"))
	}
	return []byte(strings.Join(list, " ")), nil
}

func (l SolvedMoves) MarshalJSON() ([]byte, error) { return json.Marshal([]SolvedMove(l)) }

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
	lines := bufio.NewScanner(cli.Stdin(cmd, "positions from standard input, one a line"))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		if err := do(Parse(g, text)); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	return nil
}
