package game

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/dgryski/go-farm"
)

const (
	printGames   = 24
	printPlies   = 120
	printNumbers = 256
)

// Fingerprint returns four numbers of eight hexadecimal digits. By these, stored answers can tell
// the rules of a game from other rules of the same name. The numbers stand for the positions and
// moves of the game, its results, its keys, and its numbers. The last one is zero for a game
// without numbers. Fingerprint hashes the positions of a few games played by a fixed choice of
// moves, and some numbers. The digits are the same on every machine. Equal digits do not prove
// equal rules: a rule that affects none of these positions does not show. [Changed] describes a
// difference.
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

// Changed names the part of a game that differs between two fingerprints. The name is empty if no
// part differs.
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

func (p *printer) position(s State) {
	p.moves = s.Moves(p.moves[:0])
	p.text = append(p.text, s.String()...)
	for _, m := range p.moves {
		p.text = binary.LittleEndian.AppendUint32(p.text, uint32(m))
	}
	p.text = append(p.text, byte(s.Seat()))
}

func (p *printer) sum(i int) {
	p.text = binary.LittleEndian.AppendUint64(p.text, p.sums[i])
	p.sums[i] = farm.Fingerprint64(p.text)
}
