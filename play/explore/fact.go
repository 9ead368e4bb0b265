package explore

import (
	"fmt"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// fact is a proved value of a position or a move, for the seat to move there.
type fact struct {
	value    game.Value // Unknown if open
	distance int        // −1 if unknown
	bound    int        // plies within which nothing is decided
	score    *int
	winner   int // the seat that wins among more than two; −1 if unknown
}

func unknown() fact { return fact{distance: -1, winner: -1} }

func factOf(w wing.Worth) fact {
	return fact{value: w.Value, distance: w.Distance, score: w.Score, winner: -1}
}

// join combines two facts about the same position.
func (f fact) join(g fact) (fact, error) {
	if f.value == game.Unknown {
		f.value = g.value
	} else if g.value != game.Unknown && g.value != f.value {
		return f, fmt.Errorf("explore: one source says %v, another %v", f.value, g.value)
	}
	if f.distance < 0 {
		f.distance = g.distance
	} else if g.distance >= 0 && g.distance != f.distance {
		return f, fmt.Errorf("explore: one source says %v in %d, another in %d", f.value, f.distance, g.distance)
	}
	f.bound = max(f.bound, g.bound)
	if f.score == nil {
		f.score = g.score
	}
	if f.winner < 0 {
		f.winner = g.winner
	}
	return f, nil
}

// precise reports whether a fact is complete: a value with its distance, or with points, which
// have no distance.
func (f fact) precise() bool {
	return f.value == game.Draw || f.value != game.Unknown && (f.distance >= 0 || f.score != nil)
}

// carries reports whether a move with this fact achieves the fact of the position.
func (f fact) carries(whole fact) bool {
	return f.value != game.Unknown && f.value == whole.value && f.distance == whole.distance
}

// ended is the fact of a finished game, to a seat.
func ended(r game.Result, seat int) fact {
	f := unknown()
	f.value = game.Draw
	if w, ok := r.Winner(); ok {
		f.value, f.distance, f.winner = game.Loss, 0, w
		if w == seat {
			f.value = game.Win
		}
	}
	return f
}

// compare is [wing.Worth.Compare]; of two losses of unknown distance, the loss with the larger
// bound comes first.
func (f fact) compare(g fact) int {
	worth := func(f fact) wing.Worth { return wing.Worth{Value: f.value, Distance: f.distance, Score: f.score} }
	order := worth(f).Compare(worth(g))
	if order == 0 && f.value == game.Loss && f.distance < 0 && (f.score == nil || g.score == nil) {
		return g.bound - f.bound
	}
	return order
}

// NewWorth returns the worth of a proved value, with its distance if not nil.
func NewWorth(v game.Value, distance *int) Worth {
	w := Worth{Value: Value(v.String()), Distance: distance, Final: true}
	if distance != nil && *distance > 0 {
		w.NotWithin = new(*distance - 1)
	}
	return w
}

// String returns the worth in a few words: win in 5, loss by 12, open within 8.
func (w Worth) String() string {
	switch {
	case w.Score != nil && w.Value != Draw:
		return fmt.Sprintf("%s by %d", w.Value, max(*w.Score, -*w.Score))
	case w.Distance != nil:
		return fmt.Sprintf("%s in %d", w.Value, *w.Distance)
	case w.Value == Open && w.NotWithin != nil && *w.NotWithin > 0:
		return fmt.Sprintf("open within %d", *w.NotWithin)
	}
	return string(w.Value)
}
