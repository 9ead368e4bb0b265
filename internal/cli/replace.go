package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"perfectplay/internal/files"
	"perfectplay/internal/rows"
)

const forceFlag = "force"

// ForceFlag adds --force to a command and all below it.
func ForceFlag(root *cobra.Command) {
	root.PersistentFlags().Bool(forceFlag, false, "replace files that hold something else")
}

// Forced reports whether --force was given.
func Forced(cmd *cobra.Command) bool {
	f := cmd.Flag(forceFlag)
	return f != nil && f.Value.String() == "true"
}

const headBytes = 4 << 10

// Replaceable refuses a file that a command cannot write, or must not replace. All outputs follow
// this rule: a file that is not empty is replaced only by output of its own kind and job, or with
// --force. own recognises such a file by its beginning. An empty name is no file.
func Replaceable(cmd *cobra.Command, what, name string, own func(head []byte) bool) error {
	if name == "" {
		return nil
	}
	if err := files.Writable(what, name); err != nil {
		return err
	}
	if stat, err := os.Stat(name); err != nil || !lasting(name) || stat.Size() == 0 || Forced(cmd) {
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
	if !own(head[:n]) {
		return fmt.Errorf("%s exists and holds something else: --%s replaces it", name, forceFlag)
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

// lasting reports whether a name stands for a regular file, or for a file that does not exist yet.
// It returns false for a pipe or an open file.
func lasting(name string) bool {
	stat, err := os.Stat(name)
	return err != nil || stat.Mode().IsRegular() && !files.InPlace(name)
}

// origin is the first line of a text answer in a file: its job. So the same command may replace the
// answer of a run that was killed after writing it.
func origin(cmd *cobra.Command) string {
	words := append([]string{"#", cmd.Root().Name()}, jobWords(cmd)...)
	for i, w := range words {
		if strings.ContainsFunc(w, unicode.IsSpace) {
			words[i] = strconv.Quote(w)
		}
	}
	return strings.Join(words, " ") + "\n"
}

// replaceable refuses an answer of records that would replace a file other than an answer with
// the same keys or columns, or as text one of the same job.
func replaceable[T any](o *Output, cmd *cobra.Command) error {
	begin := origin(cmd)
	switch header := rows.Header[T](); {
	case o.csv:
		begin = header
	case o.json:
		first, _, _ := strings.Cut(strings.TrimSpace(header), ",")
		begin = `{"` + first + `":`
	}
	return o.Replaceable(cmd, BeginsWith(begin[:min(len(begin), headBytes)]))
}

// Replaceable refuses a file for the answer, see [Replaceable].
func (o *Output) Replaceable(cmd *cobra.Command, own func(head []byte) bool) error {
	if !o.toFile() {
		return nil
	}
	return Replaceable(cmd, "the answer", o.file, own)
}
