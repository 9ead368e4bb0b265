package cli

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWidth: the width is the terminal's, also through what counts the answer's failures.
func TestWidth(t *testing.T) {
	if got := Width(new(strings.Builder)); got != Columns {
		t.Errorf("without a terminal the width is %d", got)
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	for _, columns := range []uint16{61, 200, 0} {
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
			t.Fatal(err)
		}
		want := int(columns)
		if columns == 0 { // it does not know
			want = Columns
		}
		if got := Width(&answer{Writer: terminal}); got != want {
			t.Errorf("a terminal of %d columns has the width %d", columns, got)
		}
	}
}
