package retro

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"perfectplay/internal/host"
)

// parallel is [host.Parallel] for calls that ask a game.
func parallel[W any](ctx context.Context, workers []W, n int, do func(w W, i int) error) error {
	return host.Parallel(ctx, workers, n, func(w W, i int) (err error) {
		defer name(&err)
		return do(w, i)
	})
}

// name, deferred, makes of a panic an error that says which function panicked, and where.
func name(err *error) {
	p := recover()
	if p == nil {
		return
	}
	var stack [16]uintptr
	for frames := runtime.CallersFrames(stack[:runtime.Callers(2, stack[:])]); ; {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, "runtime.") {
			*err = fmt.Errorf("%s panics (%s:%d): %v", f.Function, filepath.Base(f.File), f.Line, p)
			return
		}
	}
}
