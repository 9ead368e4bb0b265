package game

import (
	"hash/fnv"
	"strings"
)

// repetitions is the number of occurrences of a position that end a game as a draw.
const repetitions = 3

// Repeats counts the occurrences of each position in one game. Interfaces end a game by it;
// solvers treat endless play as a draw without it.
type Repeats struct {
	seen  map[[16]byte]int32
	alone bool
}

// NewRepeats returns the count of a game that begins at a state.
func NewRepeats(g Game, s State) *Repeats {
	r := &Repeats{map[[16]byte]int32{}, g.Seats() == 1}
	r.Add(s)
	return r
}

// Add counts the position of a state, after a move, and returns the number of its occurrences.
func (r *Repeats) Add(s State) int {
	key := identity(s)
	r.seen[key]++
	return int(r.seen[key])
}

// Remove takes the position of a state back, before its last move is unmade.
func (r *Repeats) Remove(s State) {
	key := identity(s)
	if r.seen[key]--; r.seen[key] == 0 {
		delete(r.seen, key)
	}
}

// Drawn reports whether the game is drawn because the state's position occurs for the third
// time. A game of one seat is never drawn so.
func (r *Repeats) Drawn(s State) bool {
	return !r.alone && s.Result() == Ongoing && r.seen[identity(s)] >= repetitions
}

func identity(s State) (sum [16]byte) {
	h := fnv.New128a()
	_, _ = h.Write([]byte(s.String())) // a hash never fails to write
	h.Sum(sum[:0])
	return sum
}

// ReadMove reads a move that a person has written: by ParseMove of the text, then of its lower
// case.
func ReadMove(s State, text string) (Move, error) {
	m, err := s.ParseMove(text)
	if small := strings.ToLower(text); err != nil && small != text {
		if m, err := s.ParseMove(small); err == nil {
			return m, nil
		}
	}
	return m, err
}
