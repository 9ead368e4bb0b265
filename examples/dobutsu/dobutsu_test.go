package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest"
	"perfectplay/solve/retro"
)

func TestConformance(t *testing.T) {
	gametest.Run(t, rules{})
	gametest.Wing(t, dobutsu())
}

// TestPerft: the counts equal the counts by plain, as deep as plain can count.
func TestPerft(t *testing.T) {
	gametest.RunPerft(t, "testdata/dobutsu.perft", 3_000_000, func(string, string) (game.Game, error) { return rules{}, nil })
}

// plain lists moves and the positions after them, as text, by the rules alone: a board of
// letters, each with the steps of its piece.
func plain(text string) map[string]string {
	rows, hand, mover := []byte(text[:15]), text[16:len(text)-2], text[len(text)-1]
	side := func(b byte) byte { return '1' + b>>5&1 } // the player whose piece a letter is
	steps := map[byte][][2]int{
		'L': {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}},
		'G': {{-1, 0}, {0, -1}, {0, 1}, {1, 0}}, 'E': {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}, 'C': {{-1, 0}},
		'H': {{-1, 0}, {0, -1}, {0, 1}, {1, 0}, {-1, -1}, {-1, 1}},
	}
	forward, last, home := 1, 0, 3 // rows as the first player sees them
	if mover == '2' {
		forward, last, home = -1, 3, 0
	}
	after := func(rows []byte, hand string) string {
		sorted := []byte(hand)
		slices.SortFunc(sorted, func(a, b byte) int { return strings.IndexByte("LGEClgec", a) - strings.IndexByte("LGEClgec", b) })
		return string(rows) + "-" + string(sorted) + "-" + string('1'+'2'-mover)
	}
	moves, wins := map[string]string{}, map[string]string{}
	alive, tried := false, false
	at := func(row, column int) string { return string([]byte{"abc"[column], byte('1' + row)}) }
	for i, b := range rows {
		row, column := i/4, i%4
		switch {
		case b == '/':
		case b == '.':
			for _, h := range slices.Compact([]byte(hand)) {
				if side(h) == mover {
					next := slices.Clone(rows)
					next[i] = h
					moves[strings.ToUpper(string(h))+"*"+at(row, column)] = after(next, strings.Replace(hand, string(h), "", 1))
				}
			}
		case side(b) != mover:
			tried = tried || b&^32 == 'L' && row == home
		default:
			alive = alive || b&^32 == 'L'
			for _, step := range steps[b&^32] {
				r, c := row+forward*step[0], column+step[1]
				if r < 0 || r > 3 || c < 0 || c > 2 || rows[r*4+c] != '.' && side(rows[r*4+c]) == mover {
					continue
				}
				next, hand, taken := slices.Clone(rows), hand, rows[r*4+c]
				next[i], next[r*4+c] = '.', b
				if b&^32 == 'C' && r == last {
					next[r*4+c] = 'H' | b&32
				}
				if taken&^32 == 'H' {
					taken = 'C'
				}
				if taken != '.' {
					hand += string(taken&^32 | b&32)
				}
				moves[at(row, column)+"-"+at(r, c)] = after(next, hand)
				if taken&^32 == 'L' {
					wins[at(row, column)+"-"+at(r, c)] = after(next, hand)
				}
			}
		}
	}
	switch {
	case !alive:
		return nil
	case len(wins) > 0 || tried:
		return wins
	}
	return moves
}

// compare compares the moves of a position with the moves that plain lists, and returns them.
func compare(t *testing.T, s game.State) (moves []game.Move) {
	t.Helper()
	want := plain(s.String())
	if moves = s.Moves(nil); len(moves) != len(want) || (len(moves) > 0) != (s.Result() == game.Ongoing) {
		t.Fatalf("%s: %d moves, result %d, want %v", s, len(moves), s.Result(), want)
	}
	for _, m := range moves {
		name := s.MoveString(m)
		s.Make(m)
		if s.String() != want[name] {
			t.Fatalf("%s leads to %s, want %q", name, s, want[name])
		}
		s.Unmake()
	}
	ahead(t, s, moves)
	for _, n := range s.(*state).Before(nil) { // also at positions that are over
		if n >= (rules{}).Numbers() {
			t.Fatalf("%s: number %d is before it", s, n)
		}
	}
	return moves
}

// ahead compares WinningMove and SafeMoves with the moves of a position and the answers to them.
func ahead(t *testing.T, s game.State, moves []game.Move) {
	t.Helper()
	win := func(moves []game.Move) bool {
		return slices.ContainsFunc(moves, func(m game.Move) bool {
			s.Make(m)
			defer s.Unmake()
			return s.Result() != game.Ongoing
		})
	}
	l := s.(game.SafeLister)
	if m := l.WinningMove(); win(moves) != (m != game.NoMove) || m != game.NoMove && !win([]game.Move{m}) {
		t.Fatalf("%s: the winning move is %d", s, m)
	}
	if len(moves) == 0 || win(moves) {
		return
	}
	safe := slices.DeleteFunc(slices.Clone(moves), func(m game.Move) bool {
		s.Make(m)
		defer s.Unmake()
		return win(s.Moves(nil))
	})
	if got := l.SafeMoves(nil); !slices.Equal(got, safe) {
		t.Fatalf("%s: the moves %v are safe, want %v", s, got, safe)
	}
}

// TestGenerators compares moves, winning moves and safe moves along random games and in positions
// of random numbers, which have full hands and boards more often than games.
func TestGenerators(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		s := rules{}.Start()
		for moves := compare(t, s); len(moves) > 0; moves = compare(t, s) {
			s.Make(moves[rng.IntN(len(moves))])
		}
	}
	s := rules{}.Start()
	for range 20_000 {
		if (rules{}).At(s, rng.Uint64N(rules{}.Numbers())) {
			compare(t, s)
		}
	}
}

// TestNumbers: the solver compares 16,384 numbers, moves and moves backwards before it begins;
// the test ends it then.
func TestNumbers(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if _, err := retro.Solve(ctx, rules{}, retro.Options{Yield: cancel}); err != context.Canceled {
		t.Error(err)
	}
}
