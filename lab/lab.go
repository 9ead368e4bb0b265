// Package lab holds the laboratory's commands: published figures computed again, counts of move
// sequences, benchmarks, job scripts for clusters, tables to publish, Parquet files.
package lab

import (
	"github.com/spf13/cobra"

	"perfectplay/app/export"
	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/lab/domino"
	"perfectplay/lab/halma"
	"perfectplay/lab/mnk"
	"perfectplay/lab/parquet"
)

// Commands returns the laboratory's commands. solve makes the program whose commands they run; rows
// makes the command export.
func Commands(a *family.App, solve func() *cobra.Command, rows func(export.Columns) *cobra.Command) []*cobra.Command {
	repro := cli.Group(&cobra.Command{
		Use:     "repro",
		Short:   "compute published figures again and compare",
		GroupID: cli.GroupCheck,
	})
	repro.AddCommand(halma.ReproThesis(a), halma.ReproStrong(a), mnk.Repro(a), domino.Repro(a))
	return []*cobra.Command{
		repro, newPerftCommand(a), newBenchCommand(a), newClusterCommand(a, solve), newPublishCommand(a, solve), rows(parquet.New),
		halma.Solitaire(a), halma.Thesis(a), mnk.Searches(a),
	}
}
