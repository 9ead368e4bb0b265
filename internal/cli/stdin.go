package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// Stdin is standard input for a command that reads all of it: an interrupt ends the reading
// with the context's error. On a terminal it says what it waits for.
func Stdin(cmd *cobra.Command, what string) io.Reader {
	in := cmd.InOrStdin()
	if isTerminal(in) {
		fmt.Fprintf(cmd.ErrOrStderr(), "reading %s; Ctrl-D ends it\n", what)
	}
	return interruptible(cmd.Context(), func() (io.ReadCloser, error) { return io.NopCloser(in), nil })
}

// Open opens a file for a command that reads it from its beginning to its end. A file that is
// not regular, such as a pipe, is waited for and read like [Stdin].
func Open(cmd *cobra.Command, name string) (io.ReadCloser, error) {
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
