package halma

import (
	"testing"

	"perfectplay/game"
)

// TestTurnsToWin compares the bound with the fewest turns in which a seat wins when all others
// help, at all positions of small boards.
func TestTurnsToWin(t *testing.T) {
	filled := Rules{Win: Win{Filled: true}, Limits: Limits{StayInGoal: true, StayOut: true}}
	named := func(name string) Rules {
		r, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		board *Board
		seats int
		rules Rules
	}{
		{newStar(t, 1), 2, named("base")},
		{newStar(t, 1), 2, named("house")},
		{newStar(t, 1), 2, named("house-code")},
		{newStar(t, 1), 2, named("house-loose")},
		{newStar(t, 1), 3, named("house-readme")},
		{newStar(t, 1), 3, named("base")},
		{newStar(t, 1), 3, named("house")},
		{newStar(t, 1), 3, named("liou")},
		{newStar(t, 1), 4, named("house")},
		{newDiamond(t, 3, 1), 2, named("base")},
		{newDiamond(t, 3, 2), 2, named("base")},
		{newDiamond(t, 3, 3), 2, named("gamesman")},
		{newDiamond(t, 3, 3), 2, filled},
		{newDiamond(t, 3, 3), 2, Rules{Win: Win{Filled: true, HomeEmpty: true}}},
		{newDiamond(t, 3, 3), 2, named("gamesman-2026")},
		{newDiamond(t, 3, 3), 2, named("sturtevant")},
		{newDiamond(t, 4, 2), 2, named("sturtevant")},
		{newDiamond(t, 4, 2), 2, filled},
		{newDiamond(t, 4, 2), 2, named("base")},
		{newDiamond(t, 4, 3), 2, filled},
		{newDiamond(t, 4, 3), 2, named("base")},
	} {
		if c.board.Pieces() > 2 && c.board.Cells() == 16 && !*exhaustive {
			continue // too slow: 300,000 positions
		}
		g, err := New(c.board, c.seats, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		checkTurns(t, g)
	}
}

func checkTurns(t *testing.T, g *Game) {
	type node struct {
		bound  [maxSeats]int
		mover  int
		result game.Result
		back   []int32
	}
	var nodes []node
	at := map[[7]uint64]int32{}
	// Positions are identified by their pieces, not by their keys.
	identity := func(s *state1) (id [7]uint64) {
		id[6] = uint64(s.seat)
		for i, own := range s.packed {
			id[i] = own.Lo
		}
		return id
	}
	visit := func(s *state1) (int32, bool) {
		id := identity(s)
		if i, ok := at[id]; ok {
			return i, false
		}
		i := int32(len(nodes))
		at[id] = i
		n := node{mover: s.Seat(), result: s.Result()}
		for seat := range g.seats {
			n.bound[seat] = s.TurnsToWin(seat)
		}
		nodes = append(nodes, n)
		return i, true
	}
	var walk func(s *state1, from int32)
	walk = func(s *state1, from int32) {
		for _, m := range s.Moves(nil) {
			s.Make(m)
			i, fresh := visit(s)
			nodes[i].back = append(nodes[i].back, from)
			if fresh {
				walk(s, i)
			}
			s.Unmake()
		}
	}
	s := g.Start().(*state1)
	start, _ := visit(s)
	walk(s, start)
	sum, truth := 0, 0
	for seat := range g.seats {
		// Breadth first from the seat's wins, by its own turns.
		dist := make([]int, len(nodes))
		var now, next []int32
		for i := range nodes {
			dist[i] = game.NeverWins
			if nodes[i].result == game.Result(seat) {
				dist[i] = 0
				now = append(now, int32(i))
			}
		}
		for d := 0; len(now) > 0; d, now, next = d+1, next, nil {
			for len(now) > 0 {
				i := now[len(now)-1]
				now = now[:len(now)-1]
				if dist[i] != d {
					continue
				}
				for _, p := range nodes[i].back {
					cost := 0
					if nodes[p].mover == seat {
						cost = 1
					}
					if d+cost >= dist[p] {
						continue
					}
					dist[p] = d + cost
					if cost == 0 {
						now = append(now, p)
					} else {
						next = append(next, p)
					}
				}
			}
		}
		for i, n := range nodes {
			if n.bound[seat] > dist[i] {
				t.Fatalf("%s %s: seat %d needs %d turns of its own, the bound is %d", g.ID(), g.Rules(), seat, dist[i], n.bound[seat])
			}
			if dist[i] < game.NeverWins {
				sum += n.bound[seat]
				truth += dist[i]
			}
		}
	}
	t.Logf("%s %s: %d positions, bounds are %.2f of the truth", g.ID(), g.Rules(), len(nodes), float64(sum)/float64(truth))
}
