package explore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"perfectplay/game/wing"
)

// keeper keeps sources open within a number of bytes and closes the least recently asked first.
// It makes each source once for all clients.
type keeper struct {
	ctx    context.Context // ends when the keeper closes
	cancel context.CancelFunc
	making sync.WaitGroup
	all    int64

	mu    sync.Mutex
	free  int64
	kept  map[string]*kept
	asked int64     // number of questions so far
	freed sync.Cond // a source is not used any more, or has failed
}

// kept is a source that is open, or is being opened.
type kept struct {
	source wing.Source
	bytes  int64 // memory in use
	users  int
	asked  int64              // number of the last question
	cancel context.CancelFunc // ends the making of the source
	ready  chan struct{}
	turn   *turn         // turn of the goroutine that makes the source, or asks a slow source
	asking chan struct{} // held while a slow source is asked

	// Set before ready is closed, and only read afterwards:
	oracle wing.Oracle
	err    error
}

type opener func(context.Context, *kept) (wing.Oracle, error)

const (
	linger  = 10 * time.Second // delay before the making of a source without clients is cancelled
	maxKept = 1000             // number of sources kept open
)

var errNoRoom = errors.New("explore: the source does not fit the memory")

func newKeeper(bytes int64) *keeper {
	k := &keeper{all: bytes, free: bytes, kept: map[string]*kept{}}
	k.freed.L = &k.mu
	k.ctx, k.cancel = context.WithCancel(context.Background())
	return k
}

// get returns a source, opened by open if necessary; the caller gives it back with put. The
// error is the context's, errNoRoom, or the remembered error of opening the source.
func (k *keeper) get(ctx context.Context, key string, s wing.Source, open opener) (*kept, error) {
	if max(s.Memory, s.Making) > k.all {
		return nil, errNoRoom
	}
	for {
		e := k.enter(key, s, open)
		if !e.isReady() {
			select {
			case <-e.ready:
			case <-ctx.Done():
				k.put(e)
				return nil, ctx.Err()
			}
		}
		if e.err == nil {
			return e, nil
		}
		k.put(e)
		if !errors.Is(e.err, context.Canceled) || k.ctx.Err() != nil {
			return nil, e.err
		}
		// The making of the source was cancelled just before this request: try again.
	}
}

// enter returns an entry with one use added for the caller.
func (k *keeper) enter(key string, s wing.Source, open opener) *kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.kept[key]
	if e == nil {
		e = &kept{source: s, ready: make(chan struct{}), asking: make(chan struct{}, 1)}
		k.kept[key] = e
		var ctx context.Context
		ctx, e.cancel = context.WithCancel(k.ctx)
		k.making.Go(func() { k.make(ctx, key, e, open) })
	}
	k.asked++
	e.asked = k.asked
	e.users++
	return e
}

// make waits for room, and makes a source.
func (k *keeper) make(ctx context.Context, key string, e *kept, open opener) {
	defer e.cancel()
	need := max(e.source.Memory, e.source.Making)
	k.mu.Lock()
	defer k.mu.Unlock()
	defer context.AfterFunc(ctx, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.freed.Broadcast()
	})()
	for ctx.Err() == nil && !k.makeRoom(need) {
		k.freed.Wait()
	}
	if e.err = ctx.Err(); e.err == nil {
		k.free -= need
		k.mu.Unlock()
		e.oracle, e.err = opened(ctx, e, open)
		k.mu.Lock()
		if e.err == nil {
			e.bytes = e.source.Memory
		}
		k.free += need - e.bytes
	}
	if errors.Is(e.err, context.Canceled) {
		delete(k.kept, key)
	}
	close(e.ready)
	k.freed.Broadcast()
}

// opened opens a source. A panic, such as that of a file's reader, becomes an error.
func opened(ctx context.Context, e *kept, open opener) (o wing.Oracle, err error) {
	defer func() {
		if r := recover(); r != nil {
			o, err = nil, fmt.Errorf("explore: the source %s is broken: %v", e.source.About, r)
		}
	}()
	return open(ctx, e)
}

// makeRoom closes idle sources until need bytes are free. It returns false if the idle sources hold
// too little.
func (k *keeper) makeRoom(need int64) bool {
	for k.free < need || len(k.kept) > maxKept {
		idle := ""
		for key, e := range k.kept {
			if e.users == 0 && e.isReady() && (idle == "" || e.asked < k.kept[idle].asked) {
				idle = key
			}
		}
		if idle == "" {
			break
		}
		e := k.kept[idle]
		delete(k.kept, idle)
		k.free += e.bytes
		if e.oracle != nil {
			_ = e.oracle.Close() // nothing was written
		}
	}
	return k.free >= need
}

func (e *kept) isReady() bool {
	select {
	case <-e.ready:
		return true
	default:
		return false
	}
}

// put ends a use.
func (k *keeper) put(e *kept) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e.users--; e.users > 0 {
		return
	}
	k.freed.Broadcast()
	if e.isReady() {
		return
	}
	time.AfterFunc(linger, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if e.users == 0 && !e.isReady() {
			e.cancel()
		}
	})
}

// close cancels sources being made and closes all others. No use may be open.
func (k *keeper) close() error {
	k.cancel()
	k.making.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	var errs []error
	for _, e := range k.kept {
		if e.oracle != nil {
			errs = append(errs, e.oracle.Close())
		}
	}
	clear(k.kept)
	return errors.Join(errs...)
}
