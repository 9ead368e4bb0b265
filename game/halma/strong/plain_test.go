package strong

import (
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/solve/frame"
)

// plain is the reference solver: it solves a whole two-army game by the definition, with maps,
// recursion and repeated sweeps. It shares no code with the solver.
type plain struct {
	t     *halma.TwoArmy
	state map[plainKey]*plainState
}

// plainKey is a position from the mover's side: one byte a cell, . for empty, m
// for the mover, o for the other.
type plainKey string

type plainState struct {
	illegal  bool
	value    game.Value
	distance int
	next     []plainKey // positions after legal turns, or after a pass
}

// solvePlain solves a game by the definition. It refuses more than limit placements.
func solvePlain(t *halma.TwoArmy, limit int) (*plain, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	p := &plain{t: t, state: map[plainKey]*plainState{}}
	board := make([]byte, t.Cells)
	for i := range board {
		board[i] = '.'
	}
	closed := map[int]bool{}
	for _, c := range t.Closed {
		closed[c] = true
	}
	var place func(cell, mine, theirs int) bool
	place = func(cell, mine, theirs int) bool {
		if cell == t.Cells {
			if mine+theirs == 0 {
				p.state[plainKey(board)] = &plainState{}
			}
			return len(p.state) <= limit
		}
		if !place(cell+1, mine, theirs) {
			return false
		}
		if closed[cell] {
			return true
		}
		defer func() { board[cell] = '.' }()
		if mine > 0 {
			board[cell] = 'm'
			if !place(cell+1, mine-1, theirs) {
				return false
			}
		}
		if theirs > 0 {
			board[cell] = 'o'
			if !place(cell+1, mine, theirs-1) {
				return false
			}
		}
		return true
	}
	if !place(0, t.Pieces, t.Pieces) {
		return nil, fmt.Errorf("strong: %s: more than %d placements", t.ID, limit)
	}
	p.solve()
	return p, nil
}

func in(list []int, cell int) bool {
	for _, c := range list {
		if c == cell {
			return true
		}
	}
	return false
}

// meets says whether who's army meets its win condition in a goal.
func (p *plain) meets(k plainKey, who byte, goal, home []int) bool {
	inside, full := 0, true
	for _, c := range goal {
		if k[c] == who {
			inside++
		}
		full = full && k[c] != '.'
	}
	if p.t.HomeEmpty && slices.ContainsFunc(home, func(c int) bool { return k[c] == who }) {
		return false
	}
	if p.t.Filled {
		return full && inside > 0
	}
	return inside == p.t.Pieces
}

func (p *plain) isIllegal(k plainKey) bool {
	t := p.t
	if t.MoverWonIllegal && p.meets(k, 'm', t.Goal, t.Home) {
		return true
	}
	near := false
	for c := range t.Cells {
		near = near || k[c] == 'm' && (in(t.Home, c) || in(t.Goal, c))
	}
	if t.BlockadeInCamps && !near {
		return false
	}
	for _, b := range t.Blockades {
		who := byte('o')
		if b.ByMover {
			who = 'm'
		}
		held := k[b.Empty] == '.'
		for _, c := range b.Held {
			held = held && k[c] == who
		}
		if held {
			return true
		}
	}
	return false
}

// after returns the position after a move of the mover, seen from the next mover's side; from equals
// to for a pass.
func (p *plain) after(k plainKey, from, to int) plainKey {
	now := []byte(k)
	now[from], now[to] = '.', now[from]
	next := make([]byte, len(now))
	for c, who := range now {
		switch who {
		case 'm':
			who = 'o'
		case 'o':
			who = 'm'
		}
		next[p.t.Turn[c]] = who
	}
	return plainKey(next)
}

// successors lists the positions after legal turns.
func (p *plain) successors(k plainKey) []plainKey {
	var next []plainKey
	var taken bitboard.Set128
	for c := range k {
		if k[c] != '.' {
			taken = taken.With(c)
		}
	}
	for from := range k {
		if k[from] != 'm' {
			continue
		}
		for to := range halmatest.Ends(p.t, taken.Without(from), from).Cells() {
			if n := p.after(k, from, to); !p.isIllegal(n) {
				next = append(next, n)
			}
		}
	}
	if len(next) == 0 {
		next = append(next, p.after(k, 0, 0))
	}
	return next
}

// solve gives every position its value: first the positions that are over, then level by level the
// positions that follow from them.
func (p *plain) solve() {
	open := map[plainKey]*plainState{}
	for k, s := range p.state {
		switch {
		case p.isIllegal(k):
			s.illegal = true
		case p.meets(k, 'o', p.t.Home, p.t.Goal):
			s.value = game.Loss
		case p.meets(k, 'm', p.t.Goal, p.t.Home):
			s.value = game.Win
		default:
			s.next = p.successors(k)
			open[k] = s
		}
	}
	for level := 1; ; level++ {
		// Every position decided at a level follows from the level before, so the first level that
		// decides nothing is the last.
		decided := map[plainKey]game.Value{}
		for k, s := range open {
			allWin := true
			for _, n := range s.next {
				if p.state[n].value == game.Loss {
					decided[k] = game.Win
				}
				allWin = allWin && p.state[n].value == game.Win
			}
			if allWin {
				decided[k] = game.Loss
			}
		}
		if len(decided) == 0 {
			break
		}
		for k, v := range decided {
			open[k].value, open[k].distance = v, level
			delete(open, k)
		}
	}
	for _, s := range open {
		s.value = game.Draw
	}
}

// value returns the value of a position to its mover and the plies to the end, 0 for draws. The
// value of an illegal position is Unknown.
func (p *plain) value(key plainKey) (game.Value, int) {
	s := p.state[key]
	if s.illegal {
		return game.Unknown, 0
	}
	return s.value, s.distance
}

// counts counts the positions by value, seen from the mover's side, and the illegal ones.
func (p *plain) counts() Counts {
	var c Counts
	for _, s := range p.state {
		switch {
		case s.illegal:
			c.Illegal++
		case s.value == game.Win:
			c.Wins++
		case s.value == game.Loss:
			c.Losses++
		default:
			c.Draws++
		}
	}
	return c
}

// reached lists the positions that play can reach from a position.
func (p *plain) reached(from plainKey) map[plainKey]bool {
	seen := map[plainKey]bool{from: true}
	list := []plainKey{from}
	for len(list) > 0 {
		k := list[0]
		list = list[1:]
		for _, n := range p.state[k].next {
			if !seen[n] {
				seen[n] = true
				list = append(list, n)
			}
		}
	}
	return seen
}

// reachable counts the positions that can be reached from the start.
func (p *plain) reachable() (c frame.Count) {
	start := make([]byte, p.t.Cells)
	for i := range start {
		switch {
		case in(p.t.Home, i):
			start[i] = 'm'
		case in(p.t.Goal, i):
			start[i] = 'o'
		default:
			start[i] = '.'
		}
	}
	for k := range p.reached(plainKey(start)) {
		if s := p.state[k]; s.value == game.Draw || s.value == game.Unknown {
			c.Draws++
		} else {
			c.Add(s.value == game.Win, s.distance, 1)
		}
	}
	return c
}
