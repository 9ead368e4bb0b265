package strong

import (
	"context"
	"math/bits"

	"perfectplay/internal/host"
)

// Reachable is the positions that play from the start can lead to. Positions
// that differ only by half a turn and the exchange of the armies are one, as
// everywhere in this package: it does not matter which seat is to move.
type Reachable struct {
	Counts
	// LongestWin and LongestLoss are the largest distances among them, if the
	// solve was for distances.
	LongestWin, LongestLoss int
}

// Reachable finds the positions that can be reached from the start. It takes as
// much memory again as the values, in files where the solve was kept in files:
// see Options.Reachable.
//
// It goes the other way round than solving: the positions of one column share
// the other army and lead into one row.
func (r *Solution) Reachable(ctx context.Context) (Reachable, error) {
	l := r.l
	f := &forward{layout: l, space: r.space, from: make([]uint64, l.handWords), sources: make([][]uint32, 64)}
	for _, p := range []*plane{&f.seen, &f.frontier} {
		var err error
		if *p, err = r.space.Words(len(r.win)); err != nil {
			return Reachable{}, err
		}
	}
	row, col := l.kernel.startPlace()
	at := l.at64(row, col)
	f.seen[at] |= 1 << (col & 63)
	f.frontier[at] |= 1 << (col & 63)
	for f.found = true; f.found; {
		f.found = false
		for block := range l.gap / 64 {
			if err := ctx.Err(); err != nil {
				return Reachable{}, err
			}
			f.block(block)
		}
	}
	return r.countReached(f.seen), nil
}

// countReached counts the positions of a plane by value.
func (r *Solution) countReached(seen plane) (n Reachable) {
	l := r.l
	for j := range l.words {
		r.space.Charge(3 * 8 * l.gap)
		if r.dist != nil {
			r.space.Charge(len(r.dist.planes) * 8 * l.gap)
		}
		for row := range l.reps {
			at := l.at64(row, j*64)
			for x := seen[at]; x != 0; x &= x - 1 {
				bit := bits.TrailingZeros64(x)
				weight := l.weight(row, j*64+bit)
				switch {
				case r.win[at]>>bit&1 != 0:
					n.Wins += weight
					n.LongestWin = max(n.LongestWin, r.distance(at, bit))
				case r.loss[at]>>bit&1 != 0:
					n.Losses += weight
					n.LongestLoss = max(n.LongestLoss, r.distance(at, bit))
				default:
					n.Draws += weight
				}
			}
		}
	}
	return n
}

// distance returns the distance of a bit of a word, 0 where it is not known.
func (r *Solution) distance(at, bit int) int {
	if r.dist == nil {
		return 0
	}
	return r.dist.of(at, bit)
}

// forward is the scratch space of Reachable.
type forward struct {
	*layout
	space          *host.Space
	seen, frontier plane
	found          bool
	from           []uint64   // by partial army, in words: where the piece in the hand is
	touched        []uint32   // words of from that are not empty
	sources        [][]uint32 // by row of a block: columns with positions of the frontier
}

// block expands the positions of the frontier in 64 columns.
func (f *forward) block(block int) {
	for i := range f.sources {
		f.sources[i] = f.sources[i][:0]
	}
	// The columns of a block and their mirror images, and a page for each run of
	// the rows, which 8 blocks share.
	f.space.Charge(2*8*f.gap + 2*f.words*host.PageSize/8)
	any := false
	take := func(tile []uint64, offset int) {
		for row := range f.reps {
			x := tile[row]
			if x == 0 {
				continue
			}
			tile[row] = 0
			any = true
			for ; x != 0; x &= x - 1 {
				i := bits.TrailingZeros64(x)
				if offset == 0 || row < f.pairs {
					f.sources[i] = append(f.sources[i], uint32(row+offset))
				}
				if offset == 0 && row < f.pairs && block*64+i >= f.pairs {
					f.sources[i] = append(f.sources[i], uint32(row+f.gap)) // the mirror image
				}
			}
		}
	}
	take(f.frontier[block*f.gap:(block+1)*f.gap], 0)
	if mirrored := block + f.gap/64; mirrored < f.words {
		take(f.frontier[mirrored*f.gap:(mirrored+1)*f.gap], f.gap)
	}
	if !any {
		return
	}
	for i, columns := range f.sources {
		if len(columns) > 0 {
			f.kernel.expand(f, block*64+i, columns)
		}
	}
}

// enter marks a position as reached.
func (f *forward) enter(row, col int) {
	if row >= f.pairs && col >= f.gap {
		col -= f.gap
	}
	at, bit := f.at64(row, col), uint64(1)<<(col&63)
	f.space.FaultIn(&f.seen[at])
	if f.seen[at]&bit == 0 {
		f.seen[at] |= bit
		f.frontier[at] |= bit
		f.found = true
	}
}
