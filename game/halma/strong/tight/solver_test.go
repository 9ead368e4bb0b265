package tight

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/strong"
)

// ruled returns t under the rules that the letters name: f filled, g stay in goal, o
// stay out, G, H and C transit through goal, home and closed cells, i mover won is
// illegal, b two blockades.
func ruled(t *halma.TwoArmy, letters string) *halma.TwoArmy {
	for _, c := range letters {
		switch c {
		case 'f':
			t.Filled = true
		case 'g':
			t.StayInGoal = true
		case 'o':
			t.StayOut = true
		case 'G':
			t.GoalTransit = true
		case 'H':
			t.HomeTransit = true
		case 'C':
			t.ClosedTransit = true
		case 'i':
			t.MoverWonIllegal = true
		case 'b':
			for _, mover := range []bool{false, true} {
				t.Blockades = append(t.Blockades, halma.Blockade{Empty: t.Goal[0], Held: t.Goal[len(t.Goal)/2:], ByMover: mover},
					halma.Blockade{Empty: t.Home[0], Held: t.Home[len(t.Home)/2:], ByMover: mover})
			}
		}
	}
	t.Rules = letters
	return t
}

// smallBoards are games that both solvers finish at once: the win rules, every
// restriction alone and together, camps with and without mirror, crowded boards on
// which players must pass.
func smallBoards() (list []*halma.TwoArmy) {
	for _, rules := range []string{"", "f", "fi", "fb", "fib", "ib", "fg", "fgG", "fo", "foH", "fgo", "fgoG", "fgoH", "fgoC", "fgoGHC", "go", "C", "i"} {
		list = append(list,
			ruled(halmatest.Diamond(2, 1), rules),
			ruled(halmatest.Diamond(3, 1), rules),
			ruled(halmatest.Diamond(3, 2), rules),
			ruled(halmatest.Diamond(3, 3), rules),
			ruled(halmatest.Diamond(4, 2), rules),
			ruled(halmatest.Star(1, false), rules),
			ruled(halmatest.Star(1, true), rules),
		)
	}
	noMirror := halmatest.Diamond(3, 2)
	noMirror.Mirror = nil
	return append(list, noMirror)
}

// TestAgainstStrong compares every position, the counts and the bytes of the table
// file with those of the other solver, which is tested against a plain one.
func TestAgainstStrong(t *testing.T) {
	games := smallBoards()
	for _, id := range []string{"halma-4x4p3"} {
		for _, rules := range []string{"base", "sturtevant", "sturtevant-2019-run", "gamesman-2026"} {
			_, spec := halmatest.Race(id, rules)
			games = append(games, spec)
		}
	}
	for _, spec := range games {
		t.Run(fmt.Sprintf("game=%s,rules=%s,closed=%v", spec.ID, spec.Rules, len(spec.Closed) > 0), func(t *testing.T) { compare(t, spec) })
	}
}

func compare(t *testing.T, spec *halma.TwoArmy) {
	ctx := context.Background()
	want, err := strong.Solve(ctx, spec, strong.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := strong.Save(ctx, filepath.Join(dir, "want"), spec, want, "test", 1, nil); err != nil {
		t.Fatal(err)
	}
	wantFile, err := os.ReadFile(filepath.Join(dir, "want"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Threads: 1}, {Threads: 3}, {Threads: 1, Memory: least(t, spec)}, {Threads: 3, Memory: middle(t, spec)}} {
		got, err := Solve(ctx, spec, o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Counts() != want.Counts() {
			t.Errorf("%+v: counts %+v, want %+v", o, got.Counts(), want.Counts())
		}
		bad := 0
		each(spec, func(mover, other uint64) {
			v, _ := got.Value(bitboard.Set128{Lo: mover}, bitboard.Set128{Lo: other})
			w, _ := want.Value(bitboard.Set128{Lo: mover}, bitboard.Set128{Lo: other})
			if v != w {
				if bad++; bad < 4 {
					t.Errorf("%+v: mover %x other %x: %v, want %v", o, mover, other, v, w)
				}
			}
		})
		if bad > 0 {
			t.Fatalf("%+v: %d positions differ", o, bad)
		}
		if _, err := Save(ctx, filepath.Join(dir, "got"), spec, got, "test", 2, nil); err != nil {
			t.Fatal(err)
		}
		gotFile, err := os.ReadFile(filepath.Join(dir, "got"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(gotFile, wantFile) {
			t.Fatalf("%+v: the table file differs", o)
		}
	}
}

func least(t *testing.T, spec *halma.TwoArmy) uint64 {
	t.Helper()
	p, err := NewPlan(spec, 3)
	if err != nil {
		t.Fatal(err)
	}
	return p.Least
}

// middle is memory for all but the plane of what is seen.
func middle(t *testing.T, spec *halma.TwoArmy) uint64 {
	t.Helper()
	p, err := NewPlan(spec, 3)
	if err != nil {
		t.Fatal(err)
	}
	return (p.Least + p.Bytes) / 2
}

// each calls do for all positions of a game.
func each(spec *halma.TwoArmy, do func(mover, other uint64)) {
	closed := uint64(0)
	for _, c := range spec.Closed {
		closed |= 1 << c
	}
	all := subsets(spec.Cells, spec.Pieces)
	for _, mover := range all {
		for _, other := range all {
			if mover&other|(mover|other)&closed == 0 {
				do(mover, other)
			}
		}
	}
}

// TestPublished compares with printed counts of crowded boards.
func TestPublished(t *testing.T) {
	rows, err := strong.Published()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, row := range rows {
		if row.Positions > 4_000_000 || row.Pieces == 6 && row.Source == rows[0].Source {
			continue // too large, or the rules are not those that are printed
		}
		_, spec := halmatest.Race(row.Game(), "sturtevant")
		s, err := Solve(context.Background(), spec, Options{})
		if err != nil {
			t.Fatal(err)
		}
		positions, wins, draws, illegal := s.Counts().Published()
		if positions != row.Positions || wins != row.Wins || draws != row.Draws || illegal != row.Illegal {
			t.Errorf("%s: %d, %d, %d, %d, want %+v", row.Game(), positions, wins, draws, illegal, row)
		}
		n++
	}
	if n < 3 {
		t.Fatalf("%d rows were compared", n)
	}
}

// TestLayout checks that places and positions match, and that each position has one
// place, or two where its row is symmetric.
func TestLayout(t *testing.T) {
	for _, spec := range smallBoards() {
		b, err := newBoard(spec)
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLayout(b)
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[[2]int]uint64)
		each(spec, func(mover, other uint64) {
			row, col := l.place(b.fromCells(mover), b.fromCells(other))
			seen[[2]int{row, col}]++
		})
		if len(seen) != l.rows*l.cols {
			t.Fatalf("%s: %d places of %d are used", spec.ID, len(seen), l.rows*l.cols)
		}
		for at, n := range seen {
			if n != l.weight(at[0]) {
				t.Fatalf("%s: place %v stands for %d positions, want %d", spec.ID, at, n, l.weight(at[0]))
			}
		}
		for c, set := range l.set {
			for _, lift := range l.lifts[c*l.k : c*l.k+l.k] {
				if p := int(lift >> 6); l.partial[p]&^set != 0 || bits.OnesCount64(l.partial[p]) != l.k-1 || l.column[p*l.m+int(lift&63)] != uint32(c) {
					t.Fatalf("%s: lift %d of column %d", spec.ID, lift, c)
				}
			}
		}
	}
}

// TestPlan: what a plan says of places is what a layout has, and too little memory is
// refused.
func TestPlan(t *testing.T) {
	for _, spec := range smallBoards() {
		b, err := newBoard(spec)
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLayout(b)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlan(spec, 1)
		if err != nil || p.Places != uint64(l.rows*l.cols) || p.Positions != l.positions() || p.Least >= p.Bytes {
			t.Fatalf("%s: plan %+v, error %v; the layout has %d places", spec.ID, p, err, l.rows*l.cols)
		}
		if _, err := Solve(context.Background(), spec, Options{Threads: 1, Memory: p.Least - 1}); err == nil {
			t.Fatalf("%s: solved in less than the least memory", spec.ID)
		}
	}
}

// TestWide: a board that does not fit a word is refused by name.
func TestWide(t *testing.T) {
	if _, err := NewPlan(halmatest.Diamond(9, 3), 1); !errors.Is(err, ErrTooWide) {
		t.Errorf("error %v", err)
	}
}

// TestCancel: a solve that is cancelled says so.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Solve(ctx, halmatest.Diamond(3, 3), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
