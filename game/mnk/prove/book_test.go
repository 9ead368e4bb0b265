package prove

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
)

// shelf is a book that keeps everything unless told to forget it.
type shelf struct {
	g     *mnk.Game
	mu    sync.Mutex
	list  []Proof
	index map[Proof]bool // without zone, move and nodes
	// turn, if not nil, chooses the picture of a proof that is returned; all are equally
	// good.
	turn *rand.Rand
}

func newShelf(g *mnk.Game) *shelf { return &shelf{g: g, index: map[Proof]bool{}} }

func (b *shelf) Learn(p Proof) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := Proof{X: p.X, O: p.O, Attacker: p.Attacker, Won: p.Won}
	if !b.index[name] {
		b.index[name] = true
		b.list = append(b.list, p)
	}
}

func (b *shelf) Proofs(f func(Proof) error) error {
	for _, p := range slices.Clone(b.list) {
		if b.turn != nil {
			p = turned(b.g, p, b.turn.IntN(4))
		}
		if err := f(p); err != nil {
			return err
		}
	}
	return nil
}

// turned returns a proof in another picture.
func turned(g *mnk.Game, p Proof, sym int) Proof {
	var apply func(bitboard.Set128) bitboard.Set128
	if g.Lines64() != nil {
		apply = func(s bitboard.Set128) bitboard.Set128 { return wide64(g.Symmetries64()[sym].Apply(narrow64(s))) }
	} else {
		apply = g.Symmetries128()[sym].Apply
	}
	p.X, p.O, p.Zone = apply(p.X), apply(p.O), apply(p.Zone)
	if p.Move >= 0 {
		p.Move = apply(bitboard.Cell128(p.Move)).Min()
	}
	return p
}

// judge knows the answers of a small board from the rules alone. It takes them from the
// solution of all positions. For stones that need not alternate, and for boards too large
// to solve, it tries all moves.
type judge struct {
	g      *mnk.Game
	solved func(s game.State) (game.Value, int) // nil if the board is too large
	plain  *plainWins
}

func newJudge(t *testing.T, g *mnk.Game) *judge {
	j := &judge{g: g, plain: newPlainWins(t, g)}
	if n := g.Numbers(); 0 < n && n <= 1<<24 {
		j.solved = solved(t, g)
	}
	return j
}

// most is the largest number of empty cells for which all moves are tried.
const most = 8

// wins answers the question, if the judge can.
func (j *judge) wins(a, d bitboard.Set128, attack bool) (won, told bool) {
	if n := a.Count() - d.Count(); j.solved != nil && (n == 0 || n == 1 && !attack || n == -1 && attack) {
		x, o := a, d
		if n == 0 != attack {
			x, o = o, x
		}
		if s, err := j.g.Parse(j.g.Text(x, o)); err == nil {
			v, _ := j.solved(s)
			return v == game.Win && attack || v == game.Loss && !attack, true
		}
	}
	if a.Or(d).Count() < j.g.Cells()-most {
		return false, false
	}
	return j.plain.wins(a, d, attack), true
}

// holds fails the test if a proof is false; told says whether the judge could decide it.
func (j *judge) holds(t *testing.T, p Proof) (told bool) {
	t.Helper()
	if err := p.Check(j.g); err != nil {
		t.Fatal(err)
	}
	text := j.g.Text(p.X, p.O)
	if s, err := j.g.Parse(text); err != nil || s.Result() != game.Ongoing || s.Seat() != p.Seat() {
		t.Fatalf("%s: %v", text, err)
	}
	a, d, attack := p.sides()
	won, told := j.wins(a, d, attack)
	if told && won != p.Won {
		t.Fatalf("%s: attacker %d wins is %v: %+v", text, p.Attacker, won, p)
	}
	if p.Move >= 0 {
		ma, md := a.With(p.Move), d
		if !attack {
			ma, md = a, d.With(p.Move)
		}
		if !j.plain.line(ma) && !j.plain.line(md) {
			if won, ok := j.wins(ma, md, !attack); ok && won != p.Won {
				t.Fatalf("%s: not by %s: %+v", text, j.g.CellName(p.Move), p)
			}
		}
	}
	// Stones of the side that fails on all cells outside the zone.
	extra := j.plain.cells.AndNot(a.Or(d).Or(p.Zone))
	if p.Won {
		d = d.Or(extra)
	} else {
		a = a.Or(extra)
	}
	if j.plain.line(a) || j.plain.line(d) {
		t.Fatalf("%s: stones outside the zone complete a window: %+v", text, p)
	}
	if won, ok := j.wins(a, d, attack); ok && won != p.Won {
		t.Fatalf("%s: the zone does not hold: %+v", text, p)
	}
	return told
}

// TestBook proves small boards with a book that keeps all proofs, by every method, on one
// thread and two, to the end and cut short. No proof is false, the value is the same as
// without a book, and a prover that begins with the book does no more work, whichever
// pictures of positions the book holds.
func TestBook(t *testing.T) {
	for _, c := range []struct {
		m, n, k int
		win     bool
	}{{3, 3, 3, false}, {4, 3, 3, true}, {4, 4, 4, false}, {3, 5, 3, true}} {
		g := gameOf(t, mnk.ID(c.m, c.n, c.k))
		if testing.Short() && g.Cells() > 15 {
			continue // it takes a second to judge its proofs
		}
		j, told, seen := newJudge(t, g), 0, map[Proof]bool{}
		for method := range Methods() {
			for _, o := range []Options{{Threads: 1}, {Threads: 2}, {Threads: 1, Cuts: Cuts{NoZone: true, NoSymmetry: true}}, {Threads: 1, Cuts: Cuts{SymmetryTo: 3, PairingFrom: 60, NoWeight: true}}} {
				if o.Cuts != (Cuts{}) && (g.Cells() > 16 || Method(method) == ProofNumbers) {
					continue // this board takes millions of nodes
				}
				b := newShelf(g)
				o.Method, o.Memory, o.Book, o.BookNodes = Method(method), 1<<20, b, 1
				prove := func(limit uint64) (known bool, nodes uint64) {
					o.Nodes = limit
					p, err := New(g, o)
					if err != nil {
						t.Fatal(err)
					}
					defer p.Close()
					v, r := p.Value(t.Context())
					if v != game.Unknown && (v == game.Win) != c.win {
						t.Fatalf("%s by %s, %+v: %v", g.ID(), Methods()[method], o, v)
					}
					if v == game.Win && r.Move < 0 {
						t.Errorf("%s by %s, %+v: a win without a move", g.ID(), Methods()[method], o)
					}
					return v != game.Unknown, r.Nodes
				}
				b.turn = rand.New(rand.NewPCG(1, 1))
				for limit := uint64(30); limit < 3000; limit *= 4 {
					prove(limit)
				}
				_, cold := prove(0)
				kept := b.list
				if len(kept) == 0 {
					continue // the start is decided without search, which leaves no proof
				}
				start := slices.ContainsFunc(kept, func(p Proof) bool { return p.X.IsEmpty() && p.Attacker == 0 }) // the start has a proof in the book
				if known, nodes := prove(0); !known || start && nodes > 0 {
					t.Errorf("%s by %s, %+v: %v, %d nodes with all of the book, %d before", g.ID(), Methods()[method], o, known, nodes, cold)
				}
				// Repeat with half of the book, whose proofs are as true.
				half := newShelf(g)
				half.turn = rand.New(rand.NewPCG(2, 2))
				for _, p := range kept {
					if half.turn.IntN(2) == 0 {
						half.Learn(p)
					}
				}
				begin := len(half.list)
				o.Book = half
				prove(0)
				for _, p := range append(kept, half.list[begin:]...) {
					name := p
					if name.Nodes = 0; seen[name] {
						continue
					}
					if seen[name] = true; j.holds(t, p) {
						told++
					}
				}
				clear(j.plain.memo)
			}
		}
		t.Logf("%s: %d proofs, %d judged", g.ID(), len(seen), told)
		if told < 5 || j.solved != nil && told < len(seen) {
			t.Errorf("%s: %d proofs, of which %d can be judged", g.ID(), len(seen), told)
		}
	}
}

// TestBookCertificate writes certificates of proofs from a book, whole or in part:
// positions that the table lacks are searched, and the checker accepts them.
func TestBookCertificate(t *testing.T) {
	for _, id := range []string{"mnk-5x5k4", "mnk-5x6k4"} {
		g := gameOf(t, id)
		b := newShelf(g)
		for range 2 {
			p := openProver(t, g, Options{Threads: 1, Memory: 8 << 20, Book: b, BookNodes: 100})
			v, _ := p.Value(t.Context())
			claim := Claim{Win: v == game.Win}
			certified(t, g, claim, p.Solver(t.Context(), claim))
		}
	}
}
