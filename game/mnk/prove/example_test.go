package prove_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
)

// The value of a board, and of the second player's position after each first move.
func Example() {
	g, err := mnk.New(4, 3, 3)
	if err != nil {
		log.Fatal(err)
	}
	p, err := prove.New(g, prove.Options{Memory: 1 << 20, Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	value, result := p.Value(context.Background())
	fmt.Println(g.ID(), value, "by", g.CellName(result.Move))
	for _, name := range []string{"a3", "b4"} {
		cell, err := g.ParseCell(name)
		if err != nil {
			log.Fatal(err)
		}
		value, _ := p.ValueAt(context.Background(), bitboard.Cell128(cell), bitboard.Set128{}, 1)
		fmt.Println("after", name, value)
	}
	// Output:
	// mnk-4x3k3 win by b2
	// after a3 loss
	// after b4 win
}

// A proof is written down, then read and checked by somebody who does not trust the search.
func ExampleCertify() {
	ctx := context.Background()
	g, err := mnk.New(3, 3, 3)
	if err != nil {
		log.Fatal(err)
	}
	p, err := prove.New(g, prove.Options{Memory: 1 << 20, Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	claim := prove.Claim{Attacker: 0, Win: false} // the first player cannot win
	var file bytes.Buffer
	if _, err := prove.Certify(ctx, g, claim, p.Solver(ctx, claim), prove.RoomFor(g, 1000, 1<<20), &file, nil); err != nil {
		log.Fatal(err)
	}

	proof, err := prove.OpenCertificate(&file)
	if err != nil {
		log.Fatal(err)
	}
	defer proof.Close()
	_, err = proof.Check(ctx, 1<<20, nil)
	fmt.Println(proof.Game().ID(), "attacker", g.SeatName(proof.Claim.Attacker), "wins:", proof.Claim.Win, "error:", err)
	// Output: mnk-3x3k3 attacker x wins: false error: <nil>
}
