package app

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
	"perfectplay/play/judge"
	"perfectplay/play/transcript"
)

type judgeFlags struct {
	players
	out cli.Output
	all bool
	bad []error // games that cannot be judged
}

type judgeRecord struct {
	File string `json:"file"`
	judge.Move
}

func newJudgeCommand(a *family.App) *cobra.Command {
	var f judgeFlags
	cmd := &cobra.Command{
		Use:   "judge FILE...",
		Short: "compare recorded games with perfect play, move by move",
		Long: `judge reads games as solve play, solve match --save and the page save them and
prints for every move its value, the best move, and the loss: a win or a draw,
or the plies by which a win comes later or a loss sooner, or points of dominoes.
It lists the moves that lost something, or all with --verbose, and sums up
by player, with the errors in the first, second and last third of the games.

Only proved values count. A position without a known value is searched for a
second or two of work, or for --time. A move whose value stays open is not
judged, unless it gives up a proved win: that is an error. --tables DIR helps with games that do not fit --mem.

A record is a header, an empty line and the moves; docs/records.md has the form.
Games of Piskvork (.psq) and five in a row as SGF are read, too.
The file - is standard input. A game that cannot be read is named on standard
error; the others are judged, and the exit code is 1.`,
		Example: `  solve judge game.txt
  solve judge games.txt --time 5s --csv -o moves.csv
  cat *.txt | solve judge -`,
		GroupID: cli.GroupCheck,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.out.Flags(cmd)
	f.players.Flags(a, cmd, 0, "`TIME` for each position without a known value (default: a bound on positions)")
	cmd.Flags().BoolVarP(&f.all, "verbose", "v", false, "list the moves that lost nothing, too")
	return cmd
}

type gameOfFile struct {
	file string
	game game.Game
	rec  *transcript.Game
}

// recorded returns the game of a record whose moves are legal.
func recorded(a *family.App, rec *transcript.Game) (game.Game, error) {
	g, err := a.Open(rec.ID, rec.Rules)
	if err != nil {
		return nil, err
	}
	_, err = rec.Course(g)
	return g, err
}

// read returns the games of a file, and records why others cannot be judged.
func (f *judgeFlags) read(a *family.App, cmd *cobra.Command, name string) (games []gameOfFile, err error) {
	in, err := cli.Open(cmd, name, "games")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	list, err := transcript.Read(in)
	if err := cmd.Context().Err(); err != nil {
		return nil, err
	}
	bad := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		bad = many.Unwrap()
	}
	for i := range list {
		r := &list[i]
		g, err := recorded(a, r)
		if err != nil {
			bad = append(bad, fmt.Errorf("game %d, line %d: %w", r.Number, r.Line, err))
			continue
		}
		games = append(games, gameOfFile{name, g, r})
	}
	for _, err := range bad {
		if err != nil {
			f.bad = append(f.bad, fmt.Errorf("%s: %w", name, err))
		}
	}
	return games, nil
}

// run reads all games before it judges the first.
func (f *judgeFlags) run(a *family.App, cmd *cobra.Command, names []string) (err error) {
	var games []gameOfFile
	plies := 0
	for _, name := range names {
		list, err := f.read(a, cmd, name)
		if err != nil {
			return err
		}
		for _, g := range list {
			plies += len(g.rec.Moves)
		}
		games = append(games, list...)
	}
	if len(games) == 0 {
		return f.bad[0]
	}
	for _, bad := range f.bad {
		fmt.Fprintln(cmd.ErrOrStderr(), cli.Message(bad))
	}
	defer func() {
		if err == nil && len(f.bad) > 0 {
			err = fmt.Errorf("judge: %s cannot be read, see above", cli.Plural(len(f.bad), "game"))
		}
	}()
	return cli.Run(&f.out, &a.Progress, cmd, "moves", int64(plies), func(ctx context.Context, bar *cli.Bar) (records []judgeRecord, err error) {
		for _, g := range games {
			moves, err := judge.Judge(ctx, f.analyst, g.game, g.rec, explore.Query{Seconds: f.time.Seconds(), Nodes: explore.DefaultNodes}, func() { bar.Add(1) })
			for _, m := range moves {
				m.Number = g.rec.Number
				records = append(records, judgeRecord{g.file, m})
			}
			if err != nil {
				return records, err
			}
		}
		return records, nil
	}, f.text)
}

// text prints the moves that lost something, then the sums of each player.
func (f *judgeFlags) text(w io.Writer, records []judgeRecord) {
	t := cli.NewTable("game", ">ply", "player", "move", "was", "is", "lost", "best")
	shown := 0
	var moves []judge.Move
	for i := range records {
		r := &records[i]
		moves = append(moves, r.Move)
		lost := lostText(&r.Move)
		if lost == "" && !f.all {
			continue
		}
		best := r.Best
		if best == r.Text {
			best = ""
		}
		shown++
		was, is := explore.Worth{Value: r.Value, Distance: r.Distance}, explore.Worth{Value: r.Kept, Distance: r.KeptDistance}
		t.Row(fmt.Sprintf("%s:%d", r.File, r.Number), r.Ply, r.Player, r.Text, was, is, lost, best)
	}
	if shown > 0 {
		t.Write(w)
		fmt.Fprintln(w)
	}
	t = cli.NewTable("player", ">moves", ">judged", ">best", ">errors", ">opening", ">middle", ">end", ">half points lost", ">plies lost")
	for _, p := range judge.Tallies(moves) {
		row := []any{p.Player, p.Moves, p.Judged, p.Best, p.Errors}
		for _, ph := range judge.Phases() {
			row = append(row, fmt.Sprintf("%d of %d", p.ErrorsIn[ph], p.JudgedIn[ph]))
		}
		t.Row(append(row, p.ValueLost, p.DistanceLost)...)
	}
	t.Write(w)
}

// lostText describes the loss by a move. It is empty if nothing was lost or the move was not
// judged.
func lostText(m *judge.Move) string {
	var lost []string
	if m.Missed {
		lost = append(lost, "a proved win")
	}
	if m.ValueLost != nil && *m.ValueLost > 0 {
		lost = append(lost, "the "+string(m.Value))
	}
	if m.DistanceLost != nil && *m.DistanceLost > 0 {
		lost = append(lost, cli.Plural(*m.DistanceLost, "ply"))
	}
	if m.ScoreLost != nil && *m.ScoreLost > 0 {
		lost = append(lost, cli.Plural(*m.ScoreLost, "point"))
	}
	return strings.Join(lost, ", ")
}
