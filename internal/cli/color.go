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

// Color reports whether a command's text may have colours: by --color, and without it on a
// terminal with colours, unless the environment has NO_COLOR (no-color.org).
func Color(cmd *cobra.Command, w io.Writer) bool {
	if f := cmd.Flag("color"); f != nil && f.Value.String() != "auto" {
		return f.Value.String() == "always"
	}
	return isTerminal(beneath(w)) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func beneath(w io.Writer) io.Writer {
	if a, ok := w.(*answer); ok {
		return a.Writer
	}
	return w
}

// Width is the number of columns of the terminal w, or [Columns] if w is not a terminal.
func Width(w io.Writer) int {
	if f, ok := beneath(w).(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return Columns
}

// Fold returns a writer that breaks lines between words at the width of the terminal w, or w itself
// if w is not a terminal. Each write ends between words.
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

func paint(s string, colors ...text.Color) string {
	return text.Escape(s, text.Colors(colors).EscapeSeq())
}

// valueColors are the colours of words for values. The words stay, so colours are never needed.
var valueColors = map[string]text.Color{"win": text.FgGreen, "loss": text.FgRed, "draw": text.FgYellow, "open": text.Faint}

var valueWord = regexp.MustCompile(`\b(win|loss|draw|open)\b( in [0-9,]+)?`)

// paintValues colours values that stand alone in a line of text: in a column, or after a colon.
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

// seatColors are the colours of seats in turn order. Pieces keep their digits and letters.
var seatColors = [...]text.Color{text.FgRed, text.FgBlue, text.FgGreen, text.FgMagenta, text.FgYellow, text.FgCyan}

// PaintSeat gives text the colour of a seat, and makes it faint without one (−1).
func PaintSeat(seat int, s string) string {
	switch {
	case seat < 0:
		return paint(s, text.Faint)
	case seat < len(seatColors):
		return paint(s, text.Bold, seatColors[seat])
	}
	return s
}
