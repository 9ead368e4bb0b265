package cli

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

const maxNear = 4

// Near returns the known words nearest to a mistyped one, without regard to case: the words of the
// least edit distance, at most 2 or a third of the letters, or else the words that begin with it.
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
			// The two words have nothing in common.
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

// DidYouMean ends a message about a mistyped word with words near it; it is empty without any.
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
