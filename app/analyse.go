package app

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
	"perfectplay/solve"
)

type analyseFlags struct {
	family.Flags
	job     cli.Job
	at      family.At
	sources family.Sources
	limit   int
	time    time.Duration
}

// finding is the value of a position, as a part of several records.
type finding struct {
	Game     string   `json:"game"`
	Rules    string   `json:"rules"`
	Position string   `json:"position"`
	Path     []string `json:"path"` // moves from the given position to this one
	Seat     string   `json:"seat"` // the seat to move
	explore.Worth
	Source wing.Kind `json:"source"`
	Limit  *int      `json:"limit"` // plies completed by a search
}

// newFinding converts an answer about a position and its moves.
func newFinding(a *explore.Answer) (r finding, moves family.Moves) {
	r = finding{Game: a.Game, Rules: a.Rules, Position: a.Position, Path: a.Path, Seat: a.Seat, Worth: a.Worth, Source: a.Source.Kind}
	if r.Source == wing.BySearch {
		r.Limit = &a.Source.Limit
	}
	for _, m := range a.Moves {
		moves = append(moves, family.MoveWorth{Move: m.Move, Worth: m.Worth, Position: m.Position})
	}
	return r, moves
}

// analyseRecord is an answer of solve analyse, with the values known so far.
type analyseRecord struct {
	finding
	Nodes   uint64       `json:"nodes"`
	Seconds cli.Seconds  `json:"seconds"`
	Moves   family.Moves `json:"moves"`
	Line    []string     `json:"line"`

	answer *explore.Answer
}

func newAnalyseCommand(a *family.App) *cobra.Command {
	var f analyseFlags
	cmd := &cobra.Command{
		Use:   "analyse GAME",
		Short: "say what every move is worth, deeper and deeper until stopped",
		Long: `analyse says what a position and each of its moves are worth. A table, a
solution made on the spot, the exact solver of dominoes or a proof of an
m,n,k-game answers at once. Any other position is searched deeper and deeper,
and each line says what is proved by then. The search ends when all is decided,
after --time or --limit plies, or when it is interrupted.

With --json it writes an object each time it knows more.`,
		Example: `  solve analyse halma-star37-2p --rules house --moves b1-c4
  solve analyse halma-star73-2p --rules house --time 5s
  solve analyse mnk-5x5k4 --moves c3 --json`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Flags.Flags(a, cmd)
	f.job.Flags(cmd, explore.MinMemory)
	f.at.Flags(cmd)
	fl := cmd.Flags()
	f.sources.Flags(cmd)
	fl.IntVarP(&f.limit, "limit", "l", 0, "horizon: `L` plies from the position (default: deeper and deeper)")
	fl.DurationVar(&f.time, "time", 0, "stop after this `TIME`, for instance 60s (default: no limit)")
	cli.Rules(cmd, cli.Within("limit", 0, solve.MaxLimit), cli.AtLeast("time", 0))
	return cmd
}

func (f *analyseFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	g, s, err := f.OpenAt(id, f.at)
	if err != nil {
		return err
	}
	service, err := f.sources.Service(a, f.job.Resources)
	if err != nil {
		return err
	}
	defer service.Close()
	q := explore.Query{Game: id, Rules: f.Rules, Position: f.at.Position, Moves: f.at.Moves, Limit: f.limit, Seconds: f.time.Seconds()}
	return cli.Stream(&f.job.Output, cmd, func(w io.Writer, r analyseRecord) { r.write(w, a, g, s) }, func(put func(analyseRecord) error) error {
		last := ""
		err := service.Analyse(cmd.Context(), q, func(answer *explore.Answer) error {
			r := newAnalyseRecord(answer)
			// An answer is printed if one of these changed.
			moves, _ := r.Moves.MarshalText()
			known := fmt.Sprint(r.Worth, r.answer.Source.Limit, r.Line, answer.Progress == nil || answer.Progress.Done, string(moves))
			if known == last {
				return nil
			}
			last = known
			return put(r)
		})
		if err != nil {
			return err
		}
		return cmd.Context().Err() // nil unless the analysis was interrupted
	})
}

func newAnalyseRecord(a *explore.Answer) analyseRecord {
	r := analyseRecord{Line: a.Line, answer: a}
	r.finding, r.Moves = newFinding(a)
	if p := a.Progress; p != nil {
		r.Nodes, r.Seconds = p.Nodes, cli.Seconds(p.Seconds*float64(time.Second))
	}
	return r
}

// write prints the answer for people: a line during the analysis, and at the end the position
// with all moves.
func (r analyseRecord) write(w io.Writer, a *family.App, g game.Game, s game.State) {
	p := r.answer.Progress
	if p != nil && !p.Done {
		decided := 0
		for _, m := range r.Moves {
			if m.Final {
				decided++
			}
		}
		if p.Nodes == 0 && decided == 0 && !r.Final {
			return // no result yet
		}
		fmt.Fprintf(w, "%8s  %d plies, %s positions, %s: %s; %d of %d moves decided\n", r.Seconds, p.Depth, cli.Count(p.Nodes),
			cli.Rate(p.Nodes, r.Seconds), r.answer.Text, decided, len(r.Moves))
		return
	}
	fmt.Fprintln(w, r.Position)
	a.Draw(w, g, s)
	about := r.answer.Source.About
	if p != nil && !r.Final {
		about = p.Why
	}
	fmt.Fprintf(w, "%s (%s)\n", r.answer.Text, about)
	writeProbe(w, r.Moves)
	if len(r.Line) > 1 {
		fmt.Fprintln(w, "best play:", strings.Join(r.Line, " "))
	}
}
