package game

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/dgryski/go-farm"
)

// Games that [Fingerprint] plays, and the plies of each at most.
const (
	printGames = 24
	printPlies = 120
)

// Fingerprint returns 16 hexadecimal digits that tell the rules and the keys of a game from
// others of its names, for whatever keeps answers about it. It plays a few games by a
// fixed choice of moves and hashes each position: its text, its key if it has one, its moves,
// its result and its seat to move. Equal digits are no proof that rules agree: a rule that
// none of these games meets does not show. The digits of a game are equal on every machine.
//
// Moves are drawn at random and, three times of four, the better one of two by the game's
// own guess, so that games come to an end.
func Fingerprint(g Game) string {
	var sum uint64
	var text []byte // of a position, after the sum of those before
	var moves []Move
	for i := range printGames {
		s := g.Start()
		var key []uint64
		k, keys := s.(Keyer)
		if keys {
			key = make([]uint64, k.KeyWords())
		}
		o, guesses := s.(Orderer)
		r := rand.New(rand.NewPCG(uint64(i), 1))
		for range printPlies {
			moves = s.Moves(moves[:0])
			text = binary.LittleEndian.AppendUint64(text[:0], sum)
			text = append(text, s.String()...)
			if keys {
				k.Key(key)
			}
			for _, w := range key {
				text = binary.LittleEndian.AppendUint64(text, w)
			}
			for _, m := range moves {
				text = binary.LittleEndian.AppendUint32(text, uint32(m))
			}
			text = append(text, byte(s.Result()), byte(s.Seat()))
			sum = farm.Fingerprint64(text)
			if len(moves) == 0 {
				break
			}
			m := moves[r.IntN(len(moves))]
			if n := moves[r.IntN(len(moves))]; guesses && i%4 > 0 && o.Gain(n) > o.Gain(m) {
				m = n
			}
			s.Make(m)
		}
	}
	return fmt.Sprintf("%016x", sum)
}
