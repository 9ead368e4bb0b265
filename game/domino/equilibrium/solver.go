package equilibrium

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// part is one root on its way to an equilibrium.
type part[S real] struct {
	*tree
	Root
	regrets, sums []S
	done          int // iterations

	cut     uint32
	walkers []*walker[S, S]
}

func newPart[S real](rules Rules, root Root) (*part[S], error) {
	t, err := newTree(rules, root.State)
	if err != nil {
		return nil, err
	}
	n := t.skip[0].numbers
	return &part[S]{tree: t, Root: root, regrets: make([]S, n), sums: make([]S, n), cut: n / 256}, nil
}

// ones is a vector of hands that are all as likely.
func ones[V real](n int) []V {
	v := make([]V, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// walk is what a root is worth to a seat: out by its hands, in the root's order.
func walk[V, S real](p *part[S], ws []*walker[V, S]) (out []V) {
	me := ws[0].me
	reach := ones[V](int(binomial[p.State.Size[me^1]][p.State.Allowed[me^1].Len()]))
	out = make([]V, binomial[p.State.Size[me]][p.State.Allowed[me].Len()])
	w := ws[0]
	w.state, w.number, w.vectors, w.ranks = 0, 0, w.vectors[:0], w.ranks[:0]
	root := p.State
	if p.skip[0].numbers < 1<<14 {
		w.pass = whole
		w.visit(&root, reach, out)
		return out
	}
	w.pass, w.cut, w.tasks = collect, p.cut, nil
	w.visit(&root, reach, out)
	tasks := w.tasks
	var next atomic.Int64
	var all sync.WaitGroup
	for _, w := range ws {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return
				}
				t := &tasks[i]
				w.pass, w.state, w.number, w.vectors, w.ranks = whole, t.state, t.number, w.vectors[:0], w.ranks[:0]
				w.visit(&t.at, t.reach, t.out)
			}
		})
	}
	all.Wait()
	w.pass, w.tasks, w.state, w.number, w.vectors, w.ranks = combine, tasks, 0, 0, w.vectors[:0], w.ranks[:0]
	w.visit(&root, reach, out)
	return out
}

// iterate does one more iteration.
func (p *part[S]) iterate(threads int) {
	for len(p.walkers) < threads {
		p.walkers = append(p.walkers, &walker[S, S]{tree: p.tree, weights: p.regrets, sums: p.sums})
	}
	p.done++
	for _, me := range [2]uint8{1, 0} {
		for _, w := range p.walkers[:threads] {
			w.me, w.gain = me, S(p.done)*S(p.done)
		}
		walk(p, p.walkers[:threads])
	}
}

// value is what the best answer to the other's strategy, proportional to weights, is worth to a seat: a deal.
func (p *part[S]) answer(me uint8, weights []S, threads int) float64 {
	var ws []*walker[float64, S]
	for range threads {
		ws = append(ws, &walker[float64, S]{tree: p.tree, weights: weights, me: me, answers: true})
	}
	sum := 0.0
	for _, v := range walk(p, ws) {
		sum += v
	}
	return sum / float64(p.Deals)
}

// Solve is a trial.
func Solve(ctx context.Context, g Game, iterations, every, threads int, say func(string)) error {
	var parts []*part[float64]
	deals := uint64(0)
	for _, r := range g.Roots() {
		p, err := newPart[float64](g.Rules, r)
		if err != nil {
			return err
		}
		parts = append(parts, p)
		deals += r.Deals
	}
	for t := 1; t <= iterations; t++ {
		for _, p := range parts {
			p.iterate(threads)
		}
		if t%every == 0 {
			low, high := 0.0, 0.0
			for _, p := range parts {
				share := float64(p.Deals) / float64(deals)
				high += share * p.answer(0, p.sums, threads)
				low -= share * p.answer(1, p.sums, threads)
			}
			say(fmt.Sprintf("%d: %.9f … %.9f, gap %.3g", t, low, high, high-low))
		}
	}
	return nil
}
