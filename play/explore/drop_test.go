package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// drop is connect four on five columns of five: a game with keys and nothing else.
type drop struct{}

const (
	dropSide = 5
	dropAll  = dropSide * dropSide
)

func (drop) ID() string               { return "drop-5x5" }
func (drop) Rules() string            { return "" }
func (drop) Seats() int               { return 2 }
func (drop) SeatName(seat int) string { return [...]string{"x", "o"}[seat] }
func (drop) Start() game.State        { return &dropState{} }
func (drop) Parse(text string) (game.State, error) {
	s := &dropState{}
	for _, c := range strings.TrimPrefix(text, "-") {
		if c < '1' || c >= '1'+dropSide || s.height[c-'1'] == dropSide || s.Result() != game.Ongoing {
			return nil, fmt.Errorf("drop: position %q: want columns", text)
		}
		s.Make(game.Move(c - '1'))
	}
	return s, nil
}

type dropState struct {
	stones [2]uint64 // bit 6·column + row
	height [dropSide]int
	made   []game.Move
}

func (s *dropState) Seat() int { return len(s.made) % 2 }
func (s *dropState) Result() game.Result {
	for seat, b := range s.stones {
		for _, d := range []int{1, 5, 6, 7} {
			if two := b & (b >> d); two&(two>>(2*d)) != 0 {
				return game.Result(seat)
			}
		}
	}
	if len(s.made) == dropAll {
		return game.Drawn
	}
	return game.Ongoing
}

func (s *dropState) Moves(buf []game.Move) []game.Move {
	for c, h := range s.height {
		if h < dropSide {
			buf = append(buf, game.Move(c))
		}
	}
	return buf
}

func (s *dropState) Make(m game.Move) {
	s.stones[s.Seat()] |= 1 << (6*int(m) + s.height[m])
	s.height[m]++
	s.made = append(s.made, m)
}

func (s *dropState) Unmake() {
	m := s.made[len(s.made)-1]
	s.made = s.made[:len(s.made)-1]
	s.height[m]--
	s.stones[s.Seat()] &^= 1 << (6*int(m) + s.height[m])
}

func (s *dropState) Clone() game.State {
	c := *s
	c.made = slices.Clone(s.made)
	return &c
}

func (s *dropState) String() string {
	text := "-"
	for _, m := range s.made {
		text += s.MoveString(m)
	}
	return text
}

func (s *dropState) MoveString(m game.Move) string { return string(rune('1' + m)) }
func (s *dropState) ParseMove(text string) (game.Move, error) {
	for _, m := range s.Moves(nil) {
		if s.MoveString(m) == text {
			return m, nil
		}
	}
	return 0, fmt.Errorf("drop: move %q", text)
}

func (s *dropState) KeyWords() int                          { return 2 }
func (s *dropState) Key(dst []uint64) uint8                 { copy(dst, s.stones[:]); return 0 }
func (*dropState) Canonical(m game.Move, _ uint8) game.Move { return m }
func (*dropState) Actual(m game.Move, _ uint8) game.Move    { return m }

// TestToTheEnd: a search reaches the end of the game if the last plies are few, even beyond the
// bound on nodes, and reports no depth beyond the end.
func TestToTheEnd(t *testing.T) {
	s, err := explore.New(explore.Options{Wings: []wing.Wing{{
		Name: "drop", IDs: func() []string { return []string{"drop-5x5"} }, Positions: func(game.Game) float64 { return 1e12 },
		Open: func(string, string) (game.Game, error) { return drop{}, nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		position string
		nodes    uint64
	}{{"-3332", explore.DefaultNodes}, {"-444213311435124", 1 << 10}, {"-33344125345452411", 1 << 8}, {"-12213451322", 1 << 14}} {
		var last *explore.Answer
		err := s.Analyse(t.Context(), explore.Query{Game: "drop-5x5", Position: c.position, Nodes: c.nodes}, func(a *explore.Answer) error {
			agrees(t, s, a)
			last = a
			return nil
		})
		if left := dropAll + 1 - len(c.position); err != nil || last.Value == explore.Open || last.Source.Limit > left {
			t.Errorf("%s, %d nodes, %d plies left: %s by %+v, %v", c.position, c.nodes, left, last.Worth, last.Source, err)
		}
	}
}
