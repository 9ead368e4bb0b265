package cli

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxNear bounds the words of a hint.
const maxNear = 4

// Near returns the known words nearest to a mistyped one: all of the least edit distance
// without regard to case, or else those that begin with it. A word is near if at most a third
// of its letters are wrong, or two. It is empty if none is.
func Near(word string, known []string) []string {
	if word == "" {
		return nil
	}
	word = strings.ToLower(word)
	var near, begun []string
	nearest := max(2, len(word)/3)
	for _, k := range known {
		lower := strings.ToLower(k)
		if strings.HasPrefix(lower, word) {
			begun = append(begun, k)
		}
		switch d := levenshtein.ComputeDistance(word, lower); {
		case d >= max(len(word), len(lower)):
			// Nothing is similar.
		case d < nearest:
			near, nearest = append(near[:0], k), d
		case d == nearest:
			near = append(near, k)
		}
	}
	if len(near) == 0 {
		near = begun
	}
	return near[:min(len(near), maxNear)]
}

// DidYouMean is the end of a sentence on a mistyped word, with the words near it; empty without
// any.
func DidYouMean(near []string) string {
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + Or(near) + "?"
}

// Or lists words: a, b or c.
func Or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Unknown refuses an unknown word, lists the known ones, and offers the nearest. what names the
// kind of word, such as --algo or rules.
func Unknown(what, word string, known []string) error {
	return Usagef("%s %q: want %s%s", what, word, Or(known), DidYouMean(Near(word, known)))
}
