package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// roots are the documents filled by go generate.
var roots = []string{"../../README.md", "../../docs", "../../game", "../../solve"}

func newPages() *pages { return &pages{dir: data, tables: map[string]*table{}} }

// read returns the documents by name.
func read(t *testing.T) map[string]string {
	t.Helper()
	list, err := documents(roots)
	if err != nil || len(list) < 20 {
		t.Fatalf("found %d documents: %v", len(list), err)
	}
	texts := make(map[string]string)
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// TestPages: the marked text of all documents follows from the tables. render restores each digit
// of it, so that none can be changed by hand.
func TestPages(t *testing.T) {
	p := newPages()
	planted := 0
	for name, text := range read(t) {
		wrong := []byte(text)
		for _, marks := range []*regexp.Regexp{body, inline} {
			for _, m := range marks.FindAllStringSubmatchIndex(text, -1) {
				for i := m[10]; i < m[11]; i++ { // the generated text
					if c := wrong[i]; '0' <= c && c <= '9' {
						wrong[i] = '0' + (c-'0'+1)%10
						planted++
					}
				}
			}
		}
		got, err := p.render(string(wrong))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got != text {
			t.Errorf("%s is not what docs/data makes: go generate ./lab/figures", name)
		}
	}
	if planted < 1000 {
		t.Errorf("%d digits stand in marked text", planted)
	}
}

// readme has the figures of README.md with the words around them. The source of README.md has no
// marks.
var readme = []string{
	`the first player wins in <!-- stars.csv game=halma-star37-2p rules=house: {{.distance}} --> plies`,
	`loses in <!-- stars.csv game=halma-star37-3p rules=house hero=1: {{.distance}} -->, <!-- stars.csv game=halma-star37-4p rules=house hero=1: {{.distance}} -->, ` +
		`<!-- stars.csv game=halma-star37-6p rules=house hero=1: {{.distance}} -->`,
	`star 73, seat 1 against three, five | – | **loses in <!-- stars.csv game=halma-star73-4p rules=house hero=1: {{.distance}} -->, <!-- stars.csv game=halma-star73-6p rules=house hero=1: {{.distance}} -->`,
	`star 121, seat 1 against three, five | – | **loses in <!-- stars.csv game=halma-star121-4p rules=house hero=1: {{.distance}} -->, <!-- stars.csv game=halma-star121-6p rules=house hero=1: {{.distance}} -->`,
	`all <!-- domino.csv what=games: {{n .value}} --> games are counted: the starter wins <!-- domino.csv what=wins: {{pct 2 .value "68640549120"}} --> %`,
	`| <!-- beside.csv board=7x7p3: {{sig "2" .processor_seconds}} --> s | <!-- beside.csv board=7x7p3: {{sig "2" .other_processor_seconds}} --> s ([smallgames]`,
	`its memory | <!-- beside.csv board=7x7p3: {{size .peak_bytes}} --> | <!-- beside.csv board=7x7p3: {{size .other_peak_bytes}} --> |`,
	`with certificate | <!-- mnk.csv board=8,8,5: {{secs .processor_seconds}} --> |`,
	`by search alone | <!-- stars.csv game=halma-star37-2p rules=house: {{sig "2" .processor_seconds}} --> s`,
	`the census of dominoes | <!-- speed.csv key=census: {{secs (over "68640549120" .games_per_second)}} --> |`,
}

// TestReadme: README.md agrees with the tables.
func TestReadme(t *testing.T) {
	p, text := newPages(), read(t)["../../README.md"]
	for _, source := range readme {
		want, err := p.render(strings.ReplaceAll(source, " -->", " --><!-- / -->"))
		if want = comment.ReplaceAllString(want, ""); err != nil || !strings.Contains(text, want) {
			t.Errorf("README.md does not say %q (%v)", want, err)
		}
	}
}

var comment = regexp.MustCompile(`<!--.*?-->`)

// TestPictures: the pictures show the tables' figures.
func TestPictures(t *testing.T) {
	for name, draw := range pictures {
		var want bytes.Buffer
		if err := draw(newPages(), &want); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(docs, name)); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s is not what docs/data makes (%v): go generate ./lab/figures", name, err)
		}
	}
	if err := newPages().sets(io.Discard, "game=halma-star37p2-3p rules=house"); err == nil {
		t.Error("three seats make a picture of six")
	}
}

// TestStars: the table of stars has each seat of each game under each rule set once, and second
// proofs and complete solutions agree with the first proof.
func TestStars(t *testing.T) {
	stars, err := readTable(filepath.Join(data, "stars.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, holes := range []string{"13", "37", "73", "121"} {
		for seats, names := range map[string]string{"2": "1", "3": "134 ", "4": "1325 ", "6": "163245 "} {
			for _, rules := range []string{"base", "house", "house-code"} {
				for _, hero := range names {
					want = append(want, fmt.Sprintf("halma-star%s-%sp %s %s", holes, seats, rules, strings.TrimSpace(string(hero))))
				}
			}
		}
	}
	alone := map[string]string{} // distances by complete solutions
	several, err := readTable(filepath.Join(data, "several.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range several.rows {
		distances := strings.Fields(row["coalitions.*.distance"])
		for i, set := range strings.Fields(row["coalitions.*.coalition"]) {
			if len(set) == 1 {
				alone[row["game"]+" "+row["rules"]+" "+set] = distances[i]
			}
		}
	}
	twice, solved := 0, 0
	for _, row := range stars.rows {
		name := row["game"] + " " + row["rules"] + " " + row["hero"]
		got = append(got, name)
		switch {
		case (row["value"] == "open") != (row["distance"] == "" && row["value"] != "draw") || row["value"] == "open" && row["not_within"] == "":
			t.Errorf("%s: %s in %q, not within %q", name, row["value"], row["distance"], row["not_within"])
		case row["second"] != "":
			twice++
			if row["second_value"] != row["value"] || row["second_distance"] != row["distance"] {
				t.Errorf("%s: %s in %q, and again %s in %q", name, row["value"], row["distance"], row["second_value"], row["second_distance"])
			}
		}
		if d := alone[name]; d != "" && row["value"] != "open" && row["algo"] == "paranoid" {
			solved++
			if d != row["distance"] {
				t.Errorf("%s: %s in %s, and %s by the complete solution", name, row["value"], row["distance"], d)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("rows %q, want %q", got, want)
	}
	if twice < 90 || solved < 20 {
		t.Errorf("%d rows are proved twice, %d solved", twice, solved)
	}
}

// counts matches numbers with commas.
var counts = regexp.MustCompile(`\b\d{1,3}(,\d{3})+\b`)

// TestCounts: every count in the documents, marked or not, stands in docs/data, in another file of
// rows, or in the output of a command that TestDocuments runs.
func TestCounts(t *testing.T) {
	known := make(map[string]string)
	for _, root := range []string{"../../docs/data", "../../bench/runs", "../../game"} {
		err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !regexp.MustCompile(`\.(csv|json|jsonl)$`).MatchString(name) {
				return err
			}
			text, err := os.ReadFile(name)
			for _, n := range regexp.MustCompile(`\b\d{4,}\b`).FindAllString(string(text), -1) {
				known[n] = name
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	checked := 0
	for name, text := range read(t) {
		if strings.HasPrefix(name, "../../game") || strings.HasPrefix(name, "../../solve") {
			continue // these pages explain the code with small examples
		}
		text = regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(text, "")
		for _, n := range counts.FindAllString(text, -1) {
			checked++
			if _, ok := known[strings.ReplaceAll(n, ",", "")]; !ok {
				t.Errorf("%s: %s stands in no table of figures", name, n)
			}
		}
	}
	if checked < 200 {
		t.Errorf("%d counts found", checked)
	}
}

// TestFormats writes numbers.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ template, value, want string }{
		{"{{n .x}}", "1234567", "1,234,567"},
		{"{{n .x}}", "", ""},
		{"{{n .x}}", "1234.5", "1,234.5"},
		{"{{secs .x}}", "0.0123", "0.05 s"},
		{"{{secs .x}}", "0.28", "0.28 s"},
		{"{{secs .x}}", "299", "299 s"},
		{"{{secs .x}}", "412", "6.9 min"},
		{"{{secs .x}}", "9000", "2.5 h"},
		{"{{size .x}}", "99471360", "95 MiB"},
		{`{{sig "3" .x}}`, "0.0012345", "0.00123"},
		{`{{sig "2" .x}}`, "1345.2", "1,345"},
		{`{{pct 1 .x "4"}}`, "1", "25.0"},
		{"{{signed 2 .x}}", "-1.345", "−1.34"},
		{"{{signed 2 .x}}", "1.345", "+1.34"},
		{"{{max .x}}", "9 12 7", "12"},
		{`{{count "win" .x}}`, "win win winner loss", "2"},
		{`{{alone "halma-star13-3p" .x}}`, "9 10 8 7 7 7", "9, 10, 8"},
	} {
		got, err := execute(c.template, map[string]string{"x": c.value})
		if err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%s of %q is %q (%v), want %q", c.template, c.value, got, err, c.want)
		}
	}
}

// TestBadMarks: errors name the wrong part of a mark.
func TestBadMarks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("x,y\n1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"<!-- a.csv x=1: {{.y}} -->7<!-- / -->":       "",
		"<!-- a.csv x=1: {{.z}} -->7<!-- / -->":       "no entry for key",
		"<!-- a.csv x=5: {{.y}} -->7<!-- / -->":       "no row with x=5",
		"<!-- a.csv z=5: {{.y}} -->7<!-- / -->":       "not a condition",
		"<!-- a.csv x=1|3: {{.y}} -->7<!-- / -->":     "2 rows where one is wanted",
		"<!-- b.csv x=1: {{.y}} -->7<!-- / -->":       "no such file",
		"<!-- a.csv x=1: {{.y}} -->7":                 "not well-formed",
		"<!-- rows a.csv: {{.y}} -->\nno table\n":     "not well-formed",
		"<!-- rows a.csv: {{.y}} -->\n| y |\n|---|\n": "",
	} {
		p := &pages{dir: dir, tables: map[string]*table{}}
		_, err := p.render(text)
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.Contains(got, want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestLookup finds values in an answer.
func TestLookup(t *testing.T) {
	answer, err := first([]byte(`{"a":1,"b":null,"c":[{"d":"x"},{"d":"y"}],"e":12345678901234567890,"n":[0,3,0,2,0]}` + "\n" + `{"a":2}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"a": "1", "b": "", "c.0.d": "x", "c.*.d": "x y", "e": "12345678901234567890", "n.last": "3"} {
		if got, ok := lookup(answer, strings.Split(path, ".")); !ok || got != want {
			t.Errorf("%s is %q, %v, want %q", path, got, ok, want)
		}
	}
	for _, path := range []string{"f", "c", "c.2.d", "a.b", "c.*.f"} {
		if got, ok := lookup(answer, strings.Split(path, ".")); ok {
			t.Errorf("%s is %q", path, got)
		}
	}
}
