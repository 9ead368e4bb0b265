package solve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"perfectplay/game"
)

// toy is a random game on a directed graph with cycles: the edges of a node are the moves of the
// seat to move; a node without edges is left by passing. Some nodes end the game.
//
// A mirrored toy has two seats and looks the same to both: results are relative to the mover,
// keys leave the seat out, and the second seat's moves have codes of their own.
type toy struct {
	seats    int
	mirrored bool
	words    int     // words of a key
	edges    [][]int // edges of each node
	result   []game.Result
	turns    [][]int // TurnsToWin, by seat and position
	lists    bool    // turns are exact, so that moves can be listed by them
	makers   bool    // a winning node wins for the seat that moves there
	lasts    []int   // by node: an upper bound on the plies left, if all lines end
	abilities
}

// abilities selects the abilities of a toy's states. ahead and allied need lists of moves; safe
// needs makers, and replaces lists.
type abilities struct{ keys, race, gain, ahead, allied, safe, ends bool }

// toyCode is a factor in the numbers of moves, so that moves are not small numbers.
const toyCode, toyTop = 77, 77 * 4095

func newToy(rng *rand.Rand, seats int, mirrored bool) *toy {
	n := 4 + rng.IntN(28)
	t := &toy{seats: seats, mirrored: mirrored && seats == 2, words: 1 + rng.IntN(6),
		edges: make([][]int, n), result: make([]game.Result, n), abilities: abilities{keys: true, race: true, gain: true, ahead: rng.IntN(3) > 0, allied: rng.IntN(4) > 0}}
	ends := rng.Float64() * 0.35
	width := 1 + rng.IntN(5)
	for i := range n {
		t.result[i] = game.Ongoing
		if i > 0 && rng.Float64() < ends {
			t.result[i] = game.Result(rng.IntN(seats+1) - 1)
			continue
		}
		for range rng.IntN(width + 1) {
			t.edges[i] = append(t.edges[i], rng.IntN(n))
		}
	}
	acyclic := rng.IntN(3) == 0
	if t.makers = rng.IntN(2) == 0; acyclic {
		t.straighten(rng)
	}
	if rng.IntN(3) == 0 {
		t.stretch(rng)
	}
	t.makeTurns(rng)
	t.safe = t.makers && rng.IntN(4) > 0
	if acyclic && rng.IntN(4) > 0 {
		t.ends = true
		more := rng.IntN(2) * rng.IntN(3)
		for node := range t.edges {
			t.lasts = append(t.lasts, t.longest(node)+more)
		}
	}
	return t
}

func (t *toy) straighten(rng *rand.Rand) {
	for node, edges := range t.edges {
		for i := range edges {
			if edges[i] = node + 1; node+2 < len(t.edges) {
				edges[i] += rng.IntN(min(6, len(t.edges)-node-1))
			}
		}
		if node == len(t.edges)-1 {
			t.edges[node] = nil
		}
		if len(t.edges[node]) == 0 && node > 0 && t.result[node] == game.Ongoing {
			t.result[node] = game.Result(rng.IntN(t.seats+1) - 1)
		}
	}
	if len(t.edges[0]) == 0 {
		t.edges[0] = []int{1}
	}
}

// longest is the length of the longest line from a node; mostPlies means endless.
func (t *toy) longest(node int) int {
	const mostPlies = 1000
	long := make([]int, len(t.edges)) // by node: the longest line of at most round plies
	for round := 0; round <= mostPlies; round++ {
		same := true
		for n := range t.edges {
			plies := 0
			if t.result[n] == game.Ongoing {
				for _, to := range t.after(n) {
					plies = max(plies, 1+long[to])
				}
			}
			if plies = min(plies, mostPlies); plies != long[n] {
				long[n], same = plies, false
			}
		}
		if same {
			break
		}
	}
	return long[node]
}

// stretch puts chains without a choice, up to two rounds long, between some nodes, so that
// positions are reached with different numbers of plies left.
func (t *toy) stretch(rng *rand.Rand) {
	for node := range len(t.edges) {
		for i, to := range t.edges[node] {
			for range rng.IntN(2) * rng.IntN(2*t.seats+1) {
				t.edges, t.result = append(t.edges, []int{to}), append(t.result, game.Ongoing)
				to = len(t.edges) - 1
			}
			t.edges[node][i] = to
		}
	}
}

func (t *toy) at(node, seat int) int { return node*t.seats + seat }

func (t *toy) outcome(node, seat int) game.Result {
	r := t.result[node]
	switch {
	case r >= 0 && t.makers:
		return game.Result((seat + t.seats - 1) % t.seats)
	case r >= 0 && t.mirrored:
		return game.Result((int(r) + seat) % 2)
	}
	return r
}

func (t *toy) after(node int) []int {
	if len(t.edges[node]) == 0 {
		return []int{node}
	}
	return t.edges[node]
}

// makeTurns computes exact bounds by relaxation and loosens some.
func (t *toy) makeTurns(rng *rand.Rand) {
	loose := rng.IntN(3) == 0
	t.lists = !loose
	for s := range t.seats {
		turns := make([]int, len(t.edges)*t.seats)
		for i := range turns {
			turns[i] = game.NeverWins
		}
		for changed := true; changed; {
			changed = false
			for node := range t.edges {
				for seat := range t.seats {
					best := game.NeverWins
					if r := t.outcome(node, seat); r != game.Ongoing {
						if int(r) == s {
							best = 0
						}
					} else {
						for _, next := range t.after(node) {
							v := turns[t.at(next, (seat+1)%t.seats)]
							if seat == s && v < game.NeverWins {
								v++
							}
							best = min(best, v)
						}
					}
					if p := t.at(node, seat); best < turns[p] {
						turns[p], changed = best, true
					}
				}
			}
		}
		if loose {
			for i := range turns {
				if rng.IntN(2) == 0 {
					turns[i] = min(turns[i], 5) * rng.IntN(3) / 2
				}
			}
		}
		t.turns = append(t.turns, turns)
	}
}

func (t *toy) ID() string               { return "toy" }
func (t *toy) Rules() string            { return "" }
func (t *toy) Seats() int               { return t.seats }
func (t *toy) SeatName(seat int) string { return "P" + strconv.Itoa(seat+1) }
func (t *toy) Parse(string) (game.State, error) {
	return nil, fmt.Errorf("toy: positions are not read")
}

func (t *toy) Start() game.State { return t.state(0, 0) }

func (t *toy) state(node, seat int) game.State {
	s := toyState{t: t, line: append(make([]int, 0, 64), node), first: seat}
	switch {
	case t.keys && t.race && t.gain && t.safe && t.ends:
		return &toySafeEnding{toySafe{toyFull{toyKeyed{s}}}}
	case t.keys && t.race && t.gain && t.safe:
		return &toySafe{toyFull{toyKeyed{s}}}
	case t.keys && t.race && t.gain && t.ends:
		return &toyEnding{toyFull{toyKeyed{s}}}
	case t.keys && t.race && t.gain && t.lists && t.ahead && t.allied:
		return &toyAllied{toyAhead{toyLister{toyFull{toyKeyed{s}}}}}
	case t.keys && t.race && t.gain && t.lists && t.ahead:
		return &toyAhead{toyLister{toyFull{toyKeyed{s}}}}
	case t.keys && t.race && t.gain && t.lists:
		return &toyLister{toyFull{toyKeyed{s}}}
	case t.keys && t.race && t.gain:
		return &toyFull{toyKeyed{s}}
	case t.keys:
		return &toyKeyed{s}
	}
	return &s
}

type toyState struct {
	t     *toy
	line  []int // nodes visited, the current one last
	first int   // seat that moved from line[0]
}

func (s *toyState) node() int           { return s.line[len(s.line)-1] }
func (s *toyState) Seat() int           { return (s.first + len(s.line) - 1) % s.t.seats }
func (s *toyState) Result() game.Result { return s.t.outcome(s.node(), s.Seat()) }
func (s *toyState) code(i int) game.Move {
	if s.t.mirrored && s.Seat() == 1 {
		return game.Move(toyTop - i*toyCode)
	}
	return game.Move(i * toyCode)
}
func (s *toyState) Moves(buf []game.Move) []game.Move {
	if s.Result() != game.Ongoing {
		return buf
	}
	for i := range s.t.edges[s.node()] {
		buf = append(buf, s.code(i))
	}
	if len(s.t.edges[s.node()]) == 0 {
		buf = append(buf, game.Pass)
	}
	return buf
}
func (s *toyState) Make(m game.Move) {
	next := s.node()
	if m != game.Pass {
		if s.t.mirrored && s.Seat() == 1 {
			m = toyTop - m
		}
		if m%toyCode != 0 || int(m/toyCode) >= len(s.t.edges[next]) {
			panic("toy: illegal move")
		}
		next = s.t.edges[next][m/toyCode]
	}
	s.line = append(s.line, next)
}
func (s *toyState) Unmake()                       { s.line = s.line[:len(s.line)-1] }
func (s *toyState) Clone() game.State             { return s.t.state(s.node(), s.Seat()) }
func (s *toyState) String() string                { return fmt.Sprintf("%d.%d", s.node(), s.Seat()) }
func (s *toyState) MoveString(m game.Move) string { return strconv.Itoa(int(m)) }
func (s *toyState) ParseMove(text string) (game.Move, error) {
	m, err := strconv.Atoi(text)
	return game.Move(m), err
}

// toyState has no optional ability, toyKeyed has keys, toyFull everything but toyLister's lists;
// toyAhead has NextKeyer, toyAllied AllyLister, toySafe SafeLister, and toyEnding Ender. A clone has
// the abilities of the toy.
type (
	toyKeyed  struct{ toyState }
	toyFull   struct{ toyKeyed }
	toyLister struct{ toyFull }
	toyAhead  struct{ toyLister }
	toyAllied struct{ toyAhead }

	toySafe       struct{ toyFull }
	toyEnding     struct{ toyFull }
	toySafeEnding struct{ toySafe }
)

func (s *toySafe) NextKey(m game.Move, dst []uint64) uint8 {
	s.Make(m)
	defer s.Unmake()
	return s.Key(dst)
}

func (s *toySafe) WinningMove() game.Move {
	for _, m := range s.Moves(nil) {
		if seat := s.Seat(); int(s.after(m)) == seat {
			return m
		}
	}
	return game.NoMove
}

func (s *toySafe) after(m game.Move) game.Result {
	s.Make(m)
	defer s.Unmake()
	return s.Result()
}

func (s *toySafe) SafeMoves(buf []game.Move) []game.Move {
	if s.WinningMove() != game.NoMove {
		panic("toy: safe moves where one wins")
	}
	for _, m := range s.Moves(nil) {
		s.Make(m)
		if s.WinningMove() == game.NoMove {
			buf = append(buf, m)
		}
		s.Unmake()
	}
	return buf
}

func (s *toyEnding) PliesLeft() int     { return s.t.lasts[s.node()] }
func (s *toySafeEnding) PliesLeft() int { return s.t.lasts[s.node()] }

func (s *toyAhead) NextKey(m game.Move, dst []uint64) uint8 {
	s.Make(m)
	defer s.Unmake()
	return s.Key(dst)
}

// Hopeless sometimes gives no answer.
func (s *toyAllied) Hopeless(chances []game.Chance) bool {
	s.checkChances(chances, s.Seat(), -1)
	return (s.node()+len(chances))%4 > 0 && s.prevents(s.Seat(), chances)
}

// MovesHelping also lists some moves that it might leave out.
func (s *toyAllied) MovesHelping(buf []game.Move, turns int, chances []game.Chance, adversary, before int) (moves []game.Move, all bool) {
	if wait := s.checkChances(chances, adversary, before); wait != before {
		panic(fmt.Sprintf("toy: the adversary comes after %d turns, not %d", wait, before))
	}
	seat := s.Seat()
	moves, all = buf, true
	for _, m := range s.Moves(nil) {
		s.Make(m)
		helps := s.TurnsToWin(seat) <= turns || !s.prevents(adversary, chances)
		s.Unmake()
		if helps || (int(m)+s.node())%5 == 0 {
			moves = append(moves, m)
		} else {
			all = false
		}
	}
	return moves, all
}

// checkChances panics if chances break the contract. It returns the turns before the
// adversary's, negative if no chance comes after it.
func (s *toyFull) checkChances(chances []game.Chance, adversary, none int) (before int) {
	wait := func(seat int) int { return (seat - s.Seat() + s.t.seats) % s.t.seats }
	others := s.t.seats - 1
	if adversary != s.Seat() { // an ally is to move: its own chance is not listed
		others--
	}
	if before = min(none, -1); len(chances) > others {
		panic("toy: chances of all seats")
	}
	for _, c := range chances {
		allies, after := wait(c.Seat), wait(adversary) < wait(c.Seat)
		if after {
			allies--
			before = wait(adversary)
		}
		if c.Seat == adversary || c.Allies != allies || c.Adversary != after || c.Turns != s.TurnsToWin(c.Seat)-1 {
			panic(fmt.Sprintf("toy: seat %d at %s, adversary %d: chance %+v", s.Seat(), &s.toyState, adversary, c))
		}
	}
	return before
}

// prevents reports whether a seat can keep all chances of the others from coming true, by trying
// all moves.
func (s *toyFull) prevents(adversary int, chances []game.Chance) bool {
	if r := s.Result(); r != game.Ongoing {
		return r < 0 || int(r) == adversary
	}
	if len(chances) == 0 {
		return true
	}
	seat := s.Seat()
	rest := slices.DeleteFunc(slices.Clone(chances), func(c game.Chance) bool { return c.Seat == seat })
	for _, m := range s.Moves(nil) {
		s.Make(m)
		prevented := s.prevents(adversary, rest)
		for _, c := range chances {
			prevented = prevented && (c.Seat != seat || s.TurnsToWin(seat) > c.Turns)
		}
		s.Unmake()
		if prevented == (seat == adversary) {
			return prevented
		}
	}
	return seat != adversary
}

func (s *toyKeyed) KeyWords() int { return s.t.words }
func (s *toyKeyed) Key(dst []uint64) uint8 {
	clear(dst[:s.t.words])
	k, sym := s.t.at(s.node(), s.Seat()), uint8(0)
	if s.t.mirrored {
		k, sym = s.node(), uint8(s.Seat())
	}
	dst[k%s.t.words] = uint64(k) + 1
	return sym
}
func (s *toyKeyed) Canonical(m game.Move, sym uint8) game.Move {
	if sym == 1 && m != game.Pass && m != game.NoMove {
		return toyTop - m
	}
	return m
}
func (s *toyKeyed) Actual(m game.Move, sym uint8) game.Move { return s.Canonical(m, sym) }

func (s *toyFull) TurnsToWin(seat int) int { return s.t.turns[seat][s.t.at(s.node(), s.Seat())] }

// MovesWithin also lists some moves that it might leave out.
func (s *toyLister) MovesWithin(buf []game.Move, turns int) (moves []game.Move, all bool) {
	seat, start := s.Seat(), len(buf)
	buf, all = s.Moves(buf), true
	moves = buf[:start]
	for _, m := range buf[start:] {
		s.Make(m)
		needs := s.TurnsToWin(seat)
		s.Unmake()
		if needs <= turns || (int(m)+s.node())%5 == 0 {
			moves = append(moves, m)
		} else {
			all = false
		}
	}
	return moves, all
}

// MovesAgainst sees half of the threats, and also lists some moves that it might leave out.
func (s *toyLister) MovesAgainst(buf []game.Move, turns int) (moves []game.Move, all, threat bool) {
	seat, start := s.Seat(), len(buf)
	if (s.node()+seat)%2 == 0 {
		return buf, false, false
	}
	list := s.Moves(nil)
	near, _ := s.MovesWithin(nil, turns)
	moves, all = buf, true
	omitted := false
	for _, m := range list {
		s.Make(m)
		r := s.Result()
		again := r == game.Ongoing && s.winsNow()
		s.Unmake()
		switch {
		case r != game.Ongoing && int(r) != seat:
			// m wins at once for another seat, which may be worse for the mover than the threat.
			return buf[:start], false, false
		case again && (int(m)+s.node())%7 != 0:
			omitted = true
		case turns >= 0 && !slices.Contains(near, m):
			all = false
		default:
			moves = append(moves, m)
		}
	}
	if !omitted {
		return buf[:start], false, false
	}
	return moves, all, true
}

func (s *toyState) winsNow() bool {
	seat := s.Seat()
	return slices.ContainsFunc(s.t.after(s.node()), func(next int) bool {
		return int(s.t.outcome(next, (seat+1)%s.t.seats)) == seat
	})
}

func (s *toyFull) Gain(m game.Move) int32 {
	return int32((uint32(m)*2654435761 + uint32(s.node())*40503) >> 12 & 1023)
}
func (s *toyFull) Evaluate(seat int) int32 { return int32((s.node()*37+seat*11)%200 - 100) }

// brute is the reference: minimax and max^n by their definitions, for all positions with 0, 1, 2
// … plies left.
type brute struct {
	t    *toy
	hero int // the hero's seat, −1 for max^n
	// Values by plies left and position; the last two layers are equal when no later one can
	// differ.
	layers [][]truth
}

// truth is a value for the hero (sides) or a winner (max^n), with a distance.
type truth struct {
	value    game.Value
	winner   int
	distance int
}

// forever is any number of plies.
const forever = 1 << 20

func (b *brute) at(node, seat, d int) truth {
	for n := len(b.layers); n <= d; n++ {
		if n > 1 && slices.Equal(b.layers[n-1], b.layers[n-2]) {
			break
		}
		layer := make([]truth, len(b.t.edges)*b.t.seats)
		for node := range b.t.edges {
			for seat := range b.t.seats {
				layer[b.t.at(node, seat)] = b.position(node, seat, n)
			}
		}
		b.layers = append(b.layers, layer)
	}
	return b.layers[min(d, len(b.layers)-1)][b.t.at(node, seat)]
}

func (b *brute) position(node, seat, d int) truth {
	none := truth{game.Draw, -1, 0}
	if r := b.t.outcome(node, seat); r != game.Ongoing {
		switch {
		case b.hero < 0:
			return truth{game.Draw, int(r), 0}
		case int(r) == b.hero:
			return truth{game.Win, -1, 0}
		case r >= 0:
			return truth{game.Loss, -1, 0}
		}
		return none
	}
	if d == 0 {
		return none
	}
	var best truth
	for i, next := range b.t.after(node) {
		v := b.layers[d-1][b.t.at(next, (seat+1)%b.t.seats)]
		if v.value != game.Draw || v.winner >= 0 {
			v.distance++
		}
		if i == 0 || b.rank(seat, v) > b.rank(seat, best) {
			best = v
		}
	}
	return best
}

// rank orders truths for a seat, the best last.
func (b *brute) rank(seat int, v truth) int {
	won := v.value == game.Win && seat == b.hero || v.value == game.Loss && seat != b.hero
	switch {
	case b.hero < 0:
		won = v.winner == seat
		if v.winner < 0 {
			return 0
		}
	case v.value == game.Draw:
		return 0
	}
	if won {
		return 1000 - v.distance
	}
	return v.distance - 1000
}
