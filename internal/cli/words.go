package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The groups of subcommands in the help.
const (
	GroupSolve = "solve"
	GroupCheck = "check"
	GroupAbout = "about"
)

// The verdicts on a recomputed published figure.
const (
	Equal   = "equal"
	Differs = "differs"
	NotRun  = "not run"
)

// Verdict is the verdict on figures with these differences.
func Verdict(differences []string) string {
	if len(differences) == 0 {
		return Equal
	}
	return Differs + ": " + strings.Join(differences, ", ")
}

// Plural returns a number with its noun, in the plural unless n is 1.
func Plural(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(thing, "y"))
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Wrap joins words into lines of n words: with blanks within a line, and newline between lines.
func Wrap(words []string, n int, newline string) string {
	var lines []string
	for line := range slices.Chunk(words, n) {
		lines = append(lines, strings.Join(line, " "))
	}
	return strings.Join(lines, newline)
}

// Percent returns part over whole as a percentage for people.
func Percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4f %%", 100*float64(part)/float64(whole))
}

// Verbose adds the flag -v: tables for people with all columns.
func Verbose(cmd *cobra.Command, all *bool) {
	cmd.Flags().BoolVarP(all, "verbose", "v", false, "print all columns")
}
