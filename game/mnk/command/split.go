package command

import (
	"context"
	"errors"
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

// runSplit proves the empty board in pieces: the pieces of one part, or all pieces. With the
// results of all parts it only joins their proofs.
func (f *solveFlags) runSplit(a *family.App, cmd *cobra.Command, g *mnk.Game) error {
	split, err := prove.NewSplit(g, f.split)
	if err != nil {
		return cli.Usage(err)
	}
	o, room := f.search, uint64(0)
	jobs := min(f.res.Threads, max(1, int((f.res.Mem-cli.ProgramMemory)/leastJob)))
	var undo func()
	o.Memory, room, undo = f.divide(jobs)
	defer undo()
	costs, err := split.Costs(cmd.Context(), o)
	if err != nil {
		return err
	}
	var tasks []parts.Task
	for i, cost := range costs {
		tasks = append(tasks, parts.Task{Name: split.Position(i), Cost: cost})
	}
	do := func(ctx context.Context, i int) (prove.Proved, error) { return split.Prove(ctx, i, o, room) }
	if f.parts.One() {
		return cli.RunPart(&f.parts, &f.out, &a.Progress, cmd, tasks, jobs, do)
	}
	proved, err := cli.Merged[prove.Proved](&f.parts, cmd, tasks)
	if err != nil {
		return err
	}
	return cli.Run(&f.out, &a.Progress, cmd, g.ID(), int64(len(tasks)), func(ctx context.Context, bar *cli.Bar) ([]record, error) {
		if proved == nil {
			if proved, err = f.proveAll(ctx, bar, jobs, len(tasks), do); err != nil {
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
			sum.Add(p.Result)
		}
		rec := toRecord(g, v, sum)
		rec.Position, rec.Path = g.Start().String(), []string{}
		rec.Divided = fmt.Sprintf("after %s: %s", cli.Plural(f.split, "stone"), cli.Plural(len(tasks), "position"))
		err = f.verify(bar, g, &rec, func(w io.Writer, told func(prove.Checked)) (prove.Checked, error) {
			return f.join(ctx, j, proved, w, told)
		})
		if err != nil {
			return nil, err
		}
		return []record{rec}, nil
	}, func(w io.Writer, records []record) { solveText(w, g, g.Start(), records) })
}

// join writes the joined proof. It uses the memory that the proofs of the pieces leave free.
func (f *solveFlags) join(ctx context.Context, j *prove.Joined, proved []prove.Proved, w io.Writer, told func(prove.Checked)) (prove.Checked, error) {
	defer f.res.LimitHeap()()
	bytes := int64(f.res.Mem - cli.ProgramMemory)
	bytes -= prove.RoomBytes(bytes) - bytes
	for _, p := range proved {
		bytes -= int64(len(p.Proof))
	}
	n, err := j.Certify(ctx, uint64(max(bytes, 0)), w, told)
	if errors.Is(err, prove.ErrMemory) {
		return n, cli.Usagef("--mem %v: joining the pieces: %v", f.res.Mem, err)
	}
	return n, err
}

func (f *solveFlags) proveAll(ctx context.Context, bar *cli.Bar, jobs, n int, do func(context.Context, int) (prove.Proved, error)) ([]prove.Proved, error) {
	list := make([]prove.Proved, n)
	ctx, stop := cli.Timed(ctx, f.time)
	defer stop()
	err := host.Parallel(ctx, host.Threads(jobs), n, func(_ struct{}, i int) (err error) {
		if list[i], err = do(ctx, i); err != nil {
			stop() // end the work on the other pieces
		}
		bar.Add(1)
		return err
	})
	return list, err
}
