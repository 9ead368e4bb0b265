package bitboard

import "math/rand/v2"

// Uniform random words have about 32 cells spread evenly. They miss faults at edges, in runs, and
// at the seams between words.

func weird(r *rand.Rand) uint64 {
	switch r.IntN(12) {
	case 0:
		return 0
	case 1:
		return ^uint64(0)
	case 2: // one cell
		return 1 << r.IntN(64)
	case 3: // all cells but one
		return ^(uint64(1) << r.IntN(64))
	case 4: // a run from the low end
		return 1<<r.IntN(65) - 1
	case 5: // a run from the high end
		return ^uint64(0) << r.IntN(65)
	case 6: // every second cell
		return 0x5555555555555555 << r.IntN(2)
	case 7: // whole bytes of ones or zeros
		var w uint64
		for i := range 8 {
			w |= uint64(r.IntN(2)*255) << (8 * i)
		}
		return w
	case 8: // sparse, as pieces are
		return r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
	case 9: // dense, as free cells are
		return r.Uint64() | r.Uint64() | r.Uint64()
	default:
		return r.Uint64()
	}
}

func weird128(r *rand.Rand) Set128 { return Set128{weird(r), weird(r)} }

// spreads are ways to lay eight cells over two words.
var spreads = [][8]int{
	{0, 1, 2, 3, 4, 5, 6, 7},
	{56, 57, 58, 59, 60, 61, 62, 63},
	{60, 61, 62, 63, 64, 65, 66, 67},
	{120, 121, 122, 123, 124, 125, 126, 127},
	{0, 18, 36, 54, 72, 90, 108, 126},
	{0, 1, 31, 63, 64, 65, 126, 127},
	{7, 13, 29, 31, 32, 47, 53, 61},
}

func spread(v int, cells *[8]int) (s Set128) {
	for j, c := range cells {
		if v>>j&1 != 0 {
			s = s.With(c)
		}
	}
	return s
}
