package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/match"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/journal"
	"perfectplay/internal/parts"
)

// matchFlags are the flags of solve mnk match.
type matchFlags struct {
	match.Match
	out     cli.Output
	res     cli.Resources
	ids     []string
	journal string
	parts   cli.Parts
	held    [][]match.Record // the rounds of all parts, where they are merged
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
a draw. Without --boards the 25 boards of that tournament are played.

Where the value of a board is published or was proved here, each game is held
against it: who begins on a board that the first player wins and does not win,
or loses on a drawn one, is below theory.

Games are played one after the other, and a player does not think on the
other's time. Of each player the longest move is given, by how much a move was
late, and the most processor time that a move took: a late move with little of
it waited for the machine.`,
		Example: `  solve mnk match perfect monkey --time 1s --games 2
  solve mnk match perfect greedy --boards mnk-7x7k5,mnk-10x10k5
  solve mnk match perfect sufferingdoge --time 1s --journal games.csv --csv`,
		Args:              cli.Args("A", "B"),
		ValidArgsFunction: cli.Words(player.Names()),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.out.Flags(cmd)
	resources(cmd, &f.res, 1<<20, 256<<20)
	timeFlag(cmd, &f.Clock.Move, "`TIME` for each move")
	fl := cmd.Flags()
	fl.StringSliceVar(&f.ids, "boards", nil, "`GAMES` to play, for instance mnk-7x7k5,mnk-9x9k5 (default: the tournament's)")
	fl.DurationVar(&f.Clock.Grace, "grace", 0, "`TIME` forgiven beyond --time, for busy machines")
	cli.Number(cmd, &f.Rounds, "games", 2, "play `N` games with each player first, on every board")
	fl.IntVarP(&f.Clock.Plies, "limit", "l", 0, "end a game as a draw after `L` plies (default: never)")
	cli.SeedFlag(cmd, &f.Seed)
	fl.StringVar(&f.journal, "journal", "", "add each game to `FILE` when it ends; games it holds are not played again")
	f.parts.Flags(cmd, a.Program, &a.Merging)
	cli.CompleteBy(cmd, "boards", cli.CompleteLast(func(*cobra.Command, []string, []string) []string { return mnk.TournamentIDs() }))
	cli.Renamed(cmd, "configs", "it is --boards GAMES now, for instance --boards mnk-7x7k5")
	cli.Renamed(cmd, "plies", "it is --limit L now")
	cli.Renamed(cmd, "resume", "it is --journal FILE now, which goes on from what FILE holds")
	return cmd
}

func (f *matchFlags) run(a *family.App, cmd *cobra.Command, names []string) error {
	switch {
	case f.Clock.Grace < 0 || f.Clock.Plies < 0:
		return cli.Usagef("--grace and --limit: want at least 0")
	case f.Rounds < 1:
		return cli.Usagef("--games %d: want at least 1", f.Rounds)
	case names[0] == names[1]:
		return cli.Usagef("%s against itself: want two players", names[0])
	}
	for _, name := range names {
		if err := player.Known(name); err != nil {
			return cli.Usage(err)
		}
	}
	if err := f.boards(a); err != nil {
		return err
	}
	f.Names, f.Memory, f.Threads = [2]string(names), int64(f.res.Mem), f.res.Threads
	tasks := f.tasks()
	if f.parts.One() {
		if err := cli.Exclusive(cmd, "part", "journal"); err != nil {
			return err
		}
		return cli.RunPart(&f.parts, &f.out, &a.Progress, cmd, tasks, 1, func(ctx context.Context, i int) ([]match.Record, error) {
			return f.Round(ctx, f.Boards[i/f.Rounds], i%f.Rounds)
		})
	}
	var err error
	if f.held, err = cli.Merged[[]match.Record](&f.parts, cmd, tasks); err != nil {
		return err
	}
	if f.journal != "" {
		if err := f.out.Apart(files.Named{What: "the journal", Name: f.journal}); err != nil {
			return err
		}
		claim, err := files.Take("the journal", f.journal)
		if err != nil {
			return err
		}
		defer claim.Release()
	}
	return cli.Run(&f.out, &a.Progress, cmd, "games", int64(f.Games()), f.play, f.text)
}

// tasks are the rounds, board by board, each of two games. They take as long as the
// board has room for moves, as far as one knows.
func (f *matchFlags) tasks() (tasks []parts.Task) {
	for _, g := range f.Boards {
		for round := range f.Rounds {
			tasks = append(tasks, parts.Task{Name: fmt.Sprintf("%s round %d", g.ID(), round+1), Cost: float64(g.Cells())})
		}
	}
	return tasks
}

// boards sets the boards to play on.
func (f *matchFlags) boards(a *family.App) error {
	if len(f.ids) == 0 {
		f.Boards = mnk.Tournament()
	}
	seen := map[string]bool{}
	for _, id := range f.ids {
		g, err := readGame(a, []string{id})
		if err != nil {
			return err
		}
		if seen[g.ID()] {
			return cli.Usagef("--boards: %s is given twice", id)
		}
		seen[g.ID()] = true
		f.Boards = append(f.Boards, g)
	}
	return nil
}

// play plays the games with the journal that the flags name.
func (f *matchFlags) play(ctx context.Context, bar *cli.Bar) (records []match.Record, err error) {
	var j *match.Journal
	if f.journal != "" {
		if j, err = match.Open(f.journal); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, j.Close()) }()
	}
	f.Begin = func(done int, next match.Record) {
		bar.Set(int64(done))
		bar.Describe("%s %s first", next.Game, next.First)
	}
	if f.held != nil {
		records = slices.Concat(f.held...)
		err = j.Fill(records)
	} else {
		records, err = f.Run(ctx, j)
	}
	switch {
	case errors.Is(err, journal.ErrOther):
		err = cli.Usage(fmt.Errorf("--journal %s: %w", f.journal, err))
	case f.journal != "" && errors.Is(err, context.Canceled):
		err = cli.Saved(err)
	}
	return records, err
}

// text prints a table of boards from the side of the first name, and one of the
// players.
func (f *matchFlags) text(w io.Writer, records []match.Record) error {
	names := f.Names
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
