package retro

import (
	"context"

	"perfectplay/game"
	"perfectplay/internal/host"
)

// asker guards a goroutine's calls to a game.
type asker interface {
	// guards returns the arguments of [game.Guard].
	guards() (g game.Game, s game.State, fresh func() game.State)
}

// parallel is [host.Parallel] for functions that call a game.
func parallel[W any](ctx context.Context, workers []W, n int, by func(W) asker, do func(w W, i int) error) error {
	return host.Parallel(ctx, workers, n, func(w W, i int) (err error) {
		g, s, fresh := by(w).guards()
		defer game.Guard(&err, g, s, fresh)
		return do(w, i)
	})
}
