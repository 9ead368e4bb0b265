package bitboard

import (
	"math/rand/v2"
	"testing"
)

func TestTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for side := 8; side <= 64; side *= 2 {
		var m [64]uint64
		for i := range side {
			m[i] = r.Uint64() & r.Uint64() >> (64 - side)
		}
		n := m
		Transpose(&n, side)
		for i := range 64 {
			for j := range 64 {
				if m[i]>>j&1 != n[j]>>i&1 {
					t.Fatalf("side %d: bit %d of word %d", side, j, i)
				}
			}
		}
	}
}
