// Package gametest checks that a game keeps the contract of package game: by random play ([Run]),
// by its pictures and lessons ([Wing]), and by files of known perft counts ([RunPerft]). It knows no
// game. Two lines test a new game:
//
//	gametest.Run(t, newGame())
//	gametest.Wing(t, newWing())
package gametest

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"perfectplay/game"
	"perfectplay/internal/contract"
)

// Config is the amount of play of a conformance run.
type Config struct {
	Games int    // random games, at least 1
	Plies int    // longest game; random play need not end by itself
	Seed  uint64 // equal seeds play equal games
	// Thorough is the number of positions of a game with the costly checks (every move made
	// and taken back, every text read back), at least 1.
	Thorough int
}

// Run checks a game by 30 random games.
func Run(t testing.TB, g game.Game) {
	t.Helper()
	Config{Games: 30, Plies: 300, Thorough: 15}.Run(t, g)
}

// Run checks a game as configured, with every optional ability that its states have.
func (c Config) Run(t testing.TB, g game.Game) {
	t.Helper()
	s := &suite{t: t, g: g, rng: rand.New(rand.NewPCG(c.Seed, 0x9a3e)), byKey: map[string]seen{}, byText: map[string]string{}, met: map[int]map[game.Move]bool{}, named: map[string]bool{}}
	checks := []func(){s.names, s.parser, s.numbers}
	for range c.Games {
		checks = append(checks, func() { s.play(c) })
	}
	defer s.watch()()
	for _, check := range append(checks, s.allocations) { // last, since it makes moves without checks
		if s.guard(check); t.Failed() {
			return
		}
	}
}

// suite is one conformance run.
type suite struct {
	t       testing.TB
	g       game.Game
	rng     *rand.Rand
	byKey   map[string]seen            // facts of each key
	met     map[int]map[game.Move]bool // by seat: legal moves so far, false for Pass
	byText  map[string]string          // key of each position
	named   map[string]bool            // texts of moves so far, some of them
	longest int                        // plies of the longest game so far, 0 before the first
	beats   atomic.Int64               // positions and moves so far
	allies  AllyCounts
	// For messages: the state under test, and the last move with the text of the position before
	// it, which is empty after the move is taken back.
	at   game.State
	from string
	move game.Move
}

// seen holds the facts that two positions of one key must share.
type seen struct {
	text  string
	rank  int // result for the mover, see [contract.Rank]
	left  int // bound on the plies left, 0 if no bound is known
	moves []game.Move
}

// mostNamed bounds the texts of moves that are tried at other positions.
const mostNamed = 256

// result describes a result.
func (s *suite) result(r game.Result) string {
	switch w, won := r.Winner(); {
	case r == game.Ongoing:
		return "that the game goes on"
	case r == game.Drawn:
		return "a draw"
	case won && w < s.g.Seats():
		return fmt.Sprintf("a win of seat %d", w)
	}
	return fmt.Sprintf("%d, which is not any", r)
}

// errorf reports a failure at a position.
func (s *suite) errorf(st game.State, format string, args ...any) {
	s.t.Helper()
	args = append(append([]any{s.g.ID(), s.g.Rules(), st}, args...), s.after())
	s.t.Errorf("%s %s at %s: "+format+"%s", args...)
}

// allocations checks that the hot calls allocate nothing.
func (s *suite) allocations() {
	st := s.g.Start()
	keyer, _ := st.(game.Keyer)
	key := make([]uint64, 6)
	buf := make([]game.Move, 0, 4096)
	if n := leastAllocs(func() {
		buf = st.Moves(buf[:0])
		made := 0
		for ; len(buf) > 0 && made < 8; made++ {
			if keyer != nil {
				keyer.Key(key)
			}
			st.Result()
			if e, ok := st.(game.Ender); ok {
				e.PliesLeft()
			}
			if c, ok := st.(game.Counter); ok {
				c.CountMoves()
			}
			st.Make(buf[made%len(buf)])
			buf = st.Moves(buf[:0])
		}
		for range made {
			st.Unmake()
		}
	}); n != 0 {
		s.t.Errorf("%s: moves, keys, make and unmake allocate %v times", s.g.ID(), n)
	}
}

// leastAllocs returns how often the function do allocates. It takes the least of three
// measurements, since these also count what other goroutines allocate.
func leastAllocs(do func()) float64 {
	least := testing.AllocsPerRun(20, do)
	for i := 1; i < 3 && least > 0; i++ {
		least = min(least, testing.AllocsPerRun(20, do))
	}
	return least
}

// play plays one game and checks its positions.
func (s *suite) play(c Config) {
	st := s.g.Start()
	turns := make([][]int, 1) // lower bounds of all seats before each ply
	turns[0] = s.bounds(st)
	var movers []int
	greed := s.rng.Float64()
	for ply := 0; ; ply++ {
		thorough := s.rng.IntN(cmp.Or(s.longest, max(1, c.Plies))) < c.Thorough || ply < 2
		moves := s.position(st, thorough)
		if s.t.Failed() {
			return
		}
		if st.Result() != game.Ongoing {
			s.finished(st, turns, movers)
		}
		if st.Result() != game.Ongoing || ply == c.Plies {
			s.longest = max(s.longest, ply)
			return
		}
		m := moves[s.rng.IntN(len(moves))]
		if o, ok := st.(game.Orderer); ok && s.rng.Float64() < greed {
			for range 6 {
				if n := moves[s.rng.IntN(len(moves))]; o.Gain(n) > o.Gain(m) {
					m = n
				}
			}
		}
		movers = append(movers, st.Seat())
		s.make(st, st.String(), m)
		turns = append(turns, s.bounds(st))
	}
}

// position checks one position and returns its moves.
func (s *suite) position(st game.State, thorough bool) []game.Move {
	s.t.Helper()
	s.at = st
	s.beats.Add(1)
	text := st.String()
	if seat := st.Seat(); seat < 0 || seat >= s.g.Seats() {
		s.errorf(st, "seat %d is to move", seat)
	}
	result := st.Result()
	if result < game.Ongoing || int(result) >= s.g.Seats() {
		s.errorf(st, "the result is %s", s.result(result))
	}
	moves := st.Moves(nil)
	if (len(moves) > 0) != (result == game.Ongoing) {
		s.errorf(st, "%d moves, and the result is %s: there are moves until a game is over, and none then", len(moves), s.result(result))
	}
	if len(moves) > 1<<16-1 {
		s.errorf(st, "%d moves: a complete solution has room for 65535", len(moves))
		return moves
	}
	sorted := slices.Sorted(slices.Values(moves))
	if len(slices.Compact(sorted)) != len(moves) {
		s.errorf(st, "a move is listed twice")
	}
	for _, m := range moves {
		if m >= 1<<24 || m == game.NoMove || m == game.Pass && len(moves) > 1 {
			s.errorf(st, "%d moves, one of them %d: want them below 1<<24, and Pass alone", len(moves), m)
		}
	}
	prefix := []game.Move{game.NoMove}
	if again := st.Moves(prefix); !slices.Equal(again[1:], moves) || again[0] != game.NoMove {
		s.errorf(st, "the second list of moves differs, or does not follow what the buffer held")
	}
	if c, ok := st.(game.Counter); ok && c.CountMoves() != len(moves) {
		s.errorf(st, "%d moves counted, %d listed", c.CountMoves(), len(moves))
	}
	s.key(st, moves)
	s.setKey(st)
	s.number(st)
	if e, ok := st.(game.Evaluator); ok {
		for seat := range s.g.Seats() {
			if v := e.Evaluate(seat); v < -30000 || v > 30000 {
				s.errorf(st, "seat %d evaluates to %d", seat, v)
			}
		}
	}
	if thorough {
		s.text(st, moves)
		s.unmake(st, moves)
		s.clone(st, moves)
		if err := Allies(st, s.g.Seats(), 3000, &s.allies); err != nil {
			s.errorf(st, "%v", err)
		}
	}
	if st.String() != text {
		s.errorf(st, "asking about %s changed it", text)
	}
	return moves
}

// key checks the identity of a position against all others seen.
func (s *suite) key(st game.State, moves []game.Move) {
	k, ok := st.(game.Keyer)
	if !ok {
		return
	}
	words := make([]uint64, k.KeyWords()+1)
	const canary = 0x5ca1ab1e
	for i := range words {
		words[i] = canary // the key must overwrite the canary in every word but the last
	}
	sym := k.Key(words)
	if words[len(words)-1] != canary {
		s.errorf(st, "the key is longer than %d words", k.KeyWords())
	}
	var raw []byte
	for _, w := range words[:k.KeyWords()] {
		raw = binary.LittleEndian.AppendUint64(raw, w)
	}
	text := st.String()
	if old, ok := s.byText[text]; ok && old != string(raw) {
		s.errorf(st, "the key differs from the one this position had before")
	}
	s.byText[text] = string(raw)
	now := seen{text: text, rank: contract.Rank(st, s.g.Seats()), left: s.pliesLeft(st)}
	for _, m := range moves {
		c := k.Canonical(m, sym)
		if k.Actual(c, sym) != m {
			s.errorf(st, "move %s is %d in the key's frame and %d back", st.MoveString(m), c, k.Actual(c, sym))
		}
		now.moves = append(now.moves, c)
	}
	for _, m := range []game.Move{game.Pass, game.NoMove} {
		if k.Canonical(m, sym) != m || k.Actual(m, sym) != m {
			s.errorf(st, "a symmetry changes Pass or NoMove")
		}
	}
	slices.Sort(now.moves)
	if old, ok := s.byKey[string(raw)]; ok {
		switch {
		case s.g.Seats() > 2 && old.text != text:
			s.errorf(st, "shares its key with %s", old.text)
		case old.rank != now.rank:
			s.errorf(st, "the result differs from that of %s of the same key", old.text)
		case old.left != now.left:
			s.errorf(st, "PliesLeft is %d, at %s of the same key it is %d", now.left, old.text, old.left)
		case !slices.Equal(old.moves, now.moves):
			s.errorf(st, "the moves differ from those of %s of the same key", old.text)
		}
	}
	s.byKey[string(raw)] = now
}

// text checks that positions and moves read back.
func (s *suite) text(st game.State, moves []game.Move) {
	text := st.String()
	for _, r := range text {
		// Allowed are the characters unreserved in RFC 3986, and the few others that need no
		// escape in a query.
		if !strings.ContainsRune("-._~!*'(),;:@/", r) && (r > 'z' || r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a') {
			s.errorf(st, "%q is not fit for a URL", r)
		}
	}
	back, err := s.g.Parse(text)
	if err != nil {
		s.errorf(st, "does not read back: %v", err)
		return
	}
	switch again := back.Moves(nil); {
	case back.String() != text:
		s.errorf(st, "reads back as %s", back)
	case back.Seat() != st.Seat():
		s.errorf(st, "seat %d is to move, when read back seat %d", st.Seat(), back.Seat())
	case back.Result() != st.Result():
		s.errorf(st, "the result is %s, when read back %s", s.result(st.Result()), s.result(back.Result()))
	case !slices.Equal(again, moves):
		s.errorf(st, "the moves are %v, when read back %v", moves, again)
	}
	s.key(back, moves)
	named := map[string]bool{}
	for _, m := range moves {
		name := st.MoveString(m)
		if name == "" || strings.ContainsAny(name, " \t\n") || named[name] {
			s.errorf(st, "move name %q", name)
		}
		named[name] = true
		if got, err := st.ParseMove(name); err != nil || got != m {
			s.errorf(st, "move %s reads as %d, want %d: %v", name, got, m, err)
		}
	}
	for _, bad := range []string{"", " ", "-", "zz-zz", "pass ", "\xff"} {
		if m, err := st.ParseMove(bad); err == nil {
			s.errorf(st, "move %q reads as %s", bad, st.MoveString(m))
		}
	}
	for name := range s.named { // moves of other positions
		if m, err := st.ParseMove(name); err == nil && !slices.Contains(moves, m) {
			s.errorf(st, "ParseMove takes %s, which is not legal here", name)
			break
		}
	}
	for name := range named {
		if len(s.named) < mostNamed {
			s.named[name] = true
		}
	}
}

// tests compares IsLegal of all moves met so far with the legal moves.
func (s *suite) tests(st game.State, moves []game.Move) {
	t, ok := st.(game.MoveTester)
	if !ok {
		return
	}
	seat := st.Seat()
	met := s.met[seat]
	if met == nil {
		met = map[game.Move]bool{}
		s.met[seat] = met
	}
	for _, m := range moves {
		met[m] = m != game.Pass
	}
	for m, is := range met {
		if is && t.IsLegal(m) != slices.Contains(moves, m) {
			s.errorf(st, "IsLegal says %t of %s", t.IsLegal(m), st.MoveString(m))
			return
		}
	}
}

// nextKey is the key after a move by [game.NextKeyer], followed by its symmetry; nil without that
// ability.
func (s *suite) nextKey(st game.State, m game.Move) []uint64 {
	k, ok := st.(game.NextKeyer)
	if !ok {
		return nil
	}
	key := make([]uint64, st.(game.Keyer).KeyWords())
	sym := k.NextKey(m, key)
	return append(key, uint64(sym))
}

// unmake makes every move and takes it back.
func (s *suite) unmake(st game.State, moves []game.Move) {
	text, seat, bounds, left := st.String(), st.Seat(), s.bounds(st), s.pliesLeft(st)
	var after []int // the mover's bound after each move
	for _, m := range moves {
		name := st.MoveString(m)
		if o, ok := st.(game.Orderer); ok {
			o.Gain(m)
		}
		ahead := s.nextKey(st, m)
		f, sees := st.(game.Finisher)
		wins := sees && f.Wins(m)
		s.make(st, text, m)
		if sees && wins != (int(st.Result()) == seat) {
			s.errorf(st, "Wins says %t of the move before it, the result is %s", wins, s.result(st.Result()))
		}
		if st.Seat() != (seat+1)%s.g.Seats() {
			s.errorf(st, "seat %d is to move after seat %d", st.Seat(), seat)
		}
		s.shortens(st, left)
		for other, turns := range s.bounds(st) {
			if other == seat {
				after = append(after, turns)
			} else if _, ok := st.(game.RaceLister); ok && turns < bounds[other] {
				s.errorf(st, "a turn of seat %d lowers the bound of seat %d from %d to %d", seat, other, bounds[other], turns)
			}
		}
		s.key(st, st.Moves(nil))
		if k, ok := st.(game.Keyer); ok && ahead != nil {
			key := keyOf(st)
			if key = append(key, uint64(k.Key(key))); !slices.Equal(key, ahead) {
				s.errorf(st, "NextKey of the move before it is %x, Key %x", ahead, key)
			}
		}
		there := st.String()
		if next := st.Moves(nil); len(next) > 0 { // also the key one move further
			last := next[len(next)-1]
			further := st.MoveString(last)
			st.Make(last)
			if st.Unmake(); st.String() != there {
				s.errorf(st, "after %s and back, want %s", further, there)
				return
			}
		}
		if s.back(st); s.t.Failed() {
			return
		} else if st.Seat() != seat || st.Result() != game.Ongoing {
			s.errorf(st, "after %s and back seat %d is to move, and the result is %s", name, st.Seat(), s.result(st.Result()))
			return
		}
	}
	if !slices.Equal(st.Moves(nil), moves) || !slices.Equal(s.bounds(st), bounds) {
		s.errorf(st, "moves or bounds differ after moves made and taken back")
	}
	if len(after) > 0 {
		s.within(st, moves, after)
		s.against(st, moves, after)
	}
	s.safe(st, moves)
	s.tests(st, moves)
	s.key(st, moves)
}

// clone plays on in a clone and in the original by turns.
func (s *suite) clone(st game.State, moves []game.Move) {
	text := st.String()
	c := st.Clone()
	if c.String() != text || c.Seat() != st.Seat() || c.Result() != st.Result() || !slices.Equal(c.Moves(nil), moves) {
		s.errorf(st, "the clone is %s", c)
		return
	}
	if len(moves) == 0 {
		return
	}
	s.key(c, moves)
	m := moves[s.rng.IntN(len(moves))]
	s.make(c, text, m)
	after := c.String()
	if st.String() != text {
		s.errorf(st, "a move in the clone changed %s", text)
	}
	s.make(st, text, moves[0])
	if c.String() != after {
		s.errorf(c, "a move in the original changed the clone from %s", after)
	}
	st.Unmake()
	s.back(c)
	if c.String() != text {
		s.errorf(c, "the clone came back from a move to another position than %s", text)
	}
}
