// Package coalition finds what every set of seats can force together in a game of
// any number of seats, knowing the game by its contract alone.
package coalition

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"perfectplay/game"
)

// Coalitions are the exact answers to what seats can force together, from every
// position that can be reached from the start of a game of any number of seats.
//
// A coalition is a set of seats, a bit each, that play as one against all
// others. It wins where one of its members does. What it can force is one of
// three: a win; if the others can force a win of one of them, a loss; else a
// draw, play going on for ever included.
type Coalitions struct {
	graph   *graph
	start   uint32
	forced  [][]uint8 // by coalition: plies to a forced win by position, or never
	longest []int     // by coalition: the longest forced win
}

// never says that a win cannot be forced.
const never = 255

// SolveCoalitions explores a game from its start and finds what every coalition
// can force. It needs positions with keys (see [game.Keyer]), or for at most two
// seats positions of at most 48 bytes of text, and refuses games
// of more than limit positions, whose graph it keeps in memory: up to 1 KiB a
// position while it is explored, which takes one thread.
func SolveCoalitions(ctx context.Context, g game.Game, limit int) (*Coalitions, error) {
	if g.Seats() > 8 {
		return nil, fmt.Errorf("coalition: %s: coalitions of %d seats: at most 8 are possible", g.ID(), g.Seats())
	}
	graph, err := explore(ctx, g, limit)
	if err != nil {
		return nil, err
	}
	return graph.solve(ctx, g)
}

// solve finds what every coalition can force.
func (graph *graph) solve(ctx context.Context, g game.Game) (*Coalitions, error) {
	start, ok := graph.find(g.Start())
	if !ok {
		return nil, fmt.Errorf("coalition: %s: the start is not among its positions", g.ID())
	}
	c := &Coalitions{graph: graph, start: start, forced: make([][]uint8, 1<<g.Seats()), longest: make([]int, 1<<g.Seats())}
	graph.turnAround()
	for seats := 1; seats < 1<<g.Seats(); seats++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var err error
		if c.forced[seats], c.longest[seats], err = graph.force(uint8(seats)); err != nil {
			return nil, fmt.Errorf("coalition: %s: %w", g.ID(), err)
		}
	}
	return c, nil
}

// Positions returns the number of positions that were explored, with the seat to
// move, finished ones included.
func (c *Coalitions) Positions() int { return c.graph.positions }

// Longest returns the largest number of plies that a coalition needs for a win
// it can force, from any position that was explored.
func (c *Coalitions) Longest(seats uint8) int { return c.longest[seats] }

// Start returns what a coalition can force from the start, and the plies until
// the game is over, 0 for a draw. The coalition of all seats wins as fast as
// they can end the game together.
func (c *Coalitions) Start(seats uint8) (game.Value, int) { return c.value(c.start, seats) }

func (c *Coalitions) value(at uint32, seats uint8) (game.Value, int) {
	others := uint8(len(c.forced)-1) &^ seats
	if d := c.forced[seats][at]; d != never {
		return game.Win, int(d)
	}
	if others != 0 {
		if d := c.forced[others][at]; d != never {
			return game.Loss, int(d)
		}
	}
	return game.Draw, 0
}

// Value returns what a coalition can force from a position, and false if the
// position was not explored.
func (c *Coalitions) Value(s game.State, seats uint8) (v game.Value, distance int, reached bool) {
	at, ok := c.graph.find(s)
	if !ok {
		return game.Unknown, 0, false
	}
	v, distance = c.value(at, seats)
	return v, distance, true
}

// key identifies a position.
type key [6]uint64

// graph is the positions of a game that can be reached, numbered in the order
// they are met; 0 is the start.
type graph struct {
	seats     int
	positions int
	number    map[key]uint32
	index     Index   // instead of number
	seat      []uint8 // to move
	winner    []int8  // of a finished game, drawn or ongoing
	from      []uint32
	next      []uint32 // next[from[i]:from[i+1]] follow position i

	before, came []uint32 // the same backwards: before[came[i]:came[i+1]]
}

const (
	graphOngoing = -1
	graphDrawn   = -2
	nobody       = 255 // the seat to move at a number that is no position's
)

// keyOf returns what identifies a position. With two seats the game's own keys
// join positions that are turned or mirrored, so the text is taken where it
// fits; k[5] then is the end of the text, else the seat to move.
func (g *graph) keyOf(s game.State) (k key, ok bool) {
	if g.seats <= 2 {
		text := s.String()
		var b [8 * len(k)]byte
		if copy(b[:], text) < len(text) {
			return k, false
		}
		for i := range k {
			k[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		return k, true
	}
	e, ok := s.(game.Keyer)
	if !ok || e.KeyWords() >= len(k) {
		return k, false
	}
	e.Key(k[:e.KeyWords()])
	k[5] = uint64(s.Seat())
	return k, true
}

func (g *graph) find(s game.State) (uint32, bool) {
	if g.index != nil {
		n, ok := g.index.Number(s)
		return uint32(n), ok && n < len(g.seat) && g.seat[n] != nobody
	}
	k, ok := g.keyOf(s)
	if !ok {
		return 0, false
	}
	n, ok := g.number[k]
	return n, ok
}

// explore visits every position that can be reached.
func explore(ctx context.Context, rules game.Game, limit int) (*graph, error) {
	g := &graph{seats: rules.Seats(), number: map[key]uint32{}}
	var states []game.State
	meet := func(s game.State) (uint32, error) {
		k, ok := g.keyOf(s)
		if !ok {
			return 0, fmt.Errorf("coalition: %s: its positions have no keys", rules.ID())
		}
		n, known := g.number[k]
		if known {
			return n, nil
		}
		if len(g.seat) >= limit {
			return 0, fmt.Errorf("coalition: %s: more than %d positions can be reached", rules.ID(), limit)
		}
		n = uint32(len(g.seat))
		g.number[k] = n
		g.seat = append(g.seat, uint8(s.Seat()))
		g.winner = append(g.winner, outcome(s))
		states = append(states, s.Clone())
		return n, nil
	}
	if _, err := meet(rules.Start()); err != nil {
		return nil, err
	}
	g.from = append(g.from, 0)
	var moves []game.Move
	for at := 0; at < len(states); at++ {
		if at&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := states[at]
		states[at] = nil
		if g.winner[at] == graphOngoing {
			moves = s.Moves(moves[:0])
			for _, m := range moves {
				s.Make(m)
				n, err := meet(s)
				s.Unmake()
				if err != nil {
					return nil, err
				}
				g.next = append(g.next, n)
			}
		}
		if len(g.next) > 1<<31 {
			return nil, fmt.Errorf("coalition: %s: too many moves", rules.ID())
		}
		g.from = append(g.from, uint32(len(g.next)))
	}
	g.positions = len(g.seat)
	return g, nil
}

// outcome is what a graph keeps of a result.
func outcome(s game.State) int8 {
	switch r := s.Result(); {
	case r == game.Drawn:
		return graphDrawn
	case r >= 0:
		return int8(r)
	}
	return graphOngoing
}

// turnAround lists for every position those before it.
func (g *graph) turnAround() {
	n := len(g.seat)
	g.came = make([]uint32, n+1)
	for _, to := range g.next {
		g.came[to+1]++
	}
	for i := range n {
		g.came[i+1] += g.came[i]
	}
	g.before = make([]uint32, len(g.next))
	fill := make([]uint32, n)
	for i := range n {
		for _, to := range g.next[g.from[i]:g.from[i+1]] {
			g.before[g.came[to]+fill[to]] = uint32(i)
			fill[to]++
		}
	}
}

// force finds from where a coalition can force a win of a member, and in how
// many plies if it hurries and the others delay.
func (g *graph) force(seats uint8) (plies []uint8, longest int, err error) {
	n := len(g.seat)
	plies = make([]uint8, n)
	left := make([]uint32, n) // moves of the others that are not yet known to lose
	var level, following []uint32
	for i := range n {
		plies[i] = never
		left[i] = g.from[i+1] - g.from[i]
		if w := g.winner[i]; w >= 0 && seats>>w&1 != 0 {
			plies[i] = 0
			level = append(level, uint32(i))
		}
	}
	for d := 1; len(level) > 0; d++ {
		following = following[:0]
		for _, to := range level {
			for _, from := range g.before[g.came[to]:g.came[to+1]] {
				if plies[from] != never {
					continue
				}
				left[from]--
				if seats>>g.seat[from]&1 == 0 && left[from] > 0 {
					continue
				}
				if d >= never {
					return nil, 0, fmt.Errorf("a forced win takes more than %d plies", never-1)
				}
				plies[from] = uint8(d)
				longest = d
				following = append(following, from)
			}
		}
		level, following = following, level
	}
	return plies, longest, nil
}

// Size returns the number of seats in a coalition.
func Size(seats uint8) int { return bits.OnesCount8(seats) }
