package main

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
)

func newMnkPlayCommand(*app) *cobra.Command {
	var res cli.Resources
	var budget time.Duration
	var name string
	var second bool
	cmd := &cobra.Command{
		Use:   "play M N K",
		Short: "play in the terminal against one of the players",
		Long: `play shows the board and reads your moves from standard input, one a line, such
as b2. Other words: undo takes back your last move and the answer, quit ends.`,
		Example: `  solve mnk play 6 6 4
  solve mnk play 7 7 5 --against monkey --second`,
		Args: cli.Args("M", "N", "K"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := res.Resolve(cmd, 1<<20, 256<<20); err != nil {
				return err
			}
			if budget < time.Millisecond {
				return cli.Usagef("--time %v: want at least 1ms", budget)
			}
			g, err := mnkGame(args)
			if err != nil {
				return err
			}
			p, err := player.New(name, g, player.Options{Memory: int64(res.Mem), Threads: res.Threads})
			if err != nil {
				return cli.Usage(err)
			}
			human := 0
			if second {
				human = 1
			}
			return mnkPlay(cmd, g, p, human, budget)
		},
	}
	res.Flags(cmd)
	cmd.Flags().DurationVar(&budget, "time", 10*time.Second, "time for each of the player's moves")
	cmd.Flags().StringVar(&name, "against", "perfect", "the player: "+strings.Join(player.Names(), ", "))
	cmd.Flags().BoolVar(&second, "second", false, "let the player begin")
	return cmd
}

// mnkPlay runs a game between standard input and a player.
func mnkPlay(cmd *cobra.Command, g *mnk.Game, p player.Player, human int, budget time.Duration) error {
	out := cmd.OutOrStdout()
	in := bufio.NewScanner(cmd.InOrStdin())
	s := g.Plain().Start().(*mnk.Plain)
	var made []game.Move
	for s.Result() == game.Ongoing {
		if s.Seat() != human {
			c := p.Move(cmd.Context(), s.Clone().(*mnk.Plain), budget)
			if cmd.Context().Err() != nil {
				return cli.ErrInterrupted
			}
			s.Make(game.Move(c))
			made = append(made, game.Move(c))
			fmt.Fprintf(out, "%s plays %s (%s)\n", p.Name(), g.CellName(c), p.Note())
			continue
		}
		fmt.Fprint(out, s.Picture())
		fmt.Fprintf(out, "%s> ", g.SeatName(human))
		if !in.Scan() {
			fmt.Fprintln(out)
			return in.Err()
		}
		switch word := strings.TrimSpace(in.Text()); word {
		case "":
		case "quit":
			return nil
		case "undo":
			if len(made) < 2 {
				fmt.Fprintln(out, "nothing to undo")
				continue
			}
			s.Unmake()
			s.Unmake()
			made = made[:len(made)-2]
		default:
			m, err := s.ParseMove(word)
			if err != nil {
				fmt.Fprintln(out, err)
				continue
			}
			s.Make(m)
			made = append(made, m)
		}
	}
	fmt.Fprint(out, s.Picture())
	if w, ok := s.Result().Winner(); ok {
		fmt.Fprintf(out, "%s wins\n", g.SeatName(w))
	} else {
		fmt.Fprintln(out, "a draw")
	}
	return nil
}
