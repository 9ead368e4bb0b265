package explore

import (
	"fmt"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
)

func listed[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// answer returns all that is known now.
func (a *analysis) answer() *Answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	g := a.game
	st := a.stated()
	r := &Answer{
		Game: g.ID(), Rules: g.Rules(), Position: a.State.String(), From: a.From.String(), Path: a.Names(),
		Worth: a.worth(st.whole), Source: a.sourceOf(st.whole), Moves: []Move{}, Line: append([]string{}, st.line...),
		Picture: a.wing.Picture(g, a.State), Repeated: a.Repeated(), Warning: a.warning,
	}
	if a.wing.Row != nil {
		r.Picture.Row = a.wing.Row(g, a.From, a.Path)
	}
	listed(&r.Picture.Pieces)
	if result := a.result; result != game.Ongoing {
		r.Over, r.Text = true, a.ending()
		if seat, ok := result.Winner(); ok {
			r.Won = g.SeatName(seat)
		}
		if a.wing.Score != nil {
			r.Score = a.wing.Score(g, a.State, a.State.Seat())
		}
		return r
	}
	r.Seat = g.SeatName(a.State.Seat())
	for _, i := range st.order {
		next := &a.after[i]
		r.Moves = append(r.Moves, Move{Move: next.name, Worth: a.worth(a.facts[i]), Position: next.position, Over: next.result != game.Ongoing, Trace: next.trace})
	}
	for seat, f := range st.force {
		w := a.worth(f)
		r.Force = append(r.Force, Force{g.SeatName(seat), w.Value, w.Distance})
	}
	r.Text = a.sentence(r)
	if a.moves[0] == game.Pass {
		r.Text = fmt.Sprintf("%s has no legal move and passes: %s", r.Seat, r.Text)
	}
	if a.searching {
		p := a.search
		p.Seconds = time.Since(a.begin).Seconds()
		r.Progress = &p
	}
	return r
}

// sourceOf is the source of the position's value; an open position has been searched.
func (a *analysis) sourceOf(whole fact) Source {
	src := a.source
	switch {
	case whole.Value == game.Unknown:
		src = bySearch
	case src.Kind == "": // a move that ends the game gives the value
		src = byRules
	}
	if src.Kind == wing.BySearch {
		src.Limit = a.reached
	}
	return src
}

func (a *analysis) worth(f fact) Worth {
	w := Worth{Value: Open, Score: f.Score}
	if f.Value != game.Unknown {
		w.Value, w.Final = Value(f.Value.String()), true
	}
	if f.Distance >= 0 {
		w.Distance = &f.Distance
	}
	switch bound := f.bound; {
	case f.Value == game.Draw:
	case f.Distance > 0:
		w.NotWithin = new(f.Distance - 1)
	case f.Value == game.Unknown || bound > 0:
		w.NotWithin = &bound
	}
	if f.winner >= 0 && a.game.Seats() > 2 {
		w.Winner = a.game.SeatName(f.winner)
	}
	return w
}

// sentence describes an unfinished position for people.
func (a *analysis) sentence(r *Answer) string {
	plies := func(d *int) string {
		if d == nil {
			return ""
		}
		return " in " + count(*d, "ply", "plies")
	}
	g, mover := a.game, a.State.Seat()
	if g.Seats() > 2 {
		text := ""
		switch r.Value {
		case Win:
			text = fmt.Sprintf("%s wins%s, whatever the others do", r.Seat, plies(r.Distance))
		case Loss:
			text = fmt.Sprintf("together the others beat %s%s", r.Seat, plies(r.Distance))
		case Draw:
			text = fmt.Sprintf("%s can force no win alone, and the others together cannot beat it", r.Seat)
		default:
			text = fmt.Sprintf("open: neither %s alone nor the others together force a win%s", r.Seat, within(r.NotWithin))
		}
		if r.Winner != "" && r.Value != Win {
			text += fmt.Sprintf("; if everybody plays for himself, %s wins", r.Winner)
		}
		return text
	}
	if g.Seats() == 1 {
		switch {
		case r.Value == Win && r.Distance != nil:
			return "it takes " + count(*r.Distance, "turn", "turns")
		case r.Value == Win:
			return "there is a way"
		case r.Value == Draw:
			return "there is no way any more"
		case r.Value == Loss:
			return "lost" + plies(r.Distance)
		case r.NotWithin != nil && *r.NotWithin > 0:
			return fmt.Sprintf("it takes more than %s; how many is open", count(*r.NotWithin, "turn", "turns"))
		}
		return "how many turns it takes is open"
	}
	winner := r.Seat
	switch r.Value {
	case Loss:
		winner = g.SeatName(1 - mover)
		fallthrough
	case Win:
		if r.Score != nil {
			return fmt.Sprintf("%s wins by %d", winner, max(*r.Score, -*r.Score))
		}
		return fmt.Sprintf("%s wins%s", winner, plies(r.Distance))
	case Draw:
		if a.wing.Endless {
			return "a draw: nobody can force a win"
		}
		return "a draw"
	}
	return "open: nobody forces a win" + within(r.NotWithin)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func within(n *int) string {
	if n == nil || *n == 0 {
		return " at once"
	}
	return " within " + count(*n, "ply", "plies")
}
