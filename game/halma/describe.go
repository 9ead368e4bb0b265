package halma

import (
	"fmt"

	"perfectplay/bitboard"
)

// directions are the board's directions in opposite pairs.
var directions = [6]Dir{Left, Right, UpLeft, DownRight, UpRight, DownLeft}

// TwoArmy describes a two-player game of Chinese Checkers from the side of its
// first seat. The error says that it has more players.
func (g *Game) TwoArmy() (*TwoArmy, error) {
	if g.Seats() != 2 {
		return nil, fmt.Errorf("halma: %s: two armies are described, not %d", g.ID(), g.Seats())
	}
	b, r := g.Board(), g.RuleSet()
	t := &TwoArmy{
		ID: g.ID(), Rules: g.Rules(), Cells: b.Cells(), Pieces: b.Pieces(),
		Home: cells(g.Home(0)), Goal: cells(g.Goal(0)),
		Filled: r.Win == Filled, StayInGoal: r.StayInGoal, StayOut: r.StayOut, NoTransit: r.NoTransit,
		MoverWonIllegal: r.Illegal != NoIllegal,
		BlockadeInCamps: r.Illegal == Sturtevant2019Run,
	}
	mirror := true
	for c := range b.Cells() {
		var next [6]int16
		for i, d := range directions {
			next[i] = int16(b.Next(c, d))
		}
		t.Next = append(t.Next, next)
		t.Turn = append(t.Turn, uint8(b.Turned(c)))
		t.Mirror = append(t.Mirror, uint8(b.Mirrored(c)))
		home, goal := g.Home(0).Has(c), g.Goal(0).Has(c)
		mirror = mirror && home == g.Home(0).Has(b.Mirrored(c)) && goal == g.Goal(0).Has(b.Mirrored(c))
		if r.TipsClosed && b.Tip(c) != 0 && !home && !goal {
			t.Closed = append(t.Closed, c)
		}
	}
	if !mirror {
		t.Mirror = nil
	}
	if r.Illegal != NoIllegal && b.Pieces() == 6 {
		for s := range 2 {
			t.Blockades = append(t.Blockades, camp6(b, g.Home(s), b.Apex(g.SeatTip(s)), s == 0))
		}
	}
	return t, t.Check()
}

// camp6 is the blockade of a camp of six: its tip empty, and held by those at
// home there the two cells next to it and the two ends of the row behind.
func camp6(b *Board, camp bitboard.Set128, tip int, byMover bool) Blockade {
	p := Blockade{Empty: tip, ByMover: byMover}
	tipRow, tipCol := b.Place(tip)
	for _, c := range cells(camp) {
		row, col := b.Place(c)
		depth, aside := abs(row-tipRow), abs(col-tipCol)
		if depth > 0 && aside == depth {
			p.Held = append(p.Held, c)
		}
	}
	return p
}

func abs(n int) int { return max(n, -n) }

// cells lists a set.
func cells(s bitboard.Set128) (list []int) {
	for c := range s.Cells() {
		list = append(list, c)
	}
	return list
}
