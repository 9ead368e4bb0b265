// Package oracle is the wing of m,n,k-games: boards as data, and the sources of certain values. On
// boards of at most 128 cells that are too large for a complete solution, the source is proofs for
// both sides. On boards of more than 64 cells with long lines, the source is the pairing of the
// plane.
package oracle

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/game/mnk/prove"
	"perfectplay/game/wing"
)

// Wing describes m,n,k-games.
func Wing() wing.Wing {
	return wing.Wing{
		Name:  "mnk",
		Title: "In a row (m,n,k)",
		About: "m,n,k-games: rows, columns, and how many in a row win; any board to 70x70",
		Open: func(id, rules string) (game.Game, error) {
			g, err := mnk.ByID(id)
			if err != nil {
				return nil, err // nil instead of g: a nil pointer in an interface is not nil
			}
			if rules != "" {
				return nil, wing.RulesError{Err: fmt.Errorf("rules %q: m,n,k-games have one rule set only", rules)}
			}
			return g, nil
		},
		IDs:   mnk.TournamentIDs,
		First: "mnk-5x5k4",
		Lessons: []wing.Lesson{
			{Game: "mnk-5x5k4", Position: "start", Move: "c3", Text: "Players take turns to put a stone on an empty cell. Stones do not move."},
			{Game: "mnk-5x5k4", Position: "5.1oo2.1xxx1.2o2.5", Move: "e3", Text: "The first with enough stones in a row, in any direction, wins: here four."},
			{Game: "mnk-5x5k4", Position: "5.1o3.oxxx1.5.5", Move: "e3", Text: "A row that lacks one stone must be met at once; one open at both ends can be met no more."},
			{Game: "mnk-3x3k3", Position: "xxo.oox.xo1", Move: "c1", Text: "A full board without such a row is a draw."},
		},
		Gallery: []wing.Sight{
			{Game: "mnk-5x5k4", Text: "Four in a row on 5×5: a draw"},
			{Game: "mnk-6x5k4", Text: "One row more, and the first player wins"},
			{Game: "mnk-15x15k5", Text: "Five in a row on 15×15: not solved, so the computer estimates"},
		},
		Settings: []wing.Setting{
			{Name: "rows", Title: "Rows", Least: 1, Most: 70}, {Name: "columns", Title: "Columns", Least: 1, Most: 70},
			{Name: "k", Title: "In a row", Least: 1, Most: 70},
		},
		Template: "mnk-{rows}x{columns}k{k}",
		Values: func(id string) []string {
			m, err := mnk.ByID(id)
			if err != nil {
				return nil
			}
			return []string{strconv.Itoa(m.Rows()), strconv.Itoa(m.Cols()), strconv.Itoa(m.K())}
		},
		Compose:   compose,
		Counted:   true,
		Rules:     []wing.Rules{{About: "the first to have k in a row wins; a full board is a draw"}},
		Positions: func(g game.Game) float64 { return math.Pow(3, float64(g.(*mnk.Game).Cells())) },
		Board:     board,
		Picture:   picture,
		Trace: func(_ game.Game, _ game.State, m game.Move) wing.Trace {
			return wing.Trace{Path: []int{int(m)}}
		},
		Ending:    ending,
		Player:    player.New,
		Look:      player.Look,
		Opponents: player.Opponents(),
		Sources:   sources,
	}
}

func board(g game.Game) wing.Board {
	m := g.(*mnk.Game)
	d := wing.Board{Squares: true, Width: float64(m.Cols()), Height: float64(m.Rows())}
	for c := range m.Cells() {
		row, col := c/m.Cols(), c%m.Cols()
		cell := wing.Cell{Name: m.CellName(c), X: float64(col) + 0.5, Y: float64(row) + 0.5}
		if col+1 < m.Cols() {
			cell.Near = append(cell.Near, c+1)
		}
		if row+1 < m.Rows() {
			cell.Near = append(cell.Near, c+m.Cols())
		}
		d.Cells = append(d.Cells, cell)
	}
	d.Seats = []wing.Seat{{Sign: wing.Cross}, {Sign: wing.Ring}}
	return d
}

// stones is a method that all states have.
type stones interface {
	// At returns the contents of a cell: 0 empty, 1 and 2 the players' stones.
	At(cell int) uint8
}

func picture(g game.Game, s game.State) wing.Picture {
	m := g.(*mnk.Game)
	p := wing.Picture{Pieces: make([]int, m.Cells())}
	for c := range p.Pieces {
		p.Pieces[c] = int(s.(stones).At(c)) - 1
	}
	if seat, ok := s.Result().Winner(); ok {
		p.Won = line(m, p.Pieces, seat)
	}
	return p
}

// line returns the cells of all complete windows of a seat, in ascending order.
func line(g *mnk.Game, pieces []int, seat int) (won []int) {
	in := make([]bool, g.Cells())
	for direction, first := range g.Windows() {
		full := true
		for i := range g.K() {
			full = full && pieces[first+i*g.Step(direction)] == seat
		}
		for i := range g.K() {
			if full {
				in[first+i*g.Step(direction)] = true
			}
		}
	}
	for c, is := range in {
		if is {
			won = append(won, c)
		}
	}
	return won
}

// compose returns the text of a position, as String.
func compose(g game.Game, p wing.Picture, _ int) string {
	return g.(*mnk.Game).Print(func(c int) uint8 { return uint8(p.Pieces[c] + 1) })
}

func ending(g game.Game, s game.State) string {
	if seat, ok := s.Result().Winner(); ok {
		return fmt.Sprintf("%s has won: %d in a row.", g.SeatName(seat), g.(*mnk.Game).K())
	}
	return "The game is drawn: the board is full."
}

const (
	// proofBytes is the memory of a prover, its table and the search for threats.
	proofBytes = 32 << 20
	// mostSolved is the largest number of positions of a board with a complete solution, which
	// replaces the proof. Package explore solves every game with at most that many positions.
	mostSolved = 1 << 22
)

func sources(g game.Game) (list []wing.Source) {
	m := g.(*mnk.Game)
	if m.Lines64() == nil && m.K() >= player.PlaneK {
		list = append(list, wing.Source{
			Kind: wing.ByProof, About: "a pairing of the plane, which holds for both sides", Partial: true,
			Open: func(context.Context, wing.Resources) (wing.Oracle, error) {
				return pairing{m, player.PlanePairs(m)}, nil
			},
		})
	}
	switch {
	case 0 < m.Numbers() && m.Numbers() <= mostSolved:
	case prove.Fits(m):
		list = append(list, wing.Source{
			Kind: wing.ByProof, About: "proved by search", Memory: proofBytes, Making: proofBytes,
			Slow: true, Partial: mnk.Theory(m) == "" || long(m), Open: func(_ context.Context, r wing.Resources) (wing.Oracle, error) { return newProof(m, r) },
		})
	case player.Forces(m):
		list = append(list, wing.Source{
			Kind: wing.ByProof, About: "threats, and all replies to them", Memory: player.ForcedBytes, Making: player.ForcedBytes,
			Slow: true, Partial: true, Open: func(_ context.Context, r wing.Resources) (wing.Oracle, error) { return newProof(m, r) },
		})
	}
	return list
}

// long reports whether the proof of the empty board takes longer than a question may: rows and
// columns from 8×4 on with four in a row need a million nodes and more, 8,8,5 needs 380 million.
func long(m *mnk.Game) bool {
	rows, cols := max(m.Rows(), m.Cols()), min(m.Rows(), m.Cols())
	return m.K() == 4 && cols == 4 && rows >= 8 || m.K() == 5 && rows == 8 && cols == 8
}

// proof asks whether threats decide, and then whether either side can win.
type proof struct {
	forced *player.Forced // nil if the board has no threats that force
	p      *prove.Prover  // nil if the board is too large
}

func newProof(m *mnk.Game, r wing.Resources) (_ wing.Oracle, err error) {
	var o proof
	if player.Forces(m) {
		if o.forced, err = player.NewForced(m, r.Yield); err != nil {
			return nil, err
		}
	}
	if prove.Fits(m) {
		po := prove.Options{Memory: r.Memory - player.ForcedBytes, Threads: r.Threads, Yield: r.Yield}
		if b, ok := r.Proved.(prove.Book); ok {
			po.Book, po.BookNodes = b, math.MaxUint64
		}
		if o.p, err = prove.New(m, po); err != nil {
			return nil, errors.Join(err, o.Close())
		}
	}
	return o, nil
}

// The search for threats before a proof visits at most firstThreats positions, or one part
// in threatShare of the nodes of a bounded question.
const (
	firstThreats = 4096
	threatShare  = 8
)

func (o proof) Worth(ctx context.Context, s game.State) (wing.Worth, error) {
	w, _, err := o.worth(ctx, s, 0)
	return w, err
}

// WorthWithin implements [wing.Bounded].
func (o proof) WorthWithin(ctx context.Context, s game.State, nodes uint64) (wing.Worth, uint64, error) {
	return o.worth(ctx, s, nodes)
}

func (o proof) worth(ctx context.Context, s game.State, nodes uint64) (wing.Worth, uint64, error) {
	var taken uint64
	if o.forced != nil {
		most := nodes
		if o.p != nil {
			if most = firstThreats; nodes > 0 {
				most = max(nodes/threatShare, 1)
			}
		}
		v, cell, n, all := o.forced.Value(ctx, s, most)
		taken = n
		switch {
		case v != game.Unknown:
			return worth(v, cell), taken, nil
		case o.p == nil && all:
			return wing.Worth{}, taken, wing.ErrNever
		case o.p == nil:
			return wing.Worth{}, taken, ctx.Err()
		}
	}
	x, y := s.(mnk.Position).Stones()
	if nodes > 0 {
		o.p.Bound(max(nodes-min(taken, nodes), 1))
		defer o.p.Bound(0)
	}
	v, r := o.p.ValueAt(ctx, x, y, s.Seat())
	if taken += r.Nodes; v == game.Unknown {
		return wing.Worth{}, taken, ctx.Err()
	}
	return worth(v, r.Move), taken, nil
}

// worth returns a value with a cell that keeps the value, −1 if no such cell is known.
func worth(v game.Value, cell int) wing.Worth {
	w := wing.Worth{Value: v, Distance: -1}
	if cell >= 0 && v != game.Loss {
		w.Line = []game.Move{game.Move(cell)}
	}
	return w
}

func (o proof) Close() (err error) {
	if o.forced != nil {
		err = o.forced.Close()
	}
	if o.p != nil {
		err = errors.Join(err, o.p.Close())
	}
	return err
}

// pairing knows that a position is drawn if neither side can complete a window. Each window that
// is open to a side must hold a pair of the plane with both cells empty: the other side answers
// on one cell of a pair when its opponent takes the other. The side to move may spend its stone
// on the windows without such a pair, if they have an empty cell in common.
type pairing struct {
	g     *mnk.Game
	pairs []int
}

func (o pairing) Worth(_ context.Context, s game.State) (wing.Worth, error) {
	at, mover := s.(stones), s.Seat()
	var common map[int]bool // common empty cells of all windows that only a stone of the mover closes
	for direction, first := range o.g.Windows() {
		var has [2]bool
		paired := false
		var empty []int
		for i := range o.g.K() {
			c := first + i*o.g.Step(direction)
			if player := at.At(c); player > 0 {
				has[player-1] = true
				continue
			}
			empty = append(empty, c)
			// Both cells of a pair must lie in this window, side by side.
			mate := o.pairs[c]
			paired = paired || i+1 < o.g.K() && mate == c+o.g.Step(direction) && at.At(mate) == 0
		}
		switch {
		case paired || has[0] && has[1]:
			continue
		case !has[1-mover]: // the window is open to the mover
			return wing.Worth{}, errUnpaired
		}
		left := map[int]bool{}
		for _, c := range empty {
			if common == nil || common[c] {
				left[c] = true
			}
		}
		if common = left; len(common) == 0 {
			return wing.Worth{}, errUnpaired
		}
	}
	w := wing.Worth{Value: game.Draw, Distance: -1}
	for c := range common {
		if len(w.Line) == 0 || game.Move(c) < w.Line[0] {
			w.Line = []game.Move{game.Move(c)}
		}
	}
	return w, nil
}

var errUnpaired = errors.New("the pairing of the plane is broken")

func (pairing) Close() error { return nil }
