// Package lab holds the laboratory's commands on any game: published figures computed again, counts
// of move sequences, fixed jobs, plans for clusters, Parquet files. Package app builds a program of
// them and of the games' own commands.
package lab

import (
	"github.com/spf13/cobra"

	"perfectplay/app/export"
	"perfectplay/app/family"
	"perfectplay/lab/parquet"
)

// Commands returns the laboratory's commands. Plans for clusters divide the jobs of the program
// that solve returns; rows returns the command that exports.
func Commands(a *family.App, solve func() *cobra.Command, rows func(export.Columns) *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{newReproCommand(a), newPerftCommand(a), newBenchCommand(a), newClusterCommand(a, solve), newPublishCommand(a, solve), rows(parquet.New)}
	for _, f := range a.Families {
		if f.Lab != nil {
			list = append(list, f.Lab(a)...)
		}
	}
	return list
}
