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

// severalArmies makes the solver of a game for more than two. Positions for a table's
// description are counted while it is written.
func (f *strongFlags) severalArmies(g *halma.Game, s *family.Solver) error {
	spec, err := g.Armies()
	s.Distances = true
	s.Plan = func(o frame.Options) (frame.Plan, error) { return armies.NewPlan(spec, o) }
	s.Estimate = func(ctx context.Context, o frame.Options) (time.Duration, error) {
		return armies.Estimate(ctx, spec, o)
	}
	s.State = armies.State(f.Work, spec)
	s.Solve = func(ctx context.Context, o frame.Options) (family.Solution, error) {
		all, err := armies.Solve(ctx, spec, o)
		if err != nil {
			return family.Solution{}, err
		}
		var reach *armies.Reach
		var census *armies.Census
		return family.Solution{
			Resumed: all.Resumed,
			Reach: func(ctx context.Context) (err error) {
				reach, err = all.Reach(ctx, o.Threads)
				return err
			},
			Save: func(ctx context.Context, name, program string, report func(done float64)) (table.Info, error) {
				census = all.Census(reach)
				info, n, from, err := all.Describe(program, census)
				if err != nil {
					return info, err
				}
				return table.Write(ctx, name, info, n, from, o.Threads, report)
			},
			Fill: func(ctx context.Context, r *family.Solved, report func(float64)) error {
				if census == nil {
					census = all.Census(reach)
					if err := census.Count(ctx, o.Threads, report); err != nil {
						return err
					}
				}
				a := &asked{Solved: r, g: g, s: all, n: g.Seats()}
				if err := a.ask(census, f); err != nil || f.plot == "" {
					return err
				}
				return f.drawArmies(r)
			},
			Close: all.Close,
		}, nil
	}
	return err
}

// asked fills the answer from a game solved for more than two.
type asked struct {
	*family.Solved
	g *halma.Game
	s *armies.Solution
	n int // seats
}

// ask fills the record from a solution.
func (r *asked) ask(census *armies.Census, f *strongFlags) error {
	g, s, n := r.g, r.s, r.n
	for seat := range n {
		for _, positions := range census.Vectors[s.Kind(seat)] {
			r.Positions += positions
		}
	}
	read := s.Reader()
	start := g.Start()
	place, err := s.Place(0, armies.Sides(g, start))
	if err != nil {
		return err
	}
	if err := r.askSets(read, place, f.named); err != nil {
		return err
	}
	r.Worth = r.Coalitions[0].Worth
	r.WinsIn, _ = r.total(func(int) armies.Question { return armies.Coalition(1) })
	r.LossesIn, _ = r.total(func(int) armies.Question { return armies.Coalition(1<<n - 2) })
	longest := max(len(r.WinsIn), len(r.LossesIn))
	r.WinsIn = append(r.WinsIn, make([]uint64, longest-len(r.WinsIn))...)
	r.LossesIn = append(r.LossesIn, make([]uint64, longest-len(r.LossesIn))...)
	r.Openings, err = family.Judge(g, start, func(start game.State, seats uint8) (game.Value, int, error) {
		place, err := s.Place(start.Seat(), armies.Sides(g, start))
		if err != nil {
			return game.Unknown, 0, err
		}
		return read.Value(armies.Relative(seats, start.Seat(), n), place)
	})
	if err != nil {
		return err
	}
	if census.Deciders != nil {
		r.Deciders = make([]uint64, n)
		for seat := range n {
			for i, positions := range census.Deciders[s.Kind(seat)] {
				r.Deciders[i] += positions
			}
		}
	}
	var sum family.Reached
	for v := range census.Vectors[0] {
		count := family.Vector{}
		for seat := range n {
			count.Positions += census.Vectors[s.Kind(seat)][v]
		}
		if count.Positions == 0 {
			continue
		}
		if f.Reachable {
			count.Reachable = new(uint64)
			for _, reached := range census.Reached {
				*count.Reachable += reached[v]
			}
			sum.Positions += *count.Reachable
			*[]*uint64{&sum.Losses, &sum.Draws, &sum.Wins}[v%3] += *count.Reachable
			r.Reachable = &sum
		}
		*[]*uint64{&r.Losses, &r.Draws, &r.Wins}[v%3] += count.Positions
		for digits, i := v, 0; i < n; i, digits = i+1, digits/3 {
			count.Alone = append(count.Alone, []game.Value{game.Loss, game.Draw, game.Win}[digits%3])
		}
		r.Vectors = append(r.Vectors, count)
	}
	return nil
}

// askSets finds the results that each set of seats can force from the start at place, and over
// all positions; with named also the members whose win it can force.
func (r *asked) askSets(read *armies.Reader, place armies.Place, named bool) error {
	g, n := r.g, r.n
	whole := uint8(1<<n - 1)
	total := func(q armies.Question) ([]uint64, uint64) {
		return r.total(func(seat int) armies.Question {
			return armies.Question{Ours: armies.Relative(q.Ours, seat, n), Wins: armies.Relative(q.Wins, seat, n)}
		})
	}
	for seats := range family.Sets(n) {
		c := family.Forced{Seats: family.SetText(g, seats)}
		v, d, err := read.Value(seats, place)
		if err != nil {
			return err
		}
		c.Worth = family.NewWorth(v, d)
		c.WinsIn, c.Wins = total(armies.Coalition(seats))
		c.Longest = max(len(c.WinsIn)-1, 0)
		if seats != whole {
			_, c.Losses = total(armies.Coalition(whole &^ seats))
		}
		c.Draws = r.Positions - c.Wins - c.Losses
		r.Coalitions = append(r.Coalitions, c)
		for w := 0; w < n && named && seats&(seats-1) != 0; w++ {
			if seats>>w&1 == 0 {
				continue
			}
			q := armies.Question{Ours: seats, Wins: 1 << w}
			m := family.Named{Seats: c.Seats, Winner: g.SeatName(w), Start: "no"}
			var plies int
			if m.Forced, plies, err = read.Answer(q, place); err != nil {
				return err
			}
			if m.Forced {
				m.Start, m.Plies = fmt.Sprintf("in %d", plies), &plies
			}
			m.WinsIn, m.Wins = total(q)
			m.Longest = max(len(m.WinsIn)-1, 0)
			r.Named = append(r.Named, m)
		}
	}
	return nil
}

// total counts the positions answered yes, by plies and in all, with any seat to move, whose
// question of returns.
func (r *asked) total(of func(seat int) armies.Question) (plies []uint64, positions uint64) {
	for seat := range r.n {
		for d, count := range r.s.Plies(of(seat), r.s.Kind(seat)) {
			if d == len(plies) {
				plies = append(plies, 0)
			}
			plies[d] += count
			positions += count
		}
	}
	return plies, positions
}

// drawArmies draws, for one set of seats of each size up to half of all, its forced results
// against the others by the plies to the end.
func (f *strongFlags) drawArmies(r *family.Solved) error {
	bySeats := map[string]family.Forced{}
	var names []string // of the seats; sets of one seat come first
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
