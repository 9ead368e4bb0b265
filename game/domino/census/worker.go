package census

import (
	"encoding/binary"
	"slices"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
)

// shared holds the tables of all workers.
type shared struct {
	maps     *maps
	lanes    *[64]lanes
	frames   *frames
	starters []starterClass
	unitOf   map[domino.Set]int // index of a starter class, by its tiles
}

func newShared() *shared {
	m := newMaps()
	s := &shared{maps: m, lanes: m.newLanes(), frames: m.newFrames(), starters: m.starterClasses(), unitOf: make(map[domino.Set]int)}
	for u := range s.starters {
		s.unitOf[s.starters[u].tiles] = u
	}
	return s
}

// worker solves classes and adds them up. It belongs to one goroutine, and allocates nothing once
// its buffers have grown.
type worker struct {
	*shared
	graph   *exact.Graph
	program program
	slots   []uint64

	scores  [renamings + blockLanes]uint8 // score + scoreOffset by lane
	kept    []uint16                      // renamings that count, in a class with symmetries
	groups  []laneGroup
	marks   []mark
	tally   Tally // counts without hands
	hands   *sharedHands
	starter row
	second  []row    // one row for each kind of hand
	tasks   []uint64 // second hands of a unit, with their kinds in the high words
	fix     []uint16
	inUnit  int // index of the starter class whose games are in row starter
}

// mark is a lane whose lines have scores of one sign only.
type mark struct {
	lane uint16
	sign domino.Sign
}

// newWorker returns a worker that adds to hands, or with nil only solves.
func newWorker(s *shared, hands *sharedHands) *worker {
	w := &worker{shared: s, hands: hands, graph: exact.NewGraph()}
	if hands != nil {
		w.second = make([]row, len(s.frames.first))
	}
	return w
}

// The memory of [Verify] and [Census.Run], in bytes.
const (
	sharedBytes = 160 << 20 // tables of renamings, the program, and garbage
	solveBytes  = 2 << 20   // memory of a thread that only solves
	rowsBytes   = 24 << 20  // memory of a thread that adds games up
	handsBytes  = 256 << 20 // the hands, and a file as it is read or written
)

// VerifyMemory is the memory of [Verify] for n games.
func VerifyMemory(n, threads int) uint64 {
	return sharedBytes + uint64(threads)*solveBytes + 64*uint64(n)
}

// RunMemory is the memory of [Census.Run] with a file.
func RunMemory(threads int) uint64 {
	return sharedBytes + handsBytes + uint64(threads)*rowsBytes
}

// evaluate fills w.scores with the scores of all labelings of a class, by lane of the result, and
// w.marks in order of lanes.
func (w *worker) evaluate(starter, second domino.Set) *lanes {
	w.graph.Build(0, starter, second)
	p := &w.program
	p.compile(w.graph, starter, second)
	if need := p.slots * words; len(w.slots) < need {
		w.slots = make([]uint64, 2*need)
	}
	l := &w.lanes[otherDoubles(starter|second)]
	w.marks = w.marks[:0]
	for b := range l.pips {
		run(p.code, w.slots, l.pips[b][:])
		w.collect(b*blockLanes, len(l.renaming))
	}
	return l
}

// collect stores the scores of a block of labelings, and marks the labelings whose lines all
// have one sign. from is the first lane of the block, n the number of lanes of all blocks.
func (w *worker) collect(from, n int) {
	const (
		ones = 0x0101010101010101
		tops = 0x80 * ones
	)
	p := &w.program
	value := w.slots[p.value/8:][:words]
	low := w.slots[p.low/8:][:words]
	high := w.slots[p.high/8:][:words]
	base := w.slots[p.base/8:][:words]
	out := w.scores[from:][:blockLanes]
	for i := range words {
		b := base[i]
		binary.LittleEndian.PutUint64(out[8*i:], value[i]+scoreOffset*ones-b)
		negative := ((b | tops) - high[i] - ones) & tops
		positive := ((low[i] | tops) - b - ones) & tops
		zero := ^(((low[i] ^ b) | (high[i] ^ b) | tops) - ones) & tops
		if negative|positive|zero == 0 {
			continue
		}
		for j := range 8 {
			lane := from + 8*i + j
			if lane >= n {
				break
			}
			switch bit := uint64(0x80) << (8 * j); {
			case negative&bit != 0:
				w.marks = append(w.marks, mark{uint16(lane), domino.OnlyNegative})
			case positive&bit != 0:
				w.marks = append(w.marks, mark{uint16(lane), domino.OnlyPositive})
			case zero&bit != 0:
				w.marks = append(w.marks, mark{uint16(lane), domino.OnlyZero})
			}
		}
	}
}

// canonical reports whether second is the least of its images under the unit's group. It lists in
// fix the renamings other than the identity that map second to itself.
func (w *worker) canonical(unit int, second domino.Set, fix []uint16) (bool, []uint16) {
	fix = fix[:0]
	for _, g := range w.starters[unit].group {
		image := w.maps.rename(int(g), second)
		if image < second {
			return false, fix
		}
		if image == second && g != 0 {
			fix = append(fix, g)
		}
	}
	return true, fix
}

// add solves the class of the unit with a second hand and counts its games. fix is the list that
// canonical returned.
func (w *worker) add(second domino.Set, fix []uint16) {
	starter := w.starters[w.inUnit].tiles
	l := w.evaluate(starter, second)
	renaming, groups, scores := l.renaming, l.group, w.scores[:len(l.renaming)]
	if len(fix) > 0 {
		renaming, groups, scores = w.distinct(l, fix)
	}

	t := &w.tally
	leaves, blocked := w.graph.Leaves()
	oneTile := w.graph.Moves() == 0
	t.Classes++
	t.Positions += int64(w.graph.Nodes())
	t.Moves += int64(w.graph.Moves())
	t.Operations += int64(w.program.slots)
	if int64(leaves) >= t.MostLeaves {
		if int64(leaves) > t.MostLeaves {
			t.MostLeaves, t.Widest = int64(leaves), nil
		}
		t.widest(domino.Deal{Starter: starter | 1, Second: second})
	}

	hand := domino.RankHand(second)
	kind := w.frames.kind[hand]
	after := w.maps.after[int(w.frames.from[hand])*renamings:][:renamings]
	row := &w.second[kind]
	if row.classes == rowGames {
		row.drain(w.maps, w.frames.first[kind], domino.Second, w.hands)
	}
	row.classes++
	if w.starter.classes == rowGames {
		w.drainStarter()
	}
	w.starter.classes++

	lines := leaves | blocked<<32
	for _, g := range groups {
		c := &t.ByDouble[g.double]
		n := int64(g.to - g.from)
		c.Games += n
		c.growLeaves(int(leaves))
		c.Leaves[leaves] += n
		c.Blocked += n * int64(blocked)
		if oneTile {
			c.OneTile += n
		}
		c.Signs[domino.Mixed] += n
		values := &c.Values
		for i, score := range scores[g.from:g.to] {
			p := renaming[g.from+i]
			x := increment[score]
			own := &w.starter.by[p]
			own.score += x
			own.lines += lines
			opp := &row.by[after[p]]
			opp.score += x
			opp.lines += lines
			values[int(score)-scoreOffset+domino.MaxScore]++
		}
	}
	for _, m := range w.marks {
		if len(fix) > 0 && !slices.Contains(w.kept, l.renaming[m.lane]) {
			continue
		}
		for _, g := range l.group {
			if int(m.lane) >= g.from && int(m.lane) < g.to {
				t.ByDouble[g.double].Signs[m.sign]++
				t.ByDouble[g.double].Signs[domino.Mixed]--
			}
		}
	}
}

// distinct keeps one of all labelings of the same deal. The renamings in fix map the class to
// itself, so a labeling after one of them gives the same deal.
func (w *worker) distinct(l *lanes, fix []uint16) ([]uint16, []laneGroup, []uint8) {
	w.kept, w.groups = w.kept[:0], w.groups[:0]
	for _, g := range l.group {
		from := len(w.kept)
		for i := g.from; i < g.to; i++ {
			p := l.renaming[i]
			if !slices.ContainsFunc(fix, func(f uint16) bool { return w.maps.after[int(f)*renamings+int(p)] < p }) {
				w.scores[len(w.kept)] = w.scores[i]
				w.kept = append(w.kept, p)
			}
		}
		w.groups = append(w.groups, laneGroup{g.double, from, len(w.kept)})
	}
	return w.kept, w.groups, w.scores[:len(w.kept)]
}

func (w *worker) drainStarter() {
	w.starter.drain(w.maps, w.starters[w.inUnit].tiles|1, domino.Starter, w.hands)
}

func (w *worker) drain() {
	w.drainStarter()
	for kind := range w.second {
		w.second[kind].drain(w.maps, w.frames.first[kind], domino.Second, w.hands)
	}
}
