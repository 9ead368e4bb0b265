package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/files"
	"perfectplay/play/explore"
	"perfectplay/play/player"
	"perfectplay/play/transcript"
)

// command is a command besides moves; its word may be shortened.
type command struct {
	name string
	args int
	do   func(ctx context.Context, args []string) (show bool, err error)
}

// obey carries out a person's command and reports whether to show the position.
func obey(ctx context.Context, t conversation, words []string) (show bool, err error) {
	if len(words) == 0 {
		return false, nil
	}
	if words[0] == "?" {
		words[0] = "help"
	}
	for _, c := range t.commands() {
		if !strings.HasPrefix(c.name, words[0]) {
			continue
		}
		switch got := len(words) - 1; {
		case got < c.args:
			return false, fmt.Errorf("%s: too few words", c.name)
		case got > c.args:
			return false, fmt.Errorf("%s: too many words", c.name)
		}
		return c.do(ctx, words[1:])
	}
	if len(words) > 1 {
		return false, fmt.Errorf("%.40q is neither a move nor a command", strings.Join(words, " "))
	}
	if err = t.move(ctx, words[0]); err == nil {
		return true, nil
	}
	n, bad := strconv.Atoi(words[0])
	switch list := t.legal(); {
	case bad != nil || len(list) == 0:
		return false, err
	case n < 1 || n > len(list):
		return false, fmt.Errorf("there are moves 1 to %d, no move %d", len(list), n)
	default:
		return true, t.move(ctx, list[n-1])
	}
}

// list lists moves with their numbers.
func list(out io.Writer, moves []string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i, m := range moves {
		switch {
		case i > 0 && i%6 == 0:
			fmt.Fprintln(w)
		case i > 0:
			fmt.Fprint(w, "\t")
		}
		fmt.Fprintf(w, "%d\t%s", i+1, m)
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// say is a command that writes a text.
func say(out io.Writer, text string) func(context.Context, []string) (bool, error) {
	return func(context.Context, []string) (bool, error) {
		_, err := io.WriteString(out, text)
		return false, err
	}
}

// again is the command that shows the position again.
func again(context.Context, []string) (bool, error) { return true, nil }

// commands lists all commands. A shortened word means the first command that begins with it.
func (t *Session) commands() []command {
	return []command{
		{"help", 0, say(t.Out, Help)}, {"hint", 0, t.hint}, {"undo", 0, t.undo}, {"moves", 0, t.moves}, {"values", 0, t.values},
		{"level", 2, t.level}, {"resign", 0, t.resign}, {"save", 1, t.save}, {"board", 0, again},
	}
}

// finished is the error of a command that needs an unfinished game.
func (t *Session) finished() error {
	if t.over() {
		return errors.New("the game is over: undo or quit")
	}
	return nil
}

func (t *Session) move(_ context.Context, text string) error {
	if err := t.finished(); err != nil {
		return err
	}
	m, err := game.ReadMove(t.c.State, text)
	if err == nil {
		t.play(m)
	}
	return err
}

func (t *Session) legal() (moves []string) {
	if t.over() {
		return nil
	}
	for _, m := range t.c.State.Moves(nil) {
		moves = append(moves, t.c.State.MoveString(m))
	}
	return moves
}

func (t *Session) hint(ctx context.Context, _ []string) (bool, error) {
	if err := t.finished(); err != nil {
		return false, err
	}
	p, err := t.player(ctx, player.Strongest)
	if err != nil {
		return false, err
	}
	var c player.Choice
	err = t.think(ctx, player.Strongest, func(ctx context.Context) (err error) {
		c, err = p.Move(ctx, t.c.State, player.Clock{Time: t.Time})
		return err
	})
	if err == nil {
		fmt.Fprintf(t.Out, "%s would play %s (%s)\n", player.Strongest, t.c.State.MoveString(c.Move), c.Note)
	}
	return false, err
}

func (t *Session) moves(context.Context, []string) (bool, error) {
	if err := t.finished(); err != nil {
		return false, err
	}
	return false, list(t.Out, t.legal())
}

// values lists the moves with their values, best first.
func (t *Session) values(ctx context.Context, _ []string) (bool, error) {
	if err := t.finished(); err != nil {
		return false, err
	}
	if t.Analyst == nil {
		return false, errors.New("values: only solve play shows them")
	}
	number := map[string]int{}
	for i, m := range t.legal() {
		number[m] = i + 1
	}
	var last *explore.Answer
	q := explore.Query{Game: t.Game.ID(), Rules: t.Game.Rules(), Position: t.c.State.String(), Seconds: t.Time.Seconds()}
	err := t.think(ctx, "the analysis", func(ctx context.Context) (err error) {
		last, err = explore.Last(ctx, t.Analyst, q, func(*explore.Answer) bool { return false })
		return err
	})
	if err != nil || last == nil {
		return false, err
	}
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	open := 0
	for _, m := range last.Moves {
		if m.Value == explore.Open {
			open++
		}
	}
	for _, m := range last.Moves {
		if m.Value != explore.Open || open <= listed {
			fmt.Fprintf(w, "%d\t%s\t%s\n", number[m.Move], m.Move, worth(&m.Worth))
		}
	}
	if open > listed {
		fmt.Fprintf(w, "%d moves are open", open)
		if last.NotWithin != nil {
			fmt.Fprintf(w, ": nothing is forced within %d plies", *last.NotWithin)
		}
		fmt.Fprintln(w)
	}
	return false, w.Flush()
}

// listed bounds the open moves listed one by one.
const listed = 20

// worth describes a value.
func worth(w *explore.Worth) string {
	text := w.String()
	if w.Winner != "" {
		text += fmt.Sprintf(", %s wins if all play for themselves", w.Winner)
	}
	return text
}

// asked reports whether a person is to move.
func (t *Session) asked() bool {
	if t.over() || t.Seats[t.c.State.Seat()] != Human {
		return false
	}
	return t.c.State.Moves(nil)[0] != game.Pass
}

// undo goes back to a person's turn.
func (t *Session) undo(context.Context, []string) (bool, error) {
	if t.closed != "" {
		t.closed = ""
		return true, nil
	}
	var undone []game.Move
	for len(t.c.Path) > 0 {
		undone = append(undone, t.c.Back())
		if t.asked() {
			t.keep()
			return true, nil
		}
	}
	for _, m := range slices.Backward(undone) {
		t.c.Play(m)
	}
	return false, errors.New("nothing to undo")
}

func (t *Session) level(_ context.Context, args []string) (bool, error) {
	names := wing.SeatNames(t.Game)
	seat := slices.Index(names, args[0])
	if seat < 0 {
		return false, fmt.Errorf("seat %.20q: the seats are %s", args[0], strings.Join(names, ", "))
	}
	if args[1] != Human {
		if err := t.Known(args[1]); err != nil {
			return false, err
		}
	}
	t.Seats[seat] = args[1]
	fmt.Fprintln(t.Out, t.who())
	return false, nil
}

// resign gives up. With two seats the other wins; with one seat the game is over. With more seats
// the game goes on, and the strongest player takes the seat.
func (t *Session) resign(context.Context, []string) (bool, error) {
	seat := t.c.State.Seat()
	name := t.Game.SeatName(seat)
	if t.over() {
		return false, errors.New("the game is over: there is nothing to resign")
	}
	switch t.Game.Seats() {
	case 1:
		t.closed, t.winner, t.ending = name+" gives up", -1, "resigned"
	case 2:
		t.closed, t.winner, t.ending = name+" resigns", 1-seat, "resigned"
	default:
		t.Seats[seat] = player.Strongest
		fmt.Fprintf(t.Out, "%s resigns: %s plays on for it, so that the others' game is not spoilt\n", name, player.Strongest)
	}
	return true, nil
}

func (t *Session) save(_ context.Context, args []string) (bool, error) {
	if _, err := os.Lstat(args[0]); err == nil {
		return false, fmt.Errorf("save: %s is there already: choose another name", args[0])
	}
	if err := t.write(args[0]); err != nil {
		return false, fmt.Errorf("save: %w", err)
	}
	fmt.Fprintf(t.Out, "saved to %s\n", args[0])
	return false, nil
}

func (t *Session) write(name string) error {
	rec := transcript.Game{ID: t.Game.ID(), Rules: t.Game.Rules(), Result: t.c.Outcome(), Moves: t.c.Names()}
	if t.From != "start" {
		rec.Position = t.From
	}
	for seat, who := range t.Seats {
		rec.Seats = append(rec.Seats, transcript.Seat{Name: t.Game.SeatName(seat), Player: who})
	}
	switch {
	case t.closed == "" && t.c.Endless():
		rec.Ending = "repetition"
	case t.closed != "":
		rec.Ending = t.ending
		switch {
		case t.winner >= 0:
			rec.Result = t.Game.SeatName(t.winner)
		case t.Game.Seats() > 1:
			rec.Result = transcript.Draw
		}
	}
	return files.Write(name, func(w io.Writer) error {
		_, err := rec.WriteTo(w)
		return err
	})
}
