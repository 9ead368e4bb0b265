package solve

import "math"

// meter estimates the finished share of a run with a limit. A search counts by its weight; within a
// search an iteration counts growth times as much as the iteration before. growth is measured on
// the run's last iterations. The estimate never decreases.
type meter struct {
	limit           int     // horizon of the run in plies; 0: no estimate
	weights, before float64 // weights of all searches, and of the finished ones
	weight          float64 // weight of the current search
	first, depth    int     // depths of its first and its current iteration, in plies from the root
	last            int     // depth of the last iteration
	nodes           uint64  // nodes of the last iteration, 0 before the first
	growth          float64
	share           float64
}

// The growth of iterations before the first measurement, and bounds for measured ones.
const (
	usualGrowth = 2.5
	leastGrowth = 1.2
	mostGrowth  = 10
)

func (m *meter) search(weight int) {
	m.weight, m.first, m.depth, m.last, m.nodes = float64(weight), 0, 0, 0, 0
}

// finish ends the current search; done is false if it was stopped.
func (m *meter) finish(done bool) {
	if done {
		m.before += m.weight
	}
	m.weight = 0
}

// iteration begins an iteration to a depth. nodes is the size of the iteration before it, if
// any.
func (m *meter) iteration(depth int, nodes uint64) {
	const few = 1000 // iterations of fewer nodes say little about growth
	if m.first == 0 {
		m.first = depth
	}
	if m.nodes >= few && m.depth > m.last {
		g := math.Pow(float64(nodes)/float64(m.nodes), 1/float64(m.depth-m.last))
		m.growth = (m.growth + min(max(g, leastGrowth), mostGrowth)) / 2
	}
	m.last, m.nodes, m.depth = m.depth, nodes, depth
}

// done returns the finished share of the run. fraction is the finished share of the current
// iteration.
func (m *meter) done(fraction float64) float64 {
	if m.limit == 0 || m.weights == 0 {
		return -1
	}
	share := m.before
	if m.weight > 0 && m.first > 0 {
		// Iterations from first to depth−1, in units of the last one to the limit.
		sum := func(to int) float64 {
			return (math.Pow(m.growth, float64(to-m.limit)) - math.Pow(m.growth, float64(m.first-1-m.limit))) / (1 - 1/m.growth)
		}
		share += m.weight * (sum(m.depth-1) + fraction*math.Pow(m.growth, float64(m.depth-m.limit))) / sum(m.limit)
	}
	m.share = max(m.share, min(share/m.weights, 1))
	return m.share
}
