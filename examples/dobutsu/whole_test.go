package main

import (
	"flag"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"perfectplay/game"
	"perfectplay/solve/table"
)

var tableFile = flag.String("table", "", "the table of the whole game, made by go run . strong")

// TestPrint compares the positions reached from the start with print: T. Tanaka, An analysis of a
// board game "Doubutsu Shogi", IPSJ SIG Notes 2009-GI-22. The paper, too, counts mirror images as
// one position, and a position where a lion can be taken ends the game.
func TestPrint(t *testing.T) {
	if *tableFile == "" {
		t.Skip("minutes, and needs the table of the whole game; with -table FILE")
	}
	solved, err := table.Open(*tableFile, 1<<30, func(table.Info) (game.Game, table.Plan, error) { return rules{}, table.Plan{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer solved.Close()
	if v, d, err := solved.Value(rules{}.Start(), 1); v != game.Loss || d != 78 {
		t.Errorf("the start is a %v in %d, %v; in print the second player wins in 78 plies", v, d, err)
	}
	seen := newBits()
	now, next := newBits(), newBits()
	start, _, _ := rules{}.Start().(*state).full()
	seen.add(start)
	now.add(start)
	var total tally
	for plies := 0; ; plies++ {
		var more atomic.Bool
		sum := now.each(func() func(n uint64, c *tally) {
			s := rules{}.Start().(*state)
			var list []game.Move
			return func(n uint64, c *tally) {
				s.set(all, n)
				us, them := &s.sides[0], &s.sides[1]
				switch v, plies, err := solved.Value(s, 1<<s.Seat()); {
				case err != nil:
					t.Error(err)
				case takers(us, them) != 0:
					c[catch]++
					return
				case s.Result() != game.Ongoing:
					c[tried]++
					return
				case v == game.Draw:
					c[draw]++
				default:
					c[loss-plies%2]++
					c[longest] = max(c[longest], uint64(plies))
				}
				list = s.Moves(list[:0])
				for _, m := range list {
					s.Make(m)
					if to, _, _ := s.full(); seen.add(to) {
						next.add(to)
						more.Store(true)
					}
					s.Unmake()
				}
			}
		})
		total.add(&sum)
		t.Logf("%d plies: %v", plies, total)
		if !more.Load() {
			break
		}
		clear(now)
		now, next = next, now
	}
	if want := (tally{catch: 140_298_614, tried: 7_018_985, win: 56_474_473, loss: 40_328_395, draw: 2_682_700, longest: 173}); total != want {
		t.Errorf("%v, in print %v", total, want)
	}
}

// tally counts the positions of each kind, and the plies of the longest win.
type tally [6]uint64

const (
	catch = iota
	tried
	win // a win takes an odd number of plies
	loss
	draw
	longest
)

func (t *tally) add(c *tally) {
	for k, n := range c {
		if k == longest {
			t[k] = max(t[k], n)
		} else {
			t[k] += n
		}
	}
}

// bitmap is a set of numbers.
type bitmap []uint64

func newBits() bitmap { return make(bitmap, all.Size()/64+1) }

// add adds a number and says whether it is new.
func (b bitmap) add(n uint64) bool {
	return atomic.LoadUint64(&b[n/64])>>(n%64)&1 == 0 && atomic.OrUint64(&b[n/64], 1<<(n%64))>>(n%64)&1 == 0
}

// each visits all numbers on all processors.
func (b bitmap) each(begin func() func(n uint64, c *tally)) (sum tally) {
	const chunk = 1 << 12
	var from atomic.Int64
	var wait sync.WaitGroup
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			visit := begin()
			var c tally
			for {
				i := int(from.Add(chunk)) - chunk
				if i >= len(b) {
					break
				}
				for k, w := range b[i:min(i+chunk, len(b))] {
					for ; w != 0; w &= w - 1 {
						visit(uint64(i+k)*64+uint64(bits.TrailingZeros64(w)), &c)
					}
				}
			}
			mu.Lock()
			sum.add(&c)
			mu.Unlock()
		})
	}
	wait.Wait()
	return sum
}
