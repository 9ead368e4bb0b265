package game

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/dgryski/go-farm"
)

// The games that [Fingerprint] plays, the most plies of each, and the numbers that it
// visits.
const (
	printGames   = 24
	printPlies   = 120
	printNumbers = 256
)

// Fingerprint returns four numbers, of eight hexadecimal digits each, by which stored answers
// can tell the rules of a game from others of the same name: one of its positions and moves,
// one of its results, one of its keys, and one of its numbers, zero for none. It plays a few
// games by a fixed choice of moves, visits some numbers, and hashes each position. Equal digits
// are no proof that rules agree: a rule that none of these positions meets does not show. The
// digits of a game are equal on every machine. [Changed] describes how two differ.
//
// Moves are drawn at random and, three times of four, the better one of two by the game's own
// guess, so that games come to an end.
func Fingerprint(g Game) string {
	p := printer{by: NumbererOf(g)}
	for i := range printGames {
		s := g.Start()
		o, guesses := s.(Orderer)
		r := rand.New(rand.NewPCG(uint64(i), 1))
		for range printPlies {
			if p.add(s); len(p.moves) == 0 {
				break
			}
			m := p.moves[r.IntN(len(p.moves))]
			if n := p.moves[r.IntN(len(p.moves))]; guesses && i%4 > 0 && o.Gain(n) > o.Gain(m) {
				m = n
			}
			s.Make(m)
		}
	}
	if p.by != nil {
		s, all := g.Start(), p.by.Numbers()
		for i := range min(uint64(printNumbers), all) {
			n := all/printNumbers*i + all%printNumbers*i/printNumbers
			if p.text = binary.LittleEndian.AppendUint64(p.text[:0], n); p.by.At(s, n) {
				p.position(s)
				p.text = append(p.text, byte(s.Result()))
			}
			p.sum(3)
		}
	}
	return fmt.Sprintf("%08x-%08x-%08x-%08x", uint32(p.sums[0]), uint32(p.sums[1]), uint32(p.sums[2]), uint32(p.sums[3]))
}

// Changed names the parts of a game that differ between two fingerprints; it is empty if
// none do.
func Changed(was, now string) string {
	if was == now {
		return ""
	}
	a, b := strings.Split(was, "-"), strings.Split(now, "-")
	if len(a) != len(b) {
		return "its rules or keys"
	}
	for i, what := range []string{"its positions or moves", "its results", "its keys", "its numbers"} {
		if i < len(a) && a[i] != b[i] {
			return what
		}
	}
	return "its rules or keys"
}

// printer adds positions to a fingerprint.
type printer struct {
	by    Numberer
	sums  [4]uint64
	moves []Move // moves of the position added last
	text  []byte
}

func (p *printer) add(s State) {
	p.text = p.text[:0]
	p.position(s)
	p.sum(0)
	p.text = append(p.text[:0], byte(s.Result()))
	p.sum(1)
	p.text = p.text[:0]
	if k, ok := s.(Keyer); ok {
		var key [6]uint64
		k.Key(key[:k.KeyWords()])
		for _, w := range key[:k.KeyWords()] {
			p.text = binary.LittleEndian.AppendUint64(p.text, w)
		}
	}
	p.sum(2)
	if p.by != nil {
		p.text = binary.LittleEndian.AppendUint64(p.text[:0], p.by.Number(s))
		p.sum(3)
	}
}

// position appends a position without its result.
func (p *printer) position(s State) {
	p.moves = s.Moves(p.moves[:0])
	p.text = append(p.text, s.String()...)
	for _, m := range p.moves {
		p.text = binary.LittleEndian.AppendUint32(p.text, uint32(m))
	}
	p.text = append(p.text, byte(s.Seat()))
}

// sum hashes the text into sum i.
func (p *printer) sum(i int) {
	p.text = binary.LittleEndian.AppendUint64(p.text, p.sums[i])
	p.sums[i] = farm.Fingerprint64(p.text)
}
