package equilibrium

import (
	"context"
	"math"
	"slices"

	"perfectplay/internal/host"
)

// part is one root and its strategies.
type part[S real] struct {
	*tree
	Root
	regrets, sums []S     // indexed by the numbers of the tree
	done          int     // iterations done
	weight        float64 // weight of the last iteration's regrets
}

func newPart[S real](rules Rules, root Root, hands *tables) (*part[S], error) {
	t, err := newTree(rules, root.State, hands)
	if err != nil {
		return nil, err
	}
	n := t.skip[0].numbers
	return &part[S]{tree: t, Root: root, regrets: make([]S, n), sums: make([]S, n)}, nil
}

// A task is a subtree of at most 1/taskShare of the numbers. Trees below smallTree numbers have no
// tasks.
const (
	taskShare = 256
	smallTree = 1 << 14
)

// both is for both seats.
func both[S real](weights []S) [2][]S { return [2][]S{weights, weights} }

func (p *part[S]) hands(seat uint8) int {
	return int(binomial[p.State.Size[seat]][p.State.Allowed[seat].Len()])
}

// walk returns the values of a root for the walkers' seat, by hand. There is a walker for each
// thread; the result does not depend on their number.
func walk[V, S real](p *part[S], ws []*walker[V, S]) (out []V) {
	w := ws[0]
	reach, out := slices.Repeat([]V{1}, p.hands(w.me^1)), make([]V, p.hands(w.me))
	begin := func(w *walker[V, S], pass, state, number int) {
		w.pass, w.state, w.number, w.vectors, w.ranks = pass, state, number, w.vectors[:0], w.ranks[:0]
	}
	root := p.State
	if p.skip[0].numbers < smallTree {
		begin(w, whole, 0, 0)
		w.visit(&root, reach, out)
		return out
	}
	begin(w, collect, 0, 0)
	w.cut, w.tasks = p.skip[0].numbers/taskShare, nil
	w.visit(&root, reach, out)
	tasks := w.tasks
	_ = host.Parallel(context.Background(), ws, len(tasks), func(w *walker[V, S], i int) error {
		t := &tasks[i]
		begin(w, whole, t.state, t.number)
		w.visit(&t.at, t.reach, t.out)
		return nil
	})
	begin(w, combine, 0, 0)
	w.tasks = tasks
	w.visit(&root, reach, out)
	w.tasks = nil
	return out
}

// learn iterates up to a number of iterations, or until the context is done. In each, the second
// player learns, then the starter against the new strategy.
func (p *part[S]) learn(ctx context.Context, until, threads int) {
	ws := make([]*walker[S, S], threads)
	for i := range ws {
		ws[i] = &walker[S, S]{tree: p.tree, weights: both(p.regrets), sums: p.sums}
	}
	for p.done < until && ctx.Err() == nil {
		p.done++
		p.weight = weight(p.done, p.weight)
		for _, me := range [2]uint8{1, 0} {
			for _, w := range ws {
				w.me, w.gain, w.weight = me, S(p.done)*S(p.done), S(p.weight)
			}
			walk(p, ws)
		}
	}
}

// weight is the weight of the regrets of iteration t, given the weight before. DCFR with α = 3/2
// multiplies earlier regrets by d/(d+1) instead; the ratios are the same.
func weight(t int, before float64) float64 {
	if t == 1 {
		return 1
	}
	d := math.Pow(float64(t-1), 1.5)
	return before * (d + 1) / d
}

// answer is the mean result of a seat's best answer to the other seat's strategy, which is
// proportional to weights.
func (p *part[S]) answer(me uint8, weights []S, threads int) float64 {
	return p.worth(walker[float64, S]{tree: p.tree, weights: both(weights), me: me, answers: true}, threads)
}

// worth is the mean result of a walk.
func (p *part[S]) worth(like walker[float64, S], threads int) (sum float64) {
	var ws []*walker[float64, S]
	for range threads {
		w := like
		ws = append(ws, &w)
	}
	for _, v := range walk(p, ws) {
		sum += v
	}
	return sum / float64(p.Deals)
}

func (p *part[S]) judge(list []float64, threads int) (j Judgement, rest []float64) {
	other := make([]S, len(p.sums))
	rest = p.enter(list, other)
	j.Low, j.High = -p.answer(1, other, threads), p.answer(0, other, threads)
	j.Gap = j.High - j.Low
	against := func(starter, second []S) float64 {
		return p.worth(walker[float64, S]{tree: p.tree, weights: [2][]S{starter, second}}, threads)
	}
	j.Starting, j.Second = against(other, p.sums), against(p.sums, other)
	return j, rest
}

func (p *part[S]) follow(list []float64) (rest []float64) { return p.enter(list, p.sums) }

// enter writes the weights of a list at the numbers of the tree.
func (p *part[S]) enter(list []float64, weights []S) (rest []float64) {
	_ = p.spots(func(s *Spot) error {
		for i, n := range s.at {
			weights[n] = S(list[i])
		}
		list = list[len(s.at):]
		return nil
	})
	return list
}

func (p *part[S]) spotsWith(visit func(*Spot, []float64) error) error {
	var w []float64
	return p.spots(func(s *Spot) error {
		sum := 0.0
		w = w[:0]
		for _, n := range s.at {
			w = append(w, float64(p.sums[n]))
			sum += w[len(w)-1]
		}
		for i := range w {
			if w[i] /= sum; sum == 0 {
				w[i] = 1 / float64(len(w))
			}
		}
		return visit(s, w)
	})
}

func (p *part[S]) reached(visit func(*Spot, []float64, float64) error) error {
	state, reach := "", []float64(nil)
	return p.spotsWith(func(s *Spot, w []float64) error {
		if len(w) > 1 {
			if reach == nil || state != s.Past {
				state, reach = s.Past, p.reach(s)
			}
			return visit(s, w, reach[s.rank])
		}
		return nil
	})
}

// reach returns, by hand of the mover, the probability that a deal reaches a spot's state with that
// hand.
func (p *part[S]) reach(at *Spot) []float64 {
	var of [2][]float64
	var w walker[float64, S]
	for seat := range uint8(2) {
		w = walker[float64, S]{tree: p.tree, weights: both(p.sums), me: seat ^ 1}
		s := p.State
		of[seat] = slices.Repeat([]float64{1}, p.hands(seat))
		for _, m := range at.Path {
			of[seat], _ = w.step(&s, m, of[seat])
		}
	}
	me := at.Mover & 1
	out := make([]float64, len(of[me]))
	w.disjoint(at.Allowed[me], at.Allowed[me^1], int(at.Size[me]), int(at.Size[me^1]), of[me^1], out)
	for h := range out {
		out[h] *= of[me][h] / float64(p.Deals)
	}
	return out
}
