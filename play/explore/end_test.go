package explore_test

import (
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// plainGame is an m,n,k-game with keys and nothing else.
type plainGame struct{ game.Game }

func (g plainGame) Start() game.State { return plainState(g.Game.Start()) }
func (g plainGame) Parse(text string) (game.State, error) {
	s, err := g.Game.Parse(text)
	if err != nil {
		return nil, err
	}
	return plainState(s), nil
}

type keyed struct {
	game.State
	game.Keyer
}

func plainState(s game.State) game.State { return keyed{s, s.(game.Keyer)} }
func (s keyed) Clone() game.State        { return plainState(s.State.Clone()) }

// TestToTheEnd: a search reaches the end of the game if the last plies are few, even beyond the
// bound on nodes, and reports no depth beyond the end.
func TestToTheEnd(t *testing.T) {
	s := newService(t, explore.Options{Wings: []wing.Wing{{
		Name: "mnk", IDs: func() []string { return []string{"mnk-5x5k4"} }, Positions: func(game.Game) float64 { return 1e12 },
		Open: func(id, _ string) (game.Game, error) {
			g, err := mnk.ByID(id)
			return plainGame{g}, err
		},
	}}})
	for _, c := range []struct {
		game, position string
		left           int // plies
		nodes          uint64
	}{
		{"mnk-5x5k5", "xoxox.oxoxo.xoxo1.5.5", 11, 1 << 13}, {"mnk-5x5k5", "xoxox.oxoxo.xo3.5.5", 13, 1 << 16},
		{"mnk-4x4k4", "xo2.xo2.4.4", 12, 1 << 15}, {"mnk-5x5k4", "xoxox.oxoxo.xo3.5.5", 13, 1 << 10},
	} {
		var last *explore.Answer
		err := s.Analyse(t.Context(), explore.Query{Game: c.game, Position: c.position, Nodes: c.nodes}, func(a *explore.Answer) error {
			agrees(t, s, a)
			last = a
			return nil
		})
		if err != nil || last.Value == explore.Open || last.Source.Limit > c.left {
			t.Errorf("%s, %d nodes, %d plies left: %s by %+v, %v", c.position, c.nodes, c.left, last.Worth, last.Source, err)
		}
	}
}
