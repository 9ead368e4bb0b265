package armies

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
)

// maxPlaces bounds the places of a table, far above the memory of any machine.
const maxPlaces = 1 << 44

// NewPlan forecasts a solve of a game. Positions are counted once for each kind of seats, Places
// are products of the numbers of placements of the armies, and State is about the size of the
// layers. The error is the error of [Solve].
func NewPlan(t *halma.Armies, o Options) (Plan, error) {
	b, err := newBoard(t)
	if err != nil {
		return Plan{}, err
	}
	return b.plan(o)
}

func (b *board) plan(o Options) (p Plan, err error) {
	t := b.spec
	for kind := range b.period {
		places := uint64(1)
		for i := range b.n {
			hi, lo := bits.Mul64(places, uint64(b.kinds[(kind+i)%b.period].size))
			if hi != 0 || lo > maxPlaces {
				return Plan{}, fmt.Errorf("armies: %s: %d armies have more positions than can be numbered", t.ID, b.n)
			}
			places = lo
		}
		p.Places += places
	}
	p.Positions = uint64(b.period) * b.placements(b.n)
	questions := b.questions(o.Named)
	p.Steps = len(questions)
	p.State = p.Places * uint64(p.Steps) / 3 // 0.26 to 0.30 bytes a place and question were measured on 13 holes
	for _, q := range questions {
		planes, rest, touched := b.bytes(b.orbit(q), o.Workers())
		p.Disk, p.Bytes, p.InFiles = max(p.Disk, planes), max(p.Bytes, planes+rest), max(p.InFiles, rest+touched+leastTouched)
	}
	if !host.HasScratch || p.InFiles > p.Bytes {
		p.InFiles = p.Bytes
	}
	if o.Work == "" {
		p.Bytes += p.State
	}
	p.Least = p.Bytes
	return p, nil
}

// placements counts the placements of the armies of the first seats, cell by cell. left holds for
// each army the number of pieces not yet placed.
func (b *board) placements(seats int) uint64 {
	type left [6]int8
	var all left
	for seat := range seats {
		all[seat] = int8(b.k)
	}
	ways := map[left]uint64{all: 1}
	for c := range b.spec.Cells {
		next := maps.Clone(ways)
		for seat := range seats {
			if slices.Contains(b.spec.Closed[seat], c) {
				continue
			}
			for l, n := range ways {
				if l[seat] > 0 {
					l[seat]--
					next[l] += n
				}
			}
		}
		ways = next
	}
	return ways[left{}]
}

// leastTouched is the least part of the planes in files that must fit memory.
const leastTouched = 16 << 20

// bytes is the memory of an orbit: its planes, the rest, and the part of planes in files that is
// touched at once.
func (b *board) bytes(nodes []node, threads int) (planes, rest, touched uint64) {
	sum, fresh, slab, groups, rows := 0, 0, 0, 0, 0
	for _, at := range nodes {
		l := b.layout(at.kind)
		plane := 8 * l.rows * l.words
		sum += plane
		fresh, slab, groups = max(fresh, plane), max(slab, 8*l.group*l.slabWords()), max(groups, l.groups)
		rows = max(rows, l.dims[0]*(8*l.words+host.PageSize))
	}
	tables := 0
	for i := range b.kinds {
		k := &b.kinds[i]
		set := (b.span + 63) / 64 * 8
		tables += k.size*(2*set+4*b.k) + k.size*b.n/b.period*set + k.partials*(set+4*b.span+threads*(3*set+8)) + b.span*8*k.words
	}
	// Chunks that wait for writing take at most a sixteenth of a plane: a ply adds few bits.
	rest = uint64(fresh/16 + tables + threads*(6*slab+16<<20) + 32<<20 + groups*256)
	return uint64(sum + fresh), rest, uint64(threads * (3*rows + 3*slab))
}
