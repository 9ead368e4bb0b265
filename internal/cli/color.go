package cli

import (
	"io"
	"os"
)

// Color reports whether what is written may have colours: on a terminal that knows
// them, unless the environment has NO_COLOR (no-color.org).
func Color(w io.Writer) bool {
	if a, ok := w.(*answer); ok {
		w = a.Writer
	}
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
