package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"perfectplay/app/explore"
	"perfectplay/app/player/search"
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
	// Evaluator judges positions of the game; nil where its states do.
	Evaluator wing.Evaluator
	Seed      uint64 // of everything that is left to chance
	// Memory in bytes and Threads are for players that search by themselves.
	Memory  int64
	Threads int
	// Now is the clock of players that search by themselves; nil for the machine's.
	Now func() time.Time
}

// Names lists the levels as people write them.
func Names() []string {
	names := []string{"random", "greedy", "level-N", "depth-N", "errs-P"}
	for _, kind := range search.Kinds() {
		names = append(names, string(kind))
	}
	return append(names, "perfect")
}

// Known returns an error unless a level has this name.
func Known(name string) error {
	_, err := parse(name, nil)
	return err
}

// New returns a player of a level. One that looks as far as it can has what knows
// the game made ready, if there is such a thing, and waits for it up to [Patience]:
// no clock runs yet.
func New(ctx context.Context, name string, g game.Game, o Options) (Player, error) {
	l, err := parse(name, g)
	if err != nil {
		return nil, err
	}
	p := &leveled{level: l, name: name, g: g, analyst: o.Analyst, rng: rand.New(rand.NewPCG(o.Seed, 0x5e3d))}
	if l.kind != "" || l.asks() && o.Evaluator != nil {
		kind := cmp.Or(l.kind, strongest(g))
		p.search, err = search.New(g, kind, search.Options{Evaluator: o.Evaluator, Memory: o.Memory / 2, Seed: o.Seed, Now: o.Now})
		if err != nil {
			return nil, fmt.Errorf("player: %w", err)
		}
	}
	if l.asks() && l.depth == 0 {
		if err := p.prepare(ctx); err != nil {
			return nil, errors.Join(err, p.Close())
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
	p.searched = d.Source.Kind == wing.BySearch
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
	depth  int     // plies it sees; 0 for no bound
	errs   float64 // share of moves that are left to chance
	greedy bool
	kind   search.Kind // how it searches, if it does nothing else
	nodes  int64       // what it visits then; 0 for no bound
	plays  int64       // of a level instead of nodes, where it plays games on to judge
}

// asks says whether the level asks the analyst.
func (l level) asks() bool { return l.errs < 1 && !l.greedy && l.kind == "" }

// parse reads the name of a level of a game; nil is any game.
func parse(name string, g game.Game) (level, error) {
	word, number, numbered := strings.Cut(name, "-")
	n, err := strconv.Atoi(number)
	fits := numbered && err == nil && n >= 1 && strconv.Itoa(n) == number
	percent := fits && n <= 99
	switch {
	case name == "random":
		return level{errs: 1}, nil
	case name == "greedy":
		return level{greedy: true}, nil
	case name == "perfect":
		return level{}, nil
	case word == "level" && fits && n <= len(ladder):
		l := ladder[n-1]
		if l.nodes > 0 && g != nil {
			if l.kind = strongest(g); l.kind == search.MonteCarlo {
				l.nodes = l.plays
			}
		}
		return l, nil
	case word == "depth" && percent:
		return level{depth: n}, nil
	case word == "errs" && percent:
		return level{errs: float64(n) / 100}, nil
	case slices.Contains(search.Kinds(), search.Kind(word)) && (!numbered || fits && n <= mostNodes):
		return level{kind: search.Kind(word), nodes: int64(n)}, nil
	}
	return level{}, fmt.Errorf("player: %.40q: not known: want %s; N and P are from 1 to 99, of levels to %d; alphabeta to plan may end in -N, the positions they visit",
		name, strings.Join(Names(), ", "), len(ladder))
}

// mostNodes is the largest number of positions that a name may have.
const mostNodes = 1_000_000_000

// ladder are the levels that are measured against each other, see docs/players.md.
var ladder = []level{
	{greedy: true, errs: 0.5},
	{greedy: true, errs: 0.2},
	{greedy: true},
	{nodes: 100, plays: 150},
	{nodes: 500, plays: 600},
	{nodes: 2_500, plays: 2_400},
	{nodes: 12_500, plays: 20_000},
}

// strongest is the search that is strongest in games of so many seats, see
// docs/players.md.
func strongest(g game.Game) search.Kind {
	if g.Seats() <= 2 {
		return search.AlphaBeta
	}
	return search.MonteCarlo
}

// leveled is a player of a level.
type leveled struct {
	level
	name     string
	g        game.Game
	analyst  Analyst
	search   *search.Search // nil for levels that do not search by themselves
	searched bool           // nothing knows the game but searches
	rng      *rand.Rand
	report   func(*explore.Answer)
}

func (p *leveled) Name() string                   { return p.name }
func (p *leveled) Report(f func(*explore.Answer)) { p.report = f }

func (p *leveled) Close() error {
	if p.search == nil {
		return nil
	}
	return p.search.Close()
}

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
	case p.greedy:
		return p.grab(s, moves), nil
	case p.kind != "":
		return p.think(ctx, s, moves, c, 1), nil
	}
	answer, err := p.ask(ctx, s, c)
	if err != nil {
		return Choice{}, err
	}
	return p.choose(ctx, s, moves, answer, c)
}

// ask returns the last that the analyst knows in time.
func (p *leveled) ask(ctx context.Context, s game.State, c Clock) (last *explore.Answer, err error) {
	q := explore.Query{Game: p.g.ID(), Rules: p.g.Rules(), Position: s.String(), Limit: c.Depth}
	if p.depth > 0 && (c.Depth == 0 || p.depth < c.Depth) {
		q.Limit = p.depth
	}
	if c.Time > 0 {
		use := c.Time - Reserve(c.Time)
		if p.splits() {
			use = time.Duration(float64(use) * (1 - share))
		}
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

// share is the part of its time in which a player that asks what is proved searches by
// itself where nothing is.
const share = 0.75

// splits says whether a player does so.
func (p *leveled) splits() bool { return p.search != nil && p.searched }

// grab takes a win, or a move after which the game's own evaluation is best.
func (p *leveled) grab(s game.State, moves []game.Move) Choice {
	seat := s.Seat()
	best, picked, same := int32(0), game.NoMove, 0
	for _, m := range moves {
		s.Make(m)
		winner, over := s.Result().Winner()
		s.Unmake()
		if over && winner == seat {
			return Choice{m, "win in 1"}
		}
		switch v := guess(s, m, seat); {
		case same == 0 || v > best:
			best, picked, same = v, m, 1
		case v == best:
			if same++; p.rng.IntN(same) == 0 {
				picked = m
			}
		}
	}
	return Choice{picked, "the most at once"}
}

// hasty is what a search visits that nothing else bounds.
const hasty = 20_000

// think searches with a part of the time.
func (p *leveled) think(ctx context.Context, s game.State, moves []game.Move, c Clock, part float64) Choice {
	l := search.Limits{Nodes: p.nodes, Depth: c.Depth}
	if c.Time > 0 {
		l.Time = time.Duration(float64(c.Time-Reserve(c.Time)) * part)
	} else if p.kind == "" || l.Nodes == 0 && l.Depth == 0 && ctx.Done() == nil {
		l.Nodes = hasty
	}
	a := p.search.Best(ctx, s, moves, l)
	switch {
	case a.Value == game.Win || a.Value == game.Loss:
		return Choice{a.Move, fmt.Sprintf("%v within %d", a.Value, a.Distance)}
	case a.Shortest:
		return Choice{a.Move, fmt.Sprintf("home in %d turns, none fewer", a.Turns)}
	case a.Turns > 0:
		return Choice{a.Move, fmt.Sprintf("home in %d turns", a.Turns)}
	case a.Depth > 0:
		return Choice{a.Move, fmt.Sprintf("depth %d, %d positions", a.Depth, a.Nodes)}
	}
	return Choice{a.Move, fmt.Sprintf("%d positions", a.Nodes)}
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
func (p *leveled) choose(ctx context.Context, s game.State, moves []game.Move, a *explore.Answer, c Clock) (Choice, error) {
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
	var open []game.Move // those of which as much is proved as of the best, where that is not all
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
			if same == 0 || at.proved > best.proved {
				open = nil
			}
			if same == 0 || at.proved >= best.proved {
				open = append(open, m)
			}
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
	if p.splits() && p.depth == 0 && len(open) > 1 && slices.Contains(open, picked) {
		return p.think(ctx, s, open, c, share), nil
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
