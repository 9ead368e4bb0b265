package app

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plain undoes [roff].
func plain(line string) string {
	return strings.NewReplacer(`\-`, "-", `\(ha`, "^", `\(ti`, "~", `\(ga`, "`", `\(aq`, "'", `\&`, "", `\e`, `\`).Replace(line)
}

// TestManPages checks the page of every command against its help: no line is lost, indented
// lines stay lines, and all flags are there.
func TestManPages(t *testing.T) {
	pages, lists := 0, 0
	walkAll(func(cmd *cobra.Command) {
		page := string(manPage(cmd, "2000-01-01"))
		pages++
		kept := map[string]bool{} // lines of the page; true if their line breaks are kept
		exact := false
		for _, line := range strings.Split(page, "\n") {
			switch line {
			case ".nf":
				exact = true
			case ".fi":
				exact = false
			default:
				kept[plain(line)] = exact
			}
		}
		if exact {
			t.Errorf("%s: the page ends inside a list", cmd.CommandPath())
		}
		for _, line := range strings.Split(cmd.Long+"\n"+cmd.Example, "\n") {
			line = strings.ReplaceAll(line, "\t", "        ")
			exact, ok := kept[line]
			indented := strings.HasPrefix(line, " ")
			if indented {
				lists++
			}
			if line != "" && (!ok || indented && !exact) {
				t.Errorf("%s: the page has lost %q", cmd.CommandPath(), line)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(plain(page), "--"+f.Name) {
				t.Errorf("%s: the page has no --%s", cmd.CommandPath(), f.Name)
			}
		})
		// An unescaped line that begins with a dot or quote would be a request.
		known := regexp.MustCompile(`^\.(TH|SH|TP|PP|BR|nf|fi|nh|ad)( |$)`)
		for _, line := range strings.Split(page, "\n") {
			if (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) && !known.MatchString(line) {
				t.Errorf("%s: %q is taken for a request", cmd.CommandPath(), line)
			}
		}
	})
	if pages < 20 || lists < 50 {
		t.Errorf("only %d pages with %d lines of lists", pages, lists)
	}
}

func TestRoff(t *testing.T) {
	for in, want := range map[string]string{
		".start":   `\&.start`,
		"'start":   `\(aqstart`,
		`a\b`:      `a\eb`,
		"--flag":   `\-\-flag`,
		"a^b ~c`d": `a\(hab \(tic\(gad`,
		"\tx":      "        x",
	} {
		if got := roff(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
