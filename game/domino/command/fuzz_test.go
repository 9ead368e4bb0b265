package command

import (
	"fmt"
	"testing"

	"perfectplay/internal/cli"
)

// FuzzPart reads any text as --part: two numbers, or a fault of the command line.
// Which there are package census says.
func FuzzPart(f *testing.F) {
	for _, text := range []string{"1/1", "3/64", "0/1", "2/1", "-1/3", "1/", "/", "1", "+1/2", "01/2", "1/2/3", "9223372036854775807/9223372036854775807", "99999999999999999999/1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		part, parts, err := parsePart(text)
		if err != nil {
			if cli.Code(err) != cli.ExitUsage {
				t.Fatalf("%q: %v is no usage error", text, err)
			}
			return
		}
		if again, n, err := parsePart(fmt.Sprintf("%d/%d", part, parts)); err != nil || again != part || n != parts {
			t.Fatalf("%q is %d/%d, and then %d/%d: %v", text, part, parts, again, n, err)
		}
	})
}
