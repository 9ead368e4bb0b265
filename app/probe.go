package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/game/wing/drawing"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/play/explore"
	"perfectplay/solve"
	"perfectplay/solve/table"
)

type probeFlags struct {
	family.Flags
	app     *family.App
	job     cli.Job
	table   string
	sources family.Sources
	game    string
	limit   int
	time    time.Duration
	moves   []string
	svg     string
}

type probeRecord struct {
	finding
	Moves family.Moves `json:"moves"`
	Line  []string     `json:"line"` // best play, as far as it is known

	text  string     // the answer in a sentence
	about string     // the source in a few words, empty if the user named it
	state game.State // for the printed text
}

func newProbeCommand(a *family.App) *cobra.Command {
	f := probeFlags{app: a}
	cmd := &cobra.Command{
		Use:   "probe GAME|FILE [POSITION...]",
		Short: "say what positions are worth: values, distances, moves, best play",
		Long: `probe prints what is known of positions: the value for the seat to move, the
plies to the end, every legal move with its worth and the position that it leads
to, best first, and a line of best play. POSITION is start unless it is given, and with -
one position a line is read from standard input. --moves are played from each
position first.

The answer comes from the table FILE made by solve strong, or, of a GAME, from the
tables in --tables, from a solution of a small game made on the spot, from the exact
solver of dominoes, or from proofs of m,n,k-games. If a file has the name GAME, probe
reads the file. Any other position is searched deeper
and deeper, for about a second's work, to --limit plies or for --time. A value
that is not decided by then is open. Without --time the work is counted in
positions, not by the clock, so the answer is the same on every machine.`,
		Example: `  solve probe halma-5x5p3.sturtevant.distances start
  solve probe halma-star37-2p --rules house --moves b1-c4 start
  solve probe domino start
  solve probe mnk-6x6k4 --json start
  solve probe T - --json < positions`,
		ValidArgsFunction: completeProbe(a),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Output.Flags(cmd)
	f.job.Resources.Flags(cmd)
	fl := cmd.Flags()
	f.sources.Flags(cmd)
	fl.IntVarP(&f.limit, "limit", "l", 0, "where no other source has a value, search `L` plies deep (default: as deep as the work allows)")
	fl.DurationVar(&f.time, "time", 0, "answer each position of GAME after this `TIME`, with what is known then (default: a bound on positions)")
	fl.StringSliceVar(&f.moves, "moves", nil, "`MOVES` to play from the position first, for instance b1-c4,h1-g4")
	fl.StringVar(&f.svg, "plot", "", "draw the POSITION and the worth of its moves to `FILE`")
	cli.Rules(cmd, cli.Within("limit", 1, solve.MaxLimit), cli.AtLeast("time", 0))
	return cmd
}

func completeProbe(a *family.App) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return cli.Words([]string{"start"})(cmd, args, word)
		}
		games, _ := a.CompleteGame(cmd, args, word)
		return games, cobra.ShellCompDirectiveDefault
	}
}

func (f *probeFlags) run(cmd *cobra.Command, args []string) error {
	if _, missing := os.Stat(args[0]); errors.Is(missing, fs.ErrNotExist) {
		f.game = args[0]
	} else {
		f.table = args[0]
	}
	args = args[1:]
	if len(args) == 0 {
		args = []string{"start"}
	}
	if f.svg != "" && len(args) != 1 {
		return cli.Usagef("--plot draws one POSITION")
	}
	if f.svg != "" && !strings.EqualFold(filepath.Ext(f.svg), ".svg") {
		return cli.Usagef("--plot %q: want a name that ends in .svg", f.svg)
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
	var g game.Game
	var ask func(s game.State) (probeRecord, error)
	if f.table != "" {
		t, err := openTable(f.app, cmd, f.Rules, f.table, uint64(f.job.Mem))
		if err != nil {
			return err
		}
		defer t.Close()
		if t.Info().Seats > 2 {
			return f.runCoalitions(cmd, t, args)
		}
		g, ask = t.Game(), func(s game.State) (probeRecord, error) { return probeTable(t, s) }
	} else {
		var err error
		if g, err = f.Open(f.game); err != nil {
			return fmt.Errorf("%w, and there is no file of this name", err)
		}
		service, err := f.sources.Service(f.app, f.job.Resources)
		if err != nil {
			return err
		}
		defer service.Close()
		ask = func(s game.State) (probeRecord, error) { return f.ask(cmd.Context(), service, s) }
	}
	return cli.Stream(&f.job.Output, cmd, func(w io.Writer, r probeRecord) { r.write(w, f.app, g) }, func(put func(probeRecord) error) error {
		return family.EachPosition(cmd, g, args, f.moves, func(s game.State) error {
			r, err := ask(s)
			if err != nil {
				return err
			}
			r.state, r.Path = s, append([]string{}, f.moves...)
			if f.svg != "" {
				if err := r.draw(f.app.Of(g).Wing, g, f.svg); err != nil {
					return err
				}
			}
			return put(r)
		})
	})
}

// probeTable asks a table of one or two seats.
func probeTable(t *table.Table, s game.State) (probeRecord, error) {
	g, info := t.Game(), t.Info()
	r := probeRecord{finding: finding{Game: info.Game, Rules: info.Rules, Position: s.String(), Seat: g.SeatName(s.Seat()), Source: wing.ByTable}}
	value := tableValue(t)
	v, d, err := value(s, 1<<s.Seat())
	switch {
	case err != nil:
		return r, err
	case v == game.Unknown:
		return r, fmt.Errorf("position %s is illegal under rules %s", s, info.Rules)
	}
	worth := family.NewWorth(v, d)
	r.Worth = explore.NewWorth(worth.Value, worth.Distance)
	moves, err := family.Judge(g, s, value)
	if err != nil {
		return r, err
	}
	for _, m := range moves {
		r.Moves = append(r.Moves, family.MoveWorth{Move: m.Move, Worth: explore.NewWorth(m.Value, m.Distance), Position: m.Position})
	}
	broken := fmt.Errorf("the table contradicts itself at %s: run solve verify", s)
	if len(moves) > 0 && (worth.Compare(moves[0].Worth) != 0 || slices.ContainsFunc(moves, func(m family.SolvedMove) bool { return m.Value == game.Unknown })) {
		return r, broken
	}
	switch {
	case len(moves) == 0:
	case v == game.Draw || !info.Distances():
		r.Line = []string{moves[0].Move}
	default:
		hero := s.Seat()
		r.Line, err = bestLine(s, hero, func(s game.State) (wing.Worth, error) {
			v, d, err := value(s, 1<<hero)
			return wing.Worth{Value: v, Distance: d}, err
		})
		if err == nil && len(r.Line) != d {
			err = broken
		}
	}
	return r, err
}

// tableValue returns the values of a table. The distance is −1 if the table has no distances.
func tableValue(t *table.Table) family.Valuer {
	info := t.Info()
	return func(s game.State, seats uint8) (game.Value, int, error) {
		v, d, err := t.Value(s, seats)
		if !info.Distances() {
			d = -1
		}
		return v, d, err
	}
}

// coalitionsProbe is the answer about a position of more than two seats.
type coalitionsProbe struct {
	Game     string   `json:"game"`
	Rules    string   `json:"rules"`
	Position string   `json:"position"`
	Path     []string `json:"path"`
	Seat     string   `json:"seat"` // the seat to move
	family.Worth
	Source string             `json:"source"`
	Sets   []solvedWorth      `json:"coalitions"`
	Moves  family.SolvedMoves `json:"moves"`

	state game.State // for the printed text
}

// solvedWorth is the value that a set of seats can force against all others.
type solvedWorth struct {
	Seats string `json:"coalition"`
	family.Worth
}

// runCoalitions probes positions of a table of more than two seats.
func (f *probeFlags) runCoalitions(cmd *cobra.Command, t *table.Table, args []string) error {
	if f.svg != "" {
		return cli.Usagef("--plot draws what moves are worth to one of two players: the table is of more")
	}
	g := t.Game()
	return cli.Stream(&f.job.Output, cmd, func(w io.Writer, r coalitionsProbe) { r.write(w, f.app, g) }, func(put func(coalitionsProbe) error) error {
		return family.EachPosition(cmd, g, args, f.moves, func(s game.State) error {
			r, err := probeCoalitions(t, s)
			if err != nil {
				return err
			}
			r.Path = append([]string{}, f.moves...)
			return put(r)
		})
	})
}

func probeCoalitions(t *table.Table, s game.State) (coalitionsProbe, error) {
	g, info := t.Game(), t.Info()
	r := coalitionsProbe{Game: g.ID(), Rules: g.Rules(), Position: s.String(), Seat: g.SeatName(s.Seat()), Source: "table", state: s}
	value := tableValue(t)
	for seats := range family.Sets(g.Seats()) {
		if seats == 1<<g.Seats()-1 && int(seats/2) >= len(info.Sets) {
			break // the table has no values for the set of all seats
		}
		v, d, err := value(s, seats)
		if err != nil {
			return r, err
		}
		set := solvedWorth{family.SetText(g, seats), family.NewWorth(v, d)}
		r.Sets = append(r.Sets, set)
		if seats == 1<<s.Seat() {
			r.Worth = set.Worth
		}
	}
	var err error
	r.Moves, err = family.Judge(g, s, value)
	return r, err
}

func (r *coalitionsProbe) write(w io.Writer, a *family.App, g game.Game) {
	fmt.Fprintln(w, r.Position)
	a.Draw(w, g, r.state)
	fmt.Fprintf(w, "seat %s to move; what sets of seats can force against all others:\n", r.Seat)
	cli.Grid[solvedWorth]("seats=coalition", "value=Worth")(w, r.Sets)
	if len(r.Moves) == 0 {
		fmt.Fprintln(w, "the game is over:", family.ResultText(g, r.state.Result()))
		return
	}
	fmt.Fprintln(w, "\nMoves, and what each seat can force alone:")
	family.WriteMoves(w, r.Moves, g)
	fmt.Fprintln(w)
}

func (f *probeFlags) ask(ctx context.Context, service *explore.Service, s game.State) (probeRecord, error) {
	a, err := service.Ask(ctx, explore.Query{Game: f.game, Rules: f.Rules, Position: s.String(), Limit: f.limit, Seconds: f.time.Seconds()})
	if err != nil {
		return probeRecord{}, err
	}
	r := probeRecord{Line: a.Line, text: a.Text, about: a.Source.About}
	if r.finding, r.Moves = newFinding(a); r.Limit != nil {
		r.about = fmt.Sprintf("searched %s deep", cli.Plural(a.Source.Limit, "ply"))
		if !r.Final {
			r.about = "nobody has proved it; " + r.about
		}
	}
	return r, nil
}

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

func (r probeRecord) write(w io.Writer, a *family.App, g game.Game) {
	fmt.Fprintln(w, r.Position)
	a.Draw(w, g, r.state)
	if len(r.Moves) == 0 {
		fmt.Fprintln(w, cmp.Or(r.text, "the game is over: "+family.ResultText(g, r.state.Result())))
		return
	}
	fmt.Fprintf(w, "seat %s to move: %s", r.Seat, r.Worth)
	if r.about != "" {
		fmt.Fprintf(w, " (%s)", r.about)
	}
	fmt.Fprintln(w)
	writeProbe(w, r.Moves)
	if len(r.Line) > 1 {
		fmt.Fprintln(w, "best play:", strings.Join(r.Line, " "))
	}
	fmt.Fprintln(w)
}

var writeProbe = cli.Grid[family.MoveWorth]("=move:  %s", "=Worth")
