package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/store"
)

// tilesFlags are the flags of solve strong for a solve in passes over tiles.
type tilesFlags struct {
	stripes int
	pass    int
	part    string
	finish  bool
	short   time.Duration
}

// taskRecord is the result of tasks of a pass.
type taskRecord struct {
	Pass int    `json:"pass"`
	Part string `json:"part"`
	Done int    `json:"done"` // tiles done
}

// passRecord counts the results of a pass.
type passRecord struct {
	Pass int `json:"pass"`
	// Positions that it decided; with distances those at distance Pass−1.
	Wins    uint64   `json:"wins"`
	Losses  uint64   `json:"losses"`
	Decided uint64   `json:"decided"` // places decided for the next pass
	Read    cli.Size `json:"read_bytes"`
	Written cli.Size `json:"written_bytes"`
	Last    bool     `json:"last"`
}

func traffic(t *strong.Tiles) (*family.Traffic, error) {
	sum, err := t.Traffic()
	return &family.Traffic{Tiles: t.Count(), Read: cli.Size(sum.Read), Written: cli.Size(sum.Written), Peak: cli.Size(sum.Peak)}, err
}

func (f *tilesFlags) flags(cmd *cobra.Command) {
	fl := cmd.Flags()
	cli.Number(cmd, &f.stripes, "stripes", 0, "with --work: divide the table into `N` tiles (default: by --mem)")
	cli.Number(cmd, &f.pass, "pass", -1, "with --work: do only tasks of pass `P`")
	fl.StringVar(&f.part, "part", "", "do part `I/N` of the work only; auto/N: the one that a scheduler's array says")
	fl.BoolVar(&f.finish, "finish", false, "with --pass: check what the tasks of the pass have written, and say whether it is the last")
	fl.DurationVar(&f.short, "short", 0, "with --finish: also run following passes estimated below `TIME` of processor time")
	cli.Before(cmd, func() error {
		given := cmd.Flags().Changed
		for _, name := range []string{"stripes", "pass"} {
			if given(name) && !given("work") {
				return cli.Usagef("--%s goes with --work", name)
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
		for _, name := range []string{"fresh", "reachable", "plan"} {
			if given("pass") && given(name) {
				return cli.Usagef("--%s does not go with --pass", name)
			}
		}
		if given("pass") && given("table") {
			return cli.Usagef("--table does not go with --pass: it comes after the last one")
		}
		return nil
	})
}

// given says whether a flag of tiles is given.
func (f *tilesFlags) given() bool { return f.stripes > 0 || f.pass >= 0 }

// runPass does tasks of a pass, or ends it.
func (f *strongFlags) runPass(cmd *cobra.Command, g game.Game, spec *halma.TwoArmy, o strong.Options) error {
	if err := f.Job.Resolve(cmd, 1, 0); err != nil {
		return err
	}
	if err := f.Check(cmd, &f.Job, g, f.Distances, files.Named{What: "the plot", Name: f.plot}); err != nil {
		return err
	}
	defer f.Job.LimitHeap()()
	o.Threads, o.Memory = f.Job.Threads, uint64(f.Job.Mem)
	tiles, err := strong.OpenTiles(spec, o)
	if errors.Is(err, store.ErrChanged) {
		return fmt.Errorf("%w: begin anew in another directory", err)
	} else if err != nil {
		return err
	}
	if f.tiles.finish {
		return cli.Run(&f.Job.Output, &f.app.Progress, cmd, "checking", cli.Shares, func(ctx context.Context, _ *cli.Bar) ([]passRecord, error) {
			ended, err := tiles.FinishOn(ctx, f.tiles.pass, f.Job.Threads, f.tiles.short)
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
	return cli.Run(&f.Job.Output, &f.app.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]taskRecord, error) {
		err := tiles.Tasks(ctx, f.tiles.pass, from, to, f.Job.Threads, func(done int) { bar.Share(float64(done) / float64(to-from)) })
		if err != nil {
			return nil, err
		}
		return []taskRecord{{f.tiles.pass, part.String(), to - from}}, nil
	}, cli.Fields[taskRecord]("pass=pass", "part=part,done:%s, %s tiles done"))
}
