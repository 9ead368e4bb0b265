package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Stdin is standard input for a command that reads all of it: an interrupt ends the
// reading with the context's error. On a terminal it says what it waits for.
func Stdin(cmd *cobra.Command, what string) io.Reader {
	in := cmd.InOrStdin()
	if isTerminal(in) {
		fmt.Fprintf(cmd.ErrOrStderr(), "reading %s; Ctrl-D ends it\n", what)
	}
	r, w := io.Pipe()
	ctx := cmd.Context()
	context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() { // nothing else can wake who reads it
		_, err := io.Copy(w, in)
		w.CloseWithError(err)
	}()
	return r
}
