// Package mnk holds the laboratory's commands on m,n,k-games: four searches side by side, and
// printed values computed again.
package mnk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/command"
	"perfectplay/game/mnk/player"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
)

// reproRecord is a board of a published row, or of the tournament, with its proved value.
type reproRecord struct {
	Row       string `json:"row"` // name of the published row, or tournament
	Game      string `json:"game"`
	Published string `json:"published_value"` // printed value for the first player; empty if there is none
	finding
	Source string `json:"source"`
}

// finding is the proved result of a board.
type finding struct {
	Value   game.Value  `json:"value"`   // proved value for the first player
	Verdict string      `json:"verdict"` // equal, differs, erratum, new, open or not run
	Proof   string      `json:"proof"`   // search, pairing of the plane, or why there is no proof
	Nodes   uint64      `json:"nodes"`
	Seconds cli.Seconds `json:"seconds"`
}

// tournamentRow is the row of boards that the tournament was played on.
const tournamentRow = "tournament"

// The limits of the first attempt at each board; the few boards that need more require --max-positions 0.
const (
	quickNodes  = 12_000_000
	smallNodes  = 200_000
	smallMemory = 4 << 20
)

type reproFlags struct {
	out   cli.Output
	res   cli.Resources
	cells int
	each  time.Duration
	most  uint64
}

// Repro returns the command lab repro mnk.
func Repro(a *family.App) *cobra.Command {
	var f reproFlags
	cmd := &cobra.Command{
		Use:   "mnk",
		Short: "prove the published values of m,n,k-games",
		Long: `mnk proves the value of every board of at most 49 cells whose value was published,
and of the boards of the tournament, and prints both values side by side. Nothing is
looked up. A row of many boards is summed up in
the text; --csv and --json print every board. With --max-positions 0 also boards that take
more than a few seconds, 8,8,5 among them with eight minutes, and boards that
nobody else has published, such as 16,4,4.`,
		Example: `  lab repro mnk
  lab repro mnk --max-positions 0 --csv -o values.csv`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.out.Flags(cmd)
	f.res.Flags(cmd)
	cli.Before(cmd, func() error { return f.res.Resolve(cmd, cli.ProgramMemory+prove.MinMemory, command.DefaultTable) })
	fl := cmd.Flags()
	fl.IntVar(&f.cells, "cells", 0, "prove boards of at most `N` cells, at most 64 (default: families up to 49, and every single board)")
	cli.Number(cmd, &f.most, "max-positions", quickNodes, "leave out boards that take more than `N` positions or a few seconds; 0 leaves out none")
	fl.DurationVar(&f.each, "time", 10*time.Minute, "give up a single board after this `TIME`")
	cli.Rules(cmd, cli.Within("cells", 1, 64), cli.AtLeast("max-positions", 0), cli.AtLeast("time", 1))
	return cmd
}

func (f *reproFlags) all() bool { return f.most == 0 }

func (f *reproFlags) run(a *family.App, cmd *cobra.Command) error {
	list := reproBoards(f.cells, f.all())
	defer f.res.LimitHeapBeside(f.res.TableBesideGarbage(prove.MinMemory))()
	return cli.Run(&f.out, &a.Progress, cmd, "boards", int64(len(list)), func(ctx context.Context, bar *cli.Bar) ([]reproRecord, error) {
		return f.prove(ctx, bar, list)
	}, reproText)
}

// measuredSeconds are the times of boards of more than a second on one thread by [quickest]
// (docs/data/mnk.csv).
var measuredSeconds = map[string]float64{
	"mnk-10x10k5": 600, // still open after this time
	"mnk-8x8k5":   470, "mnk-11x4k4": 25, "mnk-16x4k4": 13, "mnk-15x4k4": 12, "mnk-10x4k4": 12, "mnk-14x4k4": 11, "mnk-13x4k4": 10,
	"mnk-12x4k4": 8.6, "mnk-9x4k4": 3.9, "mnk-8x4k4": 1.1,
}

// quickSeconds is the longest time of a board proved without --max-positions 0.
const quickSeconds = 5

// quickest returns the method that proves a board with the least work, by measurement: a win on
// a long strip needs few quiet moves, which Deepening tries first; draws need none of its rounds.
func quickest(g *mnk.Game) prove.Method {
	switch long, short := max(g.Rows(), g.Cols()), min(g.Rows(), g.Cols()); {
	case g.K() == 4 && short == 4 && long > 8:
		return prove.Deepening
	case g.K() > 4:
		return prove.Zones
	}
	return prove.Mixed
}

// firstPlayer is a printed value, first or draw, as the value for the first player;
// empty stays empty.
func firstPlayer(printed string) string {
	if printed == "first" {
		return game.Win.String()
	}
	return printed
}

// familyCells is the largest number of cells of boards of families.
const familyCells = 49

// reproBoards lists the boards to prove: the printed boards of at most cells cells. If cells is 0,
// it lists the boards of families up to familyCells cells, and all boards with a row of their own.
// If all is set, it adds the boards that are decided here and not in print.
func reproBoards(cells int, all bool) (list []reproRecord) {
	rows := mnk.PublishedValues()
	add := func(row, value, source, id string) {
		list = append(list, reproRecord{Row: row, Game: id, Published: firstPlayer(value), Source: source})
	}
	for _, p := range rows {
		boards := p.Boards(cmp.Or(cells, familyCells))
		if len(boards) == 0 && cells == 0 { // the row has a single board of more than familyCells
			boards = p.Boards(mnk.MaxSide * mnk.MaxSide)
		}
		for _, b := range boards {
			add(p.String(), p.Value, p.Source, mnk.ID(b[0], b[1], b[2]))
		}
	}
	for _, g := range mnk.Tournament() {
		if cells > 0 && g.Cells() > cells {
			continue
		}
		var says mnk.Published
		for _, p := range rows {
			if p.Names(g.Rows(), g.Cols(), g.K()) {
				says = p
			}
		}
		add(tournamentRow, says.Value, says.Source, g.ID())
	}
	if all && cells == 0 {
		for _, p := range mnk.ProvedValues() {
			for _, b := range p.Boards(mnk.MaxSide * mnk.MaxSide) {
				add("in no print", "", p.Source, mnk.ID(b[0], b[1], b[2]))
			}
		}
	}
	return list
}

func (f *reproFlags) prove(ctx context.Context, bar *cli.Bar, list []reproRecord) ([]reproRecord, error) {
	done, errata := map[string]finding{}, mnk.PublishedErrata()
	differ := 0
	for i := range list {
		r := &list[i]
		bar.Describe("%s", r.Game)
		bar.Set(int64(i))
		var known bool
		if r.finding, known = done[r.Game]; !known { // a board with two rows is proved once
			if err := f.find(ctx, r.Game, &r.finding); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil {
			return list[:i], ctx.Err()
		}
		done[r.Game] = r.finding
		if r.judge(errata); r.Verdict == cli.Differs {
			differ++
		}
	}
	if differ > 0 {
		return list, cli.Incomplete(fmt.Errorf("%d values differ from the published ones", differ))
	}
	return list, nil
}

func (r *reproRecord) judge(errata []mnk.Published) {
	switch {
	case r.Value == game.Unknown && r.Verdict == cli.NotRun:
	case r.Value == game.Unknown:
		r.Verdict = r.Value.String()
	case r.Published == "":
		r.Verdict = "new"
	case r.Value.String() == r.Published:
		r.Verdict = cli.Equal
	default:
		r.Verdict = cli.Differs
		g := reproBoard(r.Game)
		for _, e := range errata {
			if e.Names(g.Rows(), g.Cols(), g.K()) && firstPlayer(e.Value) == r.Value.String() {
				r.Verdict, r.Proof = "erratum", e.Source
			}
		}
	}
}

// reproBoard is the board of a record. Its game is made on demand: the games of all records take
// 120 MiB.
func reproBoard(id string) *mnk.Game {
	g, err := mnk.ByID(id)
	if err != nil {
		panic(err) // the rows are part of the program
	}
	return g
}

func (f *reproFlags) find(ctx context.Context, id string, r *finding) error {
	g := reproBoard(id)
	if !command.Searched(g) {
		if g.K() < player.PlaneK {
			r.Proof = "more than 128 cells"
			return nil
		}
		if err := command.ProvePlane(g); err != nil {
			return err
		}
		r.Value, r.Proof = game.Draw, command.PlaneProof
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, f.each)
	defer cancel()
	full := prove.Options{Memory: f.res.TableBesideGarbage(prove.MinMemory), Nodes: f.most, Threads: f.res.Threads, Method: quickest(g)}
	few := full.Nodes
	if f.all() || few > smallNodes {
		few = smallNodes
	}
	if !f.all() && measuredSeconds[g.ID()] > quickSeconds {
		r.Verdict, r.Proof = cli.NotRun, "needs --max-positions 0"
		return nil
	}
	tries := []prove.Options{{Memory: min(smallMemory, full.Memory), Nodes: few, Threads: 1}}
	if full.Nodes != few {
		tries = append(tries, full)
	}
	for _, o := range tries {
		if done, err := f.attempt(ctx, g, o, r); done || err != nil {
			return err
		}
	}
	if r.Proof = "given up after " + f.each.String(); !f.all() {
		r.Verdict, r.Proof = cli.NotRun, "needs --max-positions 0"
	}
	return nil
}

// attempt proves a board within limits and reports whether it is decided.
func (f *reproFlags) attempt(ctx context.Context, g *mnk.Game, o prove.Options, r *finding) (done bool, err error) {
	p, err := prove.New(g, o)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	v, result := p.Value(ctx)
	r.Nodes += result.Nodes
	r.Seconds += cli.Seconds(result.Elapsed)
	if v == game.Unknown {
		return false, nil
	}
	r.Value, r.Proof = v, "search"
	return true, nil
}

// reproText sums up each row, and lists the differences and the tournament.
func reproText(w io.Writer, records []reproRecord) {
	sums := cli.NewTable("published", "value", ">boards", ">equal", ">not", ">nodes", ">time", "source")
	var rest, tournament []reproRecord
	for len(records) > 0 {
		row, n, equal, sum := records[0], 0, 0, finding{}
		for ; n < len(records) && records[n].Row == row.Row; n++ {
			r := records[n]
			sum.Nodes += r.Nodes
			sum.Seconds += r.Seconds
			switch {
			case r.Row == tournamentRow:
				tournament = append(tournament, r)
			case r.Verdict == cli.Equal:
				equal++
			default:
				rest = append(rest, r)
			}
		}
		if row.Row != tournamentRow {
			sums.Row(row.Row, row.Published, n, equal, n-equal, sum.Nodes, sum.Seconds, row.Source)
		}
		records = records[n:]
	}
	sums.Write(w)
	for i, list := range [][]reproRecord{rest, tournament} {
		if len(list) > 0 {
			fmt.Fprintln(w)
			cli.Grid[reproRecord]([]string{"not equal", tournamentRow}[i]+"=game", "published=published_value?", "proved=value?", "verdict", "proof", "nodes", "time=seconds")(w, list)
		}
	}
}
