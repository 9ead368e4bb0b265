package explore

import (
	"encoding/binary"

	"github.com/dgryski/go-farm"

	"perfectplay/game"
)

// mostMade bounds the moves that counted makes: some seconds of work.
const mostMade = 1 << 22

// counted returns the number of positions, up to symmetry, that can be reached from the start
// of a game whose states have keys. It visits all of them and calls beat now and then. It
// returns false if there are more than most, if too many moves lie between them, if beat
// returns false, or if the game panics.
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
	fresh := func() bool {
		k.Key(words)
		text = text[:0]
		for _, w := range words {
			text = binary.LittleEndian.AppendUint64(text, w)
		}
		var at [2]uint64
		at[0], at[1] = farm.Fingerprint128(text)
		if _, known := seen[at]; known {
			return false
		}
		seen[at] = struct{}{}
		return true
	}
	fresh()
	var ways []game.Move // moves to be made, those of each position behind those of the one before it
	var ends []int       // where they end
	made := 0
	for deeper := true; ; {
		if len(seen) > most || made > mostMade || made%256 == 0 && !beat() {
			return 0, false
		}
		if deeper {
			if s.Result() == game.Ongoing {
				ways = s.Moves(ways)
			}
			ends = append(ends, len(ways))
		}
		first := 0
		if n := len(ends); n > 1 {
			first = ends[n-2]
		}
		if at := len(ways); at > first {
			m := ways[at-1]
			ways = ways[:at-1]
			ends[len(ends)-1]--
			made++
			if s.Make(m); fresh() {
				deeper = true
				continue
			}
			s.Unmake()
			deeper = false
			continue
		}
		if ends = ends[:len(ends)-1]; len(ends) == 0 {
			return len(seen), true
		}
		s.Unmake()
		deeper = false
	}
}
