package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/perft"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// The names of the move generators in records.
const (
	fastGenerator      = "bitboard"
	referenceGenerator = "mailbox"
)

// maxPerft is the deepest perft that is not a typing error, maxRandom the largest
// number of random positions.
const (
	maxPerft  = 1000
	maxRandom = 1_000_000_000_000
)

// perftRecord is one count.
type perftRecord struct {
	Game      string      `json:"game"`
	Rules     string      `json:"rules"`
	Position  string      `json:"position"`
	Generator string      `json:"generator"`
	Depth     int         `json:"depth"`
	Move      string      `json:"move"` // empty for the whole
	Leaves    uint64      `json:"leaves"`
	Seconds   cli.Seconds `json:"seconds"`
}

// perftFlags are the flags of solve perft.
type perftFlags struct {
	family.Flags
	out       cli.Output
	res       cli.Resources
	position  string
	depth     int
	reference bool
	compare   bool
	divide    bool
	file      string
	most      uint64
	random    int64
	seed      uint64
}

func newPerftCommand(a *family.App) *cobra.Command {
	var f perftFlags
	cmd := &cobra.Command{
		Use:   "perft GAME --depth D | perft --file FILE | perft [GAME] --random N",
		Short: "count move sequences; check the move generators against each other",
		Long: `perft counts the sequences of legal turns to a depth. Such counts are how move
generators are compared: between programs, and between the two generators of
this one, bitboard and mailbox.

  perft GAME --depth D       count, by default with the fast generator
  perft GAME --depth D --compare   count with both, and fail if they differ
  perft --file FILE          check the counts of a file, one a line:
                             id rules position depth count source
  perft --random N           play at random and compare both generators in N
                             positions, spread over all boards and rule sets
                             (with GAME: over the rule sets of that game)`,
		Example: `  solve perft halma-star121-6p --depth 3 --divide
  solve perft --file game/halma/testdata/star37.perft
  solve perft --random 1000000`,
		GroupID:           cli.GroupCheck,
		Args:              cli.Args("[GAME]"),
		ValidArgsFunction: a.CompleteGame,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			switch {
			case f.file != "":
				return f.runFile(a, cmd)
			case f.random > 0:
				return f.runRandom(a, cmd, args)
			}
			return f.runCount(a, cmd, args[0])
		},
	}
	f.Flags.Flags(a, cmd)
	f.out.Flags(cmd)
	f.res.ThreadFlag(cmd)
	cli.Before(cmd, func() error { return f.res.Resolve(cmd, 0, 0) })
	fl := cmd.Flags()
	fl.IntVarP(&f.depth, "depth", "d", 0, "`D` turns to count")
	fl.StringVar(&f.position, "position", "start", "position to count from, as `TEXT`")
	fl.BoolVar(&f.reference, "reference", false, "count with the slow reference generator")
	fl.BoolVar(&f.compare, "compare", false, "count with both generators and compare")
	fl.BoolVar(&f.divide, "divide", false, "count each first move apart")
	fl.StringVar(&f.file, "file", "", "check the counts of `FILE`")
	fl.Uint64Var(&f.most, "most", 1_000_000_000, "with --file: skip counts above `N`")
	fl.Int64Var(&f.random, "random", 0, "compare both generators in `N` positions of random play")
	fl.Uint64Var(&f.seed, "seed", 1, "with --random: a `SEED`; equal seeds play equal games")
	return cmd
}

// check refuses flags that contradict each other.
func (f *perftFlags) check(cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed
	// others refuses flags that are not for this way to use the command.
	others := func(way string, flags ...string) error {
		for _, name := range flags {
			if changed(name) {
				return cli.Usagef("--%s does not go with %s", name, way)
			}
		}
		return nil
	}
	switch {
	case f.file != "" && changed("random"):
		return cli.Usagef("--file and --random exclude each other")
	case f.file != "" && len(args) > 0:
		return cli.Usagef("--file names the games itself; leave out %q", args[0])
	case f.file != "":
		return others("--file", "rules", "depth", "position", "compare", "divide", "seed")
	case changed("random") && (f.random < 1 || f.random > maxRandom):
		return cli.Usagef("--random %d: want 1 to %d", f.random, int64(maxRandom))
	case changed("random"):
		return others("--random", "depth", "position", "reference", "compare", "divide", "most")
	case len(args) == 0:
		return cli.Usagef("missing GAME")
	case !changed("depth"):
		return cli.Usagef("missing --depth")
	case f.depth < 0 || f.depth > maxPerft:
		return cli.Usagef("--depth %d: want 0 to %d", f.depth, maxPerft)
	case f.divide && f.depth < 1:
		return cli.Usagef("--divide: want --depth 1 or more")
	case f.reference && f.compare:
		return cli.Usagef("--reference and --compare exclude each other")
	}
	return others("a single count", "most", "seed")
}

// runCount counts one position.
func (f *perftFlags) runCount(a *family.App, cmd *cobra.Command, id string) error {
	g, s, err := f.OpenAt(id, f.position)
	if err != nil {
		return err
	}
	type side struct {
		generator string
		state     game.State
	}
	var sides []side
	if !f.reference {
		sides = append(sides, side{fastGenerator, s})
	}
	if f.reference || f.compare {
		ref, err := a.Reference(g)
		if err != nil {
			return err
		}
		r, err := ref.Parse(s.String())
		if err != nil {
			return err
		}
		sides = append(sides, side{referenceGenerator, r})
	}
	var wholes []perftRecord
	divided := make([][]perftRecord, 0, len(sides))
	return cli.Run(&f.out, &a.Progress, cmd, id, perftSteps(s, f.depth, len(sides)), func(ctx context.Context, bar *cli.Bar) (records []perftRecord, err error) {
		for _, sd := range sides {
			bar.Describe("%s", sd.generator)
			begin := time.Now()
			moves, counts, err := countPerft(ctx, sd.state, f.depth, f.res.Threads, bar)
			if err != nil {
				return nil, err
			}
			whole := perftRecord{Game: g.ID(), Rules: g.Rules(), Position: s.String(), Generator: sd.generator, Depth: f.depth}
			var parts []perftRecord
			for i, n := range counts {
				part := whole
				part.Move, part.Leaves = moves[i], n
				parts = append(parts, part)
				whole.Leaves += n
			}
			whole.Seconds = cli.Since(begin)
			if f.divide {
				records = append(records, parts...)
			}
			records = append(records, whole)
			wholes, divided = append(wholes, whole), append(divided, parts)
		}
		if len(wholes) == 2 && wholes[0].Leaves != wholes[1].Leaves {
			err = fmt.Errorf("perft: the generators differ: %d and %d leaves at depth %d from %s", wholes[0].Leaves, wholes[1].Leaves, f.depth, s)
		}
		return records, cli.Incomplete(err)
	}, func(w io.Writer, _ []perftRecord) error {
		columns, leaves, seconds, rate := []string{"move"}, []any{"leaves"}, []any{"time"}, []any{"leaves/s"}
		for _, r := range wholes {
			columns = append(columns, ">"+r.Generator)
			leaves, seconds, rate = append(leaves, r.Leaves), append(seconds, r.Seconds), append(rate, cli.Rate(r.Leaves, r.Seconds))
		}
		t := cli.NewTable(columns...)
		if f.divide {
			for i, part := range divided[0] {
				row := []any{part.Move}
				for _, parts := range divided {
					row = append(row, parts[i].Leaves)
				}
				t.Row(row...)
			}
		}
		t.Row(leaves...)
		t.Row(seconds...)
		t.Row(rate...)
		fmt.Fprintf(w, "%s, depth %d from %s\n", family.Title(g), f.depth, s)
		return t.Write(w)
	})
}

// splitDepth is the number of last turns that one worker counts in one go.
const splitDepth = 3

// perftSteps is the number of tasks of so many calls of [countPerft].
func perftSteps(s game.State, depth, calls int) int64 {
	prefix := max(1, depth-splitDepth)
	if prefix > splitDepth {
		return cli.Endless // too many to count first
	}
	return int64(perft.Count(s.Clone(), prefix)) * int64(calls)
}

// countPerft counts the sequences of depth turns by first move, on several
// threads. At depth 0 there is one sequence and no first move. The moves are
// sorted as the state lists them.
func countPerft(ctx context.Context, s game.State, depth, threads int, bar *cli.Bar) (names []string, counts []uint64, err error) {
	if depth == 0 {
		return []string{""}, []uint64{1}, nil
	}
	moves := s.Moves(nil)
	sums := make([]atomic.Uint64, len(moves))
	type task struct {
		state game.State
		move  int
	}
	prefix := max(1, depth-splitDepth)
	tasks := make(chan task)
	var workers sync.WaitGroup
	for range threads {
		workers.Go(func() {
			for t := range tasks {
				sums[t.move].Add(perft.Count(t.state, depth-prefix))
				bar.Add(1)
			}
		})
	}
	// hand sends the positions after left more turns to the workers.
	var hand func(s game.State, left, move int) bool
	hand = func(s game.State, left, move int) bool {
		if left == 0 {
			select {
			case tasks <- task{s.Clone(), move}:
				return true
			case <-ctx.Done():
				return false
			}
		}
		for _, m := range s.Moves(nil) {
			s.Make(m)
			ok := hand(s, left-1, move)
			s.Unmake()
			if !ok {
				return false
			}
		}
		return true
	}
	whole := true
	for i, m := range moves {
		names = append(names, s.MoveString(m))
		s.Make(m)
		whole = whole && hand(s, prefix-1, i)
		s.Unmake()
	}
	close(tasks)
	workers.Wait()
	if !whole {
		return nil, nil, ctx.Err()
	}
	for i := range sums {
		counts = append(counts, sums[i].Load())
	}
	return names, counts, nil
}

// perftCheck is one line of a perft file and what became of it.
type perftCheck struct {
	Game     string      `json:"game"`
	Rules    string      `json:"rules"`
	Position string      `json:"position"`
	Depth    int         `json:"depth"`
	Expected uint64      `json:"expected"`
	Leaves   uint64      `json:"leaves"`
	Verdict  string      `json:"verdict"` // equal, differs or skipped
	Seconds  cli.Seconds `json:"seconds"`
	Source   string      `json:"source"`
}

// runFile checks the lines of a perft file.
func (f *perftFlags) runFile(a *family.App, cmd *cobra.Command) error {
	in, err := os.Open(f.file)
	if err != nil {
		return err
	}
	defer in.Close()
	lines, err := perft.Read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	if len(lines) == 0 {
		return fmt.Errorf("perft: %s holds no counts", f.file)
	}
	return cli.Run(&f.out, &a.Progress, cmd, "counts", int64(len(lines)), func(ctx context.Context, bar *cli.Bar) (checks []perftCheck, err error) {
		differ := 0
		for _, l := range lines {
			bar.Describe("%s", l.ID)
			c, err := f.checkLine(ctx, a, l)
			if errors.Is(err, context.Canceled) {
				return checks, err
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", f.file, l.Line, err)
			}
			if c.Verdict == "differs" {
				differ++
			}
			checks = append(checks, c)
			bar.Add(1)
		}
		if differ > 0 {
			err = fmt.Errorf("perft: %d of %d counts of %s differ", differ, len(checks), f.file)
		}
		return checks, cli.Incomplete(err)
	}, func(w io.Writer, checks []perftCheck) error {
		t := cli.NewTable("game", "rules", "position", ">depth", ">expected", ">leaves", "verdict", ">time")
		for _, c := range checks {
			t.Row(c.Game, c.Rules, shorten(c.Position, 24), c.Depth, c.Expected, c.Leaves, c.Verdict, c.Seconds)
		}
		return t.Write(w)
	})
}

// checkLine checks a line of a perft file.
func (f *perftFlags) checkLine(ctx context.Context, a *family.App, l perft.Line) (perftCheck, error) {
	c := perftCheck{Game: l.ID, Rules: l.Rules, Position: l.Position, Depth: l.Depth, Expected: l.Count, Verdict: "skipped", Source: l.Source}
	if l.Depth > maxPerft {
		return c, fmt.Errorf("depth %d: want 0 to %d", l.Depth, maxPerft)
	}
	if l.Count > f.most {
		return c, nil
	}
	s, err := l.Open(a.Open)
	if err == nil && f.reference {
		s, err = asReference(a, l, s)
	}
	if err != nil {
		return c, err
	}
	begin := time.Now()
	_, counts, err := countPerft(ctx, s, l.Depth, f.res.Threads, &cli.Bar{})
	for _, n := range counts {
		c.Leaves += n
	}
	c.Seconds, c.Verdict = cli.Since(begin), "equal"
	if c.Leaves != c.Expected {
		c.Verdict = "differs"
	}
	return c, err
}

// asReference returns the position of a perft line in the reference generator.
func asReference(a *family.App, l perft.Line, s game.State) (game.State, error) {
	g, err := a.Open(l.ID, l.Rules)
	if err != nil {
		return nil, err
	}
	ref, err := a.Reference(g)
	if err != nil {
		return nil, err
	}
	return ref.Parse(s.String())
}

// shorten cuts a text to n bytes for a table.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:n-1] + "…"
}
