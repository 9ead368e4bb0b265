package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/internal/rows"
)

func TestCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitDone},
		{errors.New("x"), ExitFailed},
		{Usagef("x"), ExitUsage},
		{fmt.Errorf("wrapped: %w", Usagef("x")), ExitUsage},
		{Usage(nil), ExitDone},
		{context.Canceled, ExitInterrupted},
		{fmt.Errorf("search: %w", context.Canceled), ExitInterrupted},
		{fmt.Errorf("search: %w", context.DeadlineExceeded), ExitFailed},
	} {
		if got := Code(c.err); got != c.want {
			t.Errorf("Code(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

// TestReport: an error is one line. Whatever error the work returns, the user reads that it was
// interrupted. The message names the flag that would have kept the state, unless it was given or the
// command has none; an error that loses no work shows the command that resumes the job, quoted for a
// shell and without flags that would discard the work.
func TestReport(t *testing.T) {
	defer func(old []string) { os.Args = old }(os.Args)
	os.Args = []string{"/bin/solve", "strong", "x", "--fresh", "--table", "a b", "--checkpoint=it's", "--fresh=true", ""}
	const again = `; saved; continue with: solve strong x --table 'a b' '--checkpoint=it'\''s' ''` + "\n"
	plain := &cobra.Command{Use: "solve"}
	job := func(work string) *cobra.Command {
		cmd, dir := &cobra.Command{Use: "solve"}, new(string)
		WorkFlag(cmd, dir)
		*dir = work
		return cmd
	}
	for _, c := range []struct {
		cmd  *cobra.Command
		err  error
		want string
		code int
	}{
		{plain, Usagef("several\n\tlines"), "several lines (see solve --help)\n", ExitUsage},
		{plain, fmt.Errorf("opening 3: %w", context.Canceled), "interrupted\n", ExitInterrupted},
		{job(""), context.Canceled, "interrupted; the state is lost: --work DIR keeps it\n", ExitInterrupted},
		{job("w"), context.Canceled, "interrupted\n", ExitInterrupted},
		{nil, Saved(fmt.Errorf("pass 3: %w", context.Canceled)), "interrupted" + again, ExitInterrupted},
		{nil, Saved(errors.New("the disk is full")), "the disk is full" + again, ExitFailed},
	} {
		var b bytes.Buffer
		report(&b, "solve", c.cmd, c.err)
		if code := Code(c.err); b.String() != "solve: "+c.want || code != c.code {
			t.Errorf("%v: %q with exit %d, want %q with %d", c.err, b.String(), code, c.want, c.code)
		}
	}
	if Saved(nil) != nil {
		t.Error("nil is an error")
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{
		"1": 1, "4096": 4096, "1KiB": 1 << 10, "512MiB": 512 << 20, "512 MiB": 512 << 20,
		"4GiB": 4 << 30, "1.5GiB": 3 << 29, "4GB": 4e9, "2TiB": 2 << 40,
	} {
		var s Size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%q reads as %d, want %d: %v", text, s, want, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "-1GiB", "+1GiB", "much", "1XiB", "1e9", "GiB", "99999999999EiB", "15EiB", "NaN", "Inf"} {
		var s Size
		if err := s.Set(text); err == nil {
			t.Errorf("%q reads as %v", text, s)
		}
	}
	for s, want := range map[Size]string{512 << 20: "512MiB", 3 << 29: "1.5GiB", 4096: "4KiB"} {
		if s.String() != want {
			t.Errorf("%d prints as %v, want %s", s, s, want)
		}
	}
}

// FuzzSize: any text that reads as a size prints as a text that reads again.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"1", "512MiB", "1.5 GB", "-1", "1e3", "٣MiB"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s, again Size
		if s.Set(text) != nil {
			return
		}
		if s == 0 || s > 1<<63-1 {
			t.Fatalf("%q reads as %d", text, uint64(s))
		}
		if err := again.Set(s.String()); err != nil {
			t.Fatalf("%q prints as %v, which does not read: %v", text, s, err)
		}
	})
}

// TestAvailable: memory that caches files counts as available.
func TestAvailable(t *testing.T) {
	if n := available("MemTotal: 24683520 kB\nMemFree:  210000 kB\nMemAvailable:   17859216 kB\nCached: 14942136 kB\n"); n != 17859216<<10 {
		t.Errorf("%s are available", n)
	}
	if n := available("MemAvailable: much"); n == 0 || n == 1<<10 {
		t.Errorf("%s are free", n)
	}
}

func TestShare(t *testing.T) {
	least := Size(1 << 20)
	share := Share(least)
	if share < least {
		t.Errorf("share %v is below the least of %v", share, least)
	}
	if m := Machine(); m > 0 && share > max(m/4, least) {
		t.Errorf("share %v of a machine with %v", share, m)
	}
	if huge := Share(1 << 50); huge != 1<<50 {
		t.Errorf("share %v, want the least that works", huge)
	}
	for s, want := range map[Size]Size{0: 0, 15: 15, 17: 16, 1000: 960, 1 << 40: 1 << 40} {
		if got := s.round(); got != want {
			t.Errorf("%d rounds to %d, want %d", s, got, want)
		}
	}
}

// resolve runs a command with resource flags and returns their values.
func resolve(args ...string) (Resources, error) {
	var r Resources
	cmd := &cobra.Command{Use: "x", RunE: func(cmd *cobra.Command, _ []string) error { return r.Resolve(cmd, 1<<20, 1<<30) }}
	r.Flags(cmd)
	prepare(cmd)
	cmd.SetArgs(args)
	err := cmd.Execute()
	return r, err
}

func TestResources(t *testing.T) {
	r, err := resolve()
	if err != nil || r.Threads < 1 || r.Mem < 1<<20 || r.Mem > 1<<30 {
		t.Errorf("defaults %+v, %v", r, err)
	}
	if r, err = resolve("--threads=3", "--mem=2MiB"); err != nil || r.Threads != 3 || r.Mem != 2<<20 {
		t.Errorf("got %+v, %v", r, err)
	}
	for _, bad := range []string{"--threads=0", "--threads=-1", "--threads=99999", "--threads=x", "--mem=1KiB", "--mem=-1", "--mem=4EiB", "--mem="} {
		if _, err := resolve(bad); Code(err) != ExitUsage {
			t.Errorf("%s: %v, want a usage error", bad, err)
		}
	}
}

// row is a record like the records of the subcommands.
type row struct {
	Name  string  `json:"name"`
	Nodes uint64  `json:"nodes"`
	Time  float64 `json:"seconds"`
}

// output runs a command that answers with two rows.
func output(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var o Output
	cmd := &cobra.Command{Use: "x", RunE: func(cmd *cobra.Command, _ []string) error {
		if err := o.Check(); err != nil {
			return err
		}
		return Records(&o, cmd, []row{{"a<b", 1 << 60, 0.5}, {`c,"d"`, 0, 0}}, func(w io.Writer, _ []row) {
			io.WriteString(w, "text\n")
		})
	}}
	o.Flags(cmd)
	cmd.Flags().String("name", "", "")
	ForceFlag(cmd)
	prepare(cmd)
	var b bytes.Buffer
	cmd.SetOut(&b)
	cmd.SetArgs(args)
	err := cmd.Execute()
	return b.String(), err
}

func TestOutput(t *testing.T) {
	for flag, want := range map[string]string{
		"--json=false": "text\n",
		"--json":       `{"name":"a<b","nodes":1152921504606846976,"seconds":0.5}` + "\n" + `{"name":"c,\"d\"","nodes":0,"seconds":0}` + "\n",
		"--csv":        "name,nodes,seconds\na<b,1152921504606846976,0.5\n\"c,\"\"d\"\"\",0,0\n",
	} {
		if got, err := output(t, flag); err != nil || got != want {
			t.Errorf("%s: %q, want %q: %v", flag, got, want, err)
		}
	}
	if _, err := output(t, "--json", "--csv"); Code(err) != ExitUsage {
		t.Errorf("--json --csv: %v", err)
	}
}

func TestOutputFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "answer")
	if got, err := output(t, "-o", name); err != nil || got != "" {
		t.Fatalf("%q, %v", got, err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "# x\ntext\n" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	// A failure leaves the old file, and nothing else.
	o := Output{file: name}
	broken := errors.New("broken")
	err := o.Write(&cobra.Command{}, func(w io.Writer) error { io.WriteString(w, "half"); return broken })
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(name); string(text) != "# x\ntext\n" {
		t.Errorf("after a failure the file holds %q", text)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files remain", len(files))
	}
	if _, err := output(t, "-o", filepath.Join(dir, "no", "answer")); Code(err) != ExitFailed {
		t.Errorf("a directory that is not there: %v", err)
	}
	// A file that cannot be written is refused before the work.
	for _, bad := range []string{dir, filepath.Join(dir, "no", "answer")} {
		if err := (&Output{file: bad}).Check(); Code(err) != ExitFailed {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if err := o.Check(); err != nil {
		t.Error(err)
	}
}

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputFull(t *testing.T) {
	cmd := &cobra.Command{}
	cmd.SetOut(full{})
	err := new(Output).Write(cmd, func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err })
	if err == nil || Code(err) != ExitFailed || !strings.Contains(err.Error(), "no space") {
		t.Errorf("got %v", err)
	}
}

func TestNumbers(t *testing.T) {
	if got := Count(18446744073709551615).String(); got != "18,446,744,073,709,551,615" {
		t.Error(got)
	}
	if got := Rate(3_000_000, Seconds(2*time.Second)); got != "1.5 M/s" {
		t.Error(got)
	}
	if got := Rate(1, time.Duration(0)); got != "-" {
		t.Error(got)
	}
	for d, want := range map[time.Duration]string{
		0: "0s", 123456789: "123ms", 1234567: "1.23ms", 999999999: "1s", 12345678901: "12.3s", 2*time.Minute + 3*time.Second: "2m3s", 3 * time.Hour: "3h0m0s",
	} {
		if got := Seconds(d).String(); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
}

// TestSeconds: in JSON and CSV a time is the same number that a float64 of its
// seconds would be, and reads back from CSV.
func TestSeconds(t *testing.T) {
	type number struct {
		S float64 `json:"s,omitempty"`
	}
	type typed struct {
		S Seconds `json:"s,omitempty"`
	}
	for _, d := range []time.Duration{0, 1, 999, 123456789, time.Second, 1<<53 + 1, 3e15} {
		a, errA := json.Marshal(number{float64(d) / 1e9})
		b, errB := json.Marshal(typed{Seconds(d)})
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%d: %s, want %s: %v %v", d, b, a, errA, errB)
		}
		var want, got bytes.Buffer
		if err := rows.NewWriter[number](&want).Write(number{float64(d) / 1e9}); err != nil {
			t.Fatal(err)
		}
		if err := rows.NewWriter[typed](&got).Write(typed{Seconds(d)}); err != nil || got.String() != want.String() {
			t.Errorf("%d: %s, want %s: %v", d, got.String(), want.String(), err)
		}
		err := rows.Read(strings.NewReader("s\n"+got.String()), func(r typed) {
			if off := time.Duration(r.S) - d; off.Abs() > d/1e15 {
				t.Errorf("%d reads back as %d", d, r.S)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestRun: the answer is written when the work is done or was interrupted, and not after a
// failure.
func TestRun(t *testing.T) {
	known, broken := []row{{"x", 1, 0}}, errors.New("broken")
	for _, c := range []struct {
		records []row
		err     error
		want    string
	}{
		{known, nil, "text 1\n"},
		{nil, nil, "text 0\n"},
		{known, context.Canceled, "text 1\n"},
		{known, fmt.Errorf("search: %w", context.Canceled), "text 1\n"},
		{nil, context.Canceled, ""},
		{known, broken, ""},
		{known, context.DeadlineExceeded, ""},
	} {
		var b bytes.Buffer
		var j Job
		ran := false
		cmd := &cobra.Command{Use: "x", RunE: func(cmd *cobra.Command, _ []string) error {
			return Run(&j.Output, &Progress{}, cmd, "work", Shares, func(ctx context.Context, bar *Bar) ([]row, error) {
				ran = true
				bar.Share(0.5)
				return c.records, c.err
			}, func(w io.Writer, records []row) {
				fmt.Fprintln(w, "text", len(records))
			})
		}}
		j.Flags(cmd, 1<<20)
		prepare(cmd)
		cmd.SetOut(&b)
		cmd.SetArgs(nil)
		if err := cmd.Execute(); !errors.Is(err, c.err) || b.String() != c.want {
			t.Errorf("%v with %d records: %v, %q, want %q", c.err, len(c.records), err, b.String(), c.want)
		}
		for _, bad := range []string{"--mem=1KiB", "--threads=0", "--output=" + t.TempDir()} {
			ran = false
			cmd.SetArgs([]string{bad})
			if err := cmd.Execute(); err == nil || ran {
				t.Errorf("%s: %v, and ran: %v", bad, err, ran)
			}
			for _, name := range []string{"mem", "threads", "output"} {
				flag := cmd.Flags().Lookup(name)
				flag.Changed = false
			}
			j = Job{}
		}
	}
}
