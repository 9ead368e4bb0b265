package prove

import (
	"context"
	"sync/atomic"

	"perfectplay/bitboard"
)

// solver is [Prover.Solver].
func (p *prover64) solver(ctx context.Context, claim Claim) Strategy {
	s := p.pool[0]
	stop := new(atomic.Bool)
	s.stop, s.shared, s.limit, s.quit, s.turnEnd, s.alone = stop, new(atomic.Uint64), 0, false, 0, true
	context.AfterFunc(ctx, func() { stop.Store(true) }) // stop belongs to this solver: the searcher may have another by then
	return &solver64{p: p, s: s, claim: claim}
}

type solver64 struct {
	p     *prover64
	s     *searcher64
	claim Claim
}

// Answer implements [Strategy].
func (v *solver64) Answer(x, o bitboard.Set128, seat int) (Answer, bool) {
	a, d := narrow64(x), narrow64(o)
	if v.claim.Attacker == 1 {
		a, d = d, a
	}
	attack := seat == v.claim.Attacker
	answer := v.hold
	if v.claim.Win {
		answer = v.win
	}
	ans, ok := answer(a, d, attack)
	return ans, ok && !v.s.stop.Load() // a search that was stopped has no answer
}

// win finds the attacker's move in a won position.
func (v *solver64) win(a, d bitboard.Set64, attack bool) (Answer, bool) {
	if !attack {
		return Answer{}, false
	}
	m := v.s.proved(a, d, true)
	if m < 0 { // the table has lost the move: search again, which stores it
		if win, _ := v.p.run(v.s, 0, a, d, true); win {
			m = v.s.proved(a, d, true)
		}
	}
	return Answer{Move: m}, m >= 0
}

// hold finds the defender's reply, or a claim.
func (v *solver64) hold(a, d bitboard.Set64, attack bool) (Answer, bool) {
	s := v.s
	l := s.l
	free := l.Cells.AndNot(a.Or(d))
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	s.look(a, d, va, vd)
	threats := va.threats.Or(vd.threats)
	if threats.IsEmpty() {
		if _, ok := s.pair.cover(l, va, a, free, s.holdsBelow(attack)); ok {
			ans := Answer{Move: -1}
			for _, p := range s.pair.pairs[:s.pair.used] {
				ans.Pairs = append(ans.Pairs, [2]int{p.Min(), p.Max()})
			}
			return ans, true
		}
	}
	switch {
	case attack:
		return Answer{}, false
	case !threats.Or(vd.doubles).IsEmpty():
		return Answer{Move: s.proved(a, d, false)}, true
	}
	for range 2 {
		if f, ok := s.load(s.key(a, d, false, va, vd)); ok && f.verdict == refuted && f.move != noMove64 && free.Has(int(f.move)) && !f.word.IsEmpty() {
			if win, _, _ := s.search(a, d.Or(bitboard.Cell64(int(f.move))), true, 1, endless); !win {
				return Answer{Move: int(f.move)}, true
			}
		}
		if win, _, _ := s.search(a, d, false, 0, endless); win {
			return Answer{}, false
		}
		s.look(a, d, va, vd)
	}
	// The entry is lost again: try all replies.
	for x := free; !x.IsEmpty(); x = x.DropMin() {
		if win, _, _ := s.search(a, d.Or(x.First()), true, 1, endless); !win {
			return Answer{Move: x.Min()}, true
		}
	}
	return Answer{}, false
}
