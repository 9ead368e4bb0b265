package solve

import (
	"slices"
	"time"

	"perfectplay/game"
)

// Which ordering of moves saves nodes depends on the game: without killers and history
// m,n,k-games take a third of the nodes, and some races twice as many. A small search mostly
// predicts a larger one. So a run rehearses now and then: with each ordering, and a small table,
// it repeats a search to a depth finished long ago, and changes to the best ordering.
const (
	// rehearseFrom is the number of nodes of a run before the first rehearsal. Another follows each
	// time the number of nodes has grown by the factor rehearseAgain.
	rehearseFrom  = 1 << 15
	rehearseAgain = 4
	// rehearseShare is the ratio of the nodes of a run to the nodes of one search of a rehearsal.
	rehearseShare = 128
	// margin is the percentage of the current ordering's nodes that another ordering may take to
	// replace it. Smaller differences change sign as searches grow.
	margin = 80
	// bytesPerNode bounds the size of a rehearsal's table.
	bytesPerNode = 64
)

// orderings returns the orderings to compare, the one for the beginning first: subsets of the
// allowed sources.
func orderings(allowed Ordering, s game.State) (list []Ordering) {
	_, gain := s.(game.Orderer)
	_, race := s.(game.RaceLister)
	tried := [...]struct{ killers, gain, history bool }{{true, true, false}, {false, true, false}, {true, true, true}}
	if gain && !race {
		tried[0], tried[1] = tried[1], tried[0]
	}
	for _, with := range tried {
		o := allowed
		o.Learn = false
		o.Killers, o.Gain, o.History = o.Killers && with.killers, o.Gain && with.gain, o.History && with.history
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// rehearse compares the orderings when due, by searches from a position of the run, and changes
// to the best. It adds their nodes to counts. The result depends on numbers of nodes, not on
// time.
func (r *run) rehearse(at game.State, counts *Counts) {
	spent := r.pool.total.Nodes
	if len(r.orderings) < 2 || spent < r.rehearseAt {
		return
	}
	for r.rehearseAt <= spent {
		r.rehearseAt *= rehearseAgain
	}
	share := spent / rehearseShare
	if r.eager {
		share = spent / 2
	}
	depth, cost := 0, uint64(0)
	for d, n := range r.costs {
		if cost+n > share {
			break
		}
		depth, cost = d, cost+n
	}
	if depth == 0 {
		return
	}
	o := Options{
		Algo: r.algo, Limit: depth, Scope: WholeOnly, Threads: 1, NoTable: r.NoTable, NoBound: r.NoBound, NoLine: true,
		Memory: max(MinMemory, int64(share)*bytesPerNode), Yield: r.Yield, Nodes: 2 * share,
	}
	if tab := r.pool.sh.tab; tab != nil && tab.Stats().InUse+o.Memory > r.Memory {
		return
	}
	if r.algo != MaxN {
		o.Hero = &r.hero
	}
	best, cost := 0, o.Nodes
	for i, ordering := range r.orderings {
		if o.Ordering = &ordering; !r.pool.sh.deadline.IsZero() {
			if o.Time = time.Until(r.pool.sh.deadline); o.Time <= 0 {
				return
			}
		}
		report, err := Run(r.ctx, r.game, at, o)
		if err != nil {
			return // memory for the table is lacking
		}
		counts.Add(&report.Total)
		r.pool.total.Add(&report.Total)
		r.pool.sh.nodes.Add(report.Total.Nodes)
		if r.pool.sh.canceled.Load() || r.pool.sh.late() {
			return
		}
		switch n := report.Total.Nodes; {
		case report.Interrupted:
		case i == 0:
			cost, o.Nodes = n*margin/100, n*margin/100
		case n < cost:
			best, cost, o.Nodes = i, n, n
		}
	}
	r.orderings[0], r.orderings[best] = r.orderings[best], r.orderings[0]
	for _, w := range r.pool.workers {
		w.order = r.orderings[0]
	}
}
