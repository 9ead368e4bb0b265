package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/perft"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/host"
)

// The move generators in records.
const (
	fastGenerator      = "bitboard"
	referenceGenerator = "mailbox"
)

const maxPerft = 1000

type perftRecord struct {
	Game      string      `json:"game"`
	Rules     string      `json:"rules"`
	Position  string      `json:"position"`
	Generator string      `json:"generator"`
	Depth     int         `json:"depth"`
	Move      string      `json:"move"` // the first move; empty in the row of all moves
	Leaves    uint64      `json:"leaves"`
	Seconds   cli.Seconds `json:"seconds"`
}

type perftFlags struct {
	family.Flags
	out       cli.Output
	res       cli.Resources
	at        family.At
	depth     int
	reference bool
	compare   bool
	divide    bool
	file      string
	most      uint64
}

func newPerftCommand(a *family.App) *cobra.Command {
	var f perftFlags
	cmd := &cobra.Command{
		Use:   "perft GAME --depth D | perft --file FILE",
		Short: "count move sequences; check the move generators against each other",
		Long: `perft counts the sequences of legal turns to a depth. Move generators are
compared by such counts: those of different programs, and the two of this one,
bitboard and mailbox.

  perft GAME --depth D       count, by default with the fast generator
  perft GAME --depth D --check   count with both, and fail if they differ
  perft --file FILE          check the counts of a file, one a line:
                             id rules position depth count source`,
		Example: `  lab perft halma-star121-6p --depth 3 --divide
  lab perft --file game/halma/testdata/star37.perft`,
		GroupID: cli.GroupCheck,
		Args:    cli.Args("[GAME]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			if f.file != "" {
				return f.runFile(a, cmd)
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
	f.at.Flags(cmd)
	cli.ReferenceFlag(cmd, &f.reference)
	fl.BoolVar(&f.compare, "check", false, "count with both generators and compare")
	fl.BoolVar(&f.divide, "divide", false, "count each first move apart")
	fl.StringVar(&f.file, "file", "", "check the counts of `FILE`")
	cli.Number(cmd, &f.most, "max-positions", 1_000_000_000, "with --file: leave out counts above `N`")
	cli.Rules(cmd, cli.Excludes("file", "rules", "depth", "position", "moves", "check", "divide"), cli.Needs("max-positions", "file"),
		cli.Within("depth", 0, maxPerft), cli.Excludes("reference", "check"))
	return cmd
}

func (f *perftFlags) check(cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed
	switch {
	case f.file != "" && len(args) > 0:
		return cli.Usagef("--file names the games itself; leave out %q", args[0])
	case f.file != "":
		return nil
	case len(args) == 0:
		return cli.Usagef("missing GAME")
	case !changed("depth"):
		return cli.Usagef("missing --depth")
	case f.divide && f.depth < 1:
		return cli.Usagef("--divide: want --depth 1 or more")
	}
	return nil
}

// generators are the generators to count with.
func (f *perftFlags) generators() []string {
	switch {
	case f.compare:
		return []string{fastGenerator, referenceGenerator}
	case f.reference:
		return []string{referenceGenerator}
	}
	return []string{fastGenerator}
}

func open(a *family.App, generator, id, rules string) (game.Game, error) {
	g, err := a.Open(id, rules)
	if err == nil && generator == referenceGenerator {
		return a.Reference(g)
	}
	return g, err
}

func (f *perftFlags) runCount(a *family.App, cmd *cobra.Command, id string) error {
	g, s, err := f.OpenAt(id, f.at)
	if err != nil {
		return err
	}
	generators := f.generators()
	states := make([]game.State, len(generators))
	for i, name := range generators {
		with, err := open(a, name, id, f.Rules)
		if err != nil {
			return err
		}
		if states[i], err = with.Parse(s.String()); err != nil {
			return err
		}
	}
	return cli.Run(&f.out, &a.Progress, cmd, id, cli.Shares, func(ctx context.Context, bar *cli.Bar) (records []perftRecord, err error) {
		leaves := make([]uint64, len(states))
		for i, at := range states {
			bar.Describe("%s, %s", id, generators[i])
			to := 1.0
			if i+1 < len(states) {
				to = 0.2 // the second generator is slower: it gets 80 % of the bar
			}
			bar.Part(to, cli.Shares)
			begin := time.Now()
			moves, counts, err := countPerft(ctx, at, f.depth, f.res.Threads, bar.Share)
			if err != nil {
				return nil, err
			}
			r := perftRecord{Game: g.ID(), Rules: g.Rules(), Position: s.String(), Generator: generators[i], Depth: f.depth}
			for k, n := range counts {
				leaves[i] += n
				if r.Move, r.Leaves = moves[k], n; f.divide {
					records = append(records, r)
				}
			}
			r.Move, r.Leaves, r.Seconds = "", leaves[i], cli.Since(begin)
			records = append(records, r)
		}
		if last := leaves[len(leaves)-1]; leaves[0] != last {
			err = fmt.Errorf("perft: the generators differ: %d and %d leaves at depth %d from %s", leaves[0], last, f.depth, s)
		}
		return records, cli.Incomplete(err)
	}, func(w io.Writer, records []perftRecord) {
		columns := []string{"move"}
		for _, name := range generators {
			columns = append(columns, ">"+name)
		}
		t := cli.NewTable(columns...)
		n := len(records) / len(generators) // records of each generator; the last one counts all moves
		row := func(name string, i int, cell func(r perftRecord) any) {
			cells := []any{name}
			for side := range generators {
				cells = append(cells, cell(records[side*n+i]))
			}
			t.Row(cells...)
		}
		for i := range n {
			row(cmp.Or(records[i].Move, "leaves"), i, func(r perftRecord) any { return r.Leaves })
		}
		row("time", n-1, func(r perftRecord) any { return r.Seconds })
		row("leaves/s", n-1, func(r perftRecord) any { return cli.Rate(r.Leaves, r.Seconds) })
		fmt.Fprintf(w, "%s, depth %d from %s\n", family.Title(g), f.depth, s)
		t.Write(w)
	})
}

// countPerft counts the sequences of depth turns by first move, on several threads. At depth 0
// there is one sequence without a move. progress receives the share done.
func countPerft(ctx context.Context, s game.State, depth, threads int, progress func(done float64)) (names []string, counts []uint64, err error) {
	if depth == 0 {
		return []string{""}, []uint64{1}, nil
	}
	type task struct {
		first int // index of its first move in counts
		state game.State
		depth int
	}
	var tasks []task // a task for each first move and reply
	for i, m := range s.Moves(nil) {
		names = append(names, s.MoveString(m))
		s.Make(m)
		if depth == 1 {
			tasks = append(tasks, task{i, s.Clone(), 0})
		} else {
			for _, reply := range s.Moves(nil) {
				s.Make(reply)
				tasks = append(tasks, task{i, s.Clone(), depth - 2})
				s.Unmake()
			}
		}
		s.Unmake()
	}
	counts = make([]uint64, len(names))
	var mu sync.Mutex
	done := 0
	err = host.Parallel(ctx, host.Threads(threads), len(tasks), func(_ struct{}, i int) error {
		n, err := countBelow(ctx, tasks[i].state, tasks[i].depth)
		mu.Lock()
		defer mu.Unlock()
		counts[tasks[i].first] += n
		done++
		progress(float64(done) / float64(len(tasks)))
		return err
	})
	return names, counts, err
}

// countBelow is perft.Count, but ends early if the context ends.
func countBelow(ctx context.Context, s game.State, depth int) (n uint64, err error) {
	if depth <= 3 {
		return perft.Count(s, depth), ctx.Err()
	}
	for _, m := range s.Moves(nil) {
		s.Make(m)
		below, err := countBelow(ctx, s, depth-1)
		s.Unmake()
		if n += below; err != nil {
			return n, err
		}
	}
	return n, nil
}

type perftCheck struct {
	Game     string      `json:"game"`
	Rules    string      `json:"rules"`
	Position string      `json:"position"`
	Depth    int         `json:"depth"`
	Expected uint64      `json:"published_leaves"`
	Leaves   *uint64     `json:"leaves"`  // nil if not counted
	Verdict  string      `json:"verdict"` // equal, differs or not run
	Seconds  cli.Seconds `json:"seconds"`
	Source   string      `json:"source"`
}

func (f *perftFlags) runFile(a *family.App, cmd *cobra.Command) error {
	in, err := files.Open(f.file, math.MaxInt64)
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
	var all, done uint64 // leaves of the lines that are counted
	for _, l := range lines {
		if l.Count <= f.most {
			all += l.Count
		}
	}
	return cli.Run(&f.out, &a.Progress, cmd, "counts", cli.Shares, func(ctx context.Context, bar *cli.Bar) (checks []perftCheck, err error) {
		differ := 0
		for _, l := range lines {
			bar.Describe("%s, depth %d", l.ID, l.Depth)
			c, err := f.checkLine(ctx, a, l)
			if errors.Is(err, context.Canceled) {
				return checks, err
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", f.file, l.Line, err)
			}
			if c.Verdict == cli.Differs {
				differ++
			}
			checks = append(checks, c)
			if l.Count <= f.most {
				done += l.Count
				bar.Share(float64(done) / float64(max(all, 1)))
			}
		}
		if differ > 0 {
			err = fmt.Errorf("perft: %d of %d counts of %s differ", differ, len(checks), f.file)
		}
		return checks, cli.Incomplete(err)
	}, cli.Grid[perftCheck]("game", "rules", "position=position:%.24s", "depth", "expected=published_leaves", "leaves", "verdict", "time=seconds"))
}

func (f *perftFlags) checkLine(ctx context.Context, a *family.App, l perft.Line) (perftCheck, error) {
	c := perftCheck{Game: l.ID, Rules: l.Rules, Position: l.Position, Depth: l.Depth, Expected: l.Count, Verdict: cli.NotRun, Source: l.Source}
	if l.Depth > maxPerft {
		return c, fmt.Errorf("depth %d: want 0 to %d", l.Depth, maxPerft)
	}
	if l.Count > f.most {
		return c, nil
	}
	s, err := l.Open(func(id, rules string) (game.Game, error) { return open(a, f.generators()[0], id, rules) })
	if err != nil {
		return c, err
	}
	begin := time.Now()
	_, counts, err := countPerft(ctx, s, l.Depth, f.res.Threads, func(float64) {})
	leaves := uint64(0)
	for _, n := range counts {
		leaves += n
	}
	c.Leaves, c.Seconds, c.Verdict = &leaves, cli.Since(begin), cli.Equal
	if leaves != c.Expected {
		c.Verdict = cli.Differs
	}
	return c, err
}
