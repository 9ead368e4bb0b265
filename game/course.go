package game

import (
	"hash/fnv"
	"strings"
)

// repetitions is the number of occurrences of a position that end a game as a draw.
const repetitions = 3

// Course is a game that is being played: its state, and the moves that led there from a first
// position. A position's third occurrence ends it as a draw, unless there is one seat only; solvers
// treat endless play as a draw without it.
type Course struct {
	Game  Game
	From  State  // the first position
	State State  // the position after Path; whoever changes it puts it back
	Path  []Move // moves by Play
	// Finite, set before the first move, says that positions cannot recur, so they are not counted.
	Finite bool

	seen     map[[16]byte]int
	repeated []int // occurrences of the position after each move, before it is made again
}

// NewCourse returns the course of a game that begins at a state, which it keeps.
func NewCourse(g Game, from State) *Course {
	return &Course{Game: g, From: from.Clone(), State: from, seen: map[[16]byte]int{identity(from): 1}}
}

// Play makes a legal move.
func (c *Course) Play(m Move) {
	c.State.Make(m)
	n := 1
	if !c.Finite {
		key := identity(c.State)
		c.seen[key]++
		n = c.seen[key]
	}
	c.Path, c.repeated = append(c.Path, m), append(c.repeated, n)
}

// Back takes the last move back, and returns it.
func (c *Course) Back() Move {
	if !c.Finite {
		c.seen[identity(c.State)]--
	}
	c.State.Unmake()
	last := len(c.Path) - 1
	m := c.Path[last]
	c.Path, c.repeated = c.Path[:last], c.repeated[:last]
	return m
}

// Repeated is the number of occurrences of the position so far.
func (c *Course) Repeated() int {
	if len(c.Path) == 0 {
		return 1
	}
	return c.repeated[len(c.Path)-1]
}

// Endless reports whether the game is drawn only because its position occurs for the third time.
func (c *Course) Endless() bool {
	return c.Repeated() >= repetitions && c.Game.Seats() > 1 && c.State.Result() == Ongoing
}

// Result is the result by the rules or by the third occurrence of a position.
func (c *Course) Result() Result {
	if c.Endless() {
		return Drawn
	}
	return c.State.Result()
}

// Outcome is the name of the seat that has won, draw, or empty while the game goes on.
func (c *Course) Outcome() string {
	r := c.Result()
	if seat, ok := r.Winner(); ok {
		return c.Game.SeatName(seat)
	}
	if r == Drawn {
		return Draw.String()
	}
	return ""
}

// Names are the moves as text.
func (c *Course) Names() []string {
	names, s := []string{}, c.From.Clone()
	for _, m := range c.Path {
		names = append(names, s.MoveString(m))
		s.Make(m)
	}
	return names
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
