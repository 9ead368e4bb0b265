package turns

import (
	"os/exec"
	"regexp"
	"testing"
)

// TestInlining: the inner loop for one word is inlined, since a call for each step costs 6 % of
// all instructions.
func TestInlining(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package; not with -short")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command to compile with")
	}
	const pkg = "perfectplay/game/halma/internal/turns"
	out, err := exec.Command("go", "build", "-gcflags="+pkg+"=-m", pkg).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, f := range []string{"hop"} {
		f = "(*Moves1)." + f
		if !regexp.MustCompile(`can inline ` + regexp.QuoteMeta(f) + `\n`).Match(out) {
			t.Errorf("%s can no longer be inlined", f)
		}
	}
}
