package app

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// vocabulary is docs/vocabulary.md: the meanings of flags and keys.
const vocabulary = "../docs/vocabulary.md"

// glossary returns the table below a heading of the vocabulary: names and their meanings.
func glossary(t *testing.T, heading string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	_, below, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no heading %q", vocabulary, heading)
	}
	below, _, _ = strings.Cut(below, "\n## ")
	rows := map[string]string{}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ((?:[^|]|\\\\\\|)*) \\| [^|]+ \\|$")
	for _, m := range row.FindAllStringSubmatch(below, -1) {
		if _, again := rows[m[1]]; again {
			t.Errorf("%s explains %s twice", vocabulary, m[1])
		}
		rows[m[1]] = strings.ReplaceAll(m[2], `\|`, "|")
	}
	return rows
}

// walkAll calls visit for every command of both programs that people see.
func walkAll(visit func(*cobra.Command)) {
	for _, program := range programs() {
		walk(program, visit)
	}
}

// walk calls visit for every command that people see.
func walk(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" && !sub.Hidden {
			walk(sub, visit)
		}
	}
}

// TestFlags walks all commands: every flag has one kind of value with one name, one letter and one
// meaning. Only flags in the vocabulary have different help on different commands.
func TestFlags(t *testing.T) {
	varied := glossary(t, "Flags")
	type use struct{ command, kind, takes, letter, usage string }
	first := map[string]use{}
	letters := map[string]string{}
	walkAll(func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || f.Name == "version" {
				return
			}
			takes, usage := pflag.UnquoteUsage(f)
			if f.Value.Type() == "bool" {
				takes = "–"
			}
			this := use{cmd.CommandPath(), f.Value.Type(), takes, f.Shorthand, usage}
			want, varies := varied[f.Name]
			if varies && want != takes {
				t.Errorf("%s --%s takes %s; in %s it takes %s", this.command, f.Name, takes, vocabulary, want)
			}
			if usage == "" || strings.HasSuffix(usage, ".") {
				t.Errorf("%s --%s: help says %q", this.command, f.Name, usage)
			}
			if f.Shorthand != "" {
				if other, taken := letters[f.Shorthand]; taken && other != f.Name {
					t.Errorf("-%s is --%s and --%s", f.Shorthand, other, f.Name)
				}
				letters[f.Shorthand] = f.Name
			}
			was, seen := first[f.Name]
			switch {
			case !seen:
				first[f.Name] = this
			case was.kind != this.kind || was.takes != this.takes || was.letter != this.letter:
				t.Errorf("--%s is a %s %s -%s for %s and a %s %s -%s for %s", f.Name, was.kind, was.takes, was.letter, was.command,
					this.kind, this.takes, this.letter, this.command)
			case was.usage != this.usage && !varies:
				t.Errorf("--%s means two things:\n%s: %s\n%s: %s", f.Name, was.command, was.usage, this.command, this.usage)
			}
		})
	})
	for name := range varied {
		if _, ok := first[name]; !ok {
			t.Errorf("%s explains --%s, which no command has", vocabulary, name)
		}
	}
}

// silent lists the commands that do not answer with records.
var silent = []string{
	"solve play",           // plays in a terminal
	"solve engine",         // talks to a program
	"solve man", "lab man", // write files
	"solve serve",                                 // answers over HTTP
	"solve merge",                                 // answers with another command
	"lab cluster slurm", "lab cluster kubernetes", // write files
}

// answers are small jobs of every command that answers, run in order in one directory.
var answers = []struct{ command, args string }{
	{"search", "search mnk-3x3k3 --limit 4"},
	{"search", "search halma-star13-3p --limit 9 --algo maxn --rules house"},
	{"search", "search halma-star13-2p --without openings --moves a1-b2"},
	{"search", "search mnk-3x3k3 --book BOOK --book-nodes 50"},
	{"book list", "book list BOOK"},
	{"book export", "book export BOOK"},
	{"book verify", "book verify BOOK --sample 3"},
	{"book merge", "book merge ALL BOOK"},
	{"analyse", "analyse mnk-3x3k3 --moves b2"},
	{"analyse", "analyse domino"},
	{"strong", "strong mnk-3x3k3 --table any --work FORM.work"},
	{"strong", "strong mnk-3x3k3 --plan"},
	{"probe", "probe any start --moves b2"},
	{"verify", "verify any"},
	{"export", "export any --sample 3"},
	{"perft", "perft mnk-3x3k3 --depth 2 --divide"},
	{"search", "search mnk-3x3k3 --limit 3 --part 1/2 --parts parts-FORM"},
	{"perft", "perft --file good.perft --max-positions 10"},
	{"bench", "bench --only search/game=halma-star13-2p"},
	{"match", "match halma-star13-2p level-2 random --pairs 1 --time 20s --mem 256MiB"},
	{"judge", "judge judged --verbose --mem 256MiB"},
	{"puzzles", "puzzles mnk-4x4k3 halma-star13-2p --games 5 --mem 256MiB"},
	{"info", "info"},
	{"info", "info mnk-3x3k3"},
	{"info", "info halma-7x7p1 --rules sturtevant"},
	{"version", "version"},
	{"strong", "strong halma-7x7p1 --rules sturtevant --distances --reachable --table with"},
	{"strong", "strong halma-3x3p1 --rules gamesman --table without --force"},
	{"strong", "strong halma-3x3p1 --plan"},
	{"strong", "strong halma-star13-3p --rules liou --named --table three"},
	{"strong", "strong halma-star13-3p --rules liou --plan"},
	{"cluster pass", "cluster pass halma-3x3p1 --work FORM.tiles --tasks 1 --pass 0 --part 1/1"},
	{"cluster pass", "cluster pass halma-3x3p1 --work FORM.tiles --tasks 1 --pass 0 --finish"},
	{"strong", "strong halma-5x5p3 --distances --work FORM.solved --mem 38MiB --threads 1"},
	{"publish", "publish FORM.tables halma-star13-2p.house --sample 10"},
	{"cluster plan", "cluster plan halma-3x3p3 --nodes 2"},
	{"probe", "probe three start"},
	{"verify", "verify three"},
	{"solitaire", "solitaire halma-4x4p3"},
	{"probe", "probe with start"},
	{"probe", "probe without start"},
	{"probe", "probe halma-3x3p1 --rules gamesman --limit 2 start"},
	{"export", "export with --sample 3"},
	{"verify", "verify with"},
	{"searches", "searches mnk-3x3k3 --limit 2"},
	{"thesis", "thesis halma-star13-2p --model tables --limit 8"},
	{"repro halma", "repro halma --only 3.6"},
	{"repro halma", "repro halma --only 3.6/1 --without sound"},
	{"repro strong", "repro strong --max-positions 1e4"},
	{"repro mnk", "repro mnk --cells 9 --max-positions 1000"},
	{"repro domino", "repro domino --only deals,counts,sample --sample 1000"},
	{"mnk solve", "mnk solve mnk-4x3k3 --openings"},
	{"mnk solve", "mnk solve mnk-4x4k3 --book BOOK --book-nodes 50"},
	{"mnk solve", "mnk solve mnk-3x3k3 --certificate 333.proof"},
	{"mnk check", "mnk check 333.proof"},
	{"domino deal", "domino deal --list leaves 66 16 24 26 33 34 36 / 00 01 02 03 05 06 15"},
	{"domino deal", "domino deal --file deals"},
	{"domino hidden", "domino hidden double-2 2 --iterations 50 --gap 0"},
	{"domino hidden", "domino hidden double-2 2 --algo exact"},
	{"domino exploit", "domino exploit double-2 2 greedy"},
	{"domino hand", "domino hand 00 11 22 33 44 55 66"},
	{"domino census", "domino census --part 5/60000 --census part.FORM"},
	{"domino census", "domino census --sample 2"},
	{"domino match", "domino match greedy random --games 3"},
	{"domino show", "domino show part.FORM"},
	{"domino show", "domino show part.FORM --list values"},
	{"domino show", "domino show part.FORM --list lines"},
	{"domino show", "domino show part.FORM --list hands --top 2"},
	{"domino show", "domino show part.FORM --list widest --top 2"},
}

// uncounted are commands that this test leaves out.
var uncounted = []string{
	"solve site",  // takes long: it compiles a program
	"lab export",  // its records are the records of solve export
	"lab version", // its record is the record of solve version
}

// TestAnswers runs small jobs of every command that answers. On every command, the vocabulary has
// all keys of JSON and all columns of CSV, with their contents; null in JSON is empty in CSV. No
// job replaces somebody else's file, see [sparing].
func TestAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs jobs; not with -short")
	}
	t.Parallel()
	known := glossary(t, "Keys")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.perft": "mnk-3x3k3 - start 1 9 by hand\nmnk-3x3k3 - start 2 72 by hand\n",
		"judged":     "game halma-star13-2p\nseat 1 Ann\n\na1-b2 e1-d3 b2-b1\n\ngame domino\n\n4|4 0|4\n",
		"deals":      "66 16 24 26 33 34 36 / 00 01 02 03 05 06 15\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k := &keys{t: t, known: known, seen: map[string]bool{}}
	covered := map[string]bool{}
	others := &sparing{t: t, dir: dir, refused: map[string]bool{}}
	for _, a := range answers {
		path := programOf(strings.Fields(a.args)[0]) + " " + a.command
		covered[path] = true
		var out [2]string
		for i, form := range []string{"json", "csv"} {
			args := strings.ReplaceAll(a.args, "FORM", form) // each format has its own files
			out[i] = answer(t, dir, append(strings.Fields(args), "--"+form)...)
		}
		k.where = a.args
		k.check(out[0], out[1])
		others.try(path, strings.ReplaceAll(a.args, "FORM", "csv"))
	}
	others.all(covered)
	for name := range known {
		if !k.seen[name] {
			t.Errorf("%s explains the key %s, which no answer has", vocabulary, name)
		}
	}
	walkAll(func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if cmd.HasSubCommands() || slices.Contains(silent, path) {
			return
		}
		for _, flag := range []string{"json", "csv", "output"} {
			if cmd.Flags().Lookup(flag) == nil {
				t.Errorf("%s has no --%s", path, flag)
			}
		}
		if !covered[path] && !slices.Contains(uncounted, path) {
			t.Errorf("%s: no small job of it is run here", path)
		}
	})
}

// keys checks the keys of records and their values.
type keys struct {
	t     *testing.T
	known map[string]string
	seen  map[string]bool
	where string
}

// check compares the JSON and the CSV of an answer with the vocabulary.
func (k *keys) check(lines, table string) {
	k.t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) < 2 {
		k.t.Errorf("%s --csv: %d rows: %v", k.where, len(rows), err)
		return
	}
	records := strings.Split(strings.TrimSpace(lines), "\n")
	if len(records) != len(rows)-1 {
		k.t.Errorf("%s: %d lines of JSON, %d rows of CSV", k.where, len(records), len(rows)-1)
		return
	}
	for i, line := range records {
		var record map[string]any
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&record); err != nil {
			k.t.Errorf("%s: %v", k.where, err)
			return
		}
		k.record(record)
		cells := map[string]string{}
		for c, name := range rows[0] {
			cells[name] = rows[i+1][c]
			if _, ok := k.holds(name); !ok {
				k.t.Errorf("%s: the column %s is not in %s", k.where, name, vocabulary)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(record)) {
			cell, ok := cells[name]
			switch value := record[name].(type) {
			case nil:
				if ok && cell != "" {
					k.t.Errorf("%s: %s is null in JSON and %q in CSV", k.where, name, cell)
				}
			case string, bool, json.Number:
				if !ok {
					k.t.Errorf("%s: %s is no column", k.where, name)
				} else if isNumber(value) != numeral.MatchString(cell) && !isText(value) {
					k.t.Errorf("%s: %s is %v in JSON and %q in CSV", k.where, name, value, cell)
				}
			}
		}
	}
}

// numeral is a number in JSON or CSV, of any size.
var numeral = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?$`)

func isNumber(value any) bool { _, ok := value.(json.Number); return ok }
func isText(value any) bool   { _, ok := value.(string); return ok }

// holds returns the kind of contents of a key. Without a row of its own, published_NAME has the
// contents of NAME.
func (k *keys) holds(name string) (string, bool) {
	kind, ok := k.known[name]
	if !ok {
		kind, ok = k.known[strings.TrimPrefix(name, "published_")]
	}
	return kind, ok
}

// record checks the keys of a record and of records within it.
func (k *keys) record(record map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(record)) {
		value := record[name]
		k.seen[name] = true
		holds, ok := k.holds(name)
		if !ok {
			k.t.Errorf("%s: the key %s is not in %s: %v", k.where, name, vocabulary, value)
			continue
		}
		kind, null := strings.CutSuffix(holds, " or null")
		got := ""
		switch value := value.(type) {
		case nil:
			if !null {
				k.t.Errorf("%s: %s is null; in %s it holds %s", k.where, name, vocabulary, holds)
			}
			continue
		case string:
			got = "text"
		case bool:
			got = "truth"
		case json.Number:
			got = "number"
		case map[string]any:
			got = "record"
			k.record(value)
		case []any:
			got = "list"
			for _, v := range value {
				if inner, ok := v.(map[string]any); ok {
					k.record(inner)
				}
			}
		}
		if got != kind {
			k.t.Errorf("%s: %s holds a %s, %v; in %s it holds %s", k.where, name, got, value, vocabulary, holds)
		}
		if name == "value" && !slices.Contains([]any{"win", "loss", "draw", "open", "no-win"}, value) {
			k.t.Errorf("%s: the value %v is none", k.where, value)
		}
		if text, ok := value.(string); ok && text != "" && name != "part" && name != "published" && name != "ours" && name != "seat" && name != "hero" &&
			name != "winner" && name != "winner_seat" && name != "player" && name != "table" && name != "cpu" && name != "row" && name != "move" && name != "position" && name != "coalition" {
			if numeral.MatchString(text) {
				k.t.Errorf("%s: %s holds the number %s as text", k.where, name, text)
			}
		}
	}
}
