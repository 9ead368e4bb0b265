package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/engine"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// playHelp is what help prints during a game.
const playHelp = `b2     play there: the column's letter and the row's number
hint   ask the player what it would play
undo   take back your last move and the answer, also after the end
board  show the board again
quit   end
`

func newPlayCommand(a *family.App) *cobra.Command {
	var res cli.Resources
	var t session
	var name string
	var second bool
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "play in the terminal against one of the players",
		Long: `play shows the board and reads what you want from standard input, one word a
line; words may be shortened:

` + playHelp,
		Example: `  solve mnk play mnk-6x6k4
  solve mnk play 7 7 5 --against monkey --second`,
		Args:              boardArgs,
		ValidArgsFunction: completeBoard,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := readGame(a, args)
			if err != nil {
				return err
			}
			p, err := player.New(name, g, player.Options{Memory: int64(res.Mem), Threads: res.Threads})
			if err != nil {
				return err
			}
			defer p.Close()
			if second {
				t.human = 1
			}
			t.g, t.p, t.out = g, p, cmd.OutOrStdout()
			return t.play(cmd.Context(), cmd.InOrStdin())
		},
	}
	resources(cmd, &res, 1<<20, 256<<20)
	timeFlag(cmd, &t.budget, "`TIME` for each of the player's moves")
	cli.Choice(cmd, &name, "against", "perfect", player.Names(), "`PLAYER` to play against: "+strings.Join(player.Names(), ", "))
	cmd.Flags().BoolVar(&second, "second", false, "let the player begin")
	return cmd
}

// session is a game between a person and a player.
type session struct {
	g      *mnk.Game
	p      player.Player
	human  int // seat
	budget time.Duration
	out    io.Writer

	s    *mnk.Plain
	made []game.Move
}

// play plays until the person quits, or the input or the context ends. A finished
// game can be taken back.
func (t *session) play(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines, failed := engine.Lines(ctx, in)
	t.s = t.g.Plain().Start().(*mnk.Plain)
	fmt.Fprintf(t.out, "%d in a row win. You are %s. Type help for help.\n", t.g.K(), t.g.SeatName(t.human))
	show := true
	for {
		over := t.s.Result() != game.Ongoing
		if !over && t.s.Seat() != t.human {
			c := t.p.Move(ctx, t.s, t.budget)
			if ctx.Err() != nil {
				return cli.ErrInterrupted
			}
			t.make(game.Move(c))
			fmt.Fprintf(t.out, "%s plays %s (%s)\n", t.p.Name(), t.g.CellName(c), t.p.Note())
			show = true
			continue
		}
		if show {
			t.board()
			if over {
				t.outcome()
			}
		}
		fmt.Fprintf(t.out, "%s> ", t.g.SeatName(t.human))
		select {
		case line, ok := <-lines:
			if !ok {
				fmt.Fprintln(t.out)
				select {
				case err := <-failed:
					return fmt.Errorf("play: %w", err)
				default:
					return nil
				}
			}
			word := strings.TrimSpace(line)
			if word != "" && strings.HasPrefix("quit", word) {
				return nil
			}
			show = t.obey(ctx, word)
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
	}
}

// outcome says who has won.
func (t *session) outcome() {
	switch w, ok := t.s.Result().Winner(); {
	case !ok:
		fmt.Fprintln(t.out, "a draw")
	case w == t.human:
		fmt.Fprintf(t.out, "%s wins: you\n", t.g.SeatName(w))
	default:
		fmt.Fprintf(t.out, "%s wins: %s\n", t.g.SeatName(w), t.p.Name())
	}
}

// obey does what a word of the person says and reports whether the board is
// worth showing.
func (t *session) obey(ctx context.Context, word string) (show bool) {
	is := func(command string) bool { return word != "" && strings.HasPrefix(command, word) }
	switch {
	case word == "":
	case is("help") || word == "?":
		fmt.Fprint(t.out, playHelp)
	case is("hint") && t.s.Result() != game.Ongoing:
		fmt.Fprintln(t.out, "the game is over; undo or quit")
	case is("hint"):
		c := t.p.Move(ctx, t.s, t.budget)
		fmt.Fprintf(t.out, "%s would play %s (%s)\n", t.p.Name(), t.g.CellName(c), t.p.Note())
	case is("undo"):
		moves := 2
		if t.s.Seat() != t.human { // the person's move ended the game
			moves = 1
		}
		if len(t.made) < moves {
			fmt.Fprintln(t.out, "nothing to undo")
			return false
		}
		for range moves {
			t.s.Unmake()
		}
		t.made = t.made[:len(t.made)-moves]
		return true
	case is("board"):
		return true
	default:
		m, err := t.s.ParseMove(strings.ToLower(word))
		if err != nil {
			fmt.Fprintf(t.out, "%v; or type help\n", err)
			return false
		}
		t.make(m)
		return true
	}
	return false
}

func (t *session) make(m game.Move) {
	t.s.Make(m)
	t.made = append(t.made, m)
}

// board shows the board, the last stone in brackets.
func (t *session) board() {
	lines := strings.SplitAfter(t.s.Picture(), "\n")
	if n := len(t.made); n > 0 {
		r, c := int(t.made[n-1])/t.g.Cols(), int(t.made[n-1])%t.g.Cols()
		row := []rune(strings.TrimSuffix(lines[r], "\n") + " ")
		row[3+2*c], row[5+2*c] = '(', ')'
		lines[r] = strings.TrimRight(string(row), " ") + "\n"
	}
	fmt.Fprint(t.out, strings.Join(lines, ""))
}
