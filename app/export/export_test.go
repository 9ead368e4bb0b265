package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"perfectplay/app/export"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/oracle"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/host"
	columns "perfectplay/lab/parquet"
	"perfectplay/solve/table"
)

// made solves a game and opens its table.
func made(t testing.TB, id, rules string, distances bool) (*halma.Game, *strong.Solution, *table.Table) {
	t.Helper()
	g, spec := halmatest.Race(id, rules)
	sol, err := strong.Solve(t.Context(), spec, strong.Options{Distances: distances, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "table")
	if _, err := strong.Save(t.Context(), name, spec, sol, "test", 1, nil); err != nil {
		t.Fatal(err)
	}
	w := oracle.Wing()
	open, err := w.OpenTable(g, name, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { open.Close() })
	return g, sol, open
}

// shown is a row as JSON.
type shown struct {
	Position string
	Value    string
	Distance *int
	Images   uint64
	Moves    []move
}

// move is a move of a row.
type move struct {
	Move, Value string
	Distance    *int
}

// formats are the forms of rows.
var formats = []string{"json", "csv", "parquet"}

// as returns the options with the format of rows set.
func as(o export.Options, format string) export.Options {
	o.JSON, o.Columns = format == "json", nil
	if format == "parquet" {
		o.Columns = columns.New
	}
	return o
}

// rows exports as JSON and checks that CSV and Parquet agree.
func rows(t *testing.T, from *table.Table, o export.Options) (list []shown) {
	t.Helper()
	var out [3]bytes.Buffer
	for i := range out {
		o = as(o, formats[i])
		n, err := export.Write(t.Context(), &out[i], from, o)
		if err != nil {
			t.Fatal(err)
		}
		if lines := uint64(bytes.Count(out[i].Bytes(), []byte("\n"))); o.Columns == nil && lines != n+uint64(i) {
			t.Fatalf("%d rows in %d lines", n, lines)
		}
	}
	d := json.NewDecoder(&out[0])
	for d.More() {
		var r shown
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	for i, got := range readParquet(t, out[2].Bytes()) {
		if !reflect.DeepEqual(got, list[i]) {
			t.Fatalf("Parquet %+v, JSON %+v", got, list[i])
		}
	}
	cells, err := csv.NewReader(&out[1]).ReadAll()
	if err != nil || len(cells) != len(list)+1 {
		t.Fatalf("%d rows of CSV, %d of JSON: %v", len(cells)-1, len(list), err)
	}
	number := func(p *int) string {
		if p == nil {
			return ""
		}
		return strconv.Itoa(*p)
	}
	for i, r := range list {
		var moves []string
		for _, m := range r.Moves {
			worth := m.Value
			if m.Distance != nil {
				worth += "_in_" + number(m.Distance)
			}
			moves = append(moves, m.Move+"="+worth)
		}
		want := []string{r.Position, r.Value, number(r.Distance), fmt.Sprint(r.Images), strings.Join(moves, " ")}
		if got := cells[i+1]; strings.Join(got, ",") != strings.Join(want, ",") {
			t.Fatalf("CSV %q, JSON %q", got, want)
		}
	}
	return list
}

// parquetSchema is the schema that readers of Parquet files rely on.
const parquetSchema = `message schema {
	required binary position (STRING);
	required binary value (STRING);
	optional int32 distance (INT(32,true));
	required int32 images (INT(32,true));
	required group moves (LIST) {
		repeated group list {
			required group element {
				required binary move (STRING);
				required binary value (STRING);
				optional int32 distance (INT(32,true));
			}
		}
	}
}`

// readParquet reads all rows of a file by the file's own description.
func readParquet(t *testing.T, file []byte) (rows []shown) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Schema().String(); got != parquetSchema {
		t.Fatalf("schema\n%s", got)
	}
	distance := func(v parquet.Value) *int {
		if v.IsNull() {
			return nil
		}
		n := int(v.Int32())
		return &n
	}
	for _, group := range f.RowGroups() {
		r := group.Rows()
		defer r.Close()
		for {
			var one [1]parquet.Row
			n, err := r.ReadRows(one[:])
			if n == 0 {
				if err != io.EOF {
					t.Fatal(err)
				}
				break
			}
			var columns [7][]parquet.Value
			one[0].Range(func(i int, values []parquet.Value) bool { columns[i] = values; return true })
			row := shown{Position: columns[0][0].String(), Value: columns[1][0].String(), Distance: distance(columns[2][0]),
				Images: uint64(columns[3][0].Int32()), Moves: []move{}}
			for i, m := range columns[4] {
				if !m.IsNull() { // an empty list is stored as one null
					row.Moves = append(row.Moves, move{m.String(), columns[5][i].String(), distance(columns[6][i])})
				}
			}
			rows = append(rows, row)
		}
	}
	if int64(len(rows)) != f.NumRows() {
		t.Fatalf("%d rows, the file says %d", len(rows), f.NumRows())
	}
	return rows
}

// TestAll: rows hold every legal position once, with the values and distances of the solution, and
// all its moves. The values of moves follow from the positions after them.
func TestAll(t *testing.T) {
	for _, c := range []struct {
		id, rules string
		distances bool
	}{{"halma-4x4p1", "sturtevant", true}, {"halma-5x5p1", "sturtevant", true}, {"halma-star13-2p", "base", true}, {"halma-5x5p1", "sturtevant", false}} {
		g, sol, table := made(t, c.id, c.rules, c.distances)
		counts := map[string]uint64{}
		seen := map[string]bool{}
		all := rows(t, table, export.Options{To: -1, Threads: 3})
		for _, r := range all {
			counts[r.Value] += r.Images
			if seen[r.Position] {
				t.Fatalf("%s twice", r.Position)
			}
			seen[r.Position] = true
			s, err := g.Parse(r.Position)
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, v game.Value, d int, value string, distance *int) {
				want := c.distances && v != game.Draw
				if v.String() != value || want != (distance != nil) || want && *distance != d {
					t.Fatalf("%s %s: %s %v, want %v in %d", r.Position, what, value, distance, v, d)
				}
			}
			v, d := sol.Value(halma.Sides(g, s))
			check("", v, d, r.Value, r.Distance)
			legal := s.Moves(nil)
			if len(legal) != len(r.Moves) {
				t.Fatalf("%s: %d moves of %d", r.Position, len(r.Moves), len(legal))
			}
			last := 3
			for _, m := range r.Moves {
				mv, err := s.ParseMove(m.Move)
				if err != nil {
					t.Fatal(err)
				}
				s.Make(mv)
				v, d := sol.Value(halma.Sides(g, s))
				s.Unmake()
				check(m.Move, v.Negate(), d+1, m.Value, m.Distance)
				if int(v.Negate()) > last {
					t.Fatalf("%s: %s after a worse move", r.Position, m.Move)
				}
				last = int(v.Negate())
			}
		}
		if info := table.Info(); counts["win"] != info.Wins || counts["loss"] != info.Losses || counts["draw"] != info.Draws {
			t.Errorf("%s: %v of %d, %d, %d", c.id, counts, info.Wins, info.Losses, info.Draws)
		}
	}
}

// TestSome exports all wanted positions, or a sample that depends on the seed alone.
func TestSome(t *testing.T) {
	_, _, table := made(t, "halma-5x5p1", "sturtevant", true)
	all := rows(t, table, export.Options{To: -1})
	for _, o := range []export.Options{
		{To: -1, Values: []game.Value{game.Draw}},
		{To: -1, Values: []game.Value{game.Win, game.Loss}},
		{From: 3, To: 5},
		{From: 4, To: -1, Values: []game.Value{game.Loss}},
		{From: 0, To: 0},
		{From: 1000, To: -1},
	} {
		var want []string
		for _, r := range all {
			named := o.Values == nil
			for _, v := range o.Values {
				named = named || v.String() == r.Value
			}
			far := o.From == 0 && o.To < 0 || r.Distance != nil && *r.Distance >= o.From && (o.To < 0 || *r.Distance <= o.To)
			if named && far {
				want = append(want, r.Position)
			}
		}
		var got []string
		for _, r := range rows(t, table, o) {
			got = append(got, r.Position)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%+v: %d positions, want %d", o, len(got), len(want))
		}
		o.Sample = uint64(len(want)) / 3
		if o.Sample == 0 {
			continue
		}
		var samples [3]string
		for i := range samples {
			o.Seed, o.Threads = uint64(i/2), i+1
			list := rows(t, table, o)
			if uint64(len(list)) != o.Sample {
				t.Fatalf("%+v: %d positions", o, len(list))
			}
			at := 0 // the sample's positions are among all positions, in the same order
			for _, r := range list {
				for at < len(want) && want[at] != r.Position {
					at++
				}
				samples[i] += r.Position + " "
			}
			if at >= len(want) {
				t.Fatalf("%+v: a position that was not asked for, or twice", o)
			}
		}
		if samples[0] != samples[1] || samples[0] == samples[2] {
			t.Errorf("%+v: samples of seeds 0, 0 and 1: equal %v, %v", o, samples[0] == samples[1], samples[0] == samples[2])
		}
	}
	if n := len(rows(t, table, export.Options{To: -1, Sample: 1 << 40})); n != len(all) {
		t.Errorf("a sample of more than there are has %d", n)
	}
}

// full is a writer that fails after some bytes.
type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestStops: an error of the writer, or the end of the context, ends the export.
func TestStops(t *testing.T) {
	_, _, table := made(t, "halma-4x4p3", "sturtevant", true)
	if _, err := export.Write(t.Context(), &full{200_000}, table, export.Options{To: -1}); !errors.Is(err, errFull) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, sample := range []uint64{0, 10} {
		if _, err := export.Write(ctx, io.Discard, table, export.Options{To: -1, Sample: sample}); !errors.Is(err, context.Canceled) {
			t.Errorf("sample %d: %v", sample, err)
		}
	}
}

// BenchmarkWrite measures positions a second, with the values of all their moves, from a table
// in memory, in processor time: a small board, then a sample of star 37.
func BenchmarkWrite(b *testing.B) {
	for _, c := range []struct {
		id, rules string
		sample    uint64
	}{{"halma-5x5p3", "sturtevant", 0}, {"halma-star37-2p", "house", 500_000}} {
		for _, format := range formats {
			b.Run("game="+c.id+"/format="+format, func(b *testing.B) {
				_, _, table := made(b, c.id, c.rules, true)
				o := as(export.Options{To: -1, Sample: c.sample}, format)
				n, before := uint64(0), host.ProcessTime()
				for b.Loop() {
					w, err := export.Write(b.Context(), io.Discard, table, o)
					if err != nil || w == 0 || c.sample > 0 && w != c.sample {
						b.Fatalf("%d positions: %v", w, err)
					}
					n += w
					o.Seed++
				}
				b.ReportMetric(float64(n)/(host.ProcessTime()-before).Seconds(), "positions/s")
			})
		}
	}
}
