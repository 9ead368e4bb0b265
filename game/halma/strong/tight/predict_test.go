package tight

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/solitaire"
	"perfectplay/internal/host"
)

// What the planes of tiles would take in other forms than the plain one of file.go. A
// predictor turns the planes of some rows into others, from which it gets them back;
// these are compressed in sections as those of a file are. BenchmarkPredict tells bytes
// and processor time, game/halma/strong/README.md what came of it.

// planes are the planes of a file for all rows: won, lost, and known.
type planes [3][]uint64

func newPlanes(words int) *planes {
	return &planes{make([]uint64, words), make([]uint64, words), make([]uint64, words)}
}

// predictor makes dst from src, which it leaves as it is; back makes src from dst. What
// forth finds out about src, and a file would have to hold, is in m.
type predictor struct {
	name        string
	forth, back func(m *model, dst, src *planes)
}

// model is what predictors know: the layout, and of the race of each army alone how many
// turns it takes from each placement.
type model struct {
	*layout
	own, other []uint8 // by rank among all cells: of a row's army, and of one against it
	turns      []uint8 // by column: of the other army in the row that is worked on
	order      []uint32
	flags      []bool // by section
	first      [257]uint32
	// says has a bit for each plane that is predicted to be set, by the turns of the row's
	// army and of the other.
	says [256][256]uint8
	// hits counts what to fit it to: places by those turns, and those set in each plane.
	hits [256][256][4]uint32
}

func newModel(tb testing.TB, l *layout) *model {
	tb.Helper()
	race, err := solitaire.Solve(context.Background(), l.b.spec, solitaire.Options{Threads: 1})
	if err != nil {
		tb.Fatal(err)
	}
	m := &model{layout: l, own: make([]uint8, l.armies.Size()), other: make([]uint8, l.armies.Size())}
	m.turns, m.order = make([]uint8, l.cols), make([]uint32, l.cols)
	for _, s := range subsets(l.n, l.k) {
		army := bitboard.Deposit64(s, l.b.open)
		n := race.Turns(bitboard.Set128{Lo: l.b.toCells(army)})
		if n < 0 {
			n = 255 // never
		}
		m.own[l.rankOf(army)], m.other[l.rankOf(l.b.turn(army))] = uint8(n), uint8(n)
	}
	return m
}

// race sets turns for a row, and returns those of its army.
func (m *model) race(row int) (own uint8) {
	free := bitboard.Extract64(m.b.open&^m.army[row], m.b.open)
	for c, set := range m.set {
		rank, i := uint32(0), 0
		for x := bitboard.Deposit64(set, free); x != 0; x &= x - 1 {
			rank += m.term[i<<6|bits.TrailingZeros64(x)]
			i++
		}
		m.turns[c] = m.other[rank]
	}
	return m.own[m.rankOf(m.army[row])]
}

// fixed predicts that who needs no more turns than the other wins, the mover first.
func (m *model) fixed(*planes) {
	for own := range m.says {
		for other := range m.says[own] {
			s := uint8(0)
			if own <= other {
				s |= 1
			} else {
				s |= 2
			}
			if other <= own {
				s |= 4
			}
			m.says[own][other] = s
		}
	}
}

// count sets hits.
func (m *model) count(src *planes) {
	clear(m.hits[:])
	for row := range m.rows {
		hits := &m.hits[m.race(row)]
		for c, n := range m.turns {
			at, h := row*m.words+c>>6, &hits[n]
			for i := range src {
				h[i] += uint32(src[i][at] >> (c & 63) & 1)
			}
			h[3]++
		}
	}
}

// pairs predicts for each pair of turns what most of its places are.
func (m *model) pairs(src *planes) {
	m.count(src)
	for own := range m.says {
		for other := range m.says[own] {
			m.says[own][other] = 0
			for i := range src {
				if h := &m.hits[own][other]; 2*h[i] > h[3] {
					m.says[own][other] |= 1 << i
				}
			}
		}
	}
}

// threshold predicts each plane by the lead, from the threshold on that misses the fewest
// places: won where it is greater, lost and known where it is less.
func (m *model) threshold(src *planes) {
	m.count(src)
	m.says = [256][256]uint8{}
	for i := range src {
		var set, all [513]int // by lead + 256, 512 being none
		for own := range m.hits {
			for other := range m.hits[own] {
				lead := other - own + 256
				if i > 0 {
					lead = own - other + 256
				}
				set[lead] += int(m.hits[own][other][i])
				all[lead] += int(m.hits[own][other][3])
			}
		}
		missed, least, best := 0, 0, 512
		for lead := 511; lead >= 0; lead-- {
			if missed += all[lead] - 2*set[lead]; missed < least {
				least, best = missed, lead
			}
		}
		for own := range m.says {
			for other := range m.says[own] {
				if i == 0 && other-own+256 >= best || i > 0 && own-other+256 >= best {
					m.says[own][other] |= 1 << i
				}
			}
		}
	}
}

// xorRace makes dst from src, and src from dst.
func (m *model) xorRace(dst, src *planes) {
	for row := range m.rows {
		says := &m.says[m.race(row)]
		for w := range m.words {
			var x [3]uint64
			for j, n := range m.turns[w*64 : min(w*64+64, m.cols)] {
				s := uint64(says[n])
				x[0] |= s & 1 << j
				x[1] |= s >> 1 & 1 << j
				x[2] |= s >> 2 << j
			}
			at := row*m.words + w
			for i := range x {
				dst[i][at] = src[i][at] ^ x[i]
			}
		}
	}
}

// sort sets order to the columns of a row by turns, and first to where each number begins.
func (m *model) sort(row int) {
	m.race(row)
	m.first = [257]uint32{}
	for _, n := range m.turns {
		m.first[int(n)+1]++
	}
	for i := range m.first[1:] {
		m.first[i+1] += m.first[i]
	}
	for c, n := range m.turns {
		m.order[m.first[n]] = uint32(c)
		m.first[n]++
	}
}

func raced(name string, fit func(m *model, src *planes)) predictor {
	return predictor{name,
		func(m *model, dst, src *planes) { fit(m, src); m.xorRace(dst, src) },
		func(m *model, src, dst *planes) { m.xorRace(src, dst) },
	}
}

// wordwise is a predictor that makes words from those at the same place.
func wordwise(name string, forth, back func(win, loss, known uint64) (a, b, c uint64)) predictor {
	each := func(f func(win, loss, known uint64) (a, b, c uint64)) func(m *model, dst, src *planes) {
		return func(_ *model, dst, src *planes) {
			for i, win := range src[0] {
				dst[0][i], dst[1][i], dst[2][i] = f(win, src[1][i], src[2][i])
			}
		}
	}
	return predictor{name, each(forth), each(back)}
}

// sorted has the columns of each row in the order of the other army's turns.
var sorted = predictor{"sorted",
	func(m *model, dst, src *planes) {
		for row := range m.rows {
			m.sort(row)
			for i := range src {
				from, to := src[i][row*m.words:], dst[i][row*m.words:(row+1)*m.words]
				clear(to)
				for j, c := range m.order {
					to[j>>6] |= from[c>>6] >> (c & 63) & 1 << (j & 63)
				}
			}
		}
	},
	func(m *model, src, dst *planes) {
		for row := range m.rows {
			m.sort(row)
			for i := range src {
				from, to := dst[i][row*m.words:], src[i][row*m.words:(row+1)*m.words]
				clear(to)
				for j, c := range m.order {
					to[c>>6] |= from[j>>6] >> (j & 63) & 1 << (c & 63)
				}
			}
		}
	},
}

// before is the row before.
var before = predictor{"before",
	func(m *model, dst, src *planes) {
		for i := range src {
			copy(dst[i], src[i][:m.words])
			for at := m.words; at < len(src[i]); at++ {
				dst[i][at] = src[i][at] ^ src[i][at-m.words]
			}
		}
	},
	func(m *model, src, dst *planes) {
		for i := range src {
			copy(src[i], dst[i][:m.words])
			for at := m.words; at < len(src[i]); at++ {
				src[i][at] = dst[i][at] ^ src[i][at-m.words]
			}
		}
	},
}

// chosen has in place of what is lost what is decided, where that has more bytes with
// the value of the next: for each section, which is said by a bit.
var chosen = predictor{"decided-chosen",
	func(m *model, dst, src *planes) {
		m.flags = m.flags[:0]
		copy(dst[0], src[0])
		copy(dst[2], src[2])
		for from := 0; from < len(src[1]); from += sectionBytes / 8 {
			to := min(from+sectionBytes/8, len(src[1]))
			gain := 0
			for at := from; at < to; at++ {
				gain += mixed(src[1][at]) - mixed(src[1][at]^src[0][at])
			}
			m.flags = append(m.flags, gain > 0)
			for at := from; at < to; at++ {
				if dst[1][at] = src[1][at]; gain > 0 {
					dst[1][at] ^= src[0][at]
				}
			}
		}
	},
	func(m *model, src, dst *planes) {
		copy(src[0], dst[0])
		copy(src[2], dst[2])
		for at, x := range dst[1] {
			if src[1][at] = x; m.flags[at/(sectionBytes/8)] {
				src[1][at] ^= dst[0][at]
			}
		}
	},
}

// mixed counts the bytes of a word that differ from the ones after them.
func mixed(x uint64) int {
	const low = 0x0101010101010101
	y := x ^ bits.RotateLeft64(x, 8)
	y |= y >> 4 & (0x0f * low)
	y |= y >> 2 & (0x03 * low)
	y |= y >> 1 & low
	return bits.OnesCount64(y & low)
}

// blocked is a predictor that puts words of 64 rows in another order, and perhaps
// transposes them: what is left over of the rows stays.
func blocked(name string, transpose bool) predictor {
	each := func(back bool) func(m *model, dst, src *planes) {
		return func(m *model, dst, src *planes) {
			var x [64]uint64
			for i := range src {
				rows := m.rows &^ 63
				for row := 0; row < rows; row += 64 {
					base := row * m.words
					for w := range m.words {
						for r := range x {
							if x[r] = src[i][base+r*m.words+w]; back {
								x[r] = src[i][base+w*64+r]
							}
						}
						if transpose {
							bitboard.Transpose(&x, 64)
						}
						for r := range x {
							if back {
								dst[i][base+r*m.words+w] = x[r]
							} else {
								dst[i][base+w*64+r] = x[r]
							}
						}
					}
				}
				copy(dst[i][rows*m.words:], src[i][rows*m.words:])
			}
		}
	}
	return predictor{name, each(false), each(true)}
}

// then is one predictor after the other.
func then(name string, p, q predictor) predictor {
	return predictor{name,
		func(m *model, dst, src *planes) {
			between := newPlanes(len(src[0]))
			p.forth(m, between, src)
			q.forth(m, dst, between)
		},
		func(m *model, src, dst *planes) {
			between := newPlanes(len(src[0]))
			q.back(m, between, dst)
			p.back(m, src, between)
		},
	}
}

// predictors are all that are measured, first the plain form.
func predictors() []predictor {
	decided := wordwise("decided",
		func(w, l, k uint64) (a, b, c uint64) { return w, w ^ l, k },
		func(a, b, c uint64) (w, l, k uint64) { return a, a ^ b, c })
	lossKnown := wordwise("loss-known",
		func(w, l, k uint64) (a, b, c uint64) { return w, l, k ^ l },
		func(a, b, c uint64) (w, l, k uint64) { return a, b, c ^ b })
	pairs := raced("race-pairs", (*model).pairs)
	return []predictor{
		wordwise("raw", func(w, l, k uint64) (a, b, c uint64) { return w, l, k }, func(a, b, c uint64) (w, l, k uint64) { return a, b, c }),
		raced("race", (*model).fixed), raced("race-threshold", (*model).threshold), pairs,
		before, sorted, blocked("words", false), blocked("bits", true),
		then("sorted+race-pairs", pairs, sorted), then("sorted+before", sorted, before), then("before+bits", before, blocked("bits", true)),
		decided, chosen, lossKnown, then("decided+bits", decided, blocked("bits", true)),
		then("decided+before+bits", decided, then("before+bits", before, blocked("bits", true))), then("decided+race-pairs", decided, pairs),
	}
}

// packer compresses as a tileWriter does, but for the level.
type packer struct {
	z   *zstd.Encoder
	d   *zstd.Decoder
	raw []byte
}

func newPacker(tb testing.TB, level zstd.EncoderLevel) *packer {
	tb.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(sectionBytes), zstd.WithLowerEncoderMem(true))
	if err != nil {
		tb.Fatal(err)
	}
	in, err := newTileReader()
	if err != nil {
		tb.Fatal(err)
	}
	return &packer{z: z, d: in.z}
}

// pack returns the sections of planes, and the bytes of each with its head.
func (p *packer) pack(s *planes) (list [3][][]byte, size [3]int) {
	for i, words := range s {
		for part := range slices.Chunk(words, sectionBytes/8) {
			p.raw = p.raw[:0]
			for _, x := range part {
				p.raw = binary.LittleEndian.AppendUint64(p.raw, x)
			}
			b := p.z.EncodeAll(p.raw, nil)
			list[i] = append(list[i], b)
			size[i] += sectionHead + len(b)
		}
	}
	return list, size
}

func (p *packer) unpack(tb testing.TB, s *planes, list [3][][]byte) {
	tb.Helper()
	for i, words := range s {
		for _, b := range list[i] {
			var err error
			if p.raw, err = p.d.DecodeAll(b, p.raw[:0]); err != nil {
				tb.Fatal(err)
			}
			for j := range len(p.raw) / 8 {
				words[j] = binary.LittleEndian.Uint64(p.raw[8*j:])
			}
			words = words[len(p.raw)/8:]
		}
		if len(words) > 0 {
			tb.Fatal("planes are cut off")
		}
	}
}

// passPlanes are the planes after each pass of a solve of values in tiles.
type passPlanes struct {
	m      *model
	plain  *packer
	passes [][3][][]byte
	half   int // the pass after which half of all positions are decided
}

func solvePasses(tb testing.TB, spec *halma.TwoArmy, tiles int) *passPlanes {
	tb.Helper()
	ctx := context.Background()
	begin := host.ProcessTime()
	t, err := OpenTiles(tb.TempDir(), spec, tiles, false)
	if err != nil {
		tb.Fatal(err)
	}
	p := &passPlanes{plain: newPacker(tb, zstd.SpeedFastest)}
	whole, s, decided, written := newPlanes(t.l.rows*t.l.words), t.newTile(), uint64(0), int64(0)
	var spent time.Duration
	for final := false; !final; {
		n := len(p.passes)
		if err := t.Tasks(ctx, n, 0, tiles, 1, func(int) {}); err != nil {
			tb.Fatal(err)
		}
		r, err := t.Finish(ctx, n)
		if err != nil {
			tb.Fatal(err)
		}
		spent += host.ProcessTime() - begin
		final, written = r.Final, written+r.Written
		if decided += r.Wins + r.Losses; p.half == 0 && 2*decided >= t.l.positions() {
			p.half = n
		}
		in, err := newTileReader()
		if err != nil {
			tb.Fatal(err)
		}
		for i := range tiles {
			from, to := t.rows(i)
			s.size((to - from) * t.l.words)
			if err := t.read(in, i, n, s); err != nil {
				tb.Fatal(err)
			}
			for j, plane := range [][]uint64{s.win, s.loss, s.known} {
				copy(whole[j][from*t.l.words:], plane)
			}
		}
		list, _ := p.plain.pack(whole)
		p.passes = append(p.passes, list)
		begin = host.ProcessTime()
	}
	tb.Logf("%s: %d places in %d tiles, %d passes, half decided after %d; %.2f CPU-s, %d bytes written",
		spec.ID, t.l.rows*t.l.cols, tiles, len(p.passes)-1, p.half, spent.Seconds(), written)
	p.m = newModel(tb, t.l)
	return p
}

// predicted is what a predictor takes.
type predicted struct {
	size        [3]int
	forth, back time.Duration
}

func (p *passPlanes) predict(tb testing.TB, o predictor, z *packer, passes []int) (sum predicted) {
	tb.Helper()
	words := p.m.rows * p.m.words
	src, dst, got := newPlanes(words), newPlanes(words), newPlanes(words)
	for _, n := range passes {
		p.plain.unpack(tb, src, p.passes[n])
		begin := host.ThreadTime()
		o.forth(p.m, dst, src)
		list, size := z.pack(dst)
		packed := host.ThreadTime()
		z.unpack(tb, dst, list)
		o.back(p.m, got, dst)
		sum.forth, sum.back = sum.forth+packed-begin, sum.back+host.ThreadTime()-packed
		for i := range size {
			sum.size[i] += size[i]
			if !slices.Equal(src[i], got[i]) {
				tb.Fatalf("%s: pass %d, plane %d: it does not come back", o.name, n, i)
			}
		}
	}
	return sum
}

func predictBoard(tb testing.TB, id string) *halma.TwoArmy {
	tb.Helper()
	_, spec := halmatest.Race(id, "sturtevant")
	return spec
}

// TestPredict: planes come back from every predictor, and the race is that of package
// solitaire.
func TestPredict(t *testing.T) {
	p := solvePasses(t, predictBoard(t, "halma-4x4p2"), 2)
	if p.m.rows < 64 || p.m.rows%64 == 0 || p.m.cols%64 == 0 {
		t.Fatalf("%d rows of %d columns: blocks of 64 and what is left over should both be tried", p.m.rows, p.m.cols)
	}
	z := newPacker(t, zstd.SpeedFastest)
	sizes := map[string]int{}
	for _, o := range predictors() {
		r := p.predict(t, o, z, []int{0, p.half, len(p.passes) - 1})
		sizes[o.name] = r.size[0] + r.size[1] + r.size[2]
	}
	if len(sizes) != len(predictors()) {
		t.Error("two predictors have one name")
	}
	race, err := solitaire.Solve(context.Background(), p.m.b.spec, solitaire.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	// From the cells of both armies, not from their numbers: half a turn makes the other
	// player the mover.
	for row, army := range p.m.army {
		own := p.m.race(row)
		if want := race.Turns(bitboard.Set128{Lo: p.m.b.toCells(army)}); int(own) != want {
			t.Fatalf("row %d: %d turns, want %d", row, own, want)
		}
		for c, set := range p.m.set {
			cells := bitboard.Set128{}
			for x := p.m.b.toCells(bitboard.Deposit64(set, p.m.b.open&^army)); x != 0; x &= x - 1 {
				cells.Lo |= 1 << p.m.b.spec.Turn[bits.TrailingZeros64(x)]
			}
			if want := race.Turns(cells); int(p.m.turns[c]) != want {
				t.Fatalf("row %d, column %d: %d turns, want %d", row, c, p.m.turns[c], want)
			}
		}
	}
}

// BenchmarkPredict tells bytes of planes and processor time of writing and reading them,
// of one pass or of all:
//
//	go test ./game/halma/strong/tight -run XXX -bench 'Predict/board=4x4p6/moment=end/level=fastest' -benchtime 1x -v
func BenchmarkPredict(b *testing.B) {
	levels := []struct {
		name  string
		level zstd.EncoderLevel
	}{{"fastest", zstd.SpeedFastest}, {"default", zstd.SpeedDefault}, {"best", zstd.SpeedBestCompression}}
	for _, board := range []string{"4x4p6", "5x5p4", "7x7p3"} {
		b.Run("board="+board, func(b *testing.B) {
			p := solvePasses(b, predictBoard(b, "halma-"+board), 8)
			last := len(p.passes) - 1
			all := make([]int, len(p.passes))
			for i := range all {
				all[i] = i
			}
			for _, moment := range []struct {
				name   string
				passes []int
			}{{"half", []int{p.half}}, {"end", []int{last}}, {"all", all}} {
				for _, level := range levels {
					z := newPacker(b, level.level)
					for _, o := range predictors() {
						b.Run(fmt.Sprintf("moment=%s/level=%s/by=%s", moment.name, level.name, o.name), func(b *testing.B) {
							runtime.LockOSThread()
							defer runtime.UnlockOSThread()
							var r predicted
							var forth, back time.Duration
							n := 0
							for b.Loop() {
								r = p.predict(b, o, z, moment.passes)
								forth, back = forth+r.forth, back+r.back
								n++
							}
							for i, name := range []string{"won-B", "lost-B", "known-B"} {
								b.ReportMetric(float64(r.size[i]), name)
							}
							b.ReportMetric(float64(r.size[0]+r.size[1]+r.size[2]), "B")
							b.ReportMetric(forth.Seconds()*1000/float64(n), "write-CPU-ms")
							b.ReportMetric(back.Seconds()*1000/float64(n), "read-CPU-ms")
						})
					}
				}
			}
		})
	}
}
