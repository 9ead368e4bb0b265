package domino

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"perfectplay/game/gametest"
)

func mustDeal(t testing.TB, text string) Deal {
	t.Helper()
	d, swapped, err := ParseDeal(text)
	if err != nil || swapped {
		t.Fatalf("%s: swapped %v, %v", text, swapped, err)
	}
	return d
}

func TestConformance(t *testing.T) {
	gametest.Run(t, Default())
	gametest.Run(t, New(mustDeal(t, "6|6 1|6 2|4 2|6 3|3 3|4 3|6 / 0|0 0|1 0|2 0|3 0|5 0|6 1|5")))
}

// TestSampleLine is a line of the study's log: a value and the last of the
// scores of all lines of play in its order, X where the line is blocked.
func TestSampleLine(t *testing.T) {
	d := mustDeal(t, "6|6 1|6 2|4 2|6 3|3 3|4 3|6 / 0|0 0|1 0|2 0|3 0|5 0|6 1|5")
	var list []string
	WalkLeaves(d.Start(), func(leaf Position) { list = append(list, leaf.LeafText()) })
	if got, want := strings.Join(list[len(list)-8:], " "), "-3X 2 2 -3X 1 -3X 1 1"; got != want {
		t.Errorf("last leaves %q, want %q", got, want)
	}
	if v := Minimax(d.Start()); v != -19 {
		t.Errorf("value %d, want -19", v)
	}
}

func TestRecordDeal(t *testing.T) {
	if s := ReferenceStats(widest.Start()); s.Leaves != 32172 {
		t.Errorf("%d lines, want 32172", s.Leaves)
	}
}

// TestLosingDeals has the deals of the study in which the hand of all sixes
// loses.
func TestLosingDeals(t *testing.T) {
	for _, second := range []string{
		"0|0 0|2 1|1 2|2 2|5 3|3 4|4", "0|0 0|1 0|2 1|1 1|2 3|3 4|4", "0|1 1|1 1|2 1|3 1|4 1|5 3|3",
		"0|0 1|0 2|0 3|0 4|0 5|0 1|1", "0|4 1|1 1|4 2|4 3|4 4|4 4|5",
	} {
		d := mustDeal(t, "0|6 1|6 2|6 3|6 4|6 5|6 6|6 / "+second)
		if v := Minimax(d.Start()); v >= 0 {
			t.Errorf("%v: value %d, want below 0", d, v)
		}
		if m, ab := Minimax(d.Start()), AlphaBeta(d.Start(), -200, 200); m != ab {
			t.Errorf("%v: minimax %d, alpha-beta %d", d, m, ab)
		}
	}
}

func TestTiles(t *testing.T) {
	n := 0
	for x := range Numbers {
		for y := x; y < Numbers; y++ {
			tile := NewTile(y, x)
			if int(tile) != n || tile.Low() != x || tile.High() != y || tile.Pips() != x+y || tile.IsDouble() != (x == y) || tile.Other(x) != y {
				t.Errorf("tile %d|%d is %d", x, y, tile)
			}
			if Doubles.Has(tile) != (x == y) || !WithNumber(x).Has(tile) || !WithNumber(y).Has(tile) {
				t.Errorf("sets are wrong about %v", tile)
			}
			if back, err := ParseTile(tile.String()); err != nil || back != tile {
				t.Errorf("%v reads as %v, %v", tile, back, err)
			}
			n++
		}
	}
	if AllTiles.Pips() != 168 || AllTiles.Len() != Tiles {
		t.Error("the set is not whole")
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		s := Set(r.Uint32()) & AllTiles & Set(r.Uint32())
		sum := 0
		for x := s; x != 0; x = x.DropMin() {
			sum += x.Min().Pips()
		}
		if s.Pips() != sum {
			t.Errorf("%v: %d pips, want %d", s, s.Pips(), sum)
		}
		if back, err := ParseSet(s.String()); err != nil || back != s {
			t.Errorf("%v reads as %v, %v", s, back, err)
		}
	}
}

func TestBadText(t *testing.T) {
	const good = "0|2 1|2 1|5 2|2 2|6 4|4 5|6"
	for text, want := range map[string]error{
		good:                              nil,
		good + "/0|4 1|4 1|6 2|4 2|5 4|5": ErrHandSize,
		good + "/0|4 1|4 1|6 2|4 2|5 4|5 4|6 0|0":                   ErrHandSize,
		good + "/0|2 1|4 1|6 2|4 2|5 4|5 4|6":                       ErrOverlap,
		good + "/0|4 0|4 1|6 2|4 2|5 4|5 4|6":                       nil,
		good + "/0|4 1|7 1|6 2|4 2|5 4|5 4|6":                       nil,
		"0|1 0|2 0|3 0|4 0|5 0|6 1|2 / 1|3 1|4 1|5 1|6 2|3 2|4 2|5": ErrNoDouble,
	} {
		_, _, err := ParseDeal(text)
		if err == nil || want != nil && !errors.Is(err, want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	if _, swapped, err := ParseDeal("0|4 1|4 1|6 2|4 2|5 4|5 4|6 / " + good); !swapped || err != nil {
		t.Errorf("the second hand starts: %v, %v", swapped, err)
	}
}

// FuzzParsePosition: what reads as a position prints and reads again.
func FuzzParsePosition(f *testing.F) {
	for _, text := range []string{Default().Start().String(), "02.12_04.14_25_0", "-_04_25_1", "___", "00_00_-_0", "02_1|4_66_1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePosition(text)
		if err != nil {
			return
		}
		if again, err := ParsePosition(p.String()); err != nil || again != p {
			t.Fatalf("%q: %v reads as %v, %v", text, p, again, err)
		}
		if !p.Over() {
			p.Moves(nil)
		}
	})
}

// FuzzParseDeal: what reads as a deal prints and reads again.
func FuzzParseDeal(f *testing.F) {
	f.Add(widest.String())
	f.Add("6|6 1|6 2|4 2|6 3|3 3|4 3|6 / 0|0 0|1 0|2 0|3 0|5 0|6 1|5")
	f.Add("66,16,24,26,33,34,36/00 01 02 03 05 06 15")
	f.Fuzz(func(t *testing.T, text string) {
		d, _, err := ParseDeal(text)
		if err != nil {
			return
		}
		if again, swapped, err := ParseDeal(d.String()); err != nil || swapped || again != d {
			t.Fatalf("%q: %v reads as %v, %v", text, d, again, err)
		}
		a, b := Unrank(Rank(d.Starter, d.Second))
		if a != d.Starter || b != d.Second {
			t.Fatalf("%v ranks to %v / %v", d, a, b)
		}
	})
}

func TestPicture(t *testing.T) {
	want := "╭─────┬─────╮\n│●    │●   ●│\n│     │  ●  │\n│    ●│●   ●│\n╰─────┴─────╯\n"
	if got := SetOf(NewTile(2, 5)).Picture(); got != want {
		t.Errorf("got\n%s", got)
	}
	if p := widest.Start().Picture(); strings.Count(p, "\n") != 13 {
		t.Errorf("got\n%s", p)
	}
}

func TestMovesDoNotAllocate(t *testing.T) {
	s := Default().Start()
	s.Make(s.Moves(nil)[0])
	buf := s.Moves(nil)
	if n := testing.AllocsPerRun(100, func() {
		buf = s.Moves(buf[:0])
		m := buf[len(buf)-1]
		s.Make(m)
		s.Unmake()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestOneTile counts the deals in which only the first tile can be played, for
// a small set by trying all of them and for the whole set by the formula that
// the census confirms: see the package of the census. Here: no other dealt tile
// may show the starting number, and no higher double may be dealt.
func TestOneTile(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const n = 200000
	hits := 0
	for range n {
		a, b := Unrank(r.Int64N(DealCount))
		d, _, err := NewDeal(a, b)
		if err != nil {
			t.Fatal(err)
		}
		rest := (d.Starter | d.Second).Without(d.FirstTile())
		stuck := d.Start().Play(d.Start().Moves(nil)[0]).Over()
		if stuck != (rest&WithNumber(d.FirstDouble()) == 0) {
			t.Fatalf("%v: stuck %v", d, stuck)
		}
		if stuck {
			hits++
		}
	}
	share := float64(hits) / n
	want := float64(OneTileGames) / GameCount
	if share < 0.9*want || share > 1.1*want {
		t.Errorf("share of one-tile deals %.5f, want near %.5f", share, want)
	}
	sum := int64(0)
	for d := range Numbers {
		// Of the 21 tiles without d, the 6−d higher doubles are out.
		sum += int64(binomial[15+d][13])
	}
	if got := sum * 1716; got != OneTileGames {
		t.Errorf("sum %d, want %d", got, int64(OneTileGames))
	}
}

// TestOneTileByEnumeration looks at all 40,000,320 boards: whether a deal ends
// with its first tile depends on the fourteen tiles alone, not on who has them.
func TestOneTileByEnumeration(t *testing.T) {
	if testing.Short() {
		t.Skip("40 million boards")
	}
	boards, single := 0, 0
	for s := Set(1<<Dealt - 1); s&^AllTiles == 0; {
		if doubles := s & Doubles; doubles != 0 {
			boards++
			first := doubles.Max()
			if s&WithNumber(first.Low()) == 1<<first {
				single++
			}
		}
		low := s & -s // the next set of as many tiles
		carry := s + low
		s = carry | ((s^carry)/low)>>2
	}
	if boards != BoardCount || int64(single)*SplitCount/2 != OneTileGames {
		t.Errorf("%d boards, %d with one tile: %d games, want %d", boards, single, int64(single)*SplitCount/2, int64(OneTileGames))
	}
}
