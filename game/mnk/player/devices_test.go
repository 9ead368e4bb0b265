package player

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

var devicesFile = flag.String("devices", "", "write what TestDevices measures to this file, docs/data/devices.csv")

// deviced is a player with devices, of so many positions a move.
func deviced(t *testing.T, g *mnk.Game, d devices, positions uint64) *strongest {
	q, err := newStrongest(g, Options{Memory: 16 << 20}, positions)
	if err != nil {
		t.Fatal(err)
	}
	q.s.devices = d
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

// opening is an undecided position after so many random moves.
func opening(g *mnk.Game, rng *rand.Rand, plies int) *mnk.Plain {
	for {
		s := g.Plain().Start().(*mnk.Plain)
		for left := plies; left > 0 && s.Result() == game.Ongoing; left-- {
			moves := s.Moves(nil)
			s.Make(moves[rng.IntN(len(moves))])
		}
		if s.Result() == game.Ongoing {
			return s
		}
	}
}

// duel plays pairs of games, and returns those that a won, drew and lost, its score and
// the standard error by the variance between pairs.
func duel(t *testing.T, g *mnk.Game, a, b *strongest, pairs int, seed uint64) (won, drawn, lost int, score, deviation float64) {
	rng := rand.New(rand.NewPCG(seed, 4))
	var sum, squares float64
	for range pairs {
		at := opening(g, rng, 4)
		pair := 0.0
		for seat := range 2 {
			s := at.Clone().(*mnk.Plain)
			for s.Result() == game.Ongoing {
				q := a
				if s.Seat() != seat {
					q = b
				}
				turn := &turn{ctx: t.Context()}
				q.choose(turn, s)
				s.Make(game.Move(turn.best.Load().cell))
			}
			switch r := s.Result(); {
			case r == game.Drawn:
				drawn++
				pair += 0.25
			case s.Seat() != seat: // the last move won
				won++
				pair += 0.5
			default:
				lost++
			}
		}
		sum += pair
		squares += pair * pair
	}
	n := float64(pairs)
	score = sum / n
	return won, drawn, lost, score, math.Sqrt((squares/n - score*score) / (n - 1))
}

// TestDevices measures, where -devices names a file, what a search of threats, a quiescence
// search and singular extension are worth at equal positions a move, and what they cost at
// equal depth. Without the flag it plays two pairs and searches a position a row.
func TestDevices(t *testing.T) {
	pairs, positions := 2, 1
	if *devicesFile != "" {
		pairs, positions = 60, 20
	}
	today := devices{threats: true}
	rows := [][]string{{"board", "game", "a", "b", "budget", "won", "drawn", "lost", "score", "error", "depth", "a_nodes", "b_nodes", "positions", "inner", "zones", "blocks", "tests", "singular"}}
	for _, board := range []struct{ m, n, k, depth int }{{8, 8, 5, 5}, {10, 10, 5, 5}} {
		g := mustGame(t, board.m, board.n, board.k)
		for _, c := range []struct {
			a, b         string
			budget       uint64
			first, other devices
		}{
			{"threats + quiescence of 2 plies", "threats", 200, devices{threats: true, quiescence: 2}, today},
			{"threats + quiescence of 2 plies", "threats", 3200, devices{threats: true, quiescence: 2}, today},
		} {
			won, drawn, lost, score, deviation := duel(t, g, deviced(t, g, c.first, c.budget), deviced(t, g, c.other, c.budget), pairs, 3)
			var nodes [2]uint64
			var of counts
			rng, whole := rand.New(rand.NewPCG(1, 8)), 0
			for range positions {
				at := opening(g, rng, 8)
				var n [2]uint64
				var reached int
				var counted counts
				for i, d := range []devices{c.first, c.other} {
					q, err := newSearch(g, 16<<20)
					if err != nil {
						t.Fatal(err)
					}
					q.devices = d
					q.f.follow(at)
					depth := 0
					if len(q.f.complete[0].list)+len(q.f.complete[1].list) == 0 {
						q.choose(at.Seat(), board.depth, func(uint64) bool { return false }, func(b *found) {
							if depth = b.depth; b.won || b.v >= decided || b.v <= -decided {
								depth = 0
							}
						})
					}
					if n[i] = q.nodes; depth == board.depth {
						reached++
					}
					if i == 0 {
						counted = q.counts
					}
					if err := q.close(); err != nil {
						t.Fatal(err)
					}
				}
				if reached == 2 {
					whole++
					nodes[0] += n[0]
					nodes[1] += n[1]
					of.inner += counted.inner
					of.zones += counted.zones
					of.blocks += counted.blocks
					of.tests += counted.tests
					of.singular += counted.singular
				}
			}
			row := []string{fmt.Sprintf("%d,%d,%d", board.m, board.n, board.k), g.ID(), c.a, c.b}
			for _, v := range []any{c.budget, won, drawn, lost, fmt.Sprintf("%.4f", score), fmt.Sprintf("%.4f", deviation), board.depth, nodes[0], nodes[1], whole, of.inner, of.zones, of.blocks, of.tests, of.singular} {
				row = append(row, fmt.Sprint(v))
			}
			t.Log(row)
			rows = append(rows, row)
		}
	}
	if *devicesFile == "" {
		return
	}
	f, err := os.Create(*devicesFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
