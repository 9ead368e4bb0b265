package thesis2025

import "fmt"

// path is the line being searched: a frame for each of its nodes, and the moves of each. It
// grows by chunks and keeps them, so nothing is copied.
type path struct {
	frames [][]frame
	moves  [][]move
	depth  int   // frames in use
	chunk  int   // chunk of moves in use
	fill   int   // moves in use in that chunk
	bytes  int64 // budget left
}

// frame is a node on the line.
type frame struct {
	limit             int    // turns left to its children
	key               uint64 // the word of the key that the current move changes
	alpha, beta, best int32
	chunk             int32  // where the moves are
	end, left         uint16 // end of its moves, and number of moves not yet searched
	from              place  // start of the current move
	piece             uint8
	owner, turn       uint8 // owner of the pieces, and seat to move
	maximise          bool
}

const (
	chunkFrames = 1 << 10
	chunkMoves  = 1 << 12 // more than a node has
	frameBytes  = 48
	moveBytes   = 4
)

// pathShare is the memory for the line in a search with tables: enough for one down to the
// limit, but at most three quarters. Without a limit the line can take four times as much
// as the boards on it.
func (g *grid) pathShare() int64 {
	most := g.memory() / 4 * 3
	if g.Limit == 0 {
		return most
	}
	moves := int64(g.Limit) * int64(g.Pieces*len(g.at)) * 3 / 2 // with room for the ends of chunks
	return min(most, (int64(g.Limit)/chunkFrames+1)*chunkFrames*frameBytes+(moves/chunkMoves+1)*chunkMoves*moveBytes)
}

// spend takes bytes off the budget.
func (p *path) spend(bytes int64) error {
	if p.bytes -= bytes; p.bytes < 0 {
		return fmt.Errorf("thesis2025: a line of %d turns and its moves: %w", p.depth, errMemory)
	}
	return nil
}

// push adds a node with at least one move.
func (p *path) push(f frame, moves []move) error {
	if p.depth == len(p.frames)*chunkFrames {
		if err := p.spend(chunkFrames * frameBytes); err != nil {
			return err
		}
		p.frames = append(p.frames, make([]frame, chunkFrames))
	}
	if p.fill+len(moves) > chunkMoves {
		p.chunk, p.fill = p.chunk+1, 0
	}
	if p.chunk == len(p.moves) {
		if err := p.spend(chunkMoves * moveBytes); err != nil {
			return err
		}
		p.moves = append(p.moves, make([]move, chunkMoves))
	}
	copy(p.moves[p.chunk][p.fill:], moves)
	p.fill += len(moves)
	f.chunk, f.end, f.left = int32(p.chunk), uint16(p.fill), uint16(len(moves))
	p.frames[p.depth/chunkFrames][p.depth%chunkFrames] = f
	p.depth++
	return nil
}

// top is the last node.
func (p *path) top() *frame {
	i := p.depth - 1
	return &p.frames[i/chunkFrames][i%chunkFrames]
}

// rest are the moves of a node not yet searched.
func (p *path) rest(f *frame) []move {
	return p.moves[f.chunk][f.end-f.left : f.end]
}

// pop removes the last node. The moves of earlier nodes keep their places.
func (p *path) pop() {
	p.depth--
	if p.depth == 0 {
		p.chunk, p.fill = 0, 0
		return
	}
	f := p.top()
	p.chunk, p.fill = int(f.chunk), int(f.end)
}
