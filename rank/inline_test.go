package rank

import (
	"os/exec"
	"regexp"
	"testing"
)

// inlined are functions of inner loops that callers count on to be inlined.
var inlined = map[string][]string{
	"perfectplay/bitboard": {
		"Extract64", "Deposit64", "Cell128", "First128", "Set128.Has", "Set128.With", "Set128.Without", "Set128.And", "Set128.Or", "Set128.Xor",
		"Set128.AndNot", "Set128.Shr", "Set128.IsEmpty", "Set128.Count", "Set128.Min", "Set128.DropMin",
	},
	"perfectplay/rank": {
		"(*Subsets).Rank", "(*Subsets).Rank64", "(*Lift).Rank", "Next64",
	},
}

func TestInlining(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two packages; not with -short")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command to compile with")
	}
	for pkg, functions := range inlined {
		out, err := exec.Command("go", "build", "-gcflags="+pkg+"=-m", pkg).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, f := range functions {
			if !regexp.MustCompile(`can inline ` + regexp.QuoteMeta(f) + `\n`).Match(out) {
				t.Errorf("%s: %s can no longer be inlined", pkg, f)
			}
		}
	}
}
