package app

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
)

var generatorPositions = flag.Int64("positions", 30_000, "positions of random play in which TestGenerators compares")

// TestGenerators compares both move generators along random games, on all boards and rule sets
// that have two.
func TestGenerators(t *testing.T) {
	t.Parallel()
	a := newApp(ours...)
	var games []game.Game
	for _, fam := range a.Families {
		if fam.Reference == nil {
			continue
		}
		for _, id := range fam.IDs() {
			for _, r := range fam.Rules {
				if g, err := fam.Open(id, r.Name); err == nil { // some boards lack some rule sets
					games = append(games, g)
				}
			}
		}
	}
	share := (*generatorPositions + int64(len(games)) - 1) / int64(len(games))
	for i, g := range games {
		ref, err := a.Reference(g)
		if err != nil {
			t.Fatal(err)
		}
		if c := compare(g, ref, share, rand.New(rand.NewPCG(1, uint64(i)))); c.Difference != "" || c.Positions != share {
			t.Errorf("%s %s: %+v", g.ID(), g.Rules(), c)
		}
	}
}

// flawed is a game for two with a fault in its states.
type flawed struct {
	game.Game
	flaw string
}

func (f flawed) Start() game.State { return &flawedState{f.Game.Start(), f.flaw} }

type flawedState struct {
	game.State
	flaw string
}

func (s *flawedState) String() string {
	if s.flaw == "text" && s.State.Seat() == 1 {
		return "elsewhere"
	}
	return s.State.String()
}

func (s *flawedState) Seat() int {
	if s.flaw == "seat" {
		return 0
	}
	return s.State.Seat()
}

func (s *flawedState) Result() game.Result {
	if s.flaw == "result" {
		return game.Ongoing
	}
	return s.State.Result()
}

func (s *flawedState) Moves(buf []game.Move) []game.Move {
	buf = s.State.Moves(buf)
	if s.flaw == "moves" && len(buf) == 2 {
		return buf[:1]
	}
	return buf
}

func (s *flawedState) CountMoves() int {
	n := len(s.Moves(nil))
	if s.flaw == "count" && n == 1 {
		return 2
	}
	return n
}

// TestCompare compares a game with itself and with one copy for each flaw.
func TestCompare(t *testing.T) {
	g, err := newApp(ours...).Open("mnk-3x3k3", "")
	if err != nil {
		t.Fatal(err)
	}
	for flaw, want := range map[string]string{
		"": "", "text": "the reference is at", "seat": "are to move", "result": "the results are",
		"moves": "are not the same", "count": "are counted",
	} {
		c := compare(flawed{g, flaw}, g, 1000, rand.New(rand.NewPCG(1, 1)))
		if !strings.Contains(c.Difference, want) || flaw == "" &&
			(c.Difference != "" || c.Positions != 1000 || c.Finished < 50 || c.Games-c.Finished > 1 || c.Moves < 2*c.Games) {
			t.Errorf("flaw %q: %+v, want %q", flaw, c, want)
		}
	}
}

// comparison is the extent and result of a comparison of two implementations.
type comparison struct {
	Positions int64
	Moves     int64 // legal moves in all positions
	Games     int64 // games begun
	Finished  int64 // number of these games played to the end
	// Difference is the first difference, empty if all positions agree.
	Difference string
}

// longestGame is the number of turns after which a random game is broken off.
const longestGame = 400

// compare plays random games in two implementations of one game that number moves alike. In n
// positions it compares text, seat to move, result, moves in any order, and the number of moves
// that the first implementation counts ([game.Counter]). It stops at the first difference. Each
// game has its own preference for moves of large gain ([game.Orderer]), so that some games end.
func compare(fast, slow game.Game, n int64, rng *rand.Rand) comparison {
	var c comparison
	p := pair{rng: rng}
	for c.Positions < n {
		if p.fast == nil || p.turns == longestGame || len(p.moves) == 0 {
			p.fast, p.slow, p.turns, p.greed = fast.Start(), slow.Start(), 0, rng.Float64()
			c.Games++
		}
		if c.Difference = p.difference(); c.Difference != "" {
			return c
		}
		c.Positions++
		c.Moves += int64(len(p.moves))
		if len(p.moves) == 0 {
			c.Finished++
			continue
		}
		m := p.choose()
		p.fast.Make(m)
		p.slow.Make(m)
		p.turns++
	}
	return c
}

// pair is a game in progress in both implementations.
type pair struct {
	rng          *rand.Rand
	fast, slow   game.State
	moves, other []game.Move
	greed        float64
	turns        int
}

// difference describes how the two states differ, and lists the moves.
func (p *pair) difference() string {
	text := p.fast.String()
	p.moves = p.fast.Moves(p.moves[:0])
	p.other = append(p.other[:0], p.moves...)
	slices.Sort(p.other)
	listed := p.slow.Moves(nil)
	slices.Sort(listed)
	switch {
	case p.slow.String() != text:
		return fmt.Sprintf("at %s the reference is at %s", text, p.slow)
	case p.fast.Seat() != p.slow.Seat():
		return fmt.Sprintf("at %s seats %d and %d are to move", text, p.fast.Seat(), p.slow.Seat())
	case p.fast.Result() != p.slow.Result():
		return fmt.Sprintf("at %s the results are %d and %d", text, p.fast.Result(), p.slow.Result())
	case !slices.Equal(p.other, listed):
		return fmt.Sprintf("at %s %d moves, and %d by the reference, are not the same", text, len(p.other), len(listed))
	}
	if k, ok := p.fast.(game.Counter); ok && k.CountMoves() != len(listed) {
		return fmt.Sprintf("at %s %d moves are counted, and %d listed", text, k.CountMoves(), len(listed))
	}
	return ""
}

// choose picks a move: at random, or the best of a few by its gain.
func (p *pair) choose() game.Move {
	m := p.moves[p.rng.IntN(len(p.moves))]
	if o, ok := p.fast.(game.Orderer); ok && p.rng.Float64() < p.greed {
		for range 6 {
			if n := p.moves[p.rng.IntN(len(p.moves))]; o.Gain(n) > o.Gain(m) {
				m = n
			}
		}
	}
	return m
}
