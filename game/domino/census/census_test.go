package census

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestX(t *testing.T) {
	t0 := time.Now()
	fmt.Println(Verify(context.Background(), 3000, 1, 1))
	fmt.Println(time.Since(t0))
	c, _ := New(7, 2000)
	t0 = time.Now()
	fmt.Println(c.Run(context.Background(), Options{Threads: 1}))
	a := c.Tally.All()
	fmt.Println(time.Since(t0), a.Games, c.Tally.Classes, a.Signs)
}
