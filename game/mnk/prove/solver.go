package prove

import (
	"context"
	"math/bits"
	"sync/atomic"
)

// solver is [Prover.Solver].
func (p *prover) solver(ctx context.Context, claim Claim) Strategy {
	s := p.pool[0]
	stop := new(atomic.Bool)
	s.stop, s.shared, s.limit, s.quit, s.turnEnd, s.alone = stop, new(atomic.Uint64), 0, false, 0, true
	context.AfterFunc(ctx, func() { stop.Store(true) }) // the searcher may have another by then
	return &solver{p: p, s: s, claim: claim}
}

type solver struct {
	p     *prover
	s     *searcher
	claim Claim
}

// answer is Answer.
func (v *solver) answer(x, o uint64, seat int) (Answer, bool) {
	a, d := x, o
	if v.claim.Attacker == 1 {
		a, d = o, x
	}
	attack := seat == v.claim.Attacker
	answer := v.hold
	if v.claim.Win {
		answer = v.win
	}
	ans, ok := answer(a, d, attack)
	return ans, ok && !v.s.stop.Load() // a search that was stopped knows nothing
}

// win finds the attacker's move in a won position.
func (v *solver) win(a, d uint64, attack bool) (Answer, bool) {
	if !attack {
		return Answer{}, false
	}
	s := v.s
	if m := s.winningMove(a, d); m >= 0 {
		return Answer{Move: m}, true
	}
	// The table has lost it: search again, which stores the move at the end.
	if win, _ := v.p.run(s, 0, a, d, true); win {
		if m := s.winningMove(a, d); m >= 0 {
			return Answer{Move: m}, true
		}
	}
	return Answer{}, false
}

// hold finds the defender's reply, or a claim.
func (v *solver) hold(a, d uint64, attack bool) (Answer, bool) {
	s := v.s
	l := s.l
	free := l.Cells &^ (a | d)
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	s.look(a, d, va, vd)
	if !attack && vd.threats != 0 {
		return Answer{Move: bits.TrailingZeros64(vd.threats)}, true
	}
	if va.threats == 0 || !attack && va.threats&(va.threats-1) == 0 {
		if _, ok := s.pair.cover(l, va, a, free, s.holdsBelow(attack)); ok {
			ans := Answer{Move: -1}
			for _, p := range s.pair.pairs[:s.pair.used] {
				ans.Pairs = append(ans.Pairs, [2]int{bits.TrailingZeros64(p), 63 - bits.LeadingZeros64(p)})
			}
			return ans, true
		}
	}
	if attack {
		return Answer{}, false
	}
	switch {
	case va.threats != 0:
		return Answer{Move: bits.TrailingZeros64(va.threats)}, true
	case vd.doubles != 0:
		return Answer{Move: bits.TrailingZeros64(vd.doubles)}, true
	}
	for range 2 {
		x, y, sym := s.key(a, d, va, vd)
		if f, ok := s.load(x, y, 0, sym); ok && f.verdict == refuted && f.move != noMove && free>>f.move&1 != 0 && f.word != 0 {
			if win, _, _ := s.attack(a, d|1<<f.move, 1, endless); !win {
				return Answer{Move: int(f.move)}, true
			}
		}
		if win, _, _ := s.defend(a, d, 0, endless); win {
			return Answer{}, false
		}
		s.look(a, d, va, vd)
	}
	// The entry was lost again: find the reply by trying all.
	for x := free; x != 0; x &= x - 1 {
		if win, _, _ := s.attack(a, d|x&-x, 1, endless); !win {
			return Answer{Move: bits.TrailingZeros64(x)}, true
		}
	}
	return Answer{}, false
}
