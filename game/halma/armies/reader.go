package armies

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
)

// Place is a position by the ranks of its armies, as the seat to move sees it.
type Place struct {
	kind  int
	ranks []int
}

// Place returns the place of a position. armies are the cells of the pieces of each seat.
func (s *Solution) Place(seat int, armies []bitboard.Set128) (Place, error) {
	b := s.b
	if len(armies) != b.n || seat < 0 || seat >= b.n {
		return Place{}, fmt.Errorf("armies: %s: %d armies, seat %d to move", b.spec.ID, len(armies), seat)
	}
	p := Place{kind: seat % b.period}
	var taken bitboard.Set128
	board := bitboard.First128(b.spec.Cells)
	for i := range b.n {
		cells := armies[(seat+i)%b.n]
		if !cells.And(taken).IsEmpty() || !cells.AndNot(board).IsEmpty() {
			return Place{}, fmt.Errorf("armies: %s: armies overlap or leave the board", b.spec.ID)
		}
		taken = taken.Or(cells)
		r, err := b.kernel.rankOf((seat+i)%b.n, cells)
		if err != nil {
			return Place{}, err
		}
		p.ranks = append(p.ranks, r)
	}
	return p, nil
}

// Sides returns the armies of a position of a game, for [Solution.Place].
func Sides(g *halma.Game, s game.State) []bitboard.Set128 {
	var armies []bitboard.Set128
	for seat := range g.Seats() {
		armies = append(armies, s.(halma.Position).Pieces(seat))
	}
	return armies
}

// Reader looks up answers. It keeps the answers of the group read last, and belongs to one
// goroutine.
type Reader struct {
	s           *Solution
	packer      *packer
	kind, group int
	plies       map[Question][]uint8 // plies of the group read last, by question
}

func (s *Solution) Reader() *Reader {
	return &Reader{s: s, packer: s.b.packer(), plies: map[Question][]uint8{}}
}

// find returns the orbit and node of a question at a kind of seat.
func (s *Solution) find(q Question, kind int) (orbit, node int, ok bool) {
	for i, r := range s.orbits {
		for j, at := range r.nodes {
			if at.Question == q && at.kind == kind {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// read returns, for each place of a group, the plies to the end plus one, or 0 if the answer is no.
// Each word of a row has wordBits places.
func (r *Reader) read(q Question, kind, group int) ([]uint8, error) {
	if r.kind != kind || r.group != group {
		r.kind, r.group = kind, group
		clear(r.plies)
	}
	if list, ok := r.plies[q]; ok {
		return list, nil
	}
	l := r.s.b.layout(kind)
	_, slabs := l.span(group)
	list := make([]uint8, l.wordBits*l.slabWords()*slabs)
	err := r.s.answers(r.packer, q, kind, group, func(ply, i int, x uint64) {
		for ; x != 0; x &= x - 1 {
			list[i*l.wordBits+bits.TrailingZeros64(x)] = uint8(ply + 1)
		}
	})
	if err == nil {
		r.plies[q] = list
	}
	return list, err
}

// answers calls do for the words of a group with positions where the answer to a question is yes in
// a number of plies.
func (s *Solution) answers(p *packer, q Question, kind, group int, do func(ply, i int, x uint64)) error {
	orbit, node, ok := s.find(q, kind)
	if !ok {
		return fmt.Errorf("armies: %s: the question %b, %b was not solved", s.b.spec.ID, q.Ours, q.Wins)
	}
	r := s.orbits[orbit]
	for ply, layer := range r.layers {
		err := p.read(layer, node, group, &r.layouts[node], func(i int, x uint64) { do(ply, i, x) })
		if err != nil {
			return err
		}
	}
	return nil
}

// Answer returns whether the answer to a question is yes at a place, and if so in how many plies
// the game is over. The error says that the question was not solved.
func (r *Reader) Answer(q Question, p Place) (yes bool, plies int, err error) {
	l := r.s.b.layout(p.kind)
	row, bit := l.row(p.ranks)
	group := row / l.slabRows / l.group
	list, err := r.read(q, p.kind, group)
	if err != nil {
		return false, 0, err
	}
	row -= group * l.group * l.slabRows
	d := list[row*l.words*l.wordBits+bit]
	return d > 0, int(d) - 1, nil
}

// Value returns the best result that a coalition can force at a place: a win of one of its members,
// a draw, or else a loss, the win of one of the others; and the plies to the end, 0 for a draw.
// Seats count from the one to move. A coalition of all seats wins if it can end the game.
func (r *Reader) Value(seats uint8, p Place) (game.Value, int, error) {
	yes, plies, err := r.Answer(Coalition(seats), p)
	if yes || err != nil {
		return game.Win, plies, err
	}
	others := uint8(1<<r.s.b.n-1) &^ seats
	if others == 0 {
		return game.Draw, 0, nil
	}
	if yes, plies, err = r.Answer(Coalition(others), p); yes || err != nil {
		return game.Loss, plies, err
	}
	return game.Draw, 0, nil
}
