package prove

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/rank"
)

// Strong holds the value and the distance of every position of a small board
// that play can reach. Positions are in layers by number of stones; a layer is
// an array indexed by package rank, first the first player's stones, then the
// second's among the cells left, one byte a position:
//
//	0        a draw
//	n+1      the side to move wins in n plies
//	−(n+1)   the side to move loses in n plies, −1 being lost already
//	127      cannot be reached
//
// It is immutable after construction.
type Strong struct {
	g      *mnk.Game
	layers []layer
}

type layer struct {
	armies *rank.Armies
	value  []int8
}

const unreachable = 127

// SolveStrong computes all values, from the full board backwards, within memory
// bytes. A cancelled context ends it with the context's error. progress, if not nil,
// is called concurrently with the share of the positions that is done.
func SolveStrong(ctx context.Context, g *mnk.Game, memory int64, threads int, progress func(done float64)) (*Strong, error) {
	if g.Lines64() == nil {
		return nil, fmt.Errorf("%w: tables have at most 64 cells: %s has %d", ErrTooLarge, g.ID(), g.Cells())
	}
	need := StrongBytes(g)
	switch {
	case need == math.MaxUint64:
		return nil, fmt.Errorf("%w: %s has more than %d positions, of a byte each: %d bytes are allowed", ErrMemory, g.ID(), need, memory)
	case need > uint64(max(0, memory)):
		return nil, fmt.Errorf("%w: %s has %d positions, of a byte each: %d bytes are allowed", ErrMemory, g.ID(), need, memory)
	}
	s := &Strong{g: g, layers: make([]layer, g.Cells()+1)}
	for p := range s.layers {
		a, err := rank.NewArmies(g.Cells(), (p+1)/2, p/2)
		if err != nil {
			return nil, fmt.Errorf("prove: %s: %w", g.ID(), err)
		}
		s.layers[p].armies = a
	}
	done := uint64(0) // in the layers that are done
	threads = cmp.Or(max(threads, 0), runtime.GOMAXPROCS(0))
	for p := g.Cells(); p >= 0; p-- {
		a := s.layers[p].armies
		s.layers[p].value = make([]int8, a.Size())
		const block = 1 << 14
		var next atomic.Uint64
		var wg sync.WaitGroup
		for range threads {
			wg.Go(func() {
				for ctx.Err() == nil {
					from := next.Add(block) - block
					if from >= a.Size() {
						return
					}
					s.fill(p, from, min(from+block, a.Size()))
					if progress != nil {
						progress(float64(done+from) / float64(need))
					}
				}
			})
		}
		wg.Wait()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		done += a.Size()
	}
	return s, nil
}

// StrongBytes is the memory that [SolveStrong] takes for a game; all that there is
// where it is too much to be said.
func StrongBytes(g *mnk.Game) (n uint64) {
	for p := range g.Cells() + 1 {
		a, err := rank.NewArmies(g.Cells(), (p+1)/2, p/2)
		if err != nil || n+a.Size() < n {
			return math.MaxUint64
		}
		n += a.Size()
	}
	return n
}

// fill computes the positions from…to−1 of layer p.
func (s *Strong) fill(p int, from, to uint64) {
	l := s.g.Lines64()
	var sets [2]uint64
	mover := p & 1
	for i := from; i < to; i++ {
		s.layers[p].armies.Sets64(sets[:], i)
		value := int8(0)
		switch {
		case l.Won(bitboard.Set64{Lo: sets[mover]}):
			value = unreachable
		case l.Won(bitboard.Set64{Lo: sets[1-mover]}):
			value = unreachable
			for x := sets[1-mover]; x != 0; x &= x - 1 {
				if !l.Won(bitboard.Set64{Lo: sets[1-mover] &^ (x & -x)}) {
					value = -1
					break
				}
			}
		default:
			value = s.best(p, sets)
		}
		s.layers[p].value[i] = value
	}
}

// best returns the value of an unfinished position from the layer above.
func (s *Strong) best(p int, sets [2]uint64) int8 {
	mover := p & 1
	win, loss, draw := int8(0), int8(0), p == s.g.Cells()
	for x := s.g.Lines64().Cells.Lo &^ (sets[0] | sets[1]); x != 0; x &= x - 1 {
		next := sets
		next[mover] |= x & -x
		up := &s.layers[p+1]
		v := up.value[up.armies.Index64(next[:])]
		switch {
		case v == 0:
			draw = true
		case v < 0:
			if v = 1 - v; win == 0 || v < win {
				win = v
			}
		default:
			if v = -v - 1; v < loss {
				loss = v
			}
		}
	}
	switch {
	case win > 0:
		return win
	case draw:
		return 0
	}
	return loss
}

// decode turns a byte into a value and a distance in plies.
func decode(v int8) (game.Value, int) {
	switch {
	case v == unreachable:
		return game.Unknown, 0
	case v > 0:
		return game.Win, int(v) - 1
	case v < 0:
		return game.Loss, -int(v) - 1
	}
	return game.Draw, 0
}

// Probe returns the value of a position for the side to move and the distance
// in plies of a win or loss; Unknown for what play cannot reach.
func (s *Strong) Probe(st *mnk.State64) (game.Value, int) {
	x, o := st.Stones()
	p := x.Or(o).Count()
	return decode(s.layers[p].value[s.layers[p].armies.Index64([]uint64{x.Lo, o.Lo})])
}

// Census counts positions by the value for the side to move: wins, draws and
// losses, for each number of stones.
func (s *Strong) Census() (count [][3]uint64) {
	count = make([][3]uint64, len(s.layers))
	for p := range s.layers {
		for _, v := range s.layers[p].value {
			switch worth, _ := decode(v); worth {
			case game.Win:
				count[p][0]++
			case game.Draw:
				count[p][1]++
			case game.Loss:
				count[p][2]++
			}
		}
	}
	return count
}
