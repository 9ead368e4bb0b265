package gametest_test

import (
	"fmt"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest"
	"perfectplay/game/mnk"
)

// careless is a game whose moves cannot be taken back.
type careless struct{ game.Game }

func (g careless) Start() game.State { return carelessState{g.Game.Start()} }

type carelessState struct{ game.State }

func (carelessState) Unmake() {}

// A test of a game is one call. The suite says which promise the game breaks, and where.
func ExampleRun() {
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		panic(err)
	}
	t := &printer{} // a test passes its *testing.T
	gametest.Run(t, g)
	fmt.Println("mnk-3x3k3 has failed:", t.Failed())
	gametest.Run(t, careless{g})
	// Output:
	// mnk-3x3k3 has failed: false
	// mnk-3x3k3  at x2.3.2o: after c1 and back, want x2.3.3 (move a3 of 3.3.3 made)
}

// printer stands for a test and prints its first error.
type printer struct {
	testing.TB
	failed bool
}

func (*printer) Helper()        {}
func (p *printer) Failed() bool { return p.failed }
func (p *printer) Errorf(format string, args ...any) {
	if !p.failed {
		p.failed = true
		fmt.Printf(format+"\n", args...)
	}
}
