package command

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/strong/tight"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
)

// tilesFlags are the flags of solve strong for a solve in passes over tiles.
type tilesFlags struct {
	dir     string
	stripes int
	pass    int
	part    string
	finish  bool
	short   time.Duration
}

// taskRecord says what a task of a pass has done.
type taskRecord struct {
	Pass int    `json:"pass"`
	Part string `json:"part"`
	Done int    `json:"done"` // tiles
}

// passRecord says what a pass has done.
type passRecord struct {
	Pass int `json:"pass"`
	// Positions that it decided; with distances those at distance Pass−1.
	Wins    uint64   `json:"wins"`
	Losses  uint64   `json:"losses"`
	Decided uint64   `json:"decided"` // places, for the next pass
	Read    cli.Size `json:"read_bytes"`
	Written cli.Size `json:"written_bytes"`
	Last    bool     `json:"last"`
}

// trafficRecord says what a solve in tiles did with its files.
type trafficRecord struct {
	Tiles   int      `json:"tiles"`
	Read    cli.Size `json:"read_bytes"`
	Written cli.Size `json:"written_bytes"`
	Peak    cli.Size `json:"peak_bytes"` // at once
}

func traffic(t *tight.Tiles) (*trafficRecord, error) {
	sum, err := t.Traffic()
	return &trafficRecord{t.Count(), cli.Size(sum.Read), cli.Size(sum.Written), cli.Size(sum.Peak)}, err
}

func (f *tilesFlags) flags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.dir, "tiles", "", "solve pass by pass in files of `DIR`, which may be shared, and go on with what is there")
	cli.Number(cmd, &f.stripes, "stripes", 0, "with --tiles: divide the table into `N` tiles (default: by --mem)")
	cli.Number(cmd, &f.pass, "pass", -1, "with --tiles: do only tasks of pass `P`")
	fl.StringVar(&f.part, "part", "", "do part `I/N` of the work only; auto/N: the one that a scheduler's array says")
	fl.BoolVar(&f.finish, "finish", false, "with --pass: check what the tasks of the pass have written, and say whether it is the last")
	fl.DurationVar(&f.short, "short", 0, "with --finish: go on with passes that take at most `TIME` of a processor, as far as one knows")
	cli.Before(cmd, func() error {
		given := cmd.Flags().Changed
		for _, name := range []string{"stripes", "pass"} {
			if given(name) && f.dir == "" {
				return cli.Usagef("--%s goes with --tiles", name)
			}
		}
		switch {
		case given("pass") && f.pass < 0:
			return cli.Usagef("--pass %d: passes are numbered from 0", f.pass)
		case given("stripes") && f.stripes < 1:
			return cli.Usagef("--stripes %d: want 1 or more", f.stripes)
		case (f.finish || f.part != "") && !given("pass"):
			return cli.Usagef("--part and --finish go with --pass")
		case given("pass") && f.finish == (f.part != ""):
			return cli.Usagef("--pass goes with --part or with --finish")
		case given("short") && !f.finish:
			return cli.Usagef("--short goes with --finish")
		case f.short < 0:
			return cli.Usagef("--short %v: want 0s or more", f.short)
		}
		for _, name := range []string{"checkpoint", "scratch", "reachable", "named", "plan"} {
			if f.dir != "" && given(name) {
				return cli.Usagef("--%s does not go with --tiles", name)
			}
		}
		if given("pass") && given("table") {
			return cli.Usagef("--table does not go with --pass: it comes after the last one")
		}
		return nil
	})
}

// runTiles solves in tiles: all of it, tasks of a pass, or the end of a pass.
func (f *strongFlags) runTiles(a *family.App, cmd *cobra.Command, g game.Game, spec *halma.TwoArmy) error {
	if _, err := tight.NewPlan(spec, 1); err != nil {
		return cli.Usage(err)
	}
	if err := f.job.Resolve(cmd, 1, 0); err != nil {
		return err
	}
	if err := f.checkFiles(cmd, g, spec); err != nil {
		return err
	}
	if err := files.MakeDir("tiles", f.tiles.dir); err != nil {
		return err
	}
	defer f.job.LimitHeap()()
	stripes := f.tiles.stripes
	if stripes == 0 && !tight.HasTiles(f.tiles.dir) {
		var err error
		if stripes, err = tight.TilesFor(spec, f.job.Threads, uint64(f.job.Mem), f.distances); err != nil {
			return cli.Usage(err)
		}
	}
	tiles, err := tight.OpenTiles(f.tiles.dir, spec, stripes, f.distances)
	if err != nil {
		return err
	}
	if f.tiles.pass >= 0 {
		return f.runPass(a, cmd, tiles)
	}
	claim, err := files.Take("the directory of tiles", f.tiles.dir)
	if err != nil {
		return err
	}
	defer claim.Release()
	return cli.Run(&f.job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]strongRecord, error) {
		begin := time.Now()
		if f.table != "" {
			const passes = 0.9 // of the work
			bar.Part(passes, cli.Shares)
		}
		before, err := tiles.Passes()
		if err != nil {
			return nil, err
		}
		err = tiles.Run(ctx, f.job.Threads, func(p strong.Progress) {
			bar.Describe("pass %d, %v positions decided", p.Pass, cli.Count(p.Decided))
			bar.Share(p.Share)
		})
		if err != nil {
			return nil, err
		}
		solved, err := tiles.Solution(f.distances)
		if err != nil {
			return nil, err
		}
		r := newStrongRecord(g, solved, solved.Passes())
		if err := solved.Err(); err != nil {
			return nil, err
		}
		r.Seconds, r.Threads, r.Resumed = cli.Since(begin), f.job.Threads, len(before) > 0
		if !r.Resumed {
			speed := float64(r.Positions) / time.Duration(r.Seconds).Seconds()
			r.PerSecond = &speed
		}
		r.MemoryBytes = cli.MemoryInUse()
		if r.Traffic, err = traffic(tiles); err != nil {
			return nil, err
		}
		if f.table != "" {
			bar.Describe("writing the table")
			bar.Part(1, cli.Shares)
			info, err := solved.Save(ctx, f.table, f.tiles.dir, spec, "perfectplay "+a.Program, 1, bar.Share)
			if err != nil {
				return nil, err
			}
			r.File, r.Signature = f.table, info.Signature
		}
		if f.plot != "" {
			if err := f.draw(r); err != nil {
				return nil, err
			}
		}
		return []strongRecord{*r}, nil
	}, func(w io.Writer, records []strongRecord) error { return records[0].write(w) })
}

// runPass does tasks of a pass, or ends it.
func (f *strongFlags) runPass(a *family.App, cmd *cobra.Command, tiles *tight.Tiles) error {
	if f.tiles.finish {
		return cli.Run(&f.job.Output, &a.Progress, cmd, "checking", cli.Shares, func(ctx context.Context, _ *cli.Bar) ([]passRecord, error) {
			ended, err := tiles.FinishOn(ctx, f.tiles.pass, f.job.Threads, f.tiles.short)
			var records []passRecord
			for _, r := range ended {
				records = append(records, passRecord{r.Pass, r.Wins, r.Losses, r.Sent, cli.Size(r.Read), cli.Size(r.Written), r.Final})
			}
			return records, err
		}, cli.Fields[passRecord]("pass=pass", "won=wins", "lost=losses", "decided=decided:%s places for the next pass", "files=read_bytes,written_bytes:%s read, %s written", "last=last"))
	}
	part, err := cli.ReadPart(f.tiles.part)
	if err != nil {
		return err
	}
	from, to := (part.I-1)*tiles.Count()/part.N, part.I*tiles.Count()/part.N
	return cli.Run(&f.job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]taskRecord, error) {
		err := tiles.Tasks(ctx, f.tiles.pass, from, to, f.job.Threads, func(done int) { bar.Share(float64(done) / float64(to-from)) })
		if err != nil {
			return nil, err
		}
		return []taskRecord{{f.tiles.pass, part.String(), to - from}}, nil
	}, cli.Fields[taskRecord]("pass=pass", "part=part,done:%s, %s tiles done"))
}
