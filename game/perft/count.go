package perft

import "perfectplay/game"

// Count counts the sequences of depth legal turns from a position, passes included; a game that
// ends earlier adds none. If the state is a [game.Counter] the last turn is counted without
// being made. The state is at its position again afterwards.
func Count(s game.State, depth int) uint64 {
	p := counter{s: s}
	p.count, _ = s.(game.Counter)
	return p.leaves(depth, 0)
}

// counter is a count under way, with a move buffer for each depth.
type counter struct {
	s     game.State
	count game.Counter // counts the last turns; nil if they are made
	bufs  [][]game.Move
}

func (p *counter) moves(level int) []game.Move {
	if level == len(p.bufs) {
		p.bufs = append(p.bufs, make([]game.Move, 0, 256))
	}
	p.bufs[level] = p.s.Moves(p.bufs[level][:0])
	return p.bufs[level]
}

func (p *counter) leaves(depth, level int) (n uint64) {
	switch {
	case depth == 0:
		return 1
	case depth == 1 && p.count != nil:
		return uint64(p.count.CountMoves())
	}
	for _, m := range p.moves(level) {
		p.s.Make(m)
		if depth == 1 {
			n++
		} else {
			n += p.leaves(depth-1, level+1)
		}
		p.s.Unmake()
	}
	return n
}
