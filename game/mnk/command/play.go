package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/app/play"
	"perfectplay/app/player"
	"perfectplay/game"
	"perfectplay/game/mnk"
	own "perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
)

func newPlayCommand(a *family.App) *cobra.Command {
	var res cli.Resources
	var against string
	var budget time.Duration
	var second bool
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "play in the terminal against one of the players",
		Long: `play is solve play for m,n,k-games, against one of their own players. It reads
what you want from standard input, one command a line; words may be shortened:

` + play.Help,
		Example: `  solve mnk play mnk-6x6k4
  solve mnk play 7 7 5 --against monkey --second`,
		Args:              boardArgs,
		ValidArgsFunction: completeBoard,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := readGame(a, args)
			if err != nil {
				return err
			}
			t := &play.Session{
				Game: g, Seats: []string{play.Human, against}, Known: own.Known, Time: budget, Draw: bracketed(g),
				Seat: func(_ context.Context, name string, g game.Game) (player.Player, error) {
					return newSeated(name, g, player.Options{Memory: int64(res.Mem) / 2, Threads: res.Threads})
				},
				Intro: fmt.Sprintf("%d in a row win.", g.K()), Out: cmd.OutOrStdout(), Paint: family.Painter(cmd, g),
			}
			if second {
				t.Seats = []string{against, play.Human}
			}
			return t.Play(cmd.Context(), cmd.InOrStdin())
		},
	}
	resources(cmd, &res, 2<<20, 512<<20) // for two players: against whom, and who gives hints
	timeFlag(cmd, &budget, "`TIME` for each of the player's moves")
	cli.Choice(cmd, &against, "against", "perfect", own.Names(), "`PLAYER` to play against: "+strings.Join(own.Names(), ", "))
	cmd.Flags().BoolVar(&second, "second", false, "let the player begin")
	return cmd
}

// bracketed draws boards with the last stone in brackets.
func bracketed(g *mnk.Game) func(game.State, game.Move) string {
	return func(s game.State, last game.Move) string {
		lines := strings.SplitAfter(s.(game.Drawer).Picture(), "\n")
		if last != game.NoMove {
			r, c := int(last)/g.Cols(), int(last)%g.Cols()
			row := []rune(strings.TrimSuffix(lines[r], "\n") + " ")
			row[3+2*c], row[5+2*c] = '(', ')'
			lines[r] = strings.TrimRight(string(row), " ") + "\n"
		}
		return strings.Join(lines, "")
	}
}
