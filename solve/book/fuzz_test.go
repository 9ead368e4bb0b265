package book

import (
	"encoding/binary"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/solve"
)

// FuzzValue reads any bytes with a right checksum as a value: an accepted value is a possible fact,
// and encodes to a value that reads the same.
func FuzzValue(f *testing.F) {
	const shelf = "mnk-3x3k3\x00\x00fingerprint"
	key := keyOf(0, []uint64{1, 2})
	facts := []solve.Fact{
		{WinOver: 0, WinBy: 7, LossOver: solve.Never, LossBy: solve.Never, Best: 3, Nodes: 20},
		{WinOver: 4, WinBy: solve.Never, LossOver: 2, LossBy: solve.Never, Best: game.NoMove},
		{WinOver: solve.Never, WinBy: solve.Never, LossOver: 0, LossBy: 300, Best: 0, Nodes: 1 << 40},
	}
	for _, fact := range facts {
		for _, notes := range []Notes{{}, {"\x01\x04\xff\x01", ""}, {"", "a"}, {"a", "bc"}} {
			for _, text := range []string{"", "3.3.3"} {
				v := encode(shelf, key, fact, notes, text)
				if got, had, was, err := decode(shelf, key, v); err != nil || got != fact || had != notes || was != text {
					f.Fatalf("%+v %q %q: written, and read as %+v %q %q: %v", fact, notes, text, got, had, was, err)
				}
				for n := range len(v) - 4 {
					if _, _, _, err := decode(shelf, key, sealed(shelf, key, v[:n])); err == nil && text == "" {
						f.Fatalf("%x, which is %x cut short, is read", v[:n], v)
					}
					f.Add(v[:n])
				}
				for at := range v {
					v[at] ^= 0x20
					if _, _, _, err := decode(shelf, key, v); err == nil {
						f.Fatalf("byte %d of %x is another one, and it is read", at, v)
					}
					v[at] ^= 0x20
				}
				if _, _, _, err := decode(shelf+"x", key, v); err == nil {
					f.Fatal("a value is read on another shelf")
				}
				if _, _, _, err := decode(shelf, key[1:], v); err == nil {
					f.Fatal("a value is read at another key")
				}
				for at := range len(v) - 4 { // one byte too large: a length, for instance
					v[at]++
					f.Add(slices.Clone(v[:len(v)-4]))
					v[at]--
				}
			}
		}
	}
	for n := range 5 {
		if _, _, _, err := decode(shelf, key, make([]byte, n)); err == nil {
			f.Fatalf("%d bytes are read", n)
		}
	}
	f.Fuzz(func(t *testing.T, v []byte) {
		fact, notes, text, err := decode(shelf, key, sealed(shelf, key, v))
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

// sealed is a value with its checksum.
func sealed(shelf string, key, v []byte) []byte {
	return binary.LittleEndian.AppendUint32(v[:len(v):len(v)], checksum(shelf, key, v))
}

// crowd is a game with a given number of seats.
type crowd struct {
	game.Game
	seats int
}

func (c crowd) Seats() int { return c.seats }

// TestNames: views distinguish the heroes of games with three seats and more, and of no other
// games; of two notes the older stays; a shelf has three names.
func TestNames(t *testing.T) {
	for seats := 1; seats <= 6; seats++ {
		for seat := range seats {
			v := view(crowd{seats: seats}, seat)
			if seats <= 2 && (v != 0 || hero(v) != 0) || seats > 2 && (int(v) != seat+1 || hero(v) != seat) {
				t.Errorf("%d seats, hero %d: view %d, of hero %d", seats, seat, v, hero(v))
			}
		}
	}
	for _, c := range [][3]Notes{
		{{"a", ""}, {"b", "c"}, {"a", "c"}}, {{"", ""}, {"", "c"}, {"", "c"}}, {{"a", "b"}, {"", ""}, {"a", "b"}},
	} {
		if got := c[0].and(c[1]); got != c[2] {
			t.Errorf("%q and %q: %q", c[0], c[1], got)
		}
	}
	if key := keyOf(3, []uint64{1, 1 << 63}); string(key) != "\x03\x00\x00\x00\x00\x00\x00\x00\x01\x80\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("a key of view 3 and two words: %x", key)
	}
	want := Shelf{"game", "rules", "print"}
	if s, ok := parseShelf(want.name()); !ok || s != want {
		t.Errorf("%q is read as %+v, %v", want.name(), s, ok)
	}
	for _, name := range []string{"", "game\x00rules", "a\x00b\x00c\x00d"} {
		if s, ok := parseShelf(name); ok {
			t.Errorf("%q is read as %+v", name, s)
		}
	}
}
