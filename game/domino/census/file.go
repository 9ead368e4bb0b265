package census

import (
	"encoding/binary"
	"errors"
	"fmt"

	"perfectplay/game/domino"
	"perfectplay/internal/blocks"
	"perfectplay/internal/parts"
	"perfectplay/internal/store"
)

// fileFormat is the format of part files. A block holds a column of the table of hands: a field of
// Role in one role, for all hands by rank, as signed varints. The columns of the starter's hands
// come first. Interruptions do not change a file; a checkpoint is a part that is not complete.
var fileFormat = blocks.Format{
	What: "census part", Anew: "finish it with the version that began it",
	Magic: "perfectplay domino census 2\n", Family: "perfectplay domino census", MaxBlock: 2 * maxColumn, MaxDescription: 1 << 24,
}

// Begins reports whether a file begins like a part, by its first 64 bytes.
func Begins(start []byte) bool { return fileFormat.Begins(start) }

const (
	columns   = 12
	maxColumn = domino.HandCount * binary.MaxVarintLen64
)

// description is the description of a file, with all of the tally but its hands.
type description struct {
	Part, Parts, Units, Done int
	Columns                  []int // bytes of each column
	Tally
}

func (d *description) part() parts.Part { return parts.Part{I: d.Part, N: d.Parts} }

// at returns a column's field of a hand.
func (h *Hands) at(hand, column int) *int64 {
	return h[hand][column/6].fields()[column%6]
}

// fields returns the fields of r in the order of files.
func (r *Role) fields() [6]*int64 {
	return [6]*int64{&r.Games, &r.Wins, &r.Draws, &r.Score, &r.Leaves, &r.Blocked}
}

// Save writes the part to a file, whole or not at all.
func (c *Census) Save(path string) error {
	err := store.Write(path, fileFormat, maxColumn, func(put func([]byte) error) (any, error) {
		d := description{Part: c.Part, Parts: c.Parts, Units: Units, Done: c.Done, Tally: *c.Tally}
		var column []byte
		for i := range columns {
			column = c.Tally.Hands.column(i, column[:0])
			if err := put(column); err != nil {
				return nil, err
			}
			d.Columns = append(d.Columns, len(column))
		}
		return d, nil
	})
	if err != nil {
		return fmt.Errorf("census: save %s: %w", path, err)
	}
	return nil
}

// Load reads a part file. It refuses a damaged or contradictory one.
func Load(path string) (*Census, error) {
	c, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("census: %w", err)
	}
	return c, nil
}

func load(path string) (*Census, error) {
	var d description
	err := store.Read(path, fileFormat, maxColumn, func(u *blocks.Unpacker) error {
		if err := u.Describe(&d); err != nil {
			return err
		}
		if err := d.check(u.Blocks()); err != nil {
			return err
		}
		d.Hands = new(Hands)
		var column []byte
		for i, size := range d.Columns {
			var err error
			if column, err = u.Unpack(i, size, column); err == nil {
				err = d.Hands.read(i, column)
			}
			if err != nil {
				return err
			}
		}
		return contradiction(d.checkHands())
	})
	return &Census{Part: d.Part, Parts: d.Parts, Done: d.Done, Tally: &d.Tally}, err
}

// check returns an error about a description that contradicts itself.
func (d *description) check(blocks int) error {
	if err := d.part().Check(); err != nil {
		return err
	}
	if d.Units != Units || d.Done < 0 || d.Done > Units {
		return fmt.Errorf("damaged: %d of %d units", d.Done, d.Units)
	}
	if len(d.Columns) != columns || blocks != columns {
		return fmt.Errorf("damaged: %d columns in %d blocks, want %d", len(d.Columns), blocks, columns)
	}
	for _, size := range d.Columns {
		if size < 0 || size > maxColumn {
			return fmt.Errorf("damaged: a column of %d bytes", size)
		}
	}
	if games := d.All().Games; d.Done == 0 && games != 0 {
		return fmt.Errorf("damaged: %d games of no unit", games)
	}
	return contradiction(d.checkCounts())
}

func contradiction(wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return errors.New("damaged: " + wrong[0])
}

// column appends a column to text.
func (h *Hands) column(column int, text []byte) []byte {
	for hand := range h {
		text = binary.AppendVarint(text, *h.at(hand, column))
	}
	return text
}

// read fills in a column.
func (h *Hands) read(column int, text []byte) error {
	for hand := range h {
		if len(text) > 0 && text[0] == 0 { // a zero: the memory of unused hands stays untouched
			text = text[1:]
			continue
		}
		v, n := binary.Varint(text)
		if n <= 0 {
			return errors.New("damaged: a number of a hand is cut off or too long")
		}
		*h.at(hand, column) = v
		text = text[n:]
	}
	if len(text) > 0 {
		return errors.New("damaged: more hands than there are")
	}
	return nil
}

// Merge reads part files and adds them up. It refuses parts that are damaged, not complete, of
// different divisions, overlap, or do not cover all deals; the error lists all faults.
func Merge(paths []string) (*Census, error) {
	if len(paths) == 0 {
		return nil, errors.New("census: no parts given")
	}
	list := parts.NewList()
	sum := &Census{Part: 1, Parts: 1, Done: Units, Tally: newTally()}
	for _, path := range paths {
		c, err := load(path)
		if err != nil {
			list.Refuse("%w", err)
			continue
		}
		part := parts.Part{I: c.Part, N: c.Parts}
		switch {
		case !list.Add(path, part):
		case !c.Complete():
			list.Refuse("%s: part %v is not complete: %d of %d units", path, part, c.Done, Units)
		default:
			sum.Tally.add(c.Tally)
		}
	}
	if err := list.Err(); err != nil {
		return nil, fmt.Errorf("census: %w", err)
	}
	return sum, nil
}
