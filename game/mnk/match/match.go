package match

import (
	"context"
	"errors"
	"fmt"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/journal"
)

// Record is one game of a match. Times are of single moves, the longest of the
// game, in seconds; late is beyond the time for a move, and cpu the processor time
// of the whole process.
type Record struct {
	Game         string  `json:"game"`
	Theory       string  `json:"theory"` // first, draw or empty, see mnk.Theory
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
	Moves        string  `json:"transcript"`
}

// key names a game of a match.
func (r *Record) key() string {
	return fmt.Sprint(r.Game, " ", r.First, " ", r.Second, " ", r.Round)
}

// Journal is a file of finished games.
type Journal = journal.Journal[Record]

// Open returns the journal of a file, see [journal.Open].
func Open(name string) (*Journal, error) {
	return journal.Open(name, "mnk-", func(r Record) string { return r.key() })
}

// Match is what is to be played.
type Match struct {
	Names   [2]string // of the players, see player.Names
	Boards  []*mnk.Game
	Rounds  int // games with each player first, on every board
	Clock   Clock
	Seed    uint64 // for players that choose at random
	Memory  int64  // of the two players of a game together
	Threads int    // of each
	// Begin, if not nil, is called before each game and after the last one with
	// the number of those that are finished.
	Begin func(done int, next Record)
}

// Games is how many games the match has.
func (m *Match) Games() int { return 2 * m.Rounds * len(m.Boards) }

// Run plays the games that the journal, which may be nil, does not hold, and adds
// each to it. When the context ends, it returns the games so far and the
// context's error.
func (m *Match) Run(ctx context.Context, j *Journal) (records []Record, err error) {
	begin := m.Begin
	if begin == nil {
		begin = func(int, Record) {}
	}
	for _, g := range m.Boards {
		for round := range m.Rounds {
			games, err := m.round(ctx, j, g, round, func(played int, next Record) { begin(len(records)+played, next) })
			records = append(records, games...)
			if err != nil {
				if errors.Is(err, journal.ErrOther) {
					records = nil
				}
				return records, err
			}
		}
	}
	begin(len(records), Record{})
	return records, nil
}

// Round plays the two games of a round, which counts from 0, on a board. It depends on
// no other round.
func (m *Match) Round(ctx context.Context, g *mnk.Game, round int) ([]Record, error) {
	return m.round(ctx, nil, g, round, func(int, Record) {})
}

// round plays the games of a round that the journal does not hold.
func (m *Match) round(ctx context.Context, j *Journal, g *mnk.Game, round int, begin func(played int, next Record)) (records []Record, err error) {
	for first := range 2 {
		rec := Record{Game: g.ID(), Theory: mnk.Theory(g), First: m.Names[first], Second: m.Names[1-first], Round: round + 1,
			MoveSeconds: m.Clock.Move.Seconds(), Seed: m.Seed}
		begin(len(records), rec)
		if err := j.Game(&rec, m.fits, func() error { return m.play(ctx, g, &rec) }); err != nil {
			return records, err
		}
		records = append(records, rec)
	}
	return records, nil
}

// fits refuses a game of a journal that was played by other rules.
func (m *Match) fits(old *Record) error {
	if old.MoveSeconds != m.Clock.Move.Seconds() || old.Seed != m.Seed {
		return fmt.Errorf("match: %w: its games have %v s a move and seed %d", journal.ErrOther, old.MoveSeconds, old.Seed)
	}
	if most := m.Clock.Plies; most > 0 && old.Plies > most || old.Ending == string(ByLength) && old.Plies != most {
		return fmt.Errorf("match: %w: a game of it ended after %d moves under another --limit", journal.ErrOther, old.Plies)
	}
	return nil
}

// play plays a game and completes its record.
func (m *Match) play(ctx context.Context, g *mnk.Game, rec *Record) (err error) {
	names := [2]string{rec.First, rec.Second}
	var seats [2]player.Player
	for i, n := range names {
		seats[i], err = player.New(n, g, player.Options{Memory: m.Memory / 2, Threads: m.Threads, Seed: m.Seed + uint64(2*(rec.Round-1)+i)})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, seats[i].Close()) }()
	}
	r := Play(ctx, g, seats, m.Clock)
	if r.Ending == ByStop {
		return ctx.Err()
	}
	points := r.Points()
	rec.FirstPoints, rec.SecondPoints = points[0], points[1]
	rec.Winner, rec.Ending = Draw, string(r.Ending)
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
	return nil
}

// Draw is the winner of a drawn game in a [Record].
const Draw = "draw"

// Tally sums up games from one player's side. Times are in seconds.
type Tally struct {
	Games         [2]Score // as first, as second
	Points, Below int      // games below theory
	OnTime        int      // games lost on time
	Longest       float64
	Late, CPU     float64
}

// Score counts games.
type Score struct{ Won, Drawn, Lost int }

// String is for instance +2 =1 -0.
func (s Score) String() string { return fmt.Sprintf("+%d =%d -%d", s.Won, s.Drawn, s.Lost) }

// Add counts a game that a player of this name took part in.
func (t *Tally) Add(name string, r *Record) {
	seat, points, longest, late, cpu := 0, r.FirstPoints, r.FirstMax, r.FirstLate, r.FirstCPU
	if r.First != name {
		seat, points, longest, late, cpu = 1, r.SecondPoints, r.SecondMax, r.SecondLate, r.SecondCPU
	}
	t.Points += points
	t.Longest, t.Late, t.CPU = max(t.Longest, longest), max(t.Late, late), max(t.CPU, cpu)
	switch r.Winner {
	case name:
		t.Games[seat].Won++
	case Draw:
		t.Games[seat].Drawn++
	default:
		t.Games[seat].Lost++
		if r.Ending == string(ByTime) {
			t.OnTime++
		}
	}
	if r.Below == name {
		t.Below++
	}
}
