package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino"
	"perfectplay/game/domino/census"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/host"
	"perfectplay/internal/impl"
	"perfectplay/internal/parts"
)

// censusRecord is the answer about a part.
type censusRecord struct {
	File    string      `json:"file"`
	Part    string      `json:"part"`
	Units   int         `json:"units"`
	Of      int         `json:"all_units"`
	Games   int64       `json:"games"`
	Share   float64     `json:"share"`
	Classes int64       `json:"classes"`
	Seconds cli.Seconds `json:"seconds"`          // time of this run
	Rate    *float64    `json:"games_per_second"` // nil if this run had nothing to do
	Kernel  string      `json:"kernel"`
	Verdict string      `json:"verdict"` // complete, or interrupted

	All   int64         `json:"-"` // number of games in the whole census
	Whole time.Duration `json:"-"` // estimated processor time for all games
}

// The time for all games is estimated only from a part with at least 1/fairShare of all games. Such
// a part takes about ten seconds.
const fairShare = 500

type censusFlags struct {
	job    cli.Job
	part   string
	parts  string // directory of the files of parts, which are named after their parts
	file   string
	every  time.Duration
	verify int
	seed   uint64
}

func newCensusCommand(a *family.App) *cobra.Command {
	var f censusFlags
	cmd := &cobra.Command{
		Use:   "census --part I/N [--census FILE] | census --sample N",
		Short: "solve a part of all games, or check the census by plain search",
		Long: `census solves every game of a part: part 3/64 holds every 64th second hand of
each family of starter's hands, a fair sample of all 68,640,549,120 games. The
parts 1/N to N/N together are all games; solve merge adds them up.

The file is written every --interval and at the end. Interrupted, or with a
file that is not complete, census continues where it stopped, and the file comes
out the same. A file that is not this part is refused and stays. Without
--census it is census.I-of-N.part in --parts.

--sample N solves N games both ways, as the census does and by plain alpha-beta
and a walk over all lines, and fails if one differs. Half of them are drawn from
all games, half evenly from the 874 families of starter's hands.

Where --mem has no room for all threads, fewer work.`,
		Example: `  solve domino census --part 1/100 --census part-1.census
  solve domino census --sample 100000`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.job.Flags(cmd, LeastMemory)
	fl := cmd.Flags()
	cli.PartFlags(cmd, &f.part, &f.parts)
	fl.StringVar(&f.file, "census", "", "keep the counts in `FILE`, and continue from them")
	cli.IntervalFlag(cmd, &f.every, time.Minute)
	cli.Number(cmd, &f.verify, "sample", 0, "solve `N` random games both ways instead")
	cli.SeedFlag(cmd, &f.seed)
	cli.Rules(cmd, cli.Wants("part", "census", "sample"), cli.Excludes("sample", "part", "census"), cli.AtLeast("sample", 1), cli.Excludes("census", "parts"))
	return cmd
}

// fit takes as many threads as --mem has room for, at least one, and limits the heap until
// restore is called.
func (f *censusFlags) fit(cmd *cobra.Command, need func(threads int) uint64) (restore func(), err error) {
	if err := f.job.Resolve(cmd, cli.Size(need(1)), 0); err != nil {
		return nil, err
	}
	for f.job.Threads > 1 && need(f.job.Threads) > uint64(f.job.Mem) {
		f.job.Threads--
	}
	return f.job.LimitHeap(), nil
}

func (f *censusFlags) run(a *family.App, cmd *cobra.Command) error {
	if f.verify > 0 {
		return f.runVerify(a, cmd)
	}
	part := parts.Part{I: 1, N: 1}
	if f.part != "" {
		var err error
		if part, err = cli.ReadPart(f.part); err != nil {
			return err
		}
	}
	if f.file == "" {
		if err := files.MakeDir("parts", f.parts); err != nil {
			return err
		}
		f.file = filepath.Join(f.parts, part.Name("census"))
	}
	restore, err := f.fit(cmd, census.RunMemory)
	if err != nil {
		return err
	}
	defer restore()
	c, err := census.New(part.I, part.N)
	if err != nil {
		return cli.Usage(err)
	}
	if err := f.job.Apart(files.Named{What: "the part", Name: f.file}); err != nil {
		return err
	}
	if err := files.Replaceable("the part", f.file); err != nil {
		return err
	}
	claim, err := files.Take("the part", f.file)
	if err != nil {
		return err
	}
	defer claim.Release()
	switch old, err := census.Load(f.file); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case old.Part != part.I || old.Parts != part.N:
		return cli.Usagef("%s holds part %d/%d, not %v", f.file, old.Part, old.Parts, part)
	default:
		c = old
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, "part "+part.String(), census.Units, func(ctx context.Context, bar *cli.Bar) ([]censusRecord, error) {
		before, begin, used, from := c.Tally.All().Games, time.Now(), host.ProcessTime(), c.Done
		bar.Set(int64(from))
		save := func() error { return c.Save(f.file) }
		stopped := c.Run(ctx, census.Options{Threads: f.job.Threads, Every: f.every, Save: save,
			Progress: func(units int) { bar.Set(int64(units)) }})
		if stopped != nil && !errors.Is(stopped, context.Canceled) {
			return nil, stopped
		}
		if c.Done > from || from == 0 {
			if err := save(); err != nil {
				return nil, err
			}
		}
		r := newCensusRecord(f.file, c)
		r.Seconds, r.Kernel = cli.Since(begin), impl.Active("domino/census")
		if games := r.Games - before; games > 0 {
			r.Rate = new(float64(games) / time.Duration(r.Seconds).Seconds())
			if games >= domino.GameCount/fairShare {
				r.Whole = time.Duration(float64(host.ProcessTime()-used) * domino.GameCount / float64(games))
			}
		}
		return []censusRecord{r}, cli.Saved(stopped)
	}, cli.Fields[censusRecord]("part=part,verdict,file:%s, %s, in %s", "units=units,all_units:%d of %d", "games", "share of all=games/All", "classes",
		"time=seconds", "rate=games_per_second,kernel:%.3g games/s, %s", "all games would take=Whole?:%s of processor time"))
}

func newCensusRecord(file string, c *census.Census) censusRecord {
	r := censusRecord{File: file, Part: fmt.Sprintf("%d/%d", c.Part, c.Parts), Units: c.Done, Of: census.Units,
		Games: c.Tally.All().Games, Classes: c.Tally.Classes, Verdict: "complete", All: domino.GameCount}
	r.Share = float64(r.Games) / domino.GameCount
	if !c.Complete() {
		r.Verdict = "interrupted"
	}
	return r
}

type verifyRecord struct {
	census.Verified
	Seed    uint64      `json:"seed"`
	Kernel  string      `json:"kernel"`
	Seconds cli.Seconds `json:"seconds"`
}

func (f *censusFlags) runVerify(a *family.App, cmd *cobra.Command) error {
	restore, err := f.fit(cmd, func(threads int) uint64 { return census.VerifyMemory(f.verify, threads) })
	if err != nil {
		return err
	}
	defer restore()
	begin := time.Now()
	return cli.Run(&f.job.Output, &a.Progress, cmd, "games both ways", int64(f.verify), func(ctx context.Context, bar *cli.Bar) ([]verifyRecord, error) {
		done, err := census.Verify(ctx, f.verify, f.seed, f.job.Threads, func() { bar.Add(1) })
		if err != nil {
			return nil, err
		}
		return []verifyRecord{{done, f.seed, impl.Active("domino/census"), cli.Since(begin)}}, nil
	}, func(w io.Writer, records []verifyRecord) {
		r := records[0]
		fmt.Fprintf(w, "%v games of %v classes of %d families: all agree in value, lines, blocked lines and signs (kernel %s, seed %d)\n",
			cli.Count(r.Games), cli.Count(r.Classes), r.Families, r.Kernel, r.Seed)
	})
}

// mergeFlags are the flags of solve domino merge, which solve merge runs.
type mergeFlags struct {
	out  cli.Output
	file string
}

func newMergeCommand() *cobra.Command {
	var f mergeFlags
	cmd := &cobra.Command{
		Use:    "merge --census FILE PART...",
		Short:  "add up the parts of a census",
		Hidden: true, // solve merge runs this command
		Long: `merge adds the files of all parts of a census, checks the sums against the exact
numbers of games, and writes the whole to a file that show reads. Damaged,
incomplete, overlapping or missing parts are refused with a list.`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.out.Flags(cmd)
	cmd.Flags().StringVar(&f.file, "census", "", "write the whole to `FILE`")
	cli.Rules(cmd, cli.Wants("census"))
	return cmd
}

func (f *mergeFlags) run(cmd *cobra.Command, args []string) error {
	if whole, err := os.Stat(f.file); err == nil && whole.Size() > 0 {
		if old, err := census.Load(f.file); err != nil {
			return err
		} else if old.Parts != 1 || !old.Complete() {
			return fmt.Errorf("%s holds part %d/%d, which the whole would replace", f.file, old.Part, old.Parts)
		}
	}
	if err := files.Replaceable("the whole", f.file); err != nil {
		return err
	}
	claim, err := files.Take("the whole", f.file)
	if err != nil {
		return err
	}
	defer claim.Release()
	c, err := census.Merge(args)
	if err != nil {
		return err
	}
	if wrong := c.Tally.Check(); len(wrong) > 0 {
		return fmt.Errorf("the parts do not add up: %s", strings.Join(wrong, "; "))
	}
	if err := c.Save(f.file); err != nil {
		return err
	}
	r := newCensusRecord(f.file, c)
	return cli.Records(&f.out, cmd, []censusRecord{r}, func(w io.Writer, _ []censusRecord) {
		fmt.Fprintf(w, "%d parts, %v games: complete, and all sums agree; written to %s\n", len(args), cli.Count(r.Games), f.file)
	})
}
