package halma

import (
	"math/bits"
	"os"
	"strconv"
	"strings"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// TestIllegalCount compares counts of illegal positions of diamonds for both seats to move with
// published ones: Sturtevant, ACG 2019, Table 1, and the smallgames project's count of the
// literal rules (2026). The two differ on 5x5 with 6 pieces.
func TestIllegalCount(t *testing.T) {
	for _, c := range []struct {
		n, pieces int
		rules     string
		positions int
		illegal   int
	}{
		{7, 1, "sturtevant", 4704, 96},
		{7, 2, "sturtevant", 2542512, 10810},
		{4, 6, "sturtevant", 3363360, 405420},
		{4, 6, "sturtevant-2019-run", 3363360, 405420},
		{5, 6, "sturtevant", 9610154400, 64173018},
		{5, 6, "sturtevant-2019-run", 9610154400, 63860706},
	} {
		rules, err := Preset(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		g, err := New(newDiamond(t, c.n, c.pieces), 2, rules)
		if err != nil {
			t.Fatal(err)
		}
		positions, illegal := countIllegal(g)
		if positions != c.positions || illegal != c.illegal {
			t.Errorf("%s %s: %d positions, %d illegal, want %d and %d", g.ID(), c.rules, positions, illegal, c.positions, c.illegal)
		}
	}
}

// countIllegal counts the positions of both seats. For each set of the mover it groups the
// opponent's sets by the cells of camps that they hold, since only these matter.
func countIllegal(g *Game) (positions, illegal int) {
	n, p := g.board.Cells(), g.board.pieces
	camps := g.home[0].Or(g.home[1])
	choose := func(n, k int) int {
		c := 1
		for i := range k {
			c = c * (n - i) / (i + 1)
		}
		if k > n {
			return 0
		}
		return c
	}
	type answer struct{ positions, illegal int }
	known := map[bitboard.Set128]answer{}
	for set := uint64(1)<<p - 1; set < 1<<n; {
		own := bitboard.Set128{Lo: set}
		inside := own.And(camps)
		a, ok := known[inside]
		if !ok {
			free := camps.AndNot(own)
			outside := n - p - free.Count()
			for sub := free.Lo; ; sub = (sub - 1) & free.Lo {
				if k := bits.OnesCount64(sub); k <= p {
					// The opponent's pieces outside camps may stand on any free cells outside
					// camps.
					pos := position{own: [maxSeats]bitboard.Set128{own, {Lo: sub}}}
					ways := choose(outside, p-k)
					a.positions += ways
					if g.illegal(&pos) {
						a.illegal += ways
					}
				}
				if sub == 0 {
					break
				}
			}
			known[inside] = a
		}
		positions += 2 * a.positions
		illegal += 2 * a.illegal
		low := set & -set
		up := set + low
		set = up | (set^up)>>(2+uint(bits.TrailingZeros64(low)))
	}
	return positions, illegal
}

// TestReachable compares with the published number of reachable positions (Liou, 2026).
func TestReachable(t *testing.T) {
	g, err := ByID("halma-star13-3p", "liou")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(s game.State)
	walk = func(s game.State) {
		if seen[s.String()] {
			return
		}
		seen[s.String()] = true
		for _, m := range s.Moves(nil) {
			s.Make(m)
			walk(s)
			s.Unmake()
		}
	}
	walk(g.Start())
	if len(seen) != 1245 {
		t.Errorf("%d reachable positions, want 1245", len(seen))
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ id, rules, want string }{
		{"halma-star37-2p", "hosue", "known are base, house, house-loose, house-code, house-readme, sturtevant, sturtevant-2019-run, gamesman, gamesman-2026, liou"},
		{"halma-star37-5p", "base", "a star seats 1, 2, 3, 4 or 6"},
		{"halma-star38-2p", "base", "no star"},
		{"halma-star37", "base", "number of players is missing"},
		{"halma-star37-p", "base", "not a number of players"},
		{"halma-star37-2", "base", "not a number of players"},
		{"chess", "base", "unknown game"},
		{"halma-5x6p3", "base", "as many rows as columns"},
		{"halma-12x12p3", "base", "the side must be 2 to 11"},
		{"halma-5x5p9", "base", "1, 2, 3, 4, 5, 5b, 6, 7, 8 or 10"},
		{"halma-3x3p6", "base", "camps overlap"},
		{"halma-5x5", "base", "unknown game"},
		{"halma-5x5p+6", "base", "unknown game"},
		{"halma-5x5p6", "house", "a diamond has none"},
		{"halma-5x5p6", "filled+tips-closed", "no tips to close"},
		{"halma-star37-2p", "sturtevant", "for diamonds"},
		{"halma-star37-3p", "filled+illegal-2019", "for two"},
		{"halma-star37-2p", "illegal-2019", "filled"},
		{"halma-star37-2p", "home-empty", "goes with filled"},
		{"halma-star37-2p", "filled+", "unknown rules"},
		{"halma-star37-2p", "stay-out+no-transit", "goal-transit, home-transit and tips-transit let chains pass"},
		{"halma-star37-2p", "stay-out+tips-transit", "goes with tips-closed"},
		{"halma-star37-2p", "stay-out+goal-transit", "goes with stay-in-goal"},
		{"halma-star37-2p", "stay-in-goal+home-transit", "goes with stay-out"},
		{"halma-star37-2p", "filled+absent-tips-open", "goes with tips-closed"},
		{"halma-5x5p3", "house-readme", "a diamond has none"},
		{"halma-star37-2p", "gamesman-2026", "for diamonds"},
		{"halma-5x5p6", "filled+illegal-2019+illegal-2019-run", "exclude each other"},
	} {
		_, err := ByID(c.id, c.rules)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: error %v, want one with %q", c.id, c.rules, err, c.want)
		}
	}
	for _, c := range []struct{ id, rules, text, want string }{
		{"halma-star13-2p", "base", "2._____.___._____.1", "want rows"},
		{"halma-star13-2p", "base", "2.____.___.____.1-1", ""},
		{"halma-star13-2p", "base", "2.____.___.____.1-3", "the seat to move is"},
		{"halma-star13-2p", "base", "2.____.___.____.1-", "the seat to move is"},
		{"halma-star13-2p", "base", "2.____.___.____-1", "want 5 rows of text, not 4"},
		{"halma-star13-2p", "base", "2.____.__.____.1-1", "row 3 from the top (\"__\") has 2 holes, want 3"},
		{"halma-star13-2p", "base", "2.____._x_.____.1-1", "\"x\" is neither"},
		{"halma-star13-2p", "base", "2.____._3_.____.1-1", "\"3\" is neither"},
		{"halma-star13-2p", "base", "2.____._2_.____.1-1", "seat 2 has 2 pieces, want 1"},
		{"halma-star13-2p", "base", "_.____._2_.____._-1", "seat 1 has 0 pieces, want 1"},
		{"halma-star13-2p", "house", "_.2___.___.____.1-1", "in a tip that rules house close"},
		{"halma-3x3p1", "sturtevant", "1.__._2_.__._-1", "seat 1 is to move but has won"},
		{"halma-4x4p6", "sturtevant", "_.22.2_2.2__2.111.11.1-1", "a goal is blocked for good"},
	} {
		g, err := ByID(c.id, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Parse(c.text)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s %s: %v", c.id, c.text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s %s: error %v, want one with %q", c.id, c.rules, c.text, err, c.want)
		}
	}
	g, _ := ByID("halma-star37-2p", "house")
	s := g.Start()
	for text, want := range map[string]string{
		"a1-z9": "want a row a to i",
		"a1":    "want from-to",
		"a2-b1": "row a has places 1 to 1",
		"a1-b1": "b1 is taken",
		"b1-e2": "neither a step nor a chain",
		"e1-e2": "seat 1 has no piece on e1",
		"pass":  "can move and must",
		"b1-d1": "rules house do not let",
	} {
		if _, err := s.ParseMove(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("move %s: error %v, want one with %q", text, err, want)
		}
	}
}

// TestRules: rule sets read back and describe themselves.
func TestRules(t *testing.T) {
	for _, name := range Presets() {
		r, err := ParseRules(name)
		if err != nil || r.String() != name || r.Describe() == "" {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		r.Name = ""
		again, err := ParseRules(r.String())
		if err != nil || again != r {
			t.Errorf("%s without its name is %s, which reads as %+v: %v", name, r, again, err)
		}
	}
	r, _ := Preset("house")
	r.StayOut = false
	if _, err := New(newStar(t, 2), 2, r); err == nil {
		t.Error("rules named house that are not are accepted")
	}
}

// TestTransit plays chains that pass one hole against one restriction.
func TestTransit(t *testing.T) {
	for _, c := range []struct{ restriction, transit, position, move string }{
		{"stay-in-goal", "goal-transit", "_.22.__1____.______.__2__.______._______.11._-1", "g3-g5"}, // the chain passes i1
		{"stay-out", "home-transit", "2.22._______.______._____.______.__1____.11._-1", "c3-c5"},     // the chain passes a1
		{"tips-closed", "tips-transit", "2.22._______.______._____._1____.__11___.__._-1", "c4-e2"},  // the chain passes c2
	} {
		for _, pass := range []bool{false, true} {
			rules := c.restriction
			if pass {
				rules += "+" + c.transit
			}
			g, err := ByID("halma-star37-2p", rules)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range []game.Game{g, g.Mailbox()} {
				s, err := g.Parse(c.position)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.ParseMove(c.move); (err == nil) != pass {
					t.Errorf("%s: %s in %s: %v", rules, c.move, c.position, err)
				}
			}
		}
	}
}

// TestPictures compares the drawings of doc.go with the boards.
func TestPictures(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(source), "//\t", "")
	star, diamond := newStar(t, 2), newDiamond(t, 4, 3)
	g, err := New(star, 6, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"star by numbers":    draw(star, 3, strconv.Itoa, false),
		"star by names":      draw(star, 3, star.CellName, false),
		"diamond by numbers": draw(diamond, 3, strconv.Itoa, false),
		"six players": draw(star, 1, func(cell int) string {
			return strings.Replace(string(rune(g.glyph(g.Mailbox().Start().(*mailState).position(), cell))), "_", "·", 1)
		}, true),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("doc.go lacks the %s:\n%s", name, want)
		}
	}
}

// draw lays out one text of at most width columns for each cell, neighbouring rows shifted by
// half a place.
func draw(b *Board, width int, label func(int) string, letters bool) string {
	var out strings.Builder
	for row := range b.rows {
		var line strings.Builder
		if letters {
			line.WriteRune(rune('a' + b.rows - 1 - row))
			line.WriteString("  ")
		}
		col := 0
		for cell := b.rowFrom[row]; cell < b.rowFrom[row+1]; cell++ {
			_, column := b.Place(cell)
			at := column * (width + 1) / 2
			for ; col < at; col++ {
				line.WriteByte(' ')
			}
			text := label(cell)
			line.WriteString(text)
			col += len([]rune(text))
		}
		out.WriteString(strings.TrimRight(line.String(), " "))
		out.WriteByte('\n')
	}
	return out.String()
}

func FuzzParse(f *testing.F) {
	games := variants(f)
	for i, g := range games {
		f.Add(uint16(i), g.Start().String())
	}
	f.Fuzz(func(t *testing.T, which uint16, text string) {
		g := games[int(which)%len(games)]
		s, err := g.Parse(text)
		if err != nil {
			return
		}
		if s.String() != text {
			t.Errorf("%q reads as %q", text, s)
		}
		m := g.Mailbox()
		r, err := m.Parse(text)
		if err != nil || s.Result() != r.Result() || len(s.Moves(nil)) != len(r.Moves(nil)) {
			t.Errorf("%s %s %q: result %d, %d moves; the reference has %d, %d: %v", g.ID(), g.Rules(), text,
				s.Result(), len(s.Moves(nil)), r.Result(), len(r.Moves(nil)), err)
		}
	})
}

func FuzzParseMove(f *testing.F) {
	g, err := ByID("halma-star37-3p", "house")
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"a1-c3", "b1-c2", "pass", "-", "e5-e55555555555555555555"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := g.Start()
		m, err := s.ParseMove(text)
		if err == nil && s.MoveString(m) != text {
			t.Errorf("%q reads as %s", text, s.MoveString(m))
		}
	})
}

func FuzzID(f *testing.F) {
	for _, text := range []string{"halma-star37-2p", "halma-5x5p6", "halma-", "halma-starp"} {
		f.Add(text, "house")
	}
	f.Fuzz(func(t *testing.T, id, rules string) {
		g, err := ByID(id, rules)
		if err == nil && (g.ID() != id) {
			t.Errorf("%q makes %q", id, g.ID())
		}
	})
}
