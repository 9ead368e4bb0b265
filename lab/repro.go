package lab

import (
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
)

func newReproCommand(a *family.App) *cobra.Command {
	cmd := cli.Group(&cobra.Command{
		Use:     "repro",
		Short:   "compute published figures again and compare",
		GroupID: cli.GroupCheck,
	})
	for _, f := range a.Families {
		if f.Repro != nil {
			cmd.AddCommand(f.Repro(a)...)
		}
	}
	return cmd
}
