package app

import (
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// complete asks a program, as a shell does, for completions after some words.
func complete(t *testing.T, program string, words ...string) (offers []string, files cobra.ShellCompDirective) {
	t.Helper()
	out, err := exec.Command(program, append([]string{"__complete"}, words...)...).Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	directive, ok := strings.CutPrefix(lines[len(lines)-1], ":")
	n, bad := strconv.Atoi(directive)
	if err != nil || !ok || bad != nil {
		t.Fatalf("__complete %q: %v %s", words, err, out)
	}
	for _, line := range lines[:len(lines)-1] {
		word, _, _ := strings.Cut(line, "\t")
		offers = append(offers, word)
	}
	return offers, cobra.ShellCompDirective(n)
}

// enumerated maps kinds of flag values that can be listed to some of their completions.
var enumerated = map[string][]string{
	"DIVISION": {"alone"},
	"ENGINE":   {"alphabeta", "paranoid", "maxn"},
	"GAME":     {"halma-star37-2p", "mnk-3x3k3", "domino"},
	"GAMES":    {"mnk-3x3k3"},
	"LIST":     {"doubles", "widest"},
	"METHOD":   {"mixed", "zones"},
	"MODE":     {"cpu", "clock"},
	"MODEL":    {"base", "moveordering"},
	"MOVES":    {"b1-c4"},
	"PLAYER":   {"perfect", "random"},
	"SEAT=WHO": {"1=human", "2=perfect"},
	"PROTOCOL": {"lines", "gomocup"},
	"REGEXP":   {"search/game=halma-star13-2p/rules=base/algo=alphabeta/limit=40"},
	"RULES":    {"base", "house", "liou"},
	"SEAT":     {"1", "2"},
	"SET":      {"double-1", "double-6"},
	"SECTIONS": {"deals", "players"},
	"SCORING":  {"elo", "points"},
	"SIZE":     {"64MiB"},
	"TABLES":   {"3.1", "3.76"},
	"TEXT":     {"start"},
	"WHEN":     {"auto"},
	"VALUES":   {"win", "draw"},
	"WORDS":    nil,
}

// enumeratedBy maps flags that take other words on some commands to these words.
var enumeratedBy = map[string][]string{
	"solve domino deal --list":     {"tiles", "leaves"},
	"solve domino hidden --algo":   {"cfr", "exact"},
	"solve domino hidden --rules":  {"study", "openspiel"},
	"solve domino match --scoring": {"tournaments", "deals"},
	"solve mnk solve --algo":       {"mixed", "zones"},
	"solve search --without":       {"openings", "ask"},
	"solve export --only":          {"win", "draw"},
}

// free names values that cannot be listed.
var free = []string{"N", "P", "L", "D", "TIME", "SEED", "I/N", "HAND", "HOST:PORT", "DISTANCES", "IMAGE", "CLAIM", "PIPS"}

// TestCompletion asks for completions of every flag of every command.
func TestCompletion(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for every flag; not with -short")
	}
	t.Parallel()
	walkAll(func(cmd *cobra.Command) {
		words := strings.Fields(cmd.CommandPath())[1:]
		if strings.Contains(cmd.Use, "GAME") {
			words = append(words, "halma-star37-2p")
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Value.Type() == "bool" {
				return
			}
			takes, _ := pflag.UnquoteUsage(f)
			offers, directive := complete(t, cmd.Root().Name(), append(slices.Clone(words), "--"+f.Name, "")...)
			where := cmd.CommandPath() + " --" + f.Name
			want, listed := enumerated[takes]
			if own := enumeratedBy[where]; own != nil {
				want, listed = own, true
			}
			switch {
			case f.Name == "threads":
				if !slices.Contains(offers, "1") {
					t.Errorf("%s offers %v", where, offers)
				}
			case takes == "FILE" && directive != cobra.ShellCompDirectiveDefault, takes == "DIR" && directive != cobra.ShellCompDirectiveFilterDirs:
				t.Errorf("%s %s completes with directive %d", where, takes, directive)
			case takes == "FILE", takes == "DIR":
			case directive&cobra.ShellCompDirectiveNoFileComp == 0:
				t.Errorf("%s offers files", where)
			case takes == "MOVES" && len(words) < 3 && !strings.Contains(cmd.Use, "GAME"):
				// Moves cannot be completed: the line names no position.
			case listed:
				if len(offers) == 0 {
					t.Errorf("%s offers nothing", where)
				}
				for _, w := range want {
					if !slices.Contains(offers, w) {
						t.Errorf("%s offers %v, not %s", where, offers, w)
					}
				}
			case !slices.Contains(free, takes):
				t.Errorf("%s takes %s: can it be completed?", where, takes)
			case len(offers) > 0:
				t.Errorf("%s offers %v", where, offers)
			}
		})
	})
}

// TestCompleteArguments completes arguments, and words that depend on earlier ones.
func TestCompleteArguments(t *testing.T) {
	// ask lets the program named first complete the line; other lines go to solve.
	ask := func(line string) ([]string, cobra.ShellCompDirective) {
		words := strings.Split(line, " ")
		program := "solve"
		if len(words) > 1 && words[0] != "help" {
			program = programOf(words[0])
		}
		return complete(t, program, words...)
	}
	for line, want := range map[string]string{
		"search ":                          "mnk-3x3k3",
		"search halma-star37-2p --moves ":  "b1-c4",
		"search mnk-3x3k3 --moves b2,a1,":  "b2,a1,c3",
		"search mnk-3x3k3 --hero ":         "x",
		"search halma-star37-3p --hero ":   "4",
		"search halma-5x5p3 --rules ":      "sturtevant",
		"search halma-5x5p3 --ordering ki": "killers",
		"search x --ordering wins,":        "wins,table",
		"mnk solve ":                       "mnk-7x7k5",
		"match mnk-3x3k3 ":                 "perfect",
		"domino match ":                    "greedy",
		"domino hidden ":                   "double-6",
		"domino exploit double-3 4 ":       "greedy",
		"probe x ":                         "start",
		"probe halma-star37-2p --rul":      "--rules",
		"sea":                              "search",
		"repro ":                           "strong",
		"help se":                          "search",
	} {
		if offers, _ := ask(line); !slices.Contains(offers, want) {
			t.Errorf("%s offers %v, not %s", line, offers, want)
		}
	}
	for line, bad := range map[string]string{
		"search halma-5x5p3 --rules ":     "house", // a rule set of stars only
		"search mnk-3x3k3 --moves b2,a1,": "b2,a1,b2",
	} {
		if offers, _ := ask(line); slices.Contains(offers, bad) {
			t.Errorf("%s offers %s", line, bad)
		}
	}
	for _, line := range []string{"engine ", "bench ", "domino deal ", "search halma-star37-2p "} {
		if _, directive := ask(line); directive&cobra.ShellCompDirectiveNoFileComp == 0 {
			t.Errorf("%s offers files", line)
		}
	}
	for _, line := range []string{"verify ", "mnk check ", "domino show ", "merge "} {
		if _, directive := ask(line); directive&cobra.ShellCompDirectiveNoFileComp != 0 {
			t.Errorf("%s offers no files", line)
		}
	}
}
