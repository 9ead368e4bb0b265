package gametest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// heap is a game for testing the suite: two players take one to three pieces from a heap,
// and the player who takes the last wins. flaw names a promise that it breaks.
type heap struct{ flaw string }

func (h heap) ID() string          { return map[bool]string{false: "heap", true: "heap-9"}[h.flaw == "id"] }
func (heap) Rules() string         { return "" }
func (heap) Seats() int            { return 2 }
func (heap) SeatName(s int) string { return strconv.Itoa(s + 1) }
func (h heap) Start() game.State {
	if h.flaw == "shared" {
		return shared
	}
	return &heapState{h: h, left: 12}
}

// shared is returned by each Start of a flawed game.
var shared = &heapState{h: heap{"shared"}, left: 12}

func (h heap) Parse(text string) (game.State, error) {
	a, b, ok := strings.Cut(text, "-")
	left, err := strconv.Atoi(a)
	if !ok || err != nil || left < 0 || left > 12 || strconv.Itoa(left) != a || b != "0" && b != "1" {
		return nil, errors.New("heap: want pieces and seat, as 12-0")
	}
	if h.flaw == "parse" {
		left = min(left, 11)
	}
	return &heapState{h: h, left: left, seat: int(b[0] - '0')}, nil
}

// Numbers, Number and At: the number of a position is its number of pieces, whoever is to
// move.
func (h heap) Numbers() uint64 {
	if h.flaw == "numbers beyond" {
		return 1<<40 + 1
	}
	if h.flaw == "placements" {
		return 20 // 13 and more are too many for the heap
	}
	return 13
}

func (h heap) Number(s game.State) uint64 {
	n := uint64(s.(*heapState).left)
	if h.flaw == "number" && n == 7 {
		return 6
	}
	if h.flaw == "number path" && n == 7 && len(s.(*heapState).history) > 1 {
		return 6
	}
	if h.flaw == "numbers" {
		n += 13
	}
	return n
}

func (h heap) At(s game.State, n uint64) bool {
	if h.flaw == "at" && n == 8 {
		n = 7
	}
	if h.flaw == "at allocates" {
		s.(*heapState).history = make([]game.Move, 0, 8)
	}
	*s.(*heapState) = heapState{h: h, left: int(n), history: s.(*heapState).history[:0]}
	return h.flaw != "hole" || n != 5
}

// After and Before are the numbers one turn on and one turn back.
func (s *heapState) After(buf []uint64) []uint64 {
	for _, m := range s.Moves(nil) {
		buf = append(buf, uint64(s.left-int(m)))
	}
	if s.h.flaw == "after" && s.left == 4 {
		buf[0]++
	}
	return buf
}

func (s *heapState) Before(buf []uint64) []uint64 {
	for n := 1; n <= 3 && (s.left+n <= 12 || s.h.flaw == "beyond"); n++ {
		if s.h.flaw != "before" || s.left != 6 || n != 2 {
			buf = append(buf, uint64(s.left+n))
		}
	}
	if s.h.flaw == "unmove" && s.left == 5 {
		buf = append(buf, 9) // four pieces, which no move takes
	}
	return buf
}

type heapState struct {
	h       heap
	left    int
	seat    int
	history []game.Move
	noise   int
}

// fail panics at six pieces if the game's flaw is a panic in this method.
func (s *heapState) fail(method string) {
	if s.left == 6 && s.h.flaw == "panic in "+method {
		panic("planted")
	}
}

func (s *heapState) Seat() int { s.fail("Seat"); return s.seat }

func (s *heapState) Result() game.Result {
	s.fail("Result")
	if s.left > 0 || s.h.flaw == "result" && len(s.history) > 0 && s.left == 0 {
		return game.Ongoing
	}
	return game.Result(1 - s.seat)
}

func (s *heapState) Moves(buf []game.Move) []game.Move {
	s.fail("Moves")
	for s.left == 6 && (s.h.flaw == "hang" || s.h.flaw == "flood") {
		if s.h.flaw == "flood" {
			buf = append(buf, 1)
		}
	}
	if s.h.flaw == "buffer" {
		buf = buf[:0]
	}
	if s.h.flaw == "order" {
		if s.noise++; s.noise%2 == 0 && s.left > 1 {
			return append(buf, 2, 1)
		}
	}
	for n := 1; n <= min(3, s.left); n++ {
		buf = append(buf, game.Move(n))
	}
	if s.h.flaw == "twice" && s.left > 0 {
		buf = append(buf, 1)
	}
	if s.h.flaw == "path" && len(s.history) > 1 && s.left > 1 {
		buf = buf[:len(buf)-1]
	}
	if s.h.flaw == "many" && s.left == 4 {
		buf = append(buf, make([]game.Move, 1<<16)...)
	}
	if s.h.flaw == "panic" && s.left == 4 {
		panic("planted")
	}
	if s.h.flaw == "allocate" {
		buf = append([]game.Move(nil), buf...)
	}
	return buf
}

func (s *heapState) Make(m game.Move) {
	s.fail("Make")
	s.left -= int(m)
	if s.h.flaw != "seat" || s.left != 5 {
		s.seat = 1 - s.seat
	}
	if s.h.flaw != "clone" || cap(s.history) == 0 {
		s.history = append(s.history, m)
	}
}

func (s *heapState) Unmake() {
	s.fail("Unmake")
	last := len(s.history) - 1
	s.left += int(s.history[last])
	if s.h.flaw == "forgets history" && len(s.history) > 1 {
		s.history = nil // the next Unmake panics
		return
	}
	if s.h.flaw == "forgets the move" {
		s.left -= int(s.history[last])
	}
	s.history = s.history[:last]
	if s.h.flaw != "unmake" {
		s.seat = 1 - s.seat
	}
}

func (s *heapState) Clone() game.State {
	s.fail("Clone")
	if s.h.flaw == "clone" {
		return s
	}
	return &heapState{h: s.h, left: s.left, seat: s.seat}
}

func (s *heapState) String() string {
	s.fail("String")
	if s.h.flaw == "url" {
		return fmt.Sprintf("%d-%d ", s.left, s.seat)
	}
	return fmt.Sprintf("%d-%d", s.left, s.seat)
}

func (s *heapState) MoveString(m game.Move) string {
	s.fail("MoveString")
	if s.h.flaw == "move" {
		return "take"
	}
	return fmt.Sprint("take", m)
}

func (s *heapState) ParseMove(text string) (game.Move, error) {
	for _, m := range s.Moves(nil) {
		if s.MoveString(m) == text {
			return m, nil
		}
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(text, "take")); s.h.flaw == "illegal" && err == nil {
		return game.Move(n), nil
	}
	return game.NoMove, errors.New("heap: no such move")
}

func (s *heapState) KeyWords() int { return 1 }

func (s *heapState) Key(dst []uint64) uint8 {
	s.fail("Key")
	key := uint64(s.left)
	switch s.h.flaw {
	case "key":
		key /= 2
	case "long key":
		dst[1] = 0
	case "leftover":
		key |= dst[0] &^ 0xffff
		s.noise++
		key ^= uint64(s.noise) << 32
	}
	dst[0] = key
	return 0
}

func (s *heapState) NextKey(m game.Move, dst []uint64) uint8 {
	dst[0] = uint64(s.left - int(m))
	if s.h.flaw == "next key" && s.left == 6 {
		dst[0]++
	}
	return 0
}

func (s *heapState) PliesLeft() int {
	switch {
	case s.h.flaw == "plies left" && s.left == 5:
		return 6
	case s.h.flaw == "plies left once" && s.left == 1:
		return 2
	case s.h.flaw == "no plies left":
		return max(s.left-1, 0)
	case s.h.flaw == "key of plies":
		return 2*s.left + s.seat
	}
	return s.left
}

func (s *heapState) SetKey(key []uint64) {
	s.left, s.seat, s.history = int(key[0]), 0, s.history[:0]
	if s.h.flaw == "set key" && s.left == 7 {
		s.left--
	}
}

func (s *heapState) Canonical(m game.Move, _ uint8) game.Move {
	if s.h.flaw == "canonical" {
		return 1
	}
	return m
}
func (s *heapState) Actual(m game.Move, _ uint8) game.Move { return m }

func (s *heapState) CountMoves() int {
	if s.h.flaw == "count" {
		return 3
	}
	return min(3, s.left)
}

func (s *heapState) TurnsToWin(seat int) int {
	switch {
	case s.h.flaw == "race":
		return (s.left + 2) / 2
	case s.h.flaw == "lowered":
		return (s.left + 5) / 6
	case s.left > 0:
		return 1
	case seat == 1-s.seat:
		return 0
	}
	return game.NeverWins
}

func (s *heapState) MovesWithin(buf []game.Move, turns int) ([]game.Move, bool) {
	start := len(buf)
	buf = s.Moves(buf)
	switch {
	case turns > 0:
		return buf, true
	case s.left <= 3 && s.h.flaw != "within":
		return append(buf[:start], game.Move(s.left)), s.left == 1
	}
	return buf[:start], s.h.flaw == "all"
}

func (s *heapState) Gain(m game.Move) int32 {
	if s.h.flaw == "gain" {
		s.left = max(0, s.left-1)
	}
	return int32(m)
}

func (s *heapState) Wins(m game.Move) bool {
	return int(m) == s.left || s.h.flaw == "wins" && s.left > 5
}

func (s *heapState) WinningMove() game.Move {
	switch {
	case s.left > 3 && s.h.flaw == "false win":
		return 2
	case s.left < 1 || s.left > 3 || s.h.flaw == "unseen win":
		return game.NoMove
	}
	return game.Move(s.left)
}

func (s *heapState) SafeMoves(buf []game.Move) []game.Move {
	if s.h.flaw == "safe buffer" {
		buf = buf[:0]
	}
	for _, m := range s.Moves(nil) {
		if s.left-int(m) > 3 && (s.h.flaw != "unlisted" || m != 2) || s.h.flaw == "unsafe" && s.left == 6 {
			buf = append(buf, m)
		}
	}
	if s.h.flaw == "beyond safe" && s.left > 6 {
		buf = append(buf, 7)
	}
	return buf
}

// recorder collects failures in place of a test.
type recorder struct {
	testing.TB
	failed []string
}

func (r *recorder) Helper()      {}
func (r *recorder) Failed() bool { return len(r.failed) > 0 }
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = append(r.failed, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// TestSuite runs the suite on a sound game and on games that break one promise
// each: it must pass the first and object to all the others.
func TestSuite(t *testing.T) {
	Run(t, heap{})
	const at, made = `^heap(-9)?  ?at \d+-[01]`, `take\d`
	for flaw, want := range map[string]string{
		"id": `id "heap-9"`, "parse": at, "result": at, "path": at, "buffer": at, "order": at, "twice": at, "many": at,
		"allocate": `^heap: moves, keys, make and unmake allocate`, "unmake": at + ".*" + made, "clone": at, "url": `^heap: "12-0" reads as`, "move": at,
		"key": at, "long key": at, "leftover": at, "canonical": at + ".*" + made, "next key": at + ".*" + made,
		"plies left": at + ".*PliesLeft is 6.*" + made, "plies left once": at + ".*PliesLeft is 2.*" + made, "no plies left": at + ".*PliesLeft is 0", "key of plies": at + ".*PliesLeft", "set key": at + ".*SetKey goes to",
		"count": at,
		"race":  at, "lowered": at + ".*" + made, "within": at + ".*" + made, "all": at, "gain": at, "wins": at + ".*" + made,
		"false win": at, "unseen win": at, "safe buffer": at, "unlisted": at + ".*" + made, "unsafe": at + ".*" + made, "beyond safe": at,
		"number": at, "numbers": at, "number path": at, "hole": at, "at": at, "after": at, "before": at + ".*" + made, "unmove": at, "beyond": at, "illegal": at,
		"placements": at, "at allocates": "At allocates", "numbers beyond": at + ".*1099511627777",
		"shared": at + ".*12-0.*" + made, "seat": at + ".*" + made, "forgets history": at + ".*" + made, "forgets the move": at + ".*" + made, "panic": at + ".*Moves panics",
		"panic in Seat": at + ".*panics", "panic in Result": at + ".*panics", "panic in Moves": at + ".*panics", "panic in Make": at + ".*" + made + ".*panics",
		"panic in Unmake": at + ".*" + made + ".*panics", "panic in Clone": at + ".*panics", "panic in String": "^heap.*panics",
		"panic in Key": at + ".*panics", "panic in MoveString": at + ".*panics",
	} {
		objects(t, flaw, want, func(t testing.TB) { Run(t, heap{flaw}) })
	}
}

// objects fails the test unless a check of a flawed game fails, and its message begins with
// the words wanted.
func objects(t *testing.T, flaw, want string, check func(testing.TB)) {
	t.Helper()
	r := &recorder{TB: t}
	func() {
		defer func() {
			if e := recover(); e != nil && len(r.failed) == 0 {
				r.Errorf("panic: %v", e)
			}
		}()
		check(r)
	}()
	switch {
	case !r.Failed():
		t.Errorf("what has a broken %s passes", flaw)
	case !regexp.MustCompile(want).MatchString(r.failed[0]):
		t.Errorf("%s: %s, want %s", flaw, r.failed[0], want)
	default:
		t.Logf("%s: %s", flaw, r.failed[0])
	}
}

// heaps is a wing of the heap drawn as a row of cells; flaw names a promise it breaks.
func heaps(flaw string) wing.Wing {
	w := wing.Wing{
		Name: "heap",
		Open: func(string, string) (game.Game, error) { return heap{}, nil },
		IDs:  func() []string { return []string{"heap"} },
		Board: func(game.Game) (b wing.Board) {
			b.Width, b.Height = 12, 1
			for c := range 12 {
				b.Cells = append(b.Cells, wing.Cell{Name: strconv.Itoa(c), X: float64(c) + 0.5, Y: 0.5, Near: []int{c + 1}[min(1, c/11):]})
			}
			switch flaw {
			case "name":
				b.Cells[3].Name = "4"
			case "near":
				b.Cells[3].Near = []int{12}
			case "place":
				b.Cells[3].X = 13
			case "goal":
				b.Seats = []wing.Seat{{Goal: []int{-1}}}
			}
			return b
		},
		Picture: func(_ game.Game, s game.State) (p wing.Picture) {
			for c := range 12 {
				p.Pieces = append(p.Pieces, map[bool]int{false: -1, true: 0}[c < s.(*heapState).left])
			}
			switch flaw {
			case "pieces":
				p.Pieces = p.Pieces[1:]
			case "kinds":
				p.Kinds = []string{"h"}
			case "seat":
				p.Pieces[0] = 2
			case "won":
				p.Won = []int{12}
			}
			return p
		},
		Trace: func(_ game.Game, s game.State, m game.Move) (t wing.Trace) {
			t.Path = []int{s.(*heapState).left - int(m)}
			if flaw == "path" {
				t.Path[0] -= 3
			}
			return t
		},
		Compose: func(_ game.Game, p wing.Picture, seat int) string {
			left := 0
			for _, piece := range p.Pieces {
				left += 1 + piece
			}
			if flaw == "compose" {
				seat = 1 - seat
			}
			return fmt.Sprintf("%d-%d", left, seat)
		},
		Lessons: []wing.Lesson{{Game: "heap", Position: "start", Move: "take1"}, {Game: "heap", Position: "2-1", Move: "take2"}},
		Gallery: []wing.Sight{{Game: "heap"}},
	}
	fails := func(string, string) (game.Game, error) { return nil, errors.New("heap: planted") }
	switch flaw {
	case "required":
		w.Open = nil
	case "ids":
		w.IDs = func() []string { return nil }
	case "word":
		w.Name = "heaps"
	case "open":
		w.Open = func(string, string) (game.Game, error) { return nil, nil }
	case "lesson":
		w.Open, w.IDs = fails, func() []string { return []string{"heap"} }
	case "lesson's move":
		w.Lessons[1].Move = "take3"
	case "lesson's position":
		w.Lessons[1].Position = "13-0"
	case "ending":
		w.Ending = func(game.Game, game.State) string { return "" }
	}
	return w
}

// TestSuiteEnds: a game whose Moves does not return, or lists moves without end, ends the process
// with a line.
func TestSuiteEnds(t *testing.T) {
	if flaw := os.Getenv("GAMETEST_FLAW"); flaw != "" {
		patience = 4
		Run(t, heap{flaw})
		return
	}
	if testing.Short() {
		t.Skip("waits ten seconds for a game")
	}
	for flaw, want := range map[string]string{
		"hang":  `(?m)^heap at ([6-9]-[01]|[7-9]-[01], move take\d): gametest\.\(\*heapState\)\.Moves \(selftest_test\.go:\d+\) does not return$`,
		"flood": `(?m)^heap: gametest\.\(\*heapState\)\.Moves \(selftest_test\.go:\d+\) lists moves without end$`,
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSuiteEnds$")
		cmd.Env = append(os.Environ(), "GAMETEST_FLAW="+flaw)
		out, err := cmd.CombinedOutput()
		if err == nil || !regexp.MustCompile(want).Match(out) {
			t.Errorf("%s: %v\n%s", flaw, err, out)
		}
	}
}

// TestWings runs the checks of wings on a sound one and on wings that break one promise each.
func TestWings(t *testing.T) {
	Wing(t, heaps(""))
	for _, flaw := range []string{"name", "near", "place", "goal", "pieces", "kinds", "seat", "won", "path", "compose", "required", "ids", "word", "open",
		"lesson", "lesson's move", "lesson's position", "ending"} {
		objects(t, flaw, "", func(t testing.TB) { Wing(t, heaps(flaw)) })
	}
}
