package gametest

import (
	"fmt"
	"slices"

	"perfectplay/game"
)

// AllyCounts counts the questions and answers of [Allies].
type AllyCounts struct {
	Asked    int // questions
	Hopeless int // positions found to leave no chance
	Listed   int // moves of allies that were listed
	Left     int // moves of allies that were left out
}

// Allies asks a [game.AllyLister] about the chances of all seats in their races, without a turn to
// spare, and compares the answers with play. The seat to move is first the adversary, then an ally
// against each other seat. A question that would visit more than positions positions stays open.
// The state returns to its position, unless an error names the move.
func Allies(st game.State, seats, positions int, count *AllyCounts) error {
	l, ok := st.(game.AllyLister)
	if !ok || st.Result() != game.Ongoing {
		return nil
	}
	mover := st.Seat()
	for i := range seats {
		adversary := (mover + i) % seats
		chances := noneToSpare(st, seats, adversary)
		for n := 1; n <= len(chances); n++ {
			count.Asked++
			p := play{st: st, adversary: adversary, chances: chances[:n], left: positions}
			if i == 0 {
				if l.Hopeless(chances[:n]) {
					count.Hopeless++
					if p.comesTrue(0) && p.left > 0 {
						return fmt.Errorf("%s: %v are said to be hopeless against seat %d, and one comes true", st, chances[:n], adversary)
					}
				}
				continue
			}
			before := -1
			if slices.ContainsFunc(chances[:n], func(c game.Chance) bool { return c.Adversary }) {
				before = i
			}
			own := st.(game.Racer).TurnsToWin(mover) - 1
			list, all := l.MovesHelping([]game.Move{game.NoMove}, own, chances[:n], adversary, before)
			rest := part(list[1:])
			count.Listed += len(rest)
			for _, m := range st.Moves(nil) {
				if rest.take(m) {
					continue
				}
				if all {
					return fmt.Errorf("%s: %s is left out, and all moves are said to be listed", st, st.MoveString(m))
				}
				count.Left++
				name := st.MoveString(m)
				st.Make(m)
				helps := st.(game.Racer).TurnsToWin(mover) <= own || p.comesTrue(0) && p.left > 0
				st.Unmake()
				if helps {
					return fmt.Errorf("%s: %s helps %v against seat %d and is not listed", st, name, chances[:n], adversary)
				}
			}
			if len(rest) > 0 {
				return fmt.Errorf("%s: moves that help %v are listed that are not, or in another order", st, chances[:n])
			}
		}
	}
	return nil
}

// noneToSpare returns the chances of all seats but the one to move and the adversary to lower
// their bounds with their next turns, in the order of these turns.
func noneToSpare(st game.State, seats, adversary int) (chances []game.Chance) {
	between := st.Seat() == adversary
	for i := 1; i < seats; i++ {
		seat := (st.Seat() + i) % seats
		if seat == adversary {
			between = true
			continue
		}
		turns := st.(game.Racer).TurnsToWin(seat)
		if turns <= 0 || turns >= game.NeverWins {
			continue
		}
		c := game.Chance{Seat: seat, Turns: turns - 1, Allies: i, Adversary: between}
		if between {
			c.Allies--
		}
		chances = append(chances, c)
	}
	return chances
}

// play decides a question about chances by making all moves.
type play struct {
	st        game.State
	adversary int
	chances   []game.Chance
	left      int // positions that may still be visited
}

// comesTrue reports whether the allies can make a chance from index first on come true. If p.left
// is 0 afterwards, the answer is void.
func (p *play) comesTrue(first int) bool {
	st := p.st
	p.left--
	if first == len(p.chances) || p.left <= 0 || st.Result() != game.Ongoing {
		return false
	}
	seat := st.Seat()
	chance := p.chances[first]
	turn := chance.Seat == seat
	for _, m := range st.Moves(nil) {
		st.Make(m)
		var yes bool
		if turn {
			yes = st.(game.Racer).TurnsToWin(seat) <= chance.Turns || p.comesTrue(first+1)
		} else {
			yes = p.comesTrue(first)
		}
		st.Unmake()
		if yes != (seat == p.adversary) {
			return yes
		}
	}
	return seat == p.adversary
}
