package match

import (
	"context"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/host"
)

// Ending says how a game ended.
type Ending string

// The endings.
const (
	ByLine      Ending = "line"
	ByFullBoard Ending = "full board"
	ByTime      Ending = "time" // the loser took too long
	ByIllegal   Ending = "illegal move"
	ByLength    Ending = "length" // stopped, counted as a draw
	ByStop      Ending = "stopped"
)

// Clock is the time per move, and what is forgiven beyond it, for machines that
// keep processes waiting.
type Clock struct {
	Move  time.Duration
	Grace time.Duration
	// Plies ends a game as a draw; 0 is no limit.
	Plies int
}

// Played is a finished game.
type Played struct {
	Moves  []int
	Winner int // seat, or −1
	Ending Ending
	Spent  [2]Spent // by seat
	Notes  []string // of each move
}

// Spent is the time of one player's moves in a game. A move that took long but
// little processor time waited for the machine.
type Spent struct {
	Longest time.Duration // move
	Late    time.Duration // most by which a move exceeded Clock.Move
	All     time.Duration // moves together
	// CPU is the most processor time of a move, of the whole process and with
	// what ran on after the move was made.
	CPU time.Duration
}

// add counts a move.
func (s *Spent) add(took, cpu time.Duration, clock Clock) {
	s.Longest = max(s.Longest, took)
	s.Late = max(s.Late, took-clock.Move)
	s.All += took
	s.CPU = max(s.CPU, cpu)
}

// Points are the tournament's points of the two seats: 3 for a win as second, 2
// for a win as first or by the opponent's error, 1 for a draw.
func (p *Played) Points() (points [2]int) {
	switch {
	case p.Winner < 0 && p.Ending != ByStop:
		return [2]int{1, 1}
	case p.Winner == 1 && p.Ending == ByLine:
		points[1] = 3
	case p.Winner >= 0:
		points[p.Winner] = 2
	}
	return points
}

// Play plays one game. It ends early with ByStop if the context does. While one
// player thinks the other rests.
func Play(ctx context.Context, g *mnk.Game, seats [2]player.Player, clock Clock) Played {
	res := Played{Winner: -1}
	s := g.Plain().Start().(*mnk.Plain)
	for s.Result() == game.Ongoing {
		if clock.Plies > 0 && len(res.Moves) >= clock.Plies {
			res.Ending = ByLength
			return res
		}
		seat := s.Seat()
		cpu, start := host.ProcessTime(), time.Now()
		c := seats[seat].Move(ctx, s, clock.Move)
		took := time.Since(start)
		seats[seat].Rest()
		if ctx.Err() != nil {
			res.Ending = ByStop
			return res
		}
		res.Spent[seat].add(took, host.ProcessTime()-cpu, clock)
		res.Notes = append(res.Notes, seats[seat].Note())
		switch {
		case c < 0 || c >= g.Cells() || s.At(c) != 0:
			res.Winner, res.Ending = 1-seat, ByIllegal
			return res
		case took > clock.Move+clock.Grace:
			res.Winner, res.Ending = 1-seat, ByTime
			return res
		}
		res.Moves = append(res.Moves, c)
		s.Make(game.Move(c))
	}
	res.Ending = ByFullBoard
	if w, ok := s.Result().Winner(); ok {
		res.Winner, res.Ending = w, ByLine
	}
	return res
}

// Transcript is the game as text: the cells in order.
func (p *Played) Transcript(g *mnk.Game) string {
	t := ""
	for i, c := range p.Moves {
		if i > 0 {
			t += " "
		}
		t += g.CellName(c)
	}
	return t
}
