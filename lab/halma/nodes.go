package halma

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
)

type nodesFlags struct {
	family.Flags
	out           cli.Output
	nodes         int
	res           cli.Resources // processors and memory of each machine
	disk, network cli.Size      // bandwidth in bytes a second
}

// Nodes returns the command lab cluster plan.
func Nodes(a *family.App) *cobra.Command {
	f := nodesFlags{disk: 1 << 30, network: 1 << 27}
	cmd := &cobra.Command{
		Use:   "plan GAME --nodes N",
		Short: "say what a complete solution takes on many machines",
		Long: `plan says what solve strong on a game of Chinese Checkers for two takes on machines
of --threads and --mem each that share a disk: passes, files, memory and time.`,
		Example: `  lab cluster plan halma-6x6p6 --nodes 100 --threads 2`,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.out.Flags(cmd)
	f.res.Mem = 16 << 30
	f.res.ThreadFlag(cmd)
	f.res.MemFlag(cmd)
	cli.Number(cmd, &f.nodes, "nodes", 1, "plan for `N` machines")
	cmd.Flags().Var(&f.disk, "disk", "bandwidth of the shared disk, `SIZE` a second")
	cmd.Flags().Var(&f.network, "network", "`SIZE` a second between a machine and the disk")
	for _, name := range []string{"disk", "network"} {
		cli.CompleteBy(cmd, name, cli.CompleteSizes)
	}
	cli.Rules(cmd, cli.AtLeast("nodes", 1), cli.AtLeast("threads", 1))
	return cmd
}

const (
	tasksPerThread = 4                // least number of tiles for each thread; see docs/cluster.md
	taskStart      = 5 * time.Second  // time until a free node gets its next task
	fileOpened     = time.Millisecond // time to open a file on a shared disk and read its end
)

type nodesRecord struct {
	Game        string      `json:"game"`
	Rules       string      `json:"rules"`
	Positions   uint64      `json:"positions"`
	Nodes       int         `json:"nodes_used"`
	Threads     int         `json:"threads"` // threads of each node
	Tiles       int         `json:"tiles"`
	Passes      int         `json:"passes"`
	Memory      cli.Size    `json:"memory_bytes"` // memory of each node
	Read        cli.Size    `json:"read_bytes"`   // bytes read by all nodes in all passes
	Written     cli.Size    `json:"written_bytes"`
	Peak        cli.Size    `json:"peak_bytes"`
	NodeRead    cli.Size    `json:"node_read_bytes"`
	NodeWritten cli.Size    `json:"node_written_bytes"`
	Processor   cli.Seconds `json:"processor_seconds"` // processor time of all threads together
	Seconds     cli.Seconds `json:"seconds"`
	Bound       string      `json:"bound_by"` // the bottleneck of a pass: processors, disk or network

	Machines, Files, Each, Work, Time string `json:"-"` // for the printed text
}

func newNodesRecord(id, rules string, w strong.Work, f *nodesFlags, threads int) (r nodesRecord, err error) {
	if need := w.Least(); uint64(f.res.Mem) < need {
		return r, cli.Usagef("%s: --mem %v: at least %v is needed", id, cli.Size(f.res.Mem), cli.Size(need))
	}
	least, err := w.Tiles(threads, uint64(f.res.Mem), false)
	if err != nil {
		return r, cli.Usage(err)
	}
	p := w.Plan(max(least, tasksPerThread*threads*f.nodes))
	nodes := uint64(f.nodes)
	r = nodesRecord{Game: id, Rules: rules, Positions: w.Positions, Nodes: f.nodes, Threads: threads, Tiles: p.Tiles, Passes: p.Passes,
		Memory: cli.Size(p.Memory * uint64(threads)), Read: cli.Size(p.Read), Written: cli.Size(p.Written), Peak: cli.Size(p.Peak),
		NodeRead: cli.Size(p.Read / nodes), NodeWritten: cli.Size(p.Written / nodes), Processor: cli.Seconds(p.Time)}
	took := func(bytes, rate uint64) time.Duration {
		return time.Duration(float64(bytes) / float64(rate) * float64(time.Second))
	}
	work := p.Time / time.Duration(f.nodes*threads)
	r.Bound = "processors"
	if t := took(p.Read, uint64(f.disk)); t > work {
		work, r.Bound = t, "disk"
	}
	if t := took(p.Read/nodes, uint64(f.network)); t > work {
		work, r.Bound = t, "network"
	}
	var starts, opened time.Duration // zero for one machine, which needs no scheduler and has local files
	if nodes > 1 {
		turns := (p.Tiles + f.nodes*threads - 1) / (f.nodes * threads)
		starts = taskStart * time.Duration(p.Passes*(turns+1))
		// A task opens the files of all tiles, and so does the check after a pass.
		opened = fileOpened * time.Duration(p.Passes*p.Tiles*(turns+1))
	}
	all := work + opened + starts
	r.Seconds = cli.Seconds(all)
	r.Machines = cli.Count(uint64(f.nodes)).String() + " of " + cli.Plural(threads, "thread")
	r.Files = r.Read.String() + " read, " + r.Written.String() + " written, " + r.Peak.String() + " at once"
	r.Each = r.NodeRead.String() + " read, " + r.NodeWritten.String() + " written, " + r.Memory.String() + " of memory"
	r.Work = "about " + cli.Seconds(p.Time).String()
	r.Time = fmt.Sprintf("about %s, bound by %s; %s of it for opening files, %s for starts", cli.Seconds(all), r.Bound, cli.Seconds(opened), cli.Seconds(starts))
	return r, nil
}

func (f *nodesFlags) run(cmd *cobra.Command, id string) error {
	spec, err := InTasks(f.Open(id))
	if err != nil {
		return err
	}
	if _, err := strong.NewPlan(spec, strong.Options{}); err != nil {
		return cli.Usage(err)
	}
	w, err := strong.NewWork(spec)
	if err != nil {
		return cli.Usage(err)
	}
	r, err := newNodesRecord(spec.ID, spec.Rules, w, f, max(f.res.Threads, 1))
	if err != nil {
		return err
	}
	return cli.Records(&f.out, cmd, []nodesRecord{r}, cli.Fields[nodesRecord]("positions=positions:%s from the mover's side",
		"nodes=Machines", "tiles=tiles,passes:%s, %s passes", "files=Files", "each node=Each", "processors=Work", "time=Time"))
}
