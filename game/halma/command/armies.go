package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies"
	"perfectplay/internal/cli"
	"perfectplay/internal/plot"
	"perfectplay/solve/table"
)

// armiesRecord is the answer of solve strong for a game of more than two seats.
type armiesRecord struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Positions uint64 `json:"positions"` // with any seat to move
	// Value of the start, for the first seat alone against all others.
	family.Worth
	Coalitions []forcedRecord `json:"coalitions"`
	Named      []namedRecord  `json:"named,omitempty"`
	// Deciders counts, in turn order from the one to move, the positions where that seat
	// decides the winner: it cannot win alone, but with each of two others or more it can
	// force the other's win.
	Deciders []uint64       `json:"deciders,omitempty"`
	Openings []family.Alone `json:"moves"`
	Vectors  []vectorRecord `json:"vectors"`
	// Positions that play from the start can reach, from the mover's side, if asked for.
	// Those that differ by a turn of the board and of the seats count once.
	Reachable *uint64 `json:"reachable,omitempty"`

	family.Spent
	MemoryBytes cli.Size `json:"memory_bytes"` // largest resident memory
	family.Written

	Speed string `json:"-"` // for the printed text
	g     game.Game
}

// forcedRecord is the result that a set of seats can force against all others. Counts are
// over all positions, with any seat to move.
type forcedRecord struct {
	family.Forced
	// Wins by the plies to the end, from 0 on.
	WinsIn []uint64 `json:"wins_in"`
}

// namedRecord says whether a set of seats can force the win of one named member.
type namedRecord struct {
	Seats   string `json:"coalition"`
	Winner  string `json:"winner"`
	Forced  bool   `json:"forced"`   // from the start
	Plies   *int   `json:"distance"` // to the end; nil if not forced
	Longest int    `json:"longest_win"`
	Wins    uint64 `json:"wins"`
	// Wins by the plies to the end, from 0 on.
	WinsIn []uint64 `json:"wins_in"`

	Start string `json:"-"` // for the printed text
}

// vectorRecord counts positions by the result that each seat can force alone, in turn order
// from the one to move.
type vectorRecord struct {
	Alone     []game.Value `json:"alone"`
	Positions uint64       `json:"positions"`           // with any seat to move
	Reachable *uint64      `json:"reachable,omitempty"` // see armiesRecord
}

// armiesPlan forecasts the solve of a game of more than two seats.
type armiesPlan struct {
	Game      string      `json:"game"`
	Rules     string      `json:"rules"`
	Positions uint64      `json:"positions"` // from the mover's side
	Places    uint64      `json:"places"`
	Bytes     uint64      `json:"memory_bytes"`
	Least     uint64      `json:"least_memory_bytes"`
	Files     uint64      `json:"disk_bytes"`       // size of files, with the least memory
	Layers    uint64      `json:"checkpoint_bytes"` // estimate
	Seconds   cli.Seconds `json:"processor_seconds"`
	Threads   int         `json:"threads"`

	Memory, InFiles, Disk, Time string `json:"-"` // for the printed text
}

// runArmies solves a game of more than two seats.
func (f *strongFlags) runArmies(cmd *cobra.Command, g *halma.Game) error {
	if cmd.Flags().Changed("interval") {
		return cli.Usagef("--interval is for games of two: %s has %d seats", g.ID(), g.Seats())
	}
	spec, err := g.Armies()
	if err != nil {
		return cli.Usage(err)
	}
	if f.Plan {
		return f.printArmiesPlan(cmd, spec)
	}
	o := armies.Options{Named: f.named, Threads: f.Job.Threads, Work: f.Work}
	plan, err := armies.NewPlan(spec, o)
	if err != nil {
		_, positions := countPositions(g.Board().Cells(), g.Board().Pieces(), g.Seats())
		return tooLarge(g, fmt.Errorf("%s has %s positions: %w", g.ID(), cli.Magnitude(positions), err))
	}
	least := plan.Need(o)
	if total := cli.Machine(); total > 0 && cli.Size(least) > total {
		return cli.Usagef("%s under rules %s has %v positions from the mover's side: %v of memory are needed, this process may use %v",
			g.ID(), g.Rules(), cli.Count(plan.Positions), cli.Size(least), total)
	}
	if err := f.resolve(cmd, plan, o); err != nil {
		return err
	}
	if err := f.checkFiles(cmd, g, true); err != nil {
		return err
	}
	defer f.Job.LimitHeap()()
	o.Threads, o.Memory = f.Job.Threads, uint64(f.Job.Mem)
	return family.Complete(f.app, cmd, f.Strong, family.Solver[armiesRecord]{
		Whole:  plan.Bytes,
		Counts: true,
		Saved: func() (bool, error) {
			n, err := armies.Saved(f.Work, spec)
			return n > 0, err
		},
		Discard: func() error { return armies.Discard(f.Work, spec) },
		Remove:  func() error { return armies.RemoveLayers(f.Work) },
		Solve: func(ctx context.Context, bar *cli.Bar) (family.Answer[armiesRecord], error) {
			return f.solveArmies(ctx, bar, g, spec, o)
		},
		Text: (*armiesRecord).write,
	})
}

// solveArmies solves a game. Positions for a table's description are counted while it is
// written.
func (f *strongFlags) solveArmies(ctx context.Context, bar *cli.Bar, g *halma.Game, spec *halma.Armies, o armies.Options) (a family.Answer[armiesRecord], err error) {
	o.Progress = func(p armies.Progress) {
		bar.Describe("question %d of %d, ply %d", p.Step, p.Steps, p.Pass)
		bar.Share(p.Share)
	}
	s, err := armies.Solve(ctx, spec, o)
	if err != nil {
		return a, err
	}
	var reach *armies.Reach
	var census *armies.Census
	return family.Answer[armiesRecord]{
		Resumed: s.Resumed,
		Reach: func(ctx context.Context) (err error) {
			reach, err = s.Reach(ctx, o.Threads)
			return err
		},
		Save: func(ctx context.Context, name, program string, report func(done float64)) (table.Info, error) {
			census = s.Census(reach)
			info, n, from, release, err := s.Describe(program, census)
			defer release()
			if err != nil {
				return info, err
			}
			return table.Write(ctx, name, info, n, from, o.Threads, report)
		},
		Record: func(spent family.Spent, to family.Written) (*armiesRecord, error) {
			if census == nil {
				bar.Describe("counting")
				census = s.Census(reach)
				if err := census.Count(ctx, o.Threads, bar.Share); err != nil {
					return nil, err
				}
			}
			r := &armiesRecord{Game: g.ID(), Rules: g.Rules(), Spent: spent, MemoryBytes: spent.Memory, Written: to, g: g}
			if err := r.ask(g, s, census, f); err != nil {
				return nil, err
			}
			if r.Speed = spent.Speed(r.Positions); f.plot == "" {
				return r, nil
			}
			return r, f.drawArmies(r)
		},
		Close: func() { s.Close() },
	}, nil
}

// newArmiesPlan makes the plan by the solver's forecast.
func newArmiesPlan(ctx context.Context, spec *halma.Armies, o armies.Options) (armiesPlan, error) {
	o.Work = "." // plies are counted apart
	p, err := armies.NewPlan(spec, o)
	if err != nil {
		return armiesPlan{}, cli.Usage(err)
	}
	whole, err := armies.Estimate(ctx, spec, o)
	inFiles := ""
	if p.InFiles < p.Bytes {
		inFiles = fmt.Sprintf("%v of memory with --work, and %v in files", cli.Size(p.InFiles), cli.Size(p.Disk))
	}
	return armiesPlan{
		InFiles: inFiles,
		Game:    spec.ID, Rules: spec.Rules, Positions: p.Positions, Places: p.Places, Bytes: p.Bytes, Least: p.InFiles, Files: p.Disk, Layers: p.State,
		Seconds: cli.Seconds(whole), Threads: o.Threads,
		Memory: fmt.Sprintf("%v with --work, else %v", cli.Size(p.Bytes), cli.Size(p.Bytes+p.State)),
		Disk:   "about " + humanize.IBytes(p.State),
		Time:   timeText(whole, o.Threads),
	}, err
}

// printArmiesPlan prints the plan of a solve.
func (f *strongFlags) printArmiesPlan(cmd *cobra.Command, spec *halma.Armies) error {
	if err := f.Job.Resolve(cmd, 1, 0); err != nil {
		return err
	}
	if f.nodes.nodes > 0 {
		return cli.Usagef("%s: --nodes is for two seats: several machines solve no others", spec.ID)
	}
	r, err := newArmiesPlan(cmd.Context(), spec, armies.Options{Named: f.named, Threads: f.Job.Threads})
	if err != nil {
		return err
	}
	return cli.Records(&f.Job.Output, cmd, []armiesPlan{r}, cli.Fields[armiesPlan]("positions=positions:%s from the mover's side",
		"places=places:%s, of which the positions are some", "memory=Memory", "in files=InFiles?", "state=Disk", "time=Time"))
}

// ask fills the record from a solution.
func (r *armiesRecord) ask(g *halma.Game, s *armies.Solution, census *armies.Census, f *strongFlags) error {
	n := g.Seats()
	for seat := range n {
		for _, positions := range census.Vectors[s.Kind(seat)] {
			r.Positions += positions
		}
	}
	read, err := s.Reader()
	if err != nil {
		return err
	}
	defer read.Close()
	start := g.Start()
	place, err := s.Place(0, armies.Sides(g, start))
	if err != nil {
		return err
	}
	if err := r.askSets(g, s, read, place, f.named); err != nil {
		return err
	}
	r.Worth = r.Coalitions[0].Worth
	r.Openings, err = family.JudgeAlone(g, start, func(start game.State, seats uint8) (game.Value, int, error) {
		place, err := s.Place(start.Seat(), armies.Sides(g, start))
		if err != nil {
			return game.Unknown, 0, err
		}
		return read.Value(armies.Relative(seats, start.Seat(), n), place)
	})
	if err != nil {
		return err
	}
	if census.Deciders != nil {
		r.Deciders = make([]uint64, n)
		for seat := range n {
			for i, positions := range census.Deciders[s.Kind(seat)] {
				r.Deciders[i] += positions
			}
		}
	}
	for v := range census.Vectors[0] {
		count := vectorRecord{}
		for seat := range n {
			count.Positions += census.Vectors[s.Kind(seat)][v]
		}
		if count.Positions == 0 {
			continue
		}
		if f.Reachable {
			count.Reachable, r.Reachable = new(uint64), cmp.Or(r.Reachable, new(uint64))
			for _, reached := range census.Reached {
				*count.Reachable += reached[v]
			}
			*r.Reachable += *count.Reachable
		}
		for digits, i := v, 0; i < n; i, digits = i+1, digits/3 {
			count.Alone = append(count.Alone, []game.Value{game.Loss, game.Draw, game.Win}[digits%3])
		}
		r.Vectors = append(r.Vectors, count)
	}
	return nil
}

// askSets finds the results that each set of seats can force from the start at place, and over
// all positions; with named also the members whose win it can force.
func (r *armiesRecord) askSets(g *halma.Game, s *armies.Solution, read *armies.Reader, place armies.Place, named bool) error {
	n := g.Seats()
	whole := uint8(1<<n - 1)
	// Over all positions with any seat to move: by plies, and in all.
	total := func(q armies.Question) (plies []uint64, positions uint64) {
		for seat := range n {
			q := armies.Question{Ours: armies.Relative(q.Ours, seat, n), Wins: armies.Relative(q.Wins, seat, n)}
			for d, count := range s.Plies(q, s.Kind(seat)) {
				if d == len(plies) {
					plies = append(plies, 0)
				}
				plies[d] += count
				positions += count
			}
		}
		return plies, positions
	}
	for seats := range family.Sets(n) {
		c := forcedRecord{Forced: family.Forced{Seats: family.SetText(g, seats)}}
		v, d, err := read.Value(seats, place)
		if err != nil {
			return err
		}
		c.Worth = family.NewWorth(v, d)
		c.WinsIn, c.Wins = total(armies.Coalition(seats))
		c.Longest = max(len(c.WinsIn)-1, 0)
		if seats != whole {
			_, c.Losses = total(armies.Coalition(whole &^ seats))
		}
		c.Draws = r.Positions - c.Wins - c.Losses
		r.Coalitions = append(r.Coalitions, c)
		for w := 0; w < n && named && seats&(seats-1) != 0; w++ {
			if seats>>w&1 == 0 {
				continue
			}
			q := armies.Question{Ours: seats, Wins: 1 << w}
			m := namedRecord{Seats: c.Seats, Winner: g.SeatName(w), Start: "no"}
			var plies int
			if m.Forced, plies, err = read.Answer(q, place); err != nil {
				return err
			}
			if m.Forced {
				m.Start, m.Plies = fmt.Sprintf("in %d", plies), &plies
			}
			m.WinsIn, m.Wins = total(q)
			m.Longest = max(len(m.WinsIn)-1, 0)
			r.Named = append(r.Named, m)
		}
	}
	return nil
}

// drawArmies draws, for one set of seats of each size up to half of all, its forced results
// against the others by the plies to the end.
func (f *strongFlags) drawArmies(r *armiesRecord) error {
	bySeats := map[string]forcedRecord{}
	var names []string // of the seats; sets of one seat come first
	for _, c := range r.Coalitions {
		bySeats[c.Seats] = c
		if !strings.Contains(c.Seats, "+") {
			names = append(names, c.Seats)
		}
	}
	var panels []plot.Panel
	for size := 1; size <= len(names)/2; size++ {
		ours, others := strings.Join(names[:size], "+"), strings.Join(names[size:], "+")
		panels = append(panels, panel(fmt.Sprintf("%s, rules %s: %s against %s", r.Game, r.Rules, ours, others),
			"won by "+ours, "lost to "+others, bySeats[ours].WinsIn, bySeats[others].WinsIn))
	}
	return plot.Save(f.plot, panels...)
}

// armiesText is the head of the printed text.
var armiesText = cli.Fields[*armiesRecord]("game=game,rules:%s, rules %s", "positions=positions:%s, whoever is to move", "reachable=reachable:%s from the mover's side",
	"solved in=seconds,threads,Speed,memory_bytes:%s, %d threads, %s, %s of memory", "table=file?", "signature=table_signature?")

// turns names the seats from the one to move on.
var turns = []string{"to move", "2nd", "3rd", "4th", "5th", "6th"}

// maxVectors is the most rows of vectors in the printed text.
const maxVectors = 27

// write prints the record as text.
func (r *armiesRecord) write(w io.Writer) error {
	if err := armiesText(w, []*armiesRecord{r}); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nWhat sets of seats can force against all others:")
	if err := cli.Grid[forcedRecord]("seats=coalition", "start=Worth", "longest=longest_win", "won=wins", "lost=losses", "drawn=draws")(w, r.Coalitions); err != nil {
		return err
	}
	if len(r.Named) > 0 {
		fmt.Fprintln(w, "\nWhether they can force the win of one of them:")
		if err := cli.Grid[namedRecord]("seats=coalition", "winner", "start=Start", "longest=longest_win", "positions=wins")(w, r.Named); err != nil {
			return err
		}
	}
	if r.Deciders != nil {
		fmt.Fprintln(w, "\nPositions where a seat that cannot win alone decides which of two others does:")
		t := cli.NewTable("seat", ">positions")
		for i, positions := range r.Deciders {
			t.Row(turns[i], positions)
		}
		if err := t.Write(w); err != nil {
			return err
		}
	}
	fmt.Fprintln(w, "\nOpening moves, and what each seat can force alone:")
	if err := family.WriteAlone(w, r.g, r.Openings); err != nil || len(r.Vectors) > maxVectors {
		return err
	}
	fmt.Fprintln(w, "\nPositions by what each seat can force alone, from the one to move:")
	heads := append(turns[:r.g.Seats():r.g.Seats()], ">positions")
	if r.Reachable != nil {
		heads = append(heads, ">reachable")
	}
	t := cli.NewTable(heads...)
	for _, v := range r.Vectors {
		var row []any
		for _, alone := range v.Alone {
			row = append(row, alone)
		}
		if row = append(row, v.Positions); v.Reachable != nil {
			row = append(row, *v.Reachable)
		}
		t.Row(row...)
	}
	return t.Write(w)
}
