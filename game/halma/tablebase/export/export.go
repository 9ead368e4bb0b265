// Package export writes the positions of a table or of a solution as rows: each with
// its value, its distance, and the worth of every move. [Write] is all of it.
package export

import (
	"context"
	"encoding"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/parquet-go/parquet-go"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/tablebase"
)

// Source has the values of all positions of a game for two, numbered as in a table.
type Source interface {
	// Info describes the table, or the one that could be written.
	Info() tablebase.Info
	// Walk calls do for the positions from…from+count−1 in order, with their armies
	// from the mover's side.
	Walk(from uint64, count int, do func(i int, mover, other bitboard.Set128))
	// Reader returns a reader for one goroutine.
	Reader() Reader
}

// Reader looks positions up, armies from the mover's side. An illegal position has
// value Unknown.
type Reader interface {
	// At returns the value and distance of a position by its number and its armies.
	At(number uint64, mover, other bitboard.Set128) (game.Value, int, error)
	// After goes to the positions with this army to move, and Value returns what one
	// of them is worth to it.
	After(mover bitboard.Set128) error
	Value(other bitboard.Set128) (game.Value, int, error)
}

// Options say which positions to write, and how.
type Options struct {
	// Values, if not nil, are the values to write. From and To are the least and the
	// largest distance; To is negative for no bound. Draws have no distance, and
	// pass only where both are unset.
	Values   []game.Value
	From, To int
	// Sample, if not 0, is how many of these to write, drawn at random by Seed, each
	// at most once; all where there are fewer.
	Sample  uint64
	Seed    uint64
	Format  Format
	Program string // the version that a Parquet file names
	Threads int    // default: all processors
	// Progress, if not nil, is called with the share done.
	Progress func(done float64)
}

// Format is how rows are written.
type Format int

// The formats.
const (
	CSV     Format = iota // comma-separated values with a header; moves are words
	JSON                  // an object a line
	Parquet               // columns; moves are a list of rows
)

// chunk is how many positions a goroutine takes at once.
const chunk = 1 << 10

// Write writes positions of a game in the order of their numbers, and returns how
// many. A position is told with the first seat to move, and stands for its mirror
// image, too: images is how many positions a row is. Illegal ones are left out. The
// moves are best first; their worth is for the seat that moves. When the context ends
// Write returns its error; w may have got a part of the rows.
func Write(ctx context.Context, w io.Writer, g *halma.Game, from Source, o Options) (n uint64, err error) {
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	two, err := g.TwoArmy()
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	x := &exporter{g: g, two: two, from: from, info: from.Info(), o: o}
	x.distances = x.info.Kind == tablebase.Distances
	for c := range two.Cells {
		x.names = append(x.names, g.Board().CellName(c))
	}
	if o.Sample > 0 {
		if err := x.draw(ctx); err != nil {
			return 0, err
		}
	}
	switch o.Format {
	case CSV:
		_, err = io.WriteString(w, "position,value,distance,images,moves\n")
	case Parquet:
		x.file = parquet.NewGenericWriter[row](w, schema, parquet.Compression(&parquet.Zstd),
			parquet.MaxRowsPerRowGroup(groupRows), parquet.CreatedBy("perfectplay", o.Program, ""),
			// The least and the largest word of a page of moves tell no reader anything.
			parquet.SkipPageBounds("moves", "list", "element", "move"), parquet.SkipPageBounds("moves", "list", "element", "value"))
	}
	if err != nil {
		return 0, err
	}
	if n, err = x.run(ctx, w); err == nil && x.file != nil {
		err = x.file.Close()
	}
	return n, err
}

// exporter is one call of Write.
type exporter struct {
	g         *halma.Game
	two       *halma.TwoArmy
	from      Source
	info      tablebase.Info
	o         Options
	distances bool
	names     []string // of cells
	drawn     []uint64 // numbers of the sample, ascending; nil for all
	file      *parquet.GenericWriter[row]
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
func (x *exporter) each(ctx context.Context, do func(i uint64)) (err error) {
	const step = 1 << 16
	r := x.from.Reader()
	for from := uint64(0); from < x.info.Positions && err == nil; from += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.from.Walk(from, int(min(step, x.info.Positions-from)), func(i int, mover, other bitboard.Set128) {
			v, d, failed := r.At(from+uint64(i), mover, other)
			if failed != nil {
				err = failed
			} else if x.wanted(v, d) {
				do(from + uint64(i))
			}
		})
	}
	return err
}

// part is the rows of a chunk.
type part struct {
	number uint64
	text   []byte
	table  []row // instead of the text
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
			m := x.maker()
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
				p := m.chunk(i*chunk, min(chunk, all-i*chunk))
				p.number = i
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
		if x.file != nil {
			_, err = x.file.Write(p.table)
		} else {
			_, err = w.Write(p.text)
		}
		if err != nil {
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
	own, after Reader
	state      game.State
	moves      []game.Move
	worth      []worth
	position   []byte // as text
	text       []byte
	table      []row
	rows       uint64
}

// worth is a move with its value to the mover.
type worth struct {
	m game.Move
	v game.Value
	d int
}

func (x *exporter) maker() *maker {
	return &maker{exporter: x, own: x.from.Reader(), after: x.from.Reader(), state: x.g.Start()}
}

// chunk returns the rows of positions from…from+count−1, or of those of the sample.
func (m *maker) chunk(from, count uint64) (p part) {
	m.text, m.rows = make([]byte, 0, cap(m.text)), 0
	m.table = nil
	one := func(number uint64, mover, other bitboard.Set128) {
		if p.err != nil {
			return
		}
		var v game.Value
		var d int
		if v, d, p.err = m.own.At(number, mover, other); p.err == nil && (m.drawn != nil || m.wanted(v, d)) {
			p.err = m.row(mover, other, v, d)
		}
	}
	if m.drawn == nil {
		m.from.Walk(from, int(count), func(i int, mover, other bitboard.Set128) { one(from+uint64(i), mover, other) })
	} else {
		for _, number := range m.drawn[from : from+count] {
			m.from.Walk(number, 1, func(_ int, mover, other bitboard.Set128) { one(number, mover, other) })
		}
	}
	p.text, p.table, p.rows = m.text, m.table, m.rows
	return p
}

// row appends the row of a position. What moves lead to is worked out here: after each
// the other army is to move, which stays as it is, and sees the board turned.
func (m *maker) row(mover, other bitboard.Set128, v game.Value, d int) error {
	s := m.state
	halma.Place(m.g, s, mover, other)
	m.worth = m.worth[:0]
	m.moves = s.Moves(m.moves[:0])
	if len(m.moves) > 0 {
		if err := m.after.After(m.turned(other)); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	turned := m.turned(mover)
	for _, mv := range m.moves {
		moved := turned
		if mv != game.Pass {
			from, to := halma.Cells(mv)
			moved = moved.Without(int(m.two.Turn[from])).With(int(m.two.Turn[to]))
		}
		value, in, err := m.after.Value(moved)
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
	m.rows++
	var err error
	if m.position, err = s.(encoding.TextAppender).AppendText(m.position[:0]); err != nil {
		return err
	}
	switch m.o.Format {
	case JSON:
		m.object(v, d, images)
	case Parquet:
		m.columns(v, d, images)
	default:
		m.cells(v, d, images)
	}
	return nil
}

// turned is an army as the other seat sees it.
func (m *maker) turned(army bitboard.Set128) (turned bitboard.Set128) {
	for ; !army.IsEmpty(); army = army.DropMin() {
		turned = turned.With(int(m.two.Turn[army.Min()]))
	}
	return turned
}

// move appends a move as text.
func (m *maker) move(mv game.Move) {
	if mv == game.Pass {
		m.text = append(m.text, "pass"...)
		return
	}
	from, to := halma.Cells(mv)
	m.text = append(append(append(m.text, m.names[from]...), '-'), m.names[to]...)
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
func (m *maker) cells(v game.Value, d, images int) {
	m.text = append(append(append(m.text, m.position...), ','), v.String()...)
	m.text = append(m.text, ',')
	m.distance(v, d, "")
	m.text = append(strconv.AppendInt(append(m.text, ','), int64(images), 10), ',')
	for i, w := range m.worth {
		if i > 0 {
			m.text = append(m.text, ' ')
		}
		m.move(w.m)
		m.text = append(append(append(m.text, ':'), w.v.String()...), ':')
		m.distance(w.v, w.d, "")
	}
	m.text = append(m.text, '\n')
}

// object appends a row as JSON.
func (m *maker) object(v game.Value, d, images int) {
	m.text = append(append(append(m.text, `{"position":"`...), m.position...), `","value":"`...)
	m.text = append(append(m.text, v.String()...), `","distance":`...)
	m.distance(v, d, "null")
	m.text = append(strconv.AppendInt(append(m.text, `,"images":`...), int64(images), 10), `,"moves":[`...)
	for i, w := range m.worth {
		if i > 0 {
			m.text = append(m.text, ',')
		}
		m.text = append(m.text, `{"move":"`...)
		m.move(w.m)
		m.text = append(append(append(m.text, `","value":"`...), w.v.String()...), `","distance":`...)
		m.distance(w.v, w.d, "null")
		m.text = append(m.text, '}')
	}
	m.text = append(m.text, "]}\n"...)
}

// row is a row of a Parquet file, moveRow a move in it.
type row struct {
	Position string    `parquet:"position"`
	Value    string    `parquet:"value,dict"`
	Distance *int32    `parquet:"distance"`
	Images   int32     `parquet:"images"`
	Moves    []moveRow `parquet:"moves,list"`
}

type moveRow struct {
	Move     string `parquet:"move,dict"`
	Value    string `parquet:"value,dict"`
	Distance *int32 `parquet:"distance"`
}

var schema = parquet.NewSchema("schema", parquet.SchemaOf(row{}))

// groupRows is how many rows a row group has.
const groupRows = 1 << 17

// columns adds a row to the table.
func (m *maker) columns(v game.Value, d, images int) {
	list := make([]moveRow, len(m.worth))
	plies := make([]int32, len(m.worth)+1)
	distance := func(i int, v game.Value, d int) *int32 {
		if !m.distances || v == game.Draw {
			return nil
		}
		plies[i] = int32(d)
		return &plies[i]
	}
	for i, w := range m.worth {
		m.text = m.text[:0]
		m.move(w.m)
		list[i] = moveRow{string(m.text), w.v.String(), distance(i, w.v, w.d)}
	}
	m.table = append(m.table, row{string(m.position), v.String(), distance(len(list), v, d), int32(images), list})
}
