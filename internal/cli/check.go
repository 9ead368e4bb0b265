package cli

import (
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Rule is a condition on the flags of a command line.
type Rule struct {
	Flag string
	// One of Wanted must be given. The other conditions hold if Flag is given.
	Wanted []string
	// Bounded says that the flag's number, or its time in nanoseconds, is at least Least and,
	// unless Most is 0, at most Most.
	Bounded     bool
	Least, Most int64
	// One of Needs must be given, too, and none of Excludes.
	Needs, Excludes []string
}

// Wants demands one of some flags.
func Wants(flags ...string) Rule { return Rule{Wanted: flags} }

// AtLeast bounds a flag from below.
func AtLeast(flag string, least int64) Rule { return Rule{Flag: flag, Bounded: true, Least: least} }

// Within bounds a flag from both sides.
func Within(flag string, least, most int64) Rule {
	return Rule{Flag: flag, Bounded: true, Least: least, Most: most}
}

// Needs demands at least one of the others if the flag is given.
func Needs(flag string, others ...string) Rule { return Rule{Flag: flag, Needs: others} }

// Excludes refuses the others if the flag is given.
func Excludes(flag string, others ...string) Rule { return Rule{Flag: flag, Excludes: others} }

// Rules refuses, before the command runs, a command line that breaks one of the rules.
func Rules(cmd *cobra.Command, list ...Rule) {
	Before(cmd, func() error {
		for _, r := range list {
			if err := r.check(cmd.Flags()); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r Rule) check(flags *pflag.FlagSet) error {
	if len(r.Wanted) > 0 && !slices.ContainsFunc(r.Wanted, flags.Changed) {
		return Usagef("missing %s", Or(dashed(r.Wanted)))
	}
	f := flags.Lookup(r.Flag)
	if f == nil || !f.Changed {
		return nil
	}
	if len(r.Needs) > 0 && !slices.ContainsFunc(r.Needs, flags.Changed) {
		return Usagef("--%s goes with %s", r.Flag, Or(dashed(r.Needs)))
	}
	for _, other := range r.Excludes {
		if flags.Changed(other) {
			return Usagef("--%s does not go with --%s", r.Flag, other)
		}
	}
	if !r.Bounded {
		return nil
	}
	text, show := f.Value.String(), func(n int64) string { return strconv.FormatInt(n, 10) }
	n, err := strconv.ParseInt(text, 10, 64)
	if d, wrong := time.ParseDuration(text); err != nil && wrong == nil {
		n, show = int64(d), func(n int64) string { return time.Duration(n).String() }
		if n < r.Least && r.Least == 1 {
			return Usagef("--%s %s: want a time above 0", r.Flag, text)
		}
	}
	switch {
	case r.Most > 0 && (n < r.Least || n > r.Most):
		return Usagef("--%s %s: want %s to %s", r.Flag, text, show(r.Least), show(r.Most))
	case n < r.Least:
		return Usagef("--%s %s: want at least %s", r.Flag, text, show(r.Least))
	}
	return nil
}

func dashed(names []string) (list []string) {
	for _, name := range names {
		list = append(list, "--"+name)
	}
	return list
}
