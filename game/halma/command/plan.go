package command

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"perfectplay/game/halma"
	"perfectplay/game/halma/numbering"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
)

// planRecord forecasts a complete solution.
type planRecord struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Distances bool   `json:"distances"`
	Positions uint64 `json:"positions"` // from the mover's side
	Places    uint64 `json:"places"`    // places worked on: one of a position and its mirror image
	Bytes     uint64 `json:"memory_bytes"`
	Least     uint64 `json:"least_memory_bytes"`
	Files     uint64 `json:"files_memory_bytes"` // least memory with --work
	Disk      uint64 `json:"disk_bytes"`         // size of the files with that, estimated
	Table     uint64 `json:"table_bytes"`        // size of the result before compression
	// Seconds is an estimate of the processor time of all threads together.
	Seconds cli.Seconds `json:"processor_seconds"`
	Threads int         `json:"threads"`

	// For the printed text.
	Memory, Compressed, Time string `json:"-"`
}

// newPlanRecord makes the plan by the forecasts of solver and table format; whole is an
// estimate of the processor time.
func newPlanRecord(spec *halma.TwoArmy, o strong.Options, whole time.Duration) (planRecord, error) {
	p, err := strong.NewPlan(spec, o)
	if err != nil {
		return planRecord{}, err
	}
	info, _, err := numbering.TwoInfo(spec, o.Distances, "")
	if err != nil {
		return planRecord{}, err
	}
	raw := (info.Numbers*uint64(info.Bits) + 7) / 8
	r := planRecord{
		Game: spec.ID, Rules: spec.Rules, Distances: o.Distances, Positions: p.Positions, Places: p.Places,
		Bytes: p.Bytes, Least: p.Least, Files: p.InFiles, Disk: p.Disk, Table: raw, Seconds: cli.Seconds(whole), Threads: o.Threads,
		Memory:     cli.Size(p.Bytes).String(),
		Compressed: humanize.IBytes(raw) + " before it is compressed",
		Time:       timeText(whole, o.Threads),
	}
	if p.Least < p.Bytes {
		r.Memory += fmt.Sprintf(", or %v at least, where it takes longer", cli.Size(p.Least))
	}
	if p.InFiles < p.Least {
		r.Memory += fmt.Sprintf("; with --work %v, and about %v in files", cli.Size(p.InFiles), cli.Size(p.Disk))
	}
	return r, nil
}

// printPlan prints the plan of a solve.
func (f *strongFlags) printPlan(cmd *cobra.Command, spec *halma.TwoArmy, o strong.Options) error {
	if err := f.Job.Resolve(cmd, 1, 0); err != nil {
		return err
	}
	o.Threads = f.Job.Threads
	if f.nodes.nodes > 0 {
		return f.printNodes(cmd, spec, o)
	}
	whole, err := strong.Estimate(cmd.Context(), spec)
	if err != nil {
		return err
	}
	r, err := newPlanRecord(spec, o, whole)
	if err != nil {
		return err
	}
	return cli.Records(&f.Job.Output, cmd, []planRecord{r}, cli.Fields[planRecord]("positions=positions:%s from the mover's side",
		"worked on=places:%s, of mirror images one each", "memory=Memory", "table=Compressed", "time=Time"))
}

// moment is processor time too short to plan.
const moment = 2 * time.Second

// timeText is the printed form of an estimate of processor time.
func timeText(whole time.Duration, threads int) string {
	if whole < moment {
		return "a moment"
	}
	return fmt.Sprintf("about %s of processor time, %s on %s to itself", cli.Roughly(whole), cli.Roughly(whole/time.Duration(threads)), cli.Plural(threads, "thread"))
}
