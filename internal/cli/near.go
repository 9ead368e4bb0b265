package cli

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxNear is how many words a hint names at most.
const maxNear = 4

// Near returns those of the known words that a mistyped one may stand for: all
// that are as near as the nearest, by edit distance without regard to case, or
// else those that begin with it. It is empty where none is near, which a third of
// the word's letters may be wrong for, two at least.
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
			// Nothing is alike.
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

// DidYouMean is the end of a sentence on a mistyped word, which offers the words
// that are near it; empty where there are none.
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

// Unknown refuses a word that is none of the known ones, names them, and offers
// the nearest. what is what the word should be, such as --algo or rules.
func Unknown(what, word string, known []string) error {
	return Usagef("%s %q: want %s%s", what, word, Or(known), DidYouMean(Near(word, known)))
}
