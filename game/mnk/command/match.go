package command

import (
	"bytes"
	"context"

	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"

	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

func newSeededRand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// mnkGameRecord is one game of a match. Times are of single moves, the longest
// of the game; late is beyond the time for a move, and cpu the processor time
// of the whole process.
type mnkGameRecord struct {
	Game         string  `json:"game"`
	Theory       string  `json:"theory"` // first, draw or empty where no one has said
	First        string  `json:"first"`
	Second       string  `json:"second"`
	Round        int     `json:"round"`
	Winner       string  `json:"winner"` // a player's name, or draw
	Below        string  `json:"below"`  // who did worse than theory says, or empty
	Ending       string  `json:"ending"`
	Plies        int     `json:"plies"`
	FirstPoints  int     `json:"first_points"`
	SecondPoints int     `json:"second_points"`
	FirstMax     float64 `json:"first_max_seconds"`
	SecondMax    float64 `json:"second_max_seconds"`
	FirstLate    float64 `json:"first_late_seconds"`
	SecondLate   float64 `json:"second_late_seconds"`
	FirstCPU     float64 `json:"first_cpu_seconds"`
	SecondCPU    float64 `json:"second_cpu_seconds"`
	Seconds      float64 `json:"seconds"`      // all moves together
	MoveSeconds  float64 `json:"move_seconds"` // what the rules give a move
	Seed         uint64  `json:"seed"`
	Moves        string  `json:"moves"`
}

// key names a game of a match.
func (r *mnkGameRecord) key() string {
	return fmt.Sprint(r.Game, " ", r.First, " ", r.Second, " ", r.Round)
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
	resume  string
}

func newMnkMatchCommand(a *family.App) *cobra.Command {
	var f mnkMatchFlags
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

func (f *mnkMatchFlags) run(a *family.App, cmd *cobra.Command, names []string) error {
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
	records, err := f.play(cmd.Context(), a, cmd, names, boards)
	if err != nil {
		return err
	}
	err = cli.Records(&f.out, cmd, records, func(w io.Writer) error { return mnkMatchText(w, names, records) })
	if err == nil && cmd.Context().Err() != nil {
		return cli.ErrInterrupted
	}
	return err
}

// boards returns the boards to play on.
func (f *mnkMatchFlags) boards() (list []*mnk.Game, err error) {
	if len(f.configs) == 0 {
		return mnk.Tournament(), nil
	}
	seen := map[string]bool{}
	for _, c := range f.configs {
		g, err := mnkConfig(c)
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

// play plays all games, one after the other, so that clocks are fair.
func (f *mnkMatchFlags) play(ctx context.Context, a *family.App, cmd *cobra.Command, names []string, boards []*mnk.Game) (records []mnkGameRecord, err error) {
	j, err := openMnkJournal(f.resume)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	bar := a.Progress.Start(cmd, "games", int64(2*f.games*len(boards)))
	defer bar.Stop()
	for _, g := range boards {
		theory := mnk.Theory(g)
		for round := range f.games {
			for first := range 2 {
				rec := mnkGameRecord{Game: g.ID(), Theory: theory, First: names[first], Second: names[1-first], Round: round + 1, MoveSeconds: f.time.Seconds(), Seed: f.seed}
				bar.Describe("%s %s first", g.ID(), rec.First)
				if old, ok := j.held[rec.key()]; ok {
					if old.MoveSeconds != rec.MoveSeconds || old.Seed != rec.Seed {
						return nil, cli.Usagef("--resume %s: its games have %v s a move and seed %d", f.resume, old.MoveSeconds, old.Seed)
					}
					if f.plies > 0 && old.Plies > f.plies || old.Ending == string(player.ByLength) && old.Plies != f.plies {
						return nil, cli.Usagef("--resume %s: a game of it ended after %d moves by other --plies", f.resume, old.Plies)
					}
					rec = old
				} else {
					ok, err := f.playGame(ctx, g, &rec)
					if err != nil || !ok {
						return records, err
					}
					if err := j.add(rec); err != nil {
						return nil, err
					}
				}
				records = append(records, rec)
				bar.Add(1)
			}
		}
	}
	return records, nil
}

// playGame plays a game and completes its record, unless it is interrupted.
func (f *mnkMatchFlags) playGame(ctx context.Context, g *mnk.Game, rec *mnkGameRecord) (ok bool, err error) {
	names := [2]string{rec.First, rec.Second}
	var seats [2]player.Player
	for i, n := range names {
		seats[i], err = player.New(n, g, player.Options{Memory: int64(f.res.Mem) / 2, Threads: f.res.Threads, Seed: f.seed + uint64(2*(rec.Round-1)+i)})
		if err != nil {
			return false, err
		}
		defer func() { err = errors.Join(err, seats[i].Close()) }()
	}
	r := player.Play(ctx, g, seats, player.Clock{Move: f.time, Grace: f.grace, Plies: f.plies})
	if r.Ending == player.ByStop {
		return false, nil
	}
	points := r.Points()
	rec.FirstPoints, rec.SecondPoints = points[0], points[1]
	rec.Winner, rec.Ending = "draw", string(r.Ending)
	if r.Winner >= 0 {
		rec.Winner = names[r.Winner]
	}
	switch {
	case rec.Theory == "first" && r.Winner != 0:
		rec.Below = rec.First
	case rec.Theory == "draw" && r.Winner >= 0:
		rec.Below = names[1-r.Winner]
	}
	rec.Plies, rec.Moves = len(r.Moves), r.Transcript(g)
	rec.FirstMax, rec.SecondMax = r.Spent[0].Longest.Seconds(), r.Spent[1].Longest.Seconds()
	rec.FirstLate, rec.SecondLate = r.Spent[0].Late.Seconds(), r.Spent[1].Late.Seconds()
	rec.FirstCPU, rec.SecondCPU = r.Spent[0].CPU.Seconds(), r.Spent[1].CPU.Seconds()
	rec.Seconds = (r.Spent[0].All + r.Spent[1].All).Seconds()
	return true, nil
}

// mnkJournal is a file of finished games. The zero value keeps nothing.
type mnkJournal struct {
	held map[string]mnkGameRecord
	file *os.File
	csv  *cli.CSV[mnkGameRecord]
}

// openMnkJournal reads the games of a file and goes on at its end; what a run
// that was killed has left of a line is cut off. Without a name it does nothing.
func openMnkJournal(name string) (j *mnkJournal, err error) {
	j = &mnkJournal{held: map[string]mnkGameRecord{}}
	if name == "" {
		return j, nil
	}
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("resume: %w", err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	if len(text) > 0 {
		if err := cli.ReadCSV(bytes.NewReader(text), func(r mnkGameRecord) { j.held[r.key()] = r }); err != nil {
			return nil, fmt.Errorf("resume: %s: not games of a match: %w", name, err)
		}
	}
	if j.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, fmt.Errorf("resume: %w", err)
	}
	if err := errors.Join(j.file.Truncate(int64(len(text))), seekEnd(j.file)); err != nil {
		return nil, fmt.Errorf("resume: %w", errors.Join(err, j.file.Close()))
	}
	j.csv = cli.NewCSV[mnkGameRecord](j.file)
	if len(text) == 0 {
		if err := j.csv.Header(); err != nil {
			return nil, fmt.Errorf("resume: %w", errors.Join(err, j.file.Close()))
		}
	}
	return j, nil
}

func seekEnd(f *os.File) error {
	_, err := f.Seek(0, io.SeekEnd)
	return err
}

// add appends a game.
func (j *mnkJournal) add(r mnkGameRecord) error {
	if j.file == nil {
		return nil
	}
	if err := j.csv.Write(r); err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
}

func (j *mnkJournal) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

// mnkSide is what a table says of one player.
type mnkSide struct {
	games            [2][3]int // as first, as second: won, drawn, lost
	points, below    int
	onTime           int // games lost on time
	longest, late, c float64
}

// add counts a game from a player's side.
func (s *mnkSide) add(name string, r *mnkGameRecord) {
	seat, points, max0, late, cpu := 0, r.FirstPoints, r.FirstMax, r.FirstLate, r.FirstCPU
	if r.First != name {
		seat, points, max0, late, cpu = 1, r.SecondPoints, r.SecondMax, r.SecondLate, r.SecondCPU
	}
	s.points += points
	s.longest, s.late, s.c = max(s.longest, max0), max(s.late, late), max(s.c, cpu)
	switch r.Winner {
	case name:
		s.games[seat][0]++
	case "draw":
		s.games[seat][1]++
	default:
		s.games[seat][2]++
		if r.Ending == string(player.ByTime) {
			s.onTime++
		}
	}
	if r.Below == name {
		s.below++
	}
}

// tally prints won, drawn and lost games.
func (s *mnkSide) tally(seat int) string {
	g := s.games[seat]
	return fmt.Sprintf("+%d =%d -%d", g[0], g[1], g[2])
}

// mnkMatchText prints a table of boards from the side of the first name, and one
// of the players.
func mnkMatchText(w io.Writer, names []string, records []mnkGameRecord) error {
	t := cli.NewTable("board", "theory", "as first", "as second", ">"+names[0], ">"+names[1], "below theory")
	var all [2]mnkSide
	for from := 0; from < len(records); {
		var here [2]mnkSide
		to := from
		for ; to < len(records) && records[to].Game == records[from].Game; to++ {
			for i, name := range names {
				here[i].add(name, &records[to])
				all[i].add(name, &records[to])
			}
		}
		var below []string
		for i, name := range names {
			if n := here[i].below; n > 0 {
				below = append(below, fmt.Sprintf("%s %d", name, n))
			}
		}
		t.Row(records[from].Game, records[from].Theory, here[0].tally(0), here[0].tally(1), here[0].points, here[1].points, strings.Join(below, ", "))
		from = to
	}
	t.Row("all", "", all[0].tally(0), all[0].tally(1), all[0].points, all[1].points, "")
	if err := t.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	seconds := func(s float64) string { return cli.Seconds(s * float64(time.Second)).String() }
	t = cli.NewTable("player", ">won", ">drawn", ">lost", ">points", ">below theory", ">lost on time", ">longest move", ">late by", ">most CPU")
	for i, name := range names {
		s := &all[i]
		t.Row(name, s.games[0][0]+s.games[1][0], s.games[0][1]+s.games[1][1], s.games[0][2]+s.games[1][2], s.points, s.below, s.onTime,
			seconds(s.longest), seconds(s.late), seconds(s.c))
	}
	return t.Write(w)
}
