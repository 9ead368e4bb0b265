package gametest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// Wing checks the data of a wing. In a random game of each listed id, boards, pictures and traces of
// moves must agree, and Compose must rebuild each position from its picture. Lessons and gallery must
// show existing games.
func Wing(t testing.TB, w wing.Wing) {
	t.Helper()
	w, err := w.Complete()
	if err != nil {
		t.Fatalf("%v", err)
	}
	rng := rand.New(rand.NewPCG(1, 0x3193))
	for n, id := range w.IDs() {
		for i, rules := range w.Rules {
			if n > 0 && i > 0 {
				break // only the first game is tested under the other rules
			}
			g, err := w.Open(id, rules.Name)
			if err != nil {
				if i == 0 { // rule sets may be missing, but not the default
					t.Errorf("%s: %v", id, err)
				}
				continue
			}
			if g.ID() != id {
				t.Errorf("%s: the game's own id is %s", id, g.ID())
			}
			board(t, w.Board(g), id)
			picture(t, &w, g, rng)
		}
	}
	for _, l := range w.Lessons {
		g, err := w.Open(l.Game, l.Rules)
		if err != nil {
			t.Errorf("lesson %q: %v", l.Text, err)
			continue
		}
		s := g.Start()
		if l.Position != "start" {
			if s, err = g.Parse(l.Position); err != nil {
				t.Errorf("lesson %q: %v", l.Text, err)
				continue
			}
		}
		if _, err := s.ParseMove(l.Move); err != nil {
			t.Errorf("lesson %q: %v", l.Text, err)
		}
	}
	for _, sight := range w.Gallery {
		if _, err := w.Open(sight.Game, sight.Rules); err != nil {
			t.Errorf("gallery %q: %v", sight.Text, err)
		}
	}
}

// board checks the board of a game.
func board(t testing.TB, b wing.Board, id string) {
	t.Helper()
	named := map[string]bool{}
	for i, c := range b.Cells {
		if c.Name == "" || named[c.Name] || c.X < 0 || c.X > b.Width || c.Y < 0 || c.Y > b.Height {
			t.Errorf("%s: cell %d of the board is %+v: want a name of its own, and a place on %v × %v", id, i, c, b.Width, b.Height)
		}
		named[c.Name] = true
		cells(t, id, "Near of "+c.Name, c.Near, b)
	}
	for _, s := range b.Seats {
		cells(t, id, "the home of "+s.Name, s.Home, b)
		cells(t, id, "the goal of "+s.Name, s.Goal, b)
	}
}

// cells checks that cells are on the board.
func cells(t testing.TB, at, what string, list []int, b wing.Board) {
	t.Helper()
	for _, c := range list {
		if c < 0 || c >= len(b.Cells) {
			t.Errorf("%s: %s has the cell %d: the board has %d", at, what, c, len(b.Cells))
		}
	}
}

// picture plays a random game and checks the picture of each position.
func picture(t testing.TB, w *wing.Wing, g game.Game, rng *rand.Rand) {
	t.Helper()
	b, s := w.Board(g), g.Start()
	for ply := 0; ply < 60 && !t.Failed(); ply++ {
		at, p := g.ID()+" at "+s.String(), w.Picture(g, s)
		if len(p.Pieces) != len(b.Cells) || p.Kinds != nil && len(p.Kinds) != len(b.Cells) {
			t.Errorf("%s: the picture has %d pieces of %d kinds: the board has %d cells", at, len(p.Pieces), len(p.Kinds), len(b.Cells))
		}
		for c, seat := range p.Pieces {
			if seat < -1 || seat >= g.Seats() {
				t.Errorf("%s: the piece on %s is of seat %d", at, b.Cells[c].Name, seat)
			}
		}
		cells(t, at, "the picture's Won", p.Won, b)
		if w.Compose != nil {
			text := w.Compose(g, p, s.Seat())
			if back, err := g.Parse(text); err != nil || back.String() != s.String() {
				t.Errorf("%s: Compose says %q: %v", at, text, err)
			}
		}
		if s.Result() != game.Ongoing {
			if w.Ending(g, s) == "" {
				t.Errorf("%s: the game is over, and Ending says nothing", at)
			}
			return
		}
		moves := s.Moves(nil)
		for _, m := range moves {
			path := w.Trace(g, s, m).Path
			cells(t, at, "the trace of "+s.MoveString(m), path, b)
			if len(path) > 1 && path[0] >= 0 && path[0] < len(p.Pieces) && !slices.Contains([]int{-1, s.Seat()}, p.Pieces[path[0]]) {
				t.Errorf("%s: %s begins at a piece of another seat", at, s.MoveString(m))
			}
		}
		s.Make(moves[rng.IntN(len(moves))])
	}
}
