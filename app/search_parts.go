package app

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/parts"
	"perfectplay/solve"
)

// searchSplit divides a search by the positions after its first plies, one of each set of mirror
// images. A task searches one position to the rest of the horizon. The merging search finds the
// results of all tasks in its book.
type searchSplit struct {
	root  game.State
	limit int // plies that a task searches
	hero  int
	o     solve.Options
	paths [][]game.Move // moves from the root to each task's position
	tasks []parts.Task
	seen  map[string]bool
}

type searchFound struct {
	Fact    solve.Fact
	Counts  solve.Counts
	Elapsed time.Duration
}

const (
	// enoughSearchTasks is the number of tasks to aim at: several for each part, so that their
	// shares are even.
	enoughSearchTasks = 64
	// maxSearchTasks bounds the tasks of --split.
	maxSearchTasks = 100_000
	// taskBytes is the memory of a task with its result.
	taskBytes = 1 << 10
	// samplePlies is the horizon of the small searches that estimate the cost of a task.
	samplePlies = 3
)

// splitSearch divides a search by the positions after depth plies; with depth 0, after as few
// plies as make enough tasks.
func splitSearch(g game.Game, s game.State, o solve.Options, depth int) (*searchSplit, error) {
	first := max(depth, 1)
	for plies := first; ; plies++ {
		p := &searchSplit{root: s, limit: o.Limit - plies, o: o, hero: s.Seat(), seen: map[string]bool{}}
		if o.Hero != nil {
			p.hero = *o.Hero
		}
		if err := p.descend(s.Clone(), plies, nil, nil); err != nil {
			return nil, err
		}
		if depth == 0 && len(p.tasks) < enoughSearchTasks && plies+1 < o.Limit && len(p.tasks) > 0 {
			continue
		}
		return p, p.weigh(g)
	}
}

// descend lists the positions after left more plies.
func (p *searchSplit) descend(s game.State, left int, path []game.Move, names []string) error {
	if s.Result() != game.Ongoing {
		return nil // a finished game needs no task
	}
	if left == 0 {
		k := s.(game.Keyer) // only games with keys are divided
		key := make([]uint64, k.KeyWords())
		k.Key(key)
		if name := fmt.Sprint(key); !p.seen[name] {
			p.seen[name] = true
			p.paths = append(p.paths, append([]game.Move{}, path...))
			p.tasks = append(p.tasks, parts.Task{Name: strings.Join(names, " ")})
		}
		if fit := (p.o.Memory - solve.MinMemory) / taskBytes; int64(len(p.tasks)) > fit {
			return cli.Usagef("--split: more than %d positions, too many for --mem beside the table: want more memory, or fewer plies", fit)
		}
		if len(p.tasks) > maxSearchTasks {
			return cli.Usagef("--split: more than %d positions: want fewer plies", maxSearchTasks)
		}
		return nil
	}
	for _, m := range s.Moves(nil) {
		name := s.MoveString(m)
		s.Make(m)
		if err := p.descend(s, left-1, append(path, m), append(names, name)); err != nil {
			return err
		}
		s.Unmake()
	}
	return nil
}

// weigh estimates the cost of each task by a small search, the same on every machine.
func (p *searchSplit) weigh(g game.Game) error {
	o := p.options(1)
	o.Limit, o.Memory = min(o.Limit, samplePlies), solve.MinMemory
	for i := range p.tasks {
		r, err := solve.Run(context.Background(), g, p.at(i), o)
		if err != nil {
			return err
		}
		p.tasks[i].Cost = float64(1 + r.Total.Nodes)
	}
	return nil
}

func (p *searchSplit) at(i int) game.State {
	s := p.root.Clone()
	for _, m := range p.paths[i] {
		s.Make(m)
	}
	return s
}

func (p *searchSplit) options(atOnce int) solve.Options {
	o := p.o
	o.Limit, o.Hero, o.Scope, o.NoLine, o.Threads = p.limit, &p.hero, solve.WholeOnly, true, 1
	o.Memory = max(o.Memory/int64(atOnce), solve.MinMemory)
	o.Progress = nil
	return o
}

func (p *searchSplit) search(ctx context.Context, g game.Game, i, atOnce int) (found searchFound, err error) {
	s := p.at(i)
	r, err := solve.Run(ctx, g, s, p.options(atOnce))
	if err != nil {
		return found, err
	}
	if r.Interrupted {
		return found, context.Cause(ctx)
	}
	ours := s.Seat() == p.hero
	return searchFound{factOf(&r.Whole, ours, r.Algo), r.Total, r.Elapsed}, nil
}

// factOf is the fact that a search has proved about a position. The mover of the position is the
// hero, or one of its opponents.
func factOf(s *solve.Search, heroMoves bool, algo solve.Algo) solve.Fact {
	f := solve.Fact{WinBy: solve.Never, LossBy: solve.Never, Best: game.NoMove, Nodes: s.Nodes}
	win, loss := &f.WinBy, &f.LossBy
	winOver, lossOver := &f.WinOver, &f.LossOver
	if !heroMoves {
		win, loss, winOver, lossOver = loss, win, lossOver, winOver
	}
	switch s.Value {
	case game.Win:
		*win, *winOver, *lossOver = s.Distance, s.Distance-1, solve.Never
	case game.Loss:
		*loss, *lossOver, *winOver = s.Distance, s.Distance-1, solve.Never
	default:
		over := s.Reached
		if s.Value != game.Unknown {
			over = solve.Never
		}
		*winOver = over
		if algo != solve.Proof { // proof search does not ask about the others' wins
			*lossOver = over
		}
	}
	return f
}

type searchFacts struct {
	split *searchSplit
	found []searchFound
}

func (b searchFacts) Facts(_ game.Game, _ int, f func(key []uint64, fact solve.Fact)) error {
	for i, found := range b.found {
		if !found.Fact.Valid() {
			return fmt.Errorf("task %q: no position has these bounds: %+v", b.split.tasks[i].Name, found.Fact)
		}
		k := b.split.at(i).(game.Keyer)
		key := make([]uint64, k.KeyWords())
		k.Key(key)
		f(key, found.Fact)
	}
	return nil
}

// Learn implements [solve.Book]. Merging keeps no new facts.
func (searchFacts) Learn(game.Game, int, game.State, []uint64, solve.Fact) {}

// splitSearch divides the search and takes the tasks' memory from the table's. Until undo is
// called, the heap is limited to the memory that the table leaves.
func (f *searchFlags) splitSearch(g game.Game, s game.State) (split *searchSplit, undo func(), err error) {
	algo := cmp.Or(f.o.Algo, solve.DefaultAlgo(g))
	if _, keys := s.(game.Keyer); !keys || algo == solve.MaxN {
		return nil, nil, cli.Usagef("--part: %s of %s keeps no facts, so that parts of it cannot be merged", algo, g.ID())
	}
	if f.o.Limit < 2 || f.split >= f.o.Limit {
		return nil, nil, cli.Usagef("--part wants --limit of more plies than --split")
	}
	undo = f.job.LimitHeapBeside(solve.MinMemory)
	if split, err = splitSearch(g, s, f.o, f.split); err != nil {
		undo()
		return nil, nil, err
	}
	f.o.Memory -= int64(len(split.tasks)) * taskBytes
	split.o.Memory = f.o.Memory
	f.job.LimitHeapBeside(f.o.Memory)
	return split, undo, nil
}

func (f *searchFlags) runPart(a *family.App, cmd *cobra.Command, g game.Game, s game.State) error {
	split, undo, err := f.splitSearch(g, s)
	if err != nil {
		return err
	}
	defer undo()
	threads := int(min(int64(f.job.Threads), split.o.Memory/solve.MinMemory))
	return cli.RunPart(&f.parts, &f.job.Output, &a.Progress, cmd, split.tasks, threads, func(ctx context.Context, i int) (searchFound, error) {
		return split.search(ctx, g, i, threads)
	})
}

// merged fills in the book of a search whose parts are merged, and returns the sums of their counts
// and times. In any other run it returns nil. It bounds the heap as splitSearch does.
func (f *searchFlags) merged(cmd *cobra.Command, g game.Game, s game.State) (sum *searchFound, undo func(), err error) {
	if !f.parts.Merging() {
		return nil, func() {}, nil
	}
	split, undo, err := f.splitSearch(g, s)
	if err != nil {
		return nil, nil, err
	}
	found, err := cli.Merged[searchFound](&f.parts, cmd, split.tasks)
	if err != nil {
		undo()
		return nil, nil, err
	}
	sum = &searchFound{}
	for _, x := range found {
		sum.Counts.Add(&x.Counts)
		sum.Elapsed += x.Elapsed
	}
	f.o.Book, f.o.BookNodes, f.alone = searchFacts{split, found}, ^uint64(0), true
	return sum, undo, nil
}
