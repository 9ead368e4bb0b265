package explore

import (
	"encoding/binary"
	"errors"

	"github.com/dgryski/go-farm"

	"perfectplay/game"
)

// mostMade bounds the moves that counted makes: some seconds of work.
const mostMade = 1 << 22

// counted returns the number of positions, up to symmetry, that the start of a game leads to. It
// visits all of them by their keys and calls beat now and then. ok is false if there are more
// than most or too many moves between them, if beat returns false, or if the game has no keys or
// panics.
func counted(g game.Game, most int, beat func() bool) (n int, ok bool) {
	defer func() {
		if recover() != nil { // a question about the position reports the panic
			n, ok = 0, false
		}
	}()
	s := g.Start()
	k, ok := s.(game.Keyer)
	if !ok {
		return 0, false
	}
	seen := map[[2]uint64]struct{}{} // fingerprints; a collision only lowers the count
	words, text := make([]uint64, k.KeyWords()), []byte(nil)
	made := 0
	err := game.Walk(s, func() (bool, error) {
		if len(seen) > most || made > mostMade || made%256 == 0 && !beat() {
			return false, errors.New("too many positions")
		}
		made++
		k.Key(words)
		text = text[:0]
		for _, w := range words {
			text = binary.LittleEndian.AppendUint64(text, w)
		}
		var at [2]uint64
		at[0], at[1] = farm.Fingerprint128(text)
		_, known := seen[at]
		seen[at] = struct{}{}
		return !known, nil
	})
	return len(seen), err == nil && len(seen) <= most
}
