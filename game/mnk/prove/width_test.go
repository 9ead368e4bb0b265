package prove

import (
	"bytes"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
)

// none has no stones, and low(x) is a set of one word.
var none bitboard.Set128

func low(x uint64) bitboard.Set128 { return bitboard.Set128{Lo: x} }

// one(x) is low(x) for the searches of one word.
func one(x uint64) bitboard.Set64 { return bitboard.Set64{Lo: x} }

// certified returns the certificate of a claim.
func certified(t testing.TB, g *mnk.Game, claim Claim, s Strategy) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := Certify(t.Context(), g, claim, s, Room{Bits: 12}, &b, nil); err != nil {
		t.Fatalf("%s: %v", g.ID(), err)
	}
	return b.Bytes()
}

// TestWide proves small boards in both forms: with tables that lose nothing they are the
// same search, node for node, to the end or a limit, learn the same proofs in the same order, and
// write the same certificate.
func TestWide(t *testing.T) {
	proofs := 0
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k4", "mnk-5x5k4", "mnk-6x5k4", "mnk-6x6k4", "mnk-4x7k3", "mnk-2x32k3", "mnk-64x1k2", "mnk-7x7k5", "mnk-8x8k5", "mnk-8x8k8", "mnk-6x6k6", "mnk-1x1k1"} {
		g := gameOf(t, id)
		for method := range Methods() {
			for _, cuts := range []Cuts{{NoLambda: true}, {NoLambda: true, NoZone: true, NoSymmetry: true}, {}} {
				books := [2]*shelf{newShelf(g), newShelf(g)}
				o := Options{Threads: 1, Memory: 16 << 20, Method: Method(method), Cuts: cuts, Nodes: 10_000, Book: books[0], BookNodes: 20}
				narrow, err := newProver64(g, o)
				if err != nil {
					t.Fatal(err)
				}
				o.Book = books[1]
				wide, err := newProver128(g.Wide(), o)
				if err != nil {
					t.Fatal(err)
				}
				for narrow.t.t.Grow() {
				}
				for wide.t.t.Grow() {
				}
				p, w := &Prover{narrow}, &Prover{wide}
				v, r := p.Value(t.Context())
				vw, rw := w.Value(t.Context())
				// The caches of λ-searches lose different entries in the two forms: nodes are
				// equal only without them.
				if cuts.NoLambda && !slices.Equal(books[0].list, books[1].list) {
					t.Errorf("%s by %s with %+v: %d proofs, wide %d, or others", id, Methods()[method], cuts, len(books[0].list), len(books[1].list))
				}
				proofs += len(books[0].list)
				if r.Known && rw.Known && v != vw || cuts.NoLambda && (v != vw || r.Nodes != rw.Nodes || r.Leaves != rw.Leaves || r.Hits != rw.Hits || r.Move != rw.Move) {
					t.Errorf("%s by %s with %+v: %v %+v, wide %v %+v", id, Methods()[method], cuts, v, r, vw, rw)
				}
				if !r.Known || !rw.Known {
					p.Close()
					w.Close()
					continue
				}
				claim := Claim{Win: v == game.Win}
				a, b := certified(t, g, claim, p.Solver(t.Context(), claim)), certified(t, g.Wide(), claim, w.Solver(t.Context(), claim))
				if cuts.NoLambda && !bytes.Equal(a, b) {
					t.Errorf("%s by %s with %+v: certificates of %d and %d bytes", id, Methods()[method], cuts, len(a), len(b))
				}
				p.Close()
				w.Close()
			}
		}
	}
	if proofs < 1000 {
		t.Errorf("%d proofs", proofs)
	}
}
