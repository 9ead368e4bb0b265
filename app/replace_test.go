package app

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// read are the flags whose FILE is only read.
var read = []string{"file", "load", "opening-file"}

// sparing gives every flag of every command that names a file or a directory somebody else's
// file, which must stay as it is.
type sparing struct {
	t       *testing.T
	dir     string
	refused map[string]bool // command and flag, once a job has refused it
}

// letter is the content of somebody else's file.
const letter = "Dear reader,\n"

// try runs a small job with each such flag of its command.
func (s *sparing) try(command, args string) {
	s.t.Helper()
	walkAll(func(cmd *cobra.Command) {
		if cmd.CommandPath() != command {
			return
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if takes, _ := pflag.UnquoteUsage(f); takes == "FILE" && !s.refused[command+" --"+f.Name] || takes == "DIR" {
				s.one(command, args, f.Name)
			}
		})
	})
}

func (s *sparing) one(command, args, flag string) {
	s.t.Helper()
	victim := filepath.Join(s.dir, "letter.svg") // a name that plots accept
	if err := os.WriteFile(victim, []byte(letter), 0o600); err != nil {
		s.t.Fatal(err)
	}
	cmd := jobCommand(append(strings.Fields(args), "--"+flag, victim)...)
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		s.refused[command+" --"+flag] = true
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != letter {
		s.t.Errorf("%s --%s replaces a letter by %.40q: %v\n%.200s", args, flag, text, err, out)
	}
}

// all checks that each such flag of the commands was refused by a job.
func (s *sparing) all(commands map[string]bool) {
	s.t.Helper()
	walkAll(func(cmd *cobra.Command) {
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			name := cmd.CommandPath() + " --" + f.Name
			takes, _ := pflag.UnquoteUsage(f)
			if takes != "FILE" || slices.Contains(read, f.Name) || !commands[cmd.CommandPath()] || s.refused[name] {
				return
			}
			s.t.Errorf("%s: no small job refuses to replace somebody else's file", name)
		})
	})
}
