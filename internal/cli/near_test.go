package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestNear(t *testing.T) {
	commands := []string{"search", "strong", "solitaire", "columns", "probe", "verify", "play", "perft"}
	for word, want := range map[string][]string{
		"serch": {"search"}, "saerch": {"search"}, "SEARCH": {"search"}, "sea": {"search"}, "strnog": {"strong"},
		"col": {"columns"}, "x": nil, "": nil, "entirely": nil, "prove": {"probe"}, "verfy": {"verify"},
	} {
		if got := Near(word, commands); !slices.Equal(got, want) {
			t.Errorf("%q is near %v, want %v", word, got, want)
		}
	}
	if got := Near("p", []string{"pa", "pb", "pc", "pd", "pe"}); len(got) != maxNear {
		t.Errorf("%d words are offered: %v", len(got), got)
	}
	if got := DidYouMean([]string{"a", "b", "c"}); got != "; did you mean a, b or c?" {
		t.Error(got)
	}
}

// wordy runs a command with a flag of each kind that takes words or counts.
func wordy(args ...string) (one string, some []string, n int, err error) {
	root := Group(&cobra.Command{Use: "solve"})
	cmd := &cobra.Command{Use: "job", Args: Args(), RunE: func(*cobra.Command, []string) error { return nil }}
	Choice(cmd, &one, "algo", "", []string{"alphabeta", "proof"}, "`ENGINE`")
	Choices(cmd, &some, "ordering", []string{"wins", "table"}, []string{"wins", "table", "none"}, "`WORDS`")
	Number(cmd, &n, "max-positions", 7, "`N`")
	root.AddCommand(cmd)
	prepare(root)
	root.SetArgs(args)
	err = root.Execute()
	return one, some, n, err
}

func TestWords(t *testing.T) {
	one, some, n, err := wordy("job")
	if err != nil || one != "" || !slices.Equal(some, []string{"wins", "table"}) || n != 7 {
		t.Errorf("defaults %q %v %d: %v", one, some, n, err)
	}
	one, some, n, err = wordy("job", "--algo", "proof", "--ordering", "table,wins", "--ordering=none", "--max-positions=1e6")
	if err != nil || one != "proof" || !slices.Equal(some, []string{"table", "wins", "none"}) || n != 1_000_000 {
		t.Errorf("got %q %v %d: %v", one, some, n, err)
	}
	for args, want := range map[string]string{
		"job --algo alpha":          `--algo "alpha": want alphabeta or proof; did you mean alphabeta?`,
		"job --ordering wins,tabel": `--ordering "wins,tabel": want wins, table or none; did you mean table?`,
		"job --max-positions many":  `--max-positions "many": want a count, for instance 1000000 or 1e6`,
		"job --max-positions":       `--max-positions needs a value`,
		"job --max-postions 5":      `unknown flag --max-postions; did you mean --max-positions?`,
		"job -z":                    `unknown flag -z`,
		"jbo":                       `unknown command "jbo"; did you mean solve job?`,
		"jbo --algo proof":          `unknown command "jbo"; did you mean solve job?`,
	} {
		if _, _, _, err := wordy(strings.Fields(args)...); err == nil || err.Error() != want || Code(err) != ExitUsage {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestNumber(t *testing.T) {
	var big uint64
	var small int
	read := func(text string) error {
		return (&count[uint64]{&big}).Set(text)
	}
	for text, want := range map[string]uint64{
		"0": 0, "7": 7, "1000000": 1e6, "1_000_000": 1e6, "1,000,000": 1e6, "1e6": 1e6, "1E+6": 1e6, "1.5e3": 1500, "1e11": 1e11,
		"18446744073709551615": 1<<64 - 1,
	} {
		if err := read(text); err != nil || big != want {
			t.Errorf("%q reads as %d, want %d: %v", text, big, want, err)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1.5", "1e", "e6", "1e-3", "1 000", "1,00", "0x10", "1e99", "18446744073709551616", "NaN", "1/2", "٣", strings.Repeat("9", 200)} {
		if err := read(text); err == nil {
			t.Errorf("%q reads as %d", text, big)
		}
	}
	if err := (&count[int]{&small}).Set("9223372036854775808"); err == nil {
		t.Errorf("a count that does not fit reads as %d", small)
	}
}

// FuzzNumber: any text that reads as a count prints as a text that reads the same.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"1", "1e6", "1,000", "1.25e2", "-1", "99999999999999999999", "1_0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n, again int
		if (&count[int]{&n}).Set(text) != nil {
			return
		}
		if n < 0 {
			t.Fatalf("%q reads as %d", text, n)
		}
		if err := (&count[int]{&again}).Set((&count[int]{&n}).String()); err != nil || again != n {
			t.Fatalf("%q reads as %d, which reads as %d: %v", text, n, again, err)
		}
	})
}
