package prove

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// minimax is the reference: value and distance by trying everything, with the
// rules' states and a map.
func minimax(s *mnk.State64, memo map[[2]uint64][2]int) (value, plies int) {
	if r := s.Result(); r != game.Ongoing {
		if r == game.Drawn {
			return 0, 0
		}
		return -1, 0
	}
	var key [2]uint64
	s.Key(key[:])
	if v, ok := memo[key]; ok {
		return v[0], v[1]
	}
	value, plies = -2, 0
	for _, m := range s.Moves(nil) {
		s.Make(m)
		v, n := minimax(s, memo)
		s.Unmake()
		v, n = -v, n+1
		if v == 0 {
			n = 0
		}
		if v > value || v == value && (v > 0 && n < plies || v < 0 && n > plies) {
			value, plies = v, n
		}
	}
	memo[key] = [2]int{value, plies}
	return value, plies
}

func TestStrong(t *testing.T) {
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-2x5k2", "mnk-4x4k4"} {
		g, err := mnk.ByID(id)
		if err != nil {
			t.Fatal(err)
		}
		s, err := SolveStrong(context.Background(), g, 1<<26, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		memo := map[[2]uint64][2]int{}
		start := g.Start().(*mnk.State64)
		if g.Cells() <= 12 {
			minimax(start, memo)
		}
		for key, want := range memo {
			st, err := g.Parse(g.Text(low(key[0]), low(key[1])))
			if err != nil {
				t.Fatal(err)
			}
			v, n := s.Probe(st.(*mnk.State64))
			if int(v)-int(game.Draw) != want[0] || n != want[1] {
				t.Fatalf("%s at %s: %v in %d, want %v", id, st, v, n, want)
			}
		}
		v, n := s.Probe(start)
		var total uint64
		for _, c := range s.Census() {
			total += c[0] + c[1] + c[2]
		}
		t.Logf("%s: %v in %d, %d positions", id, v, n, total)
		// The proof search must agree on every position with few stones.
		p, err := New(g, Options{Threads: 1, Memory: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range start.Moves(nil) {
			start.Make(m)
			v, _ := s.Probe(start)
			x, o := start.Stones()
			if start.Result() == game.Ongoing {
				if r := p.CanWin(context.Background(), x, o, 1, 0); r.Won != (v == game.Loss) {
					t.Errorf("%s at %s: strong %v, proof %+v", id, start, v, r)
				}
				if r := p.CanWin(context.Background(), x, o, 1, 1); r.Won != (v == game.Win) {
					t.Errorf("%s at %s: strong %v, proof for o %+v", id, start, v, r)
				}
			}
			start.Unmake()
		}
	}
	g, err := mnk.New(5, 5, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := SolveStrong(context.Background(), g, 1<<20, 1, nil); !errors.Is(err, ErrMemory) {
		t.Errorf("too little memory: %v", err)
	}
}

// forwards counts the positions of each number of stones by playing on from the
// start, with the rules' plain states and their text.
func forwards(t *testing.T, g *mnk.Game) (count []uint64) {
	layer := map[string]bool{g.Plain().Start().String(): true}
	for len(layer) > 0 {
		count = append(count, uint64(len(layer)))
		next := map[string]bool{}
		for text := range layer {
			s, err := g.Plain().Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range s.Moves(nil) {
				s.Make(m)
				next[s.String()] = true
				s.Unmake()
			}
		}
		layer = next
	}
	return count
}

// TestCensus compares how many positions a strong solve finds, going backwards
// over all placements, with printed counts and with a count by playing forwards.
func TestCensus(t *testing.T) {
	text, err := os.ReadFile("testdata/positions.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(strings.ReplaceAll(string(text), " ", "_"))[1:] {
		f := strings.Split(line, ",")
		g, err := mnk.ByID(f[0])
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseUint(f[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		s, err := SolveStrong(t.Context(), g, 1<<26, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		var total uint64
		var layers []uint64
		for _, c := range s.Census() {
			total += c[0] + c[1] + c[2]
			if n := c[0] + c[1] + c[2]; n > 0 { // nobody plays on after a win
				layers = append(layers, n)
			}
		}
		if total != want {
			t.Errorf("%s: %d positions, want %d (%s)", g.ID(), total, want, f[2])
		}
		if g.Cells() <= 12 && !slices.Equal(layers, forwards(t, g)) {
			t.Errorf("%s: %v positions by stones, forwards %v", g.ID(), layers, forwards(t, g))
		}
	}
}
