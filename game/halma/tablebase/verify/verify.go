package verify

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/tablebase"
)

// Consistent checks that a value and distance of a two-player position follow
// from those of the positions its moves lead to, or from its result if it is
// over. value says what is claimed of a position for its mover. The state comes
// back as it was. Without distances only values are compared.
//
// If this holds for every position, all values are right: wins and losses by
// induction on the distance, and draws because neither player can leave the set of
// drawn positions for one that is lost for the other. It takes distances: values
// alone can support each other in a cycle.
func Consistent(s game.State, v game.Value, d int, distances bool, value func(game.State) (game.Value, int)) error {
	wrong := func(want game.Value, in int) error {
		return fmt.Errorf("%s: %v in %d, want %v in %d", s, v, d, want, in)
	}
	if r := s.Result(); r != game.Ongoing {
		want := game.Draw
		if winner, ok := r.Winner(); ok {
			if want = game.Loss; winner == s.Seat() {
				want = game.Win
			}
		}
		if v != want || distances && d != 0 {
			return wrong(want, 0)
		}
		return nil
	}
	want, in := game.Loss, 0
	for _, m := range s.Moves(nil) {
		s.Make(m)
		next, n := value(s)
		s.Unmake()
		switch next = next.Negate(); {
		case next == game.Unknown:
			return fmt.Errorf("%s: move %s leads to a position without a value", s, s.MoveString(m))
		case next > want:
			want, in = next, n+1
		case next == want && next == game.Win:
			in = min(in, n+1)
		case next == want && next == game.Loss:
			in = max(in, n+1)
		}
	}
	if want == game.Draw {
		in = 0
	}
	if v != want || distances && d != in {
		return wrong(want, in)
	}
	return nil
}

// Fault is a position that a table has wrong.
type Fault struct {
	Index uint64
	Why   error
}

func (f Fault) Error() string { return fmt.Sprintf("position %d: %v", f.Index, f.Why) }

func (f Fault) Unwrap() error { return f.Why }

// Verdict is what a verification found.
type Verdict struct {
	Checked uint64 // positions
	Faults  uint64
	First   []Fault // the first few, in order of their numbers
	// The counts of the positions checked, mirror images included; if all were
	// checked they are those of the game.
	Wins, Losses, Draws, Illegal uint64
}

// maxFaults is how many faults are described.
const maxFaults = 10

// Options say what to verify.
type Options struct {
	// Sample, if not 0, is the number of positions to check, evenly spread.
	Sample uint64
	// Memory, if not 0, bounds what the second numbering of the positions takes, in
	// bytes.
	Memory uint64
	// Threads is the number of goroutines, all processors if 0.
	Threads int
	// Reference uses the game's plain second move generator, which is slow.
	Reference bool
	// Progress, if not nil, is called with the share done.
	Progress func(done float64)
}

// Table checks that the values and distances in a table of distances are those
// of the game: each is compared with what the rules' own move generator and the
// entries of the following positions say. Of a table of values it checks that no
// entry contradicts those that follow, which proves less: see [Consistent].
//
// It shares nothing with the solver. Positions are numbered here again, by
// FORMAT.md of package tablebase.
func Table(ctx context.Context, g *halma.Game, t *tablebase.Table, o Options) (Verdict, error) {
	info := t.Info()
	if info.Game != g.ID() || info.Rules != g.Rules() {
		return Verdict{}, fmt.Errorf("verify: the table is of %s under rules %s, not of %s under %s", info.Game, info.Rules, g.ID(), g.Rules())
	}
	if err := CheckBoard(g, info); err != nil {
		return Verdict{}, err
	}
	if need := memory(info); o.Memory > 0 && need > o.Memory {
		return Verdict{}, fmt.Errorf("verify: to number the positions again takes %d bytes of memory, %d are allowed", need, o.Memory)
	}
	p := newNumbering(info)
	if p.size() != info.Positions {
		return Verdict{}, fmt.Errorf("verify: the table has %d positions, the game %d", info.Positions, p.size())
	}
	step := uint64(1)
	if o.Sample > 0 && o.Sample < info.Positions {
		step = info.Positions / o.Sample
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	const chunk = 1 << 12 // positions a goroutine takes at once
	var (
		next   atomic.Uint64
		wait   sync.WaitGroup
		mu     sync.Mutex
		all    Verdict
		failed error
	)
	for range o.Threads {
		wait.Go(func() {
			v := verifier{g: g, play: g, t: t, p: p, info: info}
			if o.Reference {
				v.play = g.Mailbox()
			}
			var err error
			for err == nil && ctx.Err() == nil {
				from := (next.Add(1) - 1) * chunk * step
				if from >= info.Positions {
					break
				}
				if o.Progress != nil {
					o.Progress(float64(from) / float64(info.Positions))
				}
				for i := from; i < min(from+chunk*step, info.Positions) && err == nil; i += step {
					err = v.check(i)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all.add(&v.found)
			if failed == nil {
				failed = err
			}
		})
	}
	wait.Wait()
	if failed == nil {
		failed = ctx.Err()
	}
	slices.SortFunc(all.First, func(a, b Fault) int { return cmp.Compare(a.Index, b.Index) })
	all.First = all.First[:min(len(all.First), maxFaults)]
	return all, failed
}

// CheckBoard returns an error unless the cells, pieces and mirror that a table
// describes are those of a game. A table that only says its name could have
// positions that the game has not.
func CheckBoard(g *halma.Game, info tablebase.Info) error {
	spec, err := g.TwoArmy()
	if err != nil {
		return err
	}
	if info.Choices != spec.Choices {
		return fmt.Errorf("verify: the table is under rules %s that are %q, here they are %q", info.Rules, info.Choices, spec.Choices)
	}
	same := info.Cells == spec.Cells && info.Pieces == spec.Pieces &&
		len(info.Places) == spec.Cells-len(spec.Closed) && len(info.Mirror) == len(spec.Mirror)
	for _, c := range info.Places {
		same = same && c < spec.Cells && !slices.Contains(spec.Closed, c)
	}
	for c, image := range info.Mirror {
		same = same && image == int(spec.Mirror[c])
	}
	if !same {
		return fmt.Errorf("verify: the table says it is of %s, but describes another board", info.Game)
	}
	return nil
}

func (v *Verdict) add(w *Verdict) {
	v.Checked += w.Checked
	v.Faults += w.Faults
	v.First = append(v.First, w.First...)
	v.Wins += w.Wins
	v.Losses += w.Losses
	v.Draws += w.Draws
	v.Illegal += w.Illegal
}

// Complete says whether the counts are those that a table's description gives.
func (v *Verdict) Complete(info tablebase.Info) bool {
	return v.Wins == info.Wins && v.Losses == info.Losses && v.Draws == info.Draws && v.Illegal == info.Illegal
}

// verifier is the work of one goroutine.
type verifier struct {
	g     *halma.Game
	play  game.Game
	t     *tablebase.Table
	p     *numbering
	info  tablebase.Info
	found Verdict
}

// check checks one position. Its error is about reading the table, not about
// what the table says.
func (v *verifier) check(index uint64) error {
	value, d, err := v.t.At(index)
	if err != nil {
		return err
	}
	mover, other := v.p.position(index)
	weight := v.p.weight(mover)
	v.found.Checked++
	switch value {
	case game.Win:
		v.found.Wins += weight
	case game.Loss:
		v.found.Losses += weight
	case game.Draw:
		v.found.Draws += weight
	default:
		v.found.Illegal += weight
	}
	fault := func(why error) {
		v.found.Faults++
		if len(v.found.First) < maxFaults {
			v.found.First = append(v.found.First, Fault{index, why})
		}
	}
	text := positionText(v.g, mover, other)
	if illegal := forbidden(v.g, mover, other); illegal || value == game.Unknown {
		if illegal != (value == game.Unknown) {
			fault(fmt.Errorf("%s: said to be %v, but by the rules illegal is %v", text, value, illegal))
		}
		return nil
	}
	s, err := v.play.Parse(text)
	if err != nil {
		fault(err)
		return nil
	}
	var failed error
	err = Consistent(s, value, d, v.info.Kind == tablebase.Distances, func(s game.State) (game.Value, int) {
		m, o := halma.Sides(v.g, s)
		value, d, err := v.t.At(v.p.index(m, o))
		if err != nil {
			failed = err
		}
		return value, d
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		fault(err)
	}
	return nil
}

// positionText is a position with the first seat to move.
func positionText(g *halma.Game, mover, other bitboard.Set128) string {
	b := g.Board()
	row := 0
	var text []byte
	for c := range b.Cells() {
		if r, _ := b.Place(c); r != row {
			row = r
			text = append(text, '.')
		}
		switch {
		case mover.Has(c):
			text = append(text, g.SeatName(0)...)
		case other.Has(c):
			text = append(text, g.SeatName(1)...)
		default:
			text = append(text, '_')
		}
	}
	return string(append(append(text, '-'), g.SeatName(0)...))
}

// forbidden says whether the rules let no turn lead to a position, the first
// seat being to move.
func forbidden(g *halma.Game, mover, other bitboard.Set128) bool {
	r, b := g.RuleSet(), g.Board()
	if r.Illegal == halma.NoIllegal {
		return false
	}
	// The goal of the first seat is the top: the first cells.
	full, own, near := true, false, false
	for c := range b.Cells() {
		goal, home := g.Goal(0).Has(c), g.Home(0).Has(c)
		mine := mover.Has(c)
		full = full && (!goal || mine || other.Has(c))
		own = own || goal && mine
		near = near || (goal || home) && mine
	}
	if full && own {
		return true
	}
	if b.Pieces() != 6 || r.Illegal == halma.Sturtevant2019Run && !near {
		return false
	}
	last := b.Cells() - 1
	blocked := func(tip int, holder bitboard.Set128) bool {
		held := func(i int) bool { return holder.Has(max(tip-i, i-tip)) }
		return !mover.Has(tip) && !other.Has(tip) && held(1) && held(2) && held(3) && held(5)
	}
	return blocked(0, other) || blocked(last, mover)
}
