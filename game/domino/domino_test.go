package domino

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfectplay/game/gametest"
)

func parseDeal(t testing.TB, text string) Deal {
	t.Helper()
	d, swapped, err := ParseDeal(text)
	if err != nil || swapped {
		t.Fatalf("%s: swapped %v, %v", text, swapped, err)
	}
	return d
}

func TestConformance(t *testing.T) {
	gametest.Run(t, Default())
	gametest.Run(t, New(parseDeal(t, "6|6 1|6 2|4 2|6 3|3 3|4 3|6 / 0|0 0|1 0|2 0|3 0|5 0|6 1|5")))
}

// TestWidestDeals counts the lines of the widest deal of the study, and of one of the widest in the
// census.
func TestWidestDeals(t *testing.T) {
	for _, c := range []struct {
		deal  Deal
		lines uint64
	}{
		{defaultDeal, 32172},
		{parseDeal(t, "0|0 0|1 0|2 1|1 1|2 2|2 3|3 / 0|3 0|4 1|3 1|4 2|3 2|4 3|4"), 35850},
	} {
		if s := ReferenceStats(c.deal.Start()); s.Leaves != c.lines {
			t.Errorf("%v: %d lines, want %d", c.deal, s.Leaves, c.lines)
		}
	}
}

func TestTiles(t *testing.T) {
	n := 0
	for x := range Numbers {
		for y := x; y < Numbers; y++ {
			tile := NewTile(y, x)
			if int(tile) != n || tile.Low() != x || tile.High() != y || tile.Pips() != x+y || tile.Other(x) != y {
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

// FuzzParsePosition: a text that reads as a position prints and reads again.
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

// FuzzParseSet: a text that reads as tiles prints and reads again.
func FuzzParseSet(f *testing.F) {
	for _, text := range []string{"", "0|2 1:2,1-5\t22", "6|6 6|6", "7|1", "0||1", "00 01 02 03 04 05 06 11 12 13 14 15 16"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSet(text)
		if err != nil {
			return
		}
		if again, err := ParseSet(s.String()); err != nil || again != s || s&^AllTiles != 0 {
			t.Fatalf("%q: %v reads as %v, %v", text, s, again, err)
		}
		hand, err := ParseHand(text)
		if (err == nil) != (s.Len() == HandSize) || err == nil && (hand != s || UnrankHand(RankHand(hand)) != hand) {
			t.Fatalf("%q: hand %v of %v, %v", text, hand, s, err)
		}
	})
}

// FuzzParseMove: a text that reads as a move in a position is legal there and prints as the
// same text.
func FuzzParseMove(f *testing.F) {
	f.Add("02.12_04.14_25_0", "0|2-2")
	f.Add("02.12_04.14_22_0", "0|2")
	f.Add("0_0_-_0", "pass")
	f.Add("66_00_12_1", "pass")
	f.Fuzz(func(t *testing.T, position, move string) {
		s, err := Default().Parse(position)
		if err != nil {
			return
		}
		m, err := s.ParseMove(move)
		if err != nil {
			return
		}
		if !slices.Contains(s.Moves(nil), m) || s.MoveString(m) != move {
			t.Fatalf("%s: %q reads as %s", s, move, s.MoveString(m))
		}
	})
}

// FuzzParseDeal: a text that reads as a deal prints and reads again.
func FuzzParseDeal(f *testing.F) {
	f.Add(defaultDeal.String())
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
		a, b := Unrank(rankDeal(d.Starter, d.Second))
		if a != d.Starter || b != d.Second {
			t.Fatalf("%v ranks to %v / %v", d, a, b)
		}
	})
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

// TestOneTile: a deal ends with its first tile if no other dealt tile shows the number of the
// highest double.
func TestOneTile(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200000 {
		d, _ := RandomDeal(r)
		rest := (d.Starter | d.Second).Without(d.FirstTile())
		stuck := d.Start().Play(d.Start().Moves(nil)[0]).Over()
		if stuck != (rest&WithNumber(d.FirstDouble()) == 0) {
			t.Fatalf("%v: stuck %v", d, stuck)
		}
	}
}

// TestCountOneTile compares the counts by enumeration with the formulas.
func TestCountOneTile(t *testing.T) {
	boards, single := CountOneTile()
	if boards != BoardCount || int64(single)*SplitCount/2 != oneTileGames {
		t.Errorf("%d boards, %d with one tile: %d games, want %d", boards, single, int64(single)*SplitCount/2, int64(oneTileGames))
	}
}

// minimax returns the score of perfect play from p, seen from the starter.
func minimax(p Position) int {
	if p.Over() {
		return p.Score()
	}
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return minimax(p.Pass())
	}
	best := minimax(p.Play(moves[0]))
	for _, m := range moves[1:] {
		v := minimax(p.Play(m))
		if p.Mover == Starter {
			best = max(best, v)
		} else {
			best = min(best, v)
		}
	}
	return best
}

// TestReference compares ReferenceStats and AlphaBeta with plain minimax.
func TestReference(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for range 300 {
		d, _ := RandomDeal(r)
		want := minimax(d.Start())
		if got := ReferenceStats(d.Start()); got.Value != want || got.Min > want || got.Max < want {
			t.Fatalf("%v: %+v, want the value %d", d, got, want)
		}
		for _, low := range []int{want - 2, want - 1, want, want + 1} {
			v := AlphaBeta(d.Start(), low, low+1)
			if (v > low) != (want > low) {
				t.Fatalf("%v: %d within %d…%d, value %d", d, v, low, low+1, want)
			}
		}
	}
}

// oneTileGames is the number of games that end with the first tile: 15+d over 13 boards for each
// double d|d, 105 + 560 + 2380 + 8568 + 27132 + 77520 + 203490, dealt in 13 over 6 = 1716 ways.
const oneTileGames = 319755 * 1716
