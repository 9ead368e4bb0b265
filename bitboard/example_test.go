package bitboard_test

import (
	"fmt"

	"perfectplay/bitboard"
)

// A set is packed to store it, and padded to move it: here all pieces go one row up.
func Example() {
	const board = 0b_0111_0111_0111 // three rows of three cells, each with a gap
	packed := uint64(0b_100_010_001)
	padded := bitboard.Deposit64(packed, board)
	up := padded << 4 & board
	fmt.Printf("unpacked  %012b\n", padded)
	fmt.Printf("moved up  %012b\n", up)
	fmt.Printf("packed    %09b\n", bitboard.Extract64(up, board))
	// Output:
	// unpacked  010000100001
	// moved up  001000010000
	// packed    010001000
}

// Extract64 gives the cells of a mask the numbers from 0 on.
func ExampleExtract64() {
	x, free := uint64(0b_0110_1001), uint64(0b_1100_1010)
	fmt.Printf("%04b\n", bitboard.Extract64(x, free))
	// Output: 0110
}

// A board is turned by a permutation of its cells.
func ExamplePerm_Compile64() {
	turn, err := bitboard.Perm{2, 5, 8, 1, 4, 7, 0, 3, 6}.Compile64()
	if err != nil {
		panic(err)
	}
	corner := bitboard.Cell64(0)
	for range 4 {
		fmt.Print(corner.Min(), " ")
		corner = turn.Apply(corner)
	}
	// Output: 0 2 8 6
}
