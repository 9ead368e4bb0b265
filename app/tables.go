package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/solve/retro/table"
	rules "perfectplay/solve/retro/verify"
)

// addSolved adds the commands that solve any game and look at its tables. Where a family has
// a command of the same name for its own games and files, that goes on with all others by
// the one for any game.
func addSolved(a *family.App, root *cobra.Command, owners map[*cobra.Command]string) {
	isTable := func(flag string) func(cmd *cobra.Command, args []string) bool {
		return func(cmd *cobra.Command, args []string) bool {
			if flag != "" {
				return table.IsTable(cmd.Flags().Lookup(flag).Value.String())
			}
			return len(args) > 0 && table.IsTable(args[0])
		}
	}
	for _, c := range []struct {
		general *cobra.Command
		other   func(cmd *cobra.Command, args []string) bool // nil: the game is another family's
	}{
		{newStrongCommand(a), nil}, {newProbeCommand(a), isTable("table")}, {newVerifyCommand(a), isTable("")}, {newExportCommand(a), isTable("")},
	} {
		own := slices.IndexFunc(root.Commands(), func(cmd *cobra.Command) bool { return cmd.Name() == c.general.Name() })
		if own < 0 {
			root.AddCommand(c.general)
			continue
		}
		cmd := root.Commands()[own]
		if c.other == nil {
			c.other = func(_ *cobra.Command, args []string) bool {
				fam, err := a.Find(args[0])
				if err != nil || fam.Name != owners[cmd] {
					return err == nil
				}
				g, err := fam.Open(args[0], "")
				return err == nil && g.Seats() == 1 // a family's own solvers are for those who play each other
			}
		}
		forAll(cmd, c.general, c.other)
	}
}

// forAll lets a family's own command do by another one what other says. Flags that it has
// not are added to it.
func forAll(own, general *cobra.Command, other func(cmd *cobra.Command, args []string) bool) {
	run, before := own.RunE, own.PreRunE
	added := map[string]bool{}
	general.Flags().VisitAll(func(f *pflag.Flag) {
		if own.Flags().Lookup(f.Name) == nil {
			own.Flags().AddFlag(f)
			added[f.Name] = true
		}
	})
	own.PreRunE = func(cmd *cobra.Command, args []string) error {
		here := other(cmd, args)
		what := strings.Join(append([]string{cmd.Name()}, args...), " ")
		var errs []error
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			switch known := general.Flags().Lookup(f.Name); {
			case !f.Changed:
			case here && known == nil:
				errs = append(errs, cli.Usagef("--%s is not for %s", f.Name, what))
			case !here && added[f.Name]:
				errs = append(errs, cli.Usagef("--%s is not for %s", f.Name, what))
			case here && !added[f.Name]:
				if list, ok := f.Value.(pflag.SliceValue); ok {
					errs = append(errs, known.Value.(pflag.SliceValue).Replace(list.GetSlice()))
					known.Changed = true
				} else {
					errs = append(errs, general.Flags().Set(f.Name, f.Value.String()))
				}
			}
		})
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		next := before
		if here {
			next = general.PreRunE
		}
		if next != nil {
			return next(cmd, args)
		}
		return nil
	}
	own.RunE = func(cmd *cobra.Command, args []string) error {
		if other(cmd, args) {
			return general.RunE(cmd, args)
		}
		return run(cmd, args)
	}
}

// openSolved opens a table of any game. Rules that are given must be the table's.
func openSolved(a *family.App, cmd *cobra.Command, f *family.Flags, file string, memory cli.Size) (*table.Table, error) {
	t, err := table.Open(file, uint64(memory), func(id, rules string) (game.Game, error) { return a.Open(id, rules) })
	if err != nil {
		return nil, err
	}
	if info := t.Info(); cmd.Flags().Changed("rules") && f.Rules != info.Rules {
		_ = t.Close()
		return nil, cli.Usagef("--rules %s: the table is of %s under rules %s", f.Rules, info.Game, info.Rules)
	}
	return t, nil
}

// probed is what a table says of a position.
type probed struct {
	Game         string             `json:"game"`
	Rules        string             `json:"rules"`
	From         string             `json:"position"`
	Path         []string           `json:"path"`
	Seat         string             `json:"seat"` // to move
	family.Worth                    // for it alone, against all others
	Source       string             `json:"source"`
	Sets         []probedSet        `json:"coalitions,omitempty"` // with more than two seats
	Moves        family.SolvedMoves `json:"moves"`
	Line         []string           `json:"line"` // best play, with two seats

	state game.State // for people
}

// probedSet is what a set of seats can force.
type probedSet struct {
	Seats string `json:"coalition"`
	family.Worth
}

func newProbeCommand(a *family.App) *cobra.Command {
	var f family.Flags
	var job cli.Job
	var file string
	var moves []string
	cmd := &cobra.Command{
		Use:   "probe [POSITION...]",
		Short: "look up positions and their moves in a table",
		Long: `probe says what positions are worth, with all their moves, best first, by a table
made by solve strong --table. Without POSITION it reads positions from standard
input, one a line; start is the first one.`,
		GroupID: cli.GroupCheck,
		RunE: func(cmd *cobra.Command, args []string) error {
			if file == "" {
				return cli.Usagef("missing --table")
			}
			if err := job.Resolve(cmd, 1<<20, 0); err != nil {
				return err
			}
			t, err := openSolved(a, cmd, &f, file, job.Mem)
			if err != nil {
				return err
			}
			defer t.Close()
			g := t.Game()
			return cli.Stream(&job.Output, cmd, func(w io.Writer, r probed) error { return r.write(w, a, g) }, func(put func(probed) error) error {
				return family.EachPosition(cmd, g, args, func(s game.State) error {
					at := s.Clone()
					if err := family.Play(at, moves); err != nil {
						return err
					}
					r, err := probeSolved(t, at)
					if err != nil {
						return err
					}
					r.Path = append([]string{}, moves...)
					return put(r)
				})
			})
		},
	}
	f.Flags(a, cmd)
	job.Flags(cmd, 1<<20)
	cmd.Flags().StringVarP(&file, "table", "t", "", "ask the table `FILE`")
	cmd.Flags().StringSliceVar(&moves, "moves", nil, "`MOVES` to play from the position first, for instance b1-c4,h1-g4")
	return cmd
}

// probeSolved asks a table.
func probeSolved(t *table.Table, s game.State) (probed, error) {
	g := t.Game()
	r := probed{Game: g.ID(), Rules: g.Rules(), From: s.String(), Seat: g.SeatName(s.Seat()), Source: "table", Line: []string{}, state: s}
	v, d, err := t.Value(s, 1<<s.Seat())
	if err != nil {
		return r, err
	}
	r.Worth = family.NewWorth(v, d)
	if r.Moves, err = judgeMoves(s, t.Value); err != nil {
		return r, err
	}
	if len(r.Moves) > 0 && r.Worth.Compare(r.Moves[0].Worth) != 0 {
		return r, fmt.Errorf("the table contradicts itself at %s: run solve verify", s)
	}
	if g.Seats() > 2 {
		for seats := uint8(1); seats < 1<<g.Seats(); seats++ {
			v, d, err := t.Value(s, seats)
			if err != nil {
				return r, err
			}
			r.Sets = append(r.Sets, probedSet{seatsText(g, seats), family.NewWorth(v, d)})
		}
		slices.SortStableFunc(r.Sets, func(a, b probedSet) int { return strings.Count(a.Seats, "+") - strings.Count(b.Seats, "+") })
		return r, nil
	}
	at, list := s.Clone(), r.Moves
	for v != game.Draw && len(list) > 0 {
		m, err := at.ParseMove(list[0].Move)
		if err != nil {
			return r, err
		}
		r.Line = append(r.Line, list[0].Move)
		if len(r.Line) > d {
			return r, fmt.Errorf("the table contradicts itself at %s: run solve verify", s)
		}
		at.Make(m)
		if list, err = judgeMoves(at, t.Value); err != nil {
			return r, err
		}
	}
	return r, nil
}

// write prints the record for people.
func (r *probed) write(w io.Writer, a *family.App, g game.Game) error {
	fmt.Fprintln(w, r.From)
	a.Draw(w, g, r.state)
	if len(r.Moves) == 0 {
		_, err := fmt.Fprintln(w, "the game is over:", family.ResultText(g, r.state.Result()))
		return err
	}
	fmt.Fprintf(w, "seat %s to move: %s\n", r.Seat, r.Worth)
	if len(r.Sets) > 0 {
		if err := cli.Grid[probedSet]("seats=coalition", "value=Worth")(w, r.Sets); err != nil {
			return err
		}
	}
	if err := writeJudged(w, r.Moves); err != nil {
		return err
	}
	if len(r.Line) > 1 {
		fmt.Fprintln(w, "best play:", strings.Join(r.Line, " "))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// checked is what a check of a table came to.
type checked struct {
	File      string      `json:"file"`
	Game      string      `json:"game"`
	Rules     string      `json:"rules"`
	Distances bool        `json:"distances"`
	Signature string      `json:"table_signature"`
	Positions uint64      `json:"positions"` // in the table
	Checked   uint64      `json:"checked"`   // against the rules
	Faults    uint64      `json:"faults"`
	Counted   bool        `json:"counted"` // the counts of all positions are as described
	Seconds   cli.Seconds `json:"seconds"`
	Verdict   string      `json:"verdict"`
	Counts    string      `json:"-"` // for people
}

func newVerifyCommand(a *family.App) *cobra.Command {
	var f family.Flags
	var job cli.Job
	var sample uint64
	var sums bool
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "check a table against its checksums and against the rules",
		Long: `verify checks every block of a table against its checksum, and then every
position against the rules: its value and distance must follow from those of the
positions that its moves lead to. It counts the values again, and shares no code
with the solver. It is fastest where the whole table fits --mem.`,
		GroupID: cli.GroupCheck,
		Args:    cli.Args("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.Exclusive(cmd, "sample", "checksums"); err != nil {
				return err
			}
			if err := job.Resolve(cmd, 1<<20, 0); err != nil {
				return err
			}
			t, err := openSolved(a, cmd, &f, args[0], job.Mem)
			if err != nil {
				return err
			}
			defer t.Close()
			return cli.Run(&job.Output, &a.Progress, cmd, "checksums", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]checked, error) {
				r, err := checkTable(ctx, t, args[0], sums, rules.Options{Sample: sample, Threads: job.Threads}, bar)
				return []checked{r}, err
			}, cli.Fields[checked]("table=file", "game=game,rules:%s %s", "signature=table_signature", "positions",
				"checked by the rules=checked", "counted=Counts?", "time=seconds", "verdict"))
		},
	}
	f.Flags(a, cmd)
	job.Flags(cmd, 1<<20)
	cli.Number(cmd, &sample, "sample", 0, "check only `N` positions, evenly spread, against the rules")
	cmd.Flags().BoolVar(&sums, "checksums", false, "check the checksums alone")
	return cmd
}

// checkTable checks a table.
func checkTable(ctx context.Context, t *table.Table, file string, sums bool, o rules.Options, bar *cli.Bar) (checked, error) {
	info := t.Info()
	r := checked{File: file, Game: info.Game, Rules: info.Rules, Distances: true, Signature: info.Signature, Positions: info.Positions, Verdict: "checksums right"}
	begin := time.Now()
	if !sums {
		bar.Part(0.1, cli.Shares)
	}
	if err := t.Check(ctx, bar.Share); err != nil {
		return r, err
	}
	if !sums {
		bar.Describe("positions")
		bar.Part(1, cli.Shares)
		o.Progress = bar.Share
		v, err := rules.Table(ctx, t, o)
		if err != nil {
			return r, err
		}
		r.Checked, r.Faults, r.Verdict = v.Checked, v.Faults, "no fault"
		if r.Counted = v.Complete(info); r.Counted {
			r.Counts = fmt.Sprintf("%v won, %v lost, %v drawn", cli.Count(info.Wins), cli.Count(info.Losses), cli.Count(info.Draws))
		}
		switch {
		case r.Faults > 0:
			bar.Stop()
			return r, fmt.Errorf("%s: %d faults: %s", file, r.Faults, strings.Join(v.First, "; "))
		case o.Sample > 0 && v.Checked < info.Positions:
			r.Verdict = "no fault in the sample"
		case !r.Counted:
			return r, fmt.Errorf("%s: the counts are wrong", file)
		}
	}
	r.Seconds = cli.Since(begin)
	return r, nil
}

// exported is a position of a table with the worth of its moves.
type exported struct {
	Position string `json:"position"`
	Seat     string `json:"seat"` // to move
	family.Worth
	Moves family.SolvedMoves `json:"moves"`
}

func newExportCommand(a *family.App) *cobra.Command {
	var f family.Flags
	var job cli.Job
	var sample uint64
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "write the positions of a solved game with the worth of all moves",
		Long: `export writes a row for each position of a table made by solve strong: the seat to
move, its value and distance to that seat alone, and every legal move with its
value and distance, best first. Of positions that symmetries take to each other
there is one.`,
		GroupID: cli.GroupSolve,
		Args:    cli.Args("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := job.Resolve(cmd, 1<<20, 0); err != nil {
				return err
			}
			t, err := openSolved(a, cmd, &f, args[0], job.Mem)
			if err != nil {
				return err
			}
			defer t.Close()
			return cli.Stream(&job.Output, cmd, func(w io.Writer, r exported) error {
				text, err := r.Moves.MarshalText()
				_, failed := fmt.Fprintln(w, r.Position, r.Seat, r.Worth, string(text))
				return errors.Join(err, failed)
			}, func(put func(exported) error) error { return exportTable(cmd.Context(), t, sample, put) })
		},
	}
	f.Flags(a, cmd)
	job.Flags(cmd, 1<<20)
	cli.Number(cmd, &sample, "sample", 0, "write `N` positions at random (default: all)")
	return cmd
}

// exportTable puts rows in the order of numbers, or in that of a walk from the start.
func exportTable(ctx context.Context, t *table.Table, sample uint64, put func(exported) error) error {
	g, every := t.Game(), uint64(1)
	if sample > 0 {
		every = max(t.Info().Numbers/sample, 1)
	}
	var mu sync.Mutex
	return t.Walk(ctx, 1, func(float64) {}, func() func(n uint64, s game.State) error {
		return func(n uint64, s game.State) error {
			if n*0x9e3779b97f4a7c15>>20%every != 0 {
				return nil
			}
			v, d, err := t.Value(s, 1<<s.Seat())
			if err != nil {
				return err
			}
			r := exported{Position: s.String(), Seat: g.SeatName(s.Seat()), Worth: family.NewWorth(v, d)}
			if r.Moves, err = judgeMoves(s, t.Value); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			return put(r)
		}
	})
}
