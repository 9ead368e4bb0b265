package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
)

// mnkRepro are the subcommands of solve repro on m,n,k-games.
func mnkRepro(a *app) []*cobra.Command { return []*cobra.Command{newMnkReproCommand(a)} }

// mnkPublished is a published value: a row of game/mnk/testdata/mnk_values.csv
// on one of the boards it speaks of.
type mnkPublished struct {
	m, n, k int
	value   string
	source  string
	slow    bool // takes minutes
}

const (
	mnkSurvey = "van den Herik, Uiterwijk, van Rijswijck 2002"
	mnkThesis = "Charatsidis 2017"
	mnkHsu    = "Hsu et al. 2020"
)

// mnkPublishedValues lists the rows, families by sample boards.
func mnkPublishedValues() []mnkPublished {
	return []mnkPublished{
		{1, 5, 1, "first", "trivial", false}, {4, 7, 1, "first", "trivial", false},
		{2, 2, 2, "first", "trivial", false}, {3, 6, 2, "first", "trivial", false},
		{3, 3, 3, "draw", mnkSurvey, false},
		{4, 3, 3, "first", mnkSurvey, false}, {4, 4, 3, "first", mnkSurvey, false}, {7, 3, 3, "first", mnkSurvey, false}, {8, 8, 3, "first", mnkSurvey, false},
		{4, 4, 4, "draw", mnkSurvey, false}, {5, 4, 4, "draw", mnkSurvey, false}, {6, 4, 4, "draw", mnkSurvey, false}, {7, 4, 4, "draw", mnkSurvey, false}, {8, 4, 4, "draw", mnkSurvey, true},
		{5, 5, 4, "draw", mnkSurvey, false},
		{6, 5, 4, "first", mnkSurvey, false}, {6, 6, 4, "first", mnkSurvey, false}, {7, 5, 4, "first", mnkSurvey, false}, {7, 6, 4, "first", mnkSurvey, false},
		{7, 7, 4, "first", mnkSurvey, false}, {8, 8, 4, "first", mnkSurvey, false},
		{5, 5, 5, "draw", mnkSurvey, false}, {6, 5, 5, "draw", mnkSurvey, false}, {6, 6, 5, "draw", mnkSurvey, false},
		{7, 5, 5, "draw", "", false}, {6, 6, 6, "draw", "", false}, {7, 6, 6, "draw", "", false}, {7, 7, 6, "draw", "", false}, {7, 7, 7, "draw", "", false},
		{8, 5, 8, "draw", mnkSurvey, false}, {6, 8, 8, "draw", mnkSurvey, false}, {8, 8, 8, "draw", mnkSurvey, false},
		{10, 10, 9, "draw", mnkSurvey, false}, {50, 50, 10, "draw", mnkSurvey, false}, {70, 70, 10, "draw", mnkSurvey, false},
		{7, 6, 5, "draw", "", true},
		{9, 4, 4, "first", mnkThesis, true}, {7, 7, 5, "draw", mnkHsu, true},
	}
}

// mnkReproRecord is a published value beside the proved one.
type mnkReproRecord struct {
	Game      string  `json:"game"`
	Published string  `json:"published"` // empty where no one is quoted
	Proved    string  `json:"proved"`
	Verdict   string  `json:"verdict"` // equal, differs, new, open or skipped
	Proof     string  `json:"proof"`
	Nodes     uint64  `json:"nodes"`
	Seconds   float64 `json:"seconds"`
	Source    string  `json:"source"`
}

func newMnkReproCommand(a *app) *cobra.Command {
	var out cli.Output
	var res cli.Resources
	var all bool
	cmd := &cobra.Command{
		Use:   "mnk",
		Short: "prove the published values of m,n,k-games",
		Long: `mnk proves the value of every board that published tables name, and sample
boards of the families they name, and prints both values side by side. Nothing
is looked up. With --all also boards that take minutes.`,
		Args: cli.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := out.Check(); err != nil {
				return err
			}
			if err := res.Resolve(cmd, prove.MinMemory, mnkTable); err != nil {
				return err
			}
			records, err := mnkReproRun(cmd.Context(), a, cmd, res, all)
			if err != nil {
				return err
			}
			err = cli.Records(&out, cmd, records, func(w io.Writer) error { return mnkReproText(w, records) })
			differ := 0
			for _, r := range records {
				if r.Verdict == "differs" {
					differ++
				}
			}
			switch {
			case err != nil:
				return err
			case cmd.Context().Err() != nil:
				return cli.ErrInterrupted
			case differ > 0:
				return fmt.Errorf("repro: %d values differ from the published ones", differ)
			}
			return nil
		},
	}
	out.Flags(cmd)
	res.Flags(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "also boards that take minutes")
	return cmd
}

func mnkReproRun(ctx context.Context, a *app, cmd *cobra.Command, res cli.Resources, all bool) ([]mnkReproRecord, error) {
	list := mnkPublishedValues()
	bar := a.progress.Start(cmd, "boards", int64(len(list)))
	defer bar.Stop()
	var records []mnkReproRecord
	for _, p := range list {
		g, err := mnk.New(p.m, p.n, p.k)
		if err != nil {
			return nil, err
		}
		bar.Describe("%s", g.ID())
		rec := mnkReproRecord{Game: g.ID(), Published: p.value, Source: p.source, Verdict: "skipped"}
		if p.source == "" {
			rec.Published = ""
		}
		switch {
		case ctx.Err() != nil:
			return records, nil
		case p.slow && !all:
		case g.Lines() == nil:
			if p.k >= player.PlaneK {
				player.NewPlane()
				rec.Proved, rec.Proof = "draw", "pairing of the plane"
			}
		default:
			pr, err := prove.New(g, prove.Options{Memory: int64(res.Mem), Threads: res.Threads})
			if err != nil {
				return nil, err
			}
			v, r := pr.Value(ctx)
			rec.Nodes, rec.Seconds = r.Nodes, r.Elapsed.Seconds()
			if v != game.Unknown {
				rec.Proved, rec.Proof = mnkValues[v], "search"
			}
		}
		switch {
		case rec.Verdict == "skipped" && rec.Proved == "" && p.slow && !all:
		case rec.Proved == "":
			rec.Verdict = "open"
		case rec.Published == "":
			rec.Verdict = "new"
		case rec.Proved == rec.Published:
			rec.Verdict = "equal"
		default:
			rec.Verdict = "differs"
		}
		records = append(records, rec)
		bar.Add(1)
	}
	return records, nil
}

func mnkReproText(w io.Writer, records []mnkReproRecord) error {
	t := cli.NewTable("board", "published", "proved", "verdict", "proof", ">nodes", ">time", "source")
	var total float64
	for _, r := range records {
		total += r.Seconds
		t.Row(r.Game, r.Published, r.Proved, r.Verdict, r.Proof, cli.Count(r.Nodes), cli.Seconds(time.Duration(r.Seconds*float64(time.Second))), r.Source)
	}
	t.Row("all", "", "", "", "", "", cli.Seconds(time.Duration(total*float64(time.Second))), "")
	return t.Write(w)
}
