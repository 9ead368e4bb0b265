package cli

import (
	"regexp"
	"strings"
)

// packages are the names that errors of this module begin with, so that those who
// read the code know where they are from. People who read messages do not care.
var packages = regexp.MustCompile(`(^|: )(?:app|armies|bench|bitboard|blocks|book|census|cli|cluster|domino|drawing|engine|equilibrium|evaluation|exact|explore|export|family|files|` +
	`halma|host|impl|journal|judge|lab|match|mnk|numbering|oracle|parquet|parts|perft|picture|play|player|players|plot|prove|rank|retro|rows|search|serve|sets|solitaire|solve|store|strong|` +
	`site|study2025|table|thesis2025|transcript|turns|verify|web|wing): `)

// Message is the text of an error for people: one line, without the names of
// packages.
func Message(err error) string {
	line := strings.Join(strings.Fields(err.Error()), " ")
	for {
		shorter := packages.ReplaceAllString(line, "$1")
		if shorter == line {
			return line
		}
		line = shorter
	}
}
