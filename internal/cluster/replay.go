package cluster

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

// Farm is a cluster as [Farm.Replay] has it. Times are in seconds.
type Farm struct {
	Nodes int
	// Start passes between a node's being free and its next task's running: the
	// scheduler's cycle, and the start of the program.
	Start float64
	// Of the nodes a share Stragglers is Slow times slower than the others.
	Stragglers, Slow float64
	// A node fails once in MeanFailure of work, 0 for never. Its task is queued again after
	// Notice and goes on with what it saved last, at most Interval before; the node is
	// away for Repair.
	MeanFailure, Notice, Interval, Repair float64
	Seed                                  uint64
}

// Outcome is what a job took on a farm, in seconds.
type Outcome struct {
	Makespan float64 // from the first start to the last end
	Work     float64 // of all tasks on nodes that are not slow
	Lost     float64 // done again after failures
	Failures int
}

// Replay runs passes, one after the other, each a list of what its tasks cost. Tasks go
// to nodes in their order, as those of array jobs do. It is a function of farm and
// passes alone.
func (f Farm) Replay(passes [][]float64) (o Outcome) {
	rng := rand.New(rand.NewPCG(f.Seed, uint64(f.Nodes)))
	slow := make([]float64, f.Nodes)
	for i := range slow {
		slow[i] = 1
		if rng.Float64() < f.Stragglers {
			slow[i] = f.Slow
		}
	}
	nodes := make(queue, f.Nodes)
	for i := range nodes {
		nodes[i] = event{number: i}
	}
	for _, costs := range passes {
		tasks := make(queue, len(costs))
		for i, c := range costs {
			tasks[i] = event{at: o.Makespan, number: i, left: c}
			o.Work += c
		}
		for i := range nodes {
			nodes[i].at = max(nodes[i].at, o.Makespan)
		}
		heap.Init(&tasks)
		heap.Init(&nodes)
		for len(tasks) > 0 {
			task, node := tasks[0], nodes[0]
			begin := max(task.at, node.at) + f.Start
			took := task.left * slow[node.number]
			failure := math.Inf(1)
			if f.MeanFailure > 0 {
				failure = rng.ExpFloat64() * f.MeanFailure
			}
			if failure < took {
				saved := failure - min(failure, rng.Float64()*f.Interval)
				o.Lost += (failure - saved) / slow[node.number]
				o.Failures++
				task.left -= saved / slow[node.number]
				task.at = begin + failure + f.Notice
				tasks[0] = task
				heap.Fix(&tasks, 0)
				node.at = begin + failure + f.Repair
			} else {
				heap.Pop(&tasks)
				node.at = begin + took
				o.Makespan = max(o.Makespan, node.at)
			}
			nodes[0] = node
			heap.Fix(&nodes, 0)
		}
	}
	return o
}

// queue is a heap of tasks by when they may begin, or of nodes by when they are free;
// of equal ones the first.
type queue []event

type event struct {
	at     float64
	number int
	left   float64 // of a task: what it costs yet
}

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(event)) }

func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].number < q[j].number
}

func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
