package book

import (
	"encoding/binary"
	"testing"

	"perfectplay/game"
	"perfectplay/solve"
)

// FuzzValue reads any bytes with a right checksum as a value: what is accepted is a fact
// that can hold, and is read as the same from what it is written as.
func FuzzValue(f *testing.F) {
	const shelf = "mnk-3x3k3\x00\x00fingerprint"
	key := keyOf(0, []uint64{1, 2})
	facts := []solve.Fact{
		{WinOver: 0, WinBy: 7, LossOver: solve.Never, LossBy: solve.Never, Best: 3, Nodes: 20},
		{WinOver: 4, WinBy: solve.Never, LossOver: 2, LossBy: solve.Never, Best: game.NoMove},
	}
	for _, fact := range facts {
		for _, notes := range []Notes{{}, {"\x01\x04\xff\x01", ""}, {"", "a"}, {"a", "bc"}} {
			v := encode(shelf, key, fact, notes, "3.3.3")
			f.Add(v[:len(v)-4])
		}
	}
	f.Fuzz(func(t *testing.T, v []byte) {
		fact, notes, text, err := decode(shelf, key, binary.LittleEndian.AppendUint32(v[:len(v):len(v)], checksum(shelf, key, v)))
		if err != nil {
			return
		}
		if !fact.Valid() {
			t.Fatalf("%x is read as %+v", v, fact)
		}
		f2, n2, t2, err := decode(shelf, key, encode(shelf, key, fact, notes, text))
		if err != nil || f2 != fact || n2 != notes || t2 != text {
			t.Fatalf("%x: %+v %q %q, then %+v %q %q, %v", v, fact, notes, text, f2, n2, t2, err)
		}
	})
}
