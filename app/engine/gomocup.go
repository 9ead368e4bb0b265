package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"perfectplay/app/player"
	"perfectplay/game"
	"perfectplay/game/wing"
)

// plane names the cells of a game by their column and row from 0, as Gomocup does.
type plane struct {
	cell map[[2]int]string
	at   map[string][2]int
}

func newPlane(w wing.Wing, g game.Game) plane {
	p := plane{map[[2]int]string{}, map[string][2]int{}}
	for _, c := range w.Board(g).Cells {
		at := [2]int{int(c.X), int(c.Y)}
		p.cell[at], p.at[c.Name] = c.Name, at
	}
	return p
}

// pair reads X,Y.
func pair(text string) (at [2]int, err error) {
	x, y, ok := strings.Cut(text, ",")
	if ok {
		if at[0], err = strconv.Atoi(strings.TrimSpace(x)); err == nil {
			at[1], err = strconv.Atoi(strings.TrimSpace(y))
		}
	}
	if !ok || err != nil {
		return at, fmt.Errorf("%.20q: want X,Y", text)
	}
	return at, nil
}

// five is the number of stones in a row that win in Gomocup's games.
const five = 5

// gomocup is a conversation in Gomocup's protocol.
type gomocup struct {
	*Engine
	plane
	opened  game.Game // not e.g before somebody thinks: then the memory is known
	made    []string
	turn    time.Duration // for a move
	left    time.Duration // for all moves that are left, if timed
	timed   bool
	refused error // what was asked for and is not played
}

// Gomocup is [Engine.Converse] in the protocol of Gomocup, in which the managers of
// five in a row (piskvork and others) speak to engines. It needs Wing.
func (e *Engine) Gomocup(ctx context.Context, in io.Reader, out io.Writer) error {
	e.halt = "end"
	b := &gomocup{Engine: e, turn: e.Budget}
	return e.converse(ctx, in, out, b.answer)
}

// hurry is the time for a move if a manager asks for one as soon as possible.
const hurry = 20 * time.Millisecond

// remaining is for how many moves more the time of a game is kept.
const remaining = 12

// answer answers a line.
func (b *gomocup) answer(ctx context.Context, line string) (ended bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if word == "" {
		return false
	}
	text, err := b.obey(ctx, strings.ToUpper(word), strings.TrimSpace(rest))
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, errUnknown):
		fmt.Fprintf(b.out, "UNKNOWN command %.40q\n", word)
	case err != nil:
		fmt.Fprintf(b.out, "ERROR %s\n", strings.Join(strings.Fields(err.Error()), " "))
	case text != "":
		fmt.Fprintln(b.out, text)
	}
	return strings.EqualFold(word, "END")
}

var errUnknown = errors.New("unknown command")

// obey carries a command out; its answer is empty where none is wanted.
func (b *gomocup) obey(ctx context.Context, word, rest string) (string, error) {
	switch word {
	case "END":
		return "", nil
	case "ABOUT":
		name, version, _ := strings.Cut(b.Program, " ")
		return fmt.Sprintf("name=%q, version=%q", name, version), nil
	case "INFO":
		b.info(rest)
		return "", nil
	case "START", "RECTSTART":
		size := rest
		if word == "START" {
			size += "," + rest
		}
		at, err := pair(size)
		if err != nil {
			return "", fmt.Errorf("%s %w", word, err)
		}
		return b.start(fmt.Sprintf("mnk-%dx%dk%d", at[1], at[0], five))
	case "BEGIN", "TURN", "PLAY", "BOARD", "TAKEBACK", "RESTART":
	default:
		return "", errUnknown
	}
	if b.opened == nil {
		return "", fmt.Errorf("%s before START", word)
	}
	switch word {
	case "RESTART":
		return b.start(b.opened.ID())
	case "TAKEBACK":
		return b.takeback(rest)
	case "PLAY":
		at, err := pair(rest)
		if err == nil {
			err = b.put(at)
		}
		return fmt.Sprintf("%d,%d", at[0], at[1]), err
	case "TURN":
		at, err := pair(rest)
		if err == nil {
			err = b.put(at)
		}
		if err != nil {
			return "", err
		}
	case "BOARD":
		if err := b.board(ctx); err != nil {
			return "", err
		}
	}
	return b.move(ctx)
}

// info notes what a manager tells. What it does not know it passes over.
func (b *gomocup) info(text string) {
	key, value, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil {
		return
	}
	ms := time.Duration(min(max(n, 0), 1<<40)) * time.Millisecond
	switch strings.ToLower(key) {
	case "timeout_turn":
		b.turn = max(ms, hurry)
	case "timeout_match":
		b.timed, b.left = ms > 0, ms
	case "time_left":
		if b.timed {
			b.left = ms
		}
	case "max_memory":
		if n > 0 && b.Option != nil {
			if err := b.Option("mem", strconv.FormatInt(n, 10)); err != nil {
				fmt.Fprintf(b.out, "MESSAGE %s\n", err)
			}
		}
	case "rule":
		b.refused = nil
		if n != 0 {
			b.refused = fmt.Errorf("rule %d: only rule 0, in which five or more in a row win, is played", n)
		}
	}
}

// start begins a game.
func (b *gomocup) start(id string) (string, error) {
	g, err := b.Open(id, "")
	if err != nil {
		return "", err
	}
	w, err := b.Wing(id)
	if err != nil {
		return "", err
	}
	if b.opened == nil || b.opened.ID() != id {
		b.plane = newPlane(w, g)
	}
	b.opened, b.s, b.made = g, g.Start(), nil
	return "OK", nil
}

// put makes a move for the seat to move.
func (b *gomocup) put(at [2]int) error {
	name, ok := b.cell[at]
	if !ok {
		return fmt.Errorf("%d,%d is not on the board", at[0], at[1])
	}
	if b.s.Result() != game.Ongoing {
		return errors.New("the game is over")
	}
	if err := makeAll(b.s, []string{name}); err != nil {
		return err
	}
	b.made = append(b.made, name)
	return nil
}

// takeback takes the last stone back.
func (b *gomocup) takeback(rest string) (string, error) {
	at, err := pair(rest)
	if err != nil {
		return "", err
	}
	n := len(b.made) - 1
	if n < 0 || b.at[b.made[n]] != at {
		return "", fmt.Errorf("%d,%d is not the last stone", at[0], at[1])
	}
	b.s.Unmake()
	b.made = b.made[:n]
	return "OK", nil
}

// board reads the stones of a position up to DONE, those of the seat to move with 1 and
// the other's with 2, and sets it up.
func (b *gomocup) board(ctx context.Context) error {
	var stones [2][][2]int
	var bad error
	for {
		line, ok := b.next(ctx)
		line = strings.TrimSpace(line)
		if !ok || strings.EqualFold(line, "DONE") {
			break
		}
		cut := strings.LastIndex(line, ",")
		if cut < 0 || line[cut+1:] != "1" && line[cut+1:] != "2" {
			bad = cmp.Or(bad, fmt.Errorf("%.20q: want X,Y,1 or X,Y,2", line))
			continue
		}
		at, err := pair(line[:cut])
		bad = cmp.Or(bad, err)
		who := line[cut+1] - '1'
		stones[who] = append(stones[who], at)
	}
	own, theirs := stones[0], stones[1]
	more := len(theirs) - len(own)
	if bad == nil && more != 0 && more != 1 {
		bad = fmt.Errorf("%d stones are mine and %d the other's: the sides take turns", len(own), len(theirs))
	}
	if bad != nil {
		return bad
	}
	first, second := own, theirs
	if more == 1 {
		first, second = theirs, own
	}
	b.s, b.made = b.opened.Start(), nil
	for i := range 2 * len(first) {
		from := [][][2]int{first, second}[i%2]
		if i/2 < len(from) {
			if err := b.put(from[i/2]); err != nil {
				b.s, b.made = b.opened.Start(), nil
				return err
			}
		}
	}
	return nil
}

// move chooses a move, makes it and tells it.
func (b *gomocup) move(ctx context.Context) (string, error) {
	switch {
	case b.refused != nil:
		return "", b.refused
	case b.s.Result() != game.Ongoing:
		return "", errors.New("the game is over")
	}
	if b.g == nil || b.g.ID() != b.opened.ID() {
		if err := b.seat(ctx, b.opened, b.Player); err != nil {
			return "", err
		}
	}
	use := b.turn
	if b.timed {
		use = min(use, max(b.left/remaining, hurry))
	}
	c, err := b.clock("BEGIN", []string{use.Round(time.Millisecond).String()})
	if err != nil {
		return "", err
	}
	name, err := b.choose(ctx, true, c)
	if err != nil {
		return "", err
	}
	b.made = append(b.made, name)
	fmt.Fprintf(b.out, "MESSAGE %s\n", b.note)
	return fmt.Sprintf("%d,%d", b.at[name][0], b.at[name][1]), nil
}

// brain is a process that speaks Gomocup's protocol.
type brain struct {
	*program
	plane
	w     wing.Wing
	g     game.Game
	known []int         // what stands on its board, as in [wing.Picture]
	turn  time.Duration // that it knows of
}

// StartGomocup is [Start] for a program that speaks Gomocup's protocol, and for games in
// which five stones in a row win.
func StartGomocup(ctx context.Context, name string, command []string, g game.Game, w wing.Wing) (player.Player, error) {
	var rows, cols, k int
	if _, err := fmt.Sscanf(g.ID(), "mnk-%dx%dk%d", &rows, &cols, &k); err != nil || k != five {
		return nil, fmt.Errorf("engine: %s: programs of Gomocup play five in a row, not %s", name, g.ID())
	}
	p, err := launch(ctx, name, command, "END")
	if err != nil {
		return nil, err
	}
	b := &brain{program: p, plane: newPlane(w, g), w: w, g: g, known: w.Picture(g, g.Start()).Pieces}
	begin := fmt.Sprintf("START %d", rows)
	if rows != cols {
		begin = fmt.Sprintf("RECTSTART %d,%d", cols, rows)
	}
	ready, cancel := context.WithTimeout(ctx, 6*patience)
	defer cancel()
	if err := b.agree(ready, begin); err != nil {
		return nil, errors.Join(fmt.Errorf("engine: %s: %w", name, err), p.Close())
	}
	return b, b.send("INFO rule 0", "INFO game_type 1")
}

// agree sends a command that wants OK.
func (b *brain) agree(ctx context.Context, command string) error {
	if err := b.send(command); err != nil {
		return err
	}
	text, err := b.reply(ctx, command)
	if err == nil && text != "OK" {
		err = &Fault{fmt.Sprintf("%s answered %.60q to %q: want OK", b.Name(), text, command)}
	}
	return err
}

// reply returns the next line that is no message.
func (b *brain) reply(ctx context.Context, command string) (string, error) {
	for {
		text, err := b.line(ctx, command)
		if err != nil {
			return "", err
		}
		word, rest, _ := strings.Cut(text, " ")
		switch strings.ToUpper(word) {
		case "", "MESSAGE", "DEBUG", "SUGGEST":
		case "ERROR", "UNKNOWN":
			return "", &Fault{fmt.Sprintf("%s refused %.60q: %.200s", b.Name(), command, rest)}
		default:
			return text, nil
		}
	}
}

// Move implements [player.Player].
func (b *brain) Move(ctx context.Context, s game.State, c player.Clock) (choice player.Choice, err error) {
	if turn := cmp.Or(c.Time, time.Minute); turn != b.turn {
		if err := b.send(fmt.Sprintf("INFO timeout_turn %d", turn.Milliseconds())); err != nil {
			return choice, err
		}
		b.turn = turn
	}
	now := b.w.Picture(b.g, s).Pieces
	command, err := b.tell(ctx, s.Seat(), now)
	if err != nil {
		return choice, err
	}
	b.known = nil // until it has answered
	text, err := b.reply(ctx, command)
	if err != nil {
		return choice, err
	}
	at, err := pair(text)
	if err == nil {
		choice.Move, err = s.ParseMove(cmp.Or(b.cell[at], text))
	}
	if err != nil {
		return choice, &Fault{fmt.Sprintf("%s answered %.60q: %v", b.Name(), text, err)}
	}
	for i, cell := range b.w.Board(b.g).Cells {
		if cell.Name == b.cell[at] {
			now[i] = s.Seat()
		}
	}
	b.known = now
	return choice, nil
}

// tell tells of a position in which seat is to move: the other's stone if that is all
// that is new, else all stones. It returns the command that is to be answered.
func (b *brain) tell(ctx context.Context, seat int, now []int) (command string, err error) {
	cells := b.w.Board(b.g).Cells
	var stones []string
	var fresh []int
	for i, who := range now {
		at := b.at[cells[i].Name]
		if who >= 0 {
			mine := 1
			if who != seat {
				mine = 2
			}
			stones = append(stones, fmt.Sprintf("%d,%d,%d", at[0], at[1], mine))
		}
		if b.known != nil && b.known[i] != who {
			fresh = append(fresh, i)
		}
	}
	switch {
	case len(stones) == 0 && b.known != nil && len(fresh) == 0:
		return "BEGIN", b.send("BEGIN")
	case len(stones) > 1 && len(fresh) == 1 && b.known[fresh[0]] < 0 && now[fresh[0]] == 1-seat:
		at := b.at[cells[fresh[0]].Name]
		command = fmt.Sprintf("TURN %d,%d", at[0], at[1])
		return command, b.send(command)
	}
	if err := b.agree(ctx, "RESTART"); err != nil {
		return "", err
	}
	if len(stones) == 0 {
		return "BEGIN", b.send("BEGIN")
	}
	return "BOARD", b.send(append(append([]string{"BOARD"}, stones...), "DONE")...)
}
