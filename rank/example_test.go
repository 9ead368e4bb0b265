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
