package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/match"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// matchFlags are the flags of solve mnk match.
type matchFlags struct {
	out     cli.Output
	res     cli.Resources
	configs []string
	time    time.Duration
	grace   time.Duration
	games   int
	plies   int
	seed    uint64
	resume  string
}

func newMatchCommand(a *family.App) *cobra.Command {
	var f matchFlags
	cmd := &cobra.Command{
		Use:   "match A B",
		Short: "let two players meet on many boards",
		Long: `match lets two players meet: each begins as often as the other on every board.
Players: ` + strings.Join(player.Names(), ", ") + `.

Points as in the tournament of the published players: 3 for a win as second, 2
for a win as first or by the opponent's error (an illegal move, or time), 1 for
a draw. Without --configs the 25 boards of that tournament are played.

Where the value of a board is published or was proved here, each game is held
against it: who begins on a board that the first player wins and does not win,
or loses on a drawn one, is below theory.

Games are played one after the other, and a player does not think on the
other's time. Of each player the longest move is given, by how much a move was
late, and the most processor time that a move took: a late move with little of
it waited for the machine.`,
		Example: `  solve mnk match perfect monkey --time 1s --games 2
  solve mnk match perfect greedy --configs 7,7,5 --configs 10,10,5
  solve mnk match perfect sufferingdoge --time 1s --resume games.csv --csv`,
		Args: cli.Args("A", "B"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return player.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.out.Flags(cmd)
	f.res.Flags(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.configs, "configs", nil, "a board as `M,N,K`; may be repeated (default: the tournament's)")
	fl.DurationVar(&f.time, "time", 10*time.Second, "time for each move")
	fl.DurationVar(&f.grace, "grace", 0, "time forgiven beyond --time, for busy machines")
	fl.IntVar(&f.games, "games", 2, "games with each player first, on every board")
	fl.IntVar(&f.plies, "plies", 0, "end a game as a draw after this many moves (default: never)")
	fl.Uint64Var(&f.seed, "seed", 1, "for players that choose at random")
	fl.StringVar(&f.resume, "resume", "", "add each game to `FILE` when it ends; games it holds are not played again")
	return cmd
}

func (f *matchFlags) run(a *family.App, cmd *cobra.Command, names []string) error {
	if err := f.out.Check(); err != nil {
		return err
	}
	if err := f.res.Resolve(cmd, 1<<20, 256<<20); err != nil {
		return err
	}
	switch {
	case f.time < time.Millisecond:
		return cli.Usagef("--time %v: want at least 1ms", f.time)
	case f.grace < 0 || f.plies < 0:
		return cli.Usagef("--grace and --plies: want at least 0")
	case f.games < 1:
		return cli.Usagef("--games %d: want at least 1", f.games)
	case names[0] == names[1]:
		return cli.Usagef("%s against itself: want two players", names[0])
	}
	for _, name := range names {
		if err := player.Known(name); err != nil {
			return cli.Usage(err)
		}
	}
	boards, err := f.boards()
	if err != nil {
		return err
	}
	m := &match.Match{Names: [2]string(names), Boards: boards, Rounds: f.games, Seed: f.seed, Memory: int64(f.res.Mem), Threads: f.res.Threads,
		Clock: match.Clock{Move: f.time, Grace: f.grace, Plies: f.plies}}
	return cli.Run(&f.out, &a.Progress, cmd, "games", int64(m.Games()),
		func(ctx context.Context, bar *cli.Bar) ([]match.Record, error) { return f.play(ctx, bar, m) },
		func(w io.Writer, records []match.Record) error { return matchText(w, m.Names, records) })
}

// boards returns the boards to play on.
func (f *matchFlags) boards() (list []*mnk.Game, err error) {
	if len(f.configs) == 0 {
		return mnk.Tournament(), nil
	}
	seen := map[string]bool{}
	for _, c := range f.configs {
		g, err := readConfig(c)
		if err != nil {
			return nil, err
		}
		if seen[g.ID()] {
			return nil, cli.Usagef("--configs %s: given twice", c)
		}
		seen[g.ID()] = true
		list = append(list, g)
	}
	return list, nil
}

// play plays the games with the journal that the flags name.
func (f *matchFlags) play(ctx context.Context, bar *cli.Bar, m *match.Match) (records []match.Record, err error) {
	var j *match.Journal
	if f.resume != "" {
		if j, err = match.Open(f.resume); err != nil {
			return nil, fmt.Errorf("--resume: %w", err)
		}
		defer func() { err = errors.Join(err, j.Close()) }()
	}
	m.Begin = func(done int, next match.Record) {
		bar.Set(int64(done))
		bar.Describe("%s %s first", next.Game, next.First)
	}
	records, err = m.Run(ctx, j)
	if errors.Is(err, match.ErrOther) {
		err = cli.Usage(fmt.Errorf("--resume %s: %w", f.resume, err))
	}
	return records, err
}

// matchText prints a table of boards from the side of the first name, and one of
// the players.
func matchText(w io.Writer, names [2]string, records []match.Record) error {
	t := cli.NewTable("board", "theory", "as first", "as second", ">"+names[0], ">"+names[1], "below theory")
	var all [2]match.Tally
	for from := 0; from < len(records); {
		var here [2]match.Tally
		to := from
		for ; to < len(records) && records[to].Game == records[from].Game; to++ {
			for i, name := range names {
				here[i].Add(name, &records[to])
				all[i].Add(name, &records[to])
			}
		}
		var below []string
		for i, name := range names {
			if n := here[i].Below; n > 0 {
				below = append(below, fmt.Sprintf("%s %d", name, n))
			}
		}
		t.Row(records[from].Game, records[from].Theory, here[0].Games[0], here[0].Games[1], here[0].Points, here[1].Points, strings.Join(below, ", "))
		from = to
	}
	t.Row("all", "", all[0].Games[0], all[0].Games[1], all[0].Points, all[1].Points, "")
	if err := t.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t = cli.NewTable("player", ">won", ">drawn", ">lost", ">points", ">below theory", ">lost on time", ">longest move", ">late by", ">most CPU")
	for i, name := range names {
		s := &all[i]
		first, second := s.Games[0], s.Games[1]
		t.Row(name, first.Won+second.Won, first.Drawn+second.Drawn, first.Lost+second.Lost, s.Points, s.Below, s.OnTime,
			duration(s.Longest), duration(s.Late), duration(s.CPU))
	}
	return t.Write(w)
}
