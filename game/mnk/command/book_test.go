package command

import (
	"errors"
	"path/filepath"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/oracle"
	"perfectplay/game/mnk/prove"
	"perfectplay/game/wing"
	"perfectplay/solve"
	"perfectplay/solve/book"
)

// known are proofs of a board, each in the frame of its key.
type known struct{ list []prove.Proof }

func (k *known) Proofs(func(prove.Proof) error) error { return nil }

func (k *known) Learn(p prove.Proof) { k.list = append(k.list, p) }

// proofsOf are the proofs that a prover learns from the empty board.
func proofsOf(t testing.TB, g *mnk.Game, nodes uint64) []prove.Proof {
	t.Helper()
	var k known
	p, err := prove.New(g, prove.Options{Threads: 1, Memory: 8 << 20, Nodes: nodes, Book: &k, BookNodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.Value(t.Context())
	p.Close()
	if len(k.list) == 0 {
		t.Errorf("%s: no proofs", g.ID())
	}
	return k.list
}

// TestNotes: a proof turned into a fact with a note is read back unchanged, on boards of
// one word and of two.
func TestNotes(t *testing.T) {
	for _, id := range []string{"mnk-4x3k3", "mnk-4x4k4", "mnk-5x5k4", "mnk-8x8k8", "mnk-9x8k6"} {
		g := mustGame(t, id)
		for _, p := range proofsOf(t, g, 20_000) {
			f, notes := toFact(g, p)
			if !f.Valid() {
				t.Fatalf("%s: %+v becomes %+v", id, p, f)
			}
			key := []uint64{p.X.Lo, p.O.Lo}
			if g.Lines64() == nil {
				key = []uint64{p.X.Lo, p.X.Hi, p.O.Lo, p.O.Hi}
			}
			again, err := readProofs(g, book.Item{Fact: f, Notes: notes, Key: key})
			if err != nil || len(again) != 1 || again[0] != p {
				t.Fatalf("%s: %+v is read as %+v, %v", id, p, again, err)
			}
		}
	}
}

// TestProved asks the wing's prover about positions with and without a book of another
// position: the answers are equal, the book saves most of the work, and nothing is added to it.
func TestProved(t *testing.T) {
	g := mustGame(t, "mnk-8x7k5")
	name := filepath.Join(t.TempDir(), "book")
	b, err := book.Open(name, true)
	if err != nil {
		t.Fatal(err)
	}
	known := newProofs(g, b)
	p, err := prove.New(g, prove.Options{Threads: 1, Memory: 32 << 20, Method: prove.Zones, Book: known, BookNodes: 500})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := p.Value(t.Context()); v != game.Draw {
		t.Fatal(v)
	}
	if err := errors.Join(p.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	if b, err = book.Open(name, false); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	facts := known.learned.Load()
	if facts < 50 {
		t.Fatalf("%d proofs", facts)
	}
	work := func(proved any, position string) (steps int) {
		src := oracle.Wing().Sources(g)[0]
		if src.Kind != wing.ByProof {
			t.Fatal(src.Kind)
		}
		o, err := src.Open(t.Context(), wing.Resources{Memory: 32 << 20, Threads: 1, Proved: proved, Yield: func() { steps++ }})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		s, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		if w, err := o.Worth(t.Context(), s); err != nil || w.Value != game.Draw {
			t.Errorf("%s: %v, %v", position, w, err)
		}
		return steps
	}
	positions := []string{"7.7.7.3o3.3x3.7.7.7", "7.7.7.7.3x3.7.7.7", "7.7.7.7.7.7.7.7"}
	if testing.Short() {
		positions = positions[:1]
	}
	for _, position := range positions {
		reading := proved(g, b).(reader)
		cold, warm := work(nil, position), work(reading, position)
		t.Logf("%s: %d thousand nodes, %d with the book", position, cold, warm)
		if cold < 20 || warm*2 > cold {
			t.Errorf("%s: %d thousand nodes without the book, %d with it", position, cold, warm)
		}
		if n := reading.recalled.Load(); n < facts || reading.learned.Load() > 0 {
			t.Errorf("%s: %d proofs read, %d added", position, n, reading.learned.Load())
		}
	}
	if proved(mustGame(t, "mnk-50x50k10"), b) != nil {
		t.Error("a book for a board that no prover takes")
	}
}

func mustGame(t testing.TB, id string) *mnk.Game {
	t.Helper()
	g, err := mnk.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// FuzzNote reads any notes beside any bounds: an accepted note is a sound proof on the board and
// is written again unchanged.
func FuzzNote(f *testing.F) {
	g := mustGame(f, "mnk-4x4k4")
	for _, p := range proofsOf(f, g, 0) {
		fact, notes := toFact(g, p)
		f.Add(p.X.Lo, p.O.Lo, fact.WinOver, fact.WinBy, fact.LossOver, fact.LossBy, notes[0], notes[1])
	}
	f.Fuzz(func(t *testing.T, x, o uint64, winOver, winBy, lossOver, lossBy int, own, other string) {
		it := book.Item{Fact: solve.Fact{WinOver: winOver, WinBy: winBy, LossOver: lossOver, LossBy: lossBy}, Notes: book.Notes{own, other}, Key: []uint64{x, o}}
		list, err := readProofs(g, it)
		if err != nil {
			return
		}
		for _, p := range list {
			if err := p.Check(g); err != nil {
				t.Fatal(err)
			}
			if _, notes := toFact(g, p); notes[0] != "" && notes[0] != own || notes[1] != "" && notes[1] != other {
				t.Fatalf("%q and %q are read as %+v, which writes %q", own, other, list, notes)
			}
		}
	})
}
