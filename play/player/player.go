package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/host"
	"perfectplay/play/explore"
	"perfectplay/play/player/search"
)

// The words of players: who chooses, the bounds of a move, and the move.
type (
	Player = wing.Player
	Clock  = wing.Limits
	Choice = wing.Choice
)

// Reporter is the ability of a Player to report while it thinks.
type Reporter interface {
	// Report makes Move call f, on its goroutine, with each answer so far; nil for none.
	Report(f func(*explore.Answer))
}

// Rester is the ability of a Player to wait until everything begun by Move has ended.
type Rester interface{ Rest() }

// Options configure a player.
type Options struct {
	Analyst explore.Analyst
	// Wing is the wing of the game, with its own players if it has some.
	Wing wing.Wing
	Seed uint64 // seed of all random choices
	// Memory in bytes and Threads are for players that search by themselves. A level uses one
	// thread and a fixed amount of memory, whatever these fields say.
	Memory  int64
	Threads int
	// Now is the clock of players that search by themselves; nil for the machine's.
	Now func() time.Time
}

// The players besides levels.
const (
	Random    = "random"
	Strongest = "strongest"
	Perfect   = "perfect"
)

// Levels is the number of levels.
const Levels = 9

// Names lists the players, the weakest first.
func Names() []string {
	names := []string{Random}
	for n := range Levels {
		names = append(names, "level-"+strconv.Itoa(n+1))
	}
	return append(names, Strongest, Perfect)
}

// Known returns an error unless a player has this name.
func Known(name string) error {
	if !slices.Contains(Names(), name) {
		return fmt.Errorf("player: %.40q: not known: want random, level-1 to level-%d, strongest, or perfect where the game is solved", name, Levels)
	}
	return nil
}

// New returns a player. Strongest and Perfect open the source of known values, if the game has
// one, and wait for it up to [patience]: no clock runs yet. New refuses Perfect in games without
// such a source.
func New(ctx context.Context, name string, g game.Game, o Options) (Player, error) {
	opponent := slices.Contains(o.Wing.Opponents, name)
	if err := Known(name); err != nil && !opponent {
		return nil, err
	}
	p := &leveled{name: name, g: g, analyst: o.Analyst, rng: rand.New(rand.NewPCG(o.Seed, 0x5e3d))}
	if name == Random {
		p.step = step{errs: 1}
		return p, nil
	}
	if p.asks = name == Perfect || name == Strongest; p.asks {
		if err := p.prepare(ctx); err != nil {
			if name == Perfect || o.Wing.Player == nil || ctx.Err() != nil {
				return nil, err
			}
			p.searched = true // without room for an analyst the wing's own player plays alone
		}
		name = Strongest
	}
	memory := o.Memory / 2
	if !p.asks {
		memory = levelMemory
	}
	var err error
	if o.Wing.Player != nil {
		p.own, err = o.Wing.Player(name, g, wing.Resources{Memory: max(memory, leastMemory), Threads: o.Threads}, o.Seed)
	} else {
		if !p.asks {
			n, _ := strconv.Atoi(strings.TrimPrefix(name, "level-"))
			if p.step = ladder[n-1]; p.nodes > 0 && o.Wing.Levels != nil {
				p.nodes = o.Wing.Levels[n-1-(Levels-len(o.Wing.Levels))]
			}
		}
		so := search.Options{Evaluation: o.Wing.Evaluation, Memory: memory, Seed: o.Seed, Now: o.Now}
		if p.asks {
			so.Threads = o.Threads
		}
		if p.asks || p.nodes > 0 {
			p.search, err = search.New(g, so)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("player: %w", err)
	}
	return p, nil
}

var errUnsolved = errors.New("is not solved")

const (
	leastMemory = 2 << 20          // least bytes of the tables of the wing's own player
	levelMemory = 8 << 20          // bytes of a level's tables, whose size may change its moves
	patience    = 20 * time.Second // longest wait of [New] for a source of values
	share       = 0.75             // share of the time for the own search if nothing is proved
	hasty       = 20_000           // positions of a search without other bounds
)

// prepare asks for the value of the start if a source has all positions.
func (p *leveled) prepare(ctx context.Context) error {
	d, err := p.analyst.Game(p.g.ID(), p.g.Rules())
	if err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if p.name == Perfect && !d.Solved {
		return fmt.Errorf("player: %s %w: %s plays as well as this program can", strings.TrimSpace(p.g.ID()+" "+p.g.Rules()), errUnsolved, Strongest)
	}
	switch d.Source.Kind {
	case wing.BySearch, wing.ByProof: // no source to open
		p.searched = true
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	q := explore.Query{Game: p.g.ID(), Rules: p.g.Rules(), Position: "start"}
	if _, err = explore.Last(ctx, p.analyst, q, func(a *explore.Answer) bool { return a.Final }); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	return nil
}

// step is a level of the ladder.
type step struct {
	errs  float64 // share of random moves
	nodes int64   // positions visited; 0 for the best move by evaluation
	plays int64   // playouts, instead of nodes, with more than two seats
}

// ladder are the levels of games whose wing has no players, see docs/players.md.
var ladder = [Levels]step{
	{errs: 0.5},
	{errs: 0.2},
	{},
	{nodes: 40, plays: 80},
	{nodes: 160, plays: 320},
	{nodes: 640, plays: 1_280},
	{nodes: 2_560, plays: 5_120},
	{nodes: 10_240, plays: 20_480},
	{nodes: 40_960, plays: 81_920},
}

type leveled struct {
	step
	name     string
	g        game.Game
	analyst  explore.Analyst
	asks     bool           // the player asks for known values, and searches if there are none
	searched bool           // only searches and proofs answer for this game
	search   *search.Search // nil for players that do not search
	own      wing.Player    // the wing's own player, used instead of search; nil if there is none
	rng      *rand.Rand
	report   func(*explore.Answer)
	watch    host.Watch    // measures the time of the move
	proving  int64         // positions visited for proofs
	lost     bool          // a call of the game has not returned
	delay    time.Duration // the longest delay of a recent move; halved at each move
}

func (p *leveled) Report(f func(*explore.Answer)) { p.report = f }

func (p *leveled) Close() (err error) {
	if p.lost {
		return nil // a game that does not return may still use it
	}
	if p.search != nil {
		err = p.search.Close()
	}
	if p.own != nil {
		err = errors.Join(err, p.own.Close())
	}
	return err
}

// Rest implements Rester.
func (p *leveled) Rest() {
	if r, ok := p.own.(Rester); ok {
		r.Rest()
	}
}

// Move implements Player.
func (p *leveled) Move(ctx context.Context, s game.State, c Clock) (Choice, error) {
	bounded := ctx
	if c.Time > 0 && !c.Processor {
		var cancel context.CancelFunc
		bounded, cancel = context.WithTimeout(ctx, c.Time)
		defer cancel()
	}
	var found Choice
	if err := explore.Await(bounded, p.g, s, func() (err error) {
		found, err = p.move(ctx, s, c)
		return err
	}); err != nil {
		p.lost = errors.As(err, new(*explore.Silence))
		return Choice{}, err
	}
	return found, nil
}

func (p *leveled) move(ctx context.Context, s game.State, c Clock) (Choice, error) {
	p.watch, p.delay, p.proving = host.NewWatch(c.Processor), p.delay/2, 0
	moves := s.Moves(nil)
	switch {
	case len(moves) == 0 && s.Result() == game.Ongoing:
		return Choice{}, game.Stuck(p.g, s)
	case len(moves) == 0:
		return Choice{}, fmt.Errorf("player: position %s: the game is over", s)
	case len(moves) == 1:
		return Choice{Move: moves[0], Note: "the only move"}, nil
	case p.errs > 0 && p.rng.Float64() < p.errs:
		return Choice{Move: moves[p.rng.IntN(len(moves))], Note: "any move"}, nil
	case p.own != nil && (!p.asks || p.searched):
		return p.own.Move(ctx, s, c)
	case p.asks:
		answer, err := p.ask(ctx, s, c)
		if err != nil {
			return Choice{}, err
		}
		return p.choose(ctx, s, moves, answer, c)
	case p.nodes > 0:
		return p.think(ctx, s, moves, c, 1), nil
	}
	return p.grab(s, moves), nil
}

// ask returns the analyst's last answer in time.
func (p *leveled) ask(ctx context.Context, s game.State, c Clock) (last *explore.Answer, err error) {
	q := explore.Query{Game: p.g.ID(), Rules: p.g.Rules(), Position: s.String(), Limit: c.Depth}
	if c.Time > 0 {
		use := p.use(c)
		if p.searched {
			use = time.Duration(float64(use) * (1 - share))
		}
		if !c.Processor {
			q.Seconds = use.Seconds()
		}
		defer func() { p.late(use) }()
		var cancel context.CancelFunc
		ctx, cancel = p.watch.Within(ctx, use)
		defer cancel()
	}
	err = p.analyst.Analyse(ctx, q, func(a *explore.Answer) error {
		if last = a; a.Progress != nil {
			p.proving = int64(a.Progress.Nodes)
		}
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

// grab takes a win, or a move after which the game's own evaluation is best.
func (p *leveled) grab(s game.State, moves []game.Move) Choice {
	seat := s.Seat()
	best, picked, same := int32(0), game.NoMove, 0
	for _, m := range moves {
		s.Make(m)
		winner, over := s.Result().Winner()
		s.Unmake()
		if over && winner == seat {
			return Choice{Move: m, Note: "win in 1"}
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
	return Choice{Move: picked, Note: "the most at once"}
}

// use is the time in which the player may think.
func (p *leveled) use(c Clock) time.Duration { return c.Time - host.Reserve(c.Time, p.delay) }

// late records the time by which a call returned after its end.
func (p *leveled) late(end time.Duration) { p.delay = max(p.delay, p.watch.Elapsed()-end) }

// think searches for a part of the time.
func (p *leveled) think(ctx context.Context, s game.State, moves []game.Move, c Clock, part float64) Choice {
	l := search.Limits{Nodes: p.nodes, Depth: c.Depth}
	if p.g.Seats() > 2 {
		l.Nodes = p.plays
	}
	if c.Time > 0 {
		use := p.use(c)
		l.Time, l.Processor = max(min(time.Duration(float64(use)*part), use-p.watch.Elapsed()), time.Millisecond), c.Processor
		defer func() { p.late(use) }()
	} else if p.asks {
		l.Nodes = hasty
	}
	a := p.search.Best(ctx, s, moves, l)
	nodes := p.proving + a.Nodes
	switch {
	case a.Value == game.Win || a.Value == game.Loss:
		return Choice{Move: a.Move, Note: fmt.Sprintf("%v within %d plies, proved", a.Value, a.Distance)}
	case a.Shortest:
		return Choice{Move: a.Move, Note: fmt.Sprintf("home in %d turns, the fewest", a.Turns)}
	case a.Turns > 0:
		return Choice{Move: a.Move, Note: fmt.Sprintf("home in %d turns", a.Turns)}
	case a.Depth > 0:
		return Choice{Move: a.Move, Note: fmt.Sprintf("estimate, %d plies deep, %d positions", a.Depth, nodes)}
	}
	return Choice{Move: a.Move, Note: fmt.Sprintf("estimate, %d positions", nodes)}
}

// merit ranks a move by its proved value, then by a guess.
type merit struct {
	proved int
	guess  int32
}

// The bands of proved values: a win or a loss of unknown distance ranks behind those of known
// distance.
const (
	winBand  = 1 << 22
	openBand = 1 << 20 // plus 1 if the seat wins when everybody plays for himself
	lossBand = 0
	farthest = 1 << 19 // plies
)

// choose picks one of the moves of the best merit at random.
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
	var open []game.Move // moves proved as good as the best, unless these are all
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
	if p.searched && p.search != nil && len(open) > 1 && slices.Contains(open, picked) {
		return p.think(ctx, s, open, c, share), nil
	}
	return Choice{Move: picked, Note: p.note(found, a)}, nil
}

// proved is the rank of a move's proved value. drawn says that the position is a proved draw:
// then a move that keeps it is better than an open one.
func (p *leveled) proved(w *explore.Worth, seat string, drawn bool) int {
	far := farthest
	switch {
	case w.Score != nil && w.Value == explore.Loss:
		far = farthest + *w.Score // points count, not the length of the game
	case w.Score != nil:
		far = farthest - *w.Score
	case w.Distance != nil:
		far = min(*w.Distance, farthest)
	}
	switch w.Value {
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
	if drawn && w.Value == explore.Draw {
		rank += 4
	}
	return rank
}

// guess is the game's estimate of a move: its evaluation afterwards, else its gain, else 0.
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
	switch {
	case w.Value != explore.Open && w.Distance != nil:
		return fmt.Sprintf("%s in %d", w.Value, *w.Distance)
	case w.Value != explore.Open:
		return string(w.Value)
	case a.NotWithin != nil:
		return fmt.Sprintf("open within %d", *a.NotWithin)
	}
	return "open"
}
