package match

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"perfectplay/app/engine"
	"perfectplay/app/player"
	"perfectplay/game"
	"perfectplay/internal/journal"
)

// Ending says how a game ended.
type Ending string

// The endings.
const (
	ByRules      Ending = "rules"      // won or drawn by the rules of the game
	ByRepetition Ending = "repetition" // a position came up for the third time: a draw
	ByLength     Ending = "length"     // stopped after so many plies: a draw
	ByTime       Ending = "time"       // the loser took too long
	ByFault      Ending = "fault"      // the loser made no legal move
)

// Repetitions is how often a position comes up before a game is drawn: play would
// go on for ever.
const Repetitions = 3

// Record is one game of a match. Times are in seconds.
type Record struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// A and B name the players.
	A string `json:"a"`
	B string `json:"b"`
	// Pair counts the openings from 1, each with its pair or round of games. Seating
	// says who has which seat, in turn order, for instance AB or BABABA.
	Pair    int    `json:"pair"`
	Seating string `json:"seating"`
	// Position is where the game begins, and Transcript its moves, the first
	// OpeningPlies of which are the opening.
	Position     string `json:"position"`
	OpeningPlies int    `json:"opening_plies"`
	// Winner is A, B or draw; WinnerSeat names the seat that won by the rules.
	Winner     string `json:"winner"`
	WinnerSeat string `json:"winner_seat"`
	Ending     Ending `json:"ending"`
	// Note explains a game that did not end by the rules.
	Note  string `json:"note"`
	Plies int    `json:"plies"` // without the opening
	// The longest move of each.
	AMax        float64 `json:"a_max_seconds"`
	BMax        float64 `json:"b_max_seconds"`
	Seconds     float64 `json:"seconds"`      // all moves together
	MoveSeconds float64 `json:"move_seconds"` // what a move may take
	Seed        uint64  `json:"seed"`
	Transcript  string  `json:"transcript"`
}

// key names a game of a match.
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
func Open(name string) (*Journal, error) { return journal.Open(name, "", Record.key) }

// Side is one of the two players.
type Side struct {
	Name string
	// New makes the player for a game. Players whose moves are left to chance
	// follow the seed.
	New func(ctx context.Context, g game.Game, seed uint64) (player.Player, error)
}

// Opening is where a pair of games begins.
type Opening struct {
	From  string // a position as text, or start
	Moves []string
}

// Match is what is to be played.
type Match struct {
	Game  game.Game
	Sides [2]Side
	Pairs int // of games, or rounds
	// Alone gives A one seat and B all others. Then a round has a game for each seat
	// of A, all from one opening.
	Alone bool
	// All gives A and B every division of the seats but the two in which one has them
	// all, 2^n−2 games of a round, all from one opening. It excludes Alone.
	All bool
	// Openings are taken in turn. Where there are none, each pair begins with
	// Random random moves.
	Openings []Opening
	Random   int
	// Move bounds a move; Grace is forgiven beyond it, for machines that keep
	// processes waiting.
	Move, Grace time.Duration
	Plies       int // ends a game as a draw; 0 is no limit
	Seed        uint64
	// Begin, if not nil, is called before each game and after the last one with the
	// number of those that are finished.
	Begin func(done int, next Record)
}

// Games is how many games the match has.
func (m *Match) Games() int {
	return len(m.seatings(0)) * m.Pairs
}

// seatings returns who has which seat in the games of a pair or a round.
func (m *Match) seatings(pair int) []string {
	n := m.Game.Seats()
	switch {
	case m.All:
		return all(n)
	case m.Alone:
		return slices.DeleteFunc(all(n), func(seats string) bool { return strings.Count(seats, SideA) != 1 })
	}
	divisions := divide(n)
	d := divisions[pair%len(divisions)]
	return []string{d, exchange(d)}
}

// all returns every division of seats between A and B that leaves neither without one,
// in binary order with the first seat as the lowest digit.
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

// Run plays the games that the journal, which may be nil, does not hold, and adds
// each to it. When the context ends, it returns the games so far and the
// context's error.
func (m *Match) Run(ctx context.Context, j *Journal) (records []Record, err error) {
	begin := m.Begin
	if begin == nil {
		begin = func(int, Record) {}
	}
	for pair := range m.Pairs {
		games, err := m.pair(ctx, j, pair, func(played int, next Record) { begin(len(records)+played, next) })
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

// Pair plays the games of a pair or round, which counts from 0. It depends on no other
// pair.
func (m *Match) Pair(ctx context.Context, pair int) ([]Record, error) {
	return m.pair(ctx, nil, pair, func(int, Record) {})
}

// pair plays the games of a pair that the journal does not hold.
func (m *Match) pair(ctx context.Context, j *Journal, pair int, begin func(played int, next Record)) (records []Record, err error) {
	opening, err := m.opening(pair)
	if err != nil {
		return nil, err
	}
	for _, seats := range m.seatings(pair) {
		rec := Record{
			Game: m.Game.ID(), Rules: m.Game.Rules(), A: m.Sides[0].Name, B: m.Sides[1].Name, Pair: pair + 1, Seating: seats,
			Position: opening.From, OpeningPlies: len(opening.Moves), Transcript: strings.Join(opening.Moves, " "), MoveSeconds: m.Move.Seconds(), Seed: m.Seed,
		}
		begin(len(records), rec)
		err := j.Game(&rec, func(old *Record) error { return m.fits(old, &rec) }, func() error { return m.play(ctx, opening, &rec) })
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

// divide returns the divisions of seats between A and B into halves that differ by
// at most one, those first in which neighbours differ most often. Of a division and
// its exchange it has only one.
func divide(seats int) (list []string) {
	for mask := range uint(1) << seats {
		if bits.OnesCount(mask) != seats/2 || seats%2 == 0 && mask&1 != 0 {
			continue
		}
		text := make([]byte, seats)
		for s := range text {
			text[s] = 'A' + byte(mask>>s&1)
		}
		list = append(list, string(text))
	}
	changes := func(d string) int { return strings.Count(d, "AB") + strings.Count(d, "BA") }
	slices.SortStableFunc(list, func(x, y string) int { return changes(y) - changes(x) })
	return list
}

// exchange gives A's seats to B and B's to A.
func exchange(seats string) string {
	return strings.Map(func(r rune) rune { return 'A' + 'B' - r }, seats)
}

// tries is how many random openings are tried until one leaves a game to play.
const tries = 1000

// opening returns the opening of a pair.
func (m *Match) opening(pair int) (Opening, error) {
	if len(m.Openings) > 0 {
		return m.Openings[pair%len(m.Openings)], nil
	}
	rng := rand.New(rand.NewPCG(m.Seed, uint64(pair)))
	for range tries {
		o, s := Opening{From: "start"}, m.Game.Start()
		for len(o.Moves) < m.Random && s.Result() == game.Ongoing {
			moves := s.Moves(nil)
			mv := moves[rng.IntN(len(moves))]
			o.Moves = append(o.Moves, s.MoveString(mv))
			s.Make(mv)
		}
		if s.Result() == game.Ongoing {
			return o, nil
		}
	}
	return Opening{}, fmt.Errorf("match: %s is over within %d random moves", m.Game.ID(), m.Random)
}

// State returns the state after an opening.
func (o *Opening) State(g game.Game) (s game.State, err error) {
	if s = g.Start(); o.From != "start" {
		if s, err = g.Parse(o.From); err != nil {
			return nil, err
		}
	}
	for i, text := range o.Moves {
		if s.Result() != game.Ongoing {
			return nil, fmt.Errorf("move %d, %q: the game is over", i+1, text)
		}
		mv, err := s.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		s.Make(mv)
	}
	if s.Result() != game.Ongoing {
		return nil, errors.New("the game is over after the opening")
	}
	return s, nil
}

// play plays a game and completes its record.
func (m *Match) play(ctx context.Context, o Opening, rec *Record) (err error) {
	s, err := o.State(m.Game)
	if err != nil {
		return fmt.Errorf("match: opening of pair %d: %w", rec.Pair, err)
	}
	var players [2]player.Player
	for i, side := range m.Sides {
		number := uint64(4*rec.Pair + 2*i)
		if rec.Seating[0] == 'B' {
			number++
		}
		switch { // apart from those of all pairs
		case m.Alone:
			number = 1<<16 + uint64(len(rec.Seating)*rec.Pair+strings.Index(rec.Seating, SideA))<<1 + uint64(i)
		case m.All:
			number = 1<<19 + uint64(len(all(len(rec.Seating)))*rec.Pair+slices.Index(all(len(rec.Seating)), rec.Seating))<<1 + uint64(i)
		}
		if players[i], err = side.New(ctx, m.Game, m.Seed<<20+number); err != nil {
			if bad := new(engine.Fault); errors.As(err, &bad) && ctx.Err() == nil {
				rec.lost(i, ByFault, bad.Why)
				return nil
			}
			return err
		}
		defer func() { err = errors.Join(err, players[i].Close()) }()
	}
	made := slices.Clone(o.Moves)
	seen := map[string]int{s.String(): 1}
	longest := [2]*float64{&rec.AMax, &rec.BMax}
	for s.Result() == game.Ongoing {
		if m.Plies > 0 && len(made)-len(o.Moves) >= m.Plies {
			rec.Winner, rec.Ending, rec.Note = Draw, ByLength, fmt.Sprintf("stopped after %d plies", m.Plies)
			break
		}
		side := int(rec.Seating[s.Seat()] - 'A')
		moves := s.Moves(nil)
		mv := moves[0]
		if mv != game.Pass { // which needs no thought
			choice, took, err := m.move(ctx, players[side], s)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			*longest[side] = max(*longest[side], took.Seconds())
			rec.Seconds += took.Seconds()
			var bad *engine.Fault
			switch {
			case took > m.Move+m.Grace:
				rec.lost(side, ByTime, fmt.Sprintf("move %d took %.3f s, %v were allowed", len(made)-len(o.Moves)+1, took.Seconds(), m.Move+m.Grace))
			case errors.As(err, &bad):
				rec.lost(side, ByFault, fmt.Sprintf("move %d: %s", len(made)-len(o.Moves)+1, bad.Why))
			case err != nil:
				return fmt.Errorf("match: %s: %w", players[side].Name(), err)
			case !slices.Contains(moves, choice.Move):
				return fmt.Errorf("match: %s chose %d, which is no legal move at %s", players[side].Name(), choice.Move, s)
			}
			if rec.Winner != "" {
				break
			}
			mv = choice.Move
		}
		made = append(made, s.MoveString(mv))
		s.Make(mv)
		text := s.String()
		if seen[text]++; seen[text] == Repetitions && s.Result() == game.Ongoing {
			rec.Winner, rec.Ending, rec.Note = Draw, ByRepetition, "a position came up for the third time"
			break
		}
	}
	rec.Plies, rec.Transcript = len(made)-len(o.Moves), strings.Join(made, " ")
	if rec.Winner == "" {
		rec.Winner, rec.Ending = Draw, ByRules
		if w, ok := s.Result().Winner(); ok {
			rec.Winner, rec.WinnerSeat = rec.Seating[w:w+1], m.Game.SeatName(w)
		}
	}
	return nil
}

// move asks a player for its move, and for no longer than is forgiven.
func (m *Match) move(ctx context.Context, p player.Player, s game.State) (player.Choice, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, m.Move+m.Grace)
	defer cancel()
	begin := time.Now()
	choice, err := p.Move(ctx, s, player.Clock{Time: m.Move})
	return choice, time.Since(begin), err
}

// lost ends a game against a side.
func (r *Record) lost(side int, how Ending, why string) {
	r.Winner, r.Ending = [2]string{SideB, SideA}[side], how
	r.Note = fmt.Sprintf("%s loses: %s", [2]string{SideA, SideB}[side], why)
}
