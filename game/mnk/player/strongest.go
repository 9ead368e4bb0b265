package player

import (
	"errors"
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
	"perfectplay/game/wing"
)

// strongest is the strongest player. It completes and blocks windows, wins by threats if it
// can, and asks the prover, if the board and the time allow, in this order: can I win; does
// the opponent fail to win, and after which cells; which cells lose by a proof found
// quickly. Among cells of equal proved value it sets traps. Otherwise the search decides,
// among cells that are not proved to lose.
type strongest struct {
	g     *mnk.Game
	s     *search
	nodes uint64        // positions for a move of a level without prover; 0 for play by the clock
	p     *prove.Prover // nil if the board does not fit
	traps *prove.Prover // a prover for traps, with a limit of nodes
}

// trapNodes limits the proofs that look for traps, since there are many.
const trapNodes = 1000

// provable is the largest number of empty cells of positions that are worth a prover's
// time.
const provable = 64

// mostTable is the largest table of the search, in bytes.
const mostTable = 64 << 20

func newStrongest(g *mnk.Game, o wing.Resources, nodes uint64) (_ *strongest, err error) {
	q := &strongest{g: g, nodes: nodes}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("player: %w", err), q.Close())
		}
	}()
	own := min(o.Memory, mostTable)
	if nodes == 0 && prove.Fits(g) {
		own = min(o.Memory/4, mostTable)
		small := max(o.Memory/16, prove.MinMemory)
		if q.p, err = prove.New(g, prove.Options{Memory: max(o.Memory-small-own, prove.MinMemory), Threads: o.Threads}); err != nil {
			return q, err
		}
		if q.traps, err = prove.New(g, prove.Options{Memory: small, Threads: 1, Nodes: trapNodes, Method: prove.Zones}); err != nil {
			return q, err
		}
	}
	if nodes > 0 {
		o.Threads = 1
	}
	q.s, err = newSearch(g, own, o.Threads)
	return q, err
}

// Close releases the tables.
func (q *strongest) Close() (err error) {
	if q.s != nil {
		err = q.s.close()
	}
	for _, p := range []*prove.Prover{q.p, q.traps} {
		if p != nil {
			err = errors.Join(err, p.Close())
		}
	}
	return err
}

func (q *strongest) choose(t *turn, s *mnk.Plain) {
	f, me := q.s.f, s.Seat()
	f.follow(s)
	if q.nodes > 0 && (t.limit == 0 || q.nodes < t.limit) {
		t.limit = q.nodes
	}
	q.s.limit = t.limit
	if forced(t, f, me) {
		return
	}
	if q.p == nil || f.cells-f.n > provable {
		q.search(t, me, nil)
		return
	}
	q.s.stop, q.s.over, q.s.nodes = t.passed, false, 0
	if b, won := q.s.decide(me, firstRoom); won {
		t.propose(int(b.c), "%s", b.note(0))
		return
	}
	q.prove(t, me)
}

// firstRoom is the number of positions that the search for threats visits before a prover
// is asked.
const firstRoom = 4000

// forced proposes the cell that completes a window of player me or else of the opponent,
// and reports whether there is one.
func forced(t *turn, f *field, me int) bool {
	if own := f.complete[me].list; len(own) > 0 {
		t.propose(int(slices.Min(own)), "completes a line")
		return true
	}
	foes := f.complete[1-me].list
	switch len(foes) {
	case 0:
		return false
	case 1:
		t.propose(int(foes[0]), "blocks a line")
	default:
		t.propose(int(slices.Min(foes)), "is lost: two lines to block")
	}
	return true
}

// search chooses by looking ahead.
func (q *strongest) search(t *turn, me int, veto []bool) {
	q.s.veto = veto
	most := deepest
	if t.depth > 0 {
		most = t.depth
	}
	q.s.choose(me, most, t.passed, func(b *found) { t.propose(int(b.c), "%s", b.note(q.s.visited()+t.proving)) })
}

// stones are the sets of the two players.
type stones [2]bitboard.Set128

// with returns the stones after one more.
func (x stones) with(c int32, seat int) stones {
	x[seat] = x[seat].With(int(c))
	return x
}

// ask asks a prover whether an attacker can win, up to a share of the time.
func ask(t *turn, p *prove.Prover, x stones, seat, attacker int, share float64) prove.Result {
	if t.stall != nil {
		t.stall()
	}
	ctx, cancel := t.until(share)
	defer cancel()
	r := p.CanWin(ctx, x[0], x[1], seat, attacker)
	t.proving += r.Nodes
	if ctx.Err() != nil {
		t.late(share)
	}
	return r
}

// The shares of the time at which questions are given up.
const (
	shareWin  = 0.3 // can I win
	shareHold = 0.6 // can the opponent
	shareRule = 0.8 // which cells lose
	shareTrap = 0.9 // which cells set traps
)

// ruleOut is the number of cells looked at if the value is not known.
const ruleOut = 24

// prove chooses by asking the prover.
func (q *strongest) prove(t *turn, me int) {
	var x stones
	for _, c := range q.s.f.stack {
		x[q.s.f.cell[c]-1] = x[q.s.f.cell[c]-1].With(int(c))
	}
	q.s.veto = nil
	cells := slices.Clone(q.s.moves(me, 0, q.g.Cells(), -1))
	t.propose(int(cells[0].c), "open windows")
	if r := ask(t, q.p, x, me, me, shareWin); r.Known && r.Won {
		if r.Move < 0 { // the table has lost the move: search for it again
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
func (q *strongest) winning(t *turn, x stones, me int, cells []cellWorth) int {
	for _, m := range cells {
		if r := ask(t, q.p, x.with(m.c, me), 1-me, me, shareHold); r.Known && r.Won {
			return int(m.c)
		}
	}
	return -1
}

// holding asks after which cells the opponent cannot win. It returns the cells for which that is
// proved, and the undecided cells; the others lose. The first proved cell becomes the answer. whole
// is the result for the position before the move. If it says that the opponent cannot win, some
// cell holds, and the search for that cell gets more time.
func (q *strongest) holding(t *turn, x stones, me int, cells []cellWorth, whole prove.Result) (held, open []cellWorth) {
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
			until = min(until, shareHold) // one proved cell is enough: less time for the others
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

// trapCells is the number of cells tried as traps.
const trapCells = 12

// setTrap chooses among cells of equal value, the preferred first, the one after which natural
// replies give away most: the draw, or, with lost, the opponent's win. The reply that looks
// n-th best counts 1/n. It reports whether there is such a cell.
func (q *strongest) setTrap(t *turn, x stones, me int, cells []cellWorth, lost bool) bool {
	top := 0.0
	for _, m := range cells[:min(len(cells), trapCells)] {
		q.s.f.put(m.c, me)
		threat := len(q.s.f.complete[me].list) > 0
		replies := q.s.moves(1-me, 1, q.g.Cells(), -1)
		q.s.f.take()
		if threat { // the reply is obvious
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
