// Package export writes the positions of a table as rows of text: each with its
// value, its distance, and the worth of every move. [Write] is all of it.
package export

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/tablebase"
)

// Options say which positions to write, and how.
type Options struct {
	// Values, if not nil, are the values to write. From and To are the least and the
	// largest distance; To is negative for no bound. Draws have no distance, and
	// pass only where both are unset.
	Values   []game.Value
	From, To int
	// Sample, if not 0, is how many of these to write, drawn at random by Seed, each
	// at most once; all where there are fewer.
	Sample uint64
	Seed   uint64
	// JSON writes an object a line instead of comma-separated values with a header.
	JSON    bool
	Threads int // default: all processors
	// Progress, if not nil, is called with the share done.
	Progress func(done float64)
}

// chunk is how many positions a goroutine takes at once.
const chunk = 1 << 10

// Write writes positions of a table of a game in the order of their numbers, and
// returns how many. A position is told with the first seat to move, and stands for
// its mirror image, too: images is how many positions a row is. Illegal ones are left
// out. The moves are best first; their worth is for the seat that moves. When the
// context ends Write returns its error; w may have got a part of the rows.
func Write(ctx context.Context, w io.Writer, g *halma.Game, t *tablebase.Table, o Options) (n uint64, err error) {
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	x := &exporter{g: g, t: t, info: t.Info(), o: o}
	x.distances = x.info.Kind == tablebase.Distances
	if o.Sample > 0 {
		if err := x.draw(ctx); err != nil {
			return 0, err
		}
	}
	if !o.JSON {
		if _, err := io.WriteString(w, "position,value,distance,images,moves\n"); err != nil {
			return 0, err
		}
	}
	return x.run(ctx, w)
}

// exporter is one call of Write.
type exporter struct {
	g         *halma.Game
	t         *tablebase.Table
	info      tablebase.Info
	o         Options
	distances bool
	drawn     []uint64 // numbers of the sample, ascending; nil for all
}

// wanted reports whether a position is to be written.
func (x *exporter) wanted(v game.Value, d int) bool {
	switch {
	case v == game.Unknown:
		return false
	case x.o.Values != nil && !slices.Contains(x.o.Values, v):
		return false
	case x.o.From <= 0 && x.o.To < 0:
		return true
	}
	return v != game.Draw && d >= x.o.From && (x.o.To < 0 || d <= x.o.To)
}

// draw draws the sample: first which of the positions that are wanted, then their
// numbers.
func (x *exporter) draw(ctx context.Context) error {
	all := uint64(0)
	if err := x.each(ctx, func(uint64) { all++ }); err != nil {
		return err
	}
	x.drawn = []uint64{}
	if x.o.Sample >= all {
		return x.each(ctx, func(i uint64) { x.drawn = append(x.drawn, i) })
	}
	// Floyd's algorithm: a set of that size, each as likely as any other.
	rng := rand.New(rand.NewPCG(x.o.Seed, 0x5e3d))
	picked := make(map[uint64]bool, x.o.Sample)
	for top := all - x.o.Sample; top < all; top++ {
		if i := rng.Uint64N(top + 1); picked[i] {
			picked[top] = true
		} else {
			picked[i] = true
		}
	}
	rank := uint64(0)
	return x.each(ctx, func(i uint64) {
		if picked[rank] {
			x.drawn = append(x.drawn, i)
		}
		rank++
	})
}

// each calls do for the numbers of the positions that are wanted, in order.
func (x *exporter) each(ctx context.Context, do func(i uint64)) error {
	for i := range x.info.Positions {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v, d, err := x.t.At(i)
		if err != nil {
			return err
		}
		if x.wanted(v, d) {
			do(i)
		}
	}
	return nil
}

// part is the rows of a chunk.
type part struct {
	number uint64
	text   []byte
	rows   uint64
	err    error
}

// run makes the rows on several goroutines and writes them in order.
func (x *exporter) run(ctx context.Context, w io.Writer) (n uint64, err error) {
	all := x.info.Positions
	if x.drawn != nil {
		all = uint64(len(x.drawn))
	}
	chunks := (all + chunk - 1) / chunk
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	var next atomic.Uint64
	made := make(chan part, x.o.Threads)
	room := make(chan struct{}, 4*x.o.Threads) // chunks made and not yet written
	for range x.o.Threads {
		workers.Go(func() {
			m := &maker{exporter: x}
			for {
				select {
				case room <- struct{}{}:
				case <-ctx.Done():
					return
				}
				i := next.Add(1) - 1
				if i >= chunks {
					return
				}
				p := part{number: i}
				p.text, p.rows, p.err = m.chunk(i*chunk, min(chunk, all-i*chunk))
				select {
				case made <- p:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	waiting := map[uint64]part{}
	for done := uint64(0); done < chunks; {
		p, ok := waiting[done]
		if !ok {
			select {
			case p := <-made:
				waiting[p.number] = p
			case <-ctx.Done():
				return n, ctx.Err()
			}
			continue
		}
		delete(waiting, done)
		<-room
		if p.err != nil {
			return n, p.err
		}
		if _, err := w.Write(p.text); err != nil {
			return n, err
		}
		n += p.rows
		if done++; x.o.Progress != nil {
			x.o.Progress(float64(done) / float64(chunks))
		}
	}
	return n, ctx.Err()
}

// maker makes rows, on one goroutine.
type maker struct {
	*exporter
	moves []game.Move
	worth []worth
	text  []byte
	rows  uint64
}

// worth is a move with its value to the mover.
type worth struct {
	m game.Move
	v game.Value
	d int
}

// chunk returns the rows of positions from…from+count−1, or of those of the sample.
func (m *maker) chunk(from, count uint64) (text []byte, rows uint64, err error) {
	m.text, m.rows = nil, 0
	one := func(number uint64, mover, other bitboard.Set128) {
		if err != nil {
			return
		}
		var v game.Value
		var d int
		if v, d, err = m.t.At(number); err == nil && (m.drawn != nil || m.wanted(v, d)) {
			err = m.row(mover, other, v, d)
		}
	}
	if m.drawn == nil {
		m.t.Walk(from, int(count), func(i int, mover, other bitboard.Set128) { one(from+uint64(i), mover, other) })
	} else {
		for _, number := range m.drawn[from : from+count] {
			m.t.Walk(number, 1, func(_ int, mover, other bitboard.Set128) { one(number, mover, other) })
		}
	}
	return m.text, m.rows, err
}

// row appends the row of a position.
func (m *maker) row(mover, other bitboard.Set128, v game.Value, d int) error {
	s := halma.FromSides(m.g, mover, other)
	m.worth = m.worth[:0]
	m.moves = s.Moves(m.moves[:0])
	for _, mv := range m.moves {
		s.Make(mv)
		value, in, err := m.t.Value(halma.Sides(m.g, s))
		s.Unmake()
		if err == nil && value == game.Unknown {
			err = fmt.Errorf("a move from %s leads to a position without a value: run solve verify", s)
		}
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		m.worth = append(m.worth, worth{mv, value.Negate(), in + 1})
	}
	slices.SortStableFunc(m.worth, func(a, b worth) int {
		switch {
		case a.v != b.v:
			return int(b.v) - int(a.v)
		case a.v == game.Win:
			return a.d - b.d
		case a.v == game.Loss:
			return b.d - a.d
		}
		return 0
	})
	images := 1
	if m.mirrored(mover) != mover {
		images = 2
	}
	if m.rows++; m.o.JSON {
		m.object(s, v, d, images)
	} else {
		m.cells(s, v, d, images)
	}
	return nil
}

// mirrored is the mirror image of an army, or the army where there is no mirror.
func (m *maker) mirrored(army bitboard.Set128) (image bitboard.Set128) {
	if len(m.info.Mirror) == 0 {
		return army
	}
	for ; !army.IsEmpty(); army = army.DropMin() {
		image = image.With(m.info.Mirror[army.Min()])
	}
	return image
}

// distance appends a distance, or none where there is none.
func (m *maker) distance(v game.Value, d int, none string) {
	if m.distances && v != game.Draw {
		m.text = strconv.AppendInt(m.text, int64(d), 10)
	} else {
		m.text = append(m.text, none...)
	}
}

// cells appends a row of comma-separated values. No cell needs quotes.
func (m *maker) cells(s game.State, v game.Value, d, images int) {
	m.text = append(append(append(m.text, s.String()...), ','), v.String()...)
	m.text = append(m.text, ',')
	m.distance(v, d, "")
	m.text = append(strconv.AppendInt(append(m.text, ','), int64(images), 10), ',')
	for i, w := range m.worth {
		if i > 0 {
			m.text = append(m.text, ' ')
		}
		m.text = append(append(append(append(m.text, s.MoveString(w.m)...), ':'), w.v.String()...), ':')
		m.distance(w.v, w.d, "")
	}
	m.text = append(m.text, '\n')
}

// object appends a row as JSON.
func (m *maker) object(s game.State, v game.Value, d, images int) {
	m.text = append(append(append(m.text, `{"position":"`...), s.String()...), `","value":"`...)
	m.text = append(append(m.text, v.String()...), `","distance":`...)
	m.distance(v, d, "null")
	m.text = append(strconv.AppendInt(append(m.text, `,"images":`...), int64(images), 10), `,"moves":[`...)
	for i, w := range m.worth {
		if i > 0 {
			m.text = append(m.text, ',')
		}
		m.text = append(append(append(m.text, `{"move":"`...), s.MoveString(w.m)...), `","value":"`...)
		m.text = append(append(m.text, w.v.String()...), `","distance":`...)
		m.distance(w.v, w.d, "null")
		m.text = append(m.text, '}')
	}
	m.text = append(m.text, "]}\n"...)
}
