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

const longCode = table.LongDistance // most plies for which a code fits a byte

// solve finds the values of all positions, the last stage first.
func (s *stages) solve(ctx context.Context) error {
	for _, st := range s.list {
		if st == nil || st.values != nil {
			continue
		}
		if err := s.solveStage(ctx, st); err != nil {
			return err
		}
		s.solved += st.Positions
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

// fill returns how many of the first blocks of a list have at most room positions together.
func fill(list []ref, room uint64) (blocks int) {
	for _, r := range list {
		n := uint64(r.of.block(r.block))
		if n > room {
			break
		}
		room -= n
		blocks++
	}
	return blocks
}

// solveStage finds the values of a stage. If memory lacks room for all positions that its moves
// lead to, they come in parts, and best keeps the best reply so far.
func (s *stages) solveStage(ctx context.Context, st *stage) (err error) {
	var after []ref
	room := uint64(0)
	for _, left := range st.next {
		of := s.list[left]
		if of == nil {
			return fmt.Errorf("the checkpoints lack stage %d, to which stage %d leads: start over with --fresh", left, st.Left)
		}
		room += of.Positions
		for b := range of.Ends {
			after = append(after, ref{of, b})
		}
	}
	scores := st.Positions * uint64(s.layers)
	written := s.written(scores * uint64(st.width()))
	pass := &pass{st: st, begin: true}
	if room > mostReplies || s.o.Resident > 0 || s.o.Memory > 0 && s.kept()+written+replyBytes(room, s.words, s.layers) > s.o.Memory {
		block := replyBytes(perStage, s.words, s.layers)
		if err := s.fits(2*scores + written + block); err != nil {
			return err
		}
		if room = mostReplies; s.o.Resident > 0 { // a test sets the size
			room = uint64(s.per)
		} else if s.o.Memory > 0 {
			room = min(room, (s.o.Memory-s.kept()-2*scores-written)/block*perStage)
		}
		pass.best = make([]int16, scores)
	}
	for ; ; pass.begin = false {
		n := fill(after, room)
		if err := s.prepare(ctx, after[:n]); err != nil {
			return err
		}
		if after = after[n:]; len(after) == 0 {
			st.values, err = s.work.make(stageName(st.Left, ".values"), func(w *blocks.Writer) (any, error) { return s.values(ctx, pass, w) })
			return err
		}
		if err := host.Parallel(ctx, make([]slot, s.o.Workers()), len(st.Ends), func(to slot, b int) error {
			return s.with(func(w *stager) error { return w.look(pass, b, &to) })
		}); err != nil {
			return err
		}
	}
}

// prepare makes replies of the positions of some blocks.
func (s *stages) prepare(ctx context.Context, list []ref) error {
	used := 0
	for len(list) > 0 {
		n, positions := 0, uint64(0)
		for ; n < len(list) && list[n].of == list[0].of; n++ {
			positions += uint64(list[n].of.block(list[n].block))
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
	st *stage
	// Best scores so far, of each position and layer; nil if the replies of all fit one pass.
	best  []int16
	begin bool // this is the first pass
}

// values does the last pass, and writes the values.
func (s *stages) values(ctx context.Context, p *pass, out *blocks.Writer) (any, error) {
	st, decided := p.st, s.solved
	err := blocks.InOrder(ctx, s.o.Workers(), len(st.Ends), func() *slot { return &slot{} }, func(b int, to *slot) error {
		return s.with(func(w *stager) error {
			if err := w.look(p, b, to); err != nil {
				return err
			}
			w.encode(st, to)
			return nil
		})
	}, func(b int, of *slot) error {
		decided += uint64(st.block(b))
		s.o.Tell(Progress{Step: 1, Steps: s.layers, Pass: st.Left, Decided: decided, Share: 0.5 + 0.5*float64(decided)/float64(s.met)})
		return out.Append(of.zipped)
	})
	counts, missing := newTally(s.seats, s.layers), uint64(0)
	for _, w := range s.stagers {
		missing += w.missing
		counts.plus(w.counts.counts)
		w.missing, w.counts = 0, newTally(s.seats, s.layers)
	}
	if err == nil && missing > 0 {
		err = fmt.Errorf("stage %d: %d moves lead to keys that are not among those found: the keys depend on the way there", st.Left, missing)
	}
	s.plus(counts.counts)
	return stageInfo{Job: s.work.job, Left: st.Left, Positions: st.Positions, Counts: counts.counts}, err
}

// look looks up the replies of a block's positions.
func (w *stager) look(p *pass, b int, to *slot) (err error) {
	if to.keys, err = w.readKeys(p.st, b, to.keys[:0]); err != nil {
		return err
	}
	n := len(to.keys) / w.words
	if p.best != nil {
		end := int(p.st.Ends[b]) * w.layers
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

// lookSome looks up the replies of a few positions, with overlapping reads.
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
		score := w.near()
		for l := range own {
			if p.begin || score != unsolved {
				own[l] = score
			}
		}
		if score == unsolved {
			w.degree[i] = len(w.moves)
			w.keys = w.replyKeys(w.keys)
		}
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
				if p.best == nil {
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

// seek finds where the group of each reply begins. It first touches the memory of all, so that
// reads overlap.
func (w *stager) seek() {
	w.begins = w.begins[:0]
	if len(w.replies) == 0 {
		w.begins = append(w.begins, make([]int, len(w.keys)/w.words)...)
		return
	}
	r, touch := &w.replies[0], uint64(0)
	for k := 0; k < len(w.keys); k += w.words {
		begin := r.begin(w.keys[k : k+w.words])
		w.begins = append(w.begins, begin)
		if begin < r.count() {
			touch += r.keys[begin*w.words]
		}
	}
	w.touch += touch
}

// reply returns the scores of a key, nil if they are not among the replies.
func (w *stager) reply(key []uint64, begin int) []int16 {
	for i := range w.replies {
		r := &w.replies[i]
		if i > 0 {
			begin = r.begin(key)
		}
		if scores := r.find(key, begin); scores != nil {
			return scores
		}
	}
	return nil
}

// near is the score of the current position, which is not finished, if the game sees that it ends
// within two plies. Else it is the constant unsolved, and w.moves are the moves to look up.
func (w *stager) near() int16 {
	plies := 0
	if w.safe != nil {
		plies, w.moves = endsSoon(w.safe, w.moves[:0])
	} else if w.moves = w.state.Moves(w.moves[:0]); w.finisher != nil && slices.ContainsFunc(w.moves, w.finisher.Wins) {
		plies = 1
	}
	switch plies {
	case 1:
		return lastPly - 1
	case 2:
		return 2 - lastPly
	}
	return unsolved
}

// safeLister returns the state's ability to see ends ahead; nil if the state lacks it, or the game
// has more than two seats.
func safeLister(g game.Game, s game.State) game.SafeLister {
	l, _ := s.(game.SafeLister)
	if g.Seats() != 2 {
		return nil
	}
	return l
}

// endsSoon returns 1 if the seat to move wins at once, and 2 if the other seat wins at once after
// every move. Else it returns 0 and appends the safe moves.
func endsSoon(l game.SafeLister, buf []game.Move) (plies int, safe []game.Move) {
	if l.WinningMove() != game.NoMove {
		return 1, buf
	}
	if safe = l.SafeMoves(buf); len(safe) == len(buf) {
		return 2, buf
	}
	return 0, safe
}

// encode makes codes of a block's scores, and counts them.
func (w *stager) encode(st *stage, to *slot) {
	to.codes = to.codes[:0]
	for l := range w.layers {
		for i, seat := range to.seats {
			c := code(to.scores[i*w.layers+l])
			if to.codes = append(to.codes, byte(c)); st.Left > longCode {
				to.codes = append(to.codes, byte(c>>8))
			}
			w.counts.enter(l, int(seat), c, 1)
		}
	}
	to.zipped = w.zip.EncodeAll(to.codes, to.zipped[:0])
}
