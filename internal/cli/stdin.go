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
	r := &stdin{ctx: cmd.Context(), chunks: make(chan []byte)}
	go r.fill(in)
	return r
}

// stdin hands on what a goroutine reads, for a reader that nothing else can wake.
type stdin struct {
	ctx    context.Context
	chunks chan []byte // closed at the end
	err    error       // why it ended, once chunks is closed
	rest   []byte
}

func (r *stdin) fill(in io.Reader) {
	defer close(r.chunks)
	for r.err == nil {
		var n int
		b := make([]byte, 4<<10)
		n, r.err = in.Read(b)
		select {
		case r.chunks <- b[:n]:
		case <-r.ctx.Done():
			return
		}
	}
}

func (r *stdin) Read(p []byte) (n int, err error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.rest) == 0 {
		var ok bool
		select {
		case r.rest, ok = <-r.chunks:
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
		if !ok {
			return 0, r.err
		}
	}
	n = copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
