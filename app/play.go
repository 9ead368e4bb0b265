package app

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/game/wing/drawing"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
	"perfectplay/play/player"
	"perfectplay/play/terminal"
	"perfectplay/play/transcript"
)

type playFlags struct {
	family.Flags
	players
	at    family.At
	seats []string
	load  string
	seed  uint64
	save  string
	// hidden means that hands are hidden; seed is then the number of the deal.
	hidden bool
}

func newPlayCommand(a *family.App) *cobra.Command {
	var f playFlags
	cmd := &cobra.Command{
		Use:   "play [GAME]",
		Short: "play any game in the terminal, against players of any level",
		Long: `play shows the board and reads what you want from standard input, one command a
line; words may be shortened:

` + terminal.Help + `
Each seat is a person or a player: human, or ` + a.PlayerList() + `;
or a program, cmd:PROGRAM or gomocup:PROGRAM as in solve match. level-1 to
level-9 are a ladder; strongest plays perfectly where values are known and
searches elsewhere; in solved games it is also called perfect. docs/players.md
measures them. The board marks the last move: [1] where a piece stands now, (c4)
where it was or touched down. It is as wide as the terminal allows, and holes
show their names where there is room. A game in which a position comes up for
the third time is drawn: play would go on for ever.

--load continues a saved game; then GAME is not needed. At a
terminal every move is saved to a file, which is named at the end, and Ctrl-C
makes the player that thinks move at once; at the prompt it ends the game.

--without hands is dominoes as people play it, a deal by the number of --seed: you see
your own hand, and play against sampling, or with --seat against another player
who sees no more than you do: ` + strings.Join(hiddenPlayers(a), ", ") + `.
At the end every move is compared with perfect play with open hands.`,
		Example: `  solve play halma-star37-2p --rules house
  solve play halma-star121-6p --seat 1=level-2 --seat 4=human --time 2s
  solve play mnk-6x6k4 --seat x=perfect --seat o=human
  solve play domino --without hands --seed 7 --seat starter=candidates
  solve play --load game.txt`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.Flags.Flags(a, cmd)
	f.players.Flags(a, cmd, 2*time.Second, "`TIME` for each move of a player")
	f.at.Flags(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.seats, "seat", nil, "who plays a seat, as `SEAT=WHO`; may be repeated (default: you have the first, strongest the others)")
	fl.StringVar(&f.load, "load", "", "continue the game in `FILE`")
	fl.StringVar(&f.save, "save", "", "save the game to `FILE` after every move (default at a terminal: a new file of yours)")
	cli.SeedFlag(cmd, &f.seed)
	cli.Switches(cmd, "without", "leave out `WORDS`: hands, all but your own in dominoes", cli.Switch{Word: "hands", On: &f.hidden})
	cli.Rules(cmd, cli.Excludes("without", "load", "position", "moves"), cli.Excludes("load", "rules", "position", "moves"))
	return cmd
}

func (f *playFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	g, err := f.game(a, cmd, args)
	if err != nil {
		return err
	}
	if f.hidden {
		return f.deal(a, cmd, g)
	}
	w := a.Of(g).Wing
	var paint func(int, string) string
	if cli.Color(cmd, cmd.OutOrStdout()) {
		paint = cli.PaintSeat
	}
	t := &terminal.Session{
		Game: g, Explain: func(s game.State) string { return w.Ending(g, s) },
		From: f.at.Position, Moves: f.at.Moves, Known: func(name string) error { return knownSeat(a, name) }, Analyst: f.analyst, Time: f.time, Intro: family.Title(g) + ".",
		Seat: func(ctx context.Context, name string, g game.Game) (player.Player, error) {
			return f.seat(ctx, a, name, g, f.seed, f.time)
		},
		Out: cli.Fold(cmd.OutOrStdout()),
		Way: func(s game.State, m game.Move) []int { return w.Trace(g, s, m).Path },
		Draw: func(s game.State, last []int) string {
			return family.Picture(w, g, s, drawing.Terminal{Width: cli.Width(cmd.OutOrStdout()), Last: last, Names: true, Paint: paint})
		},
	}
	if t.Seats, err = f.assigned(g, t.Known); err != nil {
		return err
	}
	for i := range t.Seats {
		switch {
		case t.Seats[i] != "":
		case slices.Contains(t.Seats, terminal.Human):
			t.Seats[i] = player.Strongest
		default:
			t.Seats[i] = terminal.Human
		}
	}
	t.Keep = f.save
	ctx, done := f.attend(&a.Progress, cmd, t)
	defer done()
	return t.Play(ctx, cmd.InOrStdin())
}

// attend prepares a session for a person at a terminal: an interrupt goes to the session, a
// file keeps the game, and a line shows who is thinking.
func (f *playFlags) attend(progress *cli.Progress, cmd *cobra.Command, t *terminal.Session) (ctx context.Context, done func()) {
	ctx = cmd.Context()
	if in, ok := cmd.InOrStdin().(*os.File); !ok || !term.IsTerminal(int(in.Fd())) {
		return ctx, func() {}
	}
	if dir, err := os.UserCacheDir(); err == nil && f.save == "" {
		dir = filepath.Join(dir, "perfectplay")
		if err := os.MkdirAll(dir, 0o700); err == nil {
			t.Keep = filepath.Join(dir, "game.txt")
		}
	}
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	t.Interrupt = interrupt
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(cmd.Context(), func() {
		if cause := context.Cause(cmd.Context()); !strings.Contains(cause.Error(), os.Interrupt.String()) {
			cancel(cause)
		}
	})
	t.Thinking = thinking(progress, cmd, f.time)
	return ctx, func() {
		stop()
		signal.Stop(interrupt)
		cancel(nil)
	}
}

// thinking shows who thinks, and the time left of most, until done is called.
func thinking(p *cli.Progress, cmd *cobra.Command, most time.Duration) func(who string) (done func()) {
	return func(who string) func() {
		bar := p.Start(cmd, "Ctrl-C ends it, "+who+" thinks", cli.Endless)
		bar.Limit(most)
		return bar.Stop
	}
}

// hiddenPlayers lists the players that see only their own hand, the strongest last.
func hiddenPlayers(a *family.App) (names []string) {
	for _, w := range a.Wings() {
		if w.Hidden != nil {
			for _, p := range w.Hidden.Players {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// deal plays with hidden hands: a person against a player, without --seat the strongest.
func (f *playFlags) deal(a *family.App, cmd *cobra.Command, g game.Game) (err error) {
	if a.Of(g).Hidden == nil {
		return cli.Usagef("--without hands: in %s nothing is hidden", g.ID())
	}
	t := &terminal.Hidden{
		Query: explore.HiddenQuery{Game: g.ID(), Deal: f.seed}, Seats: wing.SeatNames(g),
		Intro: fmt.Sprintf("%s, deal %d.", family.Title(g), f.seed), Out: cli.Fold(cmd.OutOrStdout()),
	}
	players := hiddenPlayers(a)
	seats, err := f.assigned(g, func(who string) error {
		if !slices.Contains(players, who) {
			return fmt.Errorf("where hands are hidden, want %s", strings.Join(players, ", "))
		}
		return nil
	})
	if err != nil {
		return err
	}
	you := slices.Index(seats, terminal.Human)
	if you < 0 {
		you = slices.Index(seats, "")
	}
	switch {
	case you < 0:
		return cli.Usagef("--without hands: want a person; solve domino match lets players meet")
	case slices.Contains(seats[you+1:], terminal.Human):
		return cli.Usagef("--without hands: only one seat may be a person, who would see both hands")
	}
	t.Query.Seat = t.Seats[you]
	t.Query.Player = cmp.Or(seats[(you+1)%len(seats)], players[len(players)-1])
	service, err := f.analyst.get()
	if err != nil {
		return err
	}
	t.Ask = service.Hidden
	return t.Play(cmd.Context(), cmd.InOrStdin())
}

func (f *playFlags) game(a *family.App, cmd *cobra.Command, args []string) (game.Game, error) {
	if f.load == "" {
		if len(args) == 0 {
			return nil, cli.Usagef("missing GAME, or --load FILE")
		}
		g, _, err := f.OpenAt(args[0], f.at)
		return g, err
	}
	if len(args) > 0 {
		return nil, cli.Usagef("--load does not go with GAME: the file names its game")
	}
	in, err := cli.Open(cmd, f.load, "a game")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	games, err := transcript.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.load, err)
	}
	if len(games) > 1 {
		return nil, cli.Usagef("--load %s: it holds %d games: want one", f.load, len(games))
	}
	rec := &games[0]
	f.Rules = rec.Rules
	if rec.Position != "" {
		f.at.Position = rec.Position
	}
	f.at.Moves = rec.Moves
	g, err := recorded(a, rec)
	if err != nil {
		return nil, fmt.Errorf("--load %s: %w", f.load, cli.Usage(err))
	}
	return g, nil
}

// assigned returns who plays each seat by --seat, empty for the other seats.
func (f *playFlags) assigned(g game.Game, known func(who string) error) ([]string, error) {
	names := wing.SeatNames(g)
	seats := make([]string, len(names))
	for _, text := range f.seats {
		name, who, ok := strings.Cut(text, "=")
		i := slices.Index(names, name)
		switch {
		case !ok:
			return nil, cli.Usagef("--seat %q: want for instance %s=perfect", text, names[0])
		case i < 0:
			return nil, cli.Usagef("--seat %q: the seats of %s are %s", text, g.ID(), strings.Join(names, ", "))
		case seats[i] != "":
			return nil, cli.Usagef("--seat %s: given twice", name)
		}
		if who != terminal.Human {
			if err := known(who); err != nil {
				return nil, cli.Usage(fmt.Errorf("--seat %s: %w", text, err))
			}
		}
		seats[i] = who
	}
	return seats, nil
}
