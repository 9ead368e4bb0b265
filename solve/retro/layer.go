package retro

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"perfectplay/game"
	"perfectplay/internal/host"
)

// layer holds the results that a set of seats and its complement can force. A cell is
//
//	0         never decided
//	1…code    decided: plies to the end, plus 1
//	…top      open: top+1 less the moves not known to lead to a win of the other side
//
// where code is that of the current ply. Cells are bytes until open and decided cells would meet; then
// all are words of 16 bits.
type layer struct {
	set   uint8 // the set of seats; bit 0 is set
	seats int
	side  [MaxSeats]uint8 // side of each seat: 0 in the set, 1 outside
	space *planes
	cells []byte
	long  []uint16 // the cells of 16 bits; nil if cells has them
	size  uint64   // number of cells
	// A bit for each cell, set if the side that did not move last has won; nil if all are 0.
	odd atomic.Pointer[[]uint64]
}

func (l *layer) at(n uint64) int {
	if l.long != nil {
		return int(l.long[n])
	}
	return int(l.cells[n])
}

func (l *layer) put(n uint64, cell int) {
	if l.long != nil {
		l.long[n] = uint16(cell)
	} else {
		l.cells[n] = byte(cell)
	}
}

// top is an open cell with one move left.
func (l *layer) top() int {
	if l.long != nil {
		return wideMax
	}
	return topByte
}

// last is the side of the seat that makes the last of plies moves, if seat makes the first.
func (l *layer) last(seat, plies int) uint8 { return l.side[(seat+plies-1+l.seats)%l.seats] }

// isOdd reads a bit of odd.
func (l *layer) isOdd(n uint64) uint8 {
	odd := l.odd.Load()
	if odd == nil {
		return 0
	}
	return uint8((*odd)[n/64] >> (n % 64) & 1)
}

// score is the score of a position in a complete layer.
func (l *layer) score(n uint64, seat int) int16 {
	switch d := l.at(n) - 1; {
	case d < 0:
		return 0
	case l.last(seat, d)^l.isOdd(n) == l.side[seat]:
		return int16(lastPly - d)
	default:
		return int16(d - lastPly)
	}
}

const (
	topByte = math.MaxUint8
	wideMax = math.MaxUint16 // most moves of a position
)

// run solves one layer.
type run struct {
	numbers *numbers
	layer   *layer
	blocks  ranges
	mails   []*mail // mail of each goroutine
	yield   func()
	report  func(ply int, decided uint64, done float64)
	save    func(now, final bool) error

	locks []sync.Mutex // one lock for each block
	alloc sync.Mutex
	// fresh[c&1][b]: block b has cells of code c, for the current and the next code.
	fresh [2][]atomic.Bool
	// Code of the last complete ply; 0 before the finished positions are entered.
	code      int
	most      int // largest number of moves of a position
	positions uint64
	decided   uint64
	finished  bool
}

// solve continues from the state of the run until a ply decides nothing.
func (r *run) solve(ctx context.Context) error {
	if r.finished {
		return nil
	}
	r.locks = make([]sync.Mutex, r.blocks.count)
	for parity := range r.fresh {
		r.fresh[parity] = make([]atomic.Bool, r.blocks.count)
		for b := range r.blocks.count {
			r.fresh[parity][b].Store(true)
		}
	}
	if r.code == 0 {
		err := r.seed(ctx)
		if errors.Is(err, errLong) {
			if err = r.lengthen(); err == nil {
				err = r.seed(ctx)
			}
		}
		if err != nil {
			return err
		}
		if r.layer.size > allChecked {
			debug.FreeOSMemory() // frees the garbage of the checks, since messages need the memory
		}
	}
	for {
		r.report(r.code, r.decided, float64(r.decided)/float64(r.positions+1))
		if err := r.save(ctx.Err() != nil, false); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		found, err := r.push(ctx)
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
		if r.code-1 > MaxDistance {
			return errTooLong
		}
	}
	r.clear()
	r.finished = true
	return r.save(true, true)
}

// clear sets cells that stayed open to 0.
func (r *run) clear() {
	for b := range r.blocks.count {
		from, to := r.blocks.bounds(b)
		r.layer.space.Charge(int(to - from))
		for n := from; n < to; n++ {
			if r.layer.at(n) >= r.code {
				r.layer.put(n, 0)
			}
		}
	}
}

// seeder is the state of a goroutine that enters finished positions and the move counts of others.
type seeder struct {
	r                *run
	w                *numbered
	code             int // the highest code entered
	positions, ended uint64
	most             int // largest number of moves of a position
}

func (r *run) seed(ctx context.Context) error {
	seeders := make([]*seeder, len(r.mails))
	for i := range seeders {
		s := &seeder{r: r, w: r.numbers.worker(), code: 1}
		if s.w.safe != nil {
			s.code = 3
		}
		seeders[i] = s
	}
	var done atomic.Int64
	err := parallel(ctx, seeders, r.blocks.count, func(s *seeder) asker { return s.w }, func(s *seeder, b int) error {
		r.yield()
		from, to := r.blocks.bounds(b)
		r.layer.space.Charge(int(to - from))
		for n := from; n < to; n++ {
			if err := s.enter(n); err != nil {
				return err
			}
		}
		if d := done.Add(1); d%64 == 0 {
			r.alloc.Lock()
			r.report(0, 0, 0.3*float64(d)/float64(r.blocks.count))
			r.alloc.Unlock()
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range seeders {
		r.positions, r.decided, r.most = r.positions+s.positions, r.decided+s.ended, max(r.most, s.most)
		r.code = s.code // codes up to this one are complete, since ends were seen ahead
	}
	return nil
}

// The first pass compares every number with the number of its position. If there are more than
// allChecked numbers, it compares only every checked-th.
const (
	allChecked = 1 << 22
	checked    = 8
)

// enter enters a number into the layer: the result of a finished position, or the number of moves
// of another.
func (s *seeder) enter(n uint64) error {
	r, l := s.r, s.r.layer
	seat, result, ok := s.w.at(n)
	if !ok {
		if from := r.numbers.graph.from; from != nil && from[n] != from[n+1] {
			return fmt.Errorf("a move leads to number %d, which is no position's", n)
		}
		return nil
	}
	s.positions++
	if l.set == 1 && (n%checked == 0 || l.size <= allChecked) {
		if err := s.w.check(n); err != nil {
			return err
		}
	}
	if winner, ok := result.Winner(); ok {
		l.put(n, 1)
		s.ended++
		if l.side[winner] != l.last(seat, 0) {
			return r.setOdd(n)
		}
	} else if result == game.Ongoing {
		plies, moves := 0, 0
		if s.w.safe != nil {
			plies, s.w.list = endsSoon(s.w.safe, s.w.list[:0])
			moves = len(s.w.list)
		} else {
			moves = s.w.moves()
		}
		switch s.most = max(s.most, moves); {
		case plies > 0:
			l.put(n, plies+1)
			s.ended++
			return nil
		case moves == 0, moves > wideMax:
			return checkMoves(n, moves)
		case l.top()+1-moves <= s.code:
			return errLong
		}
		l.put(n, l.top()+1-moves)
	}
	return nil
}

// setOdd records that the side that moves last does not win the game from a position. The caller
// holds the lock of the block.
func (r *run) setOdd(n uint64) error {
	odd := r.layer.odd.Load()
	if odd == nil {
		r.alloc.Lock()
		defer r.alloc.Unlock()
		if odd = r.layer.odd.Load(); odd == nil {
			bits, err := plane[uint64](r.layer.space, "positions won by who did not move last", (r.layer.size+63)/64)
			if err != nil {
				return err
			}
			odd = &bits
			r.layer.odd.Store(odd)
		}
	}
	(*odd)[n/64] |= 1 << (n % 64)
	return nil
}

// errLong says that bytes are too small for the cells, or words of 16 bits.
var errLong = errors.New("there are too many moves, or too many plies")

// lengthen makes the cells words of 16 bits.
func (r *run) lengthen() (err error) {
	l := r.layer
	if l.long != nil {
		return errLong
	}
	long, err := plane[uint16](l.space, "positions with many moves or far from the end", l.size)
	if err != nil {
		return err
	}
	for n, c := range l.cells {
		if long[n] = uint16(c); int(c) > r.code {
			long[n] += wideMax - topByte
		}
	}
	l.space.give(l.size)
	l.cells, l.long = nil, long
	return nil
}

// A message to a position has the number within the block, a bit that says that the position is
// decided (else it has one open move fewer), and the bit of odd.
const (
	decides = 1 << 31
	isOdd   = 1 << 30
)

// push does one ply: it sends the results of the last ply to the positions before.
func (r *run) push(ctx context.Context) (found uint64, err error) {
	next := r.code + 1
	if r.layer.top()+1-next <= r.most { // the next code meant open so far, and will mean decided
		if err := r.lengthen(); err != nil {
			return 0, err
		}
	}
	pushers := make([]*pusher, len(r.mails))
	for i := range pushers {
		p := &pusher{r: r, w: r.numbers.worker(), mail: r.mails[i], next: next}
		p.mail.clear()
		p.mail.deliver = p.deliver
		for c := range 256 {
			p.fewer[c], p.decide[c] = uint16(c), uint16(c)
			if c > next {
				p.fewer[c], p.decide[c] = uint16(c+1), uint16(next)|isNew
			}
		}
		p.fewer[topByte] = p.decide[topByte]
		pushers[i] = p
	}
	err = parallel(ctx, pushers, r.blocks.count, func(p *pusher) asker { return p.w }, (*pusher).block)
	if err == nil {
		err = host.Parallel(ctx, pushers, len(pushers), func(_ *pusher, i int) error {
			pushers[i].mail.empty()
			return pushers[i].err
		})
	}
	for _, p := range pushers {
		found += p.found
	}
	return found, err
}

// pusher is the state of a goroutine in a push.
type pusher struct {
	r    *run
	w    *numbered
	mail *mail
	// The new byte after a message, by the old one, with isNew if the message decides it.
	fewer, decide [256]uint16
	next          int      // code of a cell decided in this ply
	list          []uint64 // positions of the block decided by the last ply; the top bit is the bit of odd
	buf           []uint64
	found         uint64
	err           error // error of deliver
}

const (
	isNew = 1 << 8
	// listed is the number of positions listed at once.
	listed = 1 << 12
)

// block pushes the positions of a block that the last ply decided.
func (p *pusher) block(b int) error {
	r, l := p.r, p.r.layer
	r.yield()
	if !r.fresh[r.code&1][b].Swap(false) {
		return nil
	}
	from, to := r.blocks.bounds(b)
	l.space.Charge(int(to - from))
	for n := from; n < to; {
		n = p.frontier(b, n)
		if err := p.push(); err != nil {
			return err
		}
	}
	return p.err
}

// frontier lists positions of a block that the last ply decided, from number n on. It returns the
// number to continue from.
func (p *pusher) frontier(b int, n uint64) uint64 {
	l := p.r.layer
	_, to := p.r.blocks.bounds(b)
	p.list = p.list[:0]
	p.r.locks[b].Lock()
	defer p.r.locks[b].Unlock()
	for ; n < to && len(p.list) < listed; n++ {
		i := -1
		if l.long == nil {
			i = bytes.IndexByte(l.cells[n:to], byte(p.r.code))
		} else {
			i = slices.Index(l.long[n:to], uint16(p.r.code))
		}
		if i < 0 {
			return to
		}
		n += uint64(i)
		p.list = append(p.list, n|uint64(l.isOdd(n))<<63)
	}
	return n
}

// push sends messages to the positions before the listed ones.
func (p *pusher) push() error {
	r, l := p.r, p.r.layer
	size, shift, mask := r.blocks.size, r.blocks.bits, uint64(1)<<r.blocks.bits-1
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
			if to >= size {
				return fmt.Errorf("before position %d is number %d, there are %d", n, to, size)
			}
			if block := int(to >> shift); p.mail.put(block, uint32(to&mask)|flags) {
				p.mail.hand(block)
			}
		}
	}
	return nil
}

// deliver applies a block's messages to its cells.
func (p *pusher) deliver(block int, messages []uint32) {
	r, l := p.r, p.r.layer
	from, to := r.blocks.bounds(block)
	l.space.Charge(min(len(messages)*host.PageSize, int(to-from)))
	r.locks[block].Lock()
	defer r.locks[block].Unlock()
	found := uint64(0)
	if l.long != nil || l.odd.Load() != nil {
		for _, m := range messages {
			if p.tell(from, m) {
				found++
			}
		}
	} else {
		cells := l.cells[from:to]
		for _, m := range messages {
			c := &cells[m&^(decides|isOdd)]
			to := p.fewer[*c]
			if m&decides != 0 {
				to = p.decide[*c]
			}
			*c = byte(to)
			found += uint64(to / isNew)
		}
	}
	if p.found += found; found > 0 {
		r.fresh[p.next&1][block].Store(true)
	}
}

// tell applies one message to any kind of cells, and says whether it decides one.
func (p *pusher) tell(from uint64, m uint32) bool {
	l, n := p.r.layer, from+uint64(m&^(decides|isOdd))
	switch c := l.at(n); {
	case c <= p.next:
		return false
	case m&decides == 0 && c < l.top():
		l.put(n, c+1)
		return false
	}
	l.put(n, p.next)
	if m&isOdd != 0 {
		p.err = cmp.Or(p.r.setOdd(n), p.err)
	}
	return true
}
