package retro

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/host"
	"perfectplay/solve/table"
)

const longCode = table.LongDistance // plies that a code of a byte can tell

// solve finds the values of all positions, the last stage first.
func (s *stages) solve(ctx context.Context) error {
	for _, st := range s.list {
		if st == nil || st.values != nil {
			continue
		}
		if err := s.solveStage(ctx, st); err != nil {
			return err
		}
		s.solved += st.positions
		if err := s.fits(0); err != nil {
			return err
		}
	}
	s.replies = nil
	return nil
}

// ref is a block of a stage.
type ref struct {
	of    *stage
	block int
}

// solveStage finds the values of a stage. Without room for all positions that its moves lead to,
// it takes them in parts and keeps the best reply so far.
func (s *stages) solveStage(ctx context.Context, st *stage) (err error) {
	var after []ref
	total := uint64(0)
	for _, left := range st.next {
		of := s.list[left]
		if of == nil {
			return fmt.Errorf("the checkpoints lack stage %d, to which stage %d leads: start over with --fresh", left, st.left)
		}
		total += of.positions
		for b := range of.ends {
			after = append(after, ref{of, b})
		}
	}
	room := total
	var best []int16
	if have := replyBytes(total, s.words, s.layers); total > mostReplies || s.o.Memory > 0 && s.kept()+have+s.written(st.codes(s.layers)) > s.o.Memory {
		// The best so far of all positions takes memory, too.
		own := 2*st.positions*uint64(s.layers) + s.written(st.codes(s.layers))
		if err := s.fits(own + replyBytes(perStage, s.words, s.layers)); err != nil {
			return err
		}
		if s.o.Memory > 0 {
			room = max((s.o.Memory-s.kept()-own)/replyBytes(perStage, s.words, s.layers)*perStage, perStage)
		}
		room = min(room, mostReplies)
		best = make([]int16, st.positions*uint64(s.layers))
	} else if s.o.Resident > 0 { // for tests
		room, best = uint64(s.per), make([]int16, st.positions*uint64(s.layers))
	}
	for begin := true; begin || len(after) > 0; begin = false {
		n, positions := 0, uint64(0)
		for n < len(after) && positions+uint64(after[n].of.block(after[n].block)) <= room {
			positions += uint64(after[n].of.block(after[n].block))
			n++
		}
		if err := s.prepare(ctx, after[:n]); err != nil {
			return err
		}
		after = after[n:]
		pass := &pass{st: st, best: best, begin: begin, whole: begin && len(after) == 0}
		if len(after) > 0 {
			err = s.parts(ctx, pass)
		} else {
			st.values, err = s.make(st.left, "values", func(w *blocks.Writer) (any, error) { return s.values(ctx, pass, w) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// prepare takes the positions of some blocks as replies.
func (s *stages) prepare(ctx context.Context, list []ref) error {
	used := 0
	for len(list) > 0 {
		n, positions := 0, uint64(0)
		for n < len(list) && list[n].of == list[0].of {
			positions += uint64(list[n].of.block(list[n].block))
			n++
		}
		if used == len(s.replies) {
			s.replies = append(s.replies, replies{})
		}
		r := &s.replies[used]
		used++
		r.reset(s.words, s.layers, positions)
		if err := s.readAll(ctx, list[:n], r); err != nil {
			return err
		}
		r.group()
		list = list[n:]
	}
	clear(s.replies[used:])
	s.replies = s.replies[:used]
	return nil
}

// readAll reads the positions of blocks of a stage.
func (s *stages) readAll(ctx context.Context, list []ref, to *replies) error {
	type block struct {
		keys  []uint64
		codes []byte
	}
	return blocks.InOrder(ctx, s.o.Workers(), len(list), func() *block { return &block{} }, func(i int, to *block) (err error) {
		if to.keys, err = s.readKeys(list[i].of, list[i].block, to.keys[:0]); err == nil {
			to.codes, err = s.readCodes(list[i].of, list[i].block, to.codes)
		}
		return err
	}, func(i int, from *block) error {
		st, n := list[i].of, len(from.keys)/s.words
		to.keys = append(to.keys, from.keys...)
		for at := range n {
			for l := range s.layers {
				to.scores = append(to.scores, scoreOf(st.codeAt(from.codes, l, n, at)))
			}
		}
		return nil
	})
}

// pass looks up replies for all positions of a stage.
type pass struct {
	st    *stage
	best  []int16 // so far, of each position and layer; nil where one pass is all
	begin bool    // it is the first
	whole bool    // it has all replies
}

// parts does a pass that is not the last.
func (s *stages) parts(ctx context.Context, p *pass) error {
	return host.Parallel(ctx, make([]slot, s.o.Workers()), len(p.st.ends), func(to slot, b int) error {
		return s.with(func(w *stager) error { return w.look(p, b, &to) })
	})
}

// values does the last pass and writes what it finds.
func (s *stages) values(ctx context.Context, p *pass, out *blocks.Writer) (any, error) {
	st, decided := p.st, s.solved
	err := blocks.InOrder(ctx, s.o.Workers(), len(st.ends), func() *slot { return &slot{} }, func(b int, to *slot) error {
		return s.with(func(w *stager) error {
			if err := w.look(p, b, to); err != nil {
				return err
			}
			w.encode(st, to)
			return nil
		})
	}, func(b int, of *slot) error {
		decided += uint64(st.block(b))
		s.o.Tell(Progress{Step: 1, Steps: s.layers, Pass: st.left, Decided: decided, Share: 0.5 + 0.5*float64(decided)/float64(s.met)})
		return out.Append(of.zipped)
	})
	info := st.describe(s.job, s.words)
	counts, missing := newTally(s.seats, s.layers), uint64(0)
	_ = s.each(func(w *stager) error {
		missing += w.missing
		counts.plus(w.counts.counts)
		w.missing, w.counts = 0, newTally(s.seats, s.layers)
		return nil
	})
	info.Later, info.Counts = nil, counts.counts
	if err == nil && missing > 0 {
		err = fmt.Errorf("stage %d: %d moves lead to keys that are not among those found: the keys depend on the way there", st.left, missing)
	}
	s.plus(info.Counts)
	return info, err
}

// look looks up the replies of a block's positions.
func (w *stager) look(p *pass, b int, to *slot) (err error) {
	if to.keys, err = w.readKeys(p.st, b, to.keys[:0]); err != nil {
		return err
	}
	n := len(to.keys) / w.words
	if p.best != nil {
		end := int(p.st.ends[b]) * w.layers
		to.scores = p.best[end-n*w.layers : end]
	} else if cap(to.scores) < n*w.layers {
		to.scores = make([]int16, perStage*w.layers)
	}
	to.scores, to.seats = to.scores[:n*w.layers], to.seats[:0]
	for i := 0; i < n; i += together {
		if err := w.lookSome(p, to.keys[i*w.words:min(i+together, n)*w.words], to.scores[i*w.layers:], to); err != nil {
			return err
		}
	}
	return nil
}

// lookSome does it for a few positions.
func (w *stager) lookSome(p *pass, keys []uint64, scores []int16, to *slot) error {
	n := len(keys) / w.words
	w.keys = w.keys[:0]
	for i := range n {
		w.set(keys[i*w.words:][:w.words])
		seat := w.state.Seat()
		to.seats = append(to.seats, uint8(seat))
		w.degree[i] = 0
		own := scores[i*w.layers:][:w.layers]
		if result := w.state.Result(); result != game.Ongoing {
			for l := range own {
				own[l] = w.final(l, seat, result)
			}
			continue
		}
		if score := w.near(); score != unsolved {
			for l := range own {
				own[l] = score
			}
			continue
		}
		if p.begin {
			for l := range own {
				own[l] = unsolved
			}
		}
		w.degree[i] = len(w.moves)
		w.keys = w.replyKeys(w.keys)
	}
	w.seek()
	if p.begin {
		w.missing += uint64(len(w.begins))
	}
	k := 0
	for i := range n {
		own, seat := scores[i*w.layers:][:w.layers], int(to.seats[i+len(to.seats)-n])
		for range w.degree[i] {
			reply := w.reply(w.keys[k*w.words:][:w.words], w.begins[k])
			k++
			if reply == nil {
				if p.whole {
					w.set(keys[i*w.words:][:w.words])
					return fmt.Errorf("position %s: a move leads to a key that is not among those found: the key or the moves depend on the way there", w.state)
				}
				continue
			}
			w.missing--
			for l, score := range reply {
				own[l] = max(own[l], w.ahead(l, seat, score))
			}
		}
	}
	return nil
}

// seek finds where the group of each reply begins. It asks for all before it looks at one, so that
// many reads of memory are under way at once.
func (w *stager) seek() {
	w.homes, w.begins = w.homes[:0], w.begins[:0]
	if len(w.replies) == 0 {
		w.begins = append(w.begins, make([]int, len(w.keys)/w.words)...)
		return
	}
	r, touch := &w.replies[0], uint32(0)
	for k := 0; k < len(w.keys); k += w.words {
		home := r.home(w.keys[k : k+w.words])
		w.homes = append(w.homes, home)
		touch += r.index[home]
	}
	for k, home := range w.homes {
		begin := r.begin(w.keys[k*w.words:][:w.words], home)
		w.begins = append(w.begins, begin)
		if begin >= 0 {
			touch += uint32(r.scores[begin*w.layers])
		}
	}
	w.touch += uint64(touch)
}

// reply returns the scores of a key, nil if they are not among the replies.
func (w *stager) reply(key []uint64, begin int) []int16 {
	for i := range w.replies {
		r := &w.replies[i]
		if i > 0 {
			begin = r.begin(key, r.home(key))
		}
		if scores := r.find(key, begin); scores != nil {
			return scores
		}
	}
	return nil
}

// near is the score of a position, which is not finished, if the game sees a win in one ply, or
// in two for the other seat. If not, it lists the moves that may be better than that.
func (w *stager) near() int16 {
	w.moves = w.moves[:0]
	if w.safe != nil {
		if w.safe.WinningMove() != game.NoMove {
			return lastPly - 1
		}
		if w.moves = w.safe.SafeMoves(w.moves); len(w.moves) == 0 {
			return 2 - lastPly
		}
		return unsolved
	}
	w.moves = w.state.Moves(w.moves)
	if w.finisher != nil && slices.ContainsFunc(w.moves, w.finisher.Wins) {
		return lastPly - 1
	}
	return unsolved
}

// encode makes codes of a block's scores and counts them.
func (w *stager) encode(st *stage, to *slot) {
	to.codes = to.codes[:0]
	for l := range w.layers {
		for i, seat := range to.seats {
			c := code(to.scores[i*w.layers+l])
			if to.codes = append(to.codes, byte(c)); st.left > longCode {
				to.codes = append(to.codes, byte(c>>8))
			}
			w.counts.enter(l, int(seat), c, 1)
		}
	}
	to.zipped = w.zip.EncodeAll(to.codes, to.zipped[:0])
}
