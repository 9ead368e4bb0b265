package mnk

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/gametest"
)

func mustGame(t testing.TB, m, n, k int) *Game {
	t.Helper()
	g, err := New(m, n, k)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// shapes are boards of every representation, with the edges of each: one cell,
// one row, 64 and 65 cells, 128 and 129, k from 1 to the longer side.
var shapes = [][3]int{
	{1, 1, 1}, {1, 7, 2}, {7, 1, 7}, {2, 2, 2}, {3, 3, 3}, {4, 3, 3}, {4, 4, 4}, {5, 4, 4}, {6, 6, 5}, {7, 7, 6}, {7, 7, 7},
	{8, 8, 4}, {8, 8, 8}, {1, 64, 10}, {16, 4, 5}, {4, 16, 7}, {5, 13, 4}, {13, 5, 5}, {10, 10, 5}, {8, 16, 4}, {16, 8, 9},
	{1, 65, 3}, {3, 43, 3}, {15, 15, 5}, {70, 70, 10}, {2, 70, 6},
}

func TestConformance(t *testing.T) {
	for _, s := range shapes {
		g := mustGame(t, s[0], s[1], s[2])
		c := gametest.Config{Games: 5, Plies: 300, Thorough: 3}
		if g.Cells() > 1000 {
			c = gametest.Config{Games: 1, Plies: 40, Thorough: 1}
		}
		t.Run(g.ID(), func(t *testing.T) {
			c.Run(t, g)
			c.Games = 1
			c.Run(t, g.Plain())
		})
	}
}

// TestAgainstPlain plays the same random games on both forms of sets and on the array, which the
// conformance suite checks by making moves: results, texts, moves, WinningMove and SafeMoves are
// equal.
func TestAgainstPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	forced, lost := 0, 0
	for _, sh := range append(shapes, [][3]int{{5, 5, 3}, {4, 4, 3}, {6, 5, 4}, {9, 9, 4}, {11, 11, 3}, {8, 8, 5}, {2, 64, 33}, {64, 1, 9}, {3, 9, 2}}...) {
		g := mustGame(t, sh[0], sh[1], sh[2])
		if g.Cells() > 128 {
			continue
		}
		for range 30 {
			states := []game.State{g.Plain().Start(), g.Wide().Start()}
			if g.Cells() <= 64 {
				states = append(states, g.Start())
			}
			plain := states[0].(*Plain)
			for plain.Result() == game.Ongoing {
				moves := plain.Moves(nil)
				win, safe := plain.WinningMove(), plain.SafeMoves(nil)
				for _, s := range states[1:] {
					if s.Result() != game.Ongoing || !slices.Equal(s.Moves(nil), moves) || s.String() != plain.String() {
						t.Fatalf("%s at %s: %T is at %s with result %d", g.ID(), plain, s, s, s.Result())
					}
					l := s.(game.SafeLister)
					if m := l.WinningMove(); m != win {
						t.Fatalf("%s at %s: %T sees the win %d, the array %d", g.ID(), plain, s, m, win)
					}
					if got := l.SafeMoves(nil); !slices.Equal(got, safe) {
						t.Fatalf("%s at %s: %T finds %v safe, the array %v", g.ID(), plain, s, got, safe)
					}
				}
				m := moves[rng.IntN(len(moves))]
				switch {
				case win != game.NoMove:
					if rng.IntN(3) > 0 {
						break // play on, to test more positions of one kind
					}
					m = win
				case len(safe) == 1:
					forced++
					m = safe[0]
				case len(safe) == 0:
					lost++
				}
				for _, s := range states {
					s.Make(m)
				}
			}
			for _, s := range states {
				if m := s.(game.SafeLister).WinningMove(); m != game.NoMove || s.Result() != plain.Result() || s.Result() != game.Drawn && s.(game.Ender).PliesLeft() != 0 {
					t.Fatalf("%s at %s: %T sees the win %d, and %d plies left, when the game is over", g.ID(), s, s, m, s.(game.Ender).PliesLeft())
				}
			}
		}
	}
	if forced < 1000 || lost < 100 {
		t.Errorf("%d positions with one safe move, %d with none", forced, lost)
	}
	s := mustGame(t, 7, 7, 4).Start().(*State64)
	wide := mustGame(t, 9, 9, 4).Start().(*State128)
	buf := make([]game.Move, 0, 128)
	if n := testing.AllocsPerRun(10, func() {
		s.WinningMove()
		buf = s.SafeMoves(buf[:0])
		wide.WinningMove()
		buf = wide.SafeMoves(buf[:0])
	}); n != 0 {
		t.Errorf("WinningMove and SafeMoves allocate %v times", n)
	}
}

// TestGain compares the gains that a state remembers with the gains of the position set up anew,
// after moves, moves taken back, and positions by number.
func TestGain(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	for _, g := range []*Game{mustGame(t, 5, 5, 4), mustGame(t, 9, 9, 5)} {
		s, made := g.Start().(Position), 0
		for range 500 {
			switch moves := s.Moves(nil); {
			case made > 0 && (len(moves) == 0 || rng.IntN(3) == 0):
				s.Unmake()
				made--
			case g.Numbers() > 0 && (len(moves) == 0 || rng.IntN(8) == 0):
				for !g.At(s, rng.Uint64N(g.Numbers())) {
				}
				made = 0
			default:
				s.Make(moves[rng.IntN(len(moves))])
				made++
			}
			anew, err := g.Parse(s.String())
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range s.Moves(nil) {
				if got, want := s.Gain(m), anew.(Position).Gain(m); got != want {
					t.Fatalf("%s at %s: %s gains %d, set up anew %d", g.ID(), s, g.CellName(int(m)), got, want)
				}
			}
		}
	}
}

// TestWindows compares the shifted windows with the list of all windows, for
// every k, on random sets of all densities.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, sh := range [][2]int{{3, 3}, {1, 64}, {64, 1}, {5, 5}, {7, 7}, {8, 8}, {4, 9}, {9, 4}, {2, 30}, {16, 4}} {
		for k := 1; k <= max(sh[0], sh[1]); k++ {
			l := mustGame(t, sh[0], sh[1], k).Lines64()
			for i := range 40 {
				s := rng.Uint64() & l.Cells.Lo
				for range i % 4 {
					if i&4 == 0 {
						s &= rng.Uint64()
					} else {
						s |= rng.Uint64() & l.Cells.Lo
					}
				}
				o := rng.Uint64() & l.Cells.Lo &^ s
				checkWindows(t, l, bitboard.Set64{Lo: s}, bitboard.Set64{Lo: o})
			}
			none := bitboard.Set64{}
			checkWindows(t, l, none, none)
			checkWindows(t, l, l.Cells, none)
		}
	}
}

func checkWindows(t *testing.T, l *Lines64, s, o bitboard.Set64) {
	t.Helper()
	won := false
	var spread bitboard.Set64
	n := 0
	for _, w := range l.All {
		won = won || w.AndNot(s).IsEmpty()
		if !w.Meets(o) {
			spread = spread.Or(w)
			n++
		}
	}
	if got := l.Won(s); got != won {
		t.Fatalf("%dx%d k=%d %x: won %v, want %v", l.Rows, l.Cols, l.K, s, got, won)
	}
	var gotSpread bitboard.Set64
	gotN := 0
	for d := range 4 {
		c := l.Clear(o, d)
		gotN += c.Count()
		gotSpread = gotSpread.Or(l.Spread(c, d))
	}
	if gotN != n || gotSpread != spread {
		t.Fatalf("%dx%d k=%d: %d windows clear of %x over %x, want %d over %x", l.Rows, l.Cols, l.K, gotN, o, gotSpread, n, spread)
	}
}

// TestText checks names of cells, texts and refusals, each for one reason.
func TestText(t *testing.T) {
	g := mustGame(t, 3, 4, 3)
	s := g.Start()
	for _, m := range []string{"b2", "c2"} {
		c, err := s.ParseMove(m)
		if err != nil {
			t.Fatal(err)
		}
		s.Make(c)
	}
	if s.String() != "4.1xo1.4" {
		t.Errorf("after b2 c2: %s", s)
	}
	big := mustGame(t, 70, 70, 10)
	for _, c := range []int{0, 25, 26, 69, 4899, 4830} {
		if got, err := big.ParseCell(big.CellName(c)); err != nil || got != c {
			t.Errorf("cell %d is %s and back %d, %v", c, big.CellName(c), got, err)
		}
	}
	if big.CellName(69) != "br70" || big.CellName(4899) != "br1" {
		t.Errorf("corner cells %s, %s", big.CellName(69), big.CellName(4899))
	}
	for _, bad := range []string{
		"", "4.4", "4.4.4.4", "5.4.4", "3.4.4", "x12.4.4", "22.4.4", "04.4.4", "4.4.y3", "o3.4.4", "xx2.4.4", // bad shape, bad stones
		"xxx1.ooo1.4", "xxx1.ooo1.3x", "xxx1.oo2.3o", // play went on after a line
	} {
		if s, err := g.Parse(bad); err == nil {
			t.Errorf("%q reads as %s", bad, s)
		} else if !strings.HasPrefix(err.Error(), "mnk: position: ") {
			t.Errorf("%q: error %q", bad, err)
		}
	}
	// Two lines can arise together only if they share the last stone.
	five := mustGame(t, 5, 5, 3)
	if s, err := five.Parse("xxx2.xo3.x1o2.oo3.5"); err != nil || s.Result() != 0 {
		t.Errorf("two lines at once: %v", err)
	}
	if _, err := five.Parse("xxx2.5.xxx2.oo1oo.o4"); err == nil {
		t.Error("two lines apart are accepted")
	}
	for _, bad := range [][3]int{{0, 3, 3}, {3, 0, 1}, {3, 3, 0}, {3, 3, 4}, {71, 3, 3}, {3, 71, 3}, {-1, 5, 3}, {5, 5, -2}} {
		if _, err := New(bad[0], bad[1], bad[2]); !errors.Is(err, errBoard) {
			t.Errorf("%v: error %v", bad, err)
		}
	}
	for _, bad := range []string{"mnk-", "mnk-3x3", "mnk-3x3k", "mnk-03x3k3", "mnk-3x3k3x", "halma", "mnk-3x3k+3"} {
		if _, err := ByID(bad); !errors.Is(err, errBoard) {
			t.Errorf("id %q: error %v", bad, err)
		}
	}
	if g, err := ByID("mnk-7x6k5"); err != nil || g.ID() != "mnk-7x6k5" {
		t.Errorf("mnk-7x6k5: %v", err)
	}
}

// TestPerft checks counts of games. The counts of 3,3,3 are well known.
func TestPerft(t *testing.T) {
	gametest.RunPerft(t, "testdata/mnk.perft", 3_000_000, func(id, _ string) (game.Game, error) {
		g, err := ByID(id)
		if err != nil {
			return nil, err
		}
		return g, nil
	})
}

// TestTurnsToWin counts the stones missing in every window cell by cell.
func TestTurnsToWin(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, sh := range shapes {
		g := mustGame(t, sh[0], sh[1], sh[2])
		if g.Cells() > 64 {
			continue
		}
		for range 20 {
			s := g.Start().(*State64)
			for s.Result() == game.Ongoing {
				moves := s.Moves(nil)
				s.Make(moves[rng.IntN(len(moves))])
				for seat := range 2 {
					want := game.NeverWins
					for d, first := range g.Windows() {
						missing := 0
						for i := range g.K() {
							switch int(s.At(first+i*g.Step(d))) - 1 {
							case -1:
								missing++
							case 1 - seat:
								missing += game.NeverWins
							}
						}
						want = min(want, missing)
					}
					if want = s.inTime(seat, want); !s.won && s.TurnsToWin(seat) != want {
						t.Fatalf("%s at %s: %d turns for seat %d, want %d", g.ID(), s, s.TurnsToWin(seat), seat, want)
					}
				}
			}
		}
	}
}

// BenchmarkStone puts a stone, tests for a win and takes the stone back.
func BenchmarkStone(b *testing.B) {
	for _, sh := range [][3]int{{7, 7, 5}, {10, 10, 5}, {70, 70, 10}} {
		g := mustGame(b, sh[0], sh[1], sh[2])
		for _, g := range []*Game{g, g.Plain()} {
			if g.plain && g.cells > 128 {
				continue // the state of this board is plain: the loop has measured it
			}
			s := g.Start()
			kind := "fast"
			if g.plain {
				kind = "plain"
			}
			m := game.Move(g.cells / 2)
			b.Run("board="+g.ID()+"/state="+kind, func(b *testing.B) {
				for b.Loop() {
					s.Make(m)
					if s.Result() != game.Ongoing {
						b.Fatal("a stone wins")
					}
					s.Unmake()
				}
			})
		}
	}
}

func BenchmarkWon(b *testing.B) {
	g := mustGame(b, 7, 7, 5)
	x := bitboard.Set64{Lo: 0x155a2d1b4} // four in the first column, and a fifth would win
	if !g.lines64.Won(x.Or(bitboard.Cell64(0))) {
		b.Fatal("no line where there is one")
	}
	for b.Loop() {
		if g.lines64.Won(x) {
			b.Fatal("a line where there is none")
		}
	}
}

// TestPublished reads the printed values, and checks the boards that rows name by examples
// of each kind of row.
func TestPublished(t *testing.T) {
	list := PublishedValues()
	for _, c := range []struct {
		row     string
		m, n, k int
		want    bool
	}{
		{"any,any,1", 3, 9, 1, true}, {"any,any,1", 3, 9, 2, false}, {"3,3,3", 3, 3, 3, true}, {"3,3,3", 4, 3, 3, false},
		{"m>=4,n>=3,3", 4, 3, 3, true}, {"m>=4,n>=3,3", 3, 4, 3, true}, {"m>=4,n>=3,3", 3, 3, 3, false}, {"m>=4,n>=3,3", 9, 2, 3, false},
		{"m<=8,4,4", 8, 4, 4, true}, {"m<=8,4,4", 4, 8, 4, true}, {"m<=8,4,4", 9, 4, 4, false}, {"m<=8,4,4", 8, 5, 4, false},
		{"any,any,k>=8", 70, 70, 8, true}, {"any,any,k>=8", 70, 70, 7, false}, {"m>=6,n>=5,4", 5, 6, 4, true}, {"m>=6,n>=5,4", 5, 5, 4, false},
	} {
		found := false
		for _, p := range list {
			if p.String() == c.row {
				found = true
				if p.Names(c.m, c.n, c.k) != c.want {
					t.Errorf("%s speaks of %d,%d,%d: %v", c.row, c.m, c.n, c.k, !c.want)
				}
			}
			if (p.Value != "first" && p.Value != "draw") || p.Source == "" {
				t.Errorf("row %v", p)
			}
		}
		if !found {
			t.Errorf("no row %s", c.row)
		}
	}
	if got := (Published{Rows: "m<=8", Cols: "4", K: "4"}).Boards(24); !slices.Equal(got, [][3]int{{4, 1, 4}, {4, 2, 4}, {4, 3, 4}, {4, 4, 4}, {5, 4, 4}, {6, 4, 4}}) {
		t.Errorf("boards %v", got)
	}
	for _, p := range slices.Concat(list, PublishedErrata(), ProvedValues()) {
		for _, bound := range []string{p.Rows, p.Cols, p.K} {
			if _, _, err := readBound(bound); err != nil {
				t.Errorf("row %v: %v", p, err)
			}
		}
	}
	for _, bad := range []string{"", "m", "m>4", "0", "x", ">=", "4m"} {
		if _, _, err := readBound(bad); err == nil {
			t.Errorf("%q is a bound", bad)
		}
	}
	if games := Tournament(); len(games) != 25 {
		t.Errorf("%d games of the tournament, want 25", len(games))
	}
	for id, want := range map[string]string{
		"mnk-3x3k3": "draw", "mnk-3x4k3": "first", "mnk-6x6k4": "first", "mnk-8x8k8": "draw", "mnk-70x70k10": "draw", "mnk-10x10k5": "", "mnk-9x9k4": "",
	} {
		g, err := ByID(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := Theory(g); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	for _, p := range append(PublishedErrata(), ProvedValues()...) {
		for _, b := range p.Boards(64) {
			if g := mustGame(t, b[0], b[1], b[2]); b[2] < 8 && Theory(g) != p.Value {
				t.Errorf("%s: %q, want %q", g.ID(), Theory(g), p.Value)
			}
		}
	}
}
