package app

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
)

// TestFlagNames bounds the number of flag names of both programs together.
func TestFlagNames(t *testing.T) {
	names := map[string]bool{}
	walkAll(func(cmd *cobra.Command) {
		count := func(f *pflag.Flag) { names[f.Name] = names[f.Name] || !f.Hidden }
		cmd.LocalFlags().VisitAll(count)
		cmd.PersistentFlags().VisitAll(count)
	})
	t.Logf("%d names of flags", len(names))
	if len(names) > mostFlagNames {
		t.Errorf("%d names of flags, more than %d", len(names), mostFlagNames)
	}
}

// mostFlagNames is the bound: a new flag replaces one.
const mostFlagNames = 85

// TestHelpOfStrong: the help of the longest command fits a screen, and names no game that the
// program lacks.
func TestHelpOfStrong(t *testing.T) {
	for _, families := range [][]family.Family{ours, ours[1:]} {
		root := newRoot(newApp(families...))
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs([]string{"strong", "--help"})
		cli.HelpWidth(root)
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\n"); n > 60 || n < 30 {
			t.Errorf("%d lines of help", n)
		}
		if has := strings.Contains(out.String(), "Chinese Checkers"); has != (families[0].Name == "halma") {
			t.Errorf("help of %s:\n%s", families[0].Name, &out)
		}
	}
}

// TestOtherProgram: each program names the commands of the other.
func TestOtherProgram(t *testing.T) {
	both := programs()
	for i, root := range both {
		list := [][]string{ofSolve, ofLab}[i]
		for _, cmd := range root.Commands() {
			other, _, err := both[1-i].Find([]string{cmd.Name()})
			if shared := err == nil && other.HasParent(); shared == slices.Contains(list, cmd.Name()) && cmd.Name() != "help" && cmd.Name() != "completion" {
				t.Errorf("%s: shared %v, listed %v", cmd.CommandPath(), shared, !shared)
			}
		}
		for _, name := range list {
			if cmd, _, err := root.Find([]string{name}); err != nil || !cmd.HasParent() {
				t.Errorf("%s has no command %s", root.Name(), name)
			}
		}
	}
}
