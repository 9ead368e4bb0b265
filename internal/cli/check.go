package cli

import (
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Rule says what a command demands of its flags: of a flag where it is given, or that some
// flag is given.
type Rule struct {
	Flag string
	// Wanted are flags of which one must be given in any case.
	Wanted []string
	// Least and Most bound its number, or its time in nanoseconds; Most 0 is no bound.
	// They count only if Bounded.
	Bounded     bool
	Least, Most int64
	// Needs are flags of which one must be given, too, and Excludes those that must not.
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

// Needs demands one of others beside a flag.
func Needs(flag string, others ...string) Rule { return Rule{Flag: flag, Needs: others} }

// Excludes refuses others beside a flag.
func Excludes(flag string, others ...string) Rule { return Rule{Flag: flag, Excludes: others} }

// Rules has a command line refused, before the command runs, that breaks one of the rules of its
// flags.
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

// check refuses flags that break the rule.
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

// dashed are the names of flags as they are typed.
func dashed(names []string) (list []string) {
	for _, name := range names {
		list = append(list, "--"+name)
	}
	return list
}
