package mnk

import (
	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/rank"
)

// mostNumbered is the largest number of cells of boards with numbered positions: 26 have
// 2³⁸ ways to place stones in turn.
const mostNumbered = 26

// stones numbers the positions with a given number of stones: by the stones of the player
// who moved last, then by the mover's among the cells left. So the positions one turn
// before, where the other player is the mover, differ in the last part only.
type stones struct {
	first       uint64 // number of the first of these positions
	last, mover *rank.Subsets
}

// newNumbers returns the numbering of a board by the number of stones, and the number n of
// positions. For large boards it returns nil and 0.
func newNumbers(cells int) (list []stones, n uint64) {
	if cells > mostNumbered {
		return nil, 0
	}
	for p := range cells + 1 {
		last, err := rank.NewSubsets(cells, (p+1)/2)
		if err != nil {
			panic(err) // never with at most mostNumbered cells
		}
		mover, err := rank.NewSubsets(cells-(p+1)/2, p/2)
		if err != nil {
			panic(err)
		}
		list = append(list, stones{n, last, mover})
		n += last.Size() * mover.Size()
	}
	return list, n
}

// Numbers implements [game.Numberer]. It is 0 for boards of more than 26 cells.
func (g *Game) Numbers() uint64 {
	if g.plain {
		return 0
	}
	return g.numbers
}

// At implements [game.Numberer]. A number has no position if the mover has won, or if none
// of the winner's stones can have been the last.
func (g *Game) At(to game.State, number uint64) bool {
	s := to.(*State64)
	s.n, s.depth, s.rated = g.cells, 0, false
	for number < g.stones[s.n].first {
		s.n--
	}
	by := &g.stones[s.n]
	number -= by.first
	r := number / by.mover.Size()
	last := by.last.Unrank64(r)
	mover := bitboard.Deposit64(by.mover.Unrank64(number-r*by.mover.Size()), g.lines64.Cells.Lo&^last)
	s.stone[1-s.n&1].Lo, s.stone[s.n&1].Lo = last, mover
	s.won = g.won(last)
	if g.won(mover) {
		return false
	}
	for rest := last; s.won && rest != 0; rest &= rest - 1 {
		if !g.won(last &^ (rest & -rest)) {
			return true
		}
	}
	return !s.won
}

func (g *Game) won(stones uint64) bool { return g.lines64.Won(bitboard.Set64{Lo: stones}) }

// Number implements [game.Numberer].
func (g *Game) Number(at game.State) uint64 {
	s := at.(*State64)
	last, mover := s.stone[1-s.n&1].Lo, s.stone[s.n&1].Lo
	return g.stones[s.n].row(last) + g.stones[s.n].mover.Rank64(bitboard.Extract64(mover, g.lines64.Cells.Lo&^last))
}

// row is the number of the first position with these stones of the player who moved last.
func (s *stones) row(last uint64) uint64 { return s.first + s.last.Rank64(last)*s.mover.Size() }

// Before implements [game.Unmover]: each stone of the player who moved last may have been
// the last.
func (s *State64) Before(buf []uint64) []uint64 {
	if s.n == 0 {
		return buf
	}
	last, mover := s.stone[1-s.n&1].Lo, s.stone[s.n&1].Lo
	by := &s.g.stones[s.n-1]
	row, all := by.row(mover), bitboard.Extract64(last, s.g.lines64.Cells.Lo&^mover)
	for rest := all; rest != 0; rest &= rest - 1 {
		buf = append(buf, row+by.mover.Rank64(all&^(rest&-rest)))
	}
	return buf
}
