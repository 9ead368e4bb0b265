package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/export"
	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/play/explore"
	"perfectplay/solve/retro"
	"perfectplay/solve/table"
)

type exportFlags struct {
	family.Flags
	job      cli.Job
	o        export.Options
	values   []string
	distance string
	tables   string
	parquet  bool
	columns  export.Columns // makes the writer for --parquet
}

var exported = []string{game.Win.String(), game.Loss.String(), game.Draw.String()}

func newExportCommand(a *family.App) *cobra.Command { return exportCommand(a, new(exportFlags)) }

// newParquetCommand returns the command lab export: solve export with the flag --parquet, whose
// files columns writes.
func newParquetCommand(a *family.App, columns export.Columns) *cobra.Command {
	f := &exportFlags{columns: columns}
	cmd := exportCommand(a, f)
	cmd.Long = strings.ReplaceAll(cmd.Long, "lab export --parquet", "--parquet")
	cmd.Example = "  lab export star37.table --parquet -o star37.parquet"
	cmd.Flags().BoolVar(&f.parquet, "parquet", false, "write a Parquet file, where the moves are lists")
	cli.Rules(cmd, cli.Excludes("parquet", "json", "csv"))
	return cmd
}

func exportCommand(a *family.App, f *exportFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export GAME|FILE",
		Short: "write the positions of a solved game with the worth of all moves",
		Long: `export writes a row for each position of a game: its text, its value and
distance to the seat to move, how many positions the row is (2 with its mirror
image, else 1), and every legal move with its value and distance, best first.
Positions that are equal by symmetry are written once; in Chinese Checkers the
first seat is always to move. Rows are in the order of tables.

In CSV the moves are words such as b1-c4=win_in_29. Databases and data frames
read CSV and JSON; lab export --parquet writes columns for them.

The values come from the table FILE made by solve strong, from a table of GAME
in the directory --tables, or from a solution made for it within --mem. If a
file has the name GAME, export reads the file. Reading is fastest if the table
fits into --mem.

--only and --within choose positions, and --sample N draws N of them at
random. Without these flags export writes all positions.

docs/read_table.py reads tables in Python without this program.`,
		Example: `  solve export halma-5x5p3 --rules sturtevant -o 5x5p3.csv
  solve export star37.table --sample 1e5 -o sample.csv
  solve export star37.table --only loss --within 20-28 --json
  solve export halma-5x5p3.sturtevant.distances | gzip > all.csv.gz`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, 1<<20)
	cli.TablesFlag(cmd, &f.tables)
	cli.Number(cmd, &f.o.Sample, "sample", 0, "write `N` positions at random (default: all)")
	cli.SeedFlag(cmd, &f.o.Seed)
	cli.Choices(cmd, &f.values, "only", nil, exported, "write positions of these values only, as `WORDS`: "+strings.Join(exported, ", "))
	cmd.Flags().StringVar(&f.distance, "within", "", "write positions of these `DISTANCES` in plies only, as 7, 20-28 or 20-")
	return cmd
}

func (f *exportFlags) run(a *family.App, cmd *cobra.Command, name string) error {
	var err error
	if f.o.From, f.o.To, err = parseSpan(f.distance); err != nil {
		return cli.Usage(fmt.Errorf("--within %q: %w", f.distance, err))
	}
	for _, v := range []game.Value{game.Loss, game.Draw, game.Win} {
		if slices.Contains(f.values, v.String()) {
			f.o.Values = append(f.o.Values, v)
		}
	}
	kind := "position,"
	if f.parquet {
		f.o.Columns, kind = f.columns, "PAR1"
	} else if f.o.JSON = f.job.JSON(); f.o.JSON {
		kind = `{"position"`
	}
	f.o.Threads, f.o.Program = f.job.Threads, a.Program
	if err := f.job.Replaceable(cmd, cli.BeginsWith(kind)); err != nil {
		return err
	}
	defer f.job.LimitHeap()()
	bar := a.Progress.Start(cmd, "positions", cli.Shares)
	defer bar.Stop()
	f.o.Progress = bar.Share
	t, err := f.open(a, cmd, bar, name)
	if err != nil {
		return err
	}
	defer t.Close()
	if info := t.Info(); f.distance != "" && !info.Distances() {
		return cli.Usagef("--within %s: the table has no distances", f.distance)
	}
	return f.job.Write(cmd, func(w io.Writer) error {
		_, err := export.Write(cmd.Context(), w, t, f.o)
		return err
	})
}

// open finds the values: in the named file, in a table from --tables, or by solving the game.
func (f *exportFlags) open(a *family.App, cmd *cobra.Command, bar *cli.Bar, name string) (*table.Table, error) {
	mem := uint64(f.job.Mem)
	file := func(name string) (*table.Table, error) {
		if err := f.job.Apart(files.Named{What: "the table", Name: name}); err != nil {
			return nil, err
		}
		return openTable(a, cmd, f.Rules, name, mem)
	}
	if _, missing := os.Stat(name); !errors.Is(missing, fs.ErrNotExist) {
		if f.tables != "" {
			return nil, cli.Usagef("--tables: %s is a table itself", name)
		}
		return file(name)
	}
	g, err := f.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w, and there is no file of this name", err)
	}
	fam := a.Of(g)
	if found := explore.Tables(&fam.Wing, g, f.tables, cli.Warner(cmd)); len(found) > 0 {
		return file(filepath.Join(f.tables, found[0].Name))
	}
	bar.Describe("solving")
	defer bar.Describe("positions")
	if fam.Solve != nil {
		if t, err := fam.Solve(cmd.Context(), g, f.job.Threads, mem); t != nil || err != nil {
			return t, err
		}
	}
	s, err := retro.Solve(cmd.Context(), g, retro.Options{Threads: f.job.Threads, Memory: mem / 2})
	if err != nil {
		return nil, err
	}
	return s.Make(cmd.Context(), mem/2)
}

// parseSpan reads one number, or two with a hyphen between them. Without a second number after the
// hyphen, to is −1: no bound.
func parseSpan(text string) (from, to int, err error) {
	if text == "" {
		return 0, -1, nil
	}
	bad := errors.New("want plies such as 7, 20-28 or 20-")
	first, second, spans := strings.Cut(text, "-")
	if from, err = strconv.Atoi(first); err != nil || from < 0 {
		return 0, 0, bad
	}
	switch {
	case !spans:
		return from, from, nil
	case second == "":
		return from, -1, nil
	}
	if to, err = strconv.Atoi(second); err != nil || to < from {
		return 0, 0, bad
	}
	return from, to, nil
}
