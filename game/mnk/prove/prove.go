package prove

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// prover64 answers questions about one game of at most 64 cells and keeps its table
// between them, see [Prover].
type prover64 struct {
	g    *mnk.Game
	opt  Options
	t    *facts64
	pool []*searcher64
}

func newProver64(g *mnk.Game, opt Options) (*prover64, error) {
	opt.Memory = cmp.Or(opt.Memory, 256<<20)
	opt.Threads = cmp.Or(max(opt.Threads, 0), runtime.GOMAXPROCS(0))
	opt.Cuts.SymmetryTo = cmp.Or(opt.Cuts.SymmetryTo, 10)
	opt.Cuts.PairingFrom = cmp.Or(opt.Cuts.PairingFrom, 8)
	forLambda := int64(0)
	if !opt.Cuts.NoLambda {
		forLambda = max(0, min(opt.Memory/lambdaShare, opt.Memory-MinMemory, int64(opt.Threads)*lambdaCache))
	}
	t, err := openFacts64(opt.Memory-forLambda, g)
	if err != nil {
		return nil, err
	}
	dear := uint64(math.MaxUint64)
	if opt.Book != nil {
		dear = cmp.Or(opt.BookNodes, defaultBookNodes)
		t.keep = &keeper{g, opt.Book}
	}
	p := &prover64{g: g, opt: opt, t: t}
	reporter := newReporter(opt.Progress)
	for i := range opt.Threads {
		s := &searcher64{yield: opt.Yield, reporter: reporter, l: g.Lines64(), syms: g.Symmetries64(), t: t, cuts: opt.Cuts, dear: dear}
		if opt.Method == ProofNumbers {
			s.noise = uint64(i) * 0x9e3779b97f4a7c15
		}
		if !opt.Cuts.NoLambda {
			s.lam = newLambda64(s.l, forLambda/int64(opt.Threads))
		}
		p.pool = append(p.pool, s)
	}
	return p, nil
}

func (p *prover64) bound(nodes uint64) { p.opt.Nodes = nodes }

func (p *prover64) keeper() *keeper { return p.t.keep }

func (p *prover64) close() error { return p.t.t.Close() }

// ask is [Prover.CanWin].
func (p *prover64) ask(ctx context.Context, x, o bitboard.Set128, seat, attacker int) Result {
	start := time.Now()
	var stop atomic.Bool
	var nodes atomic.Uint64
	cancel := context.AfterFunc(ctx, func() { stop.Store(true) })
	defer cancel()
	if ctx.Err() != nil {
		return Result{Move: -1}
	}
	a, d := narrow64(x), narrow64(o)
	if attacker == 1 {
		a, d = d, a
	}
	for _, s := range p.pool {
		s.nodes, s.told, s.hits, s.byCut = 0, 0, 0, [leafKinds]uint64{}
		s.stop, s.shared, s.limit, s.alone = &stop, &nodes, p.opt.Nodes, false
	}
	res := Result{Move: -1}
	if p.t.keep != nil { // answered by the book: proof numbers would look at all moves first
		if f, ok := p.pool[0].known(a, d, seat == attacker); ok {
			res.Known, res.Won = true, f.verdict == won
		}
	}
	for !res.Known {
		var mu sync.Mutex
		var wg sync.WaitGroup
		var c *team64
		if len(p.pool) > 1 && p.opt.Method != ProofNumbers {
			c = newTeam64(p.pool)
		}
		for _, s := range p.pool {
			s.team, s.depth = c, 0
			s.news.Store(false)
		}
		for i, s := range p.pool {
			wg.Go(func() {
				win, known := p.run(s, i, a, d, seat == attacker)
				mu.Lock()
				defer mu.Unlock()
				if known && !stop.Load() && !res.Known {
					res.Known, res.Won = true, win
					stop.Store(true)
				}
			})
		}
		wg.Wait()
		if res.Known || ctx.Err() != nil || !p.t.crowded() || p.opt.Nodes > 0 && nodes.Load() > p.opt.Nodes {
			break
		}
		p.t.t.Grow()
		stop.Store(false)
		if ctx.Err() != nil { // the context may have ended before stop was cleared
			break
		}
	}
	for _, s := range p.pool {
		s.team = nil
		s.news.Store(false)
		res.Nodes += s.nodes
		res.Hits += s.hits
		for i, n := range s.byCut {
			res.Leaves[i] += n
		}
	}
	res.Elapsed = time.Since(start)
	res.Fill = p.t.filled()
	if res.Known && res.Won == (seat == attacker) {
		res.Move = p.pool[0].proved(a, d, res.Won)
	}
	if p.t.keep != nil && res.Known { // a position decided without search has no entry in the table
		if f, ok := p.pool[0].known(a, d, seat == attacker); ok {
			p.t.learn(a, d, seat == attacker, f, res.Nodes)
		}
	}
	return res
}

// recall stores an earlier proof. It stores all pictures of the position unless the
// table's keys choose one. Nobody may search meanwhile.
func (p *prover64) recall(known Proof) {
	x, o, attack := known.sides()
	a, d := narrow64(x), narrow64(o)
	f := fact64{known.verdict(), noMove64, narrow64(known.Zone)}
	if known.Move >= 0 {
		f.move = uint8(known.Move)
	}
	s := p.pool[0]
	pictures := s.syms
	if !s.cuts.NoSymmetry && a.Or(d).Count() <= s.cuts.SymmetryTo {
		pictures = pictures[:1]
	}
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	for _, picture := range pictures {
		ta, td, tf := picture.Apply(a), picture.Apply(d), f
		s.turned(&tf, picture)
		s.look(ta, td, va, vd)
		s.store(s.key(ta, td, attack, va, vd), tf, known.Nodes)
	}
	p.t.used.Add(s.fresh)
	s.fresh = 0
	if p.t.crowded() {
		p.t.t.Grow()
	}
}

// run searches on thread i, or helps the first thread; known says that win is the answer
// unless the search was stopped. A thread that does both searches alternates between them
// in turns of growing length; each finds the other's proofs in the table.
func (p *prover64) run(s *searcher64, i int, a, d bitboard.Set64, attack bool) (win, known bool) {
	zones := func() bool {
		left, sure := endless, false
		if p.opt.Method == Deepening {
			left = 1
		}
		for ; !sure; left++ {
			if win, _, sure = s.search(a, d, attack, 0, left); s.over() {
				break
			}
		}
		return win
	}
	numbers := func() bool {
		phi, _ := s.proofNumbers(a, d, attack, infinitePN, infinitePN, 0)
		return phi == 0
	}
	s.quit, s.turnEnd, s.helpEnd = false, 0, 0
	both := p.opt.Method == Mixed && (len(p.pool) == 1 || i%4 == 1)
	switch {
	case p.opt.Method == ProofNumbers:
		return numbers(), true
	case i > 0 && !both:
		s.assist()
		return false, false
	case s.team != nil && i == 0:
		defer s.team.finish()
	}
	if !both {
		return zones(), true
	}
	const zoneTurn = 4 // turns of zones are longer: most of the work is refutation
	for turn := uint64(1 << 14); ; turn *= 4 {
		s.turnEnd = s.nodes + turn
		win = numbers()
		if s.quit && !s.stop.Load() {
			if s.quit, s.turnEnd = false, 0; i > 0 {
				if s.helpEnd = s.nodes + zoneTurn*turn; !s.assist() {
					return false, false
				}
				continue
			}
			s.turnEnd = s.nodes + zoneTurn*turn
			win = zones()
		}
		if !s.quit || s.stop.Load() {
			s.quit, s.turnEnd = false, 0
			return win, true
		}
		s.quit = false
	}
}
