package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/tablebase"
	"perfectplay/internal/cli"
)

// planRecord is what a complete solution takes, known before it is begun.
type planRecord struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Distances bool   `json:"distances"`
	Positions uint64 `json:"positions"` // from the mover's side
	Places    uint64 `json:"places"`    // worked on: of mirror images one
	Bytes     uint64 `json:"memory_bytes"`
	Least     uint64 `json:"least_memory_bytes"`
	Disk      uint64 `json:"disk_bytes"`  // of scratch files, with the least memory
	Table     uint64 `json:"table_bytes"` // of the result before it is compressed
	// Seconds is an estimate of the processor time of all threads together.
	Seconds cli.Seconds `json:"processor_seconds"`
	Threads int         `json:"threads"`
}

// newPlanRecord asks the solver and the table format. The time is not filled in.
func newPlanRecord(spec *halma.TwoArmy, o strong.Options) (planRecord, error) {
	p, err := strong.NewPlan(spec, o)
	if err != nil {
		return planRecord{}, err
	}
	info, _, err := tablebase.NewInfo(spec, o.Distances, "")
	if err != nil {
		return planRecord{}, err
	}
	return planRecord{
		Game: spec.ID, Rules: spec.Rules, Distances: o.Distances, Positions: p.Positions, Places: p.Places,
		Bytes: p.Bytes, Least: p.Least, Disk: p.Disk, Table: info.RawBytes(), Threads: o.Threads,
	}, nil
}

// estimate fills in the time.
func (r *planRecord) estimate(ctx context.Context, spec *halma.TwoArmy) error {
	d, err := strong.Estimate(ctx, spec)
	if err != nil {
		return err
	}
	r.Seconds = cli.Seconds(d)
	return nil
}

// memory and time are a record's figures for people.
func (r *planRecord) memory() string {
	text := cli.Size(r.Bytes).String()
	if r.Least < r.Bytes {
		text += fmt.Sprintf(", or %v at least and %v in files", cli.Size(r.Least), cli.Size(r.Disk))
	}
	return text
}

func (r *planRecord) time() string {
	whole := time.Duration(r.Seconds)
	return fmt.Sprintf("about %s of processor time, %s on %s to itself", cli.Roughly(whole), cli.Roughly(whole/time.Duration(r.Threads)), cli.Plural(r.Threads, "thread"))
}

// printPlan says what a solve takes.
func (f *strongFlags) printPlan(cmd *cobra.Command, spec *halma.TwoArmy) error {
	if err := f.job.Resolve(cmd, 1, 0); err != nil {
		return err
	}
	r, err := newPlanRecord(spec, strong.Options{Distances: f.distances, Reachable: f.reachable, Threads: f.job.Threads})
	if err != nil {
		return cli.Usage(err)
	}
	if err := r.estimate(cmd.Context(), spec); err != nil {
		return err
	}
	return cli.Records(&f.job.Output, cmd, []planRecord{r}, func(w io.Writer, _ []planRecord) error {
		t := cli.NewTable("", "")
		t.Row("positions", cli.Count(r.Positions).String()+" from the mover's side")
		t.Row("worked on", cli.Count(r.Places).String()+", of mirror images one each")
		t.Row("memory", r.memory())
		t.Row("table", humanize.IBytes(r.Table)+" before it is compressed")
		t.Row("time", r.time())
		return t.Write(w)
	})
}
