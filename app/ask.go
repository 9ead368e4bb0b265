package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/solve"
	"perfectplay/solve/table"
)

// bytesANode is the number of bytes of a solution computed in the time of a search node: measured
// on stars of 37 holes and diamonds of 7×7, within a factor of two.
const bytesANode = 8

// countAfter is the number of nodes after which a search counts the positions of a game of
// unknown size. The count visits no more.
const countAfter = 1 << 20

// knower is a source with the value and distance of every position of a game.
type knower struct {
	wing.Source
	after uint64 // the search asks this source after this number of nodes
	// count counts the positions, completes the source and lowers after. It returns false if there
	// are too many positions. count is nil if their number is known.
	count func() bool
	warn  func(error) // receives the reason if the source does not answer
}

// knowers returns the source that a search may ask within the memory, or nil; max^n asks no source.
// A table answers at once. A solution is computed once the search has cost as much as the solution
// will.
func knowers(a *family.App, warn func(error), g game.Game, algo solve.Algo, tables string, memory int64) *knower {
	if g.Seats() < 2 || algo == solve.MaxN {
		return nil
	}
	fam := a.Of(g)
	list := append(explore.Tables(&fam.Wing, g, tables, warn), fam.Sources(g)...)
	solution, sized, small := explore.Solution(&fam.Wing, g, list)
	if small {
		list = append(list, solution)
	}
	for i, src := range list {
		if need := max(src.Memory, src.Making); src.Slow || src.Partial || need > memory {
			continue
		}
		k := &knower{Source: src, warn: warn}
		if src.Kind != wing.ByTable {
			k.after = uint64(src.Making) / bytesANode
		}
		if small && sized != nil && i == len(list)-1 {
			k.count = sync.OnceValue(func() (ok bool) {
				k.Source, ok = sized(func() bool { return true })
				k.after = uint64(k.Making) / bytesANode
				return ok
			})
		}
		return k
	}
	return nil
}

// cheaper reports whether the source costs less than a search that has visited some nodes.
func (k *knower) cheaper(nodes uint64) bool {
	return (k.count == nil || nodes > countAfter && k.count()) && nodes > k.after
}

// final reports whether the source has no horizon: it answers where a search without a limit left
// a value open.
func (k *knower) final() bool { return k.Kind == wing.ByTable || k.count == nil || k.count() }

// answer fills in values that a report leaves open, and returns whether all are known now. rows
// receives the source of each value.
func (k *knower) answer(ctx context.Context, r wing.Resources, s game.State, rep *solve.Report, rows map[*solve.Search]wing.Kind) (bool, error) {
	o, err := k.Open(ctx, r)
	if err != nil {
		if ctx.Err() == nil {
			k.warn(fmt.Errorf("%s: not used: %w", cmp.Or(k.Name, k.About), err))
		}
		return false, err
	}
	defer o.Close()
	at, all := s.Clone(), true
	for i := range rep.Openings {
		op := &rep.Openings[i]
		if op.Value != game.Unknown {
			continue
		}
		at.Make(op.Move)
		known := k.fill(ctx, o, at, 1, rep, op)
		at.Unmake()
		if known {
			rows[op] = k.Kind
		}
		all = all && known
	}
	if rep.Whole.Value == game.Unknown {
		known := k.fill(ctx, o, at, 0, rep, &rep.Whole)
		if known {
			rows[&rep.Whole] = k.Kind
			rep.Line, _ = bestLine(at, rep.Hero, func(s game.State) (wing.Worth, error) { return wing.WorthTo(ctx, o, s, rep.Hero) })
			if len(rep.Line) > 0 {
				rep.Whole.Name = rep.Line[0]
			}
		}
		all = all && known
	}
	if all {
		rep.Interrupted = false
	}
	return all, ctx.Err()
}

// fill enters the value that a source gives the position at. before is the number of plies from the
// root to this position.
func (k *knower) fill(ctx context.Context, o wing.Oracle, at game.State, before int, rep *solve.Report, row *solve.Search) bool {
	w, err := wing.WorthTo(ctx, o, at, rep.Hero)
	if err != nil && k.Kind == wing.ByTable && ctx.Err() == nil && !errors.Is(err, table.ErrUnknown) {
		k.warn(fmt.Errorf("%s does not answer: %w", k.Name, err))
	}
	if err != nil || w.Value == game.Unknown || w.Value != game.Draw && w.Distance < 0 {
		return false
	}
	row.Value = w.Value
	if row.Value == game.Loss && rep.Algo == solve.Proof {
		row.Value = game.Draw // proof search proves no losses
	}
	if row.Value != game.Draw {
		row.Distance = w.Distance + before
	}
	return true
}

// bestLine returns a hero's best play against all others, to the end, by values with distances for
// the hero. Of equal moves it takes the first. A draw has no line, and none follows from values that
// contradict each other.
func bestLine(from game.State, hero int, value func(game.State) (wing.Worth, error)) (line []string, err error) {
	s := from.Clone()
	w, err := value(s)
	if err != nil {
		return nil, err
	}
	for w.Value != game.Draw && w.Distance > 0 {
		next := wing.Worth{Value: game.Unknown}
		err = nil // of the first move that has no value
		for _, m := range s.Moves(nil) {
			name := s.MoveString(m)
			s.Make(m)
			var x wing.Worth
			var unread error
			if seat, won := s.Result().Winner(); won {
				x.Value = game.Loss
				if seat == hero {
					x.Value = game.Win
				}
			} else if s.Result() == game.Ongoing {
				x, unread = value(s)
			}
			err = cmp.Or(err, unread)
			if unread == nil && x.Value == w.Value && x.Distance == w.Distance-1 {
				line, next = append(line, name), x
				break
			}
			s.Unmake()
		}
		if w = next; w.Value == game.Unknown {
			return nil, err
		}
	}
	return line, nil
}
