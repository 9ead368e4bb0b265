// Package verify checks tables of any game by moves alone: every value and distance must
// follow from those of the positions that the moves lead to, as the game lists them. It
// shares nothing with the solver but the table's reader.
//
// That is enough: what ends in no plies is right by the rules, what ends in d plies by what
// ends in fewer, and a table that calls a position undecided which is not would be wrong at
// one that ends soonest, whose moves say so.
package verify

import (
	"context"
	"fmt"
	"sync"

	"perfectplay/game"
	"perfectplay/solve/retro/table"
)

// Options say what to check.
type Options struct {
	Sample   uint64 // only so many positions, evenly spread over the numbers; 0 is all
	Threads  int
	Progress func(share float64)
}

// Verdict is what a check has found.
type Verdict struct {
	Checked, Faults uint64
	First           []string // the first faults found
	// Over what was checked, for the seat to move alone.
	Positions, Wins, Losses, Draws uint64
}

// Complete says whether the counts are those of a description.
func (v *Verdict) Complete(i table.Info) bool {
	return v.Positions == i.Positions && v.Wins == i.Wins && v.Losses == i.Losses && v.Draws == i.Draws
}

// Table checks a table.
func Table(ctx context.Context, t *table.Table, o Options) (*Verdict, error) {
	info := t.Info()
	every := uint64(1)
	if o.Sample > 0 {
		every = max(info.Numbers/o.Sample, 1)
	}
	v := &Verdict{}
	var mu sync.Mutex
	err := t.Walk(ctx, max(o.Threads, 1), o.Progress, func() func(n uint64, s game.State) error {
		c := &checker{Table: t, seats: info.Seats, alone: map[uint8]int{}, flip: map[uint8]uint8{}}
		for layer, set := range info.Sets {
			for seat := range info.Seats {
				switch alone := 1 << seat; alone {
				case set:
					c.alone[uint8(seat)], c.flip[uint8(seat)] = layer, 0
				case 1<<info.Seats - 1 - set:
					c.alone[uint8(seat)], c.flip[uint8(seat)] = layer, 1
				}
			}
		}
		return func(n uint64, s game.State) error {
			if n%every != 0 {
				return nil
			}
			fault, value, err := c.check(n, s)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			v.Checked++
			v.Positions++
			switch value {
			case game.Win:
				v.Wins++
			case game.Loss:
				v.Losses++
			default:
				v.Draws++
			}
			if fault != "" {
				if v.Faults++; len(v.First) < 10 {
					v.First = append(v.First, fault)
				}
			}
			return nil
		}
	})
	return v, err
}

// checker belongs to one goroutine.
type checker struct {
	*table.Table
	seats int
	alone map[uint8]int   // the layer of a seat alone
	flip  map[uint8]uint8 // its side there
	moves []game.Move
	after []child
}

// child is what a move leads to.
type child struct {
	n    uint64
	seat int
}

// outcome is who wins, −1 for nobody, and in how many plies.
type outcome struct{ side, plies int }

func (c *checker) outcome(layer int, n uint64, seat int) (outcome, error) {
	side, plies, decided, err := c.Outcome(layer, n, seat)
	if !decided {
		return outcome{-1, 0}, err
	}
	return outcome{int(side), plies}, err
}

// check compares all layers at a position with its moves, and returns the value for the
// seat to move.
func (c *checker) check(n uint64, s game.State) (fault string, value game.Value, err error) {
	text := func() string { return s.String() }
	info := c.Info()
	if back, err := c.Number(s); err != nil || back != n {
		return fmt.Sprintf("%s: its number is %d, not %d", text(), back, n), game.Unknown, err
	}
	seat, result := s.Seat(), s.Result()
	c.after = c.after[:0]
	c.moves = s.Moves(c.moves[:0])
	for _, m := range c.moves {
		s.Make(m)
		to, err := c.Number(s)
		next := s.Seat()
		s.Unmake()
		if err != nil {
			return "", game.Unknown, fmt.Errorf("%s, after %s: %w", text(), s.MoveString(m), err)
		}
		c.after = append(c.after, child{to, next})
	}
	value = game.Draw
	for layer, set := range info.Sets {
		have, err := c.outcome(layer, n, seat)
		if err != nil {
			return "", game.Unknown, err
		}
		side := func(seat int) int { return 1 &^ (set >> seat) }
		want := outcome{-1, 0}
		if w, ok := result.Winner(); ok {
			want = outcome{side(w), 0}
		} else if result == game.Ongoing {
			if want, err = c.follow(layer, side(seat)); err != nil {
				return "", game.Unknown, err
			}
		}
		if have != want && fault == "" {
			fault = fmt.Sprintf("%s, seats %b: side %d in %d plies, by its moves side %d in %d", text(), set, have.side, have.plies, want.side, want.plies)
		}
		if l, ok := c.alone[uint8(seat)]; ok && l == layer && have.side >= 0 {
			value = game.Loss
			if have.side == int(c.flip[uint8(seat)]) {
				value = game.Win
			}
		}
	}
	return fault, value, nil
}

// follow is what the moves of a position say: the side to move takes the fastest win, else
// the slowest loss if nothing but losses is left.
func (c *checker) follow(layer, us int) (outcome, error) {
	win, loss, open := -1, -1, false
	for _, to := range c.after {
		o, err := c.outcome(layer, to.n, to.seat)
		switch {
		case err != nil:
			return o, err
		case o.side < 0:
			open = true
		case o.side != us:
			loss = max(loss, o.plies)
		case win < 0 || o.plies < win:
			win = o.plies
		}
	}
	switch {
	case win >= 0:
		return outcome{us, win + 1}, nil
	case open || loss < 0:
		return outcome{-1, 0}, nil
	}
	return outcome{1 - us, loss + 1}, nil
}
