package thesis2025

import (
	"context"
	"time"
)

// watch lets a search be cancelled and tell how far it is.
type watch struct {
	ctx      context.Context
	progress func(Progress)
	left     int // calls of check until the next look
	told     time.Time
}

// checkEvery is the number of inner nodes between two looks at the context:
// few enough for a cancelled search to end within milliseconds.
const checkEvery = 4096

// cancelled is what a search panics with when its context is done. Run turns
// it into an error, so that the searches need no error path.
type cancelled struct{ error }

// check is called at inner nodes.
func (w *watch) check(c *Counts) {
	if w.left--; w.left < 0 {
		w.look(c)
	}
}

func (w *watch) look(c *Counts) {
	w.left = checkEvery
	if err := w.ctx.Err(); err != nil {
		panic(cancelled{err})
	}
	if w.progress == nil {
		return
	}
	if now := time.Now(); now.Sub(w.told) > 200*time.Millisecond {
		w.told = now
		w.progress(Progress{Counts: *c})
	}
}
