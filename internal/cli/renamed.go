package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// renamed maps flags as they were before 2026-11-28, which logs of runs show, to present flags. A
// flag given here without a value takes the value of the old flag.
var renamed = map[string][]string{
	"--no-openings": {"--without", "openings"}, "--no-ask": {"--without", "ask"}, "--no-sound": {"--without", "sound"},
	"--no-tables": {"--without", "tables"}, "--no-ordering": {"--without", "ordering"}, "--hidden": {"--without", "hands"},
	"--openings-only": {"--only", "openings"}, "--checksums": {"--only", "checksums"}, "--rows": {"--only"}, "--sections": {"--only"},
	"--values": {"--only"}, "--alone": {"--seatings", "alone"}, "--all-seatings": {"--seatings", "all"}, "--opening-file": {"--file"},
	"--record": {"--save"}, "--strategy": {"--save"}, "--svg": {"--plot"}, "--every-move": {"--verbose"}, "--method": {"--algo"},
	"--exact": {"--algo", "exact"}, "--compare": {"--check"}, "--max-leaves": {"--max-positions"}, "--stripes": {"--tasks"},
	"--verify": {"--sample"}, "--deals": {"--sample"},
}

// today replaces flags that a command no longer has, and says so on w.
func today(w io.Writer, root *cobra.Command, args []string) []string {
	if !slices.ContainsFunc(args, func(a string) bool { name, _, _ := strings.Cut(a, "="); return renamed[name] != nil }) {
		return args
	}
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	var list []string
	for i, a := range args {
		if a == "--" {
			return append(list, args[i:]...)
		}
		name, value, given := strings.Cut(a, "=")
		now := renamed[name]
		if now == nil || cmd.Flag(name[2:]) != nil || cmd.Flag(now[0][2:]) == nil || given && len(now) > 1 {
			list = append(list, a)
			continue
		}
		fmt.Fprintf(w, "%s: %s is %s now\n", root.Name(), name, strings.Join(now, " "))
		if list = append(list, now...); given {
			list[len(list)-1] += "=" + value
		}
	}
	return list
}
