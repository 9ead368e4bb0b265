package player

import (
	"errors"
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
)

// perfect is our player. On boards of at most 64 cells it asks the prover, in
// this order and as far as the time goes: can I win; does the opponent fail to
// win, and which cells keep it so; which cells lose by a proof found quickly.
// Among cells of equal proved value it sets traps. On larger boards with k of 9
// or more a guard says which cells hold. What all this leaves open is decided by
// the local search.
type perfect struct {
	g     *mnk.Game
	f     *field
	l     local
	p     *prove.Prover // up to 64 cells
	traps *prove.Prover // with a limit of nodes
	pairs *guard        // above 64 cells for k ≥ 9
}

// trapNodes limits the proofs that look for traps, which are many.
const trapNodes = 1000

func newPerfect(g *mnk.Game, o Options) (*perfect, error) {
	q := &perfect{g: g, f: newField(g)}
	q.l.f = q.f
	switch {
	case g.Lines() != nil:
		small := max(o.Memory/16, prove.MinMemory)
		p, err := prove.New(g, prove.Options{Memory: max(o.Memory-small, prove.MinMemory), Threads: o.Threads})
		if err != nil {
			return nil, fmt.Errorf("player: %w", err)
		}
		traps, err := prove.New(g, prove.Options{Memory: small, Threads: 1, Nodes: trapNodes, Method: prove.Zones})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("player: %w", err), p.Close())
		}
		q.p, q.traps = p, traps
	case g.K() >= PlaneK:
		q.pairs = newGuard(q.f)
	}
	return q, nil
}

// Close gives the provers' tables back.
func (q *perfect) Close() error {
	if q.p == nil {
		return nil
	}
	return errors.Join(q.p.Close(), q.traps.Close())
}

func (q *perfect) choose(t *turn, s *mnk.Plain) {
	f, me := q.f, s.Seat()
	f.follow(s)
	if forced(t, f, me) {
		return
	}
	if q.p != nil {
		q.prove(t, me)
		return
	}
	if q.pairs == nil {
		q.search(t, me, nil)
		return
	}
	veto, _ := q.pairs.veto(me)
	q.search(t, me, veto)
}

// search is the local search.
func (q *perfect) search(t *turn, me int, veto []bool) {
	q.l.veto = veto
	q.l.choose(me, 40, t.over, func(c int32, v int64, d int) {
		if v > winScore/2 {
			t.propose(int(c), "sees a win in %d plies", winScore-v)
			return
		}
		t.propose(int(c), "searched %d plies, %d nodes", d, q.l.nodes)
	})
}

// stones are the sets of the two players.
type stones [2]bitboard.Set128

// with returns the stones after one more.
func (x stones) with(c int32, seat int) stones {
	x[seat] = x[seat].With(int(c))
	return x
}

// ask asks a prover whether an attacker can win, until a share of the time.
func ask(t *turn, p *prove.Prover, x stones, seat, attacker int, share float64) prove.Result {
	if t.stall != nil {
		t.stall()
	}
	ctx, cancel := t.until(share)
	defer cancel()
	return p.CanWin(ctx, x[0], x[1], seat, attacker)
}

// The shares of the time at whose ends the questions are given up.
const (
	shareWin  = 0.3 // can I win
	shareHold = 0.6 // can the opponent
	shareRule = 0.8 // which cells lose
	shareTrap = 0.9 // which cells set traps
)

// ruleOut is how many cells are looked at if the value is not known.
const ruleOut = 24

// prove asks the prover.
func (q *perfect) prove(t *turn, me int) {
	var x stones
	for _, c := range q.f.stack {
		x[q.f.cell[c]-1] = x[q.f.cell[c]-1].With(int(c))
	}
	q.l.veto = nil
	cells := append([]scoredCell(nil), q.l.moves(me, 0, q.g.Cells())...)
	t.propose(int(cells[0].c), "open windows")
	if r := ask(t, q.p, x, me, me, shareWin); r.Known && r.Won {
		if r.Move < 0 { // the table has lost the move, but not all below it
			r.Move = q.winning(t, x, me, cells)
		}
		if r.Move >= 0 {
			t.propose(r.Move, "proved a win")
			return
		}
	}
	hold := ask(t, q.p, x, me, 1-me, shareHold)
	if hold.Known && hold.Won {
		if !q.setTrap(t, x, me, cells, true) {
			q.search(t, me, nil)
		}
		return
	}
	if hold.Known && hold.Move >= 0 {
		t.propose(hold.Move, "proved that the opponent cannot win")
	}
	held, open := q.holding(t, x, me, cells, hold)
	if len(held) > 0 {
		q.setTrap(t, x, me, held, false)
		return
	}
	if hold.Known && hold.Move >= 0 {
		return
	}
	var veto []bool
	if len(open) > 0 {
		veto = make([]bool, q.g.Cells())
		for c := range veto {
			veto[c] = true
		}
		for _, m := range open {
			veto[m.c] = false
		}
	}
	q.search(t, me, veto)
}

// winning returns a cell after which the opponent to move cannot stop the win,
// or −1.
func (q *perfect) winning(t *turn, x stones, me int, cells []scoredCell) int {
	for _, m := range cells {
		if r := ask(t, q.p, x.with(m.c, me), 1-me, me, shareHold); r.Known && r.Won {
			return int(m.c)
		}
	}
	return -1
}

// holding asks after which cells the opponent cannot win, and returns those for
// which that is proved and those that are undecided; the cells in neither lose.
// The first one proved becomes the answer. whole is what is known of the position:
// if the opponent cannot win it, some cell holds, which is worth more time.
func (q *perfect) holding(t *turn, x stones, me int, cells []scoredCell, whole prove.Result) (held, open []scoredCell) {
	share, end := shareHold, shareRule
	if whole.Known {
		end = shareTrap
	} else {
		cells = cells[:min(len(cells), ruleOut)]
	}
	step := (end - share) / float64(len(cells))
	for i, m := range cells {
		if t.over() {
			return held, append(open, cells[i:]...)
		}
		until := share + step
		if len(held) > 0 {
			until = min(until, shareHold) // one is enough
		}
		share += step
		known, won := whole.Known && int(m.c) == whole.Move, false
		if !known {
			r := ask(t, q.p, x.with(m.c, me), 1-me, 1-me, until)
			known, won = r.Known, r.Won
		}
		switch {
		case !known:
			open = append(open, m)
		case !won:
			if held = append(held, m); len(held) == 1 {
				t.propose(int(m.c), "proved that the opponent cannot win")
			}
		}
	}
	return held, open
}

// trapCells is how many cells are tried as traps.
const trapCells = 12

// setTrap chooses among cells of equal value, given as they look to us, the one
// after which the replies that look best to the opponent throw away something:
// the draw, or with lost his win. A reply counts 1/n if it looks n-th best. It
// reports whether there is any.
func (q *perfect) setTrap(t *turn, x stones, me int, cells []scoredCell, lost bool) bool {
	top := 0.0
	for _, m := range cells[:min(len(cells), trapCells)] {
		q.f.put(m.c, me)
		threat, _ := q.f.completes(me)
		replies := q.l.moves(1-me, 1, q.g.Cells())
		q.f.take()
		if threat >= 0 { // everyone sees the reply
			continue
		}
		y := x.with(m.c, me)
		score := 0.0
		for i, r := range replies {
			if t.over() {
				return top > 0
			}
			z := y.with(r.c, 1-me)
			attacker := me
			if lost {
				attacker = 1 - me
			}
			if a := ask(t, q.traps, z, me, attacker, shareTrap); a.Known && a.Won != lost {
				score += 1 / float64(i+1)
			}
		}
		if score > top {
			top = score
			note := "proved that the opponent cannot win"
			if lost {
				note = "is lost"
			}
			t.propose(int(m.c), "%s, sets a trap", note)
		}
	}
	return top > 0
}
