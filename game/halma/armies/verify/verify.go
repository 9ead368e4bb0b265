package verify

import (
	"context"
	"fmt"
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
	// Sample, if not 0, is the number of positions to check, drawn at random from
	// Seed in bundles that are read together; otherwise all are.
	Sample uint64
	Seed   uint64
	// Tile, if not nil, is the one tile of which all positions are checked.
	Tile *int
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
	if o.Tile != nil && (*o.Tile < 0 || *o.Tile >= t.Tiles()) {
		return Verdict{}, fmt.Errorf("verify: there is no tile %d: the table has %d", *o.Tile, t.Tiles())
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	whole := uint64(0)
	for _, n := range info.Positions {
		whole += n
	}
	var lists [][]bitboard.Set128 // the armies of each seat
	units := uint64(info.Period)
	for seat := range info.Seats {
		lists = append(lists, place(info, seat, bitboard.Set128{}))
		if seat > 1 {
			units *= uint64(len(lists[seat]))
		}
	}
	var (
		mu     sync.Mutex
		all    Verdict
		failed error
		wait   sync.WaitGroup
		next   atomic.Uint64
		drawn  atomic.Uint64
	)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range o.Threads {
		wait.Go(func() {
			w := &verifier{g: g, play: g, t: t, info: info, lists: lists, tile: o.Tile}
			if o.Reference {
				w.play = g.Mailbox()
			}
			if o.Sample > 0 {
				w.wanted = func() bool { return drawn.Add(1) <= o.Sample }
			}
			for ctx.Err() == nil {
				i := next.Add(1) - 1
				done := 0.0
				var more bool
				var err error
				if o.Sample > 0 {
					more, err = w.random(ctx, rand.New(rand.NewPCG(o.Seed, i)))
					done = min(1, float64(drawn.Load())/float64(o.Sample))
				} else if more = i < units; more {
					_, err = w.unit(ctx, i)
					done = float64(i) / float64(units)
				}
				mu.Lock()
				all.add(&w.found)
				w.found = Verdict{}
				if o.Progress != nil {
					o.Progress(done)
				}
				if err != nil && failed == nil {
					failed = err
				}
				mu.Unlock()
				if err != nil {
					stop()
				}
				if !more {
					return
				}
			}
		})
	}
	wait.Wait()
	if failed == nil {
		failed = ctx.Err()
	}
	if failed == nil && o.Sample == 0 && o.Tile == nil && all.Checked != whole {
		failed = fmt.Errorf("verify: the table has %d positions, the game %d", whole, all.Checked)
	}
	return all, failed
}

// add adds what somebody else has found.
func (v *Verdict) add(w *Verdict) {
	v.Checked += w.Checked
	v.Faults += w.Faults
	v.First = append(v.First, w.First[:min(len(w.First), maxFaults-len(v.First))]...)
}

// place lists the placements of a seat's army on cells that are not taken.
func place(info tiles.Info, seat int, taken bitboard.Set128) (list []bitboard.Set128) {
	free := slices.Collect(open(info, seat).AndNot(taken).Cells())
	var put func(from, left int, army bitboard.Set128)
	put = func(from, left int, army bitboard.Set128) {
		if left == 0 {
			list = append(list, army)
			return
		}
		for i := from; i < len(free); i++ {
			put(i+1, left-1, army.With(free[i]))
		}
	}
	put(0, info.Pieces, bitboard.Set128{})
	return list
}

// open is the cells where the pieces of a seat may stand.
func open(info tiles.Info, seat int) (cells bitboard.Set128) {
	for _, c := range info.Places[seat%info.Period] {
		for range seat / info.Period {
			c = info.Turn[c]
		}
		cells = cells.With(c)
	}
	return cells
}

// verifier checks positions in one goroutine.
type verifier struct {
	g      *halma.Game
	play   game.Game
	t      *tiles.Table
	info   tiles.Info
	lists  [][]bitboard.Set128 // the armies of each seat
	tile   *int
	wanted func() bool // whether one more position is to be checked; nil for always
	found  Verdict
	moves  []game.Move
	after  []bitboard.Set128
}

// A unit of work is the positions with a seat to move in which all armies lie
// still but those of this seat and the one before it: what follows from them
// stands in one slab of the table.

// unit checks all positions of the i-th unit that are in the tile.
func (w *verifier) unit(ctx context.Context, i uint64) (more bool, err error) {
	n := w.info.Seats
	seat := int(i % uint64(w.info.Period))
	i /= uint64(w.info.Period)
	armies := make([]bitboard.Set128, n)
	var taken bitboard.Set128
	for at := 1; at < n-1; at++ {
		s := (seat + at) % n
		list := w.lists[s]
		armies[s] = list[i%uint64(len(list))]
		if i /= uint64(len(list)); !armies[s].And(taken).IsEmpty() {
			return true, nil
		}
		taken = taken.Or(armies[s])
	}
	return w.slab(ctx, seat, armies, taken, w.lists[seat])
}

// bundle is the number of armies of the seat to move that a sample takes from a
// unit.
const bundle = 8

// random checks a part of a unit drawn at random.
func (w *verifier) random(ctx context.Context, r *rand.Rand) (more bool, err error) {
	n := w.info.Seats
	seat := r.IntN(n)
	armies := make([]bitboard.Set128, n)
	var taken bitboard.Set128
	for at := 1; at < n-1; at++ {
		s := (seat + at) % n
		armies[s] = w.lists[s][r.IntN(len(w.lists[s]))]
		if !armies[s].And(taken).IsEmpty() {
			return true, nil
		}
		taken = taken.Or(armies[s])
	}
	var movers []bitboard.Set128
	for range bundle {
		army := w.lists[seat][r.IntN(len(w.lists[seat]))]
		if !slices.Contains(movers, army) {
			movers = append(movers, army)
		}
	}
	return w.slab(ctx, seat, armies, taken, movers)
}

// slab checks positions with a seat to move that has one of the armies movers, the
// armies taken lying still. It reports whether more are wanted.
func (w *verifier) slab(ctx context.Context, seat int, armies []bitboard.Set128, taken bitboard.Set128, movers []bitboard.Set128) (more bool, err error) {
	n := w.info.Seats
	last, next := (seat+n-1)%n, (seat+1)%n
	type row struct {
		army bitboard.Set128
		*tiles.Row
	}
	var rows []row
	for _, army := range movers {
		if !army.And(taken).IsEmpty() {
			continue
		}
		armies[seat] = army
		r, err := w.t.Row(seat, armies)
		if err != nil {
			return false, err
		}
		if w.tile == nil || r.Tile() == *w.tile {
			rows = append(rows, row{army, r})
		}
	}
	if len(rows) == 0 {
		return true, nil
	}
	for _, army := range w.lists[last] {
		if !army.And(taken).IsEmpty() {
			continue
		}
		if ctx.Err() != nil {
			return false, nil
		}
		armies[last] = army
		var after *tiles.Row
		for _, r := range rows {
			if !r.army.And(army).IsEmpty() {
				continue
			}
			if w.wanted != nil && !w.wanted() {
				return false, nil
			}
			armies[seat] = r.army
			if after == nil {
				if after, err = w.t.Row(next, armies); err != nil {
					return false, err
				}
			}
			fault, err := w.check(seat, armies, r.Row, after)
			if err != nil {
				return false, err
			}
			w.found.Checked++
			if fault != "" {
				if w.found.Faults++; len(w.found.First) < maxFaults {
					w.found.First = append(w.found.First, fault)
				}
			}
		}
	}
	return true, nil
}

// check compares the entries of a position for all sets of seats, in row, with
// those of the positions that its moves lead to, in after.
func (w *verifier) check(seat int, armies []bitboard.Set128, row, after *tiles.Row) (fault string, err error) {
	s, err := w.play.Parse(positionText(w.g, seat, armies))
	if err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	n := w.info.Seats
	result := s.Result()
	winner, won := result.Winner()
	w.after = w.after[:0]
	if result == game.Ongoing {
		w.moves = s.Moves(w.moves[:0])
		for _, m := range w.moves {
			army := armies[seat]
			if m != game.Pass {
				from, to := halma.Cells(m)
				army = army.Without(from).With(to)
			}
			w.after = append(w.after, army)
		}
	}
	for _, relative := range w.info.Sets {
		set := uint8(relative<<seat|relative>>(n-seat)) & (1<<n - 1)
		v, d, err := row.Value(set, armies[(seat+n-1)%n])
		if err != nil {
			return "", err
		}
		want, plies := game.Draw, 0
		if won {
			want = game.Loss
			if set>>winner&1 != 0 {
				want = game.Win
			}
		} else if result == game.Ongoing {
			// The seat to move is one of the set.
			want = game.Unknown
			for _, army := range w.after {
				v, d, err := after.Value(set, army)
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

// positionText is a position as the rules read it.
func positionText(g *halma.Game, seat int, armies []bitboard.Set128) string {
	b := g.Board()
	var line []byte
	last := 0
	for c := range b.Cells() {
		if row, _ := b.Place(c); row != last {
			line, last = append(line, '.'), row
		}
		glyph := byte('_')
		for s, army := range armies {
			if army.Has(c) {
				glyph = g.SeatName(s)[0]
			}
		}
		line = append(line, glyph)
	}
	return string(line) + "-" + g.SeatName(seat)
}
