package census

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/internal/impl"
)

var games = flag.Int("games", 2000, "games to solve one by one and compare with the census")

// common holds the tables, which all tests share.
var common = sync.OnceValue(newShared)

// Second hands are sets of seven of 21 tiles, from firstHand to below endHand.
const (
	firstHand domino.Set = 1<<domino.HandSize - 1
	endHand   domino.Set = 1 << (domino.Tiles - domino.HandSize)
)

func TestVerify(t *testing.T) {
	impl.TestAll(t, "domino/census", func(t *testing.T) {
		calls, games := atomic.Int64{}, *games
		if testing.Short() {
			games /= 4 // of every second family
		}
		v, err := common().verify(context.Background(), games, 1, 2, func() { calls.Add(1) })
		if v.Games != games || calls.Load() != int64(games) || err != nil || games >= 2*Units && v.Families != Units {
			t.Errorf("%+v of %d: %v", v, games, err)
		}
	})
}

func TestVerifyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Verify(ctx, 10, 1, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestTally counts a small part of some families again, game by game. Among them are the most
// symmetric families, in whose classes a game occurs several times.
func TestTally(t *testing.T) {
	s := common()
	solver := exact.NewSolver()
	symmetric := 0
	for _, unit := range []int{0, 77, Units - 1} {
		const part = 4
		parts := 20000 / len(s.starters[unit].group)
		hands := &sharedHands{hands: new(Hands)}
		w := newWorker(s, hands)
		w.unit(unit, part, parts, 0, 1)
		w.drain()
		got := &w.tally
		got.Hands = hands.hands

		starter := s.starters[unit].tiles
		want := newTally()
		place := -1
		for p := firstHand; p < endHand; p = p.Next() {
			place++
			if (place+unit)%parts != part {
				continue
			}
			class := domino.Deal{Starter: starter | 1, Second: s.starters[unit].hand(p)}
			least := true
			for r := range fixing0 { // only the first hand of a kind counts
				if s.maps.rename(r, starter) == starter && s.maps.rename(r, class.Second) < class.Second {
					least = false
				}
			}
			if !least {
				continue
			}
			want.Classes++
			if _, fix := w.canonical(unit, class.Second, nil); len(fix) > 0 {
				symmetric++
			}
			for _, d := range Labelings(class) {
				st := solver.Stats(d)
				want.count(d, st)
				if int64(st.Leaves) > want.MostLeaves {
					want.MostLeaves, want.Widest = int64(st.Leaves), nil
				}
				if n := len(want.Widest); int64(st.Leaves) == want.MostLeaves && (n == 0 || want.Widest[n-1] != class) {
					want.Widest = append(want.Widest, class)
				}
			}
		}
		slices.SortFunc(want.Widest, compareDeals)
		want.Positions, want.Moves, want.Operations = got.Positions, got.Moves, got.Operations // the reference builds no graphs
		if want.Classes == 0 || *got.Hands != *want.Hands {
			t.Errorf("unit %d: %d classes: hands differ", unit, want.Classes)
		}
		got.Hands, want.Hands = nil, nil
		for d := range want.ByDouble {
			a, b := &got.ByDouble[d], &want.ByDouble[d]
			most := max(len(a.Leaves), len(b.Leaves))
			a.growLeaves(most)
			b.growLeaves(most)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("unit %d: %d games, want %d; or other counts differ", unit, got.All().Games, want.All().Games)
		}
		t.Logf("unit %d, %d symmetries: %d classes, %d games", unit, len(s.starters[unit].group), got.Classes, got.All().Games)
	}
	if symmetric == 0 {
		t.Error("no class that a renaming maps to itself")
	}
}

// count adds a game.
func (t *Tally) count(d domino.Deal, s domino.Stats) {
	c := &t.ByDouble[d.FirstDouble()]
	c.Games++
	c.Values[s.Value+domino.MaxScore]++
	c.Signs[s.Sign()]++
	c.growLeaves(int(s.Leaves))
	c.Leaves[s.Leaves]++
	c.Blocked += int64(s.Blocked)
	if (d.Starter|d.Second)&domino.WithNumber(d.FirstDouble()) == domino.SetOf(d.FirstTile()) {
		c.OneTile++
	}
	for role, hand := range [2]domino.Set{d.Starter, d.Second} {
		own := Role{Games: 1, Score: int64(s.Value), Leaves: int64(s.Leaves), Blocked: int64(s.Blocked)}
		if role == domino.Second {
			own.Score = -own.Score
		}
		if own.Score > 0 {
			own.Wins = 1
		}
		if own.Score == 0 {
			own.Draws = 1
		}
		t.Hands[domino.RankHand(hand)][role].Add(own)
	}
}

// TestWidest walks the trees of all games of the widest class in the census.
func TestWidest(t *testing.T) {
	class, _, err := domino.ParseDeal("0|0 1|1 1|2 1|3 2|2 2|3 3|3 / 0|1 0|2 0|3 0|4 1|4 2|4 3|4")
	if err != nil {
		t.Fatal(err)
	}
	games := Labelings(class)
	if len(games) != 105 {
		t.Errorf("%d games, want 105", len(games))
	}
	for _, d := range games {
		lines := 0
		domino.WalkLeaves(d.Start(), func(domino.Position) { lines++ })
		if lines != 35850 {
			t.Errorf("%v: %d lines", d, lines)
		}
	}
}

// runBytes executes a program one byte at a time.
func runBytes(code []uint32, slots, pips []uint64) {
	at := func(words []uint64, offset uint32, lane int) int {
		return int(words[int(offset)/8+lane/8] >> (lane % 8 * 8) & 0xff)
	}
	for code[0]>>16 != opEnd {
		kind, sources := code[0]>>16, code[2:][:code[0]&0xffff]
		for lane := range blockLanes {
			v := 0
			for i, s := range sources {
				switch {
				case kind == opSum:
					v += at(pips, s, lane)
				case i == 0:
					v = at(slots, s, lane)
				case kind == opMax:
					v = max(v, at(slots, s, lane))
				default:
					v = min(v, at(slots, s, lane))
				}
			}
			w := &slots[int(code[1])/8+lane/8]
			*w = *w&^(0xff<<(lane%8*8)) | uint64(v)<<(lane%8*8)
		}
		code = code[2+len(sources):]
	}
}

// TestKernels runs programs of graphs and random programs under every implementation. Rows hold all
// values from 0 to 127; words behind the slots must not change.
func TestKernels(t *testing.T) {
	s := common()
	r := rand.New(rand.NewPCG(6, 6))
	type job struct {
		code  []uint32
		slots int
		pips  []uint64
	}
	var jobs []job
	w := newWorker(s, nil)
	for i := range 60 {
		unit := i * 14
		hand := firstHand
		for ; r.IntN(40000) != 0 && hand.Next() < endHand; hand = hand.Next() {
		}
		second := s.starters[unit].hand(hand)
		w.graph.Build(0, s.starters[unit].tiles, second)
		w.program.compile(w.graph, s.starters[unit].tiles, second)
		l := &s.lanes[otherDoubles(s.starters[unit].tiles|second)]
		jobs = append(jobs, job{slices.Clone(w.program.code), w.program.slots, l.pips[r.IntN(len(l.pips))][:]})
	}
	for range 60 {
		pips := make([]uint64, domino.Tiles*words)
		for i := range pips {
			for lane := range 8 {
				pips[i] |= uint64([]int{0, 127, 1, 126, r.IntN(128)}[r.IntN(5)]) << (8 * lane)
			}
		}
		var code []uint32
		slots := 0
		for slots < 40 {
			kind, n := uint32(opSum), uint32(r.IntN(2)) // larger sums might carry
			if slots > 4 {
				if kind = uint32(r.IntN(3)); kind != opSum {
					n = 1 + uint32(r.IntN(9))
				}
			}
			code = append(code, kind<<16|n, uint32(slots)*blockLanes)
			for range n {
				if kind == opSum {
					code = append(code, uint32(r.IntN(domino.Tiles))*blockLanes)
				} else {
					code = append(code, uint32(r.IntN(slots))*blockLanes)
				}
			}
			slots++
		}
		jobs = append(jobs, job{append(code, opEnd<<16), slots, pips})
	}
	impl.TestAll(t, "domino/census", func(t *testing.T) {
		for i, j := range jobs {
			const canary = 0xfeedfacecafebeef
			want := make([]uint64, j.slots*words)
			got := make([]uint64, j.slots*words+words)
			for k := range got {
				got[k] = canary
			}
			runBytes(j.code, want, j.pips)
			run(j.code, got, j.pips)
			if !slices.Equal(got[:len(want)], want) {
				t.Fatalf("program %d differs", i)
			}
			for _, x := range got[len(want):] {
				if x != canary {
					t.Fatalf("program %d wrote behind its slots", i)
				}
			}
		}
	})
}

// TestClasses counts the games that the families, their second hands and their renamings stand
// for: they must be all games.
func TestClasses(t *testing.T) {
	s := common()
	if len(s.starters) != Units {
		t.Fatalf("%d families of starters, want %d", len(s.starters), Units)
	}
	sum := 0
	for _, c := range s.starters {
		sum += fixing0 / len(c.group)
	}
	if sum != 296010 { // 27 choose 6
		t.Errorf("the families hold %d hands", sum)
	}
	for i := range s.lanes {
		n := 0
		for _, g := range s.lanes[i].group {
			n += g.to - g.from
		}
		doubles := 1
		for x := i; x != 0; x &= x - 1 {
			doubles++
		}
		if n != len(s.lanes[i].renaming) || n != renamings/doubles {
			t.Errorf("doubles %06b: %d labelings, want %d", i, n, renamings/doubles)
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		h := r.IntN(domino.HandCount)
		if s.maps.rename(int(s.frames.from[h]), s.frames.first[s.frames.kind[h]]) != domino.UnrankHand(h) {
			t.Fatalf("hand %d is not what its frame says", h)
		}
		p, q := r.IntN(renamings), r.IntN(renamings)
		set := domino.Set(r.Uint32()) & domino.AllTiles
		if s.maps.rename(int(s.maps.after[p*renamings+q]), set) != s.maps.rename(q, s.maps.rename(p, set)) {
			t.Fatalf("renamings %d and %d do not compose", p, q)
		}
	}
}

// TestSymmetricClasses solves all classes of a family with many symmetries. A formula gives the
// number of games: each starter's hand of the family against each second hand that has no double
// higher than the starter's.
func TestSymmetricClasses(t *testing.T) {
	s := common()
	unit, most := 0, 0
	for u := range s.starters {
		if n := len(s.starters[u].group); n > most && n < 720 {
			unit, most = u, n
		}
	}
	hands := &sharedHands{hands: new(Hands)}
	w := newWorker(s, hands)
	w.tally.Hands = hands.hands
	w.unit(unit, 0, 1, 0, 1)
	w.drain()
	want := int64(0)
	seen := map[domino.Set]bool{}
	for p := range renamings {
		hand := s.maps.rename(p, s.starters[unit].tiles|1)
		start := domino.Double(int(s.maps.to[p][0]))
		if doubles := hand & domino.Doubles; doubles.Max() != start || seen[hand] {
			continue
		}
		seen[hand] = true
		free := (domino.AllTiles &^ hand).Len()
		for x := start.Low() + 1; x < domino.Numbers; x++ {
			free-- // a higher double, which must be in neither hand
		}
		want += choose(free, 7)
	}
	if got := w.tally.All().Games; got != want {
		t.Errorf("unit %d with %d symmetries: %d games, want %d", unit, most, got, want)
	}
	sum := [2]int64{}
	for h := range hands.hands {
		sum[0] += hands.hands[h][0].Games
		sum[1] += hands.hands[h][1].Games
	}
	if sum != [2]int64{want, want} {
		t.Errorf("hands hold %d games, want %d twice", sum, want)
	}
}

// TestResume interrupts a small part twice, in memory and with a file, and resumes on another
// number of threads. The file must be the same.
func TestResume(t *testing.T) {
	const parts = 60000
	whole, err := New(17, parts)
	if err != nil {
		t.Fatal(err)
	}
	if err := whole.Run(context.Background(), Options{Threads: 1}); err != nil || !whole.Complete() {
		t.Fatalf("%v", err)
	}
	dir := t.TempDir()
	saved := func(name string, c *Census) []byte {
		name = filepath.Join(dir, name)
		if err := c.Save(name); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	want := saved("whole", whole)

	path := filepath.Join(dir, "part")
	c, _ := New(17, parts)
	for _, stop := range []int{100, 101, 500} {
		ctx, cancel := context.WithCancel(context.Background())
		err := c.run(ctx, common(), Options{Threads: 2, Progress: func(units int) {
			if units == stop {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || c.Done != stop {
			t.Fatalf("stopped at %d of %d units: %v", c.Done, stop, err)
		}
		if stop == 101 {
			if err := c.Save(path); err != nil {
				t.Fatal(err)
			}
			if c, err = Load(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := c.run(context.Background(), common(), Options{Threads: 2}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved("part", c), want) {
		t.Error("an interrupted part differs from one in one piece")
	}

	t.Run("merge", func(t *testing.T) {
		save := func(name string, part, parts, done int) string {
			saved(name, &Census{Part: part, Parts: parts, Done: done, Tally: whole.Tally})
			return filepath.Join(dir, name)
		}
		one, two := save("1of3", 1, 3, Units), save("2of3", 2, 3, Units)
		bad := filepath.Join(dir, "bad")
		want[len(want)/2] ^= 4
		if err := os.WriteFile(bad, want, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			files []string
			want  []string
		}{
			{nil, []string{"no parts"}},
			{[]string{one, two}, []string{"missing of 3: 3"}},
			{[]string{one, one, two}, []string{"part 1/3 is the same as", "missing of 3: 3"}},
			{[]string{one, bad}, []string{"bad: block ", "missing of 3: 2–3"}},
			{[]string{one, save("half", 2, 3, 99)}, []string{"part 2/3 is not complete: 99 of 874"}},
			{[]string{one, save("other", 2, 4, Units)}, []string{"part 2/4 does not go with parts of 3", "missing of 3: 2–3"}},
			{[]string{filepath.Join(dir, "nowhere")}, []string{"nowhere"}},
		} {
			_, err := Merge(c.files)
			if err == nil {
				t.Errorf("%v: merged", c.files)
				continue
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v: error %q lacks %q", c.files, err, want)
				}
			}
		}
		sum, err := Merge([]string{two, one, save("3of3", 3, 3, Units)})
		if err != nil {
			t.Fatal(err)
		}
		a, b := sum.Tally.All().Summary(""), whole.Tally.All().Summary("")
		if a.Games != 3*b.Games || a.Lines != 3*b.Lines || sum.Tally.Classes != 3*whole.Tally.Classes {
			t.Error("the sum of three is not three times one")
		}
		if len(sum.Tally.Check()) == 0 {
			t.Error("a sum of equal parts passes for a census")
		}
	})
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.part-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestLoadOther refuses files that are no parts, without reading them to the end.
func TestLoadOther(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 40); err != nil {
		t.Logf("no large file: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(dir, "short")
	if err := os.WriteFile(short, []byte(fileFormat.Magic[:5]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{large, short} {
		for _, read := range []func() (*Census, error){func() (*Census, error) { return Load(name) }, func() (*Census, error) { return Merge([]string{name}) }} {
			if _, err := read(); err == nil || !strings.Contains(err.Error(), "this is no census part") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := Load(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Load(dir); err == nil {
		t.Error("a directory is a part")
	}
}

func TestNewRefuses(t *testing.T) {
	for _, p := range [][2]int{{0, 1}, {2, 1}, {1, 0}, {-1, 3}, {1, MaxParts + 1}} {
		if _, err := New(p[0], p[1]); err == nil {
			t.Errorf("part %d/%d is accepted", p[0], p[1])
		}
	}
}

func TestGamesByDouble(t *testing.T) {
	sum, tiles := int64(0), int64(0)
	for d := range domino.Numbers {
		sum += gamesByDouble(d)
		tiles += 1716 * choose(15+d, 13)
	}
	if sum != domino.GameCount || tiles != 319755*1716 {
		t.Errorf("%d games, %d with one tile", sum, tiles)
	}
}

func TestAddDoesNotAllocate(t *testing.T) {
	s := common()
	w := newWorker(s, &sharedHands{hands: new(Hands)})
	w.inUnit = 500
	var hands []domino.Set
	i := 0
	for p := firstHand; p < endHand; p, i = p.Next(), i+1 {
		if i%1009 == 0 {
			hands = append(hands, s.starters[500].hand(p))
			if domino.UnrankHand(i) != p {
				t.Fatalf("second hand %d is %v, want %v", i, domino.UnrankHand(i), p)
			}
		}
	}
	if i != secondHands {
		t.Errorf("%d second hands, want %d", secondHands, i)
	}
	for _, h := range hands {
		w.add(h, nil)
	}
	i = 0
	if n := testing.AllocsPerRun(100, func() {
		w.add(hands[i%len(hands)], nil)
		i++
	}); n != 0 {
		t.Errorf("%v allocations a class", n)
	}
}

// BenchmarkPart solves a whole part of the census. It compares the sums of the part with the sums
// by the portable kernel, and some games with search.
func BenchmarkPart(b *testing.B) {
	const part, parts = 7, 1000
	sums := func() [6]int64 {
		c, err := New(part, parts)
		if err != nil {
			b.Fatal(err)
		}
		if err := c.run(context.Background(), common(), Options{Threads: 1}); err != nil {
			b.Fatal(err)
		}
		all := c.Tally.All().Summary("")
		return [6]int64{all.Games, all.Wins, all.Draws, all.Losses, all.Lines, all.Blocked}
	}
	var want [6]int64
	impl.TestAll(b, "domino/census", func(b *testing.B) {
		if _, err := common().verify(context.Background(), 100, 3, 1, nil); err != nil {
			b.Fatal(err)
		}
		games := int64(0)
		for b.Loop() {
			got := sums()
			if games += got[0]; want == [6]int64{} {
				want = got // the portable kernel comes first
			}
			if got != want {
				b.Fatalf("games, wins, draws, losses, lines, blocked lines %d, want %d", got, want)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(games), "ns/op")
	})
}
