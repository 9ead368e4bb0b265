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

// read are the flags that only read their FILE.
var read = []string{"file", "load", "opening-file"}

// sparing gives somebody else's file to every flag of every command that names a file or
// directory. The file must survive.
type sparing struct {
	t       *testing.T
	dir     string
	refused map[string]bool // command and flag, true once a job has refused the file
}

// letter is the content of somebody else's file.
const letter = "Dear reader,\n"

// try runs a small job with each flag of its command that names a file or directory to write.
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

// all checks that some job refused the file for each such flag.
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
