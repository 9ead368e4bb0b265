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
	state game.State
	rest  int           // turns to count from each of the positions
	paths [][]game.Move // to the positions
	tasks []parts.Task
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
	p := &perftSplit{state: s.Clone()}
	turns := 0
	for turns+1 < depth && perft.Moves(s, turns+1) <= maxPerftTasks {
		turns++
	}
	p.rest = depth - turns
	walk(s, turns, nil, 1, func(path []game.Move, _ float64) bool {
		at, names := p.state.Clone(), []string(nil)
		for _, m := range path {
			names = append(names, at.MoveString(m))
			at.Make(m)
		}
		p.paths = append(p.paths, slices.Clone(path))
		p.tasks = append(p.tasks, parts.Task{Name: strings.Join(names, " "), Cost: float64(len(s.Moves(nil)))})
		return true
	})
	return p
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
	firsts := p.state.Moves(nil)
	counts = make([]uint64, len(firsts))
	for i, c := range held {
		counts[slices.Index(firsts, p.paths[i][0])] += c.Leaves
	}
	for _, m := range firsts {
		moves = append(moves, p.state.MoveString(m))
	}
	return moves, counts, took, nil
}
