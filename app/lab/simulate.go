package lab

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/internal/cluster"
	"perfectplay/internal/plot"
)

// simulateFlags are the flags of lab cluster simulate.
type simulateFlags struct {
	out          cli.Output
	work, fixed  time.Duration
	start        time.Duration
	meanFailure  time.Duration
	passes, most int
	seed         uint64
	plot         string
}

// simulated is a job on so many nodes, in so many tasks a node.
type simulated struct {
	Nodes      int         `json:"nodes_used"`
	PerNode    int         `json:"tasks_per_node"`
	Seconds    cli.Seconds `json:"seconds"`
	Efficiency float64     `json:"efficiency_percent"` // the work without what tasks add, of all nodes' time
	Fixed      float64     `json:"fixed_percent"`      // what tasks add
	Failures   int         `json:"failures"`

	Days float64 `json:"-"`
}

// What the simulation takes for granted: of a cluster of the usual kind.
const (
	stragglers   = 0.02
	slower       = 1.5
	noticed      = 300 * time.Second
	repaired     = time.Hour
	saved        = time.Minute
	costsSpread  = 0.1 // standard deviation of tasks' costs
	mostSimNodes = 100_000
)

func newSimulateCommand(a *family.App) *cobra.Command {
	var f simulateFlags
	cmd := &cobra.Command{
		Use:   "simulate --takes TIME",
		Short: "how a job scales: efficiency on more and more nodes",
		Long: `simulate replays a job on 1 to --max-nodes nodes, in 1, 4, 16 and 64 tasks a node,
and says how much of the nodes' time is work. --takes is what the job takes on one
node, --fixed what every task costs beside its share, as loading what all tasks
need; both should be measured. With --passes the work is done in so many passes,
each of which begins when the one before is over.

It is a simulation of a cluster of the usual kind: 2 % of the nodes are 1.5 times
slower, costs of tasks deviate by 10 %, a node fails once in --failure, which is
noticed after 5 minutes, loses up to a minute of work and takes the node away for
an hour.`,
		Example: "  lab cluster simulate --takes 600h --fixed 3s --plot census.svg\n  lab cluster simulate --takes 1267h --passes 24",
		Args:    cli.Args(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.out.Flags(cmd)
	fl := cmd.Flags()
	fl.DurationVar(&f.work, "takes", 0, "`TIME` that the job takes on one node")
	fl.DurationVar(&f.fixed, "fixed", 0, "`TIME` that every task costs beside its share")
	fl.DurationVar(&f.start, "start", 5*time.Second, "`TIME` until a node that is free has its next task")
	fl.DurationVar(&f.meanFailure, "failure", 1000*time.Hour, "mean `TIME` between failures of a node")
	cli.Number(cmd, &f.passes, "passes", 1, "divide the work into `N` passes")
	cli.Number(cmd, &f.most, "max-nodes", 1000, "try up to `N` nodes, by powers of ten")
	cli.SeedFlag(cmd, &f.seed)
	fl.StringVar(&f.plot, "plot", "", "draw the efficiency into `FILE`, as svg, png or pdf")
	return cmd
}

// tasksPerNode are how finely work is divided.
var tasksPerNode = []int{1, 4, 16, 64}

func (f *simulateFlags) run(a *family.App, cmd *cobra.Command) error {
	switch {
	case f.work < time.Second:
		return cli.Usagef("--takes %v: want at least 1s", f.work)
	case f.fixed < 0 || f.start < 0 || f.meanFailure <= 0:
		return cli.Usagef("--fixed, --start and --failure: want no time below 0, and some between failures")
	case f.passes < 1 || f.passes > 10_000:
		return cli.Usagef("--passes %d: want 1 to 10000", f.passes)
	case f.most < 1 || f.most > mostSimNodes:
		return cli.Usagef("--max-nodes %d: want 1 to %d", f.most, mostSimNodes)
	}
	if err := plot.Check(cmd, f.plot); err != nil {
		return err
	}
	var sizes []int
	for n := 1; n <= f.most; n *= 10 {
		sizes = append(sizes, n)
	}
	return cli.Run(&f.out, &a.Progress, cmd, "clusters", int64(len(sizes)*len(tasksPerNode)), func(ctx context.Context, bar *cli.Bar) (records []simulated, err error) {
		var panels []plot.Panel
		for _, k := range tasksPerNode {
			p := plot.Panel{Title: fmt.Sprintf("%d tasks a node and pass", k), X: "nodes, as a power of ten", Y: "efficiency, %"}
			for _, n := range sizes {
				if ctx.Err() != nil {
					return records, ctx.Err()
				}
				r := f.replay(n, k)
				records = append(records, r)
				p.Line = append(p.Line, plot.Point{X: math.Log10(float64(n)), Y: r.Efficiency})
				bar.Add(1)
			}
			p.Dots = p.Line
			panels = append(panels, p)
		}
		if f.plot != "" {
			return records, plot.Save(f.plot, panels...)
		}
		return records, nil
	}, func(w io.Writer, records []simulated) error {
		return cli.Grid[simulated]("nodes=nodes_used", "tasks a node=tasks_per_node", "days=Days:%.3f", "efficiency=efficiency_percent:%.1f %%",
			"fixed costs=fixed_percent:%.1f %%", "failures")(w, records)
	})
}

// replay runs the job on a cluster.
func (f *simulateFlags) replay(nodes, perNode int) simulated {
	rng := rand.New(rand.NewPCG(f.seed, uint64(perNode)))
	tasks := nodes * perNode
	share := f.work.Seconds() / float64(f.passes) / float64(tasks)
	passes, fixed := make([][]float64, f.passes), 0.0
	for i := range passes {
		sum := 0.0
		costs := make([]float64, tasks)
		for k := range costs {
			costs[k] = max(0.1, 1+costsSpread*rng.NormFloat64())
			sum += costs[k]
		}
		for k := range costs {
			costs[k] = costs[k]*share*float64(tasks)/sum + f.fixed.Seconds()
		}
		fixed += f.fixed.Seconds() * float64(tasks)
		passes[i] = costs
	}
	farm := cluster.Farm{Nodes: nodes, Start: f.start.Seconds(), Stragglers: stragglers, Slow: slower, MeanFailure: f.meanFailure.Seconds(),
		Notice: noticed.Seconds(), Interval: saved.Seconds(), Repair: repaired.Seconds(), Seed: f.seed}
	o := farm.Replay(passes)
	all := o.Makespan * float64(nodes)
	return simulated{Nodes: nodes, PerNode: perNode, Seconds: cli.Seconds(o.Makespan * float64(time.Second)), Efficiency: 100 * (o.Work - fixed) / all,
		Fixed: 100 * fixed / all, Failures: o.Failures, Days: o.Makespan / 86400}
}
