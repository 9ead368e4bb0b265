package app

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	rules "perfectplay/solve/retro/verify"
	"perfectplay/solve/table"
)

// openTable opens a table within memory bytes. Rules given by the user must be the table's.
func openTable(a *family.App, cmd *cobra.Command, rules, file string, memory uint64) (*table.Table, error) {
	return table.Open(file, memory, func(i table.Info) (game.Game, table.Plan, error) {
		if cmd.Flags().Changed("rules") && rules != i.Rules {
			return nil, table.Plan{}, cli.Usagef("--rules %s: the table is of %s under rules %s", rules, i.Game, i.Rules)
		}
		g, err := a.Open(i.Game, i.Rules)
		if err != nil {
			return nil, table.Plan{}, fmt.Errorf("the table's game: %w", err)
		}
		fam := a.Of(g)
		p, err := fam.NumberingOf(g, i)
		return g, p, err
	})
}

type verifyFlags struct {
	family.Flags
	job                 cli.Job
	sample              uint64
	part                string
	reference, sumsOnly bool
}

type checked struct {
	File      string      `json:"file"`
	Game      string      `json:"game"`
	Rules     string      `json:"rules"`
	Distances bool        `json:"distances"`
	Signature string      `json:"table_signature"`
	Positions uint64      `json:"positions"` // number of positions in the table
	Checked   uint64      `json:"checked"`   // number of positions compared with the rules
	Faults    uint64      `json:"faults"`
	Counted   bool        `json:"counted"` // the description has the right counts of positions
	Seconds   cli.Seconds `json:"seconds"`
	Verdict   string      `json:"verdict"`
	RuledBy   string      `json:"-"` // the rules of the table, for the printed text
	Kind      string      `json:"-"`
	Counts    string      `json:"-"`
	Unseen    string      `json:"-"` // parts of this kind of table that cannot be checked
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
generation nor, of two armies, the numbering of positions. It is fastest where the
whole table fits --mem. With --part I/N machines divide the work.

A table of values without distances is checked in the same way, but wrong values
that support each other in a circle go unnoticed.`,
		Example: "  solve verify halma-5x5p3.sturtevant.distances\n  solve verify T --sample 100000 --reference",
		GroupID: cli.GroupCheck,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, 1<<20)
	fl := cmd.Flags()
	cli.Number(cmd, &f.sample, "sample", 0, "check only `N` positions, evenly spread, against the rules")
	fl.StringVar(&f.part, "part", "", "do part `I/N` of the work only; auto/N takes I from a scheduler's array")
	cli.ReferenceFlag(cmd, &f.reference)
	cli.Switches(cmd, "only", "`WORDS`: checksums leaves the rules out", cli.Switch{Word: "checksums", On: &f.sumsOnly})
	cli.Rules(cmd, cli.Excludes("sample", "part", "only"), cli.Excludes("part", "only"))
	return cmd
}

func (f *verifyFlags) run(a *family.App, cmd *cobra.Command, file string) error {
	o := rules.Options{Sample: f.sample, Threads: f.job.Threads}
	if f.part != "" {
		part, err := cli.ReadPart(f.part)
		if err != nil {
			return err
		}
		o.Part, o.Of = part.I, part.N
	}
	// Half is for the table, half for the numbering to compare with.
	half := uint64(f.job.Mem) / 2
	t, err := openTable(a, cmd, f.Rules, file, half)
	if err != nil {
		return err
	}
	defer t.Close()
	fam := a.Of(t.Game())
	if info := t.Info(); fam.Walker != nil && info.Own() {
		if o.Walker, err = fam.Walker(t, f.reference, half); err != nil {
			return err
		}
	} else if f.reference {
		return cli.Usagef("--reference: %s has no second move generator for such a table", t.Game().ID())
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, "checksums", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]checked, error) {
		r, first, err := f.check(ctx, t, o, bar)
		if err != nil {
			bar.Stop()
			for _, fault := range first {
				fmt.Fprintln(cmd.ErrOrStderr(), fault)
			}
			return nil, err
		}
		r.File = file
		return []checked{r}, nil
	}, cli.Fields[checked]("table=file", "game=game,RuledBy:%s%s", "kind=Kind", "signature=table_signature", "positions",
		"checked by the rules=checked", "counted=Counts?", "time=seconds", "verdict", "not seen=Unseen?"))
}

// check checks a table. Beside an error it may return faults to print.
func (f *verifyFlags) check(ctx context.Context, t *table.Table, o rules.Options, bar *cli.Bar) (checked, []string, error) {
	info := t.Info()
	r := checked{Game: info.Game, Rules: info.Rules, Distances: info.Distances(), Kind: info.Kind(), Signature: info.Signature, Positions: info.Positions, Verdict: "checksums right"}
	if info.Rules != "" {
		r.RuledBy = ", rules " + info.Rules
	}
	begin := time.Now()
	const unpacking = 0.02 // share of the work; checking the rules takes the rest
	if !f.sumsOnly {
		bar.Part(unpacking, cli.Shares)
	}
	if err := t.Check(ctx, f.job.Threads, bar.Share); err != nil {
		return r, nil, err
	}
	if !f.sumsOnly {
		if !r.Distances {
			r.Unseen = "the table has no distances: wrong values that support each other in a circle go unnoticed"
		}
		bar.Describe("positions")
		bar.Part(1, cli.Shares)
		o.Progress = bar.Share
		v, err := rules.Table(ctx, t, o)
		if err != nil {
			return r, nil, err
		}
		r.Checked, r.Faults, r.Verdict = v.Checked, v.Faults, "no fault"
		if r.Counted = v.Complete(info); r.Counted {
			r.Counts = fmt.Sprintf("%v won, %v lost, %v drawn", cli.Count(info.Wins), cli.Count(info.Losses), cli.Count(info.Draws))
			if info.Illegal > 0 {
				r.Counts += fmt.Sprintf(", %v illegal", cli.Count(info.Illegal))
			}
		}
		switch {
		case r.Faults > 0:
			return r, v.First, fmt.Errorf("%s: %d faults", info.Game, r.Faults)
		case r.Checked < r.Positions && o.Of > 0:
			r.Verdict = fmt.Sprintf("no fault in part %s", f.part)
		case r.Checked < r.Positions && o.Sample > 0:
			r.Verdict = "no fault in the sample"
		case !r.Counted:
			return r, nil, fmt.Errorf("%s: the counts are wrong", info.Game)
		}
	}
	r.Seconds = cli.Since(begin)
	return r, nil, nil
}
