package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
)

func newSeededRand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// mnkGameRecord is one game of a match.
type mnkGameRecord struct {
	Game         string  `json:"game"`
	First        string  `json:"first"`
	Second       string  `json:"second"`
	Round        int     `json:"round"`
	Winner       string  `json:"winner"` // a player's name, or draw
	Ending       string  `json:"ending"`
	Plies        int     `json:"plies"`
	FirstPoints  int     `json:"first_points"`
	SecondPoints int     `json:"second_points"`
	FirstMax     float64 `json:"first_max_seconds"`
	SecondMax    float64 `json:"second_max_seconds"`
	Moves        string  `json:"moves"`
}

// mnkMatchFlags are the flags of solve mnk match.
type mnkMatchFlags struct {
	out     cli.Output
	res     cli.Resources
	configs []string
	time    time.Duration
	grace   time.Duration
	games   int
	plies   int
	seed    uint64
}

func newMnkMatchCommand(a *app) *cobra.Command {
	var f mnkMatchFlags
	cmd := &cobra.Command{
		Use:   "match A B",
		Short: "let two players meet on many boards",
		Long: `match lets two players meet: each begins as often as the other on every board.
Players: ` + strings.Join(player.Names(), ", ") + `.

Points as in the tournament of the published players: 3 for a win as second, 2
for a win as first or by the opponent's error (an illegal move, or time), 1 for
a draw. Without --configs the 25 boards of that tournament are played.`,
		Example: `  solve mnk match perfect monkey --time 1s --games 2
  solve mnk match perfect greedy --configs 7,7,5 --configs 10,10,5`,
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
	return cmd
}

func (f *mnkMatchFlags) run(a *app, cmd *cobra.Command, args []string) error {
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
	}
	var boards []*mnk.Game
	configs := f.configs
	if len(configs) == 0 {
		for _, c := range player.Configs() {
			configs = append(configs, fmt.Sprintf("%d,%d,%d", c[0], c[1], c[2]))
		}
	}
	for _, c := range configs {
		g, err := mnkConfig(c)
		if err != nil {
			return err
		}
		boards = append(boards, g)
	}
	tiny, err := mnk.New(1, 1, 1)
	if err != nil {
		return err
	}
	for _, name := range args {
		if _, err := player.New(name, tiny, player.Options{Memory: 1 << 20}); err != nil {
			return cli.Usage(err)
		}
	}
	records, err := f.play(cmd.Context(), a, cmd, args, boards)
	if err != nil {
		return err
	}
	err = cli.Records(&f.out, cmd, records, func(w io.Writer) error { return mnkMatchText(w, args, boards, records) })
	if err == nil && cmd.Context().Err() != nil {
		return cli.ErrInterrupted
	}
	return err
}

// play plays all games, one after the other, so that clocks are fair.
func (f *mnkMatchFlags) play(ctx context.Context, a *app, cmd *cobra.Command, names []string, boards []*mnk.Game) ([]mnkGameRecord, error) {
	bar := a.progress.Start(cmd, "games", int64(2*f.games*len(boards)))
	defer bar.Stop()
	var records []mnkGameRecord
	for _, g := range boards {
		for round := range f.games {
			for first := range 2 {
				if ctx.Err() != nil {
					return records, nil
				}
				bar.Describe("%s %s", g.ID(), names[first])
				seats := [2]string{names[first], names[1-first]}
				var players [2]player.Player
				for i, n := range seats {
					p, err := player.New(n, g, player.Options{Memory: int64(f.res.Mem) / 2, Threads: f.res.Threads, Seed: f.seed + uint64(2*round+i)})
					if err != nil {
						return nil, err
					}
					players[i] = p
				}
				r := player.Play(ctx, g, players, player.Clock{Move: f.time, Grace: f.grace, Plies: f.plies})
				if r.Ending == player.ByStop {
					return records, nil
				}
				points := r.Points()
				rec := mnkGameRecord{Game: g.ID(), First: seats[0], Second: seats[1], Round: round + 1, Winner: "draw", Ending: string(r.Ending), Plies: len(r.Moves),
					FirstPoints: points[0], SecondPoints: points[1], FirstMax: r.Longest[0].Seconds(), SecondMax: r.Longest[1].Seconds(), Moves: r.Transcript(g)}
				if r.Winner >= 0 {
					rec.Winner = seats[r.Winner]
				}
				records = append(records, rec)
				bar.Add(1)
			}
		}
	}
	return records, nil
}

// mnkMatchText prints a table of boards, from the side of the first name.
func mnkMatchText(w io.Writer, names []string, boards []*mnk.Game, records []mnkGameRecord) error {
	t := cli.NewTable("board", "as first", "as second", ">"+names[0], ">"+names[1], ">longest move")
	var total [2]int
	worst := 0.0
	for _, g := range boards {
		var count [2][3]int // as first, as second: won, drawn, lost
		var points [2]int
		longest := 0.0
		n := 0
		for i, r := range records {
			if r.Game != g.ID() {
				continue
			}
			n++
			seat := i % 2 // games alternate who begins
			mine, theirs := r.FirstPoints, r.SecondPoints
			max0 := r.FirstMax
			if seat == 1 {
				mine, theirs, max0 = theirs, mine, r.SecondMax
			}
			longest = max(longest, max0)
			points[0] += mine
			points[1] += theirs
			switch {
			case mine > theirs:
				count[seat][0]++
			case mine == theirs:
				count[seat][1]++
			default:
				count[seat][2]++
			}
		}
		if n == 0 {
			continue
		}
		show := func(c [3]int) string { return fmt.Sprintf("+%d =%d -%d", c[0], c[1], c[2]) }
		t.Row(g.ID(), show(count[0]), show(count[1]), points[0], points[1], cli.Seconds(time.Duration(longest*float64(time.Second))))
		total[0] += points[0]
		total[1] += points[1]
		worst = max(worst, longest)
	}
	t.Row("all", "", "", total[0], total[1], cli.Seconds(time.Duration(worst*float64(time.Second))))
	return t.Write(w)
}
