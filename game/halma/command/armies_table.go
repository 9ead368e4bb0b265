package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies"
	"perfectplay/game/halma/armies/tiles"
	"perfectplay/game/halma/armies/verify"
	"perfectplay/internal/cli"
)

// armiesProbe is what solve probe says about a position of more than two seats.
type armiesProbe struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Seat     string `json:"seat"` // to move
	family.Worth
	Source string        `json:"source"`
	Sets   []setRecord   `json:"coalitions"`
	Moves  []aloneRecord `json:"moves"`

	state game.State // for people
}

// setRecord is what a set of seats can force against all others.
type setRecord struct {
	Seats string `json:"coalition"`
	family.Worth
}

// openArmiesTable opens a table of several armies and its game. It refuses a table
// of another board than it says, and flags that say otherwise.
func openArmiesTable(cmd *cobra.Command, rules, file string, memory cli.Size) (*tiles.Table, *halma.Game, error) {
	t, err := tiles.Open(file, uint64(memory))
	if err != nil {
		return nil, nil, err
	}
	info := t.Info()
	g, err := halma.ByID(info.Game, info.Rules)
	switch {
	case err != nil:
		err = fmt.Errorf("the table's game: %w", err)
	case cmd.Flags().Changed("rules") && rules != info.Rules:
		err = cli.Usagef("--rules %s: the table is of %s under rules %s", rules, info.Game, info.Rules)
	default:
		err = verify.CheckBoard(g, info)
	}
	if err != nil {
		t.Close()
		return nil, nil, err
	}
	return t, g, nil
}

// runArmies probes positions of a table of several armies.
func (f *probeFlags) runArmies(cmd *cobra.Command, args []string) error {
	if f.svg != "" {
		return cli.Usagef("--svg draws what moves are worth to one of two players: the table is of more")
	}
	t, g, err := openArmiesTable(cmd, f.Rules, f.table, f.job.Mem)
	if err != nil {
		return err
	}
	defer t.Close()
	return cli.Stream(&f.job.Output, cmd, func(w io.Writer, r armiesProbe) error { return r.write(w, f.app, g) }, func(put func(armiesProbe) error) error {
		return family.EachPosition(cmd, g, args, func(s game.State) error {
			r, err := probeArmies(g, t, s)
			if err != nil {
				return err
			}
			return put(r)
		})
	})
}

// probeArmies asks a table.
func probeArmies(g *halma.Game, t *tiles.Table, s game.State) (armiesProbe, error) {
	r := armiesProbe{Game: g.ID(), Rules: g.Rules(), Position: s.String(), Seat: g.SeatName(s.Seat()), Source: "table", state: s}
	whole := uint8(1<<g.Seats() - 1)
	for seats := uint8(1); seats < whole; seats++ {
		v, d, err := t.Value(seats, s.Seat(), armies.Sides(g, s))
		if err != nil {
			return r, err
		}
		set := setRecord{seatNames(g, seats), family.NewWorth(v, d)}
		r.Sets = append(r.Sets, set)
		if seats == 1<<s.Seat() {
			r.Worth = set.Worth
		}
	}
	slices.SortStableFunc(r.Sets, func(a, b setRecord) int { return strings.Count(a.Seats, "+") - strings.Count(b.Seats, "+") })
	mover := s.Seat()
	var err error
	if r.Moves, err = judgeAlone(g, s, func(seat int) (game.Value, int, error) { return t.Value(1<<seat, s.Seat(), armies.Sides(g, s)) }); err != nil {
		return r, err
	}
	slices.SortStableFunc(r.Moves, func(a, b aloneRecord) int { return a.Alone[mover].Compare(b.Alone[mover]) })
	return r, nil
}

// judgeAlone returns the moves of a position with what each seat can force alone
// after them; value says that of a seat at the state as it stands.
func judgeAlone(g *halma.Game, s game.State, value func(seat int) (game.Value, int, error)) (list []aloneRecord, err error) {
	for _, m := range s.Moves(nil) {
		o := aloneRecord{Move: s.MoveString(m)}
		s.Make(m)
		for seat := 0; seat < g.Seats() && err == nil; seat++ {
			var v game.Value
			var d int
			v, d, err = value(seat)
			o.Alone = append(o.Alone, family.NewWorth(v, d+1))
		}
		s.Unmake()
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// writeAlone prints moves with what each seat can force alone.
func writeAlone(w io.Writer, g *halma.Game, moves []aloneRecord) error {
	heads := []string{"move"}
	for seat := range g.Seats() {
		heads = append(heads, "seat "+g.SeatName(seat))
	}
	t := cli.NewTable(heads...)
	for _, o := range moves {
		row := []any{o.Move}
		for _, alone := range o.Alone {
			row = append(row, alone)
		}
		t.Row(row...)
	}
	return t.Write(w)
}

// write prints the record for people.
func (r *armiesProbe) write(w io.Writer, a *family.App, g *halma.Game) error {
	fmt.Fprintln(w, r.Position)
	a.Draw(w, g, r.state)
	fmt.Fprintf(w, "seat %s to move; what sets of seats can force against all others:\n", r.Seat)
	if err := cli.Grid[setRecord]("seats=coalition", "value=Worth")(w, r.Sets); err != nil {
		return err
	}
	if len(r.Moves) == 0 {
		_, err := fmt.Fprintln(w, "the game is over")
		return err
	}
	fmt.Fprintln(w, "\nMoves, and what each seat can force alone:")
	if err := writeAlone(w, g, r.Moves); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// runArmies verifies a table of several armies.
func (f *verifyFlags) runArmies(a *family.App, cmd *cobra.Command, file string) error {
	t, g, err := openArmiesTable(cmd, f.Rules, file, f.job.Mem)
	if err != nil {
		return err
	}
	defer t.Close()
	info := t.Info()
	return cli.Run(&f.job.Output, &a.Progress, cmd, "checksums", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]tableVerdict, error) {
		r := tableVerdict{File: file, Game: info.Game, Rules: info.Rules, Distances: true, Kind: "armies", Signature: info.Signature, Verdict: "checksums right", Counted: true}
		for _, n := range info.Positions {
			r.Positions += n
		}
		begin := time.Now()
		bar.Describe("checksums and counts")
		if !f.sumsOnly {
			bar.Part(0.1, cli.Shares)
		}
		if err := t.Check(ctx, f.job.Threads, bar.Share); err != nil {
			return nil, err
		}
		if !f.sumsOnly {
			bar.Describe("positions")
			bar.Part(1, cli.Shares)
			o := verify.Options{Sample: f.sample, Seed: 1, Threads: f.job.Threads, Reference: f.reference, Progress: bar.Share}
			if cmd.Flags().Changed("tile") {
				o.Tile = &f.tile
			}
			v, err := verify.Table(ctx, g, t, o)
			if err != nil {
				return nil, err
			}
			switch r.Checked, r.Faults, r.Verdict = v.Checked, v.Faults, "no fault"; {
			case f.sample > 0:
				r.Verdict = "no fault in the sample"
			case o.Tile != nil:
				r.Verdict = fmt.Sprintf("no fault in tile %d of %d", f.tile, t.Tiles())
			}
			if r.Faults > 0 {
				bar.Stop()
				for _, fault := range v.First {
					fmt.Fprintln(cmd.ErrOrStderr(), fault)
				}
				return nil, fmt.Errorf("%s: %d faults", file, r.Faults)
			}
		}
		r.Counts = "as described"
		r.Seconds = cli.Since(begin)
		return []tableVerdict{r}, nil
	}, verdictText)
}
