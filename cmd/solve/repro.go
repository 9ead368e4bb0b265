package main

import (
	"github.com/spf13/cobra"

	"perfectplay/internal/cli"
)

// newReproCommand holds one subcommand for each published body of work.
func newReproCommand(a *app) *cobra.Command {
	cmd := cli.Group(&cobra.Command{
		Use:     "repro",
		Short:   "compute published figures again and compare",
		GroupID: groupCheck,
	})
	cmd.AddCommand(newReproHalmaCommand(a))
	cmd.AddCommand(dominoRepro(a)...)
	cmd.AddCommand(strongRepro(a)...)
	cmd.AddCommand(mnkRepro(a)...)
	return cmd
}
