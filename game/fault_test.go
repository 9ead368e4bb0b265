package game_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game"
)

// count is a game of one seat that counts down by one or two; one of its methods panics when 4
// are left.
type count struct{ in string }

func (count) ID() string          { return "count-down" }
func (count) Rules() string       { return "" }
func (count) Seats() int          { return 1 }
func (count) SeatName(int) string { return "A" }
func (c count) Start() game.State { return &counted{of: c, left: 9} }
func (c count) Parse(text string) (game.State, error) {
	n, err := strconv.Atoi(text)
	return &counted{of: c, left: n}, err
}

type counted struct {
	of   count
	left int
	made []int
}

func (s *counted) fail(method string) {
	if s.of.in == method && s.left == 4 {
		panic("planted\nin two lines")
	}
}

func (s *counted) Seat() int { s.fail("Seat"); return 0 }
func (s *counted) Result() game.Result {
	if s.fail("Result"); s.left == 0 {
		return 0
	}
	return game.Ongoing
}

func (s *counted) Moves(buf []game.Move) []game.Move {
	s.fail("Moves")
	for n := 1; n <= min(2, s.left); n++ {
		buf = append(buf, game.Move(n))
	}
	return buf
}

func (s *counted) Make(m game.Move) {
	s.fail("Make")
	s.left -= int(m)
	s.made = append(s.made, int(m))
	s.fail("half Make")
}

func (s *counted) Unmake() {
	s.fail("Unmake")
	s.left += s.made[len(s.made)-1]
	s.made = s.made[:len(s.made)-1]
}

func (s *counted) Clone() game.State                   { return &counted{of: s.of, left: s.left} }
func (s *counted) String() string                      { s.fail("String"); return strconv.Itoa(s.left) }
func (s *counted) MoveString(m game.Move) string       { return "take" + strconv.Itoa(int(m)) }
func (s *counted) ParseMove(string) (game.Move, error) { return 0, errors.New("no move") }

func walk(g game.Game) (err error) {
	s := g.Start()
	var line []game.Move
	defer game.Guard(&err, g, s, func() game.State {
		s := g.Start()
		for _, m := range line[:max(len(line)-1, 0)] {
			s.Make(m)
		}
		return s
	})
	var rest func()
	rest = func() {
		if s.Result() != game.Ongoing {
			return
		}
		for _, m := range s.Moves(nil) {
			line = append(line, m)
			s.Make(m)
			rest()
			s.Unmake()
			line = line[:len(line)-1]
		}
	}
	rest()
	_ = s.String()
	return nil
}

// TestGuard: a panic in any method is an error of one line that names the game, the position,
// the move and the function.
func TestGuard(t *testing.T) {
	if err := walk(count{}); err != nil {
		t.Fatal(err)
	}
	for method, where := range map[string]string{
		"Result": "count-down at 5, move take1: ", "Moves": "count-down at 5, move take1: ", "Make": "count-down at 4, move take1: ",
		"half Make": "count-down at 5, move take1: ", "Unmake": "count-down at 5, move take1: ", "Seat": "",
	} {
		err := walk(count{method})
		if method == "Seat" { // nothing calls Seat
			if err != nil {
				t.Error(err)
			}
			continue
		}
		fault, ok := errors.AsType[*game.Fault](err)
		if !ok || !strings.HasPrefix(err.Error(), where) || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), "(*counted).fail panics (fault_test.go:") || !strings.HasSuffix(err.Error(), "): planted in two lines") || fault.Move == "" {
			t.Errorf("%s: %v, want %s…", method, err, where)
		}
	}
	// If the state cannot print its position, the fault has no position.
	var err error
	func() {
		s := &counted{of: count{"String"}, left: 4}
		defer game.Guard(&err, count{"String"}, s)
		_ = s.String()
	}()
	if want := "count-down: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s…", err, want)
	}
	func() {
		defer game.Guard(&err, count{}, nil)
		panic(fmt.Errorf("of the caller's"))
	}()
	if err == nil || !strings.HasSuffix(err.Error(), ": of the caller's") {
		t.Error(err)
	}
}
