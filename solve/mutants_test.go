package solve

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Tests of single lines that searches of random games seldom reach.

// endingAllied adds the plies left to a toy whose states know allies.
type endingAllied struct{ toyAllied }

func (s *endingAllied) PliesLeft() int { return s.t.lasts[s.node()] }
func (s *endingAllied) Clone() game.State {
	return &endingAllied{*s.toyAllied.Clone().(*toyAllied)}
}

type endingToy struct{ *toy }

func (g endingToy) Start() game.State { return &endingAllied{*g.toy.Start().(*toyAllied)} }

// TestDrawAtTheEnd: seat 0 can stop seat 1, which has no turn to spare, and the game ends with the
// last ply of the search. So the draw is final, though the bound that proves it counts plies.
func TestDrawAtTheEnd(t *testing.T) {
	m := newMaker()
	m.seats = 3
	for range 4 {
		m.node(game.Ongoing, len(m.edges)+1)
	}
	hero := m.node(game.Ongoing)
	m.edges[2] = []int{hero} // seat 2 moves at node 2; node 3 only shifts numbers
	m.edges[hero] = []int{m.walk(m.end(1), 1), m.walk(m.end(game.Drawn), 1)}
	m.race(true)
	m.ahead, m.allied = true, true
	for node := range m.edges {
		m.lasts = append(m.lasts, m.longest(node))
	}
	seat := 0
	g := endingToy(m)
	for depth := 4; depth <= 5; depth++ {
		c, stop := testPool(t, g, g.Start(), Options{Algo: Paranoid, Hero: &seat, Threads: 1})
		won, final, ok := c.wins(1, depth, new(Counts))
		stop()
		if !ok || won || final != (depth == 5) {
			t.Errorf("within %d plies the others win %v, final %v, want a draw that is final at 5", depth, won, final)
		}
	}
}

// TestNothingAfterTheEnd: a side that does not win before the game is over never does.
func TestNothingAfterTheEnd(t *testing.T) {
	for left := 1; left < 4; left++ {
		for over := range 6 {
			want := over
			if over >= left {
				want = infinite
			}
			win := bounds{over, infinite, 0, infinite}.within(left)
			loss := bounds{0, infinite, over, infinite}.within(left)
			if win != (bounds{want, infinite, 0, infinite}) || loss != (bounds{0, infinite, want, infinite}) {
				t.Errorf("over %d with %d plies left: %+v and %+v", over, left, win, loss)
			}
		}
	}
}

// TestMostOfOneSeat: a seat whose best score is at most v gets a bound below the distance of its
// win, the largest that v proves.
func TestMostOfOneSeat(t *testing.T) {
	const never = 1000
	for d := 1; d < 8; d++ {
		for v := range d + 1 {
			for win := d + 1 - v; win <= never; win++ { // plies to the seat's win
				if win > d+3 {
					win = never
				}
				for old := range min(win, 4) {
					w := &worker{horizon: win < never}
					var o outlook
					o.over[2] = old
					w.learnAtMost(&o, 2, v, d)
					want := max(old, d-v)
					if v == 0 && win == never {
						want = endless
					}
					if got := o.over[2]; got != want {
						t.Errorf("win in %d, at most %d with %d plies left: over %d, want %d", win, v, d, got, want)
					}
				}
			}
		}
	}
}

// farOff is the least number of turns that every seat needs to win.
type farOff int

func (f farOff) TurnsToWin(int) int { return int(f) }

// TestOutlookOver: a bound that an outlook cannot hold is not read as a proof that a seat never wins.
func TestOutlookOver(t *testing.T) {
	for turns, want := range map[int]int{0: 0, 1: 2, 100: 299, 2000: endless - 1, game.NeverWins: endless} {
		w := &worker{racer: farOff(turns), seats: 3}
		if got := w.outlookOver(1, 2); got != want {
			t.Errorf("%d turns: over %d plies, want %d", turns, got, want)
		}
	}
}

// TestChances compares the list of allies without a turn to spare with one made ply by ply.
func TestChances(t *testing.T) {
	some := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 31))
		seats := 3 + int(seed)%4
		g := newToy(rng, seats, false)
		g.abilities = abilities{keys: true, race: true, gain: true, ahead: true, allied: true}
		if !g.lists {
			continue
		}
		hero, mover, node := rng.IntN(seats), rng.IntN(seats), rng.IntN(len(g.edges))
		s := g.state(node, mover)
		if s.Result() != game.Ongoing {
			continue
		}
		c, stop := testPool(t, g, s, Options{Algo: Paranoid, Hero: &hero, Threads: 1})
		w := c.workers[0]
		for d := range 3 * seats {
			var want chances
			want.before = -1
			ok, allies, passed := true, 0, -1
			for ply := range seats {
				seat := (mover + ply) % seats
				switch {
				case seat == hero:
					passed = allies
					continue
				case ply > 0:
					turns, own := w.racer.TurnsToWin(seat), 0
					for at := ply; at < d; at += seats {
						own++
					}
					ok = ok && turns > 0 && (own == 0 || turns >= own)
					if own == 0 || turns != own {
						break
					}
					want.list[want.n] = game.Chance{Seat: seat, Turns: turns - 1, Allies: allies, Adversary: passed >= 0}
					if want.n++; passed >= 0 {
						want.before = passed
					}
				}
				allies++
			}
			var got chances
			if is := w.chances(&got, mover, d); is != ok {
				t.Fatalf("seed %d, %d plies: listed %v, want %v", seed, d, is, ok)
			}
			if !ok {
				continue
			}
			some += want.n
			if mover == hero {
				// The field before has no meaning if the hero is to move.
				want.before, got.before = 0, 0
			}
			if !slices.Equal(got.list[:got.n], want.list[:want.n]) || got.before != want.before && max(got.before, want.before) >= 0 {
				t.Fatalf("seed %d, seat %d to move, %d plies: %+v, want %+v", seed, mover, d, got, want)
			}
		}
		stop()
	}
	if some < 500 {
		t.Errorf("%d chances seen", some)
	}
}

// testPool returns workers at a position, and a function that ends them.
func testPool(t *testing.T, g game.Game, s game.State, o Options) (c *pool, stop func()) {
	t.Helper()
	o.Memory, o.eager = 1<<16, true
	p, err := o.plan(g, s)
	if err != nil {
		t.Fatal(err)
	}
	c, end, err := newPool(context.Background(), g, p, s)
	if err != nil {
		t.Fatal(err)
	}
	return c, func() {
		end()
		if err := c.sh.tab.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestIterator walks the moves of random positions while another worker searches some of them, and
// drops slow moves on the way. Each move comes once, with the key of the position after the move.
// Moves that the other worker searches come last.
func TestIterator(t *testing.T) {
	walks, puts, drops, threats, answers := 0, 0, 0, 0, 0
	for seed := range uint64(6000) {
		rng := rand.New(rand.NewPCG(seed, 32))
		seats := 2 + int(seed)%3
		g := newToy(rng, seats, false)
		if !g.keys {
			continue
		}
		node, mover := rng.IntN(len(g.edges)), rng.IntN(seats)
		for range 40 { // look for a threat
			l, ok := g.state(node, mover).(game.ThreatLister)
			if !ok {
				break
			}
			if _, _, threat := l.MovesAgainst(nil, -1); threat {
				break
			}
			node, mover = rng.IntN(len(g.edges)), rng.IntN(seats)
		}
		if seed%50 == 0 { // more moves than a worker has room for at first
			for range 700 {
				g.edges[node] = append(g.edges[node], rng.IntN(len(g.edges)))
			}
			g.turns, g.ends = nil, false
			g.makeTurns(rng)
		}
		s := g.state(node, mover)
		if s.Result() != game.Ongoing {
			continue
		}
		hero, bits := rng.IntN(seats), rng.IntN(64)
		o := Options{Algo: Paranoid, Hero: &hero, Threads: 2, Ordering: &Ordering{bits&1 != 0, false, bits&2 != 0, bits&4 != 0, bits&8 != 0, true}}
		if rng.IntN(3) > 0 {
			o.Algo, o.Hero = MaxN, nil
		}
		c, stop := testPool(t, g, s, o)
		defer stop()
		w, other := c.workers[0], c.workers[1]
		c.follow(other)
		c.sh.joined.Store(true)
		d, turns := 3+rng.IntN(4), -1
		if w.lister != nil && rng.IntN(2) == 0 {
			turns = rng.IntN(4)
		}
		legal := s.Moves(nil)
		first := game.NoMove
		if rng.IntN(2) == 0 {
			first = legal[rng.IntN(len(legal))]
		}
		safely := w.safe != nil && w.safe.WinningMove() == game.NoMove && len(w.safe.SafeMoves(nil)) > 0
		against := w.threats != nil && rng.IntN(4) > 0
		start := func(w *worker) iterator {
			f := w.at()
			w.locate(f)
			f.killers = [2]game.Move{legal[0], legal[len(legal)-1]}
			it := w.iterate(f, d, first, false, turns)
			if safely {
				it.safe, it.turns = len(w.moves), -1
				w.moves = w.safe.SafeMoves(w.moves)
			}
			return it
		}
		it := start(w)
		want, all := legal, true
		switch {
		case safely:
			want = w.safe.SafeMoves(nil)
		case turns >= 0:
			want, all = w.lister.MovesWithin(nil, turns)
		}
		if against {
			moves, rest, threat := w.threats.MovesAgainst(nil, turns)
			if got := it.listAgainst(w); got != threat {
				t.Fatalf("seed %d: threat %v, want %v", seed, got, threat)
			}
			if threat {
				want, all = moves, rest
				threats++
			}
		}
		same := rng.IntN(2) == 0
		if it.fetch && rng.IntN(2) == 0 {
			for i := range w.addresses { // addresses that earlier positions left behind
				w.addresses[i] = w.at().address
			}
			won := func(f *address, kind int) { // a position that the side to move at s wins, or does not
				b := bounds{infinite, infinite, 0, kind}
				if same {
					b = bounds{0, kind, infinite, infinite}
				}
				if kind == infinite {
					b = bounds{infinite, infinite, infinite, infinite}
				}
				p := pack(b, game.NoMove)
				w.tab.Store(f.key[:], f.hash, p, table.Effort(1))
			}
			own := w.at().address
			good := map[game.Move]bool{}
			var after address
			for _, m := range want {
				w.fetch(m, &after)
				if after.key != own.key && rng.IntN(4*len(want)) == 0 {
					won(&after, 1)
				}
			}
			won(&own, 1)
			for _, m := range want {
				w.fetch(m, &after)
				if p, ok := w.recall(&after); ok {
					b, _ := unpack(p)
					good[m] = b.winBy == 1 || b.lossBy == 1
				}
			}
			score, ok := it.known(w, same, d, 0, 1)
			if ok != (len(good) > 0) || ok && (score != d-1 || !good[it.move]) {
				t.Fatalf("seed %d: known %v, score %d by %d, want one of %v", seed, ok, score, it.move, good)
			}
			if ok {
				answers++
				continue
			}
		}
		busy := start(other)
		for range rng.IntN(len(want) + 1) {
			if busy.next(other) {
				busy.putOff(other)
			}
		}
		left := slices.Clone(want)
		var put []game.Move // moves put off
		drop := rng.IntN(len(want) + 2)
		for n := 0; it.next(w); n++ {
			repeated := len(left) == 0
			from := &left
			if repeated {
				from = &put
			}
			at := slices.Index(*from, it.move)
			if at < 0 {
				t.Fatalf("seed %d: move %d of %v comes, left are %v, put off %v", seed, it.move, want, left, put)
			}
			*from = slices.Delete(slices.Clone(*from), at, at+1)
			if it.address != nil {
				var key address
				w.ahead.NextKey(it.move, key.key[:])
				if it.address.key != key.key {
					t.Fatalf("seed %d: move %d comes with the key of another", seed, it.move)
				}
			}
			if last := len(left)+len(put) == 0; it.last() != last && (it.mark >= 0 || !last) {
				t.Fatalf("seed %d: move %d: last %v, want %v", seed, it.move, it.last(), last)
			}
			if it.putOff(w) {
				if repeated || n == 0 {
					t.Fatalf("seed %d: move %d is put off: first %v, again %v", seed, it.move, n == 0, repeated)
				}
				if puts++; it.mark < 0 {
					left = append(left, it.move) // the list will contain the move
				} else {
					put = append(put, it.move)
				}
				continue
			}
			it.done()
			if n == drop && w.lister != nil {
				fewer := 1
				if turns >= 0 {
					fewer = min(turns, 1) // the list has all these moves
				}
				in, whole := w.lister.MovesWithin(nil, fewer)
				it.within(w, fewer)
				out := func(m game.Move) bool { return !slices.Contains(in, m) }
				left, put = slices.DeleteFunc(left, out), slices.DeleteFunc(slices.Clone(put), out)
				all = all && whole
				drops++
			}
		}
		if len(left)+len(put) > 0 {
			t.Fatalf("seed %d: of %v there come neither %v nor %v", seed, want, left, put)
		}
		if it.all != all {
			t.Fatalf("seed %d: the list leaves out no move: %v, want %v", seed, it.all, all)
		}
		walks++
	}
	if walks < 1000 || puts < 1000 || drops < 200 || threats < 100 || answers < 100 {
		t.Errorf("%d walks, %d moves put off, %d dropped, %d threats, %d answers", walks, puts, drops, threats, answers)
	}
}
