// Package rows writes records as comma-separated values and reads them back.
package rows

import (
	"encoding"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// Writer writes records as comma-separated values. T is a flat struct of strings, numbers,
// booleans, pointers to them (nil is an empty cell) and types that marshal themselves to text.
// Its json tags name the columns. A list of words is a cell with blanks between them. Other
// slices and pointers to structs have no column. Numbers have no exponents, which spreadsheets
// misread.
type Writer[T any] struct {
	w       *csv.Writer
	columns []column
}

type column struct {
	name  string
	index []int
}

// NewWriter returns a writer of records to w. It writes nothing yet.
func NewWriter[T any](w io.Writer) *Writer[T] {
	return &Writer[T]{w: csv.NewWriter(w), columns: columns(reflect.TypeFor[T]())}
}

// Header is the line with the names of the columns of T.
func Header[T any]() string {
	var b strings.Builder
	_ = NewWriter[T](&b).Header() // writing to a builder cannot fail
	return b.String()
}

// Header writes the names of the columns.
func (c *Writer[T]) Header() error {
	return c.row(func(col column) (string, error) { return col.name, nil })
}

// Write writes one record and hands it to the underlying writer.
func (c *Writer[T]) Write(record T) error {
	v := reflect.ValueOf(record)
	return c.row(func(col column) (string, error) { return cell(v.FieldByIndex(col.index)) })
}

func (c *Writer[T]) row(of func(column) (string, error)) error {
	cells := make([]string, len(c.columns))
	for i, col := range c.columns {
		var err error
		if cells[i], err = of(col); err != nil {
			return fmt.Errorf("column %s: %w", col.name, err)
		}
	}
	if err := c.w.Write(cells); err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}

// Read reads the output of [Writer], header first, and calls yield for every record. The header
// must name every column of T in T's order.
func Read[T any](r io.Reader, yield func(T)) error {
	in := csv.NewReader(r)
	columns := columns(reflect.TypeFor[T]())
	header, err := in.Read()
	if err == io.EOF {
		return errors.New("no header")
	} else if err != nil {
		return err
	}
	if len(header) != len(columns) {
		return fmt.Errorf("the header has %d columns, not %d", len(header), len(columns))
	}
	for i, col := range columns {
		if header[i] != col.name {
			return fmt.Errorf("column %d is %q, not %q", i+1, header[i], col.name)
		}
	}
	for {
		cells, err := in.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var record T
		v := reflect.ValueOf(&record).Elem()
		for i, col := range columns {
			if err := parse(v.FieldByIndex(col.index), cells[i]); err != nil {
				line, _ := in.FieldPos(i)
				return fmt.Errorf("line %d, column %s: %w", line, col.name, err)
			}
		}
		yield(record)
	}
}

// columns lists the fields of a record. Fields of an embedded struct take the place of the struct.
func columns(t reflect.Type) (cols []column) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "-" || nested(f.Type) {
			continue
		}
		if name == "" {
			name = f.Name
		}
		cols = append(cols, column{name, f.Index})
	}
	return cols
}

// nested reports whether a field does not fit a cell.
func nested(t reflect.Type) bool {
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return false
	}
	return t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.String || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

func cell(v reflect.Value) (string, error) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "", nil
		}
		v = v.Elem()
	}
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		return string(text), err
	}
	switch {
	case v.Kind() == reflect.String:
		return v.String(), nil
	case v.Kind() == reflect.Slice:
		var words []string
		for i := range v.Len() {
			words = append(words, v.Index(i).String())
		}
		return strings.Join(words, " "), nil
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10), nil
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10), nil
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'f', -1, v.Type().Bits()), nil
	}
	return "", fmt.Errorf("%s is no scalar", v.Type())
}

// parse sets a field from its text.
func parse(v reflect.Value, s string) (err error) {
	if v.Kind() == reflect.Pointer {
		if s == "" {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if m, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return m.UnmarshalText([]byte(s))
	}
	switch {
	case v.Kind() == reflect.String:
		v.SetString(s)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.ValueOf(strings.Fields(s)).Convert(v.Type()))
	case v.Kind() == reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(s)
		v.SetBool(b)
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(s, 10, v.Type().Bits())
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(s, 10, v.Type().Bits())
		v.SetUint(n)
	case v.CanFloat():
		var f float64
		f, err = strconv.ParseFloat(s, v.Type().Bits())
		v.SetFloat(f)
	default:
		err = fmt.Errorf("%s is no scalar", v.Type())
	}
	return err
}
