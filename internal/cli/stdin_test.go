package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestStdin: all lines of the input are read, one at fault is named, and an interrupt ends the wait
// for more.
func TestStdin(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := new(cobra.Command)
	cmd.SetContext(ctx)
	text := strings.Repeat(" positions\n", 10_000) + "\n\nwrong\n"
	cmd.SetIn(strings.NewReader(text))
	lines := 0
	err := Lines(cmd, "-", "positions", func(line string) error {
		if lines++; line != "positions" {
			return errors.New(line)
		}
		return nil
	})
	if lines != 10_001 || fmt.Sprint(err) != "standard input: line 10003: wrong" {
		t.Errorf("%d lines, %v", lines, err)
	}
	in, out := io.Pipe()
	defer out.Close()
	cmd.SetIn(in)
	r, err := Open(cmd, "-", "positions")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = out.Write([]byte("one"))
		cancel()
	}()
	got := new(bytes.Buffer)
	if _, err := got.ReadFrom(r); !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v: want it to end with the interrupt", got, err)
	}
}
