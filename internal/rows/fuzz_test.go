package rows

import (
	"bytes"
	"reflect"
	"testing"
)

// FuzzRead reads any text as rows: accepted rows are written and read again the same.
func FuzzRead(f *testing.F) {
	const header = "name,nodes,share,plies,proved\n"
	for _, rest := range []string{"", "a,1,0.5,,true\n", "\"a, \"\"b\"\"\nc\",18446744073709551615,1e-9,7,false\n", "a,-1,0,0,true\n", "a,1,NaN,,1\n", "a,1,0,,true,x\n", "\"a\n"} {
		f.Add(header + rest)
	}
	f.Add("")
	f.Add("nodes,name\n")
	f.Fuzz(func(t *testing.T, text string) {
		var first []flat
		if err := Read(bytes.NewReader([]byte(text)), func(r flat) { first = append(first, r) }); err != nil {
			return
		}
		var b bytes.Buffer
		w := NewWriter[flat](&b)
		if err := w.Header(); err != nil {
			t.Fatal(err)
		}
		for _, r := range first {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		var again []flat
		if err := Read(bytes.NewReader(b.Bytes()), func(r flat) { again = append(again, r) }); err != nil {
			t.Fatalf("%q writes %q, which is refused: %v", text, b.String(), err)
		}
		if len(again) != len(first) {
			t.Fatalf("%q has %d records, written %q has %d", text, len(first), b.String(), len(again))
		}
		for i := range first {
			// Not a number is not equal to itself.
			if first[i].Share != first[i].Share && again[i].Share != again[i].Share {
				first[i].Share, again[i].Share = 0, 0
			}
			if !reflect.DeepEqual(first[i], again[i]) {
				t.Fatalf("%q: record %d is %+v, and then %+v", text, i, first[i], again[i])
			}
		}
	})
}
