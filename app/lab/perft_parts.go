package lab

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/game/perft"
	"perfectplay/internal/cli"
	"perfectplay/internal/parts"
)

// perftSplit is a count divided by the positions after its first turns, each a task.
type perftSplit struct {
	state  game.State
	rest   int           // turns to count from each of the positions
	moves  []string      // the first moves, as the state lists them
	paths  [][]game.Move // to the positions
	firsts []int         // the first move of each path
	tasks  []parts.Task
}

// perftCount is what a task of a count finds.
type perftCount struct {
	Leaves  uint64
	Seconds cli.Seconds
}

// maxPerftTasks is how many positions a count is divided by at most: enough for any
// array, and listed in no time.
const maxPerftTasks = 5000

// splitPerft divides a count by the positions after as many turns as there are at most
// maxPerftTasks of, but one. What is below a position costs about as much as it has
// moves.
func splitPerft(s game.State, depth int) *perftSplit {
	p := &perftSplit{state: s}
	turns := 0
	for turns+1 < depth && perft.Moves(s, turns+1) <= maxPerftTasks {
		turns++
	}
	p.rest = depth - turns
	for _, m := range s.Moves(nil) {
		p.moves = append(p.moves, s.MoveString(m))
	}
	p.descend(turns, nil, nil, 0)
	return p
}

// descend lists the positions after left more turns.
func (p *perftSplit) descend(left int, path []game.Move, names []string, first int) {
	moves := p.state.Moves(nil)
	if left == 0 {
		p.paths, p.firsts = append(p.paths, slices.Clone(path)), append(p.firsts, first)
		p.tasks = append(p.tasks, parts.Task{Name: strings.Join(names, " "), Cost: float64(len(moves))})
		return
	}
	for i, m := range moves {
		if len(path) == 0 {
			first = i
		}
		name := p.state.MoveString(m)
		p.state.Make(m)
		p.descend(left-1, append(path, m), append(names, name), first)
		p.state.Unmake()
	}
}

// count does task i.
func (p *perftSplit) count(_ context.Context, i int) (perftCount, error) {
	s, begin := p.state.Clone(), time.Now()
	for _, m := range p.paths[i] {
		s.Make(m)
	}
	return perftCount{perft.Count(s, p.rest), cli.Since(begin)}, nil
}

// sum adds up what the tasks have found, by first move.
func (p *perftSplit) sum(held []perftCount) (moves []string, counts []uint64, took cli.Seconds, err error) {
	all, over := uint64(0), uint64(0)
	for _, c := range held {
		took += c.Seconds
		if all, over = bits.Add64(all, c.Leaves, 0); over > 0 {
			return nil, nil, 0, errors.New("the parts count more than 64 bits hold")
		}
	}
	if len(p.paths[0]) == 0 { // not divided
		return []string{""}, []uint64{held[0].Leaves}, took, nil
	}
	counts = make([]uint64, len(p.moves))
	for i, c := range held {
		counts[p.firsts[i]] += c.Leaves
	}
	return p.moves, counts, took, nil
}
