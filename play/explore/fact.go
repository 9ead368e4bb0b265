package explore

import (
	"fmt"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// fact is a proved value of a position or a move, for the seat to move there.
type fact struct {
	wing.Worth     // the value is Unknown if open
	bound      int // plies within which nothing is decided
	winner     int // the seat that wins among more than two; −1 if unknown
}

func unknown() fact { return factOf(wing.Worth{Distance: -1}) }

func factOf(w wing.Worth) fact { return fact{Worth: w, winner: -1} }

// before is the fact of a move that leads to a position with this fact; other says that another side
// is to move there.
func (f fact) before(other bool) fact {
	if other {
		f.Value = f.Value.Negate()
	}
	if f.Distance >= 0 {
		f.Distance++
	}
	return f
}

// join combines two facts about the same position.
func (f fact) join(g fact) (fact, error) {
	if f.Value == game.Unknown {
		f.Value = g.Value
	} else if g.Value != game.Unknown && g.Value != f.Value {
		return f, fmt.Errorf("explore: one source says %v, another %v", f.Value, g.Value)
	}
	if f.Distance < 0 {
		f.Distance = g.Distance
	} else if g.Distance >= 0 && g.Distance != f.Distance {
		return f, fmt.Errorf("explore: one source says %v in %d, another in %d", f.Value, f.Distance, g.Distance)
	}
	f.bound = max(f.bound, g.bound)
	if f.Score == nil {
		f.Score = g.Score
	}
	if f.winner < 0 {
		f.winner = g.winner
	}
	return f, nil
}

// precise reports whether a fact is complete: a value with its distance, or with points, which
// have no distance.
func (f fact) precise() bool {
	return f.Value == game.Draw || f.Value != game.Unknown && (f.Distance >= 0 || f.Score != nil)
}

// carries reports whether a move with this fact achieves the fact of the position.
func (f fact) carries(whole fact) bool {
	return f.Value != game.Unknown && f.Value == whole.Value && f.Distance == whole.Distance
}

// ended is the fact of a finished game, to a seat.
func ended(r game.Result, seat int) fact {
	f := unknown()
	f.Value = game.Draw
	if w, ok := r.Winner(); ok {
		f.Value, f.Distance, f.winner = game.Loss, 0, w
		if w == seat {
			f.Value = game.Win
		}
	}
	return f
}

// compare is [wing.Worth.Compare]; of two losses of unknown distance, the loss with the larger
// bound comes first.
func (f fact) compare(g fact) int {
	order := f.Worth.Compare(g.Worth)
	if order == 0 && f.Value == game.Loss && f.Distance < 0 && (f.Score == nil || g.Score == nil) {
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
