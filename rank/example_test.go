package rank_test

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/rank"
)

// The sets of three of five cells have the numbers 0 to 9.
func ExampleSubsets() {
	sets, err := rank.NewSubsets(5, 3)
	if err != nil {
		panic(err)
	}
	fmt.Println(sets.Size(), "sets")
	fmt.Println(sets.Rank64(0b_10101))
	fmt.Printf("%05b\n", sets.Unrank64(7))
	// Output:
	// 10 sets
	// 5
	// 11001
}

// A position of two armies of two on six cells gets a number: the rank of the first army, and
// of the second one among the cells that the first leaves free.
func Example() {
	first, err := rank.NewSubsets(6, 2)
	if err != nil {
		panic(err)
	}
	second, err := rank.NewSubsets(4, 2)
	if err != nil {
		panic(err)
	}
	const cells = 0b_111111
	white, black := uint64(0b_000011), uint64(0b_110000)
	number := first.Rank64(white)*second.Size() + second.Rank64(bitboard.Extract64(black, cells&^white))
	fmt.Println("position", number, "of", first.Size()*second.Size())

	white = first.Unrank64(number / second.Size())
	black = bitboard.Deposit64(second.Unrank64(number%second.Size()), cells&^white)
	fmt.Printf("white %06b, black %06b\n", white, black)
	// Output:
	// position 5 of 90
	// white 000011, black 110000
}

// Positions of shogi for children have two lions, which lead, and two pieces of each other kind: on a
// cell they belong to one of two players, and chicks have two sides.
func ExamplePositions() {
	board, err := rank.NewPositions(rank.Board{
		Cells: 12, // four rows of three cells
		Kinds: []rank.Kind{
			{Pieces: 1, Forms: 1}, {Pieces: 1, Forms: 1},
			{Pieces: 2, Forms: 2, Hands: 2}, {Pieces: 2, Forms: 2, Hands: 2}, {Pieces: 2, Forms: 4, Hands: 2},
		},
		Lead:       2,
		Symmetries: []bitboard.Perm{{2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9}},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(board.Size(), "numbers")
	// Cells of each form.
	on := []uint64{1 << 1, 1 << 10, 1 << 2, 1 << 9, 1 << 0, 1 << 11, 1 << 4, 0, 1 << 7, 0}
	// Pieces in each hand.
	held := []uint8{0, 0, 0, 0, 0, 0}
	n, symmetry, _ := board.Number(on, held)
	fmt.Printf("the start is number %d, by symmetry %d\n", n, symmetry)
	on[6], on[8], held[4] = 1<<7, 0, 1 // a chick captures the other chick
	n, _, _ = board.Number(on, held)
	fmt.Printf("without a chick it is %d: %v\n", n, board.At(n, on, held))
	fmt.Println("giraffes on", on[2], on[3], "and a chick on", on[6])
	// Output:
	// 855232344 numbers
	// the start is number 765281972, by symmetry 1
	// without a chick it is 380013472: true
	// giraffes on 1 2048 and a chick on 128
}
