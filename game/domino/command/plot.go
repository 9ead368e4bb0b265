package command

import (
	"fmt"
	"slices"

	"perfectplay/game/domino/census"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/internal/plot"
)

// linesPanel shows games by number of lines of play in about a hundred bars: lines[n] games have
// n lines. Logarithmic heights show the few games with very many lines.
func linesPanel(title string, lines []int64, logarithmic bool) plot.Panel {
	most := len(lines) - 1
	const bars = 100
	width := most/bars + 1
	heights := make([]float64, most/width+1)
	for n, games := range lines {
		heights[n/width] += float64(games)
	}
	return plot.Panel{
		Title: title, X: "lines of play", Y: fmt.Sprintf("games, in steps of %d lines", width),
		Bars: []plot.Bars{{Width: float64(width), Heights: heights}}, Log: logarithmic,
	}
}

func valuesPanel(c *census.Counts) plot.Panel {
	first, last := len(c.Values), 0
	for i, n := range c.Values {
		if n > 0 {
			first, last = min(first, i), i
		}
	}
	const million = 1e6
	bars := plot.Bars{Start: float64(census.ScoreOf(first)) - 0.5, Width: 1}
	for _, n := range c.Values[min(first, last) : last+1] {
		bars.Heights = append(bars.Heights, float64(n)/million)
	}
	return plot.Panel{
		Title: "Games by value with perfect play", X: "score for the starter", Y: "million games",
		Bars: []plot.Bars{bars},
	}
}

// rankingPanels show the hands in the order of their ranking: above their mean
// scores, below their shares of wins.
func rankingPanels(hands *census.Hands) []plot.Panel {
	order := hands.Ranking()
	points := min(500, len(order))
	score, wins := make([]plot.Point, points), make([]plot.Point, points)
	for i := range points {
		at := i * (len(order) - 1) / max(points-1, 1)
		total := hands.Total(int(order[at]))
		score[i] = plot.Point{X: float64(at + 1), Y: total.MeanScore()}
		wins[i] = plot.Point{X: float64(at + 1), Y: 100 * float64(total.Wins) / float64(total.Games)}
	}
	return []plot.Panel{
		{Title: "All hands, by their mean score over all opponents", Y: "mean score", Line: score},
		{X: "place in the ranking", Y: "games won, %", Dots: []plot.Dots{{Points: wins}}},
	}
}

// mixing says how much players mix, weighted by the probability that a deal reaches a decision.
type mixing struct {
	decisions, mixed float64 // number of decisions in a deal, and the share of them without a move of probability pure
	likeliest        plot.Bars
	byPly            plot.Bars
}

// A decision is mixed if the probability of each of its moves is below pure.
const pure = 0.99

func mixingOf(s *equilibrium.Solver) (m mixing) {
	const bars = 50
	likeliest := make([]float64, bars)
	var mixed, all []float64 // number of decisions at each ply
	_ = s.Decisions(func(_ *equilibrium.Root, spot *equilibrium.Spot, p []float64, reach float64) error {
		most, ply := slices.Max(p), len(spot.Path)
		for len(all) <= ply {
			mixed, all = append(mixed, 0), append(all, 0)
		}
		likeliest[min(int(most*bars), bars-1)] += reach
		m.decisions += reach
		all[ply] += reach
		if most < pure {
			m.mixed += reach
			mixed[ply] += reach
		}
		return nil
	})
	for i := range likeliest {
		likeliest[i] *= 100 / m.decisions
	}
	for ply, n := range all {
		mixed[ply] *= 100 / max(n, 1e-300)
	}
	m.mixed /= m.decisions
	m.likeliest = plot.Bars{Width: 1.0 / bars, Heights: likeliest}
	m.byPly = plot.Bars{Start: 1.5, Width: 1, Heights: mixed}
	return m
}

// panels show decisions by the probability of the likeliest move, and mixed decisions by ply, from
// 1.
func (m *mixing) panels(g equilibrium.Game) []plot.Panel {
	return []plot.Panel{
		{Title: "Decisions of " + g.String() + " that deals come to", X: "probability of the likeliest move", Y: "decisions, %", Bars: []plot.Bars{m.likeliest}},
		{X: "ply", Y: "mixed decisions, %", Bars: []plot.Bars{m.byPly}},
	}
}
