package gametest

import (
	"slices"
	"strings"

	"perfectplay/game"
)

// names checks the game's own strings and the start position.
func (s *suite) names() {
	id := s.g.ID()
	if i := strings.LastIndexByte(id, '-'); id == "" || i >= 0 && strings.Trim(id[i+1:], "0123456789") == "" {
		s.t.Errorf("id %q: want a name that does not end in a hyphen and digits", id)
	}
	if s.g.Seats() < 1 {
		s.t.Fatalf("%s: %d seats", id, s.g.Seats())
	}
	named := map[string]bool{}
	for seat := range s.g.Seats() {
		named[s.g.SeatName(seat)] = true
	}
	if len(named) != s.g.Seats() || named[""] {
		s.t.Errorf("%s: seat names %v are not distinct", id, named)
	}
	a, b := s.g.Start(), s.g.Start()
	if a.String() != b.String() {
		s.t.Errorf("%s: two start positions, %s and %s", id, a, b)
	}
	text := a.String()
	if moves := a.Moves(nil); len(moves) > 0 {
		s.make(a, text, moves[0])
		for what, other := range map[string]game.State{"that was there before": b, "of a new Start": s.g.Start()} {
			if other.String() != text {
				s.errorf(other, "the state %s was at %s: a move in one state shows in another, as Start returns no new one", what, text)
			}
		}
	}
	s.from = ""
	if k, ok := a.(game.Keyer); ok && (k.KeyWords() < 1 || k.KeyWords() > 6) {
		s.t.Errorf("%s: keys of %d words", id, k.KeyWords())
	}
}

// parser feeds the parser damaged texts: it must refuse them or read a position
// that prints and reads back.
func (s *suite) parser() {
	text := s.g.Start().String()
	damaged := []string{"", " ", "-", "\x00", strings.Repeat(text, 50), text + text, text[:len(text)/2], text + "\n", " " + text}
	for range 300 {
		b := []byte(text)
		for range 1 + s.rng.IntN(3) {
			i := s.rng.IntN(len(b))
			switch s.rng.IntN(4) {
			case 0:
				b[i] = byte(s.rng.IntN(256))
			case 1:
				b[i] = text[s.rng.IntN(len(text))]
			case 2:
				b = slices.Delete(b, i, min(i+1+s.rng.IntN(3), len(b)))
			case 3:
				b = slices.Insert(b, i, text[s.rng.IntN(len(text))])
			}
			if len(b) == 0 {
				break
			}
		}
		damaged = append(damaged, string(b))
	}
	for _, d := range damaged {
		st, err := s.g.Parse(d)
		if err != nil {
			if strings.ContainsRune(err.Error(), '\n') || err.Error() == "" {
				s.t.Errorf("%s: parsing %q: the error %q is not one line", s.g.ID(), d, err)
			}
			continue
		}
		again, err := s.g.Parse(st.String())
		if err != nil || again.String() != st.String() {
			s.t.Errorf("%s: %q reads as %q, which does not read back: %v", s.g.ID(), d, st, err)
		}
	}
}
