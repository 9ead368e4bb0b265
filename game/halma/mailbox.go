package halma

import (
	"math"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// Mailbox is a plain second implementation of the game: one number per hole, moves found hole by
// hole, rules tested for every move. It is the reference for tests. It shares the places of
// holes and the text of positions with [Game], and nothing about moves, wins or illegal
// positions.
type Mailbox struct {
	*Game
	beside *beside
}

// beside is the cell next to each cell in each direction, or nowhere.
type beside [][Dirs]int

const nowhere = -1

// Mailbox returns the reference implementation of the game.
func (g *Game) Mailbox() Mailbox {
	grid := map[[2]int]int{} // cell at each row and doubled column
	for cell := range g.board.Cells() {
		row, col := g.board.Place(cell)
		grid[[2]int{row, col}] = cell
	}
	list := make(beside, g.board.Cells())
	for cell := range list {
		row, col := g.board.Place(cell)
		for d, by := range [Dirs][2]int{{0, -2}, {0, 2}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}} { // rows and doubled columns
			next, ok := grid[[2]int{row + by[0], col + by[1]}]
			if list[cell][d] = next; !ok {
				list[cell][d] = nowhere
			}
		}
	}
	return Mailbox{g, &list}
}

func (m Mailbox) Start() game.State { return m.newState(m.startPosition()) }

func (m Mailbox) Parse(text string) (game.State, error) {
	p, err := m.parse(text)
	if err != nil {
		return nil, err
	}
	return m.newState(p), nil
}

const nobody = -1

type mailState struct {
	g       Mailbox
	on      []int // seat on each cell, or nobody
	seat    int
	history []game.Move
}

func (m Mailbox) newState(p *position) *mailState {
	s := &mailState{g: m, on: make([]int, m.board.Cells()), seat: p.seat}
	for cell := range s.on {
		s.on[cell] = nobody
		for seat := range m.seats {
			if p.own[seat].Has(cell) {
				s.on[cell] = seat
			}
		}
	}
	return s
}

func (s *mailState) position() *position {
	p := &position{seat: s.seat}
	for cell, seat := range s.on {
		if seat != nobody {
			p.own[seat] = p.own[seat].With(cell)
		}
	}
	return p
}

func (s *mailState) Seat() int { return s.seat }

func (s *mailState) neighbour(cell int, d Dir) (int, bool) {
	next := (*s.g.beside)[cell][d]
	return next, next != nowhere
}

func (s *mailState) inHome(seat, cell int) bool {
	return s.g.board.camp[s.g.tip[seat]].Has(cell)
}

func (s *mailState) inGoal(seat, cell int) bool {
	return s.g.board.camp[oppositeTip[s.g.tip[seat]]].Has(cell)
}

// mayGo reports whether the rules on goal, home and closed tips let a piece of a seat go from
// one cell to another by a whole turn, or by one hop of a chain.
func (s *mailState) mayGo(seat, from, to int, hop bool) bool {
	rules := s.g.rules
	if rules.StayInGoal && !(hop && rules.GoalTransit) {
		if s.inGoal(seat, from) && !s.inGoal(seat, to) {
			return false
		}
	}
	if rules.StayOut && !(hop && rules.HomeTransit) {
		if s.inHome(seat, to) && !s.inHome(seat, from) {
			return false
		}
	}
	if rules.TipsClosed && !(hop && rules.ClosedTransit) {
		tip, own := int(s.g.board.tipOf[to]), s.g.tip[seat]
		return tip == noTip || tip == own || tip == oppositeTip[own] || rules.AbsentTipsOpen && s.absent(tip)
	}
	return true
}

// absent reports whether no seat is at home in a tip.
func (s *mailState) absent(tip int) bool { return !slices.Contains(s.g.tip[:s.g.seats], tip) }

// has reports whether a seat meets its win condition.
func (s *mailState) has(seat int) bool {
	inside, filled := 0, true
	for cell, owner := range s.on {
		if s.g.rules.HomeEmpty && owner == seat && s.inHome(seat, cell) {
			return false
		}
		if s.inGoal(seat, cell) {
			if owner == seat {
				inside++
			}
			filled = filled && owner != nobody
		}
	}
	if s.g.rules.Filled {
		return filled && inside > 0
	}
	return inside == s.g.board.pieces
}

func (s *mailState) illegal() bool {
	kind := s.g.rules.Illegal
	if kind == NoIllegal {
		return false
	}
	if s.has(s.seat) {
		return true
	}
	if s.g.board.pieces != 6 {
		return false
	}
	inCamps := false
	for cell, owner := range s.on {
		if owner == s.seat && (s.inHome(s.seat, cell) || s.inGoal(s.seat, cell)) {
			inCamps = true
		}
	}
	if kind == Sturtevant2019Run && !inCamps {
		return false
	}
	for seat := range s.g.seats {
		// The first six cells from either end form rows of one, two and three.
		camp := []int{0, 1, 2, 3, 4, 5}
		if s.g.tip[seat] == 1 {
			for i := range camp {
				camp[i] = s.g.board.Cells() - 1 - i
			}
		}
		if s.on[camp[0]] == nobody && s.on[camp[1]] == seat && s.on[camp[2]] == seat &&
			s.on[camp[3]] == seat && s.on[camp[5]] == seat {
			return true
		}
	}
	return false
}

// ends marks every cell where a piece of seat on from may end its turn, before the rules on
// illegal positions.
func (s *mailState) ends(seat, from int) []bool {
	ends := make([]bool, len(s.on))
	visited := make([]bool, len(s.on))
	s.on[from] = nobody // the piece is lifted
	visited[from] = true
	var hop func(cell int)
	hop = func(cell int) {
		for d := range Dir(Dirs) {
			over, ok := s.neighbour(cell, d)
			if !ok || s.on[over] == nobody {
				continue
			}
			to, ok := s.neighbour(over, d)
			if !ok || s.on[to] != nobody || visited[to] {
				continue
			}
			if !s.mayGo(seat, cell, to, true) {
				continue
			}
			visited[to] = true
			ends[to] = s.mayGo(seat, from, to, false)
			hop(to)
		}
	}
	hop(from)
	for d := range Dir(Dirs) {
		if to, ok := s.neighbour(from, d); ok && s.on[to] == nobody && s.mayGo(seat, from, to, false) {
			ends[to] = true
		}
	}
	s.on[from] = seat
	return ends
}

// movesOf appends a seat's moves, as if it were to move, up to limit in all.
func (s *mailState) movesOf(seat int, buf []game.Move, limit int) []game.Move {
	turn := s.seat
	s.seat = seat
	for from, owner := range s.on {
		if owner != seat || len(buf) >= limit {
			continue
		}
		for to, ok := range s.ends(seat, from) {
			if !ok || len(buf) >= limit {
				continue
			}
			s.Make(NewMove(from, to))
			if !s.illegal() {
				buf = append(buf, NewMove(from, to))
			}
			s.Unmake()
		}
	}
	s.seat = turn
	return buf
}

func (s *mailState) Result() game.Result {
	// The seat that moved last is tested first, then the others in turn order.
	for i := range s.g.seats {
		if seat := (s.seat + s.g.seats - 1 + i) % s.g.seats; s.has(seat) {
			return game.Result(seat)
		}
	}
	for seat := range s.g.seats {
		if len(s.movesOf(seat, nil, 1)) > 0 {
			return game.Ongoing
		}
	}
	return game.Drawn
}

func (s *mailState) Moves(buf []game.Move) []game.Move {
	if s.Result() != game.Ongoing {
		return buf
	}
	start := len(buf)
	buf = s.movesOf(s.seat, buf, math.MaxInt)
	if len(buf) == start {
		buf = append(buf, game.Pass)
	}
	return buf
}

func (s *mailState) Make(m game.Move) {
	if m != game.Pass {
		from, to := Cells(m)
		s.on[from], s.on[to] = nobody, s.seat
	}
	s.seat = (s.seat + 1) % s.g.seats
	s.history = append(s.history, m)
}

func (s *mailState) Unmake() {
	m := s.history[len(s.history)-1]
	s.history = s.history[:len(s.history)-1]
	s.seat = (s.seat + s.g.seats - 1) % s.g.seats
	if m != game.Pass {
		from, to := Cells(m)
		s.on[from], s.on[to] = s.seat, nobody
	}
}

func (s *mailState) Clone() game.State {
	return s.g.newState(s.position())
}

func (s *mailState) String() string {
	return s.g.text(s.position())
}

func (s *mailState) MoveString(m game.Move) string { return s.g.moveString(m) }

func (s *mailState) ParseMove(text string) (game.Move, error) { return s.g.parseMove(text, s) }

func (s *mailState) Pieces(seat int) bitboard.Set128 { return s.position().own[seat] }

func (s *mailState) CountMoves() int { return len(s.Moves(nil)) }
