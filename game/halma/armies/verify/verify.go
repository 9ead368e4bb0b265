package verify

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies/tiles"
)

// Options say what to verify.
type Options struct {
	// Sample, if not 0, is the number of positions to check, in rows drawn at random
	// from Seed; otherwise all are.
	Sample uint64
	Seed   uint64
	// Threads is the number of goroutines, all processors if 0.
	Threads int
	// Reference uses the game's plain second move generator, which is slow.
	Reference bool
	// Progress, if not nil, is called with the share done.
	Progress func(done float64)
}

// Verdict is what a verification found.
type Verdict struct {
	Checked uint64 // positions, each for all sets of seats
	Faults  uint64
	First   []string // the first few that were found
}

// maxFaults is how many faults are described.
const maxFaults = 10

// CheckBoard refuses a table whose description is not that of the game: cells
// where pieces may stand, camps and seats.
func CheckBoard(g *halma.Game, info tiles.Info) error {
	b := g.Board()
	if info.Game != g.ID() || info.Rules != g.Rules() {
		return fmt.Errorf("verify: the table is of %s under rules %s, not of %s under %s", info.Game, info.Rules, g.ID(), g.Rules())
	}
	if info.Seats != g.Seats() || info.Pieces != b.Pieces() || info.Cells != b.Cells() {
		return fmt.Errorf("verify: the table has %d seats with %d pieces on %d cells, the game %d with %d on %d",
			info.Seats, info.Pieces, info.Cells, g.Seats(), b.Pieces(), b.Cells())
	}
	// The turn of the board leads from each home to that of the seat a period
	// later, and keeps neighbours; places hold home and goal.
	for c, to := range info.Turn {
		for d := range halma.Dir(halma.Dirs) {
			n := b.Next(c, d)
			if n < 0 {
				continue
			}
			beside := false
			for e := range halma.Dir(halma.Dirs) {
				beside = beside || b.Next(to, e) == info.Turn[n]
			}
			if !beside {
				return fmt.Errorf("verify: the table's turn of the board parts cells %d and %d", c, n)
			}
		}
	}
	for seat := range info.Seats {
		for _, camp := range []func(int) bitboard.Set128{g.Home, g.Goal} {
			for c := range camp(seat).Cells() {
				if later := (seat + info.Period) % info.Seats; !camp(later).Has(info.Turn[c]) {
					return fmt.Errorf("verify: the table's turn of the board does not take the camps of seat %d to those of seat %d", seat, later)
				}
				if seat < info.Period && !slices.Contains(info.Places[seat], c) {
					return fmt.Errorf("verify: the table has no place for seat %d on cell %d of its camps", seat, c)
				}
			}
		}
	}
	return nil
}

// Table checks that the values and distances in a table are those of the game:
// each is compared with what the rules' own move generator and the entries of the
// following positions say.
func Table(ctx context.Context, g *halma.Game, t *tiles.Table, o Options) (Verdict, error) {
	info := t.Info()
	if err := CheckBoard(g, info); err != nil {
		return Verdict{}, err
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	all := uint64(0)
	for _, n := range info.Positions {
		all += n
	}
	var (
		mu     sync.Mutex
		v      Verdict
		failed error
		wait   sync.WaitGroup
		next   atomic.Uint64
		drawn  atomic.Uint64
	)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	firsts := place(info, 0, 0)
	want := all
	if o.Sample > 0 {
		want = o.Sample
	}
	for range o.Threads {
		wait.Go(func() {
			w := &verifier{g: g, t: t, info: info, play: g}
			if o.Reference {
				w.play = g.Mailbox()
			}
			check := func(seat int, armies []uint64) bool {
				if ctx.Err() != nil || o.Sample > 0 && drawn.Add(1) > o.Sample {
					return false
				}
				fault, err := w.check(seat, armies)
				mu.Lock()
				defer mu.Unlock()
				v.Checked++
				if fault != "" {
					if v.Faults++; len(v.First) < maxFaults {
						v.First = append(v.First, fault)
					}
				}
				if err != nil {
					failed = err
					stop()
					return false
				}
				if o.Progress != nil && v.Checked&1023 == 0 {
					o.Progress(min(1, float64(v.Checked)/float64(want)))
				}
				return true
			}
			for {
				i := next.Add(1) - 1
				if o.Sample > 0 {
					if !w.random(rand.New(rand.NewPCG(o.Seed, i)), check) {
						return
					}
					continue
				}
				// A unit of work is the positions of a seat with one army of the first.
				if i >= uint64(info.Period*len(firsts)) || !w.walk(int(i)%info.Period, firsts[int(i)/info.Period], check) {
					return
				}
			}
		})
	}
	wait.Wait()
	if failed != nil {
		return v, failed
	}
	if o.Sample == 0 && ctx.Err() == nil && v.Checked != all {
		return v, fmt.Errorf("verify: the table has %d positions, the game %d", all, v.Checked)
	}
	return v, ctx.Err()
}

// place lists the placements of a seat's army on cells that are not taken.
func place(info tiles.Info, seat int, taken uint64) (list []uint64) {
	free := cells(open(info, seat) &^ taken)
	var put func(from, left int, army uint64)
	put = func(from, left int, army uint64) {
		if left == 0 {
			list = append(list, army)
			return
		}
		for i := from; i < len(free); i++ {
			put(i+1, left-1, army|1<<free[i])
		}
	}
	put(0, info.Pieces, 0)
	return list
}

// open is the cells where the pieces of a seat may stand.
func open(info tiles.Info, seat int) (cells uint64) {
	for _, c := range info.Places[seat%info.Period] {
		for range seat / info.Period {
			c = info.Turn[c]
		}
		cells |= 1 << c
	}
	return cells
}

// verifier checks positions in one goroutine.
type verifier struct {
	g    *halma.Game
	play game.Game
	t    *tiles.Table
	info tiles.Info
}

// walk calls check for all positions with a seat to move and an army of the first
// seat, until it returns false.
func (w *verifier) walk(seat int, first uint64, check func(int, []uint64) bool) bool {
	var put func(armies []uint64) bool
	put = func(armies []uint64) bool {
		if len(armies) == w.info.Seats {
			return check(seat, armies)
		}
		taken := uint64(0)
		for _, army := range armies {
			taken |= army
		}
		for _, army := range place(w.info, len(armies), taken) {
			if !put(append(armies[:len(armies):len(armies)], army)) {
				return false
			}
		}
		return true
	}
	return put([]uint64{first})
}

// random calls check for the positions of a row drawn at random, until it returns
// false: all armies but that of the seat before the one to move lie still. What
// follows from a row stands in few blocks of the table.
func (w *verifier) random(r *rand.Rand, check func(int, []uint64) bool) bool {
	n := w.info.Seats
	seat := r.IntN(n)
	armies := make([]uint64, n)
	for {
		taken := uint64(0)
		for i := range n - 1 {
			s := (seat + i) % n
			free := cells(open(w.info, s) &^ taken)
			if len(free) < w.info.Pieces {
				break
			}
			r.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
			armies[s] = 0
			for _, c := range free[:w.info.Pieces] {
				armies[s] |= 1 << c
			}
			taken |= armies[s]
		}
		last := (seat + n - 1) % n
		armies[last] = 0
		if list := place(w.info, last, taken); len(list) > 0 && bits.OnesCount64(taken) == (n-1)*w.info.Pieces {
			for _, armies[last] = range list {
				if !check(seat, armies) {
					return false
				}
			}
			return true
		}
	}
}

// cells lists a set.
func cells(set uint64) (list []int) {
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}

// check compares the entries of a position for all sets of seats with those of
// the positions that its moves lead to.
func (w *verifier) check(seat int, armies []uint64) (fault string, err error) {
	s, err := w.play.Parse(positionText(w.g, seat, armies))
	if err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	n := w.info.Seats
	moves := s.Moves(nil)
	// All that the moves lead to, as seats' armies.
	var after [][]uint64
	for _, m := range moves {
		s.Make(m)
		after = append(after, sides(s, n))
		s.Unmake()
	}
	for _, relative := range w.info.Sets {
		set := uint8(relative<<seat|relative>>(n-seat)) & (1<<n - 1)
		v, d, err := w.t.Value(set, seat, armies)
		if err != nil {
			return "", err
		}
		want, plies := game.Draw, 0
		if winner, ok := s.Result().Winner(); ok {
			want = game.Loss
			if set>>winner&1 != 0 {
				want = game.Win
			}
		} else if s.Result() == game.Ongoing {
			// The seat to move is one of the set.
			want = game.Unknown
			for _, next := range after {
				v, d, err := w.t.Value(set, (seat+1)%n, next)
				if err != nil {
					return "", err
				}
				switch d++; {
				case v > want:
					want, plies = v, d
				case v == want && v == game.Win:
					plies = min(plies, d)
				case v == want && v == game.Loss:
					plies = max(plies, d)
				}
			}
			if want == game.Draw {
				plies = 0
			}
		}
		if v != want || d != plies {
			return fmt.Sprintf("%s, seats %b: %v in %d, want %v in %d", s, set, v, d, want, plies), nil
		}
	}
	return "", nil
}

// sides returns the pieces of each seat as cells.
func sides(s game.State, n int) (armies []uint64) {
	p := s.(interface {
		Pieces(seat int) bitboard.Set128
	})
	for seat := range n {
		armies = append(armies, p.Pieces(seat).Lo)
	}
	return armies
}

// positionText is a position as the rules read it.
func positionText(g *halma.Game, seat int, armies []uint64) string {
	b := g.Board()
	var line []byte
	last := 0
	for c := range b.Cells() {
		if row, _ := b.Place(c); row != last {
			line, last = append(line, '.'), row
		}
		glyph := byte('_')
		for s, army := range armies {
			if army>>c&1 != 0 {
				glyph = g.SeatName(s)[0]
			}
		}
		line = append(line, glyph)
	}
	return string(line) + "-" + g.SeatName(seat)
}
