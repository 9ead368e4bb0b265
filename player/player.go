package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"perfectplay/explore"
	"perfectplay/game"
	"perfectplay/game/wing"
)

// Player chooses moves in one game at a time. Its methods are for one goroutine.
type Player interface {
	// Name is the player's name, for instance its level.
	Name() string
	// Move chooses a legal move for the seat to move in an undecided position, and
	// keeps the clock. It also returns soon, with the best move so far, when the
	// context ends. The state comes back as it was. Positions follow each other in
	// a game, but need not.
	Move(ctx context.Context, s game.State, c Clock) (Choice, error)
	// Close gives back what the player holds. It cannot be used any more.
	Close() error
}

// Reporter is the ability of a Player to tell what it finds while it thinks.
type Reporter interface {
	// Report has f called, on the goroutine of Move, with what is known so far;
	// nil for nobody.
	Report(f func(*explore.Answer))
}

// Clock bounds a move.
type Clock struct {
	Time  time.Duration // for the move; 0 for no bound
	Depth int           // plies to look ahead; 0 for no bound
}

// Choice is a move and in a few words how it was found.
type Choice struct {
	Move game.Move
	Note string
}

// Analyst says what moves are worth: what players need of an [explore.Explorer].
type Analyst interface {
	Game(id, rules string) (*explore.Game, error)
	Analyse(ctx context.Context, q explore.Query, report func(*explore.Answer) error) error
}

// Options say what a player may use.
type Options struct {
	Analyst Analyst
	Seed    uint64 // of everything that is left to chance
	// Memory in bytes and Threads are for players that search by themselves.
	Memory  int64
	Threads int
}

// Names lists the levels as people write them.
func Names() []string { return []string{"random", "depth-N", "errs-P", "perfect"} }

// Known returns an error unless a level has this name.
func Known(name string) error {
	_, err := parse(name)
	return err
}

// New returns a player of a level. One that looks as far as it can has what knows
// the game made ready, if there is such a thing, and waits for it up to [Patience]:
// no clock runs yet.
func New(ctx context.Context, name string, g game.Game, o Options) (Player, error) {
	l, err := parse(name)
	if err != nil {
		return nil, err
	}
	p := &leveled{level: l, name: name, g: g, analyst: o.Analyst, rng: rand.New(rand.NewPCG(o.Seed, 0x5e3d))}
	if l.depth == 0 && l.errs < 1 {
		if err := p.prepare(ctx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Patience is how long [New] waits for a source of values.
const Patience = 20 * time.Second

// errKnown ends an analysis that has shown that the source is there.
var errKnown = errors.New("known")

// prepare asks what the start is worth, where something knows all positions.
func (p *leveled) prepare(ctx context.Context) error {
	d, err := p.analyst.Game(p.g.ID(), p.g.Rules())
	if err != nil {
		return fmt.Errorf("player: %w", err)
	}
	switch d.Source.Kind {
	case wing.BySearch, wing.ByProof: // there is nothing to make
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	q := explore.Query{Game: p.g.ID(), Rules: p.g.Rules(), Position: "start"}
	err = p.analyst.Analyse(ctx, q, func(a *explore.Answer) error {
		if a.Final {
			return errKnown
		}
		return nil
	})
	if err != nil && !errors.Is(err, errKnown) {
		return fmt.Errorf("player: %w", err)
	}
	return nil
}

// level is what a player sees and how often it does not look.
type level struct {
	depth int     // plies it sees; 0 for no bound
	errs  float64 // share of moves that are left to chance
}

// parse reads the name of a level.
func parse(name string) (level, error) {
	word, number, numbered := strings.Cut(name, "-")
	n, err := strconv.Atoi(number)
	fits := numbered && err == nil && n >= 1 && n <= 99 && strconv.Itoa(n) == number
	switch {
	case name == "random":
		return level{errs: 1}, nil
	case name == "perfect":
		return level{}, nil
	case word == "depth" && fits:
		return level{depth: n}, nil
	case word == "errs" && fits:
		return level{errs: float64(n) / 100}, nil
	}
	return level{}, fmt.Errorf("player: %.40q: not known: want %s, with N and P from 1 to 99", name, strings.Join(Names(), ", "))
}

// leveled is a player of a level.
type leveled struct {
	level
	name    string
	g       game.Game
	analyst Analyst
	rng     *rand.Rand
	report  func(*explore.Answer)
}

func (p *leveled) Name() string                   { return p.name }
func (p *leveled) Close() error                   { return nil }
func (p *leveled) Report(f func(*explore.Answer)) { p.report = f }

// Move implements Player.
func (p *leveled) Move(ctx context.Context, s game.State, c Clock) (Choice, error) {
	moves := s.Moves(nil)
	switch {
	case len(moves) == 0:
		return Choice{}, fmt.Errorf("player: position %s: the game is over", s)
	case len(moves) == 1:
		return Choice{moves[0], "the only move"}, nil
	case p.errs > 0 && p.rng.Float64() < p.errs:
		return Choice{moves[p.rng.IntN(len(moves))], "any move"}, nil
	}
	answer, err := p.ask(ctx, s, c)
	if err != nil {
		return Choice{}, err
	}
	return p.choose(s, moves, answer)
}

// ask returns the last that the analyst knows in time.
func (p *leveled) ask(ctx context.Context, s game.State, c Clock) (last *explore.Answer, err error) {
	q := explore.Query{Game: p.g.ID(), Rules: p.g.Rules(), Position: s.String(), Limit: c.Depth}
	if p.depth > 0 && (c.Depth == 0 || p.depth < c.Depth) {
		q.Limit = p.depth
	}
	if c.Time > 0 {
		use := c.Time - Reserve(c.Time)
		q.Seconds = use.Seconds()
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, use)
		defer cancel()
	}
	err = p.analyst.Analyse(ctx, q, func(a *explore.Answer) error {
		last = a
		if p.report != nil {
			p.report(a)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("player: %w", err)
	}
	return last, nil
}

// Reserve is the part of a budget in which nobody should think any more: a tenth,
// and at least 50 ms if that leaves half.
func Reserve(budget time.Duration) time.Duration {
	return max(budget/10, min(50*time.Millisecond, budget/2))
}

// merit ranks a move by what is proved of it, and then by a guess.
type merit struct {
	proved int
	guess  int32
}

// The bands of what is proved: a win or a loss of an unknown distance lies behind
// those of known ones.
const (
	winBand  = 1 << 22
	openBand = 1 << 20 // plus whether the seat wins if everybody plays for himself
	lossBand = 0
	farthest = 1 << 19 // plies
)

// choose picks a move of the best merit, any of several.
func (p *leveled) choose(s game.State, moves []game.Move, a *explore.Answer) (Choice, error) {
	byName := map[string]*explore.Move{}
	if a != nil {
		for i := range a.Moves {
			byName[a.Moves[i].Move] = &a.Moves[i]
		}
	}
	seat := s.Seat()
	name := p.g.SeatName(seat)
	known := a != nil && a.Value == explore.Draw
	var best merit
	var picked game.Move
	var found *explore.Move
	same := 0
	for _, m := range moves {
		text := s.MoveString(m)
		w := byName[text]
		if a != nil && w == nil {
			return Choice{}, fmt.Errorf("player: position %s: the analysis has no move %s", s, text)
		}
		at := merit{proved: openBand}
		if w != nil {
			at.proved = p.proved(&w.Worth, name, known)
		}
		if at.proved >= openBand && at.proved < winBand-farthest {
			at.guess = guess(s, m, seat)
		}
		switch {
		case same == 0 || at.proved > best.proved || at.proved == best.proved && at.guess > best.guess:
			best, picked, found, same = at, m, w, 1
		case at == best:
			if same++; p.rng.IntN(same) == 0 {
				picked, found = m, w
			}
		}
	}
	return Choice{picked, p.note(found, a)}, nil
}

// proved is the rank of what is known of a move. drawn says that the position is
// known to be drawn: then what keeps the draw is better than what is open.
func (p *leveled) proved(w *explore.Worth, seat string, drawn bool) int {
	v, far := p.sees(w)
	if w.Score != nil && v != explore.Open {
		far = farthest - *w.Score // the points count, not when the game ends
		if v == explore.Loss {
			far = farthest + *w.Score
		}
	}
	switch v {
	case explore.Win:
		return winBand - far
	case explore.Loss:
		return lossBand + far
	}
	rank := openBand
	switch w.Winner {
	case seat:
		rank += 2
	case "":
		rank++
	}
	if drawn && v == explore.Draw {
		rank += 4
	}
	return rank
}

// sees is what the level sees of a value, and its distance.
func (p *leveled) sees(w *explore.Worth) (explore.Value, int) {
	far := farthest
	if w.Distance != nil {
		far = min(*w.Distance, farthest)
	}
	if !w.Final || p.depth > 0 && far > p.depth {
		return explore.Open, 0
	}
	return w.Value, far
}

// guess is what a game expects of a move: its evaluation afterwards, else its
// gain, else nothing.
func guess(s game.State, m game.Move, seat int) int32 {
	if e, ok := s.(game.Evaluator); ok {
		s.Make(m)
		defer s.Unmake()
		return e.Evaluate(seat)
	}
	if o, ok := s.(game.Orderer); ok && m != game.Pass {
		return o.Gain(m)
	}
	return 0
}

// note says how a move was found.
func (p *leveled) note(w *explore.Move, a *explore.Answer) string {
	if w == nil {
		return "no time to think"
	}
	v, _ := p.sees(&w.Worth)
	switch {
	case (v == explore.Win || v == explore.Loss) && w.Distance != nil:
		return fmt.Sprintf("%s in %d", v, *w.Distance)
	case v != explore.Open:
		return string(v)
	case p.depth > 0:
		return fmt.Sprintf("open within %d", p.depth)
	case a.NotWithin != nil:
		return fmt.Sprintf("open within %d", *a.NotWithin)
	}
	return "open"
}
