package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWidth: the width is the terminal's, also through the writer that remembers write errors.
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
		if columns == 0 { // an unknown width
			want = Columns
		}
		if got := Width(&answer{Writer: terminal}); got != want {
			t.Errorf("a terminal of %d columns has the width %d", columns, got)
		}
	}
}

// TestFold: text on a terminal keeps to its width, between words; other text stays as it is.
func TestFold(t *testing.T) {
	var b strings.Builder
	if Fold(&b) != io.Writer(&b) {
		t.Error("folded without a terminal")
	}
	master, terminal := pair(t, 20)
	if _, err := io.WriteString(Fold(&answer{Writer: terminal}), "You are 1, strongest is 2.\na  1  1\n1> "); err != nil {
		t.Fatal(err)
	}
	const want = "You are 1, strongest\r\nis 2.\r\na  1  1\r\n1> "
	got := make([]byte, len(want))
	if _, err := io.ReadFull(master, got); err != nil || string(got) != want {
		t.Errorf("the terminal shows %q, %v", got, err)
	}
}

// TestReportFold: on a terminal the words of an error are whole, and so is a command to repeat.
func TestReportFold(t *testing.T) {
	master, terminal := pair(t, 40)
	defer func(old []string) { os.Args = old }(os.Args)
	os.Args = []string{"solve", "strong", "halma-star37-2p", "--work", "directory", "--threads", "2"}
	report(terminal, "solve", nil, Saved(errors.New("the file cannot be written: no space left on device")))
	const want = "solve: the file cannot be written: no\r\nspace left on device; saved; continue\r\nwith: solve strong halma-star37-2p --work directory --threads 2\r\n"
	got := make([]byte, 2*len(want))
	if n, err := master.Read(got); err != nil || string(got[:n]) != want { // a terminal buffers some thousand bytes
		t.Errorf("the terminal shows %q, %v", got[:n], err)
	}
}

// pair returns both ends of a terminal of some columns, or skips the test.
func pair(t *testing.T, columns uint16) (master, terminal *os.File) {
	var err error
	master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns})
	}
	if err != nil {
		t.Skip(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return master, terminal
}
