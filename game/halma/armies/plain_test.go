package armies

import (
	"fmt"
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

// plain is a second solver: positions in a map, moves by walking the board hole by hole, plies by
// looking at every position again.
type plain struct {
	t         *halma.Armies
	positions []plainPosition
	number    map[plainPosition]int
	next      [][]int // by position: the positions after turns; empty if the game is over
	winner    []int   // by position: the seat that has won, or −1
}

// plainPosition is the seat to move and the cells of each seat.
type plainPosition struct {
	seat   int
	armies [6]uint64
}

// sides returns the armies of n seats.
func (p plainPosition) sides(n int) (list []bitboard.Set128) {
	for _, cells := range p.armies[:n] {
		list = append(list, bitboard.Set128{Lo: cells})
	}
	return list
}

// newPlain lists all positions, reachable or not.
func newPlain(t *halma.Armies) *plain {
	g := &plain{t: t, number: map[plainPosition]int{}}
	n := t.Seats()
	var place func(p plainPosition, seat, from, left int, taken uint64)
	place = func(p plainPosition, seat, from, left int, taken uint64) {
		if left == 0 {
			if seat++; seat == n {
				for p.seat = range n {
					g.number[p] = len(g.positions)
					g.positions = append(g.positions, p)
				}
				return
			}
			place(p, seat, 0, t.Pieces, taken)
			return
		}
		for c := from; c < t.Cells; c++ {
			if taken>>c&1 == 0 && !slices.Contains(t.Closed[seat], c) {
				q := p
				q.armies[seat] |= 1 << c
				place(q, seat, c+1, left-1, taken|1<<c)
			}
		}
	}
	place(plainPosition{}, 0, 0, t.Pieces, 0)
	for _, p := range g.positions {
		w := g.won(p)
		g.winner = append(g.winner, w)
		var next []int
		if w < 0 {
			for _, army := range g.turns(p, p.seat) {
				q := p
				q.armies[p.seat] = army
				q.seat = (p.seat + 1) % n
				next = append(next, g.number[q])
			}
			if len(next) == 0 {
				q := p
				q.seat = (p.seat + 1) % n
				next = append(next, g.number[q])
			}
		}
		g.next = append(g.next, next)
	}
	return g
}

// won returns the winner.
func (g *plain) won(p plainPosition) int {
	n, occupied := g.t.Seats(), uint64(0)
	for _, a := range p.armies {
		occupied |= a
	}
	for i := range n {
		seat := (p.seat + n - 1 + i) % n
		goal := uint64(0)
		for _, c := range g.t.Goal[seat] {
			goal |= 1 << c
		}
		own, home := p.armies[seat], uint64(0)
		for _, c := range g.t.Home[seat] {
			home |= 1 << c
		}
		if g.t.HomeEmpty && own&home != 0 {
			continue
		}
		if g.t.Filled && goal&^occupied == 0 && own&goal != 0 || !g.t.Filled && own&^goal == 0 {
			return seat
		}
	}
	return -1
}

// turns lists the armies after a seat's turns.
func (g *plain) turns(p plainPosition, seat int) (list []uint64) {
	t := g.t
	side := &halma.TwoArmy{Lattice: t.Lattice, Home: t.Home[seat], Goal: t.Goal[seat], Closed: t.Closed[seat], Limits: t.Limits}
	var occupied bitboard.Set128
	for _, a := range p.armies {
		occupied.Lo |= a
	}
	for x := p.armies[seat]; x != 0; x &= x - 1 {
		from := bits.TrailingZeros64(x)
		for to := range halmatest.Ends(side, occupied.Without(from), from).Cells() {
			list = append(list, p.armies[seat]&^(1<<from)|1<<to)
		}
	}
	return list
}

// answer returns for each position the plies in which the seats of ours force the win of a seat of
// wins, −1 if they cannot. Seats are absolute.
func (g *plain) answer(ours, wins uint8) []int {
	plies := make([]int, len(g.positions))
	for i, w := range g.winner {
		plies[i] = -1
		if w >= 0 && wins>>w&1 != 0 {
			plies[i] = 0
		}
	}
	for d, found := 1, true; found || d < 3; d++ {
		found = false
		for i, p := range g.positions {
			if plies[i] >= 0 || len(g.next[i]) == 0 {
				continue
			}
			some, all := false, true
			for _, j := range g.next[i] {
				yes := plies[j] >= 0 && plies[j] < d
				some, all = some || yes, all && yes
			}
			if ours>>p.seat&1 != 0 && some || ours>>p.seat&1 == 0 && all {
				plies[i], found = d, true
			}
		}
	}
	return plies
}

// reached lists the positions that play from the start can reach.
func (g *plain) reached() []int {
	var start plainPosition
	for seat, home := range g.t.Home {
		for _, c := range home {
			start.armies[seat] |= 1 << c
		}
	}
	list := []int{g.number[start]}
	seen := map[int]bool{list[0]: true}
	for at := 0; at < len(list); at++ {
		stuck := true
		for seat := range g.t.Seats() {
			stuck = stuck && len(g.turns(g.positions[list[at]], seat)) == 0
		}
		if stuck {
			continue
		}
		for _, j := range g.next[list[at]] {
			if !seen[j] {
				seen[j] = true
				list = append(list, j)
			}
		}
	}
	return list
}

// census counts the positions of three seats with the first to move, as text: by the result that
// each seat can force alone, the positions reached, and the positions where a seat decides.
func (g *plain) census(reached map[string]bool, place func(i int) string) string {
	var won, lost [3][]int
	var with [3][3][]int
	for seat := range 3 {
		won[seat], lost[seat] = g.answer(1<<seat, 1<<seat), g.answer(7&^(1<<seat), 7&^(1<<seat))
		for other := range 3 {
			if other != seat {
				with[seat][other] = g.answer(1<<seat|1<<other, 1<<other)
			}
		}
	}
	vectors, met, deciders := make([]uint64, 27), make([]uint64, 27), make([]uint64, 3)
	for i, p := range g.positions {
		if p.seat != 0 {
			continue
		}
		v := 0
		for seat, digit := range []int{1, 3, 9} {
			switch {
			case won[seat][i] >= 0:
				v += 2 * digit
			case lost[seat][i] < 0:
				v += digit
			}
			if won[seat][i] < 0 && with[seat][(seat+1)%3][i] >= 0 && with[seat][(seat+2)%3][i] >= 0 {
				deciders[seat]++
			}
		}
		vectors[v]++
		if reached[place(i)] {
			met[v]++
		}
	}
	return fmt.Sprint([][]uint64{vectors}, [][]uint64{met}, [][]uint64{deciders})
}
