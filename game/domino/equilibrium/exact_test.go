package equilibrium

import (
	"context"
	"testing"
)

// TestSolve compares exact solutions with the bounds of the other solver.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		Game
		values []string
	}{
		{Game{2, 2, Study}, []string{"29/30", "11/12", "7/3"}},
		{Game{2, 2, OpenSpiel}, []string{"11/5"}},
		{Game{3, 3, Study}, []string{"134011/126000", "5483/6300", "18859/22050", "19/20"}},
	} {
		s, err := New(c.Game)
		if err != nil {
			t.Fatal(err)
		}
		bounds, err := s.Run(context.Background(), Options{Threads: 1, Iterations: 200})
		if err != nil {
			t.Fatal(err)
		}
		for i, root := range c.Roots() {
			value, plan, err := c.Solve(root)
			if err != nil {
				t.Fatal(err)
			}
			low, high, err := c.Rules.exact(root, plan)
			if err != nil || low.Cmp(value) != 0 || high.Cmp(value) != 0 || value.RatString() != c.values[i] {
				t.Errorf("%v %s: %v, between %v and %v, want %s: %v", c.Game, root.Name, value, low, high, c.values[i], err)
			}
			if v, _ := value.Float64(); v < bounds[i].Low || v > bounds[i].High {
				t.Errorf("%v %s: %v is not between %v and %v", c.Game, root.Name, v, bounds[i].Low, bounds[i].High)
			}
			// A changed strategy earns less or is refused.
			for key, list := range plan {
				list[0], list[1] = list[1], list[0]
				low, high, err := c.Rules.exact(root, plan)
				if err != nil || low.Cmp(value) > 0 || high.Cmp(value) < 0 {
					t.Errorf("%v %s: with %s changed %v to %v: %v", c.Game, root.Name, key, low, high, err)
				}
				list[0].Add(list[0], list[1])
				if list[0].Sign() != 0 {
					list[1].SetInt64(1)
					if _, _, err := c.Rules.exact(root, plan); err == nil && list[0].Cmp(list[1]) == 0 {
						t.Errorf("%v %s: %s believed", c.Game, root.Name, key)
					}
				}
				break
			}
		}
	}
}
