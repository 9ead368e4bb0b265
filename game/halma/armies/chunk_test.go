package armies

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestChunks packs slabs, empty, sparse and full, and unpacks them.
func TestChunks(t *testing.T) {
	l := &layout{words: 3, beyond: 0xffffff0000000000, wordBits: 64, wordBytes: 8}
	p := newPacker(300)
	r := rand.New(rand.NewPCG(3, 4))
	for _, share := range []int{0, 1, 10, 100} {
		slab := make([]uint64, 300)
		for i := range slab {
			if r.IntN(100) < share {
				slab[i] = r.Uint64()
			}
			if i%3 == 2 {
				slab[i] &^= l.beyond
			}
		}
		got := make([]uint64, len(slab))
		if err := p.unpack(p.pack(slab, l), l, len(slab), func(i int, x uint64) { got[i] = x }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(slab, got) {
			t.Errorf("%d %%: something else comes back", share)
		}
	}
}

// FuzzChunk unpacks arbitrary bytes.
func FuzzChunk(f *testing.F) {
	l := &layout{words: 2, beyond: 0xffffffffffffff80, wordBits: 64, wordBytes: 8}
	p := newPacker(64)
	f.Add(p.pack([]uint64{0: 1, 2: 0x7000, 3: 5, 63: 1}, l))
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd})
	f.Fuzz(func(t *testing.T, chunk []byte) {
		_ = p.unpack(chunk, l, 64, func(i int, x uint64) {
			if i < 0 || i >= 64 || i&1 == 1 && x>>7 != 0 {
				t.Errorf("word %d is %x", i, x)
			}
		})
	})
}

// TestForgedLayer: a layer with impossible contents and right checksums ends in an error, or in
// other answers.
func TestForgedLayer(t *testing.T) {
	spec := small(t, 2, "fgocC")
	b, err := newBoard(spec)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for forged := range 30 {
		q := Coalition(1)
		nodes := b.orbit(q)
		l := b.layout(0)
		kept := &layers{dir: t.TempDir(), job: job(spec), q: q}
		for range nodes {
			kept.groups = append(kept.groups, l.groups)
		}
		p := newPacker(l.group * l.slabWords())
		first, err := kept.put(0, func(int) (chunks [][]byte, n uint64, err error) {
			for range l.groups {
				words := make([]uint64, l.group*l.slabWords())
				for i := range words {
					if r.IntN(20) == 0 {
						words[i] = r.Uint64() & r.Uint64()
						if forged%2 == 0 && i%l.words == l.words-1 {
							words[i] &^= l.beyond
						}
					}
				}
				chunks = append(chunks, p.pack(words, &l))
			}
			return chunks, 1, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		first.Close()
		if s, err := Solve(context.Background(), spec, Options{Work: kept.dir}); err == nil {
			s.Close()
		}
	}
}
