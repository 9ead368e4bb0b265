package command

import (
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game/mnk/engine"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

func newEngineCommand(a *family.App) *cobra.Command {
	e := &engine.Engine{Program: "perfectplay " + a.Program}
	var res cli.Resources
	cmd := &cobra.Command{
		Use:     "engine",
		Short:   "play m,n,k-games over a line protocol on standard input and output",
		GroupID: cli.GroupSolve,
		Long: `engine reads commands from standard input, one a line, and answers each, in
order, with one line on standard output: "=", or "= " and the answer, or "? "
and what is wrong, quoted. After an error the game is as before. The board
picture alone takes more lines; they come before the line with the equals sign
and do not begin with = or ?. Empty lines and what follows # are not answered.

` + engine.Commands() + `

go and hint keep their time: a tenth of it, at least 25 ms where there are 50,
is left when they answer. Commands sent while they think wait, and so does what
follows them; only a stop that comes first takes effect at once. The end of input
is like quit: commands before it are carried out. An interrupt ends the program
at once, with exit code 130.`,
		Example: `  printf 'new 3 3 3\ngo 1s\nquit\n' | solve engine`,
		Args:    cli.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e.Options = player.Options{Memory: int64(res.Mem), Threads: res.Threads}
			return e.Converse(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	resources(cmd, &res, 1<<20, 256<<20)
	timeFlag(cmd, &e.Budget, "`TIME` for go and hint without one")
	cli.Choice(cmd, &e.Player, "player", "perfect", player.Names(), "`PLAYER` who chooses at first: "+strings.Join(player.Names(), ", "))
	return cmd
}
