package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/play/player"
)

// brain is a process that speaks Gomocup's protocol.
type brain struct {
	*program
	plane
	w     wing.Wing
	g     game.Game
	run   func(limit context.Context) error // starts the process, also again after its end
	known []int                             // stones on its board, as in [wing.Picture]; nil if unknown
	turn  time.Duration                     // time for a move
	asked int                               // number of ABOUT commands without an answer so far
	deaf  bool                              // the program never answers ABOUT
}

// StartGomocup is [Start] for a program that speaks Gomocup's protocol, and for games in
// which five stones in a row win.
func StartGomocup(ctx context.Context, name string, command []string, g game.Game, w wing.Wing, ready time.Duration) (player.Player, error) {
	var rows, cols, k int
	if _, err := fmt.Sscanf(g.ID(), "mnk-%dx%dk%d", &rows, &cols, &k); err != nil || k != five {
		return nil, fmt.Errorf("engine: %s: programs of Gomocup play five in a row, not %s", name, g.ID())
	}
	b := &brain{plane: newPlane(w, g), w: w, g: g}
	begin := fmt.Sprintf("START %d", rows)
	if rows != cols {
		begin = fmt.Sprintf("RECTSTART %d,%d", cols, rows)
	}
	b.run = func(limit context.Context) error {
		p, err := launch(ctx, name, command, "END")
		if err != nil {
			return err
		}
		b.program = p
		b.known, b.asked = w.Picture(g, g.Start()).Pieces, 0
		if _, err := b.start(limit, ready, func(ctx context.Context) (string, error) { return "", b.agree(ctx, begin) }); err != nil {
			return err
		}
		return b.send("INFO rule 0", "INFO game_type 1", "INFO timeout_match 0")
	}
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

// agree sends a command that wants OK.
func (b *brain) agree(ctx context.Context, command string) error {
	if err := b.send(command); err != nil {
		return err
	}
	text, err := b.reply(ctx, command)
	if word, _, _ := strings.Cut(text, " "); err == nil && !strings.EqualFold(word, "OK") {
		err = &Fault{Why: fmt.Sprintf("%s answered %.60q to %q: want OK", b.name, text, command)}
	}
	return err
}

// refused is the fault of a program that does not obey a command.
type refused struct {
	Fault
	unknown bool // the program calls the command unknown
}

// Unwrap returns the [*Fault].
func (r *refused) Unwrap() error { return &r.Fault }

// reply returns the next line that answers a command. It accepts the program's suggestions.
func (b *brain) reply(ctx context.Context, command string) (string, error) {
	for {
		text, err := b.line(ctx, command)
		if err != nil {
			return "", err
		}
		word, rest, _ := strings.Cut(text, " ")
		switch word = strings.ToUpper(word); word {
		case "", "MESSAGE", "DEBUG":
			continue
		case "SUGGEST":
			if err := b.send("PLAY " + strings.TrimSpace(rest)); err != nil {
				return "", err
			}
			continue
		case "ERROR", "UNKNOWN":
			return "", &refused{Fault{Why: fmt.Sprintf("%s refused %.60q: %.200s", b.name, command, rest)}, word == "UNKNOWN"}
		}
		if _, err := pair(text); err != nil && word != "OK" && b.asked > 0 {
			b.asked-- // the line answers an ABOUT
			continue
		}
		return text, nil
	}
}

// ready waits until the program listens, and sends it its time.
func (b *brain) ready(ctx context.Context) error {
	if err := b.listen(ctx); err != nil {
		return err
	}
	return b.send(fmt.Sprintf("INFO timeout_turn %d", b.turn.Milliseconds()), "INFO time_left 2147483647")
}

// listen waits until the program reads its input: some drop commands that come in the first
// moments after their move. For a quarter of the time of a move, a second at most, it sends
// ABOUT again and again, which nearly all programs answer.
func (b *brain) listen(ctx context.Context) error {
	const first, longest = 4 * time.Millisecond, 128 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, min(b.turn/4, patience))
	defer cancel()
	for wait := first; !b.deaf; wait = min(2*wait, longest) {
		if err := b.send("ABOUT"); err != nil {
			return err
		}
		b.asked++
		heard, err := b.within(ctx, wait)
		if heard || err != nil {
			return err
		}
		b.deaf = ctx.Err() != nil
	}
	_, err := b.within(ctx, 4*first)
	return err
}

// within reports whether the program answers anything within a time.
func (b *brain) within(ctx context.Context, wait time.Duration) (bool, error) {
	enough := time.NewTimer(wait)
	defer enough.Stop()
	for {
		select {
		case line, ok := <-b.lines:
			switch word, _, _ := strings.Cut(strings.TrimSpace(line), " "); {
			case !ok && ctx.Err() != nil:
				return false, nil // the context has ended, too: the next question for a move reports it
			case !ok:
				return false, b.gone()
			case word != "" && !strings.EqualFold(word, "MESSAGE") && !strings.EqualFold(word, "DEBUG"):
				b.asked--
				return true, nil
			}
		case <-enough.C:
			return false, nil
		case <-ctx.Done():
			return false, nil
		}
	}
}

// Move implements [player.Player].
func (b *brain) Move(ctx context.Context, s game.State, c player.Clock) (choice player.Choice, err error) {
	ctx, cancel := within(ctx, c)
	defer cancel()
	b.turn = cmp.Or(c.Time, time.Minute)
	now := b.w.Picture(b.g, s).Pieces
	text, command := "", ""
	for range 2 { // try twice: a program that calls a command unknown may not have listened
		if command, err = b.tell(ctx, s.Seat(), now); err != nil {
			return choice, err
		}
		b.known = nil // unknown until the program has answered
		text, err = b.reply(ctx, command)
		if not := new(refused); !errors.As(err, &not) || !not.unknown {
			break
		}
	}
	if err != nil {
		return choice, err
	}
	at, err := pair(text)
	if err == nil {
		choice.Move, err = s.ParseMove(cmp.Or(b.cell[at], text))
	}
	if err != nil {
		return choice, &Fault{Why: fmt.Sprintf("%s answered %.60q: %v", b.name, text, err)}
	}
	for i, cell := range b.w.Board(b.g).Cells {
		if cell.Name == b.cell[at] {
			now[i] = s.Seat()
		}
	}
	b.known = now
	return choice, nil
}

// tell sends a position with seat to move. If the only new stone is one of the other side, it sends
// this stone; else it empties the board and sends all stones. It returns the command that wants an
// answer.
func (b *brain) tell(ctx context.Context, seat int, now []int) (command string, err error) {
	if err := b.ready(ctx); err != nil {
		return "", err
	}
	cells := b.w.Board(b.g).Cells
	var stones []string
	fresh, empty := []int(nil), b.known != nil
	for i, who := range now {
		at := b.at[cells[i].Name]
		if who >= 0 {
			mine := 1
			if who != seat {
				mine = 2
			}
			stones = append(stones, fmt.Sprintf("%d,%d,%d", at[0], at[1], mine))
		}
		if b.known != nil {
			empty = empty && b.known[i] < 0
			if b.known[i] != who {
				fresh = append(fresh, i)
			}
		}
	}
	if len(stones) > 1 && len(fresh) == 1 && b.known[fresh[0]] < 0 && now[fresh[0]] == 1-seat {
		at := b.at[cells[fresh[0]].Name]
		command = fmt.Sprintf("TURN %d,%d", at[0], at[1])
		return command, b.send(command)
	}
	if !empty {
		if err := b.clear(ctx); err != nil {
			return "", err
		}
		if err := b.ready(ctx); err != nil {
			return "", err
		}
	}
	if len(stones) == 0 {
		return "BEGIN", b.send("BEGIN")
	}
	return "BOARD", b.send(append(append([]string{"BOARD"}, stones...), "DONE")...)
}

// clear empties the program's board. A program that cannot is ended and started again.
func (b *brain) clear(ctx context.Context) error {
	err := b.agree(ctx, "RESTART")
	if not := new(refused); !errors.As(err, &not) {
		return err
	}
	if err := b.Close(); err != nil {
		return err
	}
	return b.run(ctx)
}
