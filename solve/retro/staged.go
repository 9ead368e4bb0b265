package retro

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/game"
	"perfectplay/internal/contract"
	"perfectplay/solve/table"
)

// stages plans a solve by stages.
func (p *plan) stages(g game.Game, o Options) error {
	p.Method = Stages
	words := g.Start().(game.Keyer).KeyWords()
	least := stageBytes(o, leastRoom, words) + replyBytes(perStage, words, p.Steps) + other
	p.Least, p.InFiles, p.Bytes = least, least, o.Memory
	// A stage has up to a seventh of all positions, and looking it up takes most of the memory.
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

// run solves a game by stages.
func (s *stages) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{s.load, s.explore, s.games, s.solve} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// number returns the place of a position; false if it was not solved.
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

// forced implements [results].
func (s *stages) forced(at game.State, layer int) (score int16, ok bool, err error) {
	st, block, i, ok, err := s.number(at)
	if err != nil || !ok || layer >= s.layers {
		return 0, ok, err
	}
	codes, err := s.readCodes(st, block, nil)
	if err != nil {
		return 0, false, err
	}
	return scoreOf(st.codeAt(codes, layer, st.block(block), i)), true, nil
}

// walk implements [results].
func (s *stages) walk(yield func(game.State) bool) error {
	state := s.game.Start()
	to := state.(game.KeySetter)
	var keys []uint64
	for _, st := range slices.Backward(s.list) {
		if st == nil {
			continue
		}
		for b := range st.Ends {
			var err error
			if keys, err = s.readKeys(st, b, keys[:0]); err != nil {
				return err
			}
			for k := 0; k < len(keys); k += s.words {
				if to.SetKey(keys[k : k+s.words]); !yield(state) {
					return nil
				}
			}
		}
	}
	return nil
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
	keys     []uint64 // keys of the current block
	codes    []byte   // codes of the current block, if wanted
	coded    bool
	block, i int // place of the current key
}

// next implements [keySource].
func (c *cursor) next() (key []uint64, err error) {
	words := c.of.words
	if c.i++; c.i*words == len(c.keys) {
		c.block, c.i, c.keys = c.block+1, 0, c.keys[:0]
		if c.block >= len(c.Ends) {
			return nil, nil
		}
		c.keys, err = c.of.readKeys(c.stage, c.block, c.keys)
		if err == nil && c.coded {
			c.codes, err = c.of.readCodes(c.stage, c.block, c.codes)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.keys[c.i*words:][:words], nil
}

// contents implements [results]: positions of all stages in the order of their keys.
func (s *stages) contents(info *table.Info) (numbering table.Numbering, from table.Contents, err error) {
	info.Numbering, info.KeyWords, info.Bits = table.ByKeys, s.words, s.bits()
	numbering = table.Keys(info.Numbers)
	per := numbering.Size().Largest
	keysOnly, err := s.merger(false)
	if err != nil {
		return nil, from, err
	}
	coded, err := s.merger(true)
	from.Keys = func(block int, keys []uint64) ([]uint64, error) {
		err := keysOnly.block(block, per, func(key []uint64, _ keySource) { keys = append(keys, key...) })
		return keys, err
	}
	from.Fill = func(task int, codes [][]byte) error {
		return coded.block(task, per, func(_ []uint64, from keySource) {
			c := from.(*cursor)
			for l := range codes {
				codes[l] = appendCode(codes[l], c.codeAt(c.codes, l, len(c.keys)/s.words, c.i), info.Bits)
			}
		})
	}
	return numbering, from, err
}

// merger goes through the positions of all stages in the order of their keys.
func (s *stages) merger(coded bool) (*merger, error) {
	m := newMerger()
	for _, st := range s.list {
		if st == nil {
			continue
		}
		if err := m.heads.add(&cursor{stage: st, of: s, coded: coded, block: -1, i: -1}); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// audit checks the current position, which was set by its key: it must have that key and read back
// from its text, and each move must lower the plies left.
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
		if w.next != nil {
			w.next.NextKey(m, ahead[:w.words])
		}
		name := w.state.MoveString(m)
		w.state.Make(m)
		there := w.ender.PliesLeft()
		w.keyer.Key(back[:w.words])
		w.state.Unmake()
		if there >= left || there < 0 {
			return fmt.Errorf("position %s has up to %d plies left, and after %s %d: PliesLeft is wrong", text, left, name, there)
		}
		if w.next != nil && ahead != back {
			return fmt.Errorf("position %s: NextKey of %s is not the key after it", text, name)
		}
	}
	return nil
}

// games plays random games: each position must be among those found, and its moves must lead to the
// same keys as those of the position that SetKey sets.
func (s *stages) games(ctx context.Context) error {
	other := s.game.Start()
	return randomGames(ctx, s.game, min(played/4, 4*s.met), func(at game.State) error {
		_, _, _, ok, err := s.number(at)
		if err != nil {
			return err
		}
		here := at.String()
		if !ok {
			at.Unmake()
			return fmt.Errorf("position %s leads to %s, which is not among the positions found: the key or the moves depend on the way there", at, here)
		}
		key := contract.Key(at)
		other.(game.KeySetter).SetKey(key[:s.words])
		if why := difference(s.game, other, at); why != "" {
			return unlike(other.String(), here, why)
		}
		return nil
	})
}
