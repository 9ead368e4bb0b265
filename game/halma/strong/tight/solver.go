package tight

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
)

// solver is a solve in memory under way.
type solver struct {
	*layout
	threads int
	// table has a word for each row and 32 columns, those of one 32 columns side by side
	// (see at32): wins in the lower half, in the upper what is new since the row was last
	// worked on. A new one that is no win is a
	// loss. The table does not tell an old loss from an undecided position. Where there is
	// room for seen, the upper half is all that is decided, and new is what seen lacks.
	table []uint64
	// known has for each row the positions against its army that are known to be won
	// or over; nil where there is no room for it.
	known, seen []uint64
	due         []atomic.Bool // rows with something new
	decided     atomic.Uint64
	illegal     atomic.Uint64 // illegal positions, mirror images included
	level       int
	progress    func(strong.Progress)
	told        float64
}

// Options say how to solve.
type Options struct {
	// Threads is the number of goroutines that work, all processors if 0. It changes
	// the time, never the result.
	Threads int
	// Memory bounds the resident memory in bytes; 0 means no bound. See [Plan].
	Memory uint64
	// Progress, if not nil, is called from time to time, never concurrently.
	Progress func(strong.Progress)
}

// Solve finds the value of every position of a two-army game. The error says why the
// game cannot be solved this way, or is the context's.
func Solve(ctx context.Context, t *halma.TwoArmy, o Options) (*Solution, error) {
	plan, err := NewPlan(t, o.Threads)
	if err != nil {
		return nil, err
	}
	if o.Memory > 0 && o.Memory < plan.Least {
		return nil, fmt.Errorf("tight: %s: %d bytes of memory: at least %d are needed", t.ID, o.Memory, plan.Least)
	}
	b, err := newBoard(t)
	if err != nil {
		return nil, err
	}
	l, err := newLayout(b)
	if err != nil {
		return nil, err
	}
	s := &solver{layout: l, threads: threads(o.Threads), progress: o.Progress}
	s.table = make([]uint64, 2*l.rows*l.words)
	s.due = make([]atomic.Bool, l.rows)
	for i, plane := range []*[]uint64{&s.known, &s.seen} {
		if size := l.rows * l.words; o.Memory == 0 || o.Memory >= plan.Least+uint64(i+1)*uint64(size)*8 {
			*plane = make([]uint64, size)
		}
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s.solution(), nil
}

func threads(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// run makes passes until nothing changes, and where losses are not kept a last one
// that tells them from draws.
func (s *solver) run(ctx context.Context) error {
	rows := make([]*row, s.threads)
	for i := range rows {
		rows[i] = newRow(s.layout)
	}
	var mu sync.Mutex
	pass := func(do func(r *row, i int)) error {
		var next atomic.Int64
		var wait sync.WaitGroup
		for _, r := range rows {
			wait.Go(func() {
				for ctx.Err() == nil {
					i := int(next.Add(1)) - 1
					if i >= s.rows {
						return
					}
					do(r, i)
					if s.progress != nil && i%64 == 0 {
						mu.Lock()
						s.told = max(s.told, s.share())
						s.progress(strong.Progress{Pass: s.level, Share: s.told, Decided: s.decided.Load()})
						mu.Unlock()
					}
				}
			})
		}
		wait.Wait()
		return ctx.Err()
	}
	if err := pass(s.markTerminal); err != nil {
		return err
	}
	for before := uint64(0); s.decided.Load() != before; {
		before = s.decided.Load()
		s.level++
		if err := pass(s.visit); err != nil {
			return err
		}
	}
	if s.seen != nil {
		return nil
	}
	s.known = nil
	s.level++
	return pass(s.findLosses)
}

// share estimates what part of the solve is done: of the places decided. The last of
// them take longest, and where many are drawn not all ever are.
func (s *solver) share() float64 {
	decided := float64(s.decided.Load()) / float64(s.rows*s.cols)
	return min(decided*decided, 0.99)
}

// terminal calls do for the positions of a row that are over or illegal.
func (l *layout) terminal(r *row, i int, do func(c int, state state)) {
	mover := l.army[i]
	free := l.b.open &^ mover
	r.over = l.b.overIfOther(r.over[:0], mover)
	l.meeting(r.ending, r.over, free)
	for i, x := range r.ending {
		for ; x != 0; x &= x - 1 {
			c := i<<6 | bits.TrailingZeros64(x)
			if state := l.b.state(mover, bitboard.Deposit64(l.set[c], free)); state != ongoing {
				do(c, state)
			}
		}
	}
}

// markTerminal marks the positions of a row that are over or illegal.
func (s *solver) markTerminal(r *row, i int) {
	decided, illegal := uint64(0), uint64(0)
	s.terminal(r, i, func(c int, state state) {
		word, win := &s.table[s.at32(i, c)], uint64(1)<<(c&31)
		decided++
		switch state {
		case isIllegal:
			*word |= win
			decided--
			illegal++
		case isWon:
			*word |= win | win<<32
		case isLost:
			*word |= win << 32
		}
	})
	if decided > 0 {
		s.due[i].Store(true)
	}
	s.decided.Add(decided)
	s.illegal.Add(s.weight(i) * illegal)
}

// findLosses marks as new, once nothing else is, the losses that a row shows.
func (s *solver) findLosses(r *row, i int) {
	clear(r.newLoss)
	for w := range r.win {
		low, high := atomic.LoadUint64(&s.table[s.at32(i, 64*w)]), atomic.LoadUint64(&s.table[s.at32(i, 64*w+32)])
		r.win[w] = low&half | high<<32
	}
	copy(r.newWin, r.win)
	s.terminal(r, i, func(c int, state state) {
		switch state {
		case isIllegal:
			r.newWin[c>>6] &^= 1 << (c & 63)
		case isLost:
			atomic.OrUint64(&s.table[s.at32(i, c)], 1<<32<<(c&31))
		}
	})
	r.known = r.scratch
	clear(r.known)
	r.propagate(i)
	s.enter(r)
}

// visit works on a row.
func (s *solver) visit(r *row, i int) {
	if !s.due[i].Load() || !s.due[i].Swap(false) {
		return
	}
	for w := range r.win {
		var low, high, seen uint64
		lower, upper := &s.table[s.at32(i, 64*w)], &s.table[s.at32(i, 64*w+32)]
		if s.seen != nil {
			low, high = atomic.LoadUint64(lower), atomic.LoadUint64(upper)
			seen = s.seen[i*s.words+w]
			s.seen[i*s.words+w] = low>>32 | high&^half
		} else {
			low, high = take(lower), take(upper)
		}
		win, fresh := low&half|high<<32, (low>>32|high&^half)&^seen
		r.win[w], r.newWin[w], r.newLoss[w] = win, fresh&win, fresh&^win
	}
	if s.known != nil {
		r.known = s.known[i*s.words : (i+1)*s.words]
	} else {
		r.known = r.scratch
		clear(r.known)
	}
	r.propagate(i)
	s.decided.Add(s.enter(r))
}

// fetched is how many words of the table are asked for at once.
const fetched = 128

// enter enters into the table what a row has found, and returns how much of that is
// new.
func (s *solver) enter(r *row) (n uint64) {
	m := 0
	for win, columns := range [2][]uint32{r.losses, r.wins} {
		value := 1<<32 | uint64(win)
		for _, c := range columns {
			to, col, image := r.back.before(c)
			r.marks[m] = mark{s.at32(to, int(col)), value << (col & 31), uint32(to)}
			m++
			if image != col {
				r.marks[m] = mark{s.at32(to, int(image)), value << (image & 31), uint32(to)}
				m++
			}
			if m >= fetched {
				n += s.enterMarks(r, m)
				m = 0
			}
		}
	}
	return n + s.enterMarks(r, m)
}

// enterMarks enters the first n marks of a row, and returns how many are new.
func (s *solver) enterMarks(r *row, n int) (entered uint64) {
	marks, ahead := r.marks[:n], uint64(0)
	// The words are fetched, all at once, before they are changed one by one.
	for i := range marks {
		ahead += atomic.LoadUint64(&s.table[marks[i].at])
	}
	r.ahead += ahead
	for i := range marks {
		m := &marks[i]
		if atomic.LoadUint64(&s.table[m.at])&m.bits&half != 0 {
			continue // a win that was known
		}
		entered++
		if s.threads == 1 {
			s.table[m.at] |= m.bits
		} else {
			atomic.OrUint64(&s.table[m.at], m.bits)
		}
		if due := &s.due[m.row]; !due.Load() {
			due.Store(true)
		}
	}
	return entered
}

const half = 1<<32 - 1

// take returns a word of the table and takes what is new from it.
func take(word *uint64) uint64 {
	x := atomic.LoadUint64(word)
	if x>>32 != 0 {
		x = atomic.AndUint64(word, half)
	}
	return x
}

// mark is bits to be set in a word of the table.
type mark struct {
	at   int
	bits uint64
	row  uint32
}
