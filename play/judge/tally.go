package judge

import "cmp"

// Tally sums up the moves of one player.
type Tally struct {
	Player string `json:"player"`
	Moves  int    `json:"moves"`  // made by the player
	Judged int    `json:"judged"` // moves with a known value, and moves that missed a win
	Best   int    `json:"best"`   // judged moves that were best
	Errors int    `json:"errors"` // judged moves that lost value or missed a win
	// Errors and judged moves by phase.
	ErrorsIn map[Phase]int `json:"errors_in"`
	JudgedIn map[Phase]int `json:"judged_in"`
	// Losses: value in half points, distance in plies where the value was kept, and points.
	ValueLost    int `json:"value_lost"`
	DistanceLost int `json:"distance_lost"`
	ScoreLost    int `json:"score_lost"`
}

// Tallies sums up moves by player, in the order in which they first moved.
func Tallies(moves []Move) []*Tally {
	var list []*Tally
	by := map[string]*Tally{}
	for i := range moves {
		m := &moves[i]
		t := by[m.Player]
		if t == nil {
			t = &Tally{Player: m.Player, ErrorsIn: map[Phase]int{}, JudgedIn: map[Phase]int{}}
			by[m.Player] = t
			list = append(list, t)
		}
		t.Moves++
		if m.ValueLost == nil && !m.Missed {
			continue
		}
		t.Judged++
		t.JudgedIn[m.Phase]++
		if m.Missed || *m.ValueLost > 0 {
			t.Errors++
			t.ErrorsIn[m.Phase]++
		}
		if m.Best == m.Text {
			t.Best++
		}
		t.ValueLost += *cmp.Or(m.ValueLost, new(int))
		t.DistanceLost += *cmp.Or(m.DistanceLost, new(int))
		t.ScoreLost += *cmp.Or(m.ScoreLost, new(int))
	}
	return list
}
