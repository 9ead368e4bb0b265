package halma

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"perfectplay/game"
)

var walked = flag.Int("walked", 200_000, "positions of random games on which kernels and plain generator are compared")

func newStar(t testing.TB, side int) *Board {
	t.Helper()
	b, err := Star(side)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newDiamond(t testing.TB, n, pieces int) *Board {
	t.Helper()
	b, err := Diamond(n, strconv.Itoa(pieces))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// variants returns every allowed combination of board, seat count and preset, and some rules
// without a name.
func variants(t testing.TB) []*Game {
	t.Helper()
	var boards []*Board
	for side := 1; side <= 4; side++ {
		boards = append(boards, newStar(t, side))
	}
	for _, few := range [][2]int{{2, 1}, {3, 2}, {4, 6}} {
		b, err := StarOf(few[0], strconv.Itoa(few[1]))
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, b)
	}
	for n := 2; n <= 11; n++ {
		for _, p := range []int{1, 2, 3, 4, 6, 10} {
			if b, err := Diamond(n, strconv.Itoa(p)); err == nil {
				boards = append(boards, b)
			}
		}
	}
	var rules []Rules
	for _, name := range Presets() {
		r, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	rules = append(rules,
		Rules{Limits: Limits{StayOut: true}},
		Rules{Win: Win{Filled: true}, Limits: Limits{StayOut: true, HomeTransit: true}},
		Rules{Win: Win{Filled: true}, Limits: Limits{StayInGoal: true}},
		Rules{Win: Win{Filled: true, HomeEmpty: true}},
		Rules{Limits: Limits{StayInGoal: true, GoalTransit: true, StayOut: true}},
		Rules{TipsClosed: true},
		Rules{TipsClosed: true, AbsentTipsOpen: true, Limits: Limits{StayOut: true, HomeTransit: true}})
	var games []*Game
	for _, b := range boards {
		for _, seats := range []int{2, 3, 4, 6} {
			for _, r := range rules {
				if g, err := New(b, seats, r); err == nil {
					games = append(games, g)
				}
			}
		}
	}
	return games
}

// TestAgainstMailbox plays random games of all variants, and of all boards that have an id, and
// compares moves, count, result and text of each position with the reference. Moves towards the
// goal are preferred, so that games fill goals.
func TestAgainstMailbox(t *testing.T) {
	games := variants(t)
	for _, s := range Sizes() {
		for _, rules := range Presets() {
			if g, err := ByID(s.ID, rules); err == nil { // some boards lack some rule sets
				games = append(games, g)
			}
		}
	}
	total := *walked
	if testing.Short() {
		total = 100_000
	}
	each := total/len(games) + 1
	positions, wins, draws, passes := 0, 0, 0, 0
	for i, g := range games {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		var buf []game.Move
		for n := 0; n < each; {
			s, m := g.Start(), g.Mailbox().Start().(*mailState)
			bias := rng.Float64()
			for ply := 0; ply < 400 && n < each; ply++ {
				n++
				buf = s.Moves(buf[:0])
				want := m.Moves(nil)
				if !slices.Equal(buf, want) {
					t.Fatalf("%s %s %s: moves\n got %v\nwant %v\n%s", g.ID(), g.Rules(), s, names(s, buf), names(s, want), m)
				}
				if c := s.(game.Counter).CountMoves(); c != len(want) {
					t.Fatalf("%s %s %s: %d moves counted, %d listed", g.ID(), g.Rules(), s, c, len(want))
				}
				r := s.Result()
				if w := m.Result(); r != w {
					t.Fatalf("%s %s %s: result %d, want %d", g.ID(), g.Rules(), s, r, w)
				}
				if r != game.Ongoing {
					if _, won := r.Winner(); won {
						wins++
					} else {
						draws++
					}
					break
				}
				move := buf[rng.IntN(len(buf))]
				if rng.Float64() < bias {
					move = towardsGoal(g, s.Seat(), buf, rng)
				}
				if move == game.Pass {
					passes++
				}
				s.Make(move)
				m.Make(move)
				if s.String() != m.String() {
					t.Fatalf("%s %s: %s after %s, want %s", g.ID(), g.Rules(), s, s.MoveString(move), m)
				}
			}
		}
		positions += each
	}
	t.Logf("%d games, %d positions, %d wins, %d draws, %d passes", len(games), positions, wins, draws, passes)
}

func towardsGoal(g *Game, seat int, moves []game.Move, rng *rand.Rand) game.Move {
	row, col := g.board.Place(g.board.Apex(oppositeTip[g.tip[seat]]))
	far := func(cell int) int {
		r, c := g.board.Place(cell)
		dr, dc := max(r-row, row-r), max(c-col, col-c)
		return dr + max(0, dc-dr)/2
	}
	best, bestGain := moves[rng.IntN(len(moves))], -1000
	for range 8 {
		m := moves[rng.IntN(len(moves))]
		if m == game.Pass {
			return m
		}
		from, to := Cells(m)
		if gain := far(from) - far(to); gain > bestGain {
			best, bestGain = m, gain
		}
	}
	return best
}

func names(s game.State, moves []game.Move) string {
	var out []string
	for _, m := range moves {
		out = append(out, s.MoveString(m))
	}
	return fmt.Sprint(out)
}

func TestCamps(t *testing.T) {
	for id, want := range map[string]string{
		"halma-star37p2-2p": "2.2_._______.______._____.______._______._1.1-1",
		"halma-star37p2-6p": "2.2_.3____44.3_____._____._____5.66____5._1.1-1",
		"halma-star73p4-4p": "2.22._2_.33________.33_______.________._______.________._______55.________55._1_.11.1-1",
		"halma-7x7p5":       "2.22.2_2.____._____.______._______.______._____.____.1_1.11.1-1",
		"halma-7x7p5b":      "_.22.222.____._____.______._______.______._____.____.111.11._-1",
		"halma-7x7p7":       "2.22.2_2._22_._____.______._______.______._____._11_.1_1.11.1-1",
		"halma-7x7p8":       "2.22.222._22_._____.______._______.______._____._11_.111.11.1-1",
	} {
		g, err := ByID(id, "base")
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Start().String(); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// TestFewerPieces: stars with fewer pieces than their tips hold have their own ids, camps at the
// ends of the tips, and whole tips open to their seats.
func TestFewerPieces(t *testing.T) {
	for id, camp := range map[string]int{
		"halma-star37p1-3p": 1, "halma-star37p2-6p": 2, "halma-star73p1-2p": 1, "halma-star73p3-6p": 3, "halma-star73p4-3p": 4, "halma-star121p6-4p": 6,
	} {
		g, err := ByID(id, "house")
		if err != nil {
			t.Fatal(err)
		}
		if g.ID() != id || g.Board().Pieces() != camp {
			t.Errorf("%s: id %s, %d pieces", id, g.ID(), g.Board().Pieces())
		}
		for tip := 1; tip <= 6; tip++ {
			if n := g.Board().Camp(tip).Count(); n != camp || !g.Board().Camp(tip).Has(g.Board().Apex(tip)) {
				t.Errorf("%s: tip %d has a camp of %d cells", id, tip, n)
			}
		}
		for cell := range g.Board().Cells() {
			tip := g.Board().Tip(cell)
			if open := tip == noTip || tip == 1 || tip == 2; open == g.closed(0, cell) {
				t.Errorf("%s: cell %d of tip %d: open %v", id, cell, tip, !open)
			}
		}
	}
	for _, id := range []string{"halma-star37p3-2p", "halma-star37p6-2p",
		"halma-star37p4-2p", "halma-star73p9-2p", "halma-star73p2b-2p", "halma-star73p05b-2p", "halma-star37p-2p", "halma-star37p01-2p", "halma-star37p0-2p", "halma-star38p1-2p",
	} {
		if g, err := ByID(id, "base"); err == nil {
			t.Errorf("%s is accepted as %s", id, g.ID())
		}
	}
}
