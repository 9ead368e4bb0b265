package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/internal/host"
	"perfectplay/internal/journal"
	"perfectplay/play/engine"
	"perfectplay/play/player"
	"perfectplay/play/transcript"
)

// Ending is the way a game ended.
type Ending string

// The endings.
const (
	ByRules      Ending = "rules"      // won or drawn by the rules of the game
	ByRepetition Ending = "repetition" // a position occurred for the third time: a draw
	ByLength     Ending = "length"     // stopped after a number of plies: a draw
	ByTime       Ending = "time"       // the loser took too long
	ByFault      Ending = "fault"      // the loser made no legal move
)

// Record is one game of a match. Times are in seconds.
type Record struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	A     string `json:"a"` // the players
	B     string `json:"b"`
	// Pair counts the pairs or rounds of games from 1, each with one opening. Seating gives the
	// player of each seat, in turn order, for instance AB or BABABA.
	Pair    int    `json:"pair"`
	Seating string `json:"seating"`
	// Position is the first position, and Transcript the moves, the first OpeningPlies of which
	// are the opening.
	Position     string `json:"position"`
	OpeningPlies int    `json:"opening_plies"`
	// Winner is A, B or draw; WinnerSeat names the seat that won by the rules.
	Winner     string `json:"winner"`
	WinnerSeat string `json:"winner_seat"`
	Ending     Ending `json:"ending"`
	Note       string `json:"note"`  // why the game did not end by the rules
	Plies      int    `json:"plies"` // number of plies, without the opening
	// Theory is the value of the first position to the seat to move, if known and if games
	// begin there; Below is the player with the worse result.
	Theory string `json:"theory"`
	Below  string `json:"below"`
	// For each player: its points of a tournament, the time of its longest move, the most by
	// which a move exceeded its time, and the most processor time that the whole process used
	// in a move.
	APoints     int     `json:"a_points"`
	BPoints     int     `json:"b_points"`
	AMax        float64 `json:"a_max_seconds"`
	BMax        float64 `json:"b_max_seconds"`
	ALate       float64 `json:"a_late_seconds"`
	BLate       float64 `json:"b_late_seconds"`
	ACPU        float64 `json:"a_cpu_seconds"`
	BCPU        float64 `json:"b_cpu_seconds"`
	Seconds     float64 `json:"seconds"`      // all moves together
	MoveSeconds float64 `json:"move_seconds"` // allowed for a move
	Seed        uint64  `json:"seed"`
	Transcript  string  `json:"transcript"`
}

func (r Record) key() string {
	return fmt.Sprint(r.Game, " ", r.Rules, " ", r.A, " ", r.B, " ", r.Pair, " ", r.Seating)
}

// The winners of a [Record] beside A and B.
const (
	SideA = "A"
	SideB = "B"
	Draw  = "draw"
)

// Journal is a file of finished games.
type Journal = journal.Journal[Record]

// Open returns the journal of a file, see [journal.Open].
func Open(name string) (*Journal, error) { return journal.Open(name, Record.key) }

// Side is one of the two players.
type Side struct {
	Name string
	// External says that another process thinks: its moves are timed by the wall clock. Players
	// of this process are timed by processor time.
	External bool
	// New makes the player for a game. The seed decides all random moves.
	New func(ctx context.Context, g game.Game, seed uint64) (player.Player, error)
}

// Opening is the beginning of a pair of games.
type Opening struct {
	From  string // a position as text, or start
	Moves []string
}

// Match describes the games to play.
type Match struct {
	Boards []game.Game // each board gets the same number of pairs
	// Theory returns the value of a board's first position to the seat to move, Unknown if it is
	// not known. Without Theory no value is known.
	Theory func(game.Game) game.Value
	Sides  [2]Side
	Pairs  int // number of pairs of games, or number of rounds
	// Alone gives A one seat and B all others; a round has a game for each seat of A.
	Alone bool
	// Openings are taken in turn. Without them each pair begins with Random random moves.
	Openings []Opening
	Random   int
	// Move bounds a move; Grace is tolerated beyond it, for machines that keep processes
	// waiting.
	Move, Grace time.Duration
	Plies       int // number of plies after which a game is a draw; 0 for no limit
	Seed        uint64
	// Begin, if not nil, is called before each game and after the last one with the number of
	// finished games.
	Begin func(done int, next Record)
}

// Games is the number of games of the match.
func (m *Match) Games() int {
	n := 0
	for _, g := range m.Boards {
		n += len(m.seatings(g, 0)) * m.Pairs
	}
	return n
}

// seatings returns the seats of the players in the games of a pair or a round.
func (m *Match) seatings(g game.Game, pair int) []string {
	n := g.Seats()
	if m.Alone {
		return slices.DeleteFunc(all(n), func(seats string) bool { return strings.Count(seats, SideA) != 1 })
	}
	divisions := divide(n)
	d := divisions[pair%len(divisions)]
	return []string{d, exchange(d)}
}

// all returns every division of the seats in which A and B both have some, in binary order with
// the first seat as the lowest digit.
func all(seats int) (list []string) {
	for mask := 1; mask < 1<<seats-1; mask++ {
		text := []byte(strings.Repeat(SideB, seats))
		for s := range text {
			if mask>>s&1 != 0 {
				text[s] = 'A'
			}
		}
		list = append(list, string(text))
	}
	return list
}

// Run plays the games that are not in the journal, which may be nil, and adds each to it. When
// the context ends, it returns the games so far and the context's error.
func (m *Match) Run(ctx context.Context, j *Journal) (records []Record, err error) {
	begin := m.Begin
	if begin == nil {
		begin = func(int, Record) {}
	}
	for i := range m.Pairs * len(m.Boards) {
		games, err := m.pair(ctx, j, i, func(played int, next Record) { begin(len(records)+played, next) })
		records = append(records, games...)
		if err != nil {
			if errors.Is(err, journal.ErrOther) {
				records = nil
			}
			return records, err
		}
	}
	begin(len(records), Record{})
	return records, nil
}

// Pair plays the games of a pair or round. Pairs count from 0, board by board. No pair depends on
// another.
func (m *Match) Pair(ctx context.Context, i int) ([]Record, error) {
	return m.pair(ctx, nil, i, func(int, Record) {})
}

// pair plays the games of a pair that are not in the journal.
func (m *Match) pair(ctx context.Context, j *Journal, i int, begin func(played int, next Record)) (records []Record, err error) {
	g, pair := m.Boards[i/m.Pairs], i%m.Pairs
	opening, err := m.opening(g, pair)
	if err != nil {
		return nil, err
	}
	for _, seats := range m.seatings(g, pair) {
		rec := Record{
			Game: g.ID(), Rules: g.Rules(), A: m.Sides[0].Name, B: m.Sides[1].Name, Pair: pair + 1, Seating: seats,
			Position: opening.From, OpeningPlies: len(opening.Moves), Transcript: strings.Join(opening.Moves, " "), MoveSeconds: m.Move.Seconds(), Seed: m.Seed,
		}
		if m.Theory != nil && opening.From == "start" && len(opening.Moves) == 0 {
			if v := m.Theory(g); v != game.Unknown {
				rec.Theory = v.String()
			}
		}
		begin(len(records), rec)
		err := j.Game(&rec, func(old *Record) error { return m.fits(old, &rec) }, func() error { return m.play(ctx, g, opening, &rec) })
		if err != nil {
			return records, err
		}
		records = append(records, rec)
	}
	return records, nil
}

// fits refuses a game of a journal that was played by other rules.
func (m *Match) fits(old, want *Record) error {
	switch {
	case old.MoveSeconds != want.MoveSeconds || old.Seed != want.Seed:
		return fmt.Errorf("match: %w: its games have %v s a move and seed %d", journal.ErrOther, old.MoveSeconds, old.Seed)
	case old.Position != want.Position || old.OpeningPlies != want.OpeningPlies || !strings.HasPrefix(old.Transcript, want.Transcript):
		return fmt.Errorf("match: %w: its pair %d has another opening", journal.ErrOther, old.Pair)
	case m.Plies > 0 && old.Plies > m.Plies || old.Ending == ByLength && old.Plies != m.Plies:
		return fmt.Errorf("match: %w: a game of it ended after %d plies by another limit", journal.ErrOther, old.Plies)
	}
	return nil
}

// divide returns the divisions of the seats into halves that differ by at most one, the most
// alternating first. Of a division and its exchange it returns one.
func divide(seats int) (list []string) {
	list = slices.DeleteFunc(all(seats), func(d string) bool {
		return strings.Count(d, SideB) != seats/2 || seats%2 == 0 && d[:1] == SideB
	})
	slices.Reverse(list) // now in the binary order of B's seats
	changes := func(d string) int { return strings.Count(d, "AB") + strings.Count(d, "BA") }
	slices.SortStableFunc(list, func(x, y string) int { return changes(y) - changes(x) })
	return list
}

func exchange(seats string) string {
	return strings.Map(func(r rune) rune { return 'A' + 'B' - r }, seats)
}

// tries bounds the random openings of a pair: some of them end the game.
const tries = 1000

func (m *Match) opening(g game.Game, pair int) (Opening, error) {
	if len(m.Openings) > 0 {
		return m.Openings[pair%len(m.Openings)], nil
	}
	rng := rand.New(rand.NewPCG(m.Seed, uint64(pair)))
	for range tries {
		o, s := Opening{From: "start"}, g.Start()
		for len(o.Moves) < m.Random && s.Result() == game.Ongoing {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				return o, game.Stuck(g, s)
			}
			mv := moves[rng.IntN(len(moves))]
			o.Moves = append(o.Moves, s.MoveString(mv))
			s.Make(mv)
		}
		if s.Result() == game.Ongoing {
			return o, nil
		}
	}
	return Opening{}, fmt.Errorf("match: %s is over within %d random moves", g.ID(), m.Random)
}

// Course plays an opening.
func (o *Opening) Course(g game.Game) (*game.Course, error) {
	rec := transcript.Game{Position: o.From, Moves: o.Moves}
	c, err := rec.Course(g)
	if err == nil && c.Result() != game.Ongoing {
		err = errors.New("the game is over after the opening")
	}
	return c, err
}

func (m *Match) play(ctx context.Context, g game.Game, o Opening, rec *Record) (err error) {
	c, err := o.Course(g)
	if err != nil {
		return fmt.Errorf("match: opening of pair %d: %w", rec.Pair, err)
	}
	var players [2]player.Player
	for i := range m.Sides {
		if players[i], err = m.Sides[i].New(ctx, g, m.Seed<<20+m.number(rec, i)); err != nil {
			if bad := new(engine.Fault); errors.As(err, &bad) && ctx.Err() == nil {
				rec.lost(i, ByFault, bad.Why)
				rec.judge()
				return nil
			}
			return err
		}
		defer func() { err = errors.Join(err, players[i].Close()) }()
	}
	for c.Result() == game.Ongoing && rec.Winner == "" {
		rec.Plies = len(c.Path) - len(o.Moves)
		if m.Plies > 0 && rec.Plies >= m.Plies {
			rec.Winner, rec.Ending, rec.Note = Draw, ByLength, fmt.Sprintf("stopped after %d plies", m.Plies)
			break
		}
		mv, err := m.turn(ctx, g, players, c.State, rec)
		if err != nil {
			return err
		}
		if rec.Winner != "" {
			break
		}
		if c.Play(mv); c.Endless() {
			rec.Winner, rec.Ending, rec.Note = Draw, ByRepetition, "a position came up for the third time"
		}
	}
	rec.Plies, rec.Transcript = len(c.Path)-len(o.Moves), strings.Join(c.Names(), " ")
	if rec.Winner == "" {
		rec.Winner, rec.Ending = Draw, ByRules
		if w, ok := c.Result().Winner(); ok {
			rec.Winner, rec.WinnerSeat = rec.Seating[w:w+1], g.SeatName(w)
		}
	}
	rec.judge()
	return nil
}

// number is a number that differs for all players of all games of the match.
func (m *Match) number(rec *Record, side int) uint64 {
	pair, seats := uint64(rec.Pair), len(rec.Seating)
	if m.Alone {
		return 1<<16 + (uint64(seats)*pair+uint64(strings.Index(rec.Seating, SideA)))<<1 + uint64(side)
	}
	n := 4*pair + 2*uint64(side)
	if rec.Seating[0] == 'B' {
		n++
	}
	return n
}

// turn asks the player of the seat to move, and records its time. If the player loses by time or
// by a fault, turn sets the winner of the record.
func (m *Match) turn(ctx context.Context, g game.Game, players [2]player.Player, s game.State, rec *Record) (game.Move, error) {
	moves := s.Moves(nil)
	if len(moves) == 0 {
		return game.NoMove, game.Stuck(g, s)
	}
	if moves[0] == game.Pass { // needs no thought
		return moves[0], nil
	}
	side := int(rec.Seating[s.Seat()] - 'A')
	cpu := host.ProcessTime()
	choice, took, err := m.move(ctx, players[side], s, !m.Sides[side].External)
	if r, ok := players[side].(player.Rester); ok {
		r.Rest() // nobody thinks in the other's time
	}
	if ctx.Err() != nil {
		return game.NoMove, ctx.Err()
	}
	raise := func(of [2]*float64, to time.Duration) { *of[side] = max(*of[side], to.Seconds()) }
	raise([2]*float64{&rec.AMax, &rec.BMax}, took)
	raise([2]*float64{&rec.ALate, &rec.BLate}, took-m.Move)
	raise([2]*float64{&rec.ACPU, &rec.BCPU}, host.ProcessTime()-cpu)
	rec.Seconds += took.Seconds()
	var bad *engine.Fault
	switch {
	case took > m.Move+m.Grace:
		rec.lost(side, ByTime, fmt.Sprintf("move %d took %.3f s, %v were allowed", rec.Plies+1, took.Seconds(), m.Move+m.Grace))
	case errors.As(err, &bad):
		rec.lost(side, ByFault, fmt.Sprintf("move %d: %s", rec.Plies+1, bad.Why))
	case err != nil:
		return game.NoMove, fmt.Errorf("match: %s: %w", m.Sides[side].Name, err)
	case !slices.Contains(moves, choice.Move):
		return game.NoMove, fmt.Errorf("match: %s chose %d, which is no legal move at %s", m.Sides[side].Name, choice.Move, s)
	}
	return choice.Move, nil
}

// judge sets the points of a tournament: 1 for a draw, 2 for a win, 3 for a win by the rules in a
// seat that does not begin. It names the player below theory.
func (r *Record) judge() {
	begins := r.Seating[:1]
	won := 2
	if r.Ending == ByRules && r.Winner != begins {
		won = 3
	}
	switch r.Winner {
	case SideA:
		r.APoints = won
	case SideB:
		r.BPoints = won
	default:
		r.APoints, r.BPoints = 1, 1
	}
	switch {
	case len(r.Seating) != 2:
	case r.Theory == game.Win.String() && r.Winner != begins:
		r.Below = begins
	case r.Theory == game.Draw.String() && r.Winner != Draw:
		r.Below = exchange(r.Winner)
	}
}

// move asks a player for its move, for no longer than its time and the grace.
func (m *Match) move(ctx context.Context, p player.Player, s game.State, processor bool) (player.Choice, time.Duration, error) {
	watch := host.NewWatch(processor)
	ctx, cancel := watch.Within(ctx, m.Move+m.Grace)
	defer cancel()
	choice, err := p.Move(ctx, s, player.Clock{Time: m.Move, Processor: processor})
	return choice, watch.Elapsed(), err
}

func (r *Record) lost(side int, how Ending, why string) {
	r.Winner, r.Ending = [2]string{SideB, SideA}[side], how
	r.Note = fmt.Sprintf("%s loses: %s", [2]string{SideA, SideB}[side], why)
}
