package verify

import (
	"encoding/json"
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve/table"
)

// places is the part of the description of a table of several armies.
type places struct {
	Pieces, Period int
	Turn           []int
	Places         [][]int
}

// several returns listers of the positions of a table of several armies, numbered by package table.
func several(g *halma.Game, play game.Game, t *table.Table) (func() table.Walker, error) {
	var b places
	if err := json.Unmarshal(t.Info().Board, &b); err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	w := units{Numbering: t.Numbering(), g: g, play: play, kinds: b.Period, all: uint64(b.Period)}
	for seat := range g.Seats() {
		w.lists = append(w.lists, b.armies(seat))
		if seat > 1 {
			w.all *= uint64(len(w.lists[seat]))
		}
	}
	w.bundles = (uint64(len(w.lists[0])) + bundle - 1) / bundle
	for _, list := range w.lists {
		w.bundles = max(w.bundles, (uint64(len(list))+bundle-1)/bundle)
	}
	w.all *= w.bundles
	return func() table.Walker { return &w }, nil
}

func (b *places) armies(seat int) (list []bitboard.Set128) {
	free := slices.Collect(b.open(seat).Cells())
	var put func(from, left int, army bitboard.Set128)
	put = func(from, left int, army bitboard.Set128) {
		if left == 0 {
			list = append(list, army)
			return
		}
		for i := from; i < len(free); i++ {
			put(i+1, left-1, army.With(free[i]))
		}
	}
	put(0, b.Pieces, bitboard.Set128{})
	return list
}

// open returns the cells where the pieces of a seat may stand.
func (b *places) open(seat int) (cells bitboard.Set128) {
	for _, c := range b.Places[seat%b.Period] {
		for range seat / b.Period {
			c = b.Turn[c]
		}
		cells = cells.With(c)
	}
	return cells
}

// units lists positions in units. In a unit only two armies vary: the army of the seat that moved
// last, and the army of the seat to move, which takes a few placements. All other armies stay the
// same, so the positions one turn after the positions of a unit have neighbouring places.
type units struct {
	table.Numbering
	g            *halma.Game
	play         game.Game
	kinds        int
	lists        [][]bitboard.Set128 // the armies of each seat
	all, bundles uint64
}

// bundle is the number of armies of the seat to move in a unit.
const bundle = 8

func (w *units) Units() uint64 { return w.all }
func (w *units) Bundle() int   { return 1 << 62 }

func (w *units) Unit(i uint64, do func(s game.State, p table.Place, weight uint64) error) error {
	n := w.g.Seats()
	movers := i % w.bundles * bundle
	i /= w.bundles
	seat := int(i % uint64(w.kinds))
	i /= uint64(w.kinds)
	armies := make([]bitboard.Set128, n)
	var taken bitboard.Set128
	for at := 1; at < n-1; at++ {
		s := (seat + at) % n
		list := w.lists[s]
		armies[s] = list[i%uint64(len(list))]
		if i /= uint64(len(list)); !armies[s].And(taken).IsEmpty() {
			return nil
		}
		taken = taken.Or(armies[s])
	}
	last, own := (seat+n-1)%n, w.lists[seat]
	for _, army := range w.lists[last] {
		if !army.And(taken).IsEmpty() {
			continue
		}
		armies[last] = army
		for _, mover := range own[min(movers, uint64(len(own))):min(movers+bundle, uint64(len(own)))] {
			if !mover.And(taken.Or(army)).IsEmpty() {
				continue
			}
			armies[seat] = mover
			s, err := w.play.Parse(w.g.Text(seat, armies...))
			if err != nil {
				return fmt.Errorf("verify: %w", err)
			}
			p, err := w.Place(s)
			if err != nil {
				return fmt.Errorf("verify: %w", err)
			}
			if err := do(s, p, 1); err != nil {
				return err
			}
		}
	}
	return nil
}
