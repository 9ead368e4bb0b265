package explore

import (
	"slices"

	"perfectplay/game"
)

// mostLine bounds the moves that counted keeps on its way.
const mostLine = 1 << 24

// counted returns how many positions, up to symmetry, can be reached from the start of a game
// whose states have keys; false where there are more than most. It goes through all of them, calls
// beat now and then, and gives up when beat says so or the game panics.
func counted(g game.Game, most int, beat func() bool) (n int, ok bool) {
	defer func() {
		if recover() != nil { // who asks about such a position hears of it
			n, ok = 0, false
		}
	}()
	s := g.Start()
	k, ok := s.(game.Keyer)
	if !ok {
		return 0, false
	}
	type key = [6]uint64
	seen := map[key]struct{}{}
	fresh := func() bool {
		var at key
		k.Key(at[:k.KeyWords()])
		if _, known := seen[at]; known {
			return false
		}
		seen[at] = struct{}{}
		return true
	}
	fresh()
	var ways []game.Move // moves to be made, those of each position behind those of the one before it
	var ends []int       // where they end
	for deeper := true; ; {
		if len(seen) > most || len(ways) > mostLine || len(seen)%256 == 0 && !beat() {
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
			ways = slices.Delete(ways, at-1, at)
			ends[len(ends)-1]--
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
