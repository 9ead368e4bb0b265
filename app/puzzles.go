package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
)

type puzzlesFlags struct {
	players
	family.Flags
	out   cli.Output
	games int
	seed  uint64
}

// puzzle is a position where only one move wins.
type puzzle struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Seat     string `json:"seat"`
	Move     string `json:"move"`
	Distance int    `json:"distance"`
	Legal    int    `json:"legal_moves"`
}

func newPuzzlesCommand(a *family.App) *cobra.Command {
	var f puzzlesFlags
	cmd := &cobra.Command{
		Use:   "puzzles GAME...",
		Short: "find positions where only one move wins",
		Long: `puzzles looks for positions of solved games where only one move wins, among the
positions of random games, and lists the shortest win first: for each game and
distance the position with the most legal moves. Values come from a solution made on
the spot, or from the tables in --tables DIR, so every puzzle is proved. The page shows those of play/serve/web/puzzles.jsonl.`,
		Example: `  lab puzzles halma-star37-2p --rules house --games 20
  lab puzzles mnk-4x4k3 mnk-4x4k4 --json -o puzzles.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.out.Flags(cmd)
	f.players.Flags(a, cmd, 10*time.Second, "`TIME` for each position")
	f.Flags.Flags(a, cmd)
	cli.Number(cmd, &f.games, "games", 100, "look through `N` random games")
	cli.SeedFlag(cmd, &f.seed)
	cli.Rules(cmd, cli.AtLeast("games", 1))
	return cmd
}

func (f *puzzlesFlags) run(a *family.App, cmd *cobra.Command, ids []string) (err error) {
	var games []game.Game
	for _, id := range ids {
		g, err := f.Open(id)
		if err != nil {
			return err
		}
		d, err := f.analyst.Game(g.ID(), g.Rules())
		if err != nil {
			return err
		}
		if g.Seats() != 2 || !d.Solved {
			return cli.Usagef("%s: want a game for two that is solved within --mem, or whose table is in --tables", id)
		}
		games = append(games, g)
	}
	return cli.Run(&f.out, &a.Progress, cmd, "games", int64(f.games*len(games)), func(ctx context.Context, bar *cli.Bar) (list []puzzle, err error) {
		for _, g := range games {
			found := map[int]puzzle{} // a puzzle for each distance to the win
			rng := rand.New(rand.NewPCG(f.seed, 0x90221e))
			for range f.games {
				if err := f.walk(ctx, g, rng, found); err != nil {
					return nil, err
				}
				bar.Add(1)
			}
			for _, p := range found {
				list = append(list, p)
			}
		}
		slices.SortFunc(list, func(p, q puzzle) int {
			return cmp.Or(cmp.Compare(p.Distance, q.Distance), cmp.Compare(p.Game, q.Game))
		})
		return list, nil
	}, cli.Grid[puzzle]("game", "win in=distance", "moves=legal_moves", "seat", "move", "position"))
}

// A puzzle has at least puzzlePlies to the win and puzzleMoves legal moves.
const (
	puzzlePlies = 3
	puzzleMoves = 4
)

// walk plays a random game and keeps its puzzles. Every other move is a best one, so that the
// game comes near its end.
func (f *puzzlesFlags) walk(ctx context.Context, g game.Game, rng *rand.Rand, found map[int]puzzle) error {
	const longest = 60 // most plies of a random game
	s := g.Start()
	for range longest {
		if s.Result() != game.Ongoing {
			return nil
		}
		var last *explore.Answer
		q := explore.Query{Game: g.ID(), Rules: g.Rules(), Position: s.String(), Seconds: f.time.Seconds()}
		err := f.analyst.Analyse(ctx, q, func(a *explore.Answer) error { last = a; return nil })
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if !last.Final {
			return fmt.Errorf("puzzles: position %s is open after --time %v", last.Position, f.time)
		}
		if p, ok := puzzleOf(last); ok && p.Legal > found[p.Distance].Legal {
			found[p.Distance] = p
		}
		text := last.Moves[0].Move
		if rng.IntN(2) == 0 {
			text = last.Moves[rng.IntN(len(last.Moves))].Move
		}
		m, err := s.ParseMove(text)
		if err != nil {
			return err
		}
		s.Make(m)
	}
	return nil
}

// puzzleOf returns the puzzle of a position, if it has one.
func puzzleOf(a *explore.Answer) (puzzle, bool) {
	if a.Value != explore.Win || a.Distance == nil || *a.Distance < puzzlePlies || len(a.Moves) < puzzleMoves {
		return puzzle{}, false
	}
	for i := range a.Moves {
		if w := &a.Moves[i]; !w.Final || (w.Value == explore.Win) != (i == 0) {
			return puzzle{}, false
		}
	}
	return puzzle{a.Game, a.Rules, a.Position, a.Seat, a.Moves[0].Move, *a.Distance, len(a.Moves)}, true
}
