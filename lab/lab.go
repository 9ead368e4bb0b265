// Package lab holds the laboratory's commands on any game: published figures computed again, counts
// of move sequences, benchmarks, job scripts for clusters, tables to publish, Parquet files.
package lab

import (
	"github.com/spf13/cobra"

	"perfectplay/app/export"
	"perfectplay/app/family"
	"perfectplay/lab/parquet"
)

// Commands returns the laboratory's commands. solve makes the program whose commands they run; rows
// makes the command export.
func Commands(a *family.App, solve func() *cobra.Command, rows func(export.Columns) *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{newReproCommand(a), newPerftCommand(a), newBenchCommand(a), newClusterCommand(a, solve), newPublishCommand(a, solve), rows(parquet.New)}
	for _, f := range a.Families {
		if f.Lab != nil {
			list = append(list, f.Lab(a)...)
		}
	}
	return list
}
