// Package export writes the positions of a table as rows: each with its value, its distance,
// and the value of every move.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/blocks"
	"perfectplay/solve/table"
)

// Options select the positions to write, and the form.
type Options struct {
	// Values, if not nil, are the values to write. From and To are the least and the largest
	// distance; To is negative for no bound. Draws have no distance, and pass only without
	// bounds.
	Values   []game.Value
	From, To int
	// Sample, if not 0, is the number of selected positions to write, drawn at random by Seed
	// without repetition; all if there are fewer.
	Sample  uint64
	Seed    uint64
	JSON    bool // an object a line instead of comma-separated values
	Threads int
	// Columns opens a writer of rows in another format. Close leaves w open.
	Columns Columns
	Program string // name and version of the program, for Columns
	// Progress, if not nil, is called with the share done.
	Progress func(done float64)
}

// Columns opens a writer of rows in a format of its own. Close writes the rest, and leaves w
// open.
type Columns func(w io.Writer, program string) (Table, error)

// Table takes rows in order. A row is valid only until Write returns.
type Table interface {
	Write([]Row) (int, error)
	Close() error
}

// Row is a position. Writers of Parquet files read its tags.
type Row struct {
	Position string `parquet:"position"`
	Value    string `parquet:"value,dict"`
	Distance *int32 `parquet:"distance"` // nil for draws, and in tables without distances
	Images   int32  `parquet:"images"`
	Moves    []Move `parquet:"moves,list"`
}

// Move is a move with its value for the seat that moves.
type Move struct {
	Move     string `parquet:"move"`
	Value    string `parquet:"value,dict"`
	Distance *int32 `parquet:"distance"`
}

// flush is the number of bytes of text that are written at once.
const flush = 1 << 20

// Write writes positions of a table in its order, and returns their number. If the table numbers
// the mover's side only, the first seat is to move in each position. The column images counts the
// positions that a row stands for: 2 if the mirror image differs, else 1. Illegal positions are
// left out. Moves come best first, with their values for the seat that moves. If the context ends,
// Write returns its error, perhaps after some rows.
func Write(ctx context.Context, w io.Writer, t *table.Table, o Options) (n uint64, err error) {
	lister, ok := t.Numbering().(table.Lister)
	if !ok {
		return 0, fmt.Errorf("the positions of a table by %q cannot be listed: solve export %s finds them from the rules", t.Info().Numbering, t.Info().Game)
	}
	x := &exporter{t: t, walker: lister.Walker, info: t.Info(), o: o, out: w}
	units := int(x.walker().Units())
	if o.Sample > 0 {
		if err := x.draw(ctx, units); err != nil {
			return 0, err
		}
	}
	switch {
	case o.Columns != nil:
		x.file, err = o.Columns(w, o.Program)
	case !o.JSON:
		_, err = io.WriteString(w, "position,value,distance,images,moves\n")
	}
	if err != nil {
		return 0, err
	}
	err = blocks.InOrder(ctx, o.Threads, units, x.maker, func(i int, m *maker) error { return m.unit(ctx, i) }, func(i int, m *maker) error {
		n += m.rows
		if o.Progress != nil {
			o.Progress(float64(i+1) / float64(units))
		}
		return m.flush()
	})
	if err == nil && x.file != nil {
		err = x.file.Close()
	}
	return n, err
}

type exporter struct {
	t      *table.Table
	walker func() table.Walker
	info   table.Info
	o      Options
	out    io.Writer
	shares []share // the sample's positions in each unit; nil if all are written
	file   Table
}

// wanted reports whether a position passes the options.
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

// each calls do for the wanted positions of a unit.
func (x *exporter) each(w table.Walker, unit int, do func(s game.State, v game.Value, d int, images uint64) error) (err error) {
	var last game.State
	defer game.Guard(&err, x.t.Game(), nil, func() game.State { return last })
	return w.Unit(uint64(unit), func(s game.State, p table.Place, images uint64) error {
		last = s
		v, d, err := x.t.At(p, s.Seat(), 1<<s.Seat())
		if err != nil || !x.wanted(v, d) {
			return err
		}
		return do(s, v, d, images)
	})
}

// share counts the wanted positions of a unit, and the positions drawn from them.
type share struct{ wanted, drawn uint64 }

// draw draws the sample: it counts the wanted positions of each unit, and chooses how many of
// them to write.
func (x *exporter) draw(ctx context.Context, units int) error {
	shares, all := make([]share, units), uint64(0)
	err := blocks.InOrder(ctx, x.o.Threads, units, x.walker, func(i int, w table.Walker) error {
		return x.each(w, i, func(game.State, game.Value, int, uint64) error {
			shares[i].wanted++
			return ctx.Err()
		})
	}, func(i int, _ table.Walker) error {
		all += shares[i].wanted
		return nil
	})
	if err != nil || x.o.Sample >= all {
		return err
	}
	d := drawing{rand.New(rand.NewPCG(x.o.Seed, 0x5e3d)), all, x.o.Sample}
	for i := range shares {
		for range shares[i].wanted {
			if d.next() {
				shares[i].drawn++
			}
		}
	}
	x.shares = shares
	return nil
}

// drawing chooses a given number of things from a longer sequence, one by one. Each choice is
// equally likely.
type drawing struct {
	*rand.Rand
	left, missing uint64
}

func (d *drawing) next() bool {
	drawn := d.missing > 0 && d.Uint64N(d.left) < d.missing
	if d.left--; drawn {
		d.missing--
	}
	return drawn
}

type maker struct {
	*exporter
	walk  table.Walker
	moves []game.Move
	worth []worth
	text  []byte
	table []Row  // rows for Columns, instead of text
	list  []Move // moves of the rows in table
	rows  uint64
}

// worth is a move with its value for the mover.
type worth struct {
	m game.Move
	wing.Worth
}

func (x *exporter) maker() *maker { return &maker{exporter: x, walk: x.walker()} }

// unit makes the rows of a unit. A single unit's rows are written on the way.
func (m *maker) unit(ctx context.Context, i int) error {
	m.rows = 0
	var sample drawing
	if m.shares != nil {
		s := m.shares[i]
		if sample = (drawing{rand.New(rand.NewPCG(m.o.Seed, uint64(i))), s.wanted, s.drawn}); s.drawn == 0 {
			return nil
		}
	}
	alone := m.walk.Units() == 1
	return m.each(m.walk, i, func(s game.State, v game.Value, d int, images uint64) error {
		if m.shares != nil && !sample.next() {
			return nil
		}
		if alone && (len(m.text) > flush || len(m.list) > flush/32) {
			if err := errors.Join(ctx.Err(), m.flush()); err != nil {
				return err
			}
		}
		return m.row(s, v, d, int(images))
	})
}

// flush writes the rows made.
func (m *maker) flush() (err error) {
	if m.file != nil {
		_, err = m.file.Write(m.table)
	} else {
		_, err = m.out.Write(m.text)
	}
	m.text, m.table, m.list = m.text[:0], m.table[:0], m.list[:0]
	return err
}

// row adds the row of a position.
func (m *maker) row(s game.State, v game.Value, d, images int) error {
	seat := s.Seat()
	m.worth, m.moves = m.worth[:0], s.Moves(m.moves[:0])
	for _, mv := range m.moves {
		s.Make(mv)
		value, in, err := m.t.Value(s, 1<<seat)
		s.Unmake()
		if err == nil && value == game.Unknown {
			err = fmt.Errorf("a move from %s leads to a position without a value: run solve verify", s)
		}
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		m.worth = append(m.worth, worth{mv, wing.Worth{Value: value, Distance: in + 1}})
	}
	slices.SortStableFunc(m.worth, func(a, b worth) int { return a.Compare(b.Worth) })
	from := len(m.list)
	for _, w := range m.worth {
		m.list = append(m.list, Move{s.MoveString(w.m), w.Value.String(), m.distance(w.Value, w.Distance)})
	}
	r := Row{s.String(), v.String(), m.distance(v, d), int32(images), m.list[from:len(m.list):len(m.list)]}
	m.rows++
	if m.file != nil {
		m.table = append(m.table, r)
		return nil
	}
	m.list = m.list[:from]
	if m.o.JSON {
		m.text = r.appendJSON(m.text)
	} else {
		m.text = r.appendCSV(m.text)
	}
	return nil
}

func (m *maker) distance(v game.Value, d int) *int32 {
	if !m.info.Distances() || v == game.Draw {
		return nil
	}
	return new(int32(d))
}

// appendCSV appends comma-separated values. No cell needs quotes.
func (r *Row) appendCSV(text []byte) []byte {
	text = append(append(append(append(text, r.Position...), ','), r.Value...), ',')
	if r.Distance != nil {
		text = strconv.AppendInt(text, int64(*r.Distance), 10)
	}
	text = append(strconv.AppendInt(append(text, ','), int64(r.Images), 10), ',')
	for i, m := range r.Moves {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(append(append(text, m.Move...), '='), m.Value...)
		if m.Distance != nil {
			text = strconv.AppendInt(append(text, "_in_"...), int64(*m.Distance), 10)
		}
	}
	return append(text, '\n')
}

// appendJSON appends an object. No text needs escapes.
func (r *Row) appendJSON(text []byte) []byte {
	text = append(append(append(text, `{"position":"`...), r.Position...), '"')
	text = appendWorth(text, r.Value, r.Distance)
	text = strconv.AppendInt(append(text, `,"images":`...), int64(r.Images), 10)
	text = append(text, `,"moves":[`...)
	for i, m := range r.Moves {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, `{"move":"`...), m.Move...), '"')
		text = append(appendWorth(text, m.Value, m.Distance), '}')
	}
	return append(text, "]}\n"...)
}

func appendWorth(text []byte, value string, distance *int32) []byte {
	text = append(append(append(text, `,"value":"`...), value...), `","distance":`...)
	if distance == nil {
		return append(text, "null"...)
	}
	return strconv.AppendInt(text, int64(*distance), 10)
}
