package solve

import (
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// maker builds a game of two seats node by node, the start first, to test whether an answer is
// final.
type maker struct{ *toy }

func newMaker() maker { return maker{&toy{seats: 2, words: 1, abilities: abilities{keys: true}}} }

func (m maker) end(r game.Result) int { return m.node(r) }

func (m maker) node(r game.Result, edges ...int) int {
	m.edges, m.result = append(m.edges, edges), append(m.result, r)
	return len(m.edges) - 1
}

// walk adds a chain of nodes without a choice that reaches a node in a number of plies.
func (m maker) walk(to, plies int) int {
	for range plies {
		to = m.node(game.Ongoing, to)
	}
	return to
}

// race gives the game exact bounds on turns; lists says whether moves can be listed by them.
func (m maker) race(lists bool) {
	// makeTurns loosens some bounds: try seeds until none is loose.
	for seed := uint64(0); !m.lists; seed++ {
		m.turns = nil
		m.makeTurns(rand.New(rand.NewPCG(seed, 1)))
	}
	m.lists, m.abilities = lists, abilities{keys: true, race: true, gain: true, ahead: lists}
}

// asked searches whether a seat wins within depth plies from the start, and whether the answer
// is final. yield may act as another thread.
func (m maker) asked(t *testing.T, algo Algo, seat, depth int, yield func(w *worker)) (won, final bool) {
	t.Helper()
	hero := 0
	var c *pool
	o := Options{Algo: algo, Threads: 1, Hero: &hero, Ordering: new(Ordering)}
	if yield != nil {
		o.Yield = func() { yield(c.workers[0]) }
	}
	if algo == MaxN {
		o.Hero = nil
	}
	var stop func()
	c, stop = testPool(t, m, m.Start(), o)
	defer stop()
	var counts Counts
	if algo != MaxN {
		won, final, _ = c.wins(seat, depth, &counts)
		return won, final
	}
	ans, _, _ := c.run(&counts, asksMaxN(depth))
	return ans.a == seat, !ans.horizon
}

// TestFinalBesideHorizon: a seat has a way beyond the horizon and a win, and the other seat
// avoids both by ending the game. The draw is final.
func TestFinalBesideHorizon(t *testing.T) {
	for _, algo := range []Algo{Paranoid, MaxN} {
		for seat := range 2 {
			m := newMaker()
			start := m.node(game.Ongoing)
			if seat == 0 {
				m.edges[start] = []int{m.node(game.Ongoing)}
			}
			other := len(m.edges) - 1
			win := m.end(game.Result(seat))
			m.edges[other] = []int{m.node(game.Ongoing, m.walk(win, 30), m.walk(win, 2)), m.end(game.Drawn)}
			if won, final := m.asked(t, algo, seat, 9, nil); won || !final {
				t.Errorf("%s: seat %d wins %v, final %v, want a draw for good", algo, seat, won, final)
			}
		}
	}
}

// TestFarWayLeftOut: seat 0 can end the game, win beyond the horizon, or win soon if seat 1 lets
// it. The draw is not final, although bounds exclude the far way unsearched.
func TestFarWayLeftOut(t *testing.T) {
	for _, algo := range []Algo{Paranoid, MaxN} {
		for _, lists := range []bool{false, true} {
			m := newMaker()
			start := m.node(game.Ongoing)
			draw, win := m.end(game.Drawn), m.end(0)
			m.edges[start] = []int{draw, m.walk(win, 30), m.node(game.Ongoing, m.walk(win, 1), draw)}
			m.race(lists)
			if won, final := m.asked(t, algo, 0, 8, nil); won || final {
				t.Errorf("%s, moves listed %v: seat 0 wins %v, final %v, want an open draw", algo, lists, won, final)
			}
		}
	}
}

// TestNotFinalWhenHelped: seat 0 wins beyond the horizon by its first move. While a thread searches
// the second move, another thread finds that nobody wins there. This says nothing about the first
// move.
func TestNotFinalWhenHelped(t *testing.T) {
	for _, algo := range []Algo{Paranoid, MaxN} {
		m := newMaker()
		start := m.node(game.Ongoing)
		draw := m.end(game.Drawn)
		tree := []int{draw}
		for range 5 {
			tree = []int{m.node(game.Ongoing, tree...), m.node(game.Ongoing, append(tree, draw)...), m.node(game.Ongoing, draw, tree[0])}
		}
		second := m.node(game.Ongoing, tree...)
		m.edges[start] = []int{m.walk(m.end(0), 30), second}
		told := false
		won, final := m.asked(t, algo, 0, 8, func(w *worker) {
			w.sh.joined.Store(true)
			if nodes, _ := w.state.(interface{ path() ([]int, int) }).path(); w.ply >= 2 && nodes[1] == second {
				p := pack(bounds{infinite, infinite, infinite, infinite}, game.NoMove)
				if algo == MaxN {
					p = (&outlook{over: [maxSeats]int{endless, endless}}).pack(game.NoMove, 1, 2)
				}
				w.tab.Store(w.frames[1].key[:], w.frames[1].hash, p, table.Effort(1))
				told = true
			}
		})
		if won || final || !told {
			t.Errorf("%s: seat 0 wins %v, final %v, helped %v, want that the first move leaves it open", algo, won, final, told)
		}
	}
}

// TestSlowMoves: the only move fast enough for a win within few plies loses, a slow one wins.
// Moves left out count neither as a loss nor as a final draw.
func TestSlowMoves(t *testing.T) {
	for plies := 5; plies < 12; plies += 2 {
		m := newMaker()
		start := m.node(game.Ongoing)
		win := m.end(0)
		hasty := m.node(game.Ongoing, m.end(1), m.walk(win, 1))
		m.edges[start] = []int{hasty, m.walk(win, plies)}
		m.race(true)
		for limit := 1; limit < 14; limit++ {
			for _, algo := range []Algo{AlphaBeta, Proof, MaxN} {
				for bits := range 4 {
					hero := 0
					o := Options{Algo: algo, Hero: &hero, Limit: limit, Threads: 1, Memory: 1 << 16, Direct: bits&1 != 0, eager: bits&2 != 0}
					if algo == MaxN {
						o.Hero = nil
					}
					if err := checkToy(m.toy, o); err != nil {
						t.Errorf("a win in %d, %s, limit %d, %+v: %v", plies+1, algo, limit, o, err)
					}
				}
			}
		}
	}
}

// TestNoSafeMoveAtTheHorizon: all moves of seat 1 let seat 0 win one ply behind the horizon.
// Within it nobody wins, and that is not final.
func TestNoSafeMoveAtTheHorizon(t *testing.T) {
	for plies := range 4 {
		m := newMaker()
		start := m.node(game.Ongoing)
		win := m.walk(m.end(0), 1)
		m.edges[start] = []int{m.walk(m.node(game.Ongoing, win, win), 2*plies)}
		m.race(false)
		// A bound of one turn is true, but too weak to answer the question.
		for _, turns := range m.turns {
			for i := range turns {
				turns[i] = min(turns[i], 1)
			}
		}
		m.makers, m.safe = true, true
		for depth := range 2*plies + 4 {
			won, final := m.asked(t, AlphaBeta, 0, depth, nil)
			if far := depth < 2*plies+3; won == far || far && final {
				t.Errorf("a win in %d plies: within %d %v, final %v", 2*plies+3, depth, won, final)
			}
		}
	}
}
