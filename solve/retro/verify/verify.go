// Package verify checks tables of any game by moves alone: every value and distance must follow
// from those of the positions after the moves that the game lists. It shares only the table's
// reader with the solver. A walker lists the positions: the table's own, or one that numbers them
// by other code.
//
// A table that passes is right, by induction: finished positions by the rules, and a position that
// ends in d plies by positions that end in fewer. If some positions were wrongly called draws, a
// move of one that ends soonest would show the error. A table without distances may pass and be
// wrong: values could support each other in a circle.
package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"perfectplay/game"
	"perfectplay/solve/table"
)

// Options select the positions to check.
type Options struct {
	// Number of positions to check, of units spread evenly; 0, or more than there are, means all.
	Sample   uint64
	Part, Of int // check only part number Part of Of, from 1; Of 0 means all
	Threads  int
	Progress func(share float64)
	// Walker returns a walker for one goroutine; nil means the table's own.
	Walker func() table.Walker
}

// Verdict is the result of a check.
type Verdict struct {
	Checked, Faults uint64
	First           []string // the first faults found
	// Counts of the checked positions, for the seat to move alone, with mirror images.
	Wins, Losses, Draws, Illegal uint64
}

// most is the number of faults to describe.
const most = 10

// Complete says whether the counts equal the counts of a description.
func (v *Verdict) Complete(i table.Info) bool {
	return v.Checked == i.Positions && v.Wins == i.Wins && v.Losses == i.Losses && v.Draws == i.Draws && v.Illegal == i.Illegal
}

// errEnough skips the rest of a unit.
var errEnough = errors.New("no more of this unit")

// Table checks a table.
func Table(ctx context.Context, t *table.Table, o Options) (*Verdict, error) {
	if o.Walker == nil {
		lister, ok := t.Numbering().(table.Lister)
		if !ok {
			return nil, errors.New("verify: its positions cannot be listed")
		}
		o.Walker = lister.Walker
	}
	info := t.Info()
	units := o.Walker().Units()
	from, to := uint64(0), units
	if o.Of > 0 {
		from, to = uint64(o.Part-1)*units/uint64(o.Of), uint64(o.Part)*units/uint64(o.Of)
	}
	// A sample takes the first quota positions of every stride-th unit, then of the other units, then,
	// in a second turn, the remaining positions of the units in the same order.
	stride, quota, turns := uint64(1), uint64(1)<<62, uint64(1)
	if o.Sample > 0 && o.Sample < info.Positions {
		quota = max(min(uint64(o.Walker().Bundle()), info.Positions/units), (o.Sample+units-1)/units, 1)
		stride, turns = max(1, units*quota/o.Sample), 2
	} else {
		o.Sample = info.Numbers
	}
	rounds := max((to-from+stride-1)/stride, 1)
	all := &Verdict{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	var next, drawn atomic.Uint64
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	for range max(o.Threads, 1) {
		wait.Go(func() {
			c := &checker{Walker: o.Walker(), t: t, info: info}
			for ctx.Err() == nil && drawn.Load() < o.Sample {
				i := next.Add(1) - 1
				round := i / rounds
				unit := from + i%rounds*stride + round%stride
				if round >= stride*turns {
					return
				} else if unit >= to {
					continue
				}
				seen := uint64(0)
				err := c.unit(unit, func(s game.State, p table.Place, weight uint64) error {
					if seen++; seen%256 == 0 && ctx.Err() != nil {
						return ctx.Err()
					}
					switch early := seen <= quota; {
					case early && round >= stride:
						return nil // this position was checked in the first turn
					case !early && round < stride, drawn.Add(1) > o.Sample:
						return errEnough
					}
					return c.position(s, p, weight)
				})
				if err != nil && !errors.Is(err, errEnough) {
					stop(err)
				}
				mu.Lock()
				all.add(&c.Verdict)
				c.Verdict = Verdict{}
				if o.Progress != nil && i%16 == 0 {
					o.Progress(min(1, float64(i)/float64(rounds)))
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return all, context.Cause(ctx)
}

func (v *Verdict) add(w *Verdict) {
	v.Checked += w.Checked
	v.Faults += w.Faults
	v.First = append(v.First, w.First[:min(len(w.First), most-len(v.First))]...)
	v.Wins += w.Wins
	v.Losses += w.Losses
	v.Draws += w.Draws
	v.Illegal += w.Illegal
}

// checker checks positions on one goroutine.
type checker struct {
	table.Walker
	Verdict
	t     *table.Table
	info  table.Info
	moves []game.Move
	after []child
}

// child is a position after a move.
type child struct {
	p    table.Place
	seat int
}

// unit calls the walker's Unit and turns a panic of the game into an error.
func (c *checker) unit(i uint64, do func(s game.State, p table.Place, weight uint64) error) (err error) {
	var at game.State
	defer game.Guard(&err, c.t.Game(), nil, func() game.State { return at })
	return c.Unit(i, func(s game.State, p table.Place, weight uint64) error {
		at = s
		return do(s, p, weight)
	})
}

// position checks and counts a position. It returns errors of reading only.
func (c *checker) position(s game.State, p table.Place, weight uint64) error {
	fault, value := "", game.Unknown
	var err error
	if s != nil {
		fault, value, err = c.check(s, p)
	} else if value, _, err = c.t.Lookup(p, 0); value != game.Unknown {
		fault = fmt.Sprintf("place %v: said to be %v, but no turn leads to it", p, value)
	}
	if err != nil {
		return err
	}
	c.Checked++
	switch value {
	case game.Win:
		c.Wins += weight
	case game.Loss:
		c.Losses += weight
	case game.Draw:
		c.Draws += weight
	default:
		c.Illegal += weight
	}
	if fault != "" {
		if c.Faults++; len(c.First) < most {
			c.First = append(c.First, fault)
		}
	}
	return nil
}

// check checks a position as [checker.follows] does. At some positions it also checks the positions
// after the moves: the solver may have seen another position in their place.
func (c *checker) check(s game.State, p table.Place) (fault string, value game.Value, err error) {
	if back, err := c.Place(s); err != nil || back != p {
		return fmt.Sprintf("%s: it stands at %v, not at %v", s, back, p), game.Unknown, err
	}
	if fault, value, err = c.follows(s, p); fault != "" || err != nil || s.Result() != game.Ongoing {
		return fault, value, err
	}
	all := c.Checked < closely && len(c.moves) <= 64
	if !all && c.Checked%64 != 0 {
		return "", value, nil
	}
	list := slices.Clone(c.moves)
	if !all {
		list = list[c.Checked/64%uint64(len(list)):][:1]
	}
	for _, m := range list {
		s.Make(m)
		to, err := c.Place(s)
		if err == nil {
			if fault, _, err = c.follows(s, to); fault != "" {
				fault = "another position is solved in the place of this one: " + fault
			}
		}
		s.Unmake()
		if fault != "" || err != nil {
			return fault, value, err
		}
	}
	return "", value, nil
}

// closely bounds the positions of a unit that are checked with all positions after their moves.
const closely = 1 << 11

// follows compares all layers at a position with its moves, and returns the value for the seat to
// move.
func (c *checker) follows(s game.State, p table.Place) (fault string, value game.Value, err error) {
	seat, result := s.Seat(), s.Result()
	c.after, c.moves = c.after[:0], c.moves[:0]
	if result == game.Ongoing {
		c.moves = s.Moves(c.moves)
		for _, m := range c.moves {
			s.Make(m)
			to, err := c.Place(s)
			next := s.Seat()
			s.Unmake()
			if err != nil {
				return "", game.Unknown, fmt.Errorf("%s, after %s: %w", s, s.MoveString(m), err)
			}
			c.after = append(c.after, child{to, next})
		}
	}
	n := c.info.Seats
	whole := uint8(1<<n - 1)
	for _, set := range c.info.Sets {
		us := uint8(set) // the layer's set or its complement: the one with the seat to move
		if c.info.FromMover {
			us = (us<<seat | us>>(n-seat)) & whole
		} else if us>>seat&1 == 0 {
			us ^= whole
		}
		have, in, err := c.t.At(p, seat, us)
		if err != nil {
			return "", game.Unknown, err
		}
		want, plies := game.Draw, 0
		if w, ok := result.Winner(); ok {
			if want = game.Loss; us>>w&1 != 0 {
				want = game.Win
			}
		} else if result == game.Ongoing {
			if want, plies, err = c.follow(us); err != nil {
				return "", game.Unknown, err
			}
		}
		if fault == "" && (have != want || c.info.Distances() && in != plies) {
			fault = fmt.Sprintf("%s, seats %b: %v in %d, by its moves %v in %d", s, us, have, in, want, plies)
		}
	}
	value, _, err = c.t.At(p, seat, 1<<seat)
	return fault, value, err
}

// follow is the value of a position for a set of seats, computed from its moves: the fastest win,
// or if all moves lose the slowest loss.
func (c *checker) follow(us uint8) (want game.Value, plies int, err error) {
	for _, to := range c.after {
		v, d, err := c.t.At(to.p, to.seat, us)
		switch d++; {
		case err != nil:
			return v, d, err
		case v == game.Unknown:
			return v, 0, nil // a move leads to a position without a value, so no value follows
		case v > want:
			want, plies = v, d
		case v == want && v == game.Win:
			plies = min(plies, d)
		case v == want && v == game.Loss:
			plies = max(plies, d)
		}
	}
	if want == game.Draw || len(c.after) == 0 {
		return game.Draw, 0, nil
	}
	return want, plies, nil
}
