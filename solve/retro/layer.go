package retro

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"unsafe"

	"perfectplay/game"
)

// layer is what a set of seats and its complement can force. A cell is
//
//	0          nothing will ever be decided, or the moves left stand in wide
//	1…254      decided: plies to the end, plus 1
//	next…255   open: 256 less the moves not known to lead to a win of the other side
//
// where next is the code of the ply under way: what is decided is below it or equal.
type layer struct {
	set   uint8 // of seats; bit 0 is set
	seats int
	side  [MaxSeats]uint8 // of each seat: 0 in the set, 1 not
	cells []byte
	words []uint32                 // the same memory
	odd   atomic.Pointer[[]uint64] // a bit for cells whose game is not won by the side that moved last, if there are such
	wide  []uint16                 // nil unless some cell needs it
}

func newLayer(size uint64, seats int, set uint8) *layer {
	l := &layer{set: set, seats: seats, words: make([]uint32, (size+3)/4)}
	l.cells = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(l.words))), len(l.words)*4)[:size]
	for s := range seats {
		l.side[s] = 1 &^ (set >> s)
	}
	return l
}

// others is the complement of the set, 0 where there is none.
func (l *layer) others() uint8 { return uint8(1<<l.seats-1) &^ l.set }

// last is the side of the seat that makes the last move if a seat is to move now.
func (l *layer) last(seat, plies int) uint8 { return l.side[(seat+plies-1+l.seats)%l.seats] }

// isOdd reads a bit of odd.
func (l *layer) isOdd(n uint64) uint8 {
	odd := l.odd.Load()
	if odd == nil {
		return 0
	}
	return uint8(atomic.LoadUint64(&(*odd)[n/64]) >> (n % 64) & 1)
}

// outcome is which side wins from a position, in a layer that is complete.
func (l *layer) outcome(n uint64, seat int) (side uint8, plies int, decided bool) {
	c := l.cells[n]
	if c == 0 || c == open {
		return 0, 0, false
	}
	d := int(c) - 1
	return l.last(seat, d) ^ l.isOdd(n), d, true
}

const (
	open    = 255         // a cell with one move left
	mostPly = MaxDistance // decided in one ply more is too late
	wideMax = math.MaxUint16
)

// run solves one layer.
type run struct {
	source  source
	layer   *layer
	blocks  ranges
	threads int
	yield   func()
	method  Method
	memory  uint64 // allowed, 0 for any
	bytes   uint64 // planned
	report  func(ply int, decided uint64, done float64)
	save    func(now, final bool) error

	locks     []sync.Mutex // of blocks
	alloc     sync.Mutex
	code      int // that the last complete ply has given; 0 before finished ones are known
	most      int // moves of a position
	positions uint64
	decided   uint64
	finished  bool
}

// solve goes on from the state of the run until nothing is new.
func (r *run) solve(ctx context.Context) error {
	if r.finished {
		return nil
	}
	r.locks = make([]sync.Mutex, r.blocks.count)
	if r.code == 0 {
		if err := r.seed(ctx); err != nil {
			return err
		}
		r.code = 1
	}
	for {
		r.report(r.code, r.decided, float64(r.decided)/float64(r.positions+1))
		if err := r.save(ctx.Err() != nil, false); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var found uint64
		var err error
		if r.method == Passes {
			found, err = r.pass(ctx)
		} else {
			found, err = r.push(ctx)
		}
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			return fmt.Errorf("ply %d: %w", r.code, err)
		}
		r.code++
		r.decided += found
		if found == 0 {
			break
		}
		if r.code-1 > mostPly {
			return fmt.Errorf("a forced win takes more than %d plies", MaxDistance)
		}
	}
	r.clear()
	r.finished = true
	return r.save(true, true)
}

// clear makes open cells what they turned out to be: nothing decides them.
func (r *run) clear() {
	last := byte(r.code)
	for i, c := range r.layer.cells {
		if c >= last {
			r.layer.cells[i] = 0
		}
	}
}

// seed enters finished positions, and the moves of all others.
func (r *run) seed(ctx context.Context) error {
	l := r.layer
	var positions, decided atomic.Uint64
	var most atomic.Int64
	var done atomic.Int64
	err := each(ctx, r.threads, r.blocks.count, func() (func(b int) error, func()) {
		w := r.source.worker()
		return func(b int) error {
			r.yield()
			var here, ended uint64
			top := int64(0)
			for n, end := r.blocks.bounds(b); n < end; n++ {
				seat, result, ok := w.at(n)
				if !ok {
					continue
				}
				here++
				if l.set == 1 {
					if err := w.check(n); err != nil {
						return err
					}
				}
				if winner, ok := result.Winner(); ok {
					l.cells[n] = 1
					ended++
					if l.side[winner] != l.last(seat, 0) {
						r.setOdd(n)
					}
				} else if result == game.Ongoing {
					moves := 1
					if r.method != Passes {
						if moves = w.moves(); moves == 0 {
							return fmt.Errorf("position %d has no moves, and the game is not over", n)
						}
					}
					top = max(top, int64(moves))
					if moves >= open {
						if err := r.widen(n, moves); err != nil {
							return err
						}
						continue
					}
					l.cells[n] = byte(256 - moves)
				}
			}
			positions.Add(here)
			decided.Add(ended)
			for {
				old := most.Load()
				if old >= top || most.CompareAndSwap(old, top) {
					break
				}
			}
			if d := done.Add(1); d%64 == 0 {
				r.alloc.Lock()
				r.report(0, decided.Load(), 0.3*float64(d)/float64(r.blocks.count))
				r.alloc.Unlock()
			}
			return nil
		}, nil
	})
	r.positions, r.decided, r.most = positions.Load(), decided.Load(), int(most.Load())
	return err
}

// setOdd notes that the game from a position is not won by the side that moves last.
// Whoever calls it has the block of the position.
func (r *run) setOdd(n uint64) {
	odd := r.layer.odd.Load()
	if odd == nil {
		r.alloc.Lock()
		if odd = r.layer.odd.Load(); odd == nil {
			bits := make([]uint64, (len(r.layer.cells)+63)/64)
			odd = &bits
			r.layer.odd.Store(odd)
		}
		r.alloc.Unlock()
	}
	atomic.StoreUint64(&(*odd)[n/64], (*odd)[n/64]|1<<(n%64))
}

// widen puts the moves left of a position where there is room for them.
func (r *run) widen(n uint64, moves int) error {
	if moves > wideMax {
		return fmt.Errorf("position %d has %d moves: at most %d are possible", n, moves, wideMax)
	}
	l := r.layer
	r.alloc.Lock()
	defer r.alloc.Unlock()
	if l.wide == nil {
		more := 2 * uint64(len(l.cells))
		if r.memory > 0 && r.bytes+more > r.memory {
			return fmt.Errorf("positions with many moves take two bytes more each, in all %d bytes of memory: %d are allowed", r.bytes+more, r.memory)
		}
		l.wide = make([]uint16, len(l.cells))
	}
	l.wide[n] = uint16(moves)
	l.cells[n] = 0
	return nil
}

// bucket is how many messages a worker gathers for a block.
const bucket = 512

// A message to a position is its number within the block, and whether it is decided or has
// one move fewer, and the bit of odd.
const (
	decides = 1 << 31
	isOdd   = 1 << 30
)

// push does a ply: what was decided in the last one goes to the positions before.
func (r *run) push(ctx context.Context) (uint64, error) {
	next := r.code + 1
	// Codes that now mean decided must not mean open.
	if 256-next <= r.most {
		if err := r.evict(ctx, byte(next)); err != nil {
			return 0, err
		}
	}
	var found atomic.Uint64
	err := each(ctx, r.threads, r.blocks.count, func() (func(b int) error, func()) {
		p := &pusher{r: r, w: r.source.worker(), messages: make([]uint32, r.blocks.count*bucket), count: make([]int, r.blocks.count)}
		return p.block, func() {
			p.flushAll()
			found.Add(p.found)
		}
	})
	return found.Load(), err
}

// evict moves open cells that have a code to wide.
func (r *run) evict(ctx context.Context, code byte) error {
	return each(ctx, r.threads, r.blocks.count, func() (func(b int) error, func()) {
		return func(b int) error {
			from, to := r.blocks.bounds(b)
			for n := from; n < to; n++ {
				i := bytes.IndexByte(r.layer.cells[n:to], code)
				if i < 0 {
					return nil
				}
				n += uint64(i)
				if err := r.widen(n, 256-int(code)); err != nil {
					return err
				}
			}
			return nil
		}, nil
	})
}

// pusher is a goroutine that pushes.
type pusher struct {
	r        *run
	w        worker
	messages []uint32 // bucket for each block
	count    []int    // in it
	list     []uint64 // the block's part of the frontier, and above it the bit of odd
	buf      []uint64
	found    uint64
}

// block pushes from the positions of a block that the last ply has decided.
func (p *pusher) block(b int) error {
	r, l := p.r, p.r.layer
	r.yield()
	code := byte(r.code)
	from, to := r.blocks.bounds(b)
	p.list = p.list[:0]
	r.locks[b].Lock()
	for n := from; n < to; n++ {
		i := bytes.IndexByte(l.cells[n:to], code)
		if i < 0 {
			break
		}
		n += uint64(i)
		p.list = append(p.list, n|uint64(l.isOdd(n))<<63)
	}
	r.locks[b].Unlock()
	mask := uint64(1)<<r.blocks.bits - 1
	for _, n := range p.list {
		bit := uint8(n >> 63)
		n &^= 1 << 63
		seat, _, ok := p.w.at(n)
		if !ok {
			return fmt.Errorf("number %d had a position and has none", n)
		}
		winner := l.last(seat, r.code-1) ^ bit
		flags := uint32(bit) * isOdd
		if l.side[(seat+l.seats-1)%l.seats] == winner {
			flags |= decides
		}
		p.buf = p.w.before(p.buf[:0])
		for _, to := range p.buf {
			if to >= r.blocks.size {
				return fmt.Errorf("before position %d is number %d, there are %d", n, to, r.blocks.size)
			}
			k := int(to >> r.blocks.bits)
			c := p.count[k]
			p.messages[k*bucket+c] = uint32(to&mask) | flags
			c++
			p.count[k] = c
			if c == bucket {
				p.flush(k)
			}
		}
	}
	return nil
}

func (p *pusher) flushAll() {
	for k, c := range p.count {
		if c > 0 {
			p.flush(k)
		}
	}
}

// flush tells a block's messages to its cells.
func (p *pusher) flush(k int) {
	r, l := p.r, p.r.layer
	from, to := r.blocks.bounds(k)
	messages := p.messages[k*bucket:][:p.count[k]]
	p.count[k] = 0
	next := byte(r.code + 1)
	found := uint64(0)
	r.locks[k].Lock()
	defer r.locks[k].Unlock()
	cells := l.cells[from:to]
	for _, m := range messages {
		i := m &^ (decides | isOdd)
		c := cells[i]
		if c <= next {
			if c != 0 || l.wide == nil || l.wide[from+uint64(i)] == 0 {
				continue // decided, or never will be
			}
			left := &l.wide[from+uint64(i)]
			if *left--; m&decides == 0 && *left > 0 {
				continue
			}
			*left = 0
		} else if m&decides == 0 && c != open {
			cells[i] = c + 1
			continue
		}
		cells[i] = next
		found++
		if m&isOdd != 0 {
			r.setOdd(from + uint64(i))
		}
	}
	p.found += found
}

// pass does a ply without moves backwards: every open position lists its moves.
func (r *run) pass(ctx context.Context) (uint64, error) {
	l := r.layer
	code := byte(r.code)
	var found atomic.Uint64
	err := each(ctx, r.threads, r.blocks.count, func() (func(b int) error, func()) {
		w := r.source.worker()
		var buf []uint64
		return func(b int) error {
			r.yield()
			for n, end := r.blocks.bounds(b); n < end; n++ {
				if l.cells[n] != open {
					continue
				}
				seat, _, ok := w.at(n)
				if !ok {
					return fmt.Errorf("number %d had a position and has none", n)
				}
				us, lost, bit := l.side[seat], true, uint8(0)
				won := false
				if buf = w.after(buf[:0]); len(buf) == 0 {
					return fmt.Errorf("position %d has no moves, and the game is not over", n)
				}
				for _, to := range buf {
					if to >= r.blocks.size {
						return fmt.Errorf("a move leads from position %d to number %d, there are %d", n, to, r.blocks.size)
					}
					c := byte(atomic.LoadUint32(&l.words[to/4]) >> (to % 4 * 8))
					if c == 0 || c > code {
						lost = false // open, or decided in this very ply
						continue
					}
					if c != code {
						continue
					}
					bit = l.isOdd(to)
					if won = l.last(seat+1, int(c)-1)^bit == us; won {
						break
					}
				}
				if won || lost {
					shift := n % 4 * 8
					atomic.StoreUint32(&l.words[n/4], l.words[n/4]&^(255<<shift)|uint32(code+1)<<shift)
					if bit != 0 {
						r.setOdd(n)
					}
					found.Add(1)
				}
			}
			return nil
		}, nil
	})
	return found.Load(), err
}
