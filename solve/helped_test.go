package solve

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/internal/table"
)

func (s *toyState) path() (nodes []int, first int) { return s.line, s.first }

// helper acts as another thread: while a worker searches a toy, it writes truths about positions
// of the worker's line to the table, so that the worker gives up there and continues above.
type helper struct {
	rng   *rand.Rand
	toy   *toy
	truth *brute
	pool  *pool
	every int // average number of polls from one truth to the next
}

func (h *helper) help() {
	w := h.pool.workers[0]
	w.sh.joined.Store(true)
	if h.rng.IntN(h.every) > 0 {
		return
	}
	nodes, first := w.state.(interface{ path() ([]int, int) }).path()
	known := 0
	for known < w.ply && w.shares(w.frames[known].d) {
		known++
	}
	if known == 0 {
		return
	}
	ply := h.rng.IntN(known)
	f, node, seat := &w.frames[ply], nodes[ply], (first+ply)%h.toy.seats
	v := h.truth.at(node, seat, forever)
	// less returns n or a weaker bound.
	less := func(n int) int {
		if h.rng.IntN(2) == 0 {
			return min(n, h.rng.IntN(8))
		}
		return n
	}
	p := table.Payload{}
	if h.truth.hero < 0 {
		var o outlook
		switch {
		case v.winner >= 0 && h.rng.IntN(2) == 0:
			o.decided, o.winner, o.distance = true, v.winner, v.distance
		default:
			for s := range h.toy.seats {
				if o.over[s] = less(endless); s == v.winner {
					o.over[s] = less(v.distance - 1)
				}
			}
		}
		p = o.pack(game.NoMove, seat, h.toy.seats)
	} else {
		b := bounds{less(infinite), infinite, less(infinite), infinite}
		over, by, other := &b.winOver, &b.winBy, &b.lossOver
		if (v.value == game.Win) != (seat == h.truth.hero) {
			over, by, other = &b.lossOver, &b.lossBy, &b.winOver
		}
		if v.value != game.Draw {
			if *over = less(v.distance - 1); h.rng.IntN(2) == 0 {
				*by, *other = v.distance, infinite
			}
		}
		p = pack(b, game.NoMove)
	}
	w.tab.Store(f.key[:], f.hash, p, table.Effort(1))
}

// TestHelped: whatever truths other threads write to the table while a worker searches, it gives
// the answers of the reference. An answer is final only if more plies change nothing.
func TestHelped(t *testing.T) {
	games := 6000
	if testing.Short() || raceEnabled {
		games = 600
	}
	gaveUp := 0
	for seed := range uint64(games) {
		rng := rand.New(rand.NewPCG(seed, 12))
		seats := 1 + int(seed)%4
		hero, algo := rng.IntN(seats), []Algo{Paranoid, Paranoid, MaxN, MaxN, MaxN, Proof}[rng.IntN(6)]
		o := Options{Algo: algo, Threads: 1, Hero: &hero, NoBound: rng.IntN(3) > 0}
		h := &helper{rng: rng, every: 1 + rng.IntN(30)}
		if algo == MaxN {
			o.Hero, hero = nil, -1
		}
		// Distant wins show most.
		for plies := 4 * (2 + rng.IntN(8)); ; plies-- {
			h.toy = newToy(rng, seats, rng.IntN(2) == 0)
			h.truth = &brute{t: h.toy, hero: hero}
			if h.toy.outcome(0, 0) == game.Ongoing && h.truth.at(0, 0, forever).distance >= plies/4 {
				break
			}
		}
		g := h.toy
		if rng.IntN(3) == 0 {
			g.abilities = abilities{keys: true}
		}
		o.Yield = h.help
		c, stop := testPool(t, g, g.Start(), o)
		h.pool = c
		var counts Counts
		first := max(1, h.truth.at(0, 0, forever).distance-rng.IntN(6))
		for depth := first; depth < first+6; depth++ {
			if err := h.ask(depth, rng.IntN(2), &counts); err != nil {
				t.Fatalf("seed %d, %d seats, %s: %v", seed, seats, algo, err)
			}
			if c.workers[0].upTo > 0 {
				gaveUp++
			}
		}
		stop()
	}
	if gaveUp < games/10 {
		t.Errorf("a search was answered from outside %d times in %d games", gaveUp, games)
	}
}

func (h *helper) ask(depth, side int, counts *Counts) error {
	within, ever := h.truth.at(0, 0, depth), h.truth.at(0, 0, forever)
	switch h.pool.sh.plan.algo {
	case MaxN:
		ans, _, _ := h.pool.run(counts, asksMaxN(depth))
		if !ans.exact || ans.a != within.winner || ans.a >= 0 && depth+1-ans.b != within.distance || !ans.horizon && ans.a != ever.winner {
			return fmt.Errorf("%+v within %d plies, in truth %+v, at last %+v", ans, depth, within, ever)
		}
	default:
		won, final, ok := h.pool.wins(side, depth, counts)
		if !ok {
			return h.pool.sh.failed
		}
		wanted := game.Win // value for the hero if the side to move wins
		if (h.truth.hero == 0) != (side == 0) {
			wanted = game.Loss
		}
		if won != (within.value == wanted) || final && ever.value == wanted {
			return fmt.Errorf("side %d wins: %v, never: %v within %d plies, in truth %+v, at last %+v", side, won, final, depth, within, ever)
		}
	}
	return nil
}
