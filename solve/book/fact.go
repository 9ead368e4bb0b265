package book

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"perfectplay/game"
	"perfectplay/solve"
)

// The first byte of a value: bare has no notes.
const (
	bare  = 1
	noted = 2
)

// Notes are data that only the prover of a game adds to a fact and reads: a note on the result of
// the seat to move, and a note on the result of the other side. A note exists only if the result is
// settled: a win within a number of plies, or never a win. The cells in a note are in the key's
// frame.
type Notes [2]string

// and combines the notes of two facts about one position; the older one wins.
func (n Notes) and(m Notes) Notes {
	for i := range n {
		if n[i] == "" {
			n[i] = m[i]
		}
	}
	return n
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errDamaged says that a value differs from the written one.
var errDamaged = errors.New("damaged: its checksum is wrong")

func checksum(shelf string, key, value []byte) uint32 {
	sum := crc32.Checksum([]byte(shelf), castagnoli)
	return crc32.Update(crc32.Update(sum, castagnoli, key), castagnoli, value)
}

// encode is the value of a fact about the position that text describes.
func encode(shelf string, key []byte, f solve.Fact, notes Notes, text string) []byte {
	v := []byte{bare}
	if notes != (Notes{}) {
		v[0] = noted
	}
	for _, n := range []int{f.WinOver, f.WinBy, f.LossOver, f.LossBy} {
		v = binary.AppendUvarint(v, uint64(n))
	}
	v = binary.AppendUvarint(v, f.Nodes)
	move := uint64(0)
	if f.Best != game.NoMove {
		move = uint64(f.Best) + 1
	}
	v = binary.AppendUvarint(v, move)
	if v[0] == noted {
		for _, n := range notes {
			v = append(binary.AppendUvarint(v, uint64(len(n))), n...)
		}
	}
	v = append(v, text...)
	return binary.LittleEndian.AppendUint32(v, checksum(shelf, key, v))
}

// decode is the inverse of encode.
func decode(shelf string, key, v []byte) (f solve.Fact, notes Notes, text string, err error) {
	body := len(v) - 4
	if body < 1 || v[0] != bare && v[0] != noted || binary.LittleEndian.Uint32(v[body:]) != checksum(shelf, key, v[:body]) {
		return f, notes, "", errDamaged
	}
	form := v[0]
	v = v[1:body]
	var n [6]uint64
	for i := range n {
		var size int
		if n[i], size = binary.Uvarint(v); size <= 0 {
			return f, notes, "", errDamaged
		}
		v = v[size:]
	}
	f = solve.Fact{WinOver: int(n[0]), WinBy: int(n[1]), LossOver: int(n[2]), LossBy: int(n[3]), Nodes: n[4], Best: game.NoMove}
	if n[5] > 0 {
		f.Best = game.Move(n[5] - 1)
	}
	if !f.Valid() {
		return f, notes, "", errDamaged
	}
	if form == noted {
		for i := range notes {
			length, size := binary.Uvarint(v)
			if size <= 0 || length > uint64(len(v)-size) {
				return f, notes, "", errDamaged
			}
			end := size + int(length)
			notes[i], v = string(v[size:end]), v[end:]
		}
	}
	return f, notes, string(v), nil
}

// keyOf is the key of a fact: view is 0, or the hero's seat counted from 1.
func keyOf(view byte, words []uint64) []byte {
	key := []byte{view}
	for _, w := range words {
		key = binary.BigEndian.AppendUint64(key, w)
	}
	return key
}

// view is the first byte of the keys of facts about a hero.
func view(g game.Game, hero int) byte {
	if g.Seats() <= 2 {
		return 0
	}
	return byte(hero + 1)
}

// hero is the seat of a key's first byte; 0 where seats do not matter.
func hero(view byte) int { return max(int(view)-1, 0) }

// Shelf is a game under a rule set in a book.
type Shelf struct {
	Game, Rules string
	// Fingerprint distinguishes the rules and keys of this program from other rules and keys with
	// the same names.
	Fingerprint string
}

func (s Shelf) name() string { return s.Game + "\x00" + s.Rules + "\x00" + s.Fingerprint }

// parseShelf is the inverse of name.
func parseShelf(name string) (Shelf, bool) {
	p := strings.Split(name, "\x00")
	if len(p) != 3 {
		return Shelf{}, false
	}
	return Shelf{p[0], p[1], p[2]}, true
}

// ShelfOf returns the shelf of a game. The error says that the game has no keys.
func ShelfOf(g game.Game) (Shelf, error) {
	if _, ok := g.Start().(game.Keyer); !ok {
		return Shelf{}, fmt.Errorf("book: %s has no keys", g.ID())
	}
	return Shelf{g.ID(), g.Rules(), game.Fingerprint(g)}, nil
}

// Item is a fact in the file.
type Item struct {
	Shelf    Shelf
	Hero     int // seat of the hero; meaningless with two seats
	Position string
	Fact     solve.Fact
	Notes    Notes
	// Key is the key of the position in words.
	Key []uint64
	key string
}
