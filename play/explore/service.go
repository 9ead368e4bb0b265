package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/solve"
)

// Service answers questions about positions. It is safe for concurrent use. Errors about a query
// are of type [*Error]. Close the service when no question is under way.
type Service struct {
	options Options
	threads *gate           // threads that compute
	rooms   *gate           // memory for tables of analyses
	quick   *gate           // memory for tables of questions, which need not wait for analyses
	room    int64           // bytes of a room in rooms or quick
	sources *keeper         // open sources
	list    func() []Family // returns all games, listed by the first call

	mu    sync.Mutex
	games map[[2]string]*table // by requested id and rules
}

var _ Explorer = (*Service)(nil)

// table is a requested game.
type table struct {
	name    [2]string // id and rules
	game    game.Game
	wing    *wing.Wing
	sources []wing.Source // the best first
	hush    *hush
	beats   atomic.Int64 // signs of life of slow prompt calls
}

const (
	// maxGames bounds the games remembered.
	maxGames = 64
	// searchBytes is the memory of a search without its table.
	searchBytes = 12 << 20
	// leastRoom is the least memory of a search.
	leastRoom = searchBytes + 4<<20
	// mostRooms bounds the searches that run at once: with more, each gets its turn more
	// rarely.
	mostRooms = 16
)

// New returns a service. The error names the option that is wrong.
func New(o Options) (*Service, error) {
	o.Memory = cmp.Or(o.Memory, 1<<30)
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	o.Nodes = cmp.Or(o.Nodes, DefaultNodes)
	switch {
	case len(o.Wings) == 0:
		return nil, errors.New("explore: no games")
	case o.Memory < MinMemory:
		return nil, fmt.Errorf("explore: memory of %d bytes: at least %d are needed", o.Memory, MinMemory)
	case o.Threads < 1 || o.Threads > solve.MaxThreads:
		return nil, fmt.Errorf("explore: %d threads: want 1 to %d", o.Threads, solve.MaxThreads)
	}
	o.Wings = slices.Clone(o.Wings)
	for i, w := range o.Wings {
		var err error
		if o.Wings[i], err = w.Complete(); err != nil {
			return nil, fmt.Errorf("explore: %w", err)
		}
	}
	half := o.Memory / 2
	n := min(half/leastRoom, mostRooms)
	quick := max(n/4, 1)
	return &Service{
		options: o, threads: newGate(o.Threads), rooms: newGate(int(n - quick)), quick: newGate(int(quick)), room: half / n,
		sources: newKeeper(half), list: sync.OnceValue(func() []Family { return families(o.Wings) }), games: map[[2]string]*table{},
	}, nil
}

// Close frees all memory.
func (s *Service) Close() error { return s.sources.close() }

// Games lists all games in a fixed order. The list is the service's own.
func (s *Service) Games() []Family { return s.list() }

func families(wings []wing.Wing) []Family {
	var list []Family
	for _, w := range wings {
		f := Family{Name: w.Name, Title: w.Title, About: w.About, Games: w.IDs(), Rules: w.Rules, First: w.First, FirstRules: w.FirstRules, Lessons: w.Lessons, Gallery: w.Gallery}
		if f.First == "" && len(f.Games) > 0 {
			f.First = f.Games[0]
		}
		if w.Values != nil {
			f.Settings, f.Template = w.Settings, w.Template
			for _, id := range f.Games {
				f.Values = append(f.Values, w.Values(id))
			}
		}
		list = append(list, f)
	}
	return list
}

// Game describes a game.
func (s *Service) Game(id, rules string) (*Game, error) {
	t, err := s.table(id, rules)
	if err != nil {
		return nil, err
	}
	return prompted(t, "", nil, func() (*Game, error) { return s.describe(t), nil })
}

func (s *Service) describe(t *table) *Game {
	d := &Game{
		Game: t.game.ID(), Rules: t.game.Rules(), Endless: t.wing.Endless,
		Start: t.game.Start().String(), Board: t.wing.Board(t.game), Source: bySearch,
		RuleSets: []wing.Rules{},
	}
	listed(&d.Board.Cells)
	d.Family, d.Composed, d.Counted = t.wing.Name, t.wing.Compose != nil, t.wing.Counted
	if t.wing.Values != nil {
		d.Values = t.wing.Values(d.Game)
	}
	if t.wing.Hidden != nil {
		d.Hidden = t.wing.Hidden.Players
	}
	for _, r := range t.wing.Rules {
		if _, err := t.wing.Open(d.Game, r.Name); err != nil {
			continue // the board does not allow these rules
		}
		if r.Name != "" {
			d.RuleSets = append(d.RuleSets, r)
		}
		if r.Name == d.Rules {
			d.About = r.About
		}
	}
	for _, src := range t.sources {
		if max(src.Memory, src.Making) <= s.sources.all {
			d.Source, d.Solved = describe(src), !src.Partial
			break
		}
	}
	return d
}

// describe converts a source to its description in answers.
func describe(s wing.Source) Source { return Source{Kind: s.Kind, Name: s.Name, About: s.About} }

// table returns a game, opened by the first request for it.
func (s *Service) table(id, rules string) (*table, error) {
	name := [2]string{id, rules}
	s.mu.Lock()
	t := s.games[name]
	s.mu.Unlock()
	if t != nil {
		return t, nil
	}
	t, err := s.open(id, rules)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.games[name]; known != nil {
		return known, nil // another request has opened the game meanwhile
	}
	for old := range s.games {
		if len(s.games) >= maxGames { // any game makes room: it is soon opened again
			delete(s.games, old)
		}
	}
	s.games[name] = t
	return t, nil
}

func (s *Service) open(id, rules string) (*table, error) {
	word, _, _ := strings.Cut(id, "-")
	i := slices.IndexFunc(s.options.Wings, func(w wing.Wing) bool { return w.Name == word })
	if i < 0 {
		var words []string
		for _, w := range s.options.Wings {
			words = append(words, w.Name)
		}
		return nil, wrong(BadGame, id, "unknown game %q: the first word of an id is %s", id, strings.Join(words, ", "))
	}
	w := &s.options.Wings[i]
	g, err := w.Open(id, rules)
	var bad wing.RulesError
	switch {
	case errors.As(err, &bad):
		return nil, &Error{BadRules, rules, -1, bad.Err}
	case err != nil:
		return nil, &Error{BadGame, id, -1, err}
	}
	t := &table{name: [2]string{id, rules}, game: g, wing: w, hush: newHush()}
	var solution wing.Source
	var sized func(func() bool) (wing.Source, bool)
	var small bool
	if err := t.prompt("", nil, func() error {
		t.sources = append(Tables(w, g, s.options.Tables, s.options.Warn), w.Sources(g)...)
		solution, sized, small = Solution(w, g, t.sources)
		return nil
	}); err != nil || !small {
		return t, err
	}
	if sized != nil {
		err = t.prompt("", nil, func() error { solution, small = sized(t.beat); return nil })
	}
	if err == nil && small {
		t.sources = append(t.sources, solution)
	}
	return t, err
}

// place is the end of a course of moves.
type place struct {
	*table
	*game.Course
	result game.Result
}

const endless = "This position has come up for the third time: the game is drawn by endless play."

func (p *place) ending() string {
	if p.Endless() {
		return endless
	}
	return p.wing.Ending(p.game, p.State)
}

func (s *Service) read(q Query) (*place, error) {
	t, err := s.table(q.Game, q.Rules)
	if err != nil {
		return nil, err
	}
	if q.Limit < 0 || q.Limit > solve.MaxLimit {
		return nil, wrong(BadQuery, fmt.Sprint(q.Limit), "limit %d: want 1 to %d plies, or 0 for none", q.Limit, solve.MaxLimit)
	}
	if !(q.Seconds >= 0 && q.Seconds <= maxSeconds) {
		return nil, wrong(BadQuery, fmt.Sprint(q.Seconds), "seconds %v: want 0 to %.0f", q.Seconds, float64(maxSeconds))
	}
	p := &place{table: t}
	if err := t.prompt(q.Position, nil, func() error { return p.read(q) }); err != nil {
		return nil, err
	}
	return p, nil
}

// read reads position and moves of a query.
func (p *place) read(q Query) (err error) {
	t := p.table
	var from game.State
	switch q.Position {
	case "start":
		from = t.game.Start()
	case "":
		return wrong(BadPosition, "", "no position: start is the first one")
	default:
		text := q.Position
		if number, ok := strings.CutPrefix(text, "deal-"); ok && t.wing.Hidden != nil {
			n, err := strconv.ParseUint(number, 10, 64)
			if err != nil {
				return wrong(BadPosition, q.Position, "position %.40q: want deal- and the number of a deal", text)
			}
			text = t.wing.Hidden.Deal(n)
		}
		if from, err = t.game.Parse(text); err != nil {
			return &Error{BadPosition, q.Position, -1, err}
		}
	}
	p.Course = game.NewCourse(t.game, from)
	p.Finite = !t.wing.Endless
	for i, text := range q.Moves {
		if p.Result() != game.Ongoing {
			return &Error{BadMove, text, i, fmt.Errorf("%q: the game is over: %s", text, p.ending())}
		}
		m, err := game.ReadMove(p.State, text)
		if err != nil {
			return &Error{BadMove, text, i, err}
		}
		p.Play(m)
	}
	p.result = p.Result()
	return nil
}

// maxSeconds is a year.
const maxSeconds = 366 * 24 * 3600

// Course returns the moves of a query played, for clients that play on by themselves.
func (s *Service) Course(q Query) (*game.Course, error) {
	p, err := s.read(q)
	if err != nil {
		return nil, err
	}
	return p.Course, nil
}

// Size returns the number of moves of a position, and the bytes of its text.
func (s *Service) Size(q Query) (moves, text int, err error) {
	p, err := s.read(q)
	if err != nil {
		return 0, 0, err
	}
	size, err := prompted(p.table, q.Position, p.State, func() ([2]int, error) {
		return [2]int{len(p.State.Moves(nil)), len(p.State.String())}, nil
	})
	return size[0], size[1], err
}

// Compose returns the text of a position set up by hand from its pieces and the name of the seat
// to move. The text need not be a legal position.
func (s *Service) Compose(id, rules string, p wing.Picture, seat string) (string, error) {
	t, err := s.table(id, rules)
	if err != nil {
		return "", err
	}
	bad := func(given, format string, args ...any) (string, error) {
		return "", wrong(BadPosition, given, format, args...)
	}
	seats := t.game.Seats()
	if t.wing.Compose == nil {
		return bad("", "positions of %s are typed, not set up", id)
	}
	mover := slices.Index(wing.SeatNames(t.game), seat)
	b := t.wing.Board(t.game)
	switch {
	case mover < 0 && !t.wing.Counted:
		return "", wrong(BadSeat, seat, "unknown seat %.40q", seat)
	case len(p.Pieces) != len(b.Cells):
		return bad("", "%d cells: want %d", len(p.Pieces), len(b.Cells))
	case len(b.Tiles) > 0 && len(p.Hands) != seats:
		return bad("", "%d hands: want %d", len(p.Hands), seats)
	}
	for _, piece := range p.Pieces {
		if piece < -1 || piece >= seats {
			return bad(strconv.Itoa(piece), "piece of seat %d: want 0 to %d, or -1 for none", piece, seats-1)
		}
	}
	for _, tile := range slices.Concat(p.Hands...) {
		if !slices.Contains(b.Tiles, tile) {
			return bad(tile, "unknown tile %.40q", tile)
		}
	}
	return t.wing.Compose(t.game, p, mover), nil
}

// Wing returns the wing of a game.
func (s *Service) Wing(id string) (wing.Wing, error) {
	t, err := s.table(id, "")
	if err != nil {
		return wing.Wing{}, err
	}
	return *t.wing, nil
}

// Position reads and draws a position, with all legal moves in the order of the game. It asks for
// no values: they are open unless the game or a move ends it.
func (s *Service) Position(q Query) (*Answer, error) {
	a, err := s.analyse(q, false)
	if err != nil {
		return nil, err
	}
	return a.now()
}

func (s *Service) analyse(q Query, once bool) (*analysis, error) {
	p, err := s.read(q)
	if err != nil {
		return nil, err
	}
	return prompted(p.table, q.Position, p.State, func() (*analysis, error) { return newAnalysis(s, p, q, once) })
}

// Ask answers from a source, or by a search within the query's limit and time. When the context
// ends, it returns the context's error.
func (s *Service) Ask(ctx context.Context, q Query) (last *Answer, err error) {
	a, err := s.analyse(q, true)
	if err != nil {
		return nil, err
	}
	if err := a.run(ctx, func(r *Answer) error { last = r; return nil }); err != nil {
		return nil, err
	}
	return last, ctx.Err()
}

// Analyse answers like Ask as soon as anything is known, and searches deeper as long as anything
// is open: value and distance of the position and of each move. It calls report with every change
// and at least once a second, one call at a time, on the caller's goroutine. The last report, also
// after the end of the context, has Progress.Done; without a search it is the only one and has no
// Progress. An error of report ends the analysis and is returned.
func (s *Service) Analyse(ctx context.Context, q Query, report func(*Answer) error) error {
	a, err := s.analyse(q, false)
	if err != nil {
		return err
	}
	return a.run(ctx, report)
}
