package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
	"perfectplay/internal/host"
	"perfectplay/internal/parts"
)

// splitUsage refuses what does not go with a proof in pieces, and fills in after how
// many stones it is divided.
func (f *solveFlags) splitUsage(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	divided := f.parts.One() || f.parts.Merging()
	if !divided && !changed("split") {
		return nil
	}
	for _, name := range []string{"openings", "strong", "position", "moves", "sample"} {
		if changed(name) {
			return cli.Usagef("--%s does not go with --split and --part", name)
		}
	}
	if f.parts.One() {
		for _, name := range []string{"certificate", "check", "time"} {
			if changed(name) {
				return cli.Usagef("--%s goes with solve merge, not with --part", name)
			}
		}
	}
	if f.split == 0 && !changed("split") {
		f.split = 1
	}
	if f.split < 1 {
		return cli.Usagef("--split %d: want 1 or more", f.split)
	}
	return nil
}

// runSplit proves the empty board in pieces: those of a part, all of them, or with
// what parts have proved.
func (f *solveFlags) runSplit(a *family.App, cmd *cobra.Command, g *mnk.Game) error {
	split, err := prove.NewSplit(g, f.split)
	if err != nil {
		return cli.Usage(err)
	}
	o := f.search
	o.Memory = int64(f.res.Mem) - int64(f.res.Mem)/checkShare
	o.Memory = max(o.Memory/int64(f.res.Threads), prove.MinMemory)
	costs, err := split.Costs(cmd.Context(), o)
	if err != nil {
		return err
	}
	var tasks []parts.Task
	for i, cost := range costs {
		tasks = append(tasks, parts.Task{Name: split.Position(i), Cost: cost})
	}
	do := func(ctx context.Context, i int) (prove.Proved, error) { return split.Prove(ctx, i, o) }
	if f.parts.One() {
		return cli.RunPart(&f.parts, &f.out, &a.Progress, cmd, tasks, f.res.Threads, do)
	}
	proved, err := cli.Merged[prove.Proved](&f.parts, cmd, tasks)
	if err != nil {
		return err
	}
	var said []string
	return cli.Run(&f.out, &a.Progress, cmd, g.ID(), int64(len(tasks)), func(ctx context.Context, bar *cli.Bar) ([]record, error) {
		if proved == nil {
			if proved, err = f.proveAll(ctx, bar, len(tasks), do); err != nil {
				return nil, err
			}
		}
		bar.Describe("joining the proofs")
		j, err := split.Join(proved)
		if err != nil {
			return nil, err
		}
		v, sum := game.Draw, prove.Result{Won: j.Claim.Win, Move: j.First}
		if j.Claim.Win {
			v = game.Win
		}
		for _, p := range proved {
			r := p.Result
			sum.Nodes, sum.Hits, sum.Elapsed, sum.Fill = sum.Nodes+r.Nodes, sum.Hits+r.Hits, sum.Elapsed+r.Elapsed, max(sum.Fill, r.Fill)
			for i, n := range r.Leaves {
				sum.Leaves[i] += n
			}
		}
		rec := toRecord(g, v, sum)
		rec.Position, rec.Path = g.Start().String(), []string{}
		if said, err = f.verify(bar, g, func(w io.Writer, told func(prove.Checked)) (prove.Checked, error) { return j.Certify(ctx, w, told) }); err != nil {
			return nil, err
		}
		said = append([]string{fmt.Sprintf("divided   after %s: %s", cli.Plural(f.split, "stone"), cli.Plural(len(tasks), "position"))}, said...)
		return []record{rec}, nil
	}, func(w io.Writer, records []record) error { return solveText(w, g, g.Start(), records, said) })
}

// proveAll proves all pieces.
func (f *solveFlags) proveAll(ctx context.Context, bar *cli.Bar, n int, do func(context.Context, int) (prove.Proved, error)) ([]prove.Proved, error) {
	if f.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.time)
		defer cancel()
	}
	list := make([]prove.Proved, n)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := host.Parallel(ctx, host.Threads(f.res.Threads), n, func(_ struct{}, i int) (err error) {
		if list[i], err = do(ctx, i); err != nil {
			stop() // the others
		}
		bar.Add(1)
		return err
	})
	return list, err
}
