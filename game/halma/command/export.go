package command

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/halma/tablebase"
	"perfectplay/game/halma/tablebase/export"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/internal/files"
)

// exportFlags are the flags of solve export.
type exportFlags struct {
	family.Flags
	job      cli.Job
	o        export.Options
	values   []string
	distance string
}

// exported are the values that --values takes.
var exported = []string{game.Win.String(), game.Loss.String(), game.Draw.String()}

func newExportCommand(a *family.App) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "write the positions of a table with the worth of all moves",
		Long: `export writes a row for each position of a table made by solve strong, in the
order of their numbers: the position with the first seat to move, its value and
distance to that seat, how many positions the row is (2 with its mirror image,
else 1), and every legal move with its value and distance, best first. In CSV
the moves are words such as b1-c4:win:29.

All positions, or those of --values and --within; of these all, or --sample N
at random. A table is fastest where it fits --mem.

docs/read_table.py is a reader of tables in Python, for those who want the
numbers without this program.`,
		Example: `  solve export star37.table --sample 1e5 -o sample.csv
  solve export star37.table --values loss --within 20-28 --json
  solve export halma-5x5p3.sturtevant.distances | gzip > all.csv.gz`,
		GroupID: cli.GroupSolve,
		Args:    cli.Args("FILE"),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, 1<<20)
	cli.Number(cmd, &f.o.Sample, "sample", 0, "write `N` positions at random (default: all)")
	cli.SeedFlag(cmd, &f.o.Seed)
	cli.Choices(cmd, &f.values, "values", nil, exported, "write positions of these `VALUES` only: "+strings.Join(exported, ", "))
	cmd.Flags().StringVar(&f.distance, "within", "", "write positions of these `DISTANCES` in plies only, as 7, 20-28 or 20-")
	return cmd
}

// run exports.
func (f *exportFlags) run(a *family.App, cmd *cobra.Command, file string) error {
	var err error
	if f.o.From, f.o.To, err = parseSpan(f.distance); err != nil {
		return cli.Usage(fmt.Errorf("--within %q: %w", f.distance, err))
	}
	for _, v := range []game.Value{game.Loss, game.Draw, game.Win} {
		for _, name := range f.values {
			if name == v.String() {
				f.o.Values = append(f.o.Values, v)
			}
		}
	}
	if err := f.job.Apart(files.Named{What: "the table", Name: file}); err != nil {
		return err
	}
	t, g, err := openTable(cmd, f.Rules, file, uint64(f.job.Mem))
	if err != nil {
		return err
	}
	defer t.Close()
	if f.distance != "" && t.Info().Kind != tablebase.Distances {
		return cli.Usagef("--within %s: the table has no distances", f.distance)
	}
	f.o.JSON, f.o.Threads = f.job.JSON(), f.job.Threads
	bar := a.Progress.Start(cmd, "positions", cli.Shares)
	defer bar.Stop()
	f.o.Progress = bar.Share
	return f.job.Write(cmd, func(w io.Writer) error {
		_, err := export.Write(cmd.Context(), w, g, t, f.o)
		return err
	})
}

// parseSpan reads a number, or two with a hyphen between them, the second of which
// may be left out; −1 is no bound.
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
