package export

import (
	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/tablebase"
)

// FromTable is an open table as a source.
func FromTable(t *tablebase.Table) Source { return table{t} }

type table struct{ *tablebase.Table }

func (t table) Reader() Reader { return tableReader{t.Rows(), t.Rows()} }

// tableReader has a reader each for positions and for what moves lead to, which lie in
// other blocks.
type tableReader struct{ at, after *tablebase.Rows }

func (r tableReader) At(number uint64, _, _ bitboard.Set128) (game.Value, int, error) {
	return r.at.At(number)
}

func (r tableReader) After(mover bitboard.Set128) error { return r.after.Seek(mover) }

func (r tableReader) Value(other bitboard.Set128) (game.Value, int, error) {
	return r.after.Value(other)
}

// FromSolution is a solution in memory as a source. It takes
// [tablebase.NumberingMemory] besides.
func FromSolution(g *halma.Game, s *strong.Solution) (Source, error) {
	two, err := g.TwoArmy()
	if err != nil {
		return nil, err
	}
	info, numbering, err := tablebase.NewInfo(two, s.HasDistances(), "")
	if err != nil {
		return nil, err
	}
	return solution{numbering, info, s}, nil
}

type solution struct {
	*tablebase.Numbering
	info tablebase.Info
	s    *strong.Solution
}

func (s solution) Info() tablebase.Info { return s.info }

func (s solution) Reader() Reader { return &solutionReader{s: s.s, at: s.s.Rows()} }

// solutionReader reads whole rows of a solution where positions are asked for in
// order, and single values where moves lead.
type solutionReader struct {
	s     *strong.Solution
	at    *strong.Rows
	row   bitboard.Set128 // that at is at; no army is empty
	mover bitboard.Set128
}

func (r *solutionReader) At(_ uint64, mover, other bitboard.Set128) (game.Value, int, error) {
	if mover != r.row {
		r.at.Seek(mover)
		r.row = mover
	}
	v, d := r.at.Value(other)
	return v, d, nil
}

func (r *solutionReader) After(mover bitboard.Set128) error {
	r.mover = mover
	return nil
}

func (r *solutionReader) Value(other bitboard.Set128) (game.Value, int, error) {
	v, d := r.s.Value(r.mover, other)
	return v, d, nil
}
