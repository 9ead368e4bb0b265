package explore

import (
	"fmt"
	"strings"
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

// sentences are the sentences about a value, for one seat, two, and more.
var sentences = [3]map[Value]string{
	{Win: "there is a way", Draw: "there is no way any more", Loss: "lost{plies}", Open: "how many turns it takes is open"},
	{Win: "{seat} wins{plies}", Draw: "a draw", Loss: "{other} wins{plies}", Open: "open: nobody forces a win{within}"},
	{
		Win: "{seat} wins{plies}, whatever the others do", Loss: "together the others beat {seat}{plies}",
		Draw: "{seat} can force no win alone, and the others together cannot beat it",
		Open: "open: neither {seat} alone nor the others together force a win{within}",
	},
}

// sentence describes an unfinished position for people.
func (a *analysis) sentence(r *Answer) string {
	seats := a.game.Seats()
	text, other, plies, within := sentences[min(seats, 3)-1][r.Value], "", "", " at once"
	if seats == 2 {
		other = a.game.SeatName(1 - a.State.Seat())
	}
	if r.Distance != nil {
		plies = " in " + count(*r.Distance, "ply", "plies")
	}
	open := r.NotWithin != nil && *r.NotWithin > 0
	if open {
		within = " within " + count(*r.NotWithin, "ply", "plies")
	}
	switch {
	case seats == 1 && r.Value == Win && r.Distance != nil:
		text = "it takes " + count(*r.Distance, "turn", "turns")
	case seats == 1 && r.Value == Open && open:
		text = fmt.Sprintf("it takes more than %s; how many is open", count(*r.NotWithin, "turn", "turns"))
	case r.Score != nil:
		plies = fmt.Sprintf(" by %d", max(*r.Score, -*r.Score))
	case seats == 2 && r.Value == Draw && a.wing.Endless:
		text += ": nobody can force a win"
	case seats > 2 && r.Winner != "" && r.Value != Win:
		text += fmt.Sprintf("; if everybody plays for himself, %s wins", r.Winner)
	}
	return strings.NewReplacer("{seat}", r.Seat, "{other}", other, "{plies}", plies, "{within}", within).Replace(text)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
