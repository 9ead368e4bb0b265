package solitaire

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

// Solution is how many moves the goal is away from every placement of an army. It is
// safe for concurrent use.
type Solution struct {
	dual  *board
	turns []uint8 // by key of the dual game's placement, never where there is no way
}

// SolutionMemory returns what [Solve] takes at most, and how much of it a [Solution]
// keeps, in bytes. The error says that there are too many placements to number.
func SolutionMemory(t *halma.TwoArmy) (making, kept uint64, err error) {
	sets, err := rank.NewSubsets(t.Cells, t.Pieces)
	if err != nil {
		return 0, 0, err
	}
	kept = sets.Size() + 1<<20
	return kept + 3*8*((sets.Size()+63)/64), kept, nil
}

// Solve finds the least number of moves to the goal from every placement of the first
// army of a game, alone on the board: it walks from the goal backwards, as moves of
// the dual game from home.
func Solve(ctx context.Context, t *halma.TwoArmy, o Options) (*Solution, error) {
	making, _, err := SolutionMemory(t)
	if err != nil {
		return nil, err
	}
	if o.Memory > 0 && making > o.Memory {
		return nil, fmt.Errorf("solitaire: %s: %d bytes of memory: all placements take %d", t.ID, o.Memory, making)
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	dual := *t
	dual.Limits = t.Limits.Dual()
	b, err := newBoard(&dual)
	if err != nil {
		return nil, err
	}
	s := &Solution{dual: b, turns: make([]uint8, b.sets.Size())}
	for i := range s.turns {
		s.turns[i] = never
	}
	words := (b.sets.Size() + 63) / 64
	seen, level, next := make([]uint64, words), make([]uint64, words), make([]uint64, words)
	home := b.key(b.home)
	seen[home/64] |= 1 << (home % 64)
	level[home/64] |= 1 << (home % 64)
	for d := range uint8(never) {
		any := false
		for i, word := range level {
			for ; word != 0; word &= word - 1 {
				s.turns[64*i+bits.TrailingZeros64(word)], any = d, true
			}
		}
		if !any {
			return s, nil
		}
		b.flood(ctx, seen, level, next, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		level, next = next, level
		clear(next)
	}
	return nil, fmt.Errorf("solitaire: %s: placements more than %d moves from the goal", t.ID, never-1)
}

// Turns returns the least number of moves from a placement to the goal, −1 where no
// moves lead there.
func (s *Solution) Turns(x bitboard.Set128) int {
	if d := s.turns[s.dual.key(permute(&s.dual.turned, x))]; d != never {
		return int(d)
	}
	return -1
}
