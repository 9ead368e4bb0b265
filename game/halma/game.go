package halma

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma/internal/turns"
)

const maxSeats = 6

// Game is Chinese Checkers on one board for a number of seats under one rule set. It implements
// [game.Game]; it is immutable and safe for concurrent use.
type Game struct {
	board *Board
	rules Rules
	id    string
	seats int
	tip   [maxSeats]int             // home tip of each seat
	home  [maxSeats]bitboard.Set128 // camp each seat starts in
	goal  [maxSeats]bitboard.Set128 // camp each seat must reach
	// goalOf[cell] is the seat whose goal holds it, or −1.
	goalOf [128]int8
	tables
	blocks []blockade

	bit   [128]bitboard.Set128 // each cell as a set
	code  code
	words int // words of a key
	race  race
	// With two seats, keyOf[cell] holds the code words of the cell's images under each symmetry,
	// indexed by symTurn|symMirror bits.
	keyOf [128][4]uint64
	// With any other number of seats, wordOf[seat][cell] is the code word of a cell where the
	// seat's pieces may rest.
	wordOf [maxSeats][128]uint64

	turns  [maxSeats]*turns.Turns
	over   [maxSeats]turns.Over
	kernel kernel
}

type kernel interface {
	newState(*Game, *position) game.State
}

// blockade is a camp whose apex nobody can enter while the seat at home there holds the edge.
type blockade struct {
	apex int
	edge bitboard.Set128
	seat int // the seat at home in the camp
}

// position is a position as data, for kernels and Mailbox.
type position struct {
	seat int // the seat to move
	own  [maxSeats]bitboard.Set128
}

// New returns the game on a board for a number of seats under a rule set. It is an error if
// these do not fit together.
func New(board *Board, seats int, rules Rules) (*Game, error) {
	tips, err := board.SeatTips(seats)
	if err != nil {
		return nil, err
	}
	if err := rules.check(board, seats); err != nil {
		return nil, err
	}
	g := &Game{board: board, rules: rules, seats: seats, id: "halma-" + board.name}
	if board.star || seats == 1 {
		g.id += fmt.Sprintf("-%dp", seats)
	}
	for i := range g.goalOf {
		g.goalOf[i] = -1
	}
	for cell := range board.Cells() {
		g.bit[cell] = bitboard.Cell128(cell)
	}
	for s, tip := range tips {
		g.tip[s] = tip
		g.home[s] = board.camp[tip]
		g.goal[s] = board.camp[oppositeTip[tip]]
		for r := g.goal[s]; !r.IsEmpty(); r = r.DropMin() {
			g.goalOf[r.Min()] = int8(s)
		}
	}
	for s := range seats {
		var closed bitboard.Set128
		for cell := range board.Cells() {
			if g.closed(s, cell) {
				closed = closed.With(cell)
			}
		}
		g.turns[s] = turns.New(board.Cells(), g.home[s], g.goal[s], closed, rules.Limits)
		g.over[s] = turns.NewOver(board.Cells(), g.home[s], g.goal[s], rules.Win)
	}
	g.makeTables()
	if rules.Illegal != NoIllegal && board.pieces == 6 {
		for s := range seats {
			g.blocks = append(g.blocks, g.newBlockade(s))
		}
	}
	g.makeKeys()
	g.makeRace()
	switch board.fit.words() {
	case 1:
		g.kernel = newKernel1(g)
	case 2:
		g.kernel = newKernel2(g)
	default:
		g.kernel = newKernel3(g)
	}
	return g, nil
}

// EndAllowed reports whether the rules on goal, home and tips let a piece of a seat go from cell
// from to cell to by a whole turn.
func (g *Game) EndAllowed(seat, from, to int) bool { return g.turns[seat].End[from].Has(to) }

// HopAllowed reports whether the rules on goal, home and tips let a piece of a seat go from cell
// from to cell to by a single hop of a chain.
func (g *Game) HopAllowed(seat, from, to int) bool { return g.turns[seat].Hop[from].Has(to) }

// closed reports whether a cell lies in a tip where no piece of the seat may rest.
func (g *Game) closed(seat, cell int) bool {
	tip := int(g.board.tipOf[cell])
	return g.rules.TipsClosed && tip != noTip && tip != g.tip[seat] && tip != oppositeTip[g.tip[seat]] &&
		!(g.rules.AbsentTipsOpen && !slices.Contains(g.tip[:g.seats], tip))
}

func (g *Game) closedTo(seat int) bitboard.Set128 {
	return bitboard.First128(g.board.Cells()).AndNot(g.turns[seat].Open)
}

// newBlockade returns the pattern in the home of a seat: the ends of the second and third row.
func (g *Game) newBlockade(seat int) blockade {
	b := blockade{apex: g.board.apex[g.tip[seat]], seat: seat}
	row, col := g.board.Place(b.apex)
	for cell := range g.home[seat].Cells() {
		r, c := g.board.Place(cell)
		if depth := max(r-row, row-r); depth > 0 && max(c-col, col-c) == depth {
			b.edge = b.edge.With(cell)
		}
	}
	return b
}

// ByID returns the game of an id (see [Game.ID]) under rules that [ParseRules] reads. The error
// about an unknown name lists the known names.
func ByID(id, rules string) (*Game, error) {
	r, err := ParseRules(rules)
	if err != nil {
		return nil, err
	}
	board, seats, err := ParseID(id)
	if err != nil {
		return nil, err
	}
	return New(board, seats, r)
}

// ParseID returns the board and the number of seats of an id. It accepts numbers of seats that
// the board does not have; [New] refuses them.
func ParseID(id string) (*Board, int, error) {
	const want = "want halma-star37-2p (13, 37, 73 or 121 holes; 1, 2, 3, 4 or 6 players), halma-star37p1-2p (1 piece each), " +
		"halma-5x5p6 (5 rows of 5, 6 pieces), halma-5x5p6-1p (one army alone) or halma-7x7p5b (5 pieces, the camp without its outermost hole)"
	fail := func(format string, args ...any) (*Board, int, error) {
		return nil, 0, fmt.Errorf("halma: game %q: %s: %s", id, fmt.Sprintf(format, args...), want)
	}
	unknown := fmt.Errorf("halma: unknown game %q: %s", id, want)
	rest, ok := strings.CutPrefix(id, "halma-")
	if !ok {
		return nil, 0, unknown
	}
	if star, ok := strings.CutPrefix(rest, "star"); ok {
		name, players, ok := strings.Cut(star, "-")
		if !ok {
			return fail("the number of players is missing")
		}
		digits, ok := strings.CutSuffix(players, "p")
		seats, err := smallNumber(digits)
		if !ok || err != nil {
			return fail("%q is not a number of players", players)
		}
		holes, camp, fewer := strings.Cut(name, "p")
		for t := 1; t <= 4; t++ {
			b, err := Star(t)
			if err != nil || b.name != "star"+holes {
				continue
			}
			if fewer {
				b, err = StarOf(t, camp)
			}
			if err == nil && b.name != "star"+name {
				return fail("its name is halma-%s-%s", b.name, players)
			}
			return b, seats, err
		}
		return fail("there is no star of %q holes", holes)
	}
	seats := 2
	rest, alone := strings.CutSuffix(rest, "-1p")
	if alone {
		seats = 1
	}
	size, pieces, okP := strings.Cut(rest, "p")
	x, y, okX := strings.Cut(size, "x")
	n, errN := smallNumber(x)
	m, errM := smallNumber(y)
	_, errP := smallNumber(strings.TrimSuffix(pieces, "b"))
	switch {
	case !okP || !okX || errN != nil || errM != nil || errP != nil:
		return nil, 0, unknown
	case n != m:
		return fail("a diamond has as many rows as columns")
	}
	b, err := Diamond(n, pieces)
	return b, seats, err
}

// smallNumber reads a number of at most three digits without sign or leading zeros.
func smallNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text || n < 0 || n > 999 {
		return 0, fmt.Errorf("halma: %q is not a number", text)
	}
	return n, nil
}

// ID is the game's id: halma-star37-2p for a star, halma-5x5p6 for a diamond.
func (g *Game) ID() string { return g.id }

// Rules names the rule set, or lists its choices.
func (g *Game) Rules() string { return g.rules.String() }

// RuleSet returns the rule set.
func (g *Game) RuleSet() Rules { return g.rules }

// Board returns the board.
func (g *Game) Board() *Board { return g.board }

// Seats is the number of players.
func (g *Game) Seats() int { return g.seats }

// SeatName is the number of the seat's tip, "1" to "6".
func (g *Game) SeatName(seat int) string { return strconv.Itoa(g.tip[seat]) }

// Home returns the camp that a seat starts in.
func (g *Game) Home(seat int) bitboard.Set128 { return g.home[seat] }

// Goal returns the camp that a seat must reach.
func (g *Game) Goal(seat int) bitboard.Set128 { return g.goal[seat] }

// Start returns a new state at the start position, first seat to move.
func (g *Game) Start() game.State { return g.kernel.newState(g, g.startPosition()) }

func (g *Game) startPosition() *position {
	p := new(position)
	copy(p.own[:], g.home[:g.seats])
	return p
}

// Parse returns a new state at the position of a text.
func (g *Game) Parse(text string) (game.State, error) {
	p, err := g.parse(text)
	if err != nil {
		return nil, err
	}
	return g.kernel.newState(g, p), nil
}

// winner returns the seat that has won in a position, or −1. If several seats meet their
// condition, which play cannot reach, the last to move has won, then the first in turn order.
func (g *Game) winner(p *position) int {
	occ := p.occupied()
	for i := range g.seats {
		s := (p.seat + g.seats - 1 + i) % g.seats
		if g.over[s].Won(p.own[s], occ) {
			return s
		}
	}
	return -1
}

// illegal reports whether the rules forbid moving into a position.
func (g *Game) illegal(p *position) bool {
	if g.rules.Illegal == NoIllegal {
		return false
	}
	occ := p.own[0].Or(p.own[1])
	return g.over[p.seat].Won(p.own[p.seat], occ) || g.blocked(p.seat, p.own[p.seat], p.own[1-p.seat])
}

// blocked reports the second kind of illegal position (see [Sturtevant]), with seat to move and
// pieces own against other.
func (g *Game) blocked(seat int, own, other bitboard.Set128) bool {
	for _, b := range g.blocks {
		holder := own
		if b.seat != seat {
			holder = other
		}
		if b.edge.AndNot(holder).IsEmpty() && !own.Has(b.apex) && !other.Has(b.apex) {
			return g.rules.Illegal == Sturtevant ||
				!own.And(g.home[seat].Or(g.goal[seat])).IsEmpty()
		}
	}
	return false
}
