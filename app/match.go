package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/journal"
	"perfectplay/internal/parts"
	"perfectplay/play/engine"
	"perfectplay/play/match"
	"perfectplay/play/player"
	"perfectplay/play/transcript"
)

type matchFlags struct {
	family.Flags
	players
	match.Match
	out      cli.Output
	openings string
	scoring  string
	seatings string
	journal  string
	games    string
	parts    cli.Parts
	held     [][]match.Record // all games of merged parts, by pair
}

func newMatchCommand(a *family.App) *cobra.Command {
	var f matchFlags
	cmd := &cobra.Command{
		Use:   "match GAMES A B",
		Short: "measure two players by games against each other",
		Long: `match plays pairs of games between A and B, in one game or in each of several with
commas between them; tournament is the 25 boards on which the published players
met. Both games of a pair have the same opening, with the seats exchanged. A and B are players: ` + a.PlayerList() + `;
or cmd: and a program with its arguments that speaks the protocol of solve engine;
or gomocup: and one that speaks Gomocup's protocol, for five in a row.

A pair begins with some random moves, or with a line of --file FILE: a
position (or start) and moves after it, separated by blanks, or for five in a row
a line of Gomocup's lists, X,Y of each stone from the middle of the board. With more than two
seats A and B share them equally, by every division in turn, and the player of
the winning seat wins. With --seatings alone A has one seat and B the others, and each
opening is played once for every seat of A.

A game is drawn when a position comes up for the third time, or after --limit. A
player loses the game if it makes no legal move, takes longer than --time and
--grace allow, a second longer to start, or ends during the game; the record says why. While a program
that starts waits for a processor its time stands still, for ten seconds at most. Players of this
program are timed by the processor, so that a busy machine decides no game;
programs by the clock.

The difference in Elo is the one that predicts the score, if each seat wins with
odds by its player's strength. It has bounds of 95 % confidence,
from the variance between pairs. With --scoring points they get 3 points for a
win in a seat that does not begin, 2 for one in the seat that does or by the
other's error, and 1 for a draw; a game from the start counts as below theory
for the player that gets less than the value of the board, where that is known.
With --scoring points pairs have no random moves unless --opening-plies says so.
A move that is late by the clock, with little processor time, has waited for the
machine. With --journal an interrupted match continues.`,
		Example: `  solve match halma-star37-2p strongest level-4 --rules house --time 200ms
  solve match halma-star121-3p level-2 random --limit 300 --pairs 20
  solve match tournament strongest monkey --scoring points --time 1s --pairs 2
  solve match mnk-15x15k5 strongest 'cmd:./other engine' --journal games.csv`,
		ValidArgsFunction: a.CompletePlayers,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.Flags.Flags(a, cmd)
	f.out.Flags(cmd)
	f.players.Flags(a, cmd, 10*time.Second, "`TIME` for each move")
	fl := cmd.Flags()
	f.single, fl.Lookup("threads").Usage = true, "`N` threads of a player of this program (default 1)"
	fl.DurationVar(&f.Grace, "grace", 0, "`TIME` forgiven beyond --time, for busy machines")
	cli.Number(cmd, &f.Pairs, "pairs", 10, "play `N` pairs of games, or rounds")
	cli.Choice(cmd, &f.seatings, "seatings", "", []string{"alone"}, "`DIVISION` of the seats: alone, A has each seat in turn and B all others (default: every equal division in turn)")
	cli.Number(cmd, &f.Random, "opening-plies", 4, "begin each pair with `N` random moves")
	cli.Choice(cmd, &f.scoring, "scoring", "elo", []string{"elo", "points"}, "`SCORING`: elo or points")
	fl.StringVar(&f.openings, "file", "", "begin pairs with the lines of `FILE`, in turn")
	fl.IntVarP(&f.Plies, "limit", "l", 0, "end a game as a draw after `L` plies (default: never)")
	cli.SeedFlag(cmd, &f.Seed)
	fl.StringVar(&f.journal, "journal", "", "add each game to `FILE` when it ends; games it holds are not played again")
	fl.StringVar(&f.games, "save", "", "write all games to `FILE`, for solve judge")
	f.parts.Flags(cmd, a.Program, &a.Merging)
	cli.Rules(cmd, cli.AtLeast("grace", 0), cli.AtLeast("limit", 0), cli.AtLeast("pairs", 1), cli.Excludes("file", "opening-plies"),
		cli.Excludes("part", "journal", "save"))
	return cmd
}

func (f *matchFlags) run(a *family.App, cmd *cobra.Command, args []string) (err error) {
	if f.Boards, err = a.OpenAll(args[0], f.Rules); err != nil {
		return err
	}
	for _, g := range f.Boards {
		if g.Seats() < 2 {
			return cli.Usagef("%s has one seat: a match takes two players", g.ID())
		}
	}
	f.Alone = f.seatings == "alone"
	if f.scoring == "points" {
		f.Theory = func(g game.Game) game.Value { return theory(a, g) }
		if !cmd.Flags().Changed("opening-plies") {
			f.Random = 0
		}
	}
	if f.openings != "" && len(f.Boards) > 1 {
		return cli.Usagef("--file: want one game")
	}
	for i, name := range args[1:] {
		if f.Sides[i], err = f.side(a, name); err != nil {
			return err
		}
	}
	f.Move = f.time
	if err := f.readOpenings(cmd); err != nil {
		return err
	}
	var tasks []parts.Task // a task for each pair; nil for the whole match
	if f.parts.One() || f.parts.Merging() {
		if n := f.Pairs; n > parts.MostTasks/len(f.Boards) {
			return cli.Usagef("--pairs %d: a match in parts has at most %d pairs; another --seed plays others", n, parts.MostTasks/len(f.Boards))
		}
		tasks = f.tasks()
	}
	if f.parts.One() {
		return cli.RunPart(&f.parts, &f.out, &a.Progress, cmd, tasks, 1, f.Pair)
	}
	if f.held, err = cli.Merged[[]match.Record](&f.parts, cmd, tasks); err != nil {
		return err
	}
	if err := cli.Replaceable(cmd, "the games", f.games, cli.BeginsWith("game ")); err != nil {
		return err
	}
	if f.journal != "" {
		claim, err := files.Take("the journal", f.journal)
		if err != nil {
			return err
		}
		defer claim.Release()
	}
	return cli.Run(&f.out, &a.Progress, cmd, "games", int64(f.Games()), f.play, f.text)
}

func (f *matchFlags) side(a *family.App, name string) (match.Side, error) {
	if err := knownSeat(a, name); err != nil {
		return match.Side{}, cli.Usage(err)
	}
	_, words := program(name)
	var silent error // a program was never ready: later games do not wait for it
	began := false
	return match.Side{Name: name, External: words != nil, New: func(ctx context.Context, g game.Game, seed uint64) (player.Player, error) {
		if silent != nil {
			return nil, silent
		}
		p, err := f.seat(ctx, a, name, g, seed, f.time+f.Grace)
		began = began || err == nil
		if bad := new(engine.Fault); !began && errors.As(err, &bad) && bad.Late {
			silent = err
		}
		return p, err
	}}, nil
}

func (f *matchFlags) readOpenings(cmd *cobra.Command) error {
	if f.openings == "" {
		return nil
	}
	err := cli.Lines(cmd, f.openings, "openings", func(line string) error {
		text, _, _ := strings.Cut(strings.TrimPrefix(line, "\ufeff"), "#")
		words := transcript.Offsets(text, f.Boards[0].ID())
		if words == nil {
			if words = strings.Fields(text); len(words) == 0 {
				return nil
			}
			words = append(words[:1], transcript.Moves(strings.Join(words[1:], " "))...)
		}
		o := match.Opening{From: words[0], Moves: words[1:]}
		c, err := o.Course(f.Boards[0])
		if err != nil {
			return cli.Usage(err)
		}
		o.Moves = c.Names()
		f.Openings = append(f.Openings, o)
		return nil
	})
	if err == nil && len(f.Openings) == 0 {
		err = cli.Usagef("--file %s: no opening", f.openings)
	}
	return err
}

func (f *matchFlags) tasks() (tasks []parts.Task) {
	for i := range f.Pairs * len(f.Boards) {
		pair := i % f.Pairs
		name := fmt.Sprintf("%s pair %d", f.Boards[i/f.Pairs].ID(), pair+1)
		if n := len(f.Openings); n > 0 {
			o := f.Openings[pair%n]
			name += " from " + strings.Join(append([]string{o.From}, o.Moves...), " ")
		}
		tasks = append(tasks, parts.Task{Name: name, Cost: 1})
	}
	return tasks
}

func (f *matchFlags) play(ctx context.Context, bar *cli.Bar) (records []match.Record, err error) {
	var j *match.Journal
	if f.journal != "" {
		if j, err = match.Open(f.journal); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, j.Close()) }()
	}
	f.Begin = func(done int, next match.Record) {
		bar.Set(int64(done))
		bar.Describe("%s pair %d, seats %s", next.Game, next.Pair, next.Seating)
	}
	if f.held != nil {
		records = slices.Concat(f.held...)
		err = j.Fill(records)
	} else {
		records, err = f.Run(ctx, j)
	}
	switch {
	case errors.Is(err, journal.ErrOther):
		return nil, cli.Usage(fmt.Errorf("--journal %s: %w", f.journal, err))
	case f.journal != "" && errors.Is(err, context.Canceled):
		err = cli.Saved(err)
	}
	if f.games != "" && len(records) > 0 {
		err = errors.Join(err, files.Write(f.games, func(w io.Writer) error { return f.record(w, records) }))
	}
	return records, err
}

// record writes the games as text. Moves of the opening are left out: no player chose them.
func (f *matchFlags) record(w io.Writer, records []match.Record) error {
	for _, r := range records {
		moves := strings.Fields(r.Transcript)
		o := match.Opening{From: r.Position, Moves: moves[:r.OpeningPlies]}
		b := f.Boards[slices.IndexFunc(f.Boards, func(b game.Game) bool { return b.ID() == r.Game })]
		c, err := o.Course(b)
		if err != nil {
			return err
		}
		g := transcript.Game{ID: r.Game, Rules: r.Rules, Position: c.State.String(), Moves: moves[r.OpeningPlies:]}
		for seat := range b.Seats() {
			name := r.A
			if r.Seating[seat:seat+1] == match.SideB {
				name = r.B
			}
			g.Seats = append(g.Seats, transcript.Seat{Name: b.SeatName(seat), Player: name})
		}
		switch {
		case r.Winner == match.Draw:
			g.Result = transcript.Draw
		case r.WinnerSeat != "":
			g.Result = r.WinnerSeat
		}
		if r.Ending != match.ByRules {
			g.Ending = r.Note
		}
		if _, err := g.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// theory is the value of the start of a game to the seat to move, if known.
func theory(a *family.App, g game.Game) game.Value {
	var v game.Value
	if info := a.Of(g).Info; info != nil && v.UnmarshalText([]byte(info(g).Value)) == nil {
		return v
	}
	return game.Unknown
}

// text prints the results of the players, and why games did not end by the rules.
func (f *matchFlags) text(w io.Writer, records []match.Record) {
	title := fmt.Sprintf("%d boards", len(f.Boards))
	if len(f.Boards) == 1 {
		title = family.Title(f.Boards[0])
	}
	fmt.Fprintf(w, "%s, %s, %v a move\n\n", title, cli.Plural(len(records), "game"), f.Move)
	if f.scoring == "points" || len(f.Boards) > 1 {
		f.boards(w, records)
	}
	f.standing(w, records)
	endings := map[match.Ending]int{}
	for _, r := range records {
		endings[r.Ending]++
	}
	for _, e := range []match.Ending{match.ByRepetition, match.ByLength} {
		if n := endings[e]; n > 0 {
			fmt.Fprintf(w, "drawn by %s: %d\n", e, n)
		}
	}
	for _, r := range records {
		if r.Ending == match.ByTime || r.Ending == match.ByFault {
			fmt.Fprintf(w, "%s pair %d, seats %s: %s\n", r.Game, r.Pair, r.Seating, r.Note)
		}
	}
}

// boards prints a line for every board, with the result of A.
func (f *matchFlags) boards(w io.Writer, records []match.Record) {
	words := []string{"board", "first", "second"}
	if f.scoring == "points" {
		words = []string{"board", "theory", "first", "second", ">" + f.Sides[0].Name, ">" + f.Sides[1].Name, "below theory"}
	}
	t := cli.NewTable(words...)
	for from := 0; from < len(records); {
		to := from
		for to < len(records) && records[to].Game == records[from].Game {
			to++
		}
		here := match.NewStanding(records[from:to])
		cells := []any{records[from].Game, here.First, here.Later}
		if f.scoring == "points" {
			var below []string
			for i, n := range [2]int{here.BelowA, here.BelowB} {
				if n > 0 {
					below = append(below, fmt.Sprintf("%s %d", f.Sides[i].Name, n))
				}
			}
			cells = []any{records[from].Game, records[from].Theory, here.First, here.Later, here.PointsA, here.PointsB, strings.Join(below, ", ")}
		}
		t.Row(cells...)
		from = to
	}
	t.Write(w)
	fmt.Fprintln(w)
}

func (f *matchFlags) standing(w io.Writer, records []match.Record) {
	st := match.NewStanding(records)
	var longest, late, cpu [2]float64
	for i := range records {
		r := &records[i]
		longest[0], longest[1] = max(longest[0], r.AMax), max(longest[1], r.BMax)
		late[0], late[1] = max(late[0], r.ALate), max(late[1], r.BLate)
		cpu[0], cpu[1] = max(cpu[0], r.ACPU), max(cpu[1], r.BCPU)
	}
	seconds := func(s float64) cli.Seconds { return cli.Seconds(s * 1e9) }
	if f.scoring == "points" {
		t := cli.NewTable("player", ">won", ">drawn", ">lost", ">points", ">below theory", ">forfeits", ">longest move", ">late by", ">most CPU")
		t.Row(f.Sides[0].Name, st.Won, st.Drawn, st.Lost, st.PointsA, st.BelowA, st.ForfeitsA, seconds(longest[0]), seconds(late[0]), seconds(cpu[0]))
		t.Row(f.Sides[1].Name, st.Lost, st.Drawn, st.Won, st.PointsB, st.BelowB, st.ForfeitsB, seconds(longest[1]), seconds(late[1]), seconds(cpu[1]))
		t.Write(w)
		return
	}
	t := cli.NewTable("player", ">won", ">drawn", ">lost", ">score", ">forfeits", ">longest move")
	t.Row(f.Sides[0].Name, st.Won, st.Drawn, st.Lost, fmt.Sprintf("%.1f %%", 100*st.Score), st.ForfeitsA, seconds(longest[0]))
	t.Row(f.Sides[1].Name, st.Lost, st.Drawn, st.Won, fmt.Sprintf("%.1f %%", 100*(1-st.Score)), st.ForfeitsB, seconds(longest[1]))
	t.Write(w)
	if f.Alone {
		fmt.Fprintf(w, "\nequal players would score %.1f %% with one seat of %d", 100*st.Expected, f.Boards[0].Seats())
	}
	fmt.Fprintf(w, "\n%s\n", verdict(f.Sides[0].Name, f.Sides[1].Name, st))
}

// verdict names the better player and the difference, if the games show one.
func verdict(a, b string, st match.Standing) string {
	bounds := fmt.Sprintf("(95 %%: %s to %s)", eloText(st.Low, 0), eloText(st.High, 1))
	is := "may be"
	if st.Low != nil && *st.Low > 0 || st.High != nil && *st.High < 0 {
		is = "is"
	}
	switch {
	case st.Games == 0:
		return "no game was played"
	case st.Elo == nil && (st.Low == nil || *st.Low <= 0) && (st.High == nil || *st.High >= 0):
		return "too few games to say who is better"
	case st.Elo == nil && st.Score > 0:
		return fmt.Sprintf("%s won all, and is better by %s Elo or more with 95 %%", a, eloText(st.Low, 0))
	case st.Elo == nil:
		return fmt.Sprintf("%s lost all, and is worse by %s Elo or more with 95 %%", a, strings.TrimPrefix(eloText(st.High, 1), "-"))
	case math.Abs(*st.Elo) < 0.5:
		return fmt.Sprintf("%s and %s scored the same %s", a, b, bounds)
	case *st.Elo < 0:
		return fmt.Sprintf("%s %s worse than %s by %.0f Elo %s", a, is, b, -*st.Elo, bounds)
	}
	return fmt.Sprintf("%s %s better than %s by %.0f Elo %s", a, is, b, *st.Elo, bounds)
}

func eloText(d *float64, score float64) string {
	switch {
	case d != nil:
		return fmt.Sprintf("%+.0f", *d)
	case score >= 1:
		return "+inf"
	}
	return "-inf"
}
