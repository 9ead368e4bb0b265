package verify_test

import (
	"context"
	"fmt"

	"perfectplay/game/mnk"
	"perfectplay/solve/retro"
	"perfectplay/solve/retro/verify"
)

// A game is solved, and its table is checked by the moves of each position.
func ExampleTable() {
	ctx := context.Background()
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		panic(err)
	}
	s, err := retro.Solve(ctx, g, retro.Options{})
	if err != nil {
		panic(err)
	}
	t, err := s.Make(ctx, 64<<20)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	v, err := verify.Table(ctx, t, verify.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(v.Checked, "positions checked,", v.Faults, "faults")
	// Output: 5478 positions checked, 0 faults
}
