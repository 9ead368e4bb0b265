package app

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"perfectplay/internal/cli"
)

// TestHelpColumns: the summary of every command fits its list. Help breaks long texts and
// flags into lines.
func TestHelpColumns(t *testing.T) {
	walkAll(func(cmd *cobra.Command) {
		if parent := cmd.Parent(); parent != nil {
			if width := 2 + parent.NamePadding() + 1 + utf8.RuneCountInString(cmd.Short); width > cli.Columns {
				t.Errorf("%s: %d columns in the list of %s: %s", cmd.CommandPath(), width, parent.CommandPath(), cmd.Short)
			}
		}
		for line := range strings.Lines(cmd.Example) {
			if width := utf8.RuneCountInString(strings.TrimRight(line, "\n")); width > cli.Columns {
				t.Errorf("%s: an example of %d columns: %s", cmd.CommandPath(), width, line)
			}
		}
	})
}

// TestHelpLists: a list in a help text keeps its lines. Broken as a paragraph it would have
// gaps within a line.
func TestHelpLists(t *testing.T) {
	t.Parallel()
	gap := regexp.MustCompile(`(?m)^\S.*[a-z0-9.,]   +\S.*$`)
	walkAll(func(cmd *cobra.Command) {
		words := strings.Fields(cmd.CommandPath())
		out, err := exec.Command(words[0], append([]string{"help"}, words[1:]...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if line := gap.Find(out); line != nil {
			t.Errorf("%s: a list has become %q", cmd.CommandPath(), line)
		}
	})
}

// TestHelp: the help of each program fits a screen.
func TestHelp(t *testing.T) {
	for _, program := range programs() {
		out, err := exec.Command(program.Name(), "help").Output()
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for _, cmd := range program.Commands() {
			if cmd.IsAvailableCommand() {
				listed++
			}
		}
		if lines := bytes.Count(out, []byte("\n")); listed > 18 || lines > 60 || listed < 5 {
			t.Errorf("%s help lists %d commands in %d lines:\n%s", program.Name(), listed, lines, out)
		}
	}
}
