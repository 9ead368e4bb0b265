package retro_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"perfectplay/game"
)

// toy is a random game: places with moves between them, cycles and repeated moves included. The seat
// to move at a place is its number modulo the seats. Some numbers have no place. Finished games are
// drawn, or won by any seat.
type toy struct {
	seats  int
	result []game.Result
	to     [][]int // moves; nil where the game is over
	from   [][]int
	hole   []bool // numbers without a position
	flaw   string // name of the clause of the contract that the toy breaks
}

func newToy(rng *rand.Rand, seats, places, most int) *toy {
	t := &toy{seats: seats, result: make([]game.Result, places), to: make([][]int, places), from: make([][]int, places), hole: make([]bool, places)}
	last := rng.IntN(2) == 0 // the last mover wins
	for n := 1; n < places; n++ {
		t.hole[n] = rng.IntN(6) == 0
	}
	for n := range places {
		t.result[n] = game.Ongoing
		switch {
		case t.hole[n]:
			continue
		case n > 0 && rng.IntN(5) == 0:
			t.result[n] = game.Drawn
			if rng.IntN(4) > 0 {
				t.result[n] = game.Result((n + seats - 1) % seats)
				if !last {
					t.result[n] = game.Result(rng.IntN(seats))
				}
			}
			continue
		}
		var ends []int
		for range 1 + rng.IntN(most) {
			to := rng.IntN(places)
			if to = to - to%seats + (n+1)%seats; to < places && !t.hole[to] {
				ends = append(ends, to)
			}
		}
		if len(ends) == 0 {
			t.result[n] = game.Drawn
		}
		slices.Sort(ends)
		t.to[n] = ends
		for _, to := range ends {
			t.from[to] = append(t.from[to], n)
		}
	}
	return t
}

func (t *toy) ID() string               { return "toy" }
func (t *toy) Rules() string            { return "" }
func (t *toy) Seats() int               { return t.seats }
func (t *toy) SeatName(seat int) string { return strconv.Itoa(seat) }
func (t *toy) Start() game.State        { return &place{toy: t} }

func (t *toy) Parse(text string) (game.State, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= len(t.to) {
		return nil, fmt.Errorf("toy: position %q", text)
	}
	return &place{toy: t, at: n}, nil
}

// place is a state of a toy.
type place struct {
	*toy
	at      int
	history []int
}

func (p *place) Seat() int { return p.at % p.seats }

func (p *place) Result() game.Result {
	if p.flaw == "result" && len(p.history) > 0 && p.at%7 == 3 {
		return game.Drawn
	}
	if p.flaw == "stuck" && p.at%7 == 3 {
		return game.Ongoing
	}
	return p.result[p.at]
}

func (p *place) Moves(buf []game.Move) []game.Move {
	if p.Result() != game.Ongoing {
		return buf
	}
	if p.flaw == "panic" && p.at%7 == 3 {
		panic("planted")
	}
	for i := range p.to[p.at] {
		if p.flaw == "moves" && len(p.history) > 0 && i > 0 && p.at%5 == 2 {
			break
		}
		if p.flaw == "stuck" && p.at%7 == 3 {
			break
		}
		buf = append(buf, game.Move(i))
	}
	if p.flaw == "many" && p.at%7 == 3 {
		buf = append(buf, make([]game.Move, 1<<16)...)
	}
	return buf
}

func (p *place) Make(m game.Move) {
	p.history = append(p.history, p.at)
	p.at = p.to[p.at][m]
}

func (p *place) Unmake() {
	p.at = p.history[len(p.history)-1]
	p.history = p.history[:len(p.history)-1]
}

func (p *place) Clone() game.State                        { return &place{toy: p.toy, at: p.at} }
func (p *place) String() string                           { return strconv.Itoa(p.at) }
func (p *place) MoveString(m game.Move) string            { return strconv.Itoa(int(m)) }
func (p *place) ParseMove(string) (game.Move, error)      { return 0, fmt.Errorf("toy: no moves by name") }
func (p *place) KeyWords() int                            { return 1 }
func (p *place) Canonical(m game.Move, _ uint8) game.Move { return m }
func (p *place) Actual(m game.Move, _ uint8) game.Move    { return m }

func (p *place) Key(dst []uint64) uint8 {
	dst[0] = uint64(p.at)
	if p.flaw == "key" && len(p.history) > 0 && p.at%5 == 2 {
		dst[0] ^= 1 // return a key that is out of date
	}
	return 0
}

// numbered is a toy that numbers its positions, with gaps.
type numbered struct{ *toy }

func (t numbered) Numbers() uint64 { return uint64(len(t.to)) }

func (t numbered) At(s game.State, n uint64) bool {
	p := s.(interface{ set(n int) })
	if t.hole[n] || t.flaw == "hole" && n%11 == 5 {
		return false
	}
	if t.flaw == "at" && n%9 == 4 {
		n = (n + uint64(t.seats)) % uint64(len(t.to))
	}
	p.set(int(n))
	return true
}

func (t numbered) Number(s game.State) uint64 {
	n, _ := strconv.Atoi(s.String())
	if t.flaw == "number" && n%9 == 4 {
		return uint64(n) - 1
	}
	if t.flaw == "path" && n%9 == 4 && s.(interface{ moved() bool }).moved() {
		return uint64(n) - 1
	}
	if t.flaw == "range" && n%9 == 4 {
		return uint64(n + len(t.to))
	}
	return uint64(n)
}

func (p *place) moved() bool { return len(p.history) > 0 }

func (p *place) set(n int) { p.at, p.history = n, p.history[:0] }

// backwards is a numbered toy whose states list moves backwards.
type backwards struct{ numbered }

func (t backwards) Start() game.State { return &unmover{place{toy: t.toy}} }

type unmover struct{ place }

func (u *unmover) Before(buf []uint64) []uint64 {
	for i, n := range u.from[u.at] {
		if u.flaw == "before" && i == 0 && u.at%4 == 1 {
			continue
		}
		buf = append(buf, uint64(n))
	}
	if u.flaw == "unmove" && u.at%4 == 1 { // list a position from which no move leads here
		for n := range u.to {
			if !u.hole[n] && u.result[n] == game.Ongoing && !slices.Contains(u.to[n], u.at) {
				return append(buf, uint64(n))
			}
		}
	}
	if u.flaw == "beyond" && u.at%4 == 1 {
		buf = append(buf, uint64(len(u.to)))
	}
	return buf
}

func (u *unmover) CountMoves() int {
	n := len(u.Moves(nil))
	if u.flaw == "count" && u.at%4 == 1 && n > 0 {
		n++
	}
	return n
}

func (u *unmover) After(buf []uint64) []uint64 {
	for _, n := range u.to[u.at] {
		buf = append(buf, uint64(n))
	}
	if len(buf) > 1 && u.flaw == "after" && u.at%4 == 1 {
		buf[0], buf[1] = buf[1]^1, buf[0]
	}
	return buf
}

// worth returns the value of a position to a side. ours and theirs are the plies of a forced win of
// this side and of the others, −1 without a forced win.
func worth(ours, theirs int) (game.Value, int) {
	switch {
	case ours >= 0:
		return game.Win, ours
	case theirs >= 0:
		return game.Loss, theirs
	}
	return game.Draw, 0
}

// plain solves a toy for a set of seats by the definition: the plies of a forced win, or −1.
func (t *toy) plain(set uint8) []int {
	won := make([]int, len(t.to))
	for n, r := range t.result {
		won[n] = -1
		if w, ok := r.Winner(); ok && !t.hole[n] && set>>w&1 != 0 {
			won[n] = 0
		}
	}
	for d := 1; ; d++ {
		changed := false
		next := slices.Clone(won)
		for n, ends := range t.to {
			if won[n] >= 0 || t.result[n] != game.Ongoing || t.hole[n] {
				continue
			}
			wins := 0
			for _, to := range ends {
				if won[to] >= 0 {
					wins++
				}
			}
			if ours := set>>(n%t.seats)&1 != 0; ours && wins > 0 || wins == len(ends) {
				next[n], changed = d, true
			}
		}
		if won = next; !changed {
			return won
		}
	}
}
