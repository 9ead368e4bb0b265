package cli

import (
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// ColorFlag adds --color to a command and all below it.
func ColorFlag(root *cobra.Command) {
	mode := "auto"
	root.PersistentFlags().Var(&choice[string]{&mode, []string{"auto", "always", "never"}}, "color",
		"`WHEN` to colour: auto, always or never")
}

// Color reports whether text that a command writes may have colours: as --color
// says, and else on a terminal that knows them, unless the environment has NO_COLOR
// (no-color.org).
func Color(cmd *cobra.Command, w io.Writer) bool {
	if f := cmd.Flag("color"); f != nil && f.Value.String() != "auto" {
		return f.Value.String() == "always"
	}
	return isTerminal(beneath(w)) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// beneath is where a command's answer is written to.
func beneath(w io.Writer) io.Writer {
	if a, ok := w.(*answer); ok {
		return a.Writer
	}
	return w
}

// Width is how many columns the terminal has that w is, and [Columns] where it is none.
func Width(w io.Writer) int {
	if f, ok := beneath(w).(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return Columns
}

// Fold returns a writer that breaks lines between words where they are wider than the terminal
// that w is, and w where it is none. Each write ends between words.
func Fold(w io.Writer) io.Writer {
	if isTerminal(beneath(w)) {
		return folded{w}
	}
	return w
}

type folded struct{ io.Writer }

func (f folded) Write(p []byte) (int, error) {
	if _, err := io.WriteString(f.Writer, wrap(string(p), Width(f.Writer))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// paint gives a text colours.
func paint(s string, colors ...text.Color) string {
	return text.Escape(s, text.Colors(colors).EscapeSeq())
}

// valueColors are of the words for values: they stay words, so that nobody depends
// on colours.
var valueColors = map[string]text.Color{"win": text.FgGreen, "loss": text.FgRed, "draw": text.FgYellow, "open": text.Faint}

// valueWord finds values with their distances.
var valueWord = regexp.MustCompile(`\b(win|loss|draw|open)\b( in [0-9,]+)?`)

// paintValues colours the values in a line of text that stand by themselves: in a
// column, or after a colon.
func paintValues(line string) string {
	var out strings.Builder
	done := 0
	for _, m := range valueWord.FindAllStringSubmatchIndex(line, -1) {
		before, after := line[:m[0]], line[m[1]:]
		if before != "" && !strings.HasSuffix(before, "  ") && !strings.HasSuffix(before, ": ") {
			continue
		}
		if after != "" && !strings.HasPrefix(after, "  ") && !strings.HasPrefix(after, " (") && !strings.ContainsAny(after[:1], ",;:") {
			continue
		}
		out.WriteString(line[done:m[0]])
		out.WriteString(paint(line[m[0]:m[1]], valueColors[line[m[2]:m[3]]]))
		done = m[1]
	}
	out.WriteString(line[done:])
	return out.String()
}

// seatColors are of seats in turn order, as far apart as terminals have them; pieces
// keep their digits and letters.
var seatColors = [...]text.Color{text.FgRed, text.FgBlue, text.FgGreen, text.FgMagenta, text.FgYellow, text.FgCyan}

// PaintSeat gives text the colour of a seat, and makes what is no seat's faint (−1).
func PaintSeat(seat int, s string) string {
	switch {
	case seat < 0:
		return paint(s, text.Faint)
	case seat < len(seatColors):
		return paint(s, text.Bold, seatColors[seat])
	}
	return s
}
