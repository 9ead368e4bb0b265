package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/internal/files"
	"perfectplay/internal/rows"
)

// Output is the destination and form of an answer: the flags --output, --json and --csv. Text
// is for people; JSON is one object a line and CSV one row a record, with the same keys and
// columns.
type Output struct {
	file      string
	json, csv bool
}

// Flags adds the flags, and checks them before the command runs.
func (o *Output) Flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "", "write the answer to `FILE` instead of standard output")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line")
	f.BoolVar(&o.csv, "csv", false, "print comma-separated values with a header")
	Rules(cmd, Excludes("json", "csv"))
	Before(cmd, o.Check)
}

// ForPeople reports whether the answer is text.
func (o *Output) ForPeople() bool { return !o.json && !o.csv }

// Check refuses a file that cannot be written.
func (o *Output) Check() error {
	if o.toFile() {
		return files.Writable("the answer", o.file)
	}
	return nil
}

// JSON reports whether the answer is to be JSON.
func (o *Output) JSON() bool { return o.json }

// Apart refuses an answer that would go to one of these files, which the command reads or
// writes.
func (o *Output) Apart(others ...files.Named) error {
	return Usage(files.Apart(o.beside(others)...))
}

// Outside refuses an answer, or one of these files, in the directory of a job or below it.
func (o *Output) Outside(what, dir string, others ...files.Named) error {
	return Usage(files.Outside(what, dir, o.beside(others)...))
}

// beside adds the answer's file, if there is one, to others.
func (o *Output) beside(others []files.Named) []files.Named {
	if !o.toFile() {
		return others
	}
	return append(slices.Clip(others), files.Named{What: "the answer", Name: o.file})
}

// Settled waits until an answer on standard output is on the disk, if it is a file: then the
// answer's sources may be deleted.
func (o *Output) Settled(cmd *cobra.Command) error {
	if o.toFile() {
		return nil // files.Write has waited for the disk
	}
	f, ok := cmd.OutOrStdout().(interface{ Sync() error })
	if !ok {
		return nil
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// Write calls emit with the writer of the answer; with --output that is a file,
// see [files.Write].
func (o *Output) Write(cmd *cobra.Command, emit func(w io.Writer) error) error {
	failed := error(nil) // the error of emit, which is returned unchanged
	save := func(w io.Writer) error {
		failed = emit(w)
		return failed
	}
	var err error
	if o.toFile() {
		err = files.Write(o.file, save)
	} else {
		w := bufio.NewWriter(cmd.OutOrStdout())
		if err = save(w); err == nil {
			err = w.Flush()
		}
	}
	if err != nil && failed == nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return err
}

func (o *Output) toFile() bool { return o.file != "" && o.file != "-" }

// lines returns a writer that breaks and colours the text of an answer for its destination.
func (o *Output) lines(w io.Writer, cmd *cobra.Command) *wrapper {
	if o.toFile() {
		return &wrapper{w: w, room: Columns}
	}
	out := cmd.OutOrStdout()
	return &wrapper{w: w, room: Room(out), color: Color(cmd, out)}
}

// Records writes an answer: the records as JSON or CSV if a flag says so, else by text, such as
// [Grid] and [Fields] of T. T is a struct whose json tags name keys and columns. The writer
// of text keeps its first error.
func Records[T any](o *Output, cmd *cobra.Command, records []T, text func(w io.Writer, records []T)) error {
	if err := replaceable[T](o, cmd); err != nil {
		return err
	}
	return write(o, cmd, records, text)
}

// write is [Records] without the check of an existing file.
func write[T any](o *Output, cmd *cobra.Command, records []T, text func(w io.Writer, records []T)) error {
	return o.Write(cmd, func(w io.Writer) error {
		put, err := encoder[T](o, cmd, w)
		if err != nil {
			return err
		}
		if put == nil {
			lines := o.lines(w, cmd)
			text(lines, records)
			return lines.flush()
		}
		for _, r := range records {
			if err := put(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// Stream writes an answer as [Records] does, each record as soon as work puts it; text prints
// one.
func Stream[T any](o *Output, cmd *cobra.Command, text func(w io.Writer, record T), work func(put func(T) error) error) error {
	if err := replaceable[T](o, cmd); err != nil {
		return err
	}
	return o.Write(cmd, func(w io.Writer) error {
		put, err := encoder[T](o, cmd, w)
		if err != nil {
			return err
		}
		if put == nil {
			put = func(r T) error {
				lines := o.lines(w, cmd)
				text(lines, r)
				return lines.flush()
			}
		}
		return work(func(r T) error {
			if err := put(r); err != nil {
				return err
			}
			if b, ok := w.(*bufio.Writer); ok {
				return b.Flush()
			}
			return nil
		})
	})
}

// encoder returns a function that writes a record as JSON or CSV, if a flag says so, else nil.
// It writes the header of CSV, and the first line of text in a file.
func encoder[T any](o *Output, cmd *cobra.Command, w io.Writer) (put func(T) error, err error) {
	var write func(T) error
	switch {
	case o.json:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		write = func(r T) error {
			listed(reflect.ValueOf(&r).Elem())
			return enc.Encode(r)
		}
	case o.csv:
		out := rows.NewWriter[T](w)
		if err := out.Header(); err != nil {
			return nil, err
		}
		write = out.Write
	default:
		if o.toFile() && lasting(o.file) {
			_, err = io.WriteString(w, origin(cmd))
		}
		return nil, err
	}
	return func(r T) error {
		if err := write(r); err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
		return nil
	}, nil
}

// List is a list of things that is one cell of CSV, with their texts between blanks, and a list in
// JSON.
type List[T fmt.Stringer] []T

func (l List[T]) String() string {
	var texts []string
	for _, thing := range l {
		texts = append(texts, thing.String())
	}
	return strings.Join(texts, " ")
}

func (l List[T]) MarshalText() ([]byte, error) { return []byte(l.String()), nil }
func (l List[T]) MarshalJSON() ([]byte, error) { return json.Marshal([]T(l)) }
