package bitboard

// Transpose exchanges rows and columns of a matrix of side×side bits, side a power of two up to
// 64: bit j of word i becomes bit i of word j (Warren, Hacker's Delight, 7-3).
func Transpose(m *[64]uint64, side int) {
	for step := uint(side) / 2; step != 0; step >>= 1 {
		mask := ^uint64(0) / (1<<step + 1) // the lower step bits of every 2·step bits
		for i := uint(0); i < uint(side); i = (i + step + 1) &^ step {
			x := (m[i&63]>>(step&63) ^ m[(i+step)&63]) & mask
			m[i&63] ^= x << (step & 63)
			m[(i+step)&63] ^= x
		}
	}
}
