package thesis2025

import "fmt"

// path is the line being searched: its nodes, and the moves of each.
type path struct {
	frames []frame
	moves  []move
	bytes  int64 // memory budget
}

type frame struct {
	limit             int    // limit of the node's children, in turns
	key               uint64 // the word of the key that the current move changes
	end               int    // index in moves where the node's moves end
	alpha, beta, best int32
	left              uint16 // moves not yet searched
	from              place  // start of the current move
	piece             uint8
	owner, turn       uint8 // owner of the pieces, and seat to move
	maximise          bool
}

const (
	frameBytes = 48
	moveBytes  = 4
)

// pathShare is the memory for the line in a search with tables: enough for a line down to the
// limit, but at most three quarters of the budget. Without a limit the line can take four times as
// much as the boards on it.
func (g *grid) pathShare() int64 {
	most := g.memory() / 4 * 3
	if g.Limit == 0 {
		return most
	}
	node := int64(frameBytes + moveBytes*g.Pieces*len(g.at))
	return min(most, 2*int64(g.Limit+1)*node) // append may double a slice
}

func (p *path) push(f frame, moves []move) error {
	f.left = uint16(len(moves))
	p.moves = append(p.moves, moves...)
	f.end = len(p.moves)
	p.frames = append(p.frames, f)
	if int64(cap(p.frames))*frameBytes+int64(cap(p.moves))*moveBytes > p.bytes {
		return fmt.Errorf("thesis2025: a line of %d turns and its moves: %w", len(p.frames), errMemory)
	}
	return nil
}

// top is the last node. The pointer is valid until the next push.
func (p *path) top() *frame { return &p.frames[len(p.frames)-1] }

// rest returns the moves of a node that are not yet searched.
func (p *path) rest(f *frame) []move { return p.moves[f.end-int(f.left) : f.end] }

func (p *path) pop() {
	p.frames, p.moves = p.frames[:len(p.frames)-1], p.moves[:0]
	if len(p.frames) > 0 {
		p.moves = p.moves[:p.top().end]
	}
}
