package app

import (
	"cmp"
	"context"
	"math/big"
	"math/bits"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/solve/frame"
	"perfectplay/solve/retro"
	"perfectplay/solve/table"
)

type solvedFlags struct {
	*family.Strong
	own   map[string]func(*cobra.Command, game.Game) error // the solver of each family
	owner map[string]string                                // the only family with this flag, empty for a flag of all
}

func newStrongCommand(a *family.App) *cobra.Command {
	f := solvedFlags{own: map[string]func(*cobra.Command, game.Game) error{}, owner: map[string]string{}}
	cmd := &cobra.Command{
		Use:   "strong GAME",
		Short: "solve a game completely: the value of every position",
		Long: `strong gives every position of a game its value: won, lost, or drawn if play can
go on for ever, and how many plies the winner needs while the loser delays; with
more than two seats, what every set of seats can force against all others. It
prints the value of the start and of each opening move, and counts by distance.

With --table it writes a table for solve probe and solve verify: the same bytes for
any number of threads, with its description and checksum if FILE is a directory. A
table is replaced only by one of the same game, rules and kind, or with --force.

With --work DIR it saves its state there from time to time and when it is
interrupted; the same command continues from there; --fresh starts over. Where --mem
is too small, it works in files in DIR. When the table is on the disk the state is
removed; without --table it stays, and the same command answers from it. A state
of another game or of other rules is refused and stays.

--plan says what memory, files and time it takes. A game that numbers its positions
takes a byte for each, and where it knows no moves backwards 7 more and 4 for each
move. In any other game the positions that the start leads to are found, in about
160 bytes of --mem each, or some 8 where the game says how many plies are left.`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Strong = family.NewStrong(a, cmd)
	flags := func(of string) {
		cmd.Flags().VisitAll(func(fl *pflag.Flag) {
			if _, known := f.owner[fl.Name]; !known {
				f.owner[fl.Name] = of
			}
		})
	}
	flags("")
	for _, fam := range a.Families {
		if fam.Strong != nil {
			f.own[fam.Name] = fam.Strong(a, cmd, f.Strong)
			flags(fam.Name)
		}
	}
	return cmd
}

func (f *solvedFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	g, err := f.Open(id)
	if err != nil {
		return err
	}
	fam := a.Of(g)
	own := f.own[fam.Name]
	if g.Seats() == 1 {
		own = nil // families' solvers need an opponent
	}
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if of := f.owner[fl.Name]; of != "" && (of != fam.Name || own == nil) {
			err = cli.Usagef("--%s is not for %s %s", fl.Name, cmd.Name(), id)
		}
	})
	if err != nil {
		return err
	}
	if own != nil {
		return own(cmd, g)
	}
	return f.runAny(a, cmd, g)
}

func (f *solvedFlags) runAny(a *family.App, cmd *cobra.Command, g game.Game) error {
	if err := f.tooMany(a, cmd, g); err != nil {
		return err
	}
	return family.Complete(a, cmd, f.Strong, g, family.Solver{
		Plan:      func(o frame.Options) (frame.Plan, error) { return retro.NewPlan(g, o) },
		Distances: true,
		State:     retro.State(f.Work, g),
		Solve:     func(ctx context.Context, o frame.Options) (family.Solution, error) { return solveAny(ctx, g, o) },
	}, frame.Options{})
}

func solveAny(ctx context.Context, g game.Game, o frame.Options) (family.Solution, error) {
	all, err := retro.Solve(ctx, g, o)
	if err != nil {
		return family.Solution{}, err
	}
	return family.Solution{
		Resumed: all.Resumed,
		Value: func(s game.State, seats uint8) (game.Value, int, error) {
			v, d, ok := all.Forced(s, seats)
			if !ok {
				return v, d, cmp.Or(all.Err(), table.ErrUnknown)
			}
			return v, d, nil
		},
		Mover: all.Mover,
		Set:   all.Set,
		Reach: func(ctx context.Context) (*frame.Count, error) {
			c, err := all.Reachable(ctx)
			return &c, err
		},
		Save:  all.Save,
		Close: all.Close,
	}, nil
}

// tooMany refuses a game if its positions have no numbers and are known to be more than the memory
// holds.
func (f *solvedFlags) tooMany(a *family.App, cmd *cobra.Command, g game.Game) error {
	fam := a.Of(g)
	if game.NumbererOf(g) != nil || !fam.Bounded || fam.Info == nil {
		return nil
	}
	room := cli.Machine()
	if cmd.Flags().Changed("mem") {
		room = f.Job.Mem
	}
	plan, err := retro.NewPlan(g, retro.Options{Threads: f.Job.Threads, Memory: uint64(room), Work: f.Work})
	if err != nil || room == 0 {
		return nil // the solve has a better message
	}
	n := fam.Info(g).Positions
	// Symmetric positions of two seats count once: a board has at most twelve symmetries, and
	// the seats two orders.
	if count, ok := new(big.Int).SetString(string(n), 10); ok && count.BitLen() > bits.Len64(plan.Limit)+5 {
		return cli.Usagef("%s has up to %s positions, and --mem %v has room for about %v of them; solve search and solve analyse look at one position at a time",
			g.ID(), n, room, cli.Count(plan.Limit))
	}
	return nil
}
