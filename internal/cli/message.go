package cli

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// packages are the names that errors of this module begin with, so that those who
// read the code know where they are from. People who read messages do not care. Most
// runs have no error, so it is compiled where one is.
var packages = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|: )(?:app|armies|bench|bitboard|blocks|book|census|cli|cluster|domino|drawing|engine|equilibrium|evaluation|exact|explore|export|family|files|` +
		`halma|host|impl|journal|judge|lab|match|mnk|numbering|oracle|parquet|parts|perft|picture|player|players|plot|prove|rank|retro|rows|search|serve|sets|solitaire|solve|store|strong|` +
		`site|study2025|table|terminal|thesis2025|transcript|turns|verify|web|wing): `)
})

// calls are the system's calls that an error about a file begins with.
var calls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|: |--[a-z]+ )(?:l?stat|open) ([^:]+: (?:no such file or directory|permission denied|not a directory|is a directory|not a regular file))`)
})

// Message is the text of an error for people: one line, without the names of packages and
// of system calls, and without a part that stands twice in a row.
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
