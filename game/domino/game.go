package domino

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"perfectplay/game"
)

// Game is block dominoes with both hands open, as a game of two seats: seat 0 starts. The
// seat that the score favours wins. It implements [game.Game] and is immutable; its states
// implement [game.Keyer], [game.Counter], [game.Orderer] and [game.Evaluator].
type Game struct{ deal Deal }

var (
	_ game.Game      = Game{}
	_ game.Keyer     = (*state)(nil)
	_ game.Counter   = (*state)(nil)
	_ game.Orderer   = (*state)(nil)
	_ game.Evaluator = (*state)(nil)
)

// defaultDeal is the deal with the most lines of play in the study of 2025: 32,172.
var defaultDeal = Deal{
	Starter: SetOf(2, 8, 11, 13, 17, 22, 26),  // 0|2 1|2 1|5 2|2 2|6 4|4 5|6
	Second:  SetOf(4, 10, 12, 15, 16, 23, 24), // 0|4 1|4 1|6 2|4 2|5 4|5 4|6
}

// New returns the game that starts from a deal.
func New(d Deal) Game { return Game{d} }

// Default returns the game that starts from a deal with many lines of play.
func Default() Game { return New(defaultDeal) }

func (Game) ID() string { return "domino" }

func (Game) Rules() string { return "" }

func (Game) Seats() int { return 2 }

func (Game) SeatName(seat int) string { return [2]string{"starter", "second"}[seat&1] }

// Start returns the position before the first tile of the deal.
func (g Game) Start() game.State { return &state{Position: g.deal.Start()} }

type state struct {
	Position
	history []Position
}

// At returns the position as a value.
func (s *state) At() Position { return s.Position }

func (s *state) Seat() int { return int(s.Mover) }

func (s *state) Result() game.Result {
	if !s.Over() {
		return game.Ongoing
	}
	switch score := s.Score(); {
	case score > 0:
		return Starter
	case score < 0:
		return Second
	}
	return game.Drawn
}

func (s *state) Moves(buf []game.Move) []game.Move {
	if s.Over() {
		return buf
	}
	var own [2 * HandSize]Move
	moves := s.Position.Moves(own[:0])
	if len(moves) == 0 {
		return append(buf, game.Pass)
	}
	for _, m := range moves {
		buf = append(buf, game.Move(m))
	}
	return buf
}

func (s *state) CountMoves() int {
	if s.Over() {
		return 0
	}
	n := s.Playable(s.Mover).Len()
	if s.Left != s.Right {
		n += (s.Hands[s.Mover&1] & withNumber[s.Left&7] & withNumber[s.Right&7]).Len()
	}
	return max(n, 1)
}

func (s *state) Make(m game.Move) {
	s.history = append(s.history, s.Position)
	s.Position = s.Play(Move(m))
}

func (s *state) Unmake() {
	s.Position = s.history[len(s.history)-1]
	s.history = s.history[:len(s.history)-1]
}

func (s *state) Clone() game.State { return &state{Position: s.Position} }

// joined makes one word of the tiles of a hand.
var joined = strings.NewReplacer("|", "", " ", ".")

// String returns the position as one word: the starter's tiles, the second player's, the numbers at
// the ends and the seat to move, as 02.12_04.14_25_0. A hyphen stands for an empty hand, and for
// the ends before the first tile.
func (p Position) String() string {
	words := make([]string, 0, 4)
	for _, hand := range p.Hands {
		words = append(words, cmp.Or(joined.Replace(hand.String()), "-"))
	}
	ends := "-"
	if p.Left != None {
		ends = string([]byte{'0' + byte(p.Left), '0' + byte(p.Right)})
	}
	return strings.Join(append(words, ends, strconv.Itoa(int(p.Mover))), "_")
}

// ParsePosition reads the text of Position.String. Hands have at most seven tiles; the position
// need not be reachable. Before the first tile both hands must be complete and the starter to move.
func ParsePosition(text string) (Position, error) {
	fail := func(format string, args ...any) (Position, error) {
		return Position{}, fmt.Errorf("domino: position %q: %s", text, fmt.Sprintf(format, args...))
	}
	parts := strings.Split(text, "_")
	if len(parts) != 4 {
		return fail("want hand_hand_ends_seat, as 02.12_04.14_25_0")
	}
	var p Position
	for seat, part := range parts[:2] {
		if part == "-" {
			continue
		}
		hand, err := ParseSet(part)
		if err != nil {
			return Position{}, err
		}
		if n := hand.Len(); n == 0 || n > HandSize {
			return fail("a hand has %d tiles: want 1 to %d, or - for none", n, HandSize)
		}
		p.Hands[seat] = hand
	}
	if both := p.Hands[0] & p.Hands[1]; both != 0 {
		return fail("tile %v comes twice", both.Min())
	}
	switch ends := parts[2]; {
	case ends == "-":
		p.Left, p.Right = None, None
	case len(ends) == 2 && ends[0] >= '0' && ends[0] <= '6' && ends[1] >= '0' && ends[1] <= '6':
		p.Left, p.Right = int8(ends[0]-'0'), int8(ends[1]-'0')
	default:
		return fail("ends %q: want two numbers 0 to 6, or - before the first tile", ends)
	}
	switch parts[3] {
	case "0":
	case "1":
		p.Mover = Second
	default:
		return fail("seat %q: want 0 or 1", parts[3])
	}
	if p.Left == None {
		d, swapped, err := NewDeal(p.Hands[0], p.Hands[1])
		if err != nil {
			return Position{}, err
		}
		if swapped || p.Mover != Starter {
			return fail("the first hand must hold the highest double and be to move")
		}
		return d.Start(), nil
	}
	if p.Hands[0] == 0 && p.Hands[1] == 0 {
		return fail("both hands are empty")
	}
	return p, nil
}

// Parse reads a position, or a deal as two hands with a slash.
func (g Game) Parse(text string) (game.State, error) {
	if strings.Contains(text, "/") {
		d, _, err := ParseDeal(text)
		if err != nil {
			return nil, err
		}
		return &state{Position: d.Start()}, nil
	}
	p, err := ParsePosition(text)
	if err != nil {
		return nil, err
	}
	return &state{Position: p}, nil
}

func (s *state) MoveString(m game.Move) string {
	if m == game.NoMove {
		return "none"
	}
	return s.MoveText(Move(m))
}

// MoveText is a move as text: the tile, and if the ends differ the number where it goes, as 2|5-2.
func (p Position) MoveText(m Move) string {
	switch {
	case m == Passed:
		return "pass"
	case p.Left == p.Right:
		return m.Tile().String()
	}
	x := p.Right
	if m.End() == LeftEnd {
		x = p.Left
	}
	return m.Tile().String() + "-" + strconv.Itoa(int(x))
}

func (s *state) ParseMove(text string) (game.Move, error) {
	moves := s.Moves(nil)
	var legal []string
	for _, m := range moves {
		name := s.MoveString(m)
		if name == text {
			return m, nil
		}
		legal = append(legal, name)
	}
	if len(legal) == 0 {
		return game.NoMove, fmt.Errorf("domino: move %q: the deal is over", text)
	}
	return game.NoMove, fmt.Errorf("domino: move %q: not legal here: want %s", text, strings.Join(legal, ", "))
}

func (s *state) KeyWords() int { return 1 }

// symTurned is the symmetry that turns the row around. The exchange of the seats changes no move.
const symTurned = 1

// Key puts the mover's hand first and the lower number to the left.
func (s *state) Key(dst []uint64) (sym uint8) {
	a, b := s.Left, s.Right
	if a > b {
		a, b, sym = b, a, symTurned
	}
	dst[0] = uint64(s.Hands[s.Mover&1]) | uint64(s.Hands[s.Mover&1^1])<<28 | uint64(a&7)<<56 | uint64(b&7)<<59
	return sym
}

// Canonical turns a move with the row.
func (s *state) Canonical(m game.Move, sym uint8) game.Move {
	if m == game.Pass || m == game.NoMove {
		return m
	}
	return m ^ game.Move(sym&symTurned)
}

func (s *state) Actual(m game.Move, sym uint8) game.Move { return s.Canonical(m, sym) }

// Gain is the number of pips that a move plays.
func (s *state) Gain(m game.Move) int32 {
	if m == game.Pass || m == game.NoMove {
		return 0
	}
	return int32(Move(m).Tile().Pips())
}

// Evaluate is the score if the deal ended here.
func (s *state) Evaluate(seat int) int32 {
	if seat == Second {
		return -int32(s.Score())
	}
	return int32(s.Score())
}
