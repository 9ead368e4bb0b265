package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestStdin: all of the input is read, and an interrupt ends the wait for more.
func TestStdin(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := new(cobra.Command)
	cmd.SetContext(ctx)
	text := strings.Repeat("positions\n", 10_000)
	cmd.SetIn(strings.NewReader(text))
	if got, err := io.ReadAll(Stdin(cmd, "positions")); err != nil || string(got) != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	in, out := io.Pipe()
	defer out.Close()
	cmd.SetIn(in)
	r := Stdin(cmd, "positions")
	go func() {
		_, _ = out.Write([]byte("one"))
		cancel()
	}()
	got := new(bytes.Buffer)
	if _, err := got.ReadFrom(r); !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v: want it to end with the interrupt", got, err)
	}
}
