package command

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/halma/armies/tiles"
	"perfectplay/game/halma/tablebase"
	"perfectplay/game/halma/tablebase/verify"
	"perfectplay/internal/cli"
)

// verifyFlags are the flags of solve verify.
type verifyFlags struct {
	family.Flags
	job       cli.Job
	sample    uint64
	tile      int
	reference bool
	sumsOnly  bool
}

// tableVerdict is what solve verify says about a table.
type tableVerdict struct {
	File      string      `json:"file"`
	Game      string      `json:"game"`
	Rules     string      `json:"rules"`
	Distances bool        `json:"distances"`
	Signature string      `json:"table_signature"`
	Positions uint64      `json:"positions"` // in the table
	Checked   uint64      `json:"checked"`   // against the rules
	Faults    uint64      `json:"faults"`
	Counted   bool        `json:"counted"` // the counts of all positions are as described
	Seconds   cli.Seconds `json:"seconds"`
	Verdict   string      `json:"verdict"`
	Counts    string      `json:"-"` // for people
	Kind      string      `json:"-"`
	Unseen    string      `json:"-"` // what such a table does not let one check
}

func newVerifyCommand(a *family.App) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "check a table against its checksums and against the rules",
		Long: `verify checks every block of a table against its checksum, and then every
position against the rules: its value and distance must follow from those of the
positions that its moves lead to, as the game's own move generator finds them.
It counts the values again. It shares no code with the solver: neither move
generation nor the numbering of positions.

A table of values without distances is checked in the same way, but values that
vouch for each other in a circle would not be found.`,
		Example: "  solve verify halma-5x5p3.sturtevant.distances\n  solve verify T --sample 100000 --reference",
		GroupID: cli.GroupCheck,
		Args:    cli.Args("FILE"),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, 1<<20)
	fl := cmd.Flags()
	cli.Number(cmd, &f.sample, "sample", 0, "check only `N` positions, evenly spread, against the rules")
	fl.IntVar(&f.tile, "tile", 0, "check against the rules only tile `N`, of a table of more than two seats; they count from 0")
	cli.ReferenceFlag(cmd, &f.reference)
	fl.BoolVar(&f.sumsOnly, "checksums", false, "check the checksums alone")
	return cmd
}

// run verifies.
func (f *verifyFlags) run(a *family.App, cmd *cobra.Command, file string) error {
	if err := cli.Exclusive(cmd, "sample", "tile", "checksums"); err != nil {
		return err
	}
	if tiles.IsTable(file) {
		return f.runArmies(a, cmd, file)
	}
	if cmd.Flags().Changed("tile") {
		return cli.Usagef("--tile is for tables of more than two seats")
	}
	// One half for the table, one for the numbering that it is compared with.
	half := uint64(f.job.Mem) / 2
	t, g, err := openTable(cmd, f.Rules, file, half)
	if err != nil {
		return err
	}
	defer t.Close()
	info := t.Info()
	return cli.Run(&f.job.Output, &a.Progress, cmd, "checksums", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]tableVerdict, error) {
		r := tableVerdict{
			File: file, Game: info.Game, Rules: info.Rules, Distances: info.Kind == tablebase.Distances, Kind: info.Kind, Signature: info.Signature,
			Positions: info.Positions, Verdict: "checksums right",
		}
		begin := time.Now()
		const unpacking = 0.02 // of the work: the rest is to ask the rules
		if !f.sumsOnly {
			bar.Part(unpacking, cli.Shares)
		}
		if err := t.Check(bar.Share); err != nil {
			return nil, err
		}
		if info.Kind == tablebase.Values && !f.sumsOnly {
			r.Unseen = "the table has no distances: values that vouch for each other in a circle would not be found"
		}
		if !f.sumsOnly {
			bar.Describe("positions")
			bar.Part(1, cli.Shares)
			v, err := verify.Table(ctx, g, t, verify.Options{
				Sample: f.sample, Memory: half, Threads: f.job.Threads, Reference: f.reference, Progress: bar.Share,
			})
			if err != nil {
				return nil, err
			}
			r.Checked, r.Faults = v.Checked, v.Faults
			if r.Counted = v.Checked == info.Positions && v.Complete(info); r.Counted {
				r.Counts = fmt.Sprintf("%v won, %v lost, %v drawn, %v illegal", cli.Count(info.Wins), cli.Count(info.Losses), cli.Count(info.Draws), cli.Count(info.Illegal))
			}
			switch {
			case r.Faults > 0:
				r.Verdict = fmt.Sprintf("%d faults", r.Faults)
			case r.Checked < r.Positions:
				r.Verdict = "no fault in the sample"
			case !r.Counted:
				r.Verdict = "the counts are wrong"
			default:
				r.Verdict = "no fault"
			}
			if r.Faults > 0 || r.Checked == r.Positions && !r.Counted {
				bar.Stop()
				for _, fault := range v.First {
					fmt.Fprintln(cmd.ErrOrStderr(), fault)
				}
				return nil, fmt.Errorf("%s: %s", file, r.Verdict)
			}
		}
		r.Seconds = cli.Since(begin)
		return []tableVerdict{r}, nil
	}, verdictText)
}

// verdictText prints a verdict for people.
var verdictText = cli.Fields[tableVerdict]("table=file", "game=game,rules:%s, rules %s", "kind=Kind", "signature=table_signature", "positions",
	"checked by the rules=checked", "counted=Counts?", "time=seconds", "verdict", "not seen=Unseen?")
