package coalition

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"perfectplay/game"
)

// Indexer is the ability of a game to number all its positions, those included
// that cannot be reached from the start. Solve then solves them all, with arrays
// instead of a map of keys: about 30 bytes a number and 8 a move. Without it the
// positions solved are those met from the start.
type Indexer interface {
	// Indices bounds the numbers: they are 0…Indices()−1.
	Indices() int
	// At returns a new state at the position of a number, or nil where the
	// number is no position's.
	At(index int) game.State
	// Index returns the number of a position, its seat to move included, and
	// false where it has none. A position that a move leads to must have one.
	Index(s game.State) (int, bool)
}

// graph is positions by their numbers and the moves between them.
type graph struct {
	numbering
	positions int
	seat      []uint8 // to move, or nobody
	result    []game.Result
	// succ[succFrom[n]:succFrom[n+1]] are the positions that the moves of
	// position n lead to, pred the positions with moves to n likewise.
	succFrom, succ []uint32
	predFrom, pred []uint32
}

// nobody is the seat to move at a number that is no position's.
const nobody = 255

// maxEdges bounds numbers and moves, which are kept in 32 bits.
const maxEdges = 1 << 31

// numbering numbers the positions of a game.
type numbering interface {
	// size is the number of numbers known by now.
	size() int
	// state returns the position of a number, nil where there is none. It is
	// called once for each number, in order.
	state(n int) (game.State, error)
	// add returns the number of a position that a move led to.
	add(s game.State) (int, error)
	// lookup returns the number of any position.
	lookup(s game.State) (int, bool)
}

// newGraph lists the positions of a game and their moves.
func newGraph(ctx context.Context, rules game.Game, limit int, progress func(done float64)) (*graph, error) {
	g := &graph{succFrom: []uint32{0}}
	limit = min(limit, maxEdges)
	if index, ok := rules.(Indexer); ok {
		if n := index.Indices(); n > limit {
			return nil, fmt.Errorf("%d positions: at most %d are wanted", n, limit)
		}
		g.numbering = indexed{index}
	} else {
		met := &reached{seats: rules.Seats(), limit: limit, number: map[key]uint32{}}
		if _, err := met.add(rules.Start()); err != nil {
			return nil, err
		}
		g.numbering = met
	}
	var moves []game.Move
	known := g.size()
	for n := 0; n < g.size(); n++ {
		if n%often == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			progress(g.explored(n, g.size()-known))
			known = g.size()
		}
		s, err := g.state(n)
		if err != nil {
			return nil, err
		}
		if s == nil {
			g.seat, g.result = append(g.seat, nobody), append(g.result, game.Drawn)
			g.succFrom = append(g.succFrom, uint32(len(g.succ)))
			continue
		}
		g.positions++
		result := s.Result()
		g.seat, g.result = append(g.seat, uint8(s.Seat())), append(g.result, result)
		if result == game.Ongoing {
			moves = s.Moves(moves[:0])
			for _, m := range moves {
				s.Make(m)
				next, err := g.add(s)
				s.Unmake()
				if err != nil {
					return nil, err
				}
				g.succ = append(g.succ, uint32(next))
			}
		}
		if len(g.succ) > maxEdges {
			return nil, errors.New("too many moves")
		}
		g.succFrom = append(g.succFrom, uint32(len(g.succ)))
	}
	for _, to := range g.succ {
		if g.seat[to] == nobody {
			return nil, fmt.Errorf("a move leads to number %d, which is no position's", to)
		}
	}
	return g, nil
}

// often is how many positions are visited between reports.
const often = 1 << 12

// explored estimates the share of the positions that n visited ones are, of which
// the last often met so many new ones. Where moves lead anywhere, the share of
// moves that lead to new positions is that of the positions not yet met.
func (g *graph) explored(n, fresh int) float64 {
	if n == 0 {
		return 0
	}
	size := float64(g.size())
	met := 1 - float64(fresh)*float64(n)/(often*float64(max(len(g.succ), 1)))
	return float64(n) / size * max(met, 0.05)
}

// find returns the number of a position of the graph.
func (g *graph) find(s game.State) (n int, ok bool) {
	n, ok = g.lookup(s)
	return n, ok && n < len(g.seat) && g.seat[n] != nobody
}

// addPredecessors lists the moves by where they lead.
func (g *graph) addPredecessors() {
	n := len(g.seat)
	g.predFrom = make([]uint32, n+1)
	for _, to := range g.succ {
		g.predFrom[to+1]++
	}
	for i := range n {
		g.predFrom[i+1] += g.predFrom[i]
	}
	g.pred = make([]uint32, len(g.succ))
	filled := make([]uint32, n)
	for i := range n {
		for _, to := range g.succ[g.succFrom[i]:g.succFrom[i+1]] {
			g.pred[g.predFrom[to]+filled[to]] = uint32(i)
			filled[to]++
		}
	}
}

// indexed is the numbering of a game that has one of its own.
type indexed struct{ Indexer }

func (x indexed) size() int { return x.Indices() }

func (x indexed) state(n int) (game.State, error) {
	s := x.At(n)
	if s == nil {
		return nil, nil
	}
	if back, ok := x.Index(s); !ok || back != n {
		return nil, fmt.Errorf("position %s has numbers %d and %d", s, n, back)
	}
	return s, nil
}

func (x indexed) add(s game.State) (int, error) {
	n, ok := x.Index(s)
	if !ok || n < 0 || n >= x.size() {
		return 0, fmt.Errorf("position %s, to which a move leads, has no number", s)
	}
	return n, nil
}

func (x indexed) lookup(s game.State) (int, bool) { return x.Index(s) }

// reached numbers positions in the order they are met; 0 is the start.
type reached struct {
	seats, limit int
	number       map[key]uint32
	states       []game.State // nil once they have been visited
}

// key identifies a position.
type key [6]uint64

// keyOf returns what identifies a position. With two seats the game's own keys
// join positions that are turned or mirrored, so the text is taken where it
// fits; k[5] then is the end of the text, else the seat to move.
func (r *reached) keyOf(s game.State) (k key, ok bool) {
	if r.seats <= 2 {
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

func (r *reached) size() int { return len(r.states) }

func (r *reached) state(n int) (s game.State, err error) {
	s, r.states[n] = r.states[n], nil
	return s, nil
}

func (r *reached) add(s game.State) (int, error) {
	k, ok := r.keyOf(s)
	if !ok {
		return 0, errors.New("its positions have no keys")
	}
	if n, known := r.number[k]; known {
		return int(n), nil
	}
	n := len(r.states)
	if n >= r.limit {
		return 0, fmt.Errorf("more than %d positions can be reached", r.limit)
	}
	r.number[k] = uint32(n)
	r.states = append(r.states, s.Clone())
	return n, nil
}

func (r *reached) lookup(s game.State) (int, bool) {
	k, ok := r.keyOf(s)
	if !ok {
		return 0, false
	}
	n, ok := r.number[k]
	return int(n), ok
}
