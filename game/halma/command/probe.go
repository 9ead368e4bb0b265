package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/explore"
	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies/tiles"
	"perfectplay/game/halma/tablebase"
	"perfectplay/game/halma/tablebase/verify"
	"perfectplay/game/wing"
	"perfectplay/game/wing/drawing"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/solve"
)

// probeFlags are the flags of solve probe.
type probeFlags struct {
	family.Flags
	app    *family.App
	job    cli.Job
	table  string
	tables string
	book   family.Book
	game   string
	limit  int
	time   time.Duration
	moves  []string
	svg    string
}

// probeRecord is what solve probe says about a position.
type probeRecord struct {
	Game     string   `json:"game"`
	Rules    string   `json:"rules"`
	Position string   `json:"position"`
	Path     []string `json:"path"` // that led there from the position given
	Seat     string   `json:"seat"` // to move
	explore.Worth
	// Source is the kind of source; Limit the horizon of a search.
	Source string       `json:"source"`
	Limit  *int         `json:"limit"`
	Moves  family.Moves `json:"moves"`
	Line   []string     `json:"line"` // best play, as long as it is known

	text  string     // the answer in a sentence
	about string     // the source in a few words, empty where it was named
	state game.State // for people
}

func newProbeCommand(a *family.App) *cobra.Command {
	f := probeFlags{app: a}
	cmd := &cobra.Command{
		Use:   "probe --table FILE [POSITION...]",
		Short: "look positions up in a table: values, distances, moves, best play",
		Long: `probe prints what is known of positions: the value for the seat to move, the
plies to the end, every legal move with its worth and the position that it leads
to, best first, and a line of best play. Without POSITION it reads one position a
line from standard input; start is the start position. --moves are played from
each position first.

With --game instead of --table it asks whoever knows: the tables in a directory,
a solution of a small game made on the spot, the exact solver of dominoes, proofs
of m,n,k-games. What nothing knows it searches, deeper and deeper, for about a
second's work, to --limit plies or for --time; what is not decided then is open.
Without --time the work is counted in positions, not by the clock, so the answer
is the same on every machine.`,
		Example: `  solve probe --table halma-5x5p3.sturtevant.distances start
  solve probe --game halma-star37-2p --rules house --moves b1-c4 start
  solve probe --game domino start
  solve probe --game mnk-6x6k4 --json start
  solve probe --table T --json < positions`,
		GroupID:           cli.GroupSolve,
		Args:              cli.Args("[POSITION...]"),
		ValidArgsFunction: cli.Words([]string{"start"}),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Output.Flags(cmd)
	f.job.Resources.Flags(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.table, "table", "t", "", "table `FILE` made by solve strong --table")
	fl.StringVar(&f.game, "game", "", "`GAME` to ask about without naming a table")
	fl.StringVar(&f.tables, "tables", "", "ask the tables in `DIR` first (solve strong --table)")
	_ = cmd.MarkFlagDirname("tables")
	f.book.Flag(cmd)
	fl.IntVarP(&f.limit, "limit", "l", 0, "with --game: where no other source has a value, search `L` plies deep (default: as deep as the work allows)")
	fl.DurationVar(&f.time, "time", 0, "with --game: answer each position after this `TIME`, with what is known then (default: a bound on positions)")
	fl.StringSliceVar(&f.moves, "moves", nil, "`MOVES` to play from the position first, for instance b1-c4,h1-g4")
	fl.StringVar(&f.svg, "svg", "", "draw the POSITION and the worth of its moves to `FILE`")
	return cmd
}

// run probes positions.
func (f *probeFlags) run(cmd *cobra.Command, args []string) error {
	if err := cli.Exclusive(cmd, "table", "game"); err != nil {
		return err
	}
	if f.table == "" && f.game == "" {
		return cli.Usagef("missing --table, or --game to ask whoever knows")
	}
	if f.limit < 1 && cmd.Flags().Changed("limit") || f.limit > solve.MaxLimit {
		return cli.Usagef("--limit %d: want 1 to %d plies", f.limit, solve.MaxLimit)
	}
	if f.svg != "" && len(args) != 1 {
		return cli.Usagef("--svg draws one POSITION")
	}
	if f.svg != "" && !strings.EqualFold(filepath.Ext(f.svg), ".svg") {
		return cli.Usagef("--svg %q: want a name that ends in .svg", f.svg)
	}
	if err := cli.Replaceable(cmd, "the picture", f.svg, cli.BeginsWith("<svg")); err != nil {
		return err
	}
	least := cli.Size(solve.MinMemory)
	if f.game != "" {
		least = explore.MinMemory
	}
	if err := f.job.Resolve(cmd, least, 0); err != nil {
		return err
	}
	if f.time < 0 {
		return cli.Usagef("--time %v: it must not be negative", f.time)
	}
	if f.table != "" && tiles.IsTable(f.table) {
		return f.runArmies(cmd, args)
	}
	var g game.Game
	var ask func(s game.State) (probeRecord, error)
	if f.table != "" {
		t, h, err := openTable(cmd, f.Rules, f.table, uint64(f.job.Mem))
		if err != nil {
			return err
		}
		defer t.Close()
		g, ask = h, func(s game.State) (probeRecord, error) { return probeTable(h, t, s) }
	} else {
		var err error
		if g, err = f.Open(f.game); err != nil {
			return err
		}
		known, err := f.book.Open()
		if err != nil {
			return err
		}
		service, err := explore.New(explore.Options{Wings: f.app.Wings(), Tables: f.tables, Book: known, Proved: f.app.Proved(known), Memory: int64(f.job.Mem), Threads: f.job.Threads})
		if err != nil {
			return err
		}
		defer service.Close()
		ask = func(s game.State) (probeRecord, error) { return f.ask(cmd.Context(), service, s) }
	}
	one := func(s game.State, put func(probeRecord) error) error {
		at := s.Clone()
		if err := family.Play(at, f.moves); err != nil {
			return err
		}
		r, err := ask(at)
		if err != nil {
			return err
		}
		r.state, r.Path = at, append([]string{}, f.moves...)
		if f.svg != "" {
			fam, err := f.app.Find(g.ID())
			if err != nil {
				return err
			}
			if err := r.draw(fam.Wing, g, f.svg); err != nil {
				return err
			}
		}
		return put(r)
	}
	return cli.Stream(&f.job.Output, cmd, func(w io.Writer, r probeRecord) error { return r.write(w, f.app, g) }, func(put func(probeRecord) error) error {
		return family.EachPosition(cmd, g, args, func(s game.State) error { return one(s, put) })
	})
}

// openTable opens a table and its game, within memory bytes. It refuses a table of
// another board than it says, and flags that say otherwise.
func openTable(cmd *cobra.Command, rules, file string, memory uint64) (t *tablebase.Table, g *halma.Game, err error) {
	t, err = tablebase.Open(file, memory, func(info tablebase.Info) (err error) {
		if cmd.Flags().Changed("rules") && rules != info.Rules {
			return cli.Usagef("--rules %s: the table is of %s under rules %s", rules, info.Game, info.Rules)
		}
		if g, err = halma.ByID(info.Game, info.Rules); err != nil {
			return fmt.Errorf("the table's game: %w", err)
		}
		return verify.CheckBoard(g, info)
	})
	return t, g, err
}

// probeTable asks a table.
func probeTable(g *halma.Game, t *tablebase.Table, s game.State) (probeRecord, error) {
	info := t.Info()
	distances := info.Kind == tablebase.Distances
	r := probeRecord{Game: info.Game, Rules: info.Rules, Position: s.String(), Seat: g.SeatName(s.Seat()), Source: "table"}
	value := func(s game.State) (game.Value, int, error) {
		mover, other := halma.Sides(g, s)
		return t.Value(mover, other)
	}
	v, d, err := value(s)
	if err != nil {
		return r, err
	}
	if v == game.Unknown {
		return r, fmt.Errorf("position %s is illegal under rules %s", s, info.Rules)
	}
	known := func(w family.Worth) explore.Worth { return explore.NewWorth(w.Value, w.Distance) }
	whole := family.NewWorth(v, d)
	if !distances {
		whole = family.NewWorth(v, -1)
	}
	r.Worth = known(whole)
	moves, err := judgeMoves(s, distances, value)
	if err != nil {
		return r, err
	}
	for _, m := range moves {
		r.Moves = append(r.Moves, family.MoveWorth{Move: m.Move, Worth: known(m.Worth), Position: m.Position})
	}
	err = verify.Consistent(s, v, d, distances, func(s game.State) (game.Value, int) {
		v, d, _ := value(s) // judgeMoves has asked for the same
		return v, d
	})
	if err != nil {
		return r, fmt.Errorf("the table contradicts itself: %w: run solve verify", err)
	}
	if !distances || v == game.Draw {
		if len(r.Moves) > 0 {
			r.Line = []string{r.Moves[0].Move}
		}
		return r, nil
	}
	for at := s.Clone(); at.Result() == game.Ongoing; {
		moves, err := judgeMoves(at, true, value)
		if err != nil {
			return r, err
		}
		m, err := at.ParseMove(moves[0].Move)
		if err != nil {
			return r, err
		}
		r.Line = append(r.Line, moves[0].Move)
		if len(r.Line) > d {
			return r, fmt.Errorf("the table contradicts itself at %s: run solve verify", s)
		}
		at.Make(m)
	}
	return r, nil
}

// ask asks whoever knows.
func (f *probeFlags) ask(ctx context.Context, service *explore.Service, s game.State) (probeRecord, error) {
	a, err := service.Ask(ctx, explore.Query{Game: f.game, Rules: f.Rules, Position: s.String(), Limit: f.limit, Seconds: f.time.Seconds()})
	if err != nil {
		return probeRecord{}, err
	}
	r := probeRecord{
		Game: a.Game, Rules: a.Rules, Position: a.Position, Seat: a.Seat, Worth: a.Worth, Source: string(a.Source.Kind),
		Line: a.Line, text: a.Text, about: a.Source.About,
	}
	if a.Source.Kind == wing.BySearch {
		r.Limit = &a.Source.Limit
		r.about = fmt.Sprintf("no source has a value; searched %d plies deep", a.Source.Limit)
	}
	for _, m := range a.Moves {
		r.Moves = append(r.Moves, family.MoveWorth{Move: m.Move, Worth: m.Worth, Position: m.Position})
	}
	return r, nil
}

// draw draws the position and what its moves are worth.
func (r *probeRecord) draw(w wing.Wing, g game.Game, name string) error {
	var moves []drawing.Move
	for _, m := range r.Moves {
		move, err := r.state.ParseMove(m.Move)
		if err != nil {
			return err
		}
		moves = append(moves, drawing.Move{Trace: w.Trace(g, r.state, move), Value: string(m.Value), Distance: m.Distance})
	}
	drawn := drawing.SVG(w.Board(g), w.Picture(g, r.state), r.Game+": "+r.Position, moves)
	return files.Write(name, func(w io.Writer) error {
		_, err := w.Write(drawn)
		return err
	})
}

// write prints the record for people.
func (r probeRecord) write(w io.Writer, a *family.App, g game.Game) error {
	fmt.Fprintln(w, r.Position)
	a.Draw(w, g, r.state)
	if len(r.Moves) == 0 {
		_, err := fmt.Fprintln(w, cmp.Or(r.text, "the game is over"))
		return err
	}
	fmt.Fprintf(w, "seat %s to move: %s", r.Seat, r.Worth)
	if r.about != "" {
		fmt.Fprintf(w, " (%s)", r.about)
	}
	fmt.Fprintln(w)
	if err := writeProbe(w, r.Moves); err != nil {
		return err
	}
	if len(r.Line) > 1 {
		fmt.Fprintln(w, "best play:", strings.Join(r.Line, " "))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// writeProbe prints moves for people.
var writeProbe = cli.Grid[family.MoveWorth]("=move:  %s", "=Worth")
