package command

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies/tiles"
	"perfectplay/game/halma/picture"
	"perfectplay/game/halma/tablebase"
	"perfectplay/game/halma/tablebase/verify"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/internal/files"
	"perfectplay/solve"
)

// probeFlags are the flags of solve probe.
type probeFlags struct {
	family.Flags
	job   cli.Job
	table string
	game  string
	limit int
	svg   string
}

// probeRecord is what solve probe says about a position.
type probeRecord struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Seat     string `json:"seat"` // to move
	family.Worth
	// Source is table, or search with the horizon in Limit: then a draw says
	// that nobody can force anything within it.
	Source string   `json:"source"`
	Limit  *int     `json:"limit"`
	Moves  moveList `json:"moves"`
	Line   []string `json:"line"` // best play, as long as it is known

	state game.State // for people
}

func newProbeCommand(a *family.App) *cobra.Command {
	var f probeFlags
	cmd := &cobra.Command{
		Use:   "probe --table FILE [POSITION...]",
		Short: "look positions up in a table: values, distances, all moves, best play",
		Long: `probe prints what a table knows of positions: the value for the seat to move, the
plies to the end, every legal move with its worth, best first, and a line of best
play. Without POSITION it reads one position a line from standard input; start
is the start position.

Without --table it searches: name the game with --game and the horizon with
--limit. The answer says so.`,
		Example: `  solve probe --table halma-5x5p3.sturtevant.distances start
  solve probe --game halma-star37-2p --rules house --limit 9 start
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
	fl.StringVar(&f.game, "game", "", "`GAME` to search without a table")
	fl.IntVarP(&f.limit, "limit", "l", 8, "without a table: horizon of `L` plies")
	fl.StringVar(&f.svg, "svg", "", "draw the POSITION and the worth of its moves to `FILE`")
	return cmd
}

// run probes positions.
func (f *probeFlags) run(cmd *cobra.Command, args []string) error {
	if err := cli.Exclusive(cmd, "table", "game"); err != nil {
		return err
	}
	if f.table == "" && f.game == "" {
		return cli.Usagef("missing --table, or --game to search")
	}
	if f.limit < 1 || f.limit > solve.MaxLimit {
		return cli.Usagef("--limit %d: want 1 to %d plies", f.limit, solve.MaxLimit)
	}
	if f.svg != "" && len(args) != 1 {
		return cli.Usagef("--svg draws one POSITION")
	}
	if err := files.Writable("the picture", f.svg); f.svg != "" && err != nil {
		return err
	}
	if err := f.job.Resolve(cmd, solve.MinMemory, 0); err != nil {
		return err
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
		ask = func(s game.State) (probeRecord, error) { return f.probeSearch(cmd, g, s) }
		if _, ok := g.(*halma.Game); f.svg != "" && !ok {
			return cli.Usagef("--svg draws Chinese Checkers only, not %s", g.ID())
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "no table: searching %d plies deep\n", f.limit)
	}
	one := func(s game.State, put func(probeRecord) error) error {
		r, err := ask(s)
		if err != nil {
			return err
		}
		r.state = s
		if f.svg != "" {
			if err := r.draw(g.(*halma.Game).Board(), f.svg); err != nil {
				return err
			}
		}
		return put(r)
	}
	return cli.Stream(&f.job.Output, cmd, func(w io.Writer, r probeRecord) error { return r.write(w) }, func(put func(probeRecord) error) error {
		return eachPosition(cmd, g, args, func(s game.State) error { return one(s, put) })
	})
}

// eachPosition calls one for the positions of the arguments, or without any for
// those of standard input, one a line.
func eachPosition(cmd *cobra.Command, g game.Game, args []string, one func(game.State) error) error {
	for _, text := range args {
		s, err := family.Parse(g, text)
		if err != nil {
			return cli.Usage(err)
		}
		if err := one(s); err != nil {
			return err
		}
	}
	if len(args) > 0 {
		return nil
	}
	lines := bufio.NewScanner(cmd.InOrStdin())
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		s, err := family.Parse(g, text)
		if err == nil {
			err = one(s)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

// openTable opens a table and its game, within memory bytes. It refuses a table of
// another board than it says, and flags that say otherwise.
func openTable(cmd *cobra.Command, rules, file string, memory uint64) (t *tablebase.Table, g *halma.Game, err error) {
	t, err = tablebase.Open(file, memory, func(info tablebase.Info) (err error) {
		if cmd.Flags().Changed("rules") && rules != info.Rules {
			if info.Choices == "" && halma.FormerRules(rules) == info.Rules {
				return cli.Usagef("--rules %s: the table is of %s under rules %s, which were called %s when it was written",
					rules, info.Game, info.Rules, rules)
			}
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
	r.Worth = family.NewWorth(v, d)
	if !distances {
		r.Worth = family.NewWorth(v, -1)
	}
	if r.Moves, err = judgeMoves(s, distances, value); err != nil {
		return r, err
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

// probeSearch searches where there is no table.
func (f *probeFlags) probeSearch(cmd *cobra.Command, g game.Game, s game.State) (probeRecord, error) {
	r := probeRecord{Game: g.ID(), Rules: g.Rules(), Position: s.String(), Seat: g.SeatName(s.Seat()), Source: "search", Limit: &f.limit}
	if s.Result() != game.Ongoing {
		v := game.Draw
		if winner, ok := s.Result().Winner(); ok {
			v = game.Loss
			if winner == s.Seat() {
				v = game.Win
			}
		}
		r.Worth = family.NewWorth(v, 0)
		return r, nil
	}
	report, err := solve.Run(cmd.Context(), g, s, solve.Options{Limit: f.limit, Scope: solve.OpeningsOnly, Threads: f.job.Threads, Memory: int64(f.job.Mem)})
	if err != nil {
		return r, err
	}
	if err := cmd.Context().Err(); err != nil {
		return r, err
	}
	r.Worth, r.Line = family.NewWorth(report.Whole.Value, report.Whole.Distance), append([]string{}, report.Line...)
	for _, o := range report.Openings {
		r.Moves = append(r.Moves, moveRecord{o.Name, family.NewWorth(o.Value, o.Distance)})
	}
	bestFirst(r.Moves)
	return r, nil
}

// draw draws the position and what its moves are worth.
func (r *probeRecord) draw(b *halma.Board, name string) error {
	var moves []picture.Move
	for _, m := range r.Moves {
		distance := 0
		if m.Distance != nil {
			distance = *m.Distance
		}
		moves = append(moves, picture.Move{Text: m.Move, Value: m.Value, Distance: distance})
	}
	drawn, err := picture.SVG(b, r.Position, moves)
	if err != nil {
		return err
	}
	return files.Write(name, func(w io.Writer) error {
		_, err := w.Write(drawn)
		return err
	})
}

// write prints the record for people.
func (r probeRecord) write(w io.Writer) error {
	fmt.Fprintln(w, r.Position)
	if d, ok := r.state.(game.Drawer); ok {
		fmt.Fprintln(w, d.Picture())
	}
	fmt.Fprintf(w, "seat %s to move: %s", r.Seat, r.Worth)
	if r.Source == "search" {
		fmt.Fprintf(w, " (no table: searched %d plies deep)", *r.Limit)
	}
	fmt.Fprintln(w)
	if len(r.Moves) == 0 {
		_, err := fmt.Fprintln(w, "the game is over")
		return err
	}
	if err := writeMoves(w, r.Moves); err != nil {
		return err
	}
	if len(r.Line) > 1 {
		fmt.Fprintln(w, "best play:", strings.Join(r.Line, " "))
	}
	_, err := fmt.Fprintln(w)
	return err
}
