package retro

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"perfectplay/game"
	"perfectplay/solve/table"
)

// stages plans a solve by stages.
func (p *plan) stages(g game.Game, o Options) error {
	p.Method = Stages
	words := g.Start().(game.Keyer).KeyWords()
	least := stageBytes(o, leastRoom, words) + replyBytes(perStage, words, p.Steps) + other
	p.Least, p.InFiles, p.Bytes = least, least, o.Memory
	// Some stage has a seventh of all positions, and while it is looked up it takes most.
	if p.Limit = 1 << 40; o.Memory > 0 && o.Work == "" {
		if p.Limit = 0; o.Memory > least {
			p.Limit = (o.Memory - least) / (2 + uint64(words) + uint64(p.Steps)/2 + replyBytes(2, words, p.Steps)/14)
		}
	}
	if o.Memory > 0 && o.Memory < least {
		return &MemoryError{What: "a stage of positions", Bytes: least, Allowed: o.Memory}
	}
	return nil
}

// solveStages solves a game by stages.
func (s *Solution) solveStages(ctx context.Context, plan plan, o Options) (err error) {
	if s.stages, err = newStages(s.game, o, plan.Steps); err != nil {
		return err
	}
	if err = s.stages.load(); err == nil {
		if err = s.stages.explore(ctx); err == nil {
			err = s.stages.played(ctx)
		}
	}
	if err == nil {
		err = s.stages.solve(ctx)
	}
	s.positions, s.Resumed = s.stages.met, s.stages.resumed
	return err
}

// number returns where a position stands, and false where it is not among those solved.
func (s *stages) number(at game.State) (st *stage, block, i int, ok bool, err error) {
	ender, ends := at.(game.Ender)
	keyer, keyed := at.(game.Keyer)
	if !ends || !keyed || keyer.KeyWords() != s.words {
		return nil, 0, 0, false, nil
	}
	left := ender.PliesLeft()
	if left < 0 || left >= len(s.list) || s.list[left] == nil {
		return nil, 0, 0, false, nil
	}
	st = s.list[left]
	var key [maxWords]uint64
	keyer.Key(key[:s.words])
	block, i, ok, err = s.find(st, key[:s.words])
	return st, block, i, ok, err
}

// forced is [Solution.Forced].
func (s *stages) forced(at game.State, seats uint8) (v game.Value, plies int, ok bool) {
	st, block, i, ok, err := s.number(at)
	if err != nil || !ok {
		return game.Unknown, 0, false
	}
	layer := s.layer(seats)
	if layer >= s.layers {
		return game.Draw, 0, true
	}
	codes, err := s.readCodes(st, block, nil)
	if err != nil {
		return game.Unknown, 0, false
	}
	v, plies = worth(scoreOf(st.codeAt(codes, layer, st.block(block), i)))
	if seats>>at.Seat()&1 == 0 {
		v = v.Negate()
	}
	return v, plies, true
}

// layer is the layer of a set of seats, past the last for both of two seats.
func (s *stages) layer(seats uint8) int {
	if seats&1 == 0 {
		seats ^= 1<<s.game.Seats() - 1
	}
	return int(seats >> 1)
}

// count counts positions by their value to the set of seats that set returns for the seat to
// move.
func (s *stages) count(set func(seat int) uint8) (c Count) {
	for seat := range s.game.Seats() {
		seats := set(seat)
		layer := s.layer(seats)
		if layer >= s.layers {
			for _, n := range s.counts[0][seat] {
				c.Draws += n
			}
			continue
		}
		for code, n := range s.counts[layer][seat] {
			if v, plies := worth(scoreOf(uint16(code))); v == game.Draw {
				c.Draws += n
			} else if n > 0 {
				c.Add(v == game.Win == (seats>>seat&1 != 0), plies, n)
			}
		}
	}
	return c
}

// walk calls yield with a state at each position until it returns false.
func (s *stages) walk(yield func(game.State) bool) {
	state := s.game.Start()
	to := state.(game.KeySetter)
	var keys []uint64
	for _, st := range slices.Backward(s.list) {
		if st == nil {
			continue
		}
		for b := range st.ends {
			var err error
			if keys, err = s.readKeys(st, b, keys[:0]); err != nil {
				return
			}
			for k := 0; k < len(keys); k += s.words {
				if to.SetKey(keys[k : k+s.words]); !yield(state) {
					return
				}
			}
		}
	}
}

// close closes the files.
func (s *stages) close() {
	for _, p := range s.pools {
		p.close()
	}
	for _, st := range s.list {
		if st != nil {
			st.keys.close()
			st.values.close()
		}
	}
}

// cursor goes through the keys of a stage.
type cursor struct {
	*stage
	of       *stages
	number   int      // of the stage among those listed
	keys     []uint64 // of the block under way
	codes    []byte   // likewise, if coded
	coded    bool
	block, i int // of the key that it is at
}

// read reads the block under way.
func (c *cursor) read() (err error) {
	if c.keys = c.keys[:0]; c.block == len(c.ends) {
		return nil
	}
	if c.keys, err = c.of.readKeys(c.stage, c.block, c.keys); err == nil && c.coded {
		c.codes, err = c.of.readCodes(c.stage, c.block, c.codes)
	}
	return err
}

// next implements [keySource].
func (c *cursor) next() ([]uint64, error) {
	words := c.of.words
	if c.i++; c.i*words == len(c.keys) && c.block < len(c.ends) {
		c.block, c.i = c.block+1, 0
		if err := c.read(); err != nil {
			return nil, err
		}
	}
	if len(c.keys) == 0 {
		return nil, nil
	}
	return c.keys[c.i*words:][:words], nil
}

// inOrder calls do for a number of positions of all stages in the order of their keys, from
// numbers within each on, which it brings up to date.
func (s *stages) inOrder(from []uint64, most int, codes bool, do func(key []uint64, at *cursor)) error {
	var h heads
	for i, st := range s.listed() {
		c := &cursor{stage: st, of: s, number: i, coded: codes, i: int(from[i]) - 1}
		if c.block, _ = slices.BinarySearch(c.ends, from[i]+1); c.block > 0 {
			c.i -= int(c.ends[c.block-1])
		}
		if err := c.read(); err != nil {
			return err
		}
		if err := h.add(c); err != nil {
			return err
		}
	}
	for ; most > 0 && len(h) > 0; most-- {
		c := h[0].from.(*cursor)
		do(h[0].key, c)
		from[c.number]++
		if err := h.next(); err != nil {
			return err
		}
	}
	return nil
}

// listed are the stages that have positions.
func (s *stages) listed() (list []*stage) {
	for _, st := range s.list {
		if st != nil && st.positions > 0 {
			list = append(list, st)
		}
	}
	return list
}

// contents is the solution as a table has it: positions of all stages in the order of their
// keys.
func (s *stages) contents(info *table.Info, numbering table.Numbering) (from table.Contents, err error) {
	for _, layer := range s.counts {
		for _, list := range layer {
			if len(list) > int(table.Code(game.Win, table.LongDistance, true))+1 {
				info.Bits = 16
			}
		}
	}
	size := numbering.Size()
	starts := make([][]uint64, size.Blocks) // of each block: where each stage is
	at := make([]uint64, len(s.listed()))
	for b := range starts {
		starts[b] = slices.Clone(at)
		if b+1 < len(starts) {
			if err := s.inOrder(at, size.Largest, false, func([]uint64, *cursor) {}); err != nil {
				return from, err
			}
		}
	}
	from.Keys = func(block int, keys []uint64) ([]uint64, error) {
		return keys, s.inOrder(slices.Clone(starts[block]), size.Largest, false, func(key []uint64, _ *cursor) { keys = append(keys, key...) })
	}
	from.Fill = func(task int, codes [][]byte) (err error) {
		return s.inOrder(slices.Clone(starts[task]), size.Largest, true, func(_ []uint64, c *cursor) {
			n := len(c.keys) / s.words
			for l := range codes {
				code := c.codeAt(c.codes, l, n, c.i)
				if codes[l] = append(codes[l], byte(code)); info.Bits == 16 {
					codes[l] = append(codes[l], byte(code>>8))
				}
			}
		})
	}
	return from, nil
}

// audit checks the current position, which was set by its key: it must have that key, read back
// from its text as it is, and each move must lead to fewer plies left.
func (w *stager) audit(key []uint64, left int) error {
	var back [maxWords]uint64
	if w.keyer.Key(back[:w.words]); !slices.Equal(back[:w.words], key) {
		return fmt.Errorf("SetKey goes to %s of another key than it was given", w.state)
	}
	if err := compare(w.game, w.state); err != nil {
		return err
	}
	if w.state.Result() != game.Ongoing {
		return nil
	}
	text := w.state.String()
	for _, m := range w.state.Moves(nil) {
		var ahead [maxWords]uint64
		if w.ahead != nil {
			w.ahead.NextKey(m, ahead[:w.words])
		}
		name := w.state.MoveString(m)
		w.state.Make(m)
		there := w.ender.PliesLeft()
		w.keyer.Key(back[:w.words])
		w.state.Unmake()
		if there >= left || there < 0 {
			return fmt.Errorf("position %s has up to %d plies left, and after %s %d: PliesLeft is wrong", text, left, name, there)
		}
		if w.ahead != nil && ahead != back {
			return fmt.Errorf("position %s: NextKey of %s is not the key after it", text, name)
		}
	}
	return nil
}

// played plays random games as [explorer.play] does: each position must be among those found, and
// its moves must lead to the same keys as from the position that SetKey sets.
func (s *stages) played(ctx context.Context) (err error) {
	at, other := s.game.Start(), s.game.Start()
	defer game.Guard(&err, s.game, at)
	rng := rand.New(rand.NewPCG(1, 2))
	var moves []game.Move
	for games, left := 0, min(playedMost/4, 4*s.met); games < played && left > 0 && ctx.Err() == nil; games++ {
		made := 0
		for ; left > 0; left-- {
			_, _, _, ok, err := s.number(at)
			if err != nil {
				return err
			}
			here := at.String()
			if !ok {
				at.Unmake()
				return fmt.Errorf("position %s leads to %s, which is not among the positions found: the key or the moves depend on the way there", at, here)
			}
			key := keyOf(at)
			other.(game.KeySetter).SetKey(key[:s.words])
			why := "the results or seats differ"
			if rank(at, s.game.Seats()) == rank(other, s.game.Seats()) && (s.game.Seats() == 2 || at.Seat() == other.Seat()) {
				why = difference(other, at)
			}
			if why != "" {
				return &unlikeError{here: here, there: other.String(), why: why}
			}
			if moves = at.Moves(moves[:0]); len(moves) == 0 {
				break
			}
			at.Make(moves[rng.IntN(len(moves))])
			made++
		}
		for range made {
			at.Unmake()
		}
	}
	return nil
}
