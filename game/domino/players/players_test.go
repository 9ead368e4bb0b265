package players

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestX(t *testing.T) {
	ks := Kinds()
	for i, a := range ks {
		for _, b := range ks[:i] {
			t0 := time.Now()
			r, err := PlayTournaments(context.Background(), a, b, 20, 1, 1, nil)
			fmt.Println(a.Name, b.Name, r.WinsA, r.Games, r.Deals, r.Margin.Mean, r.Margin.StdErr, err, time.Since(t0))
		}
	}
}
