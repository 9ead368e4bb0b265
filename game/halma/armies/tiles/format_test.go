package tiles

import (
	"encoding/json"
	"strings"
	"testing"

	"perfectplay/bitboard"
)

// described is the description of the star of 13 holes for three, one cell each to
// stand on besides the centre.
const described = `{"game":"g","rules":"r","seats":3,"pieces":1,"cells":13,"period":1,
"turn":[8,12,10,9,11,5,1,7,2,3,6,4,0],"places":[[0,2,3,5,6,7,9,10,12]],"sets":[1,3,5],"tiles":[81],"rows":9,"positions":[6],
"counts":[[{"wins":1,"losses":2,"draws":3},{"wins":6},{"losses":6}]],
"signature":"0000000000000000000000000000000000000000000000000000000000000000"}`

// TestInfo: descriptions that contradict themselves are refused.
func TestInfo(t *testing.T) {
	parse := func(text string) error {
		var i Info
		if err := json.Unmarshal([]byte(text), &i); err != nil {
			t.Fatal(err)
		}
		_, err := i.shapes()
		return err
	}
	if err := parse(described); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to string }{
		{`"seats":3`, `"seats":7`}, {`"seats":3`, `"seats":4`}, {`"pieces":1`, `"pieces":0`}, {`"pieces":1`, `"pieces":10`},
		{`"cells":13`, `"cells":12`}, {`"cells":13`, `"cells":129`}, {`"period":1`, `"period":2`}, {`"period":1`, `"period":0`},
		{`"turn":[8,`, `"turn":[0,`}, {`"turn":[8,`, `"turn":[`}, {`[[0,2,`, `[[2,2,`}, {`[[0,2,`, `[[13,2,`},
		{`[1,3,5]`, `[1,3]`}, {`[1,3,5]`, `[1,5,3]`}, {`"rows":9`, `"rows":0`}, {`"rows":9`, `"rows":99999`},
		{`"rows":9`, `"rows":2305843009213693952`}, {`"rows":9`, `"rows":2049638230412172402`}, // times 9 they overflow
		{`"tiles":[81]`, `"tiles":[]`}, {`"tiles":[81]`, `"tiles":[0]`}, {`"tiles":[81]`, `"tiles":[82]`},
		{`"positions":[6]`, `"positions":[7]`}, {`"positions":[6]`, `"positions":[]`}, {`"losses":2`, `"losses":18446744073709551615`},
		{`"signature":"00`, `"signature":"0`},
	} {
		if !strings.Contains(described, c.from) {
			t.Fatalf("there is no %s", c.from)
		}
		if err := parse(strings.Replace(described, c.from, c.to, 1)); err == nil {
			t.Errorf("%s instead of %s is not refused", c.to, c.from)
		}
	}
}

// FuzzInfo derives the shapes of what is no description, and ranks an army in
// what is.
func FuzzInfo(f *testing.F) {
	f.Add([]byte(described))
	f.Fuzz(func(t *testing.T, text []byte) {
		var i Info
		if json.Unmarshal(text, &i) != nil {
			return
		}
		n, err := i.number()
		if err != nil {
			return
		}
		for seat := range i.Seats {
			set, err := n.places(seat, n.armies[seat][0])
			if err != nil || n.rank(set, bitboard.First128(maxCells)) != 0 {
				t.Errorf("the first army of seat %d stands on places %b (%v)", seat, set, err)
			}
		}
	})
}
