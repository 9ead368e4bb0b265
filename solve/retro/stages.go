package retro

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/host"
)

// stages solves a game whose positions bound the plies left. Positions with the same bound are a
// stage, and every move leads to a stage with fewer plies left. The solver first lists the sorted
// keys of each stage, from the start on. Then it solves the stages from the last one back: each
// position takes its best reply.
type stages struct {
	tally
	game    game.Game
	o       Options
	words   int // words of a key
	work    *work
	zip     *zstd.Encoder
	per     int       // number of positions in a block of a stage
	room    int       // number of keys that a goroutine gathers before it sorts them
	stagers []*stager // the states of all goroutines
	idle    chan *stager
	first   int      // plies left at the start
	list    []*stage // stages by plies left; nil if not listed, or without positions
	mu      sync.Mutex
	pools   map[int]*pool // keys of stages that are not listed yet, by plies left
	pooled  atomic.Uint64 // bytes in memory of all pools
	replies []replies     // positions with known scores, of the stages after the current one

	met, solved uint64 // numbers of positions listed, and solved
	resumed     bool
}

// stage is the positions with the same bound on the plies left.
type stage struct {
	stageInfo
	next         []int   // stages that moves lead to
	keys, values *packed // values is nil until they are known
}

const (
	perStage = 1 << 12 // number of positions in a block of a stage
	// Bounds for the number of keys that a goroutine gathers before it sorts them.
	leastRoom, mostRoom = 1 << 10, 1 << 20
	// together is the number of positions whose replies are looked up at once, so that many reads
	// of memory overlap.
	together = 64
)

// hasStages says whether a game is solved stage by stage.
func hasStages(g game.Game) bool {
	s := g.Start()
	_, keyed := s.(game.Keyer)
	_, set := s.(game.KeySetter)
	e, ends := s.(game.Ender)
	return keyed && set && ends && e.PliesLeft() <= MaxDistance
}

func newStages(g game.Game, o Options, layers int) *stages {
	start := g.Start()
	s := &stages{tally: newTally(g.Seats(), layers), game: g, o: o, pools: map[int]*pool{}}
	s.words, s.first = start.(game.Keyer).KeyWords(), max(start.(game.Ender).PliesLeft(), 0)
	s.list = make([]*stage, s.first+1)
	s.zip = blocks.NewEncoder(o.Workers(), perStage*binary.MaxVarintLen64, zstd.SpeedFastest)
	s.room, s.per = stageRoom(o, s.words), perStage
	if o.Resident > 0 { // a test sets the sizes
		s.room, s.per = int(o.Resident), 8
	}
	s.idle = make(chan *stager, o.Workers())
	for range o.Workers() {
		w := s.newStager()
		s.stagers = append(s.stagers, w)
		s.idle <- w
	}
	s.work = newWork(g, o, []any{Stages, s.words, s.first, layers})
	return s
}

// stageRoom is the number of keys that a goroutine gathers.
func stageRoom(o Options, words int) int {
	room := mostRoom
	for o.Memory > 0 && room > leastRoom && stageBytes(o, room, words) > (max(o.Memory, other)-other)/3 {
		room /= 2
	}
	return room
}

// stageBytes is the memory for keys that goroutines gather, in two slices that append grows by a
// quarter, and for blocks that they unpack.
func stageBytes(o Options, room, words int) uint64 {
	return uint64(o.Workers()) * uint64(20*words*room+24*perStage*(words+1)+256<<10)
}

// stager is the state of one goroutine.
type stager struct {
	*stages
	mover
	setter   game.KeySetter
	ender    game.Ender
	finisher game.Finisher    // nil if the game lacks this ability
	safe     game.SafeLister  // the state's ability to see ends ahead, see safeLister
	at       [maxWords]uint64 // key of the current position

	// While stages are listed: gathered keys by stage, not sorted yet; some belong to a later stage.
	out         map[int][]uint64
	waiting     int      // number of keys in out
	spare, free []uint64 // memory for sorting, and for the next list in out
	buf         []byte

	// While stages are solved: replies of some positions.
	keys   []uint64
	begins []int // where the group of each key begins, see replies.begin
	degree [together]int
	touch  uint64

	// missing is the number of replies looked up less the number found, modulo 1<<64. Only the sum
	// over goroutines counts.
	missing uint64
	counts  tally
}

func (s *stages) newStager() *stager {
	w := &stager{stages: s, mover: newMover(s.game), out: map[int][]uint64{}, counts: newTally(s.seats, s.layers)}
	w.setter, w.ender = w.state.(game.KeySetter), w.state.(game.Ender)
	w.finisher, _ = w.state.(game.Finisher)
	w.safe = safeLister(s.game, w.state)
	return w
}

// guards implements [asker].
func (w *stager) guards() (game.Game, game.State, func() game.State) {
	return w.game, w.state, func() game.State {
		s := w.game.Start()
		s.(game.KeySetter).SetKey(w.at[:w.words])
		return s
	}
}

// set goes to the position of a key.
func (w *stager) set(key []uint64) {
	copy(w.at[:], key)
	w.setter.SetKey(key)
}

// explore lists all stages.
func (s *stages) explore(ctx context.Context) error {
	if s.solved > 0 { // some stages are solved, so all are listed
		return nil
	}
	if slices.ContainsFunc(s.list, func(st *stage) bool { return st != nil && len(st.Later) > 0 }) {
		s.close() // checkpoints lack the keys that waited for later stages
		clear(s.list)
		s.met, s.resumed = 0, false
	}
	from := s.first
	if last := slices.IndexFunc(s.list, func(st *stage) bool { return st != nil }); last >= 0 { // checkpoints lack the keys of the next stage
		s.o.Tell(Progress{Steps: s.layers, Decided: s.met})
		if err := s.again(ctx, s.list[last]); err != nil {
			return err
		}
		from = last - 1
	} else {
		var key [maxWords]uint64
		s.game.Start().(game.Keyer).Key(key[:])
		if err := s.with(func(w *stager) error { return w.add(s.first, key[:s.words]) }); err != nil {
			return err
		}
	}
	for left := from; left >= 0; left-- {
		p := s.pools[left]
		delete(s.pools, left)
		if p == nil || len(p.runs) == 0 {
			continue
		}
		if err := s.listStage(ctx, left, p); err != nil {
			return err
		}
		if err := s.fits(0); err != nil {
			return err
		}
	}
	for _, w := range s.stagers {
		w.out, w.spare, w.free = nil, nil, nil
	}
	return nil
}

// with calls do with an idle state, and turns panics of the game into errors.
func (s *stages) with(do func(w *stager) error) (err error) {
	w := <-s.idle
	defer func() { s.idle <- w }()
	_, state, fresh := w.guards()
	defer game.Guard(&err, s.game, state, fresh)
	s.o.Pause()
	return do(w)
}

// fits returns a MemoryError if the memory kept and more bytes exceed the budget.
func (s *stages) fits(more uint64) error {
	if need := s.kept() + more; s.o.Memory > 0 && need > s.o.Memory {
		return &MemoryError{What: fmt.Sprintf("there are more than %d positions", s.met), Bytes: need, Allowed: s.o.Memory, Files: s.o.Work == ""}
	}
	return nil
}

// written is the memory taken while a file of a stage is written: its buffer doubles, and is copied
// at the end.
func (s *stages) written(bytes uint64) uint64 {
	if s.o.Work != "" {
		return 0
	}
	return 3 * bytes
}

// kept is the memory in bytes that stages, pools and goroutines hold now.
func (s *stages) kept() uint64 {
	n := stageBytes(s.o, s.room, s.words) + other
	for _, st := range s.list {
		if st != nil {
			n += 8*uint64(len(st.Firsts)) + 4*uint64(len(st.Sizes)) + st.keys.memory() + st.values.memory()
		}
	}
	return n + s.pooled.Load()
}

// add puts sorted keys into the pool of a stage, each once.
func (w *stager) add(left int, sorted []uint64) error {
	w.buf = w.buf[:0]
	keys, before := uint64(0), make([]uint64, w.words)
	for i := 0; i < len(sorted); i += w.words {
		if key := sorted[i : i+w.words]; i == 0 || !slices.Equal(key, before) {
			w.buf = appendKey(w.buf, key, before)
			copy(before, key)
			keys++
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pools[left] == nil {
		w.pools[left] = &pool{}
	}
	if w.o.Work == "" {
		w.pooled.Add(uint64(len(w.buf)))
	}
	return w.pools[left].add(keys, w.buf, w.o.Work)
}

// slot holds the data of a block under way.
type slot struct {
	keys, mine []uint64 // mine are the keys of the stage
	text       []byte
	zipped     []byte
	codes      []byte
	scores     []int16
	seats      []uint8 // seat to move of each position
}

// listStage lists a stage, and gathers the keys after its moves.
func (s *stages) listStage(ctx context.Context, left int, p *pool) error {
	defer func() {
		if p.file == nil {
			s.pooled.Add(-uint64(p.bytes))
		}
		p.close()
	}()
	free := uint64(math.MaxInt64)
	if s.o.Memory > 0 {
		free = s.o.Memory - min(s.kept(), s.o.Memory)
	}
	m, err := p.merger(s.words, free)
	if err != nil {
		return err
	}
	st := &stage{stageInfo: stageInfo{Job: s.work.job, Left: left}}
	keys := uint64(0)
	for _, r := range p.runs {
		keys += r.keys
	}
	zipped := uint64(0)
	var mu sync.Mutex
	later := map[int]bool{} // stages to which other keys in the pool belong
	fill := func(w *blocks.Writer) (any, error) {
		err := blocks.InOrder(ctx, s.o.Workers(), int(keys)/s.per+1, func() *slot { return &slot{} }, func(i int, to *slot) (err error) {
			to.keys, to.mine = to.keys[:0], to.mine[:0]
			err = m.block(i, s.per, func(key []uint64, _ keySource) { to.keys = append(to.keys, key...) })
			if err != nil || len(to.keys) == 0 {
				return err
			}
			return s.with(func(w *stager) error {
				for k := 0; k < len(to.keys); k += s.words {
					key := to.keys[k : k+s.words]
					mine, err := w.visit(key, left, s.met < 1<<10 || k%(s.words<<10) == 0)
					if err != nil {
						return err
					}
					if mine == left {
						to.mine = append(to.mine, key...)
					} else {
						mu.Lock()
						later[mine] = true
						mu.Unlock()
					}
				}
				s.packKeys(to)
				return nil
			})
		}, func(_ int, of *slot) error {
			if len(of.mine) == 0 {
				return nil
			}
			st.Positions += uint64(len(of.mine) / s.words)
			st.Firsts, st.Ends = append(st.Firsts, of.mine[:s.words]...), append(st.Ends, st.Positions)
			st.Sizes = append(st.Sizes, uint32(len(of.text)))
			s.o.Tell(Progress{Steps: s.layers, Decided: s.met + st.Positions})
			zipped += uint64(len(of.zipped))
			return cmp.Or(w.Append(of.zipped), s.fits(s.written(zipped)))
		})
		if err != nil {
			return nil, err
		}
		st.Later = slices.Sorted(maps.Keys(later))
		return st.stageInfo, nil
	}
	if st.keys, err = s.work.make(stageName(left, ".keys"), fill); err != nil {
		return err
	}
	s.enter(st)
	return s.flush()
}

// again gathers the keys after the moves of a stage from a checkpoint.
func (s *stages) again(ctx context.Context, st *stage) error {
	err := host.Parallel(ctx, make([]slot, s.o.Workers()), len(st.Ends), func(to slot, b int) (err error) {
		if to.keys, err = s.readKeys(st, b, to.keys[:0]); err != nil {
			return err
		}
		return s.with(func(w *stager) error {
			for k := 0; k < len(to.keys); k += s.words {
				if _, err := w.visit(to.keys[k:k+s.words], st.Left, false); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return cmp.Or(err, s.flush())
}

// enter adds a stage to the list. Moves of the stage with one more ply left lead to st and to the
// stages in st.Later.
func (s *stages) enter(st *stage) {
	if above := st.Left + 1; above < len(s.list) && s.list[above] != nil {
		if st.Positions > 0 {
			s.list[above].next = append(s.list[above].next, st.Left)
		}
		s.list[above].next = append(s.list[above].next, st.Later...)
	}
	s.met += st.Positions
	s.list[st.Left] = st
}

// visit gathers the keys after the moves of a position, and returns its stage. A key of a later
// stage waits for it.
func (w *stager) visit(key []uint64, left int, closely bool) (int, error) {
	w.set(key)
	mine := w.ender.PliesLeft()
	if closely {
		if err := w.audit(key, mine); err != nil {
			return 0, err
		}
	}
	if mine > left || mine < 0 {
		return 0, fmt.Errorf("position %s has up to %d plies left, and one before it at most %d: PliesLeft is wrong, or a key", w.state, mine, left+1)
	}
	if mine < left {
		list, err := w.gathered(mine, 1)
		w.out[mine] = append(list, key...)
		return mine, err
	}
	if w.state.Result() != game.Ongoing {
		return mine, nil
	}
	if left == 0 {
		return 0, fmt.Errorf("position %s has no plies left, and the game is not over", w.state)
	}
	if err := w.listMoves(); err != nil {
		return 0, err
	}
	list, err := w.gathered(left-1, len(w.moves))
	w.out[left-1] = w.replyKeys(list)
	return mine, err
}

// gathered returns the keys gathered for a stage; the caller adds n keys.
func (w *stager) gathered(left, n int) (list []uint64, err error) {
	if w.waiting > 0 && w.waiting+n > w.room {
		err = w.flush()
	}
	w.waiting += n
	if list = w.out[left]; list == nil {
		list, w.free = w.free, nil
	}
	return list, err
}

// flush puts the gathered keys of all goroutines, which are idle, into pools.
func (s *stages) flush() (err error) {
	for _, w := range s.stagers {
		err = cmp.Or(err, w.flush())
	}
	return err
}

// flush sorts the gathered keys and puts them into the pools of their stages.
func (w *stager) flush() (err error) {
	for left, keys := range w.out {
		if cap(w.spare) < len(keys) {
			w.spare = make([]uint64, cap(keys))
		}
		sorted, rest := sortKeys(keys, w.spare[:cap(w.spare)], w.words, w.words)
		err = cmp.Or(err, w.add(left, sorted))
		w.free, w.spare = sorted[:0], rest
	}
	clear(w.out)
	w.waiting = 0
	return err
}
