package verify_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest/stranger"
	"perfectplay/solve/retro/verify"
	"perfectplay/solve/table"
)

// heap is a heap of stones with a table of it.
type heap struct {
	stranger.Heap
	bits      int
	fromMover bool
}

func (h heap) String() string {
	return fmt.Sprintf("stones=%d,players=%d,keys=%v,bits=%d,from=%v,misere=%v", h.Stones, h.Players, !h.Numbers, h.bits, h.fromMover, h.Misere)
}

// layers is the number of pairs of a set of seats and its complement; two seats have one.
func (h heap) layers() int { return 1<<(h.Players-1) - h.Players/2*2/max(h.Players, 1) }

// forces says by the definition whether some seats can force a win of one of them, and in how many
// plies: the fewest if they can, else the most.
func (h heap) forces(us uint8, left, seat int) (win bool, plies int) {
	if left == 0 {
		winner := (seat + h.Players - 1) % h.Players
		if h.Misere {
			winner = (winner + h.Players - 1) % h.Players
		}
		return us>>winner&1 != 0, 0
	}
	ours := us>>seat&1 != 0
	for n := 1; n <= min(h.Most, left); n++ {
		w, p := h.forces(us, left-n, (seat+1)%h.Players)
		switch p++; {
		// The first move, or a move that is better for the mover.
		case n == 1, w != win && w == ours:
			win, plies = w, p
		case w == win && w == ours:
			plies = min(plies, p)
		case w == win:
			plies = max(plies, p)
		}
	}
	return win, plies
}

// place returns the stones left and the seat to move at a number.
func (h heap) place(n int) (left, seat int) {
	if h.Players == 2 {
		return n, 0
	}
	return n / h.Players, n % h.Players
}

// codes lists the codes of all numbers of a layer, in the order of the table.
func (h heap) codes(layer int) (codes []uint16) {
	numbers := h.Stones + 1
	if h.Players > 2 {
		numbers *= h.Players
	}
	whole := uint8(1)<<h.Players - 1
	for n := range numbers {
		left, seat := h.place(n)
		us := uint8(2*layer + 1)
		if h.fromMover {
			us = (us<<seat | us>>(h.Players-seat)) & whole
		} else if us>>seat&1 == 0 {
			us ^= whole
		}
		v := game.Loss
		win, plies := h.forces(us, left, seat)
		if win {
			v = game.Win
		}
		codes = append(codes, table.Code(v, plies, h.bits > 2))
	}
	return codes
}

// make makes the table of given codes, and opens it.
func (h heap) make(t *testing.T, codes [][]uint16) *table.Table {
	t.Helper()
	g := h.Game()
	numbers := uint64(len(codes[0]))
	info := table.Info{Game: g.ID(), Fingerprint: game.Fingerprint(g), Seats: h.Players, Numbering: table.ByGame, Numbers: numbers, Positions: numbers,
		Bits: h.bits, Sets: table.Sets(len(codes)), FromMover: h.fromMover}
	for n := range int(numbers) {
		left, seat := h.place(n)
		if win, _ := h.forces(1<<seat, left, seat); win {
			info.Wins++
		} else {
			info.Losses++
		}
	}
	numbering, err := table.Numbers(g)
	from := table.Contents{Fill: func(_ int, to [][]byte) error {
		for layer := range to {
			for _, code := range codes[layer] {
				if to[layer] = append(to[layer], byte(code)); h.bits == 16 {
					to[layer] = append(to[layer], byte(code>>8))
				}
			}
		}
		return nil
	}}
	if !h.Numbers {
		info.Numbering, info.KeyWords, numbering, err = table.ByKeys, 1, table.Keys(numbers), nil
		from.Keys = func(_ int, keys []uint64) ([]uint64, error) {
			for n := range numbers {
				keys = append(keys, uint64(n))
			}
			return keys, nil
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	tab, err := table.Make(t.Context(), g, info, numbering, from, 1, 1<<20, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tab.Close() })
	return tab
}

func check(t *testing.T, tab *table.Table, o verify.Options) *verify.Verdict {
	t.Helper()
	v, err := verify.Table(t.Context(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestEveryCode verifies right tables of heaps for one to four seats, and all tables that differ
// from them in one code. Only right tables pass.
func TestEveryCode(t *testing.T) {
	for _, h := range []heap{
		{stranger.Heap{Stones: 9, Most: 3, Players: 2, Numbers: true}, 8, false}, {stranger.Heap{Stones: 9, Most: 3, Players: 2, Numbers: true, Misere: true}, 2, false},
		{stranger.Heap{Stones: 9, Most: 2, Players: 2, Keys: true}, 8, false}, {stranger.Heap{Stones: 5, Most: 2, Players: 3, Numbers: true}, 8, false},
		{stranger.Heap{Stones: 5, Most: 3, Players: 3, Numbers: true}, 16, true}, {stranger.Heap{Stones: 5, Most: 2, Players: 4, Numbers: true}, 8, true},
		{stranger.Heap{Stones: 5, Most: 3, Players: 4, Numbers: true}, 2, false}, {stranger.Heap{Stones: 6, Most: 2, Players: 1, Numbers: true}, 8, false},
	} {
		if h.Players == 4 && testing.Short() {
			continue // most codes: they take as long as all others
		}
		t.Run(h.String(), func(t *testing.T) {
			var codes [][]uint16
			for layer := range h.layers() {
				codes = append(codes, h.codes(layer))
			}
			right := h.make(t, codes)
			for threads := range 3 {
				if v := check(t, right, verify.Options{Threads: threads}); v.Faults != 0 || len(v.First) != 0 || !v.Complete(right.Info()) {
					t.Fatalf("%d threads: %+v, want %+v", threads, v, right.Info())
				}
			}
			for layer := range codes {
				for n, code := range codes[layer] {
					others := []uint16{uint16(n % 2), code ^ 1, code + 2}
					if h.bits == 2 {
						others = []uint16{0, 1, 2, 3}
					}
					for _, other := range others {
						if codes[layer][n] = other; other == code || other > 255 && h.bits == 8 {
							continue
						}
						v := check(t, h.make(t, codes), verify.Options{Threads: 1})
						if v.Faults == 0 || len(v.First) == 0 || v.Checked != right.Info().Positions {
							t.Errorf("layer %d, number %d: code %d instead of %d passes: %+v", layer, n, other, code, v)
						}
					}
					codes[layer][n] = code
				}
			}
		})
	}
}

// TestParts verifies a table of 1,001 positions in parts and in samples: the parts together check
// every position once, and a sample its number of positions, though the last unit is short.
func TestParts(t *testing.T) {
	h := heap{stranger.Heap{Stones: 1000, Most: 1, Players: 2, Numbers: true}, 16, false}
	codes := [][]uint16{nil}
	for n := range uint16(1001) { // at an even number the mover has lost
		codes[0] = append(codes[0], 2+n%2+2*n)
	}
	tab := h.make(t, codes)
	for of := 1; of < 20; of++ {
		var sum uint64
		for part := 1; part <= of; part++ {
			v := check(t, tab, verify.Options{Part: part, Of: of})
			if sum += v.Checked; v.Faults > 0 || of > 1 && v.Complete(tab.Info()) {
				t.Errorf("part %d of %d: %+v", part, of, v)
			}
		}
		if sum != 1001 {
			t.Errorf("%d parts: %d positions checked", of, sum)
		}
	}
	for _, sample := range []uint64{1, 2, 3, 7, 64, 65, 200, 500, 900, 1001, 1002, 1300} {
		share := 0.0
		v := check(t, tab, verify.Options{Sample: sample, Threads: 2, Progress: func(s float64) { share = s }})
		if v.Checked != min(sample, 1001) || v.Faults > 0 || v.Complete(tab.Info()) != (sample >= 1001) || share > 1 {
			t.Errorf("a sample of %d: %+v", sample, v)
		}
	}
	own := tab.Numbering().(table.Lister).Walker()
	for _, sample := range []uint64{1, 2, 3, 10, 500, 1000} {
		seen := map[table.Place]bool{}
		v := check(t, tab, verify.Options{Sample: sample, Walker: func() table.Walker { return uneven{own, seen} }})
		if v.Checked != sample || uint64(len(seen)) < sample {
			t.Errorf("a sample of %d, all from one unit: %+v, of %d positions", sample, v, len(seen))
		}
	}
	for sample, want := range map[uint64][]uint64{2: {0, 8}, 8: {0, 2, 4, 6, 8, 10, 12, 14}, 16: nil, 160: nil, 0: nil} {
		var visited []uint64
		check(t, tab, verify.Options{Sample: sample, Walker: func() table.Walker { return spread{own, &visited} }})
		if want == nil {
			want = []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
		}
		if !slices.Equal(visited, want) {
			t.Errorf("a sample of %d: units %d, want %d", sample, visited, want)
		}
	}
	codes[0][500], codes[0][700] = codes[0][501], codes[0][703]
	wrong := h.make(t, codes)
	found := uint64(0)
	for part := 1; part <= 5; part++ {
		found += check(t, wrong, verify.Options{Part: part, Of: 5}).Faults
	}
	if v := check(t, wrong, verify.Options{}); v.Faults != found || v.Faults < 4 {
		t.Errorf("%d faults in parts, %+v in one go", found, v)
	}
	for n := range codes[0] {
		// Wrong draws could support each other, wrong wins cannot.
		codes[0][n] = table.Code(game.Win, 5, true)
	}
	if v := check(t, h.make(t, codes), verify.Options{Threads: 3}); v.Faults == 0 || len(v.First) != 10 {
		t.Errorf("all are wrong: %d faults, %d described", v.Faults, len(v.First))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify.Table(ctx, tab, verify.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// spread records the units that were visited.
type spread struct {
	table.Walker
	visited *[]uint64
}

func (s spread) Unit(i uint64, do func(s game.State, p table.Place, weight uint64) error) error {
	*s.visited = append(*s.visited, i)
	return s.Walker.Unit(i, do)
}

// uneven has three units, the second with all positions. It records the positions shown.
type uneven struct {
	table.Walker
	seen map[table.Place]bool
}

func (w uneven) Units() uint64 { return 3 }
func (w uneven) Unit(i uint64, do func(s game.State, p table.Place, weight uint64) error) error {
	if i != 1 {
		return nil
	}
	for part := range w.Walker.Units() {
		err := w.Walker.Unit(part, func(s game.State, p table.Place, weight uint64) error {
			w.seen[p] = true
			return do(s, p, weight)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// walker lists the positions of a test.
type walker struct {
	table.Walker
	g     game.Game
	lists func(do func(text string, p table.Place, weight uint64) error) error
}

func (w walker) Units() uint64 { return 1 }
func (w walker) Unit(_ uint64, do func(s game.State, p table.Place, weight uint64) error) error {
	return w.lists(func(text string, p table.Place, weight uint64) error {
		if text == "" {
			return do(nil, p, weight)
		}
		s, err := w.g.Parse(text)
		if err != nil {
			return err
		}
		return do(s, p, weight)
	})
}

// TestWalkers: a walker's answers are compared with the table, and its errors are reported.
func TestWalkers(t *testing.T) {
	h := heap{stranger.Heap{Stones: 9, Most: 3, Players: 2, Numbers: true}, 8, false}
	codes := [][]uint16{h.codes(0)}
	codes[0][8], codes[0][9] = 1, 0 // two wrong codes: a draw and an illegal position
	tab := h.make(t, codes)
	own := tab.Numbering().(table.Lister).Walker()
	planted := errors.New("planted")
	for _, c := range []struct {
		lists func(do func(text string, p table.Place, weight uint64) error) error
		want  verify.Verdict
		first string
		err   error
	}{
		{func(do func(string, table.Place, uint64) error) error { return do("5.A", table.Place{At: 5}, 2) }, verify.Verdict{Checked: 1, Wins: 2}, "", nil},
		{func(do func(string, table.Place, uint64) error) error { return do("4.A", table.Place{At: 4}, 3) }, verify.Verdict{Checked: 1, Losses: 3}, "", nil},
		{func(do func(string, table.Place, uint64) error) error { return do("", table.Place{At: 9}, 4) }, verify.Verdict{Checked: 1, Illegal: 4}, "", nil},
		{func(do func(string, table.Place, uint64) error) error { return do("", table.Place{At: 5}, 2) }, verify.Verdict{Checked: 1, Wins: 2, Faults: 1}, "no turn leads to it", nil},
		{func(do func(string, table.Place, uint64) error) error { return do("5.A", table.Place{At: 6}, 2) }, verify.Verdict{Checked: 1, Illegal: 2, Faults: 1}, "it stands at", nil},
		{func(do func(string, table.Place, uint64) error) error { return do("8.A", table.Place{At: 8}, 5) }, verify.Verdict{Checked: 1, Draws: 5, Faults: 1}, "by its moves loss in", nil},
		{func(do func(string, table.Place, uint64) error) error { return do("9.A", table.Place{At: 9}, 1) }, verify.Verdict{Checked: 1, Illegal: 1, Faults: 1}, "by its moves draw in", nil},
		{func(func(string, table.Place, uint64) error) error { return planted }, verify.Verdict{}, "", planted},
		{func(func(string, table.Place, uint64) error) error { panic("planted") }, verify.Verdict{}, "", errors.New("planted")},
	} {
		v, err := verify.Table(t.Context(), tab, verify.Options{Walker: func() table.Walker { return walker{own, h.Game(), c.lists} }})
		if (err == nil) != (c.err == nil) || err != nil && !strings.Contains(err.Error(), c.err.Error()) {
			t.Errorf("%v, want %v", err, c.err)
		}
		first := v.First
		v.First = nil
		if fmt.Sprint(*v) != fmt.Sprint(c.want) || (len(first) > 0) != (c.first != "") || len(first) > 0 && !strings.Contains(first[0], c.first) {
			t.Errorf("%+v, %q, want %+v, %q", *v, first, c.want, c.first)
		}
	}
}

// TestSharedPlace: by a wrong key 8 stones share the place of 5, also in the table. Every code
// follows from its moves by the table; only the code of 8 stones, which the walker does not list, does not.
func TestSharedPlace(t *testing.T) {
	h := heap{stranger.Heap{Stones: 9, Most: 3, Players: 2, Keys: true, KeyOf: func(left int) uint64 {
		switch left {
		case 8:
			return 5
		case 9:
			return 8
		}
		return uint64(left)
	}}, 8, false}
	codes := h.codes(0)[:9]
	longest := 0
	// The moves from 9 stones lead to 6, 7, and by the wrong key to 5 instead of 8.
	for left := 5; left < 8; left++ {
		_, plies := h.forces(1, left, 0)
		longest = max(longest, plies)
	}
	codes[8] = table.Code(game.Loss, longest+1, true)
	tab := h.make(t, [][]uint16{codes})
	own := tab.Numbering().(table.Lister).Walker()
	lists := func(do func(string, table.Place, uint64) error) error {
		for at, left := range []int{0, 1, 2, 3, 4, 5, 6, 7, 9} {
			if err := do(fmt.Sprintf("%d.A", left), table.Place{At: at}, 1); err != nil {
				return err
			}
		}
		return nil
	}
	v := check(t, tab, verify.Options{Walker: func() table.Walker { return walker{own, h.Game(), lists} }})
	if v.Checked != 9 || v.Faults != 1 || !strings.Contains(v.First[0], "another position is solved in the place of this one: 8.") {
		t.Errorf("%+v", v)
	}
}

// TestComplete: a verdict with any other count does not fit the description.
func TestComplete(t *testing.T) {
	i := table.Info{Positions: 10, Wins: 1, Losses: 2, Draws: 3, Illegal: 4}
	v := verify.Verdict{Checked: 10, Wins: 1, Losses: 2, Draws: 3, Illegal: 4}
	if !v.Complete(i) {
		t.Error("it is that of its table")
	}
	for _, count := range []*uint64{&i.Positions, &i.Wins, &i.Losses, &i.Draws, &i.Illegal} {
		if *count++; v.Complete(i) {
			t.Errorf("%+v is that of %+v", v, i)
		}
		*count--
	}
}
