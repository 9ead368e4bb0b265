package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies"
	"perfectplay/internal/plot"
	"perfectplay/solve/frame"
	"perfectplay/solve/table"
)

// severalArmies makes the solver of a game for more than two seats. It counts positions for the
// description of a table while it writes the table.
func (f *strongFlags) severalArmies(g *halma.Game, s *family.Solver) error {
	spec, err := g.Armies()
	s.Distances = true
	s.Plan = func(o frame.Options) (frame.Plan, error) { return armies.NewPlan(spec, o) }
	s.Estimate = func(_ context.Context, o frame.Options) (time.Duration, error) { return armies.Estimate(spec, o) }
	s.State = armies.State(f.Work, spec)
	s.Solve = func(ctx context.Context, o frame.Options) (family.Solution, error) {
		all, err := armies.Solve(ctx, spec, o)
		if err != nil {
			return family.Solution{}, err
		}
		var reach *armies.Reach
		var census *armies.Census
		a := &asked{g: g, s: all, read: all.Reader(), n: g.Seats()}
		return family.Solution{
			Resumed: all.Resumed,
			Value:   a.value,
			Mover: func(context.Context) (frame.Count, error) {
				return a.count(func(int) uint8 { return 1 }), nil
			},
			Set: func(_ context.Context, seats uint8) (frame.Count, error) {
				return a.count(func(seat int) uint8 { return armies.Relative(seats, seat, a.n) }), nil
			},
			Reach: func(ctx context.Context) (_ *frame.Count, err error) {
				reach, err = all.Reach(ctx, o.Threads)
				return nil, err
			},
			Save: func(ctx context.Context, name, program string, report func(done float64)) (table.Info, error) {
				census = all.Census(reach)
				info, n, from, err := all.Describe(program, census)
				if err != nil {
					return info, err
				}
				return table.Write(ctx, name, info, n, from, o.Threads, report)
			},
			More: func(ctx context.Context, r *family.Solved, report func(float64)) error {
				if census == nil {
					census = all.Census(reach)
					if err := census.Count(ctx, o.Threads, report); err != nil {
						return err
					}
				}
				a.Solved = r
				a.addCensus(census, f.Reachable)
				if f.named {
					if err := a.addNamed(); err != nil {
						return err
					}
				}
				return f.drawArmies(r)
			},
			Close: all.Close,
		}, nil
	}
	return err
}

// asked adds counts of positions to the answer about a solved game for more than two seats.
type asked struct {
	*family.Solved
	g    *halma.Game
	s    *armies.Solution
	read *armies.Reader
	n    int // number of seats
}

func (r *asked) value(s game.State, seats uint8) (game.Value, int, error) {
	place, err := r.s.Place(s.Seat(), armies.Sides(r.g, s))
	if err != nil {
		return game.Unknown, 0, err
	}
	return r.read.Value(armies.Relative(seats, s.Seat(), r.n), place)
}

// count counts the positions of all seats to move by their value to a set of seats. The function
// ours returns this set for the seat to move.
func (r *asked) count(ours func(seat int) uint8) (c frame.Count) {
	c = r.total(true, func(seat int) armies.Question { return armies.Coalition(ours(seat)) })
	if whole := uint8(1<<r.n - 1); ours(0) != whole {
		c.Plus(r.total(false, func(seat int) armies.Question { return armies.Coalition(whole &^ ours(seat)) }))
	}
	kinds := r.s.Kind(r.n-1) + 1
	c.Draws = r.s.Positions/uint64(kinds)*uint64(r.n) - c.Wins - c.Losses
	return c
}

// total counts the positions of all seats to move where the answer to a question is yes. The
// function of returns the question for the seat to move.
func (r *asked) total(win bool, of func(seat int) armies.Question) (c frame.Count) {
	for seat := range r.n {
		for d, positions := range r.s.Plies(of(seat), r.s.Kind(seat)) {
			c.Add(win, d, positions)
		}
	}
	return c
}

// addCensus adds the counts by the result that each seat can force alone.
func (r *asked) addCensus(census *armies.Census, reachable bool) {
	if census.Deciders != nil {
		r.Deciders = make([]uint64, r.n)
		for seat := range r.n {
			for i, positions := range census.Deciders[r.s.Kind(seat)] {
				r.Deciders[i] += positions
			}
		}
	}
	var sum frame.Count
	for v := range census.Vectors[0] {
		count := family.Vector{}
		for seat := range r.n {
			count.Positions += census.Vectors[r.s.Kind(seat)][v]
		}
		if count.Positions == 0 {
			continue
		}
		if reachable {
			count.Reachable = new(uint64)
			for _, reached := range census.Reached {
				*count.Reachable += reached[v]
			}
			*[]*uint64{&sum.Losses, &sum.Draws, &sum.Wins}[v%3] += *count.Reachable
			r.Reachable = &family.Reached{Positions: sum.Positions(), Wins: sum.Wins, Losses: sum.Losses, Draws: sum.Draws}
		}
		for digits, i := v, 0; i < r.n; i, digits = i+1, digits/3 {
			count.Alone = append(count.Alone, []game.Value{game.Loss, game.Draw, game.Win}[digits%3])
		}
		r.Vectors = append(r.Vectors, count)
	}
}

// addNamed adds, for each set of seats, the members whose win it can force.
func (r *asked) addNamed() error {
	place, err := r.s.Place(0, armies.Sides(r.g, r.g.Start()))
	if err != nil {
		return err
	}
	for seats := range family.Sets(r.n) {
		for w := 0; w < r.n && seats&(seats-1) != 0; w++ {
			if seats>>w&1 == 0 {
				continue
			}
			m := family.Named{Seats: family.SetText(r.g, seats), Winner: r.g.SeatName(w), Start: "no"}
			var plies int
			if m.Forced, plies, err = r.read.Answer(armies.Question{Ours: seats, Wins: 1 << w}, place); err != nil {
				return err
			}
			if m.Forced {
				m.Start, m.Plies = fmt.Sprintf("in %d", plies), &plies
			}
			c := r.total(true, func(seat int) armies.Question {
				return armies.Question{Ours: armies.Relative(seats, seat, r.n), Wins: armies.Relative(1<<w, seat, r.n)}
			})
			m.WinsIn, m.Wins = append([]uint64{}, c.WinsIn...), c.Wins
			m.Longest, _ = c.Longest()
			r.Named = append(r.Named, m)
		}
	}
	return nil
}

// drawArmies draws, for one set of seats of each size up to half of all, its forced results by the
// plies to the end.
func (f *strongFlags) drawArmies(r *family.Solved) error {
	bySeats := map[string]family.Forced{}
	var names []string // names of the sets of seats; sets of one seat come first
	for _, c := range r.Coalitions {
		bySeats[c.Seats] = c
		if !strings.Contains(c.Seats, "+") {
			names = append(names, c.Seats)
		}
	}
	var panels []plot.Panel
	for size := 1; size <= len(names)/2; size++ {
		ours, others := strings.Join(names[:size], "+"), strings.Join(names[size:], "+")
		panels = append(panels, panel(fmt.Sprintf("%s, rules %s: %s against %s", r.Game, r.Rules, ours, others),
			"won by "+ours, "lost to "+others, bySeats[ours].WinsIn, bySeats[others].WinsIn))
	}
	return plot.Save(f.plot, panels...)
}
