package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/internal/files"
	"perfectplay/internal/rows"
)

const forceFlag = "force"

// ForceFlag adds --force to a command and all below it.
func ForceFlag(root *cobra.Command) {
	root.PersistentFlags().Bool(forceFlag, false, "replace files that hold something else than what is to be written")
}

// Forced reports whether --force is given.
func Forced(cmd *cobra.Command) bool {
	f := cmd.Flag(forceFlag)
	return f != nil && f.Value.String() == "true"
}

// headBytes is how much of a file [Replaceable] looks at.
const headBytes = 4 << 10

// Replaceable refuses a file that a command cannot write, or must not replace. It is the
// one rule for all outputs: a file that is there and not empty is replaced only by what is
// of its own kind and job, which own tells by the file's beginning, or with --force. own
// is nil where files do not say of what job they are. An empty name is no file.
func Replaceable(cmd *cobra.Command, what, name string, own func(head []byte) bool) error {
	if name == "" {
		return nil
	}
	if err := files.Writable(what, name); err != nil {
		return err
	}
	if stat, err := os.Stat(name); err != nil || !stat.Mode().IsRegular() || stat.Size() == 0 || files.InPlace(name) || Forced(cmd) {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", what, err)
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("%s cannot be written: %w", what, err)
	}
	if own == nil {
		return fmt.Errorf("%s is there, and its text does not say where it comes from: --%s replaces it", name, forceFlag)
	}
	if !own(head[:n]) {
		return fmt.Errorf("%s is there and holds something else: --%s replaces it", name, forceFlag)
	}
	return nil
}

// BeginsWith is the kind of files that begin with one of these texts.
func BeginsWith(texts ...string) func([]byte) bool {
	return func(head []byte) bool {
		for _, text := range texts {
			if bytes.HasPrefix(head, []byte(text)) {
				return true
			}
		}
		return false
	}
}

// replaceable refuses an answer of records that would replace a file other than an answer
// with the same keys or columns. Text says nothing of where it comes from.
func replaceable[T any](o *Output, cmd *cobra.Command) error {
	var own func([]byte) bool
	switch header := rows.Header[T](); {
	case o.csv:
		own = BeginsWith(header)
	case o.json:
		first, _, _ := strings.Cut(strings.TrimSpace(header), ",")
		own = BeginsWith(`{"` + first + `":`)
	}
	return o.Replaceable(cmd, own)
}

// Replaceable refuses a file for the answer, see [Replaceable].
func (o *Output) Replaceable(cmd *cobra.Command, own func(head []byte) bool) error {
	if !o.toFile() {
		return nil
	}
	return Replaceable(cmd, "the answer", o.file, own)
}
