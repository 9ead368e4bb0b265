package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"perfectplay/internal/parquet/parquettest"
)

// TestRead: a library reads what was written: all types, texts of any length, numbers
// at the ends of their range, lists without elements, one word and many, a file
// without rows, one of a row, one of more than a row group.
func TestRead(t *testing.T) {
	words := make([]string, 1000)
	for i := range words {
		words[i] = fmt.Sprint("word ", i)
	}
	fields := []Field{
		{Name: "text", Type: Text},
		{Name: "one", Type: Word, Words: []string{"only"}},
		{Name: "list", Type: Group, Fields: []Field{
			{Name: "word", Type: Word, Words: words},
			{Name: "number", Type: Int},
			{Name: "perhaps", Type: Int, Optional: true},
			{Name: "text", Type: Text},
		}},
		{Name: "number", Type: Int, Optional: true},
	}
	const schema = `message schema {
  required binary text (UTF8);
  required binary one (UTF8);
  required group list (LIST) {
    repeated group list {
      required group element {
        required binary word (UTF8);
        required int32 number;
        optional int32 perhaps;
        required binary text (UTF8);
      }
    }
  }
  optional int32 number;
}
`
	for _, c := range []struct{ pages, rows, groups int }{{0, 0, 0}, {1, 1, 1}, {3, 1, 1}, {7, 99, 1}, {2, 1000, 2}, {3, 501, 2}} {
		var out bytes.Buffer
		w, err := NewWriter(&out, "a test", fields...)
		if err != nil {
			t.Fatal(err)
		}
		w.most = 1000
		s, err := w.Sealer()
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(c.pages), uint64(c.rows)))
		var want []map[string]any
		text := func() []byte { return bytes.Repeat([]byte("é→"), rng.IntN(9)) }
		number := func() int32 { return []int32{math.MinInt32, -1, 0, 1, math.MaxInt32, rng.Int32()}[rng.IntN(6)] }
		for range c.pages {
			p := w.Page()
			for range c.rows {
				p.Row()
				row := map[string]any{"text": text(), "one": []byte("only")}
				p.Text(0, row["text"].([]byte))
				p.Word(1, 0)
				if v := number(); v > 0 {
					row["number"] = v
					p.Int(6, int(v))
				} else {
					p.Missing(6)
				}
				list := []map[string]any{}
				for range rng.IntN(5) {
					p.Element()
					word, n, x := rng.IntN(len(words)), number(), text()
					e := map[string]any{"word": []byte(words[word]), "number": n, "text": x}
					p.Word(2, word)
					p.Int(3, int(n))
					if n%2 == 0 {
						e["perhaps"] = n
						p.Int(4, int(n))
					} else {
						p.Missing(4)
					}
					p.Text(5, x)
					list = append(list, map[string]any{"element": e})
				}
				row["list"] = map[string]any{"list": list}
				if len(list) == 0 {
					row["list"] = map[string]any{}
				}
				want = append(want, row)
			}
			s.Seal(p)
			if err := w.Append(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, groups, described, err := parquettest.Read(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if groups != c.groups || described != schema {
			t.Errorf("%d pages of %d rows: %d groups, want %d; schema\n%s", c.pages, c.rows, groups, c.groups, described)
		}
		if len(got) != len(want) {
			t.Fatalf("%d rows, want %d", len(got), len(want))
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%d pages of %d rows: row %d is\n%v, want\n%v", c.pages, c.rows, i, got[i], want[i])
			}
		}
	}
}

// full fails after some bytes.
type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestFull: an error of the writer is returned, wherever it comes.
func TestFull(t *testing.T) {
	write := func(room int) error {
		w, err := NewWriter(&full{room}, "a test", Field{Name: "number", Type: Int})
		if err != nil {
			return err
		}
		s, err := w.Sealer()
		if err != nil {
			return err
		}
		p := w.Page()
		for i := range 100 {
			p.Row()
			p.Int(0, i*i)
		}
		s.Seal(p)
		if err := w.Append(p); err != nil {
			return err
		}
		return w.Close()
	}
	room := 0
	for ; write(room) != nil; room++ {
		if err := write(room); !errors.Is(err, errFull) {
			t.Fatal(room, err)
		}
	}
	if room < 200 {
		t.Errorf("a file of %d bytes", room)
	}
}
