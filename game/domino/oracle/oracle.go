// Package oracle is the wing of block dominoes: hands and the row as data, and the exact
// solver of deals.
package oracle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/game/wing"
)

// Wing describes block dominoes with open hands: one game, from any deal or position.
func Wing() wing.Wing {
	return wing.Wing{
		Name:   "domino",
		Title:  "Block dominoes",
		Levels: []int64{12, 25, 50, 100, 200, 1000},
		About:  "block dominoes with open hands; --position takes a deal or a position",
		Open: func(id, rules string) (game.Game, error) {
			g := domino.Default()
			switch {
			case id != g.ID():
				return nil, fmt.Errorf("game %q: want %s", id, g.ID())
			case rules != "":
				return nil, wing.RulesError{Err: fmt.Errorf("rules %q: block dominoes have one rule set only", rules)}
			}
			return g, nil
		},
		IDs: func() []string { return []string{domino.Default().ID()} },
		Lessons: []wing.Lesson{
			{Game: "domino", Position: "start", Move: "4|4", Text: "Each has seven tiles, the others are out of play. The highest double begins."},
			{Game: "domino", Position: "06.15_03.24_44_1", Move: "2|4", Text: "Players take turns to put a tile to an end of the row that shows one of its numbers."},
			{Game: "domino", Position: "00.11_26_65_0", Move: "pass", Text: "A player without a tile that fits passes, and only then."},
			{Game: "domino", Position: "66_00.15_65_0", Move: "6|6-6", Text: "The player who plays the last tile, or has fewer pips when both are stuck, wins the difference of pips."},
		},
		Rules: []wing.Rules{{About: "whoever the score favours wins; a score of 0 is a draw"}},
		Board: func(game.Game) wing.Board {
			d := wing.Board{}
			for t := range domino.Tiles {
				d.Tiles = append(d.Tiles, domino.Tile(t).String())
			}
			return d
		},
		Picture: picture,
		Compose: compose,
		Row:     row,
		Trace:   trace,
		Ending:  ending,
		Score: func(_ game.Game, s game.State, seat int) *int {
			score := position(s).Score()
			if seat == domino.Second {
				score = -score
			}
			return &score
		},
		Hidden:  hidden(),
		Sources: sources,
	}
}

func position(s game.State) domino.Position {
	return s.(interface{ At() domino.Position }).At()
}

func picture(_ game.Game, s game.State) wing.Picture {
	p := position(s)
	d := wing.Picture{Hands: [][]string{strings.Fields(p.Hands[0].String()), strings.Fields(p.Hands[1].String())}}
	if p.Left != domino.None {
		d.Ends = []int{int(p.Left), int(p.Right)}
	}
	return d
}

func compose(_ game.Game, p wing.Picture, seat int) string {
	var words []string
	for _, hand := range p.Hands {
		hand = slices.Sorted(slices.Values(hand))
		words = append(words, cmp.Or(strings.ReplaceAll(strings.Join(hand, "."), "|", ""), "-"))
	}
	ends := "-"
	if len(p.Ends) == 2 {
		ends = fmt.Sprintf("%d%d", p.Ends[0], p.Ends[1])
	}
	return strings.Join(append(words, ends, strconv.Itoa(seat)), "_")
}

func row(_ game.Game, from game.State, moves []game.Move) (row []string) {
	p := position(from)
	for _, m := range moves {
		if m == game.Pass {
			p = p.Pass()
			continue
		}
		m := domino.Move(m)
		next := p.Play(m)
		switch {
		case p.Left == domino.None:
			row = append(row, fmt.Sprintf("%d|%d", next.Left, next.Right))
		case m.End() == domino.LeftEnd:
			row = slices.Insert(row, 0, fmt.Sprintf("%d|%d", next.Left, p.Left))
		default:
			row = append(row, fmt.Sprintf("%d|%d", p.Right, next.Right))
		}
		p = next
	}
	return row
}

func trace(_ game.Game, s game.State, m game.Move) wing.Trace {
	if m == game.Pass {
		return wing.Trace{}
	}
	p, t := position(s), wing.Trace{Tile: domino.Move(m).Tile().String(), End: "right"}
	switch {
	case p.Left == p.Right:
		t.End = "both"
	case domino.Move(m).End() == domino.LeftEnd:
		t.End = "left"
	}
	return t
}

func ending(g game.Game, s game.State) string {
	p := position(s)
	why := "Both are stuck"
	for seat, hand := range p.Hands {
		if hand == 0 {
			why = fmt.Sprintf("%s has played every tile", g.SeatName(seat))
		}
	}
	score := p.Score()
	seat, ok := s.Result().Winner()
	if !ok {
		return why + ": the pips left are equal, a draw."
	}
	return fmt.Sprintf("%s: %s wins by %d.", why, g.SeatName(seat), max(score, -score))
}

func sources(game.Game) []wing.Source {
	return []wing.Source{{
		Kind: wing.ByDeal, About: "the deal solved exactly, both hands known",
		Open: func(context.Context, wing.Resources) (wing.Oracle, error) {
			return &deals{sync.Pool{New: func() any { return exact.NewSolver() }}}, nil
		},
	}}
}

// deals solves positions; calls may be concurrent.
type deals struct{ solvers sync.Pool }

func (o *deals) Worth(_ context.Context, s game.State) (wing.Worth, error) {
	e := o.solvers.Get().(*exact.Solver)
	defer o.solvers.Put(e)
	score := e.PositionValue(position(s))
	if s.Seat() == domino.Second {
		score = -score
	}
	w := wing.Worth{Value: game.Draw, Distance: -1, Score: &score}
	switch {
	case score > 0:
		w.Value = game.Win
	case score < 0:
		w.Value = game.Loss
	}
	return w, nil
}

func (*deals) Close() error { return nil }
