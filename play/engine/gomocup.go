package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

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
	x, y, _ := strings.Cut(text, ",")
	if at[0], err = strconv.Atoi(strings.TrimSpace(x)); err == nil {
		at[1], err = strconv.Atoi(strings.TrimSpace(y))
	}
	if err != nil {
		return at, fmt.Errorf("%.20q: want X,Y", text)
	}
	return at, nil
}

const (
	five      = 5                                // stones in a row win in Gomocup's games
	hurry     = 20 * time.Millisecond            // time for a move that a manager wants at once
	remaining = 12                               // moves for which the time of a game must last
	unlimited = math.MaxInt32 * time.Millisecond // time left in a game without a limit
)

type stone struct {
	at  [2]int
	own bool
}

// gomocup is a conversation in Gomocup's protocol.
type gomocup struct {
	*Engine
	plane
	opened  game.Game     // the game, which becomes e.g at the first move, when the memory is known
	stones  []stone       // stones on the board, in the order of play
	asked   time.Time     // time at which the command came
	turn    time.Duration // time for a move
	left    time.Duration // time for the rest of the game, if timed
	timed   bool
	refused error // a command that was not carried out
	memory  error // why the memory cannot be set
}

// Gomocup is [Engine.Converse] in the protocol of Gomocup, in which the managers of
// five in a row (piskvork and others) speak to engines. It needs Wing.
func (e *Engine) Gomocup(ctx context.Context, in io.Reader, out io.Writer) error {
	e.halt = "end"
	b := &gomocup{Engine: e, turn: e.Budget}
	return e.converse(ctx, in, out, b.answer)
}

func (b *gomocup) answer(ctx context.Context, line string) (ended bool) {
	b.asked = time.Now()
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

// obey carries out a command; its answer may be empty.
func (b *gomocup) obey(ctx context.Context, word, rest string) (string, error) {
	var lines []string
	if strings.HasSuffix(word, "BOARD") { // or a variant of BOARD: stones follow, up to DONE
		lines = b.data(ctx)
	}
	switch word {
	case "END":
		return "", nil
	case "ABOUT":
		name, version, _ := strings.Cut(b.Program, " ")
		return fmt.Sprintf("name=%q, version=%q", name, version), nil
	case "INFO":
		b.inform(rest)
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
	stones := slices.Clone(b.stones)
	switch word {
	case "RESTART":
		b.stones = nil
		return "OK", nil
	case "BEGIN":
	case "BOARD":
		var err error
		if stones, err = setUp(lines); err != nil {
			return "", err
		}
	default:
		at, err := pair(rest)
		if err != nil {
			return "", err
		}
		if word == "TAKEBACK" {
			n := len(stones) - 1
			if n < 0 || stones[n].at != at {
				return "", fmt.Errorf("%d,%d is not the last stone", at[0], at[1])
			}
			b.stones = stones[:n]
			return "OK", nil
		}
		stones = append(stones, stone{at, word == "PLAY"})
	}
	s, err := b.state(stones)
	if err != nil {
		return "", err
	}
	if word != "PLAY" {
		at, err := b.move(ctx, s)
		if err != nil {
			return "", err
		}
		stones = append(stones, stone{at, true})
	}
	b.stones = stones
	at := stones[len(stones)-1].at
	return fmt.Sprintf("%d,%d", at[0], at[1]), nil
}

// data reads the lines up to DONE. It leaves END unread.
func (b *gomocup) data(ctx context.Context) (lines []string) {
	for {
		line, ok := b.next(ctx)
		line = strings.TrimSpace(line)
		switch {
		case strings.EqualFold(line, "END"):
			b.ahead = append([]string{line}, b.ahead...)
			return lines
		case !ok || strings.EqualFold(line, "DONE"):
			return lines
		case line != "":
			lines = append(lines, line)
		}
	}
}

// setUp reads the stones of a position, ours with 1 and the other's with 2.
func setUp(lines []string) (stones []stone, err error) {
	for _, line := range lines {
		cut := strings.LastIndex(line, ",")
		who := strings.TrimSpace(line[cut+1:])
		if cut < 0 || who != "1" && who != "2" {
			return nil, fmt.Errorf("%.20q: want X,Y,1 or X,Y,2", line)
		}
		at, err := pair(line[:cut])
		if err != nil {
			return nil, err
		}
		stones = append(stones, stone{at, who == "1"})
	}
	return stones, nil
}

// inform records a manager's setting and sends no answer. It skips unknown settings.
func (b *gomocup) inform(text string) {
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
		b.timed, b.left = ms < unlimited, ms
	case "max_memory":
		if n > 0 && b.Memory != nil {
			b.memory = b.Memory(n)
		}
	case "rule":
		b.refused = nil
		if n != 0 {
			b.refused = fmt.Errorf("rule %d: only rule 0, in which five or more in a row win, is played", n)
		}
	}
}

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
	b.opened, b.stones = g, nil
	return "OK", nil
}

// state returns a state with stones on the board in which we are to move. If the sides have not
// taken turns, as in positions set up by people, it adds stones far from all others.
func (b *gomocup) state(stones []stone) (game.State, error) {
	taken := map[[2]int]bool{}
	var sides [2][][2]int // our side's and the other's
	add := func(side int, at [2]int) {
		taken[at] = true
		sides[side] = append(sides[side], at)
	}
	for _, st := range stones {
		switch {
		case b.cell[st.at] == "":
			return nil, fmt.Errorf("%d,%d is not on the board", st.at[0], st.at[1])
		case taken[st.at]:
			return nil, fmt.Errorf("%d,%d is taken", st.at[0], st.at[1])
		}
		if st.own {
			add(0, st.at)
		} else {
			add(1, st.at)
		}
	}
	for more := len(sides[1]) - len(sides[0]); more != 0 && more != 1; more = len(sides[1]) - len(sides[0]) {
		at, ok := b.farthest(taken)
		if !ok {
			return nil, errors.New("one side has too many stones, and no cell is free to even them out")
		}
		if more > 0 {
			add(0, at)
		} else {
			add(1, at)
		}
	}
	if len(sides[1]) > len(sides[0]) {
		sides[0], sides[1] = sides[1], sides[0]
	}
	s := b.opened.Start()
	for i := range len(sides[0]) + len(sides[1]) {
		if s.Result() != game.Ongoing {
			break
		}
		m, err := s.ParseMove(b.cell[sides[i%2][i/2]])
		if err != nil {
			return nil, err
		}
		s.Make(m)
	}
	return s, nil
}

// farthest returns the free cell farthest from all taken cells; false if only one cell is free.
func (b *gomocup) farthest(taken map[[2]int]bool) (best [2]int, ok bool) {
	far := -1
	for at := range b.cell {
		if taken[at] {
			continue
		}
		near := math.MaxInt
		for other := range taken {
			near = min(near, max(abs(at[0]-other[0]), abs(at[1]-other[1])))
		}
		if near > far || near == far && slices.Compare(at[:], best[:]) < 0 {
			best, far = at, near
		}
	}
	return best, len(b.cell)-len(taken) > 1
}

func abs(n int) int { return max(n, -n) }

// move chooses a move and explains it.
func (b *gomocup) move(ctx context.Context, s game.State) (at [2]int, err error) {
	switch {
	case cmp.Or(b.refused, b.memory) != nil:
		return at, cmp.Or(b.refused, b.memory)
	case s.Result() != game.Ongoing:
		return at, errors.New("the game is over")
	}
	if b.g == nil || b.g.ID() != b.opened.ID() {
		if err := b.seat(ctx, b.opened, b.Player); err != nil {
			return at, err
		}
	}
	use := b.turn
	if b.timed {
		use = min(use, max(b.left/remaining, hurry))
	}
	use = max(use-time.Since(b.asked), time.Millisecond)
	c, err := b.clock("BEGIN", []string{use.Round(time.Millisecond).String()})
	if err != nil {
		return at, err
	}
	b.c = game.NewCourse(b.g, s)
	name, err := b.choose(ctx, false, c)
	if err != nil {
		return at, err
	}
	fmt.Fprintf(b.out, "MESSAGE %s\n", b.note)
	return b.at[name], nil
}
