package cli

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

// A column of [Grid] and a line of [Fields] is described by one text:
//
//	key                     headed by the key, with blanks for underscores
//	title=key               headed by the title
//	title=key?              zero is absent
//	title=key:%.2f          in this format; %s gets the cell's text
//	title=key,key:%s of %s  several fields in one cell
//	title=key/key           the one as a share of the other, see [Percent]
//
// A key is the json name of a field, or the Go name of an embedded struct and of a
// field without a json name. An absent value, nil as well, prints as a dash in a
// grid and has no line in a block.
type item struct {
	title  string
	keys   [][]int // indices of the fields
	absent []bool  // whether zero is absent, by key
	format string
	share  bool
	right  bool // flush right, as numbers are
}

// items reads descriptions of the fields of T, a struct or a pointer to one.
func items[T any](descriptions []string) []item {
	t := reflect.TypeFor[T]()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" || name == "" {
			name = f.Name
		}
		fields[name] = f
	}
	var list []item
	for _, d := range descriptions {
		title, keys, titled := strings.Cut(d, "=")
		if !titled {
			title, keys = strings.ReplaceAll(d, "_", " "), d
		}
		keys, format, _ := strings.Cut(keys, ":")
		part, whole, share := strings.Cut(keys, "/")
		it := item{title: title, format: format, share: share}
		if share {
			keys = part + "," + whole
		}
		for key := range strings.SplitSeq(keys, ",") {
			name, absent := strings.CutSuffix(key, "?")
			f, ok := fields[name]
			if !ok {
				panic(fmt.Sprintf("cli: %v has no field %q", t, name))
			}
			it.keys, it.absent = append(it.keys, f.Index), append(it.absent, absent)
			it.right = number(f.Type)
		}
		it.right = it.right && len(it.keys) == 1 || share
		list = append(list, it)
	}
	return list
}

func number(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[Count](), reflect.TypeFor[Seconds](), reflect.TypeFor[Size]():
		return true
	}
	v := reflect.Zero(t)
	return (v.CanInt() || v.CanUint() || v.CanFloat()) && !t.Implements(reflect.TypeFor[fmt.Stringer]())
}

func (it item) cell(record reflect.Value) (string, bool) {
	record = reflect.Indirect(record)
	var args []any
	for i, index := range it.keys {
		v := record.FieldByIndex(index)
		if v.Kind() == reflect.Pointer && v.IsNil() || it.absent[i] && v.IsZero() {
			return "", false
		}
		args = append(args, reflect.Indirect(v).Interface())
	}
	switch {
	case it.share:
		return Percent(integer(args[0]), integer(args[1])), true
	case it.format == "":
		return cellText(args[0]), true
	}
	// Strings go through the text of a cell, other verbs format the value.
	verbs := strings.Split(strings.ReplaceAll(it.format, "%%", ""), "%")[1:]
	for i, verb := range verbs {
		if strings.HasPrefix(verb, "s") && i < len(args) {
			args[i] = cellText(args[i])
		}
	}
	return fmt.Sprintf(it.format, args...), true
}

func integer(value any) int64 {
	if v := reflect.ValueOf(value); v.CanUint() {
		return int64(v.Uint())
	}
	return reflect.ValueOf(value).Int()
}

// cellText is the text of a value in a table: numbers of 64 bits have commas between the
// thousands.
func cellText(value any) string {
	switch n := value.(type) {
	case uint64:
		return Count(n).String()
	case int64:
		if n >= 0 {
			return Count(n).String()
		}
	case time.Duration:
		return Seconds(n).String()
	case float64:
		return fmt.Sprintf("%.2f", n)
	case []string:
		return Wrap(n, 12, "\n")
	}
	return fmt.Sprint(value)
}

// Grid returns a function that prints records as a table: a row each, with the described
// columns, numbers flush right. It panics for a key that T does not have.
func Grid[T any](columns ...string) func(io.Writer, []T) {
	list := items[T](columns)
	var heads []string
	for _, it := range list {
		if it.right {
			it.title = ">" + it.title
		}
		heads = append(heads, it.title)
	}
	return func(w io.Writer, records []T) {
		t := NewTable(heads...)
		for i := range records {
			row := make([]any, len(list))
			for k, it := range list {
				text, ok := it.cell(reflect.ValueOf(&records[i]).Elem())
				if !ok {
					text = "-"
				}
				row[k] = text
			}
			t.Row(row...)
		}
		t.Write(w)
	}
}

// Fields returns a function that prints each record as a block: a line for each described
// field, with an empty line between blocks. It panics for a key that T does not have.
func Fields[T any](lines ...string) func(io.Writer, []T) {
	list := items[T](lines)
	return func(w io.Writer, records []T) {
		for i := range records {
			if i > 0 {
				fmt.Fprintln(w)
			}
			t := NewTable("", "")
			for _, it := range list {
				if text, ok := it.cell(reflect.ValueOf(&records[i]).Elem()); ok {
					t.Row(it.title, text)
				}
			}
			t.Write(w)
		}
	}
}
