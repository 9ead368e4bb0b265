package cli

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// packages matches names of this module's packages in errors. They help readers of the code, and
// messages leave them out.
var packages = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|: )(?:app|armies|bench|bitboard|blocks|book|census|cli|cluster|contract|domino|drawing|engine|equilibrium|evaluation|exact|explore|export|family|files|frame|` +
		`halma|host|impl|journal|judge|lab|match|mnk|numbering|oracle|parquet|parts|perft|picture|player|players|plot|prove|rank|retro|rows|search|serve|sets|solitaire|solve|stacks|store|strong|` +
		`site|study2025|table|terminal|thesis2025|transcript|turns|verify|web|wing): `)
})

// calls matches names of system calls in errors about files.
var calls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|: |--[a-z]+ )(?:l?stat|open) ([^:]+: (?:no such file or directory|permission denied|not a directory|is a directory|not a regular file))`)
})

// Message is the text of an error for people: one line, without names of packages and system
// calls, and without immediate repetitions.
func Message(err error) string {
	line := strings.Join(strings.Fields(err.Error()), " ")
	for {
		shorter := calls().ReplaceAllString(packages().ReplaceAllString(line, "$1"), "$1$2")
		if shorter == line {
			return strings.Join(slices.Compact(strings.Split(line, ": ")), ": ")
		}
		line = shorter
	}
}
