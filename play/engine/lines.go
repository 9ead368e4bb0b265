package engine

import (
	"bufio"
	"context"
	"errors"
	"io"
)

const maxLine = 1 << 16 // bytes; a position of 70×70 stones fits

// Lines sends the lines of a reader, with or without a newline after the last one, and cuts lines
// that are too long. It closes the channel at the end of the context or of the input; failed
// receives any other error.
func Lines(ctx context.Context, r io.Reader) (lines <-chan string, failed <-chan error) {
	out, bad := make(chan string), make(chan error, 1)
	go func() {
		defer close(out)
		in := bufio.NewReaderSize(r, maxLine)
		for {
			part, err := in.ReadSlice('\n')
			line := string(part)
			for errors.Is(err, bufio.ErrBufferFull) && ctx.Err() == nil {
				_, err = in.ReadSlice('\n')
			}
			if len(line) > 0 {
				select {
				case out <- line:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					bad <- err
				}
				return
			}
		}
	}()
	return out, bad
}
