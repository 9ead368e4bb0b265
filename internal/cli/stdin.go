package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// Open opens a file for a command that reads it from its beginning to its end; - is standard
// input, which holds what, as a terminal is told. A file that is not regular, such as a pipe, is
// waited for, and an interrupt ends the reading with the context's error.
func Open(cmd *cobra.Command, name, what string) (io.ReadCloser, error) {
	if name == "-" {
		in := cmd.InOrStdin()
		if isTerminal(in) {
			fmt.Fprintf(cmd.ErrOrStderr(), "reading %s from standard input; Ctrl-D ends it\n", what)
		}
		return interruptible(cmd.Context(), func() (io.ReadCloser, error) { return io.NopCloser(in), nil }), nil
	}
	stat, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return os.Open(name) }
	if stat.Mode().IsRegular() {
		return open()
	}
	return interruptible(cmd.Context(), open), nil
}

// Lines calls do for each line of a file, see [Open], that is not empty, without blanks around it.
// An error of do gets the name of the file and the number of the line.
func Lines(cmd *cobra.Command, name, what string, do func(line string) error) error {
	in, err := Open(cmd, name, what+", one a line")
	if err != nil {
		return err
	}
	defer in.Close()
	if name == "-" {
		name = "standard input"
	}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if text := strings.TrimSpace(lines.Text()); text != "" {
			if err := do(text); err != nil {
				return fmt.Errorf("%s: line %d: %w", name, n, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// interruptible opens and reads a file that may block, until a context ends.
func interruptible(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
	r, w := io.Pipe()
	context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() { // nothing else can wake a blocked call
		in, err := open()
		if err == nil {
			_, err = io.Copy(w, in)
			in.Close()
		}
		w.CloseWithError(err)
	}()
	return r
}
