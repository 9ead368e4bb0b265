package app

import (
	"slices"
	"testing"

	"perfectplay/play/match"
)

// TestVerdict: the verdict claims no more than the games show, and no difference is infinite.
func TestVerdict(t *testing.T) {
	pairs := func(results ...string) match.Standing {
		var records []match.Record
		for i, r := range results {
			for k, winner := range r {
				word := map[rune]string{'a': match.SideA, 'b': match.SideB, 'd': match.Draw}[winner]
				records = append(records, match.Record{Pair: i, Seating: []string{"AB", "BA"}[k], Winner: word})
			}
		}
		return match.NewStanding(records)
	}
	many := func(result string, n int) []string { return slices.Repeat([]string{result}, n) }
	for _, c := range []struct {
		results []string
		want    string
	}{
		{nil, "no game was played"},
		{many("aa", 2), "too few games to say who is better"},
		{many("bb", 2), "too few games to say who is better"},
		{many("aa", 20), "x won all, and is better by +277 Elo or more with 95 %"},
		{many("bb", 20), "x lost all, and is worse by 277 Elo or more with 95 %"},
		{append(many("aa", 10), many("ab", 10)...), "x is better than y by 191 Elo (95 %: +98 to +319)"},
		{append(many("bb", 10), many("ab", 10)...), "x is worse than y by 191 Elo (95 %: -319 to -98)"},
		{[]string{"aa", "ab", "ab"}, "x may be better than y by 120 Elo (95 %: -115 to +869)"},
		{[]string{"aa", "bb", "dd"}, "x and y scored the same (95 %: -inf to +inf)"},
	} {
		if got := verdict("x", "y", pairs(c.results...)); got != c.want {
			t.Errorf("%v: %q, want %q", c.results, got, c.want)
		}
	}
}
