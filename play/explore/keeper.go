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

// keeper keeps sources open within a number of bytes, the least recently asked
// closed first. Each source is made once however many want it.
type keeper struct {
	ctx    context.Context // ends when the keeper closes
	cancel context.CancelFunc
	making sync.WaitGroup

	mu    sync.Mutex
	all   int64
	free  int64
	kept  map[string]*kept
	order list.List // of *kept, the last asked in front
	freed chan struct{}
}

// kept is a source that is open, or is being opened.
type kept struct {
	source wing.Source
	key    string
	place  *list.Element
	bytes  int64 // taken
	users  int
	cancel context.CancelFunc // of its making
	ready  chan struct{}
	turn   *turn         // of who works on it: it is made, or a slow one is asked
	asking chan struct{} // holds who asks a slow source

	// Since ready is closed:
	oracle wing.Oracle
	err    error
}

// linger is how long a source is still made after the last client has stopped waiting:
// that client may ask again.
const linger = 10 * time.Second

// maxKept bounds the number of sources, whatever they take.
const maxKept = 1000

// errNoRoom says that a source does not fit the memory.
var errNoRoom = errors.New("explore: the source does not fit the memory")

func newKeeper(bytes int64) *keeper {
	k := &keeper{all: bytes, free: bytes, kept: map[string]*kept{}, freed: make(chan struct{})}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	return k
}

// get returns a source, made by open if it is not there yet, for as long as the
// caller does not put it back. The error is the context's, errNoRoom or what went
// wrong with the source, which is remembered.
func (k *keeper) get(ctx context.Context, key string, s wing.Source, open func(context.Context, *kept) (wing.Oracle, error)) (*kept, error) {
	for {
		e, err := k.enter(ctx, key, s, open)
		if err != nil {
			return nil, err
		}
		select {
		case <-e.ready:
		default:
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
		// Its making was given up just before it was wanted again.
	}
}

// enter returns an entry, one use of which is the caller's.
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

// opened makes a source. A panic, as of a file that breaks its reader, is an error of
// that source: it must not end a server.
func opened(ctx context.Context, e *kept, open func(context.Context, *kept) (wing.Oracle, error)) (o wing.Oracle, err error) {
	defer func() {
		if r := recover(); r != nil {
			o, err = nil, fmt.Errorf("explore: the source %s is broken: %v", e.source.About, r)
		}
	}()
	return open(ctx, e)
}

// makeRoom closes idle sources until there are need bytes; false if there are too
// few of them.
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

// tell wakes those who wait for room.
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

// close gives up what is being made and closes all sources. No use may be open.
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
