package app

import (
	"strings"
	"testing"
)

// TestFormerTable reads a table of a version in which house was what house-loose
// is now. The file says no more than the name.
func TestFormerTable(t *testing.T) {
	const file = "testdata/star13-house-former.table"
	for _, c := range []struct {
		args []string
		want string
		fail bool
	}{
		{[]string{"probe", "--table", file, "--json", "start"}, `"rules":"house-loose"`, false},
		{[]string{"probe", "--table", file, "--rules", "house-loose", "--json", "start"}, `"rules":"house-loose"`, false},
		{[]string{"probe", "--table", file, "--rules", "house", "start"}, "under rules house-loose, which were called house when it was written", true},
		{[]string{"verify", file}, "house-loose", false},
		{[]string{"verify", file, "--rules", "house"}, "which were called house when it was written", true},
	} {
		out, err := solveCommand(c.args...).CombinedOutput()
		if (err != nil) != c.fail || !strings.Contains(string(out), c.want) {
			t.Errorf("solve %s: %v\n%s", strings.Join(c.args, " "), err, out)
		}
	}
}
