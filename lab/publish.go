package lab

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"text/template"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/store"
)

// published are the tables that lab publish makes: games and their rules.
var published = [][2]string{
	{"halma-star37-2p", "base"}, {"halma-star37-2p", "house"}, {"halma-star37-2p", "house-code"},
	{"halma-4x4p6", "sturtevant"}, {"halma-5x5p4", "sturtevant"},
	{"halma-star13-2p", "house"}, {"halma-star13-3p", "house"}, {"halma-star13-4p", "house"}, {"halma-star13-6p", "house"},
	{"halma-star37p1-6p", "house"},
}

// releaseBytes bounds the size of a file of a release.
const releaseBytes = 100_000_000

type publishRecord struct {
	Game         string      `json:"game"`
	Rules        string      `json:"rules"`
	File         string      `json:"file"`
	FileBytes    cli.Size    `json:"file_bytes"`
	Positions    uint64      `json:"positions"`
	Release      bool        `json:"release"` // the file is small enough for a release
	Seconds      cli.Seconds `json:"seconds"` // time of the solve
	Checked      uint64      `json:"checked"`
	CheckSeconds cli.Seconds `json:"check_seconds"`
}

type publishFlags struct {
	out    cli.Output
	res    cli.Resources
	sample uint64
}

// newPublishCommand makes tables by the commands of the program that solve makes.
func newPublishCommand(a *family.App, solve func() *cobra.Command) *cobra.Command {
	var f publishFlags
	cmd := &cobra.Command{
		Use:   "publish DIR [TABLE...]",
		Short: "make and check the tables that are published",
		Long: `publish makes the tables that are published in DIR, each with its description
NAME.json and its line of SHA256SUMS, and checks the checksums of each, and its
positions against the rules: all, or --sample of them in a large table.
Then it writes README.md, the card of all tables in DIR as Hugging Face shows it.
It says which files fit a release, at most 100 MB, and how long each took. With
names of tables it makes only these.`,
		Example: "  lab publish tables\n  lab publish tables halma-star13-2p.house halma-star13-3p.house",
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, solve, args[0], args[1:]) },
	}
	f.out.Flags(cmd)
	f.res.Flags(cmd)
	cli.Number(cmd, &f.sample, "sample", 1_000_000, "check at most `N` positions of each table against the rules")
	return cmd
}

func (f *publishFlags) run(a *family.App, cmd *cobra.Command, solve func() *cobra.Command, dir string, only []string) error {
	list := published
	if len(only) > 0 {
		list = nil
	}
	for _, name := range only {
		i := slices.IndexFunc(published, func(p [2]string) bool { return p[0]+"."+p[1] == name })
		if i < 0 {
			return cli.Usagef("no table %q is published: see %s --help", name, cmd.CommandPath())
		}
		list = append(list, published[i])
	}
	if err := files.MakeDir("the tables", dir); err != nil {
		return err
	}
	more := cli.FlagWords(cmd, func(name string) bool { return name == "threads" || name == "mem" })
	// ask runs a command of solve and reads its record.
	ask := func(ctx context.Context, into any, args ...string) error {
		var out bytes.Buffer
		root := solve()
		root.SetArgs(append(append(args, "--json", "--progress", "off"), more...))
		root.SetOut(&out)
		root.SetErr(cmd.ErrOrStderr())
		root.SilenceErrors, root.SilenceUsage = true, true
		if err := root.ExecuteContext(ctx); err != nil {
			return err
		}
		return json.Unmarshal(out.Bytes(), into)
	}
	return cli.Run(&f.out, &a.Progress, cmd, "publishing", int64(len(list)), func(ctx context.Context, bar *cli.Bar) (rows []publishRecord, err error) {
		for i, p := range list {
			bar.Describe("%s under %s", p[0], p[1])
			r := publishRecord{Game: p[0], Rules: p[1]}
			if err := ask(ctx, &r, "strong", p[0], "--rules", p[1], "--distances", "--table", dir); err != nil {
				return rows, err
			}
			args := []string{"verify", r.File}
			if r.Positions > f.sample {
				args = append(args, "--sample", fmt.Sprint(f.sample))
			}
			var c struct {
				Checked uint64
				Seconds cli.Seconds
			}
			if err := ask(ctx, &c, args...); err != nil {
				return rows, err
			}
			of, err := readSheet(r.File + family.SheetEnd)
			if err != nil {
				return rows, err
			}
			r.File, r.FileBytes, r.Positions, r.Release = of.File, cli.Size(of.Bytes), of.Positions, of.Bytes <= releaseBytes
			r.Checked, r.CheckSeconds = c.Checked, c.Seconds
			rows = append(rows, r)
			bar.Set(int64(i + 1))
		}
		return rows, writeCard(dir)
	}, cli.Grid[publishRecord]("file", "bytes=file_bytes", "positions", "release", "seconds", "checked", "check seconds=check_seconds"))
}

//go:embed card.md
var cardText string

var card = template.Must(template.New("card").Parse(cardText))

func writeCard(dir string) error {
	names, err := store.List(dir, "*"+family.SheetEnd)
	if err != nil {
		return err
	}
	var of struct {
		Tables    []family.Sheet
		Numbering map[string]string
		Codes     map[string]bool
		Positions uint64
		Size      string
	}
	of.Numbering, of.Codes = map[string]string{}, map[string]bool{}
	slices.Sort(names)
	for _, name := range names {
		s, err := readSheet(name)
		if err != nil {
			return err
		}
		of.Tables, of.Positions = append(of.Tables, s), of.Positions+s.Positions
		of.Numbering[s.Numbering], of.Codes[s.CodesInWords] = s.NumberingInWords, true
	}
	of.Size = sizeCategory(of.Positions)
	return files.Write(filepath.Join(dir, "README.md"), func(w io.Writer) error { return card.Execute(w, of) })
}

func readSheet(name string) (s family.Sheet, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// sizeCategory is the Hugging Face category for a number of rows.
func sizeCategory(rows uint64) string {
	names := []string{"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B",
		"1B<n<10B", "10B<n<100B", "100B<n<1T", "n>1T"}
	digits := len(strconv.FormatUint(rows, 10))
	return names[min(max(digits-3, 0), len(names)-1)]
}
