package prove

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"perfectplay/game"
)

// TestSplit: boards proved in pieces have the value of the whole, with one certificate that
// the checker replays, the same bytes every time. A wrong piece is found out.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		id     string
		stones int
	}{{"mnk-3x3k3", 1}, {"mnk-3x3k3", 3}, {"mnk-4x3k3", 2}, {"mnk-4x4k3", 1}, {"mnk-4x4k4", 1}, {"mnk-4x4k4", 2}, {"mnk-5x5k4", 1}, {"mnk-2x2k1", 1}} {
		t.Run(c.id, func(t *testing.T) {
			g := gameOf(t, c.id)
			whole := openProver(t, g, Options{Memory: 16 << 20, Threads: 1})
			want, _ := whole.Value(t.Context())
			p, err := NewSplit(g, c.stones)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Memory: 16 << 20}
			if costs, err := p.Costs(t.Context(), o); err != nil || len(costs) != p.Len() {
				t.Fatalf("%d costs of %d: %v", len(costs), p.Len(), err)
			}
			certificate := func() ([]byte, []Proved) {
				var list []Proved
				for i := range p.Len() {
					q, err := p.Prove(t.Context(), i, o, 1<<20)
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, q)
				}
				j, err := p.Join(list)
				if err != nil {
					t.Fatal(err)
				}
				if j.Claim.Win != (want == game.Win) {
					t.Fatalf("the pieces say %+v, the whole %v", j.Claim, want)
				}
				var b bytes.Buffer
				if _, err := j.Certify(t.Context(), 1<<30, &b, nil); err != nil {
					t.Fatal(err)
				}
				return b.Bytes(), list
			}
			first, list := certificate()
			again, _ := certificate()
			if !bytes.Equal(first, again) {
				t.Error("the same pieces make another certificate")
			}
			if back, _, err := checked(t, first); err != nil || back.Claim.Win != (want == game.Win) {
				t.Error(err)
			}
			// One piece after another claims the opposite: the check must fail if the whole
			// needs the piece.
			for i := 0; i < len(list); i += 1 + len(list)/4 {
				lie := append([]Proved{}, list...)
				lie[i].Won = !lie[i].Won
				j, err := p.Join(lie)
				if err != nil {
					t.Fatal(err)
				}
				_, err = j.Certify(t.Context(), 1<<30, io.Discard, nil)
				if err == nil && j.Claim.Win != (want == game.Win) {
					t.Errorf("position %s claims the opposite, and nobody minds", p.Position(i))
				} else if err != nil && !errors.Is(err, ErrRefuted) && !errors.Is(err, errOtherClaim) {
					t.Error(err)
				}
			}
			if _, err := p.Join(append(list, Proved{})); err == nil {
				t.Error("there is a proof too many, and nobody minds")
			}
		})
	}
	g := gameOf(t, "mnk-3x3k3")
	for _, stones := range []int{-1, 0, 9} {
		if _, err := NewSplit(g, stones); err == nil {
			t.Errorf("divided after %d stones", stones)
		}
	}
}
