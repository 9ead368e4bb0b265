package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/internal/files"
	"perfectplay/internal/plot"
)

// strongFlags are the flags of solve strong.
type strongFlags struct {
	family.Flags
	res        cli.Resources
	output     string
	json       bool
	distances  bool
	checkpoint string
	interval   time.Duration
	resume     bool
	plan       bool
	solitaire  bool
	coalitions bool
	scratch    string
	reachable  bool
	plot       string
}

// moveRecord is a move with its worth to the player who makes it.
type moveRecord struct {
	Move     string `json:"move"`
	Result   string `json:"result"`
	Distance int    `json:"distance"` // plies to the end, this move included; 0 where unknown or drawn
}

// strongRecord is what solve strong says.
type strongRecord struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Distances bool   `json:"distances"`
	// From the start, for the first seat.
	Result   string       `json:"result"`
	Distance int          `json:"distance"`
	Openings []moveRecord `json:"openings"`
	// Over all positions from the mover's side.
	Positions uint64 `json:"positions"`
	Wins      uint64 `json:"wins"`
	Losses    uint64 `json:"losses"`
	Draws     uint64 `json:"draws"`
	Illegal   uint64 `json:"illegal"`
	// As published: over both seats to move, wins of the first seat.
	PublishedPositions uint64 `json:"published_positions"`
	PublishedWins      uint64 `json:"published_wins"`
	PublishedDraws     uint64 `json:"published_draws"`
	PublishedIllegal   uint64 `json:"published_illegal"`
	// Of the positions that can be reached, if asked for.
	Reachable *reachedRecord `json:"reachable,omitempty"`
	// By distance, if asked for.
	WinsIn   []uint64 `json:"wins_in,omitempty"`
	LossesIn []uint64 `json:"losses_in,omitempty"`

	Passes      int     `json:"passes"`
	Threads     int     `json:"threads"`
	Resumed     bool    `json:"resumed"` // the time is that from the checkpoint on
	Seconds     float64 `json:"seconds"`
	PerSecond   float64 `json:"positions_per_second"` // 0 if resumed
	MemoryBytes uint64  `json:"memory_bytes"`         // from the operating system
	File        string  `json:"file,omitempty"`
	Signature   string  `json:"signature,omitempty"`
}

// reachedRecord counts the positions that play from the start can lead to; those
// that differ by half a turn and the exchange of the armies are one.
type reachedRecord struct {
	Positions   uint64 `json:"positions"`
	Wins        uint64 `json:"wins"`
	Losses      uint64 `json:"losses"`
	Draws       uint64 `json:"draws"`
	LongestWin  int    `json:"longest_win"` // 0 without distances
	LongestLoss int    `json:"longest_loss"`
}

func newStrongCommand(a *family.App) *cobra.Command {
	var f strongFlags
	cmd := &cobra.Command{
		Use:   "strong GAME",
		Short: "solve a game completely: the value of every position",
		Long: `strong gives every position of a game for two players its value: won, lost, or
drawn if play can go on for ever. With --distances it also finds how many plies
the winner needs while the loser delays.

It prints the value of the start and of each opening move, how many positions
have each value, and by distance. With -o it writes a table for solve probe and
solve verify; where FILE is a directory, the table is named by its content. The
table is the same, byte for byte, for any number of threads.

For three, four or six players it prints a coalition table: what every set of
seats can force against all others, from the start; for two it does with
--coalitions, by the game's own move generator, on one thread and in 1 KiB of
--mem a position. With --solitaire one army crosses an empty board: it prints a
shortest way, with what proves that there is no shorter one, and where placements
are few counts all by moves from home.

Where --mem is too small for the table while it is made, it is kept in files in
the directory --scratch; --plan says what is needed, and about how long it takes.

With --checkpoint DIR it saves its state there from time to time and when it is
interrupted, and goes on from it with --resume.`,
		Example: `  solve strong halma-5x5p3 --rules sturtevant --distances -o .
  solve strong halma-star37-2p --rules house --distances
  solve strong halma-7x7p3 --rules sturtevant --checkpoint . --resume
  solve strong halma-star13-3p --rules liou
  solve strong halma-7x7p6 --solitaire
  solve strong halma-star121-2p --solitaire --mem 2GiB`,
		GroupID:           cli.GroupSolve,
		Args:              cli.Args("GAME"),
		ValidArgsFunction: a.CompleteGame,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.res.Flags(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.output, "output", "o", "", "write the table to `FILE`, or into a directory under its own name")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	fl.BoolVar(&f.distances, "distances", false, "find distances, too")
	fl.StringVar(&f.checkpoint, "checkpoint", "", "keep checkpoints in `DIR`")
	fl.DurationVar(&f.interval, "interval", 5*time.Minute, "`TIME` between checkpoints")
	fl.BoolVar(&f.resume, "resume", false, "go on from the checkpoint, if there is one")
	fl.StringVar(&f.scratch, "scratch", "", "`DIR` for the table while it is made, where --mem is too small for it (default: the checkpoint's, or the system's)")
	fl.StringVar(&f.plot, "plot", "", "draw wins and losses by distance to `FILE`: svg, png or pdf by its name")
	fl.BoolVar(&f.reachable, "reachable", false, "count the positions that can be reached from the start, too")
	fl.BoolVar(&f.solitaire, "solitaire", false, "one army alone: a shortest crossing")
	fl.BoolVar(&f.coalitions, "coalitions", false, "what sets of seats can force from the start, as for more than two players")
	fl.BoolVar(&f.plan, "plan", false, "say what it would take, and do nothing")
	return cmd
}

// twoArmy returns the description of a game for the two-army solver.
func twoArmy(g game.Game) (*halma.TwoArmy, error) {
	h, ok := g.(*halma.Game)
	if !ok {
		return nil, cli.Usagef("%s cannot be solved completely: only Chinese Checkers for two can", g.ID())
	}
	t, err := h.TwoArmy()
	return t, cli.Usage(err)
}

// run solves.
func (f *strongFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	if f.interval < 0 {
		return cli.Usagef("--interval %v: want a positive time", f.interval)
	}
	if f.plot != "" && !f.distances {
		return cli.Usagef("--plot needs --distances")
	}
	if f.resume && f.checkpoint == "" {
		return cli.Usagef("--resume needs --checkpoint")
	}
	g, err := f.Open(id)
	if err != nil {
		return err
	}
	if err := cli.Exclusive(cmd, "solitaire", "coalitions"); err != nil {
		return err
	}
	if f.solitaire || f.coalitions || g.Seats() > 2 {
		for _, flag := range []string{"output", "distances", "checkpoint", "plan", "reachable", "scratch", "plot"} {
			if cmd.Flags().Changed(flag) {
				return cli.Usagef("--%s is for complete solutions of two players", flag)
			}
		}
		if f.solitaire {
			return f.runSolitaire(a, cmd, g)
		}
		return f.runCoalitions(a, cmd, g)
	}
	spec, err := twoArmy(g)
	if err != nil {
		return err
	}
	o := strong.Options{Distances: f.distances, Reachable: f.reachable, Threads: f.res.Threads, Checkpoint: f.checkpoint, Interval: f.interval, Resume: f.resume}
	plan, err := strong.NewPlan(spec, o)
	if err != nil {
		return cli.Usage(err)
	}
	if f.plan {
		return f.printPlan(cmd, spec)
	}
	if err := f.res.Resolve(cmd, cli.Size(plan.Least), cli.Size(plan.Bytes)); err != nil {
		return err
	}
	o.Threads, o.Memory = f.res.Threads, uint64(f.res.Mem)
	if o.Scratch = f.scratch; o.Scratch == "" {
		o.Scratch = f.checkpoint
	}
	packers := o.Threads
	if o.Memory < plan.Bytes {
		packers = 1 // each takes megabytes, which the plan has no room for
		fmt.Fprintf(cmd.ErrOrStderr(), "working from files: %v would not need to, %v are allowed\n", cli.Size(plan.Bytes), f.res.Mem)
	}
	file, err := f.file(g)
	if err != nil {
		return err
	}
	if f.checkpoint != "" {
		if err := files.MakeDir("checkpoints", f.checkpoint); err != nil {
			return err
		}
	}
	if err := plot.Check(f.plot); err != nil {
		return err
	}
	bar := a.Progress.Start(cmd, "solving", cli.Shares)
	defer bar.Stop()
	o.Progress = func(p strong.Progress) {
		bar.Describe("pass %d, %s of %s places decided", p.Pass, cli.Count(p.Decided), cli.Count(plan.Places))
		bar.Share(p.Share)
	}
	begin := time.Now()
	solved, err := strong.Solve(cmd.Context(), spec, o)
	if errors.Is(err, context.Canceled) {
		return cli.ErrInterrupted
	}
	if err != nil {
		return err
	}
	defer solved.Close()
	elapsed := time.Since(begin)
	r := newStrongRecord(g, solved)
	if f.reachable {
		reached, err := solved.Reachable(cmd.Context())
		if errors.Is(err, context.Canceled) {
			return cli.ErrInterrupted
		}
		if err != nil {
			return err
		}
		r.Reachable = &reachedRecord{reached.Positions(), reached.Wins, reached.Losses, reached.Draws, reached.LongestWin, reached.LongestLoss}
	}
	r.Seconds = elapsed.Seconds()
	if !r.Resumed {
		r.PerSecond = float64(r.Positions) / r.Seconds
	}
	r.Threads = o.Threads
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	r.MemoryBytes = mem.Sys
	if file != "" {
		bar.Describe("writing the table")
		info, err := strong.Save(cmd.Context(), file, spec, solved, "perfectplay "+a.Program, packers)
		if errors.Is(err, context.Canceled) {
			return cli.ErrInterrupted
		}
		if err != nil {
			return err
		}
		r.File, r.Signature = file, info.Signature
	}
	if f.plot != "" {
		if err := f.draw(&r); err != nil {
			return err
		}
	}
	if f.checkpoint != "" {
		// It is of no use any more, and of no harm: the answer comes first.
		if err := strong.RemoveCheckpoint(f.checkpoint); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), err)
		}
	}
	bar.Stop()
	if f.json {
		return cli.JSON(cmd.OutOrStdout(), r)
	}
	return r.write(cmd.OutOrStdout())
}

// draw writes the plot.
func (f *strongFlags) draw(r *strongRecord) error {
	bars := func(name string, counts []uint64) plot.Bars {
		b := plot.Bars{Name: name, Start: -0.5, Width: 1}
		for _, n := range counts {
			b.Heights = append(b.Heights, float64(n))
		}
		return b
	}
	won, lost := bars("won", r.WinsIn), bars("lost", r.LossesIn)
	lost.Down = true
	return plot.Save(f.plot, plot.Panel{
		Title: fmt.Sprintf("%s, rules %s", r.Game, r.Rules), X: "plies to the end", Y: "positions",
		Bars: []plot.Bars{won, lost},
	})
}

// file returns the name of the table to write, empty for none, and refuses what
// cannot be written before the work begins.
func (f *strongFlags) file(g game.Game) (string, error) {
	if f.output == "" {
		return "", nil
	}
	name := f.output
	if stat, err := os.Stat(name); err == nil && stat.IsDir() {
		name = filepath.Join(name, tableName(g, f.distances))
	}
	return name, files.Replaceable("the table", name)
}

// tableName names a table by its content.
func tableName(g game.Game, distances bool) string {
	kind := ".wdl"
	if distances {
		kind = ".distances"
	}
	return g.ID() + "." + g.Rules() + kind
}

// newStrongRecord asks a solved game what it is worth.
func newStrongRecord(g game.Game, solved *strong.Solution) strongRecord {
	h := g.(*halma.Game)
	c := solved.Counts()
	r := strongRecord{
		Game: g.ID(), Rules: g.Rules(), Distances: solved.HasDistances(), Passes: solved.Passes, Resumed: solved.Resumed,
		Positions: c.Positions(), Wins: c.Wins, Losses: c.Losses, Draws: c.Draws, Illegal: c.Illegal,
	}
	r.PublishedPositions, r.PublishedWins, r.PublishedDraws, r.PublishedIllegal = c.Published()
	r.WinsIn, r.LossesIn = solved.Histogram()
	value := func(s game.State) (game.Value, int, error) {
		v, d := solved.Value(halma.Sides(h, s))
		return v, d, nil
	}
	s := g.Start()
	v, d, _ := value(s)
	r.Result, r.Distance = v.String(), d
	r.Openings, _ = judgeMoves(s, solved.HasDistances(), value)
	return r
}

// judgeMoves returns the moves of a position, best first.
func judgeMoves(s game.State, distances bool, value func(game.State) (game.Value, int, error)) ([]moveRecord, error) {
	var list []moveRecord
	for _, m := range s.Moves(nil) {
		text := s.MoveString(m)
		s.Make(m)
		v, d, err := value(s)
		s.Unmake()
		if err != nil {
			return nil, err
		}
		v = v.Negate()
		if v == game.Draw || !distances {
			d = 0
		} else {
			d++
		}
		list = append(list, moveRecord{text, v.String(), d})
	}
	bestFirst(list)
	return list, nil
}

// bestFirst sorts moves: wins, the fastest first, draws, losses, the slowest
// first.
func bestFirst(moves []moveRecord) {
	order := []string{game.Win.String(), game.Draw.String(), game.Loss.String()}
	slices.SortStableFunc(moves, func(a, b moveRecord) int {
		if a.Result != b.Result {
			return slices.Index(order, a.Result) - slices.Index(order, b.Result)
		}
		if a.Result == game.Win.String() {
			return a.Distance - b.Distance
		}
		return b.Distance - a.Distance
	})
}

// worth is a value and its distance for people.
func worth(result string, distance int) string {
	if distance == 0 {
		return result
	}
	return fmt.Sprintf("%s in %d", result, distance)
}

// write prints the record for people.
func (r *strongRecord) write(w io.Writer) error {
	t := cli.NewTable("", "")
	t.Row("game", r.Game+", rules "+r.Rules)
	t.Row("start", worth(r.Result, r.Distance))
	t.Row("positions", cli.Count(r.Positions).String()+" from the mover's side")
	t.Row("  won", cli.Count(r.Wins))
	t.Row("  lost", cli.Count(r.Losses))
	t.Row("  drawn", cli.Count(r.Draws))
	t.Row("  illegal", cli.Count(r.Illegal))
	t.Row("as published", fmt.Sprintf("%s positions, %s won by the first player, %s drawn, %s illegal",
		cli.Count(r.PublishedPositions), cli.Count(r.PublishedWins), cli.Count(r.PublishedDraws), cli.Count(r.PublishedIllegal)))
	if q := r.Reachable; q != nil {
		text := fmt.Sprintf("%s positions: %s won, %s lost, %s drawn", cli.Count(q.Positions), cli.Count(q.Wins), cli.Count(q.Losses), cli.Count(q.Draws))
		if q.LongestWin > 0 {
			text += fmt.Sprintf("; longest win %d plies", q.LongestWin)
		}
		t.Row("reachable", text)
	}
	elapsed := time.Duration(r.Seconds * float64(time.Second))
	speed := cli.Rate(r.Positions, elapsed) + " positions"
	if r.Resumed {
		speed = "from a checkpoint on"
	}
	t.Row("solved in", fmt.Sprintf("%s, %d passes, %d threads, %s, %s of memory", cli.Seconds(elapsed), r.Passes, r.Threads,
		speed, humanize.IBytes(r.MemoryBytes)))
	if r.File != "" {
		t.Row("table", r.File)
		t.Row("signature", r.Signature)
	}
	if err := t.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nOpening moves, best first:")
	if err := writeMoves(w, r.Openings); err != nil {
		return err
	}
	if len(r.WinsIn) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nPositions by distance in plies:")
	h := cli.NewTable(">plies", ">won", ">lost")
	for d := range r.WinsIn {
		h.Row(d, cli.Count(r.WinsIn[d]), cli.Count(r.LossesIn[d]))
	}
	return h.Write(w)
}

// writeMoves prints moves for people.
func writeMoves(w io.Writer, moves []moveRecord) error {
	t := cli.NewTable("", "")
	for _, m := range moves {
		t.Row("  "+m.Move, worth(m.Result, m.Distance))
	}
	return t.Write(w)
}
