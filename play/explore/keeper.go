package explore

import (
	"container/list"
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

	mu    sync.Mutex
	all   int64
	free  int64
	kept  map[string]*kept
	order list.List // elements are *kept, the last asked in front
	freed chan struct{}
}

// kept is a source that is open, or is being opened.
type kept struct {
	source wing.Source
	key    string
	place  *list.Element
	bytes  int64 // memory in use
	users  int
	cancel context.CancelFunc // ends the making of the source
	ready  chan struct{}
	turn   *turn         // turn of the goroutine that makes the source, or asks a slow source
	asking chan struct{} // held while a slow source is asked

	// Set before ready is closed, and only read afterwards:
	oracle wing.Oracle
	err    error
}

const (
	linger  = 10 * time.Second // delay before the making of a source without clients is cancelled
	maxKept = 1000             // number of sources kept open
)

var errNoRoom = errors.New("explore: the source does not fit the memory")

func newKeeper(bytes int64) *keeper {
	k := &keeper{all: bytes, free: bytes, kept: map[string]*kept{}, freed: make(chan struct{})}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	return k
}

// get returns a source, opened by open if necessary; the caller gives it back with put. The
// error is the context's, errNoRoom, or the remembered error of opening the source.
func (k *keeper) get(ctx context.Context, key string, s wing.Source, open func(context.Context, *kept) (wing.Oracle, error)) (*kept, error) {
	for {
		e, err := k.enter(ctx, key, s, open)
		if err != nil {
			return nil, err
		}
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
func (k *keeper) enter(ctx context.Context, key string, s wing.Source, open func(context.Context, *kept) (wing.Oracle, error)) (*kept, error) {
	need := max(s.Memory, s.Making)
	if need > k.all {
		return nil, errNoRoom
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		if err := k.ctx.Err(); err != nil {
			return nil, err
		}
		if e := k.kept[key]; e != nil {
			e.users++
			k.order.MoveToFront(e.place)
			return e, nil
		}
		if k.makeRoom(need) {
			break
		}
		freed := k.freed
		k.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
		}
		k.mu.Lock()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	e := &kept{source: s, key: key, bytes: need, users: 1, ready: make(chan struct{}), asking: make(chan struct{}, 1)}
	k.free -= need
	k.kept[key] = e
	e.place = k.order.PushFront(e)
	making, cancel := context.WithCancel(k.ctx)
	e.cancel = cancel
	k.making.Go(func() {
		oracle, err := opened(making, e, open)
		cancel()
		k.mu.Lock()
		defer k.mu.Unlock()
		e.oracle, e.err = oracle, err
		left := s.Memory
		if err != nil {
			left = 0
		}
		k.free += e.bytes - left
		e.bytes = left
		if errors.Is(err, context.Canceled) {
			k.remove(e)
		}
		close(e.ready)
		k.tell()
	})
	return e, nil
}

// opened makes a source. A panic, such as that of a file's reader, becomes an error.
func opened(ctx context.Context, e *kept, open func(context.Context, *kept) (wing.Oracle, error)) (o wing.Oracle, err error) {
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
	for at := k.order.Back(); at != nil && (k.free < need || k.order.Len() >= maxKept); {
		e := at.Value.(*kept)
		at = at.Prev()
		if e.users > 0 || !e.isReady() {
			continue
		}
		k.remove(e)
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

func (k *keeper) remove(e *kept) {
	delete(k.kept, e.key)
	k.order.Remove(e.place)
}

func (k *keeper) tell() {
	close(k.freed)
	k.freed = make(chan struct{})
}

// put ends a use.
func (k *keeper) put(e *kept) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e.users--; e.users > 0 {
		return
	}
	if e.isReady() {
		k.tell()
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
	k.kept = nil
	return errors.Join(errs...)
}
