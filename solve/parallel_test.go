package solve_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"perfectplay/game"
	"perfectplay/solve"
)

// counted is a game whose states count the moves made on each copy of a state.
type counted struct {
	game.Game
	all *[]*copyOf
	mu  *sync.Mutex
}

// copyOf counts the moves made on a state and lists its copies; a search gives each thread one.
type copyOf struct {
	moves  atomic.Int64
	copies []*copyOf
}

type countedState struct {
	game.State
	game.Keyer
	game *counted
	of   *copyOf
}

func (c *counted) wrap(s game.State, of *copyOf) game.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.all = append(*c.all, of)
	return countedState{s, s.(game.Keyer), c, of}
}

func (c *counted) Start() game.State { return c.wrap(c.Game.Start(), new(copyOf)) }

func (s countedState) Clone() game.State {
	of := new(copyOf)
	c := s.game.wrap(s.State.Clone(), of)
	s.game.mu.Lock()
	defer s.game.mu.Unlock()
	s.of.copies = append(s.of.copies, of)
	return c
}

func (s countedState) Make(m game.Move) {
	s.of.moves.Add(1)
	s.State.Make(m)
}

// TestAllThreadsWork: every thread takes part in a search, with and without a limit, by every
// engine.
func TestAllThreadsWork(t *testing.T) {
	for _, c := range []struct {
		id, rules string
		algo      solve.Algo
		limit     int
	}{
		{"halma-star37-2p", "house", solve.AlphaBeta, 0}, {"halma-star37-2p", "house", solve.AlphaBeta, 100},
		{"halma-star37-2p", "house", solve.Proof, 0}, {"halma-star37-2p", "house", solve.MaxN, 0},
		{"halma-star37-3p", "house", solve.Paranoid, 0}, {"halma-star37-4p", "house", solve.MaxN, 0},
		{"mnk-8x8k5", "", solve.AlphaBeta, 0},
	} {
		for _, scope := range []solve.Scope{solve.Both, solve.WholeOnly} {
			t.Run(fmt.Sprintf("game=%s,algo=%s,limit=%d,scope=%d", c.id, c.algo, c.limit, scope), func(t *testing.T) {
				g := &counted{Game: onBoard(t, c.id, c.rules), all: new([]*copyOf), mu: new(sync.Mutex)}
				order := solve.AllOrdering()
				order.Learn = false // rehearsals have one thread
				const threads = 3
				// A thread that yields lets the others work, even on a machine with one
				// processor.
				r, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Algo: c.algo, Limit: c.limit, Scope: scope, Threads: threads,
					Nodes: 150_000, Memory: 16 << 20, Ordering: &order, Yield: runtime.Gosched})
				if err != nil {
					t.Fatal(err)
				}
				var by [threads]int64
				for _, of := range *g.all {
					for i, c := range of.copies[:min(threads, len(of.copies))] {
						by[i] += c.moves.Load()
					}
				}
				for i, n := range by {
					if n < int64(r.Total.Nodes)/20 {
						t.Errorf("thread %d of %d makes %d moves, all visit %d positions: %d", i, threads, n, r.Total.Nodes, by)
					}
				}
			})
		}
	}
}
