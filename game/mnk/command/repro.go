package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// mnkReproRecord is a board of a published row, or of the tournament, with the
// value that is proved.
type mnkReproRecord struct {
	Row       string  `json:"row"` // of the published values, or tournament
	Game      string  `json:"game"`
	Published string  `json:"published"` // empty where no one is quoted
	Proved    string  `json:"proved"`
	Verdict   string  `json:"verdict"` // equal, differs, erratum, new, open or skipped
	Proof     string  `json:"proof"`   // search, pairing of the plane, or why there is none
	Nodes     uint64  `json:"nodes"`
	Seconds   float64 `json:"seconds"`
	Sampled   int     `json:"sampled"` // games that the checker played against the proof
	Source    string  `json:"source"`
}

// mnkTournament is the row of boards that the tournament was played on.
const mnkTournament = "tournament"

// What the first attempt at each board may cost; the boards that need more are
// few, and wait for --all.
const (
	mnkQuickNodes  = 6_000_000
	mnkSmallNodes  = 200_000
	mnkSmallMemory = 4 << 20
)

type mnkReproFlags struct {
	out    cli.Output
	res    cli.Resources
	all    bool
	cells  int
	sample int
	limit  time.Duration
	nodes  uint64
}

func newMnkReproCommand(a *family.App) *cobra.Command {
	var f mnkReproFlags
	cmd := &cobra.Command{
		Use:   "mnk",
		Short: "prove the published values of m,n,k-games",
		Long: `mnk proves the value of every board of at most --cells cells that a row of the
published values speaks of, and of the boards of the tournament, and prints both
values side by side. Nothing is looked up. A row of many boards is summed up in
the text; --csv and --json print every board. With --all also boards that take
more than a few seconds.`,
		Example: `  solve repro mnk
  solve repro mnk --all --sample 100 --csv -o values.csv`,
		Args: cli.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.out.Flags(cmd)
	f.res.Flags(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&f.all, "all", false, "also boards that take more than a few seconds")
	fl.IntVar(&f.cells, "cells", 49, "prove the boards of families up to `N` cells, at most 64")
	fl.IntVar(&f.sample, "sample", 0, "play `N` games against each proof with the independent checker")
	fl.Uint64Var(&f.nodes, "nodes", mnkQuickNodes, "skip a board that takes more than `N` nodes, unless --all")
	fl.DurationVar(&f.limit, "limit", 10*time.Minute, "give a board up after this time")
	return cmd
}

func (f *mnkReproFlags) run(a *family.App, cmd *cobra.Command) error {
	if err := f.out.Check(); err != nil {
		return err
	}
	if err := f.res.Resolve(cmd, prove.MinMemory, mnkTable); err != nil {
		return err
	}
	switch {
	case f.cells < 1 || f.cells > 64:
		return cli.Usagef("--cells %d: want 1 to 64", f.cells)
	case f.sample < 0:
		return cli.Usagef("--sample %d: want at least 0", f.sample)
	case f.nodes == 0:
		return cli.Usagef("--nodes 0: want at least 1")
	case f.limit <= 0:
		return cli.Usagef("--limit %v: want more than 0", f.limit)
	}
	records, err := f.prove(a, cmd)
	if err != nil {
		return err
	}
	err = cli.Records(&f.out, cmd, records, func(w io.Writer) error { return mnkReproText(w, records) })
	differ := 0
	for _, r := range records {
		if r.Verdict == "differs" {
			differ++
		}
	}
	switch {
	case err != nil:
		return err
	case cmd.Context().Err() != nil:
		return cli.ErrInterrupted
	case differ > 0:
		return fmt.Errorf("repro: %d values differ from the published ones", differ)
	}
	return nil
}

// mnkReproBoards lists what is to be proved.
func mnkReproBoards(cells int) (list []mnkReproRecord, games []*mnk.Game, err error) {
	rows := mnk.PublishedValues()
	add := func(row string, p mnk.Published, g *mnk.Game) {
		list = append(list, mnkReproRecord{Row: row, Game: g.ID(), Published: p.Value, Source: p.Source})
		games = append(games, g)
	}
	for _, p := range rows {
		boards := p.Boards(cells)
		if len(boards) == 0 { // one board, which is larger
			boards = p.Boards(mnk.MaxSide * mnk.MaxSide)
		}
		for _, b := range boards {
			g, err := mnk.New(b[0], b[1], b[2])
			if err != nil {
				return nil, nil, err
			}
			add(p.String(), p, g)
		}
	}
	for _, g := range mnk.Tournament() {
		var says mnk.Published
		for _, p := range rows {
			if p.Names(g.Rows(), g.Cols(), g.K()) {
				says = p
			}
		}
		add(mnkTournament, says, g)
	}
	return list, games, nil
}

func (f *mnkReproFlags) prove(a *family.App, cmd *cobra.Command) ([]mnkReproRecord, error) {
	list, games, err := mnkReproBoards(f.cells)
	if err != nil {
		return nil, err
	}
	errata := mnk.PublishedErrata()
	bar := a.Progress.Start(cmd, "boards", int64(len(list)))
	defer bar.Stop()
	done := map[string]*mnkReproRecord{}
	for i := range list {
		r, g := &list[i], games[i]
		bar.Describe("%s", g.ID())
		bar.Set(int64(i))
		if before := done[r.Game]; before != nil { // a board of two rows
			r.Proved, r.Verdict, r.Proof, r.Nodes, r.Seconds, r.Sampled = before.Proved, before.Verdict, before.Proof, before.Nodes, before.Seconds, before.Sampled
		} else if err := f.board(cmd.Context(), g, r); err != nil {
			return nil, err
		}
		if cmd.Context().Err() != nil {
			return list[:i], nil
		}
		done[r.Game] = r
		r.judge(g, errata)
	}
	return list, nil
}

// judge compares the values.
func (r *mnkReproRecord) judge(g *mnk.Game, errata []mnk.Published) {
	switch {
	case r.Proved == "" && r.Verdict == "skipped":
	case r.Proved == "":
		r.Verdict = "open"
	case r.Published == "":
		r.Verdict = "new"
	case r.Proved == r.Published:
		r.Verdict = "equal"
	default:
		r.Verdict = "differs"
		for _, e := range errata {
			if e.Names(g.Rows(), g.Cols(), g.K()) && e.Value == r.Proved {
				r.Verdict, r.Proof = "erratum", e.Source
			}
		}
	}
}

// board proves one board.
func (f *mnkReproFlags) board(ctx context.Context, g *mnk.Game, r *mnkReproRecord) error {
	if g.Lines() == nil {
		if g.K() < player.PlaneK {
			r.Proof = "more than 64 cells"
			return nil
		}
		if err := mnkPlane(g); err != nil {
			return err
		}
		r.Proved, r.Proof = "draw", mnkPlaneProof
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, f.limit)
	defer cancel()
	tries := []prove.Options{
		{Memory: min(mnkSmallMemory, int64(f.res.Mem)), Nodes: min(mnkSmallNodes, f.nodes), Threads: 1},
		{Memory: int64(f.res.Mem), Nodes: f.nodes, Threads: f.res.Threads},
	}
	if f.all {
		tries[1].Nodes = 0
	}
	for i, o := range tries {
		if i == 1 && !f.all && f.nodes <= mnkSmallNodes {
			break
		}
		done, err := f.attempt(ctx, g, o, r)
		if done || err != nil {
			return err
		}
	}
	if r.Proof = "given up after " + f.limit.String(); !f.all {
		r.Verdict, r.Proof = "skipped", "needs --all"
	}
	return nil
}

// attempt proves a board within limits and reports whether it is decided.
func (f *mnkReproFlags) attempt(ctx context.Context, g *mnk.Game, o prove.Options, r *mnkReproRecord) (done bool, err error) {
	p, err := prove.New(g, o)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	v, result := p.Value(ctx)
	r.Nodes += result.Nodes
	r.Seconds += result.Elapsed.Seconds()
	if v == game.Unknown {
		return false, nil
	}
	r.Proved, r.Proof = mnkValues[v], "search"
	if f.sample == 0 {
		return true, nil
	}
	claim := prove.Claim{Attacker: 0, Win: v == game.Win}
	_, err = prove.Sample(ctx, g, claim, p.Solver(ctx, claim), f.sample, newSeededRand())
	switch {
	case ctx.Err() != nil: // proved, but the limit leaves no time to check it
	case err != nil:
		return true, fmt.Errorf("%s: %w", g.ID(), err)
	default:
		r.Sampled = f.sample
	}
	return true, nil
}

// mnkReproText sums up each row, and lists the tournament and what is not equal.
func mnkReproText(w io.Writer, records []mnkReproRecord) error {
	second := float64(time.Second)
	sums := cli.NewTable("published", "value", ">boards", ">equal", ">not", ">nodes", ">time", "source")
	var total float64
	var rest []mnkReproRecord
	for i := 0; i < len(records); {
		first, n, equal, nodes, seconds := records[i], 0, 0, uint64(0), 0.0
		for ; i < len(records) && records[i].Row == first.Row; i++ {
			r := records[i]
			n++
			nodes += r.Nodes
			seconds += r.Seconds
			if r.Verdict == "equal" {
				equal++
			} else if r.Row != mnkTournament {
				rest = append(rest, r)
			}
		}
		total += seconds
		if first.Row != mnkTournament {
			sums.Row(first.Row, first.Published, n, equal, n-equal, cli.Count(nodes), cli.Seconds(time.Duration(seconds*second)), first.Source)
		}
	}
	if err := sums.Write(w); err != nil {
		return err
	}
	list := func(title string, keep func(mnkReproRecord) bool, records []mnkReproRecord) error {
		t := cli.NewTable(title, "published", "proved", "verdict", "proof", ">nodes", ">time")
		n := 0
		for _, r := range records {
			if keep(r) {
				n++
				t.Row(r.Game, r.Published, r.Proved, r.Verdict, r.Proof, cli.Count(r.Nodes), cli.Seconds(time.Duration(r.Seconds*second)))
			}
		}
		if n == 0 {
			return nil
		}
		fmt.Fprintln(w)
		return t.Write(w)
	}
	if err := list("not equal", func(mnkReproRecord) bool { return true }, rest); err != nil {
		return err
	}
	return list(mnkTournament, func(r mnkReproRecord) bool { return r.Row == mnkTournament }, records)
}
