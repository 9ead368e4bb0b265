// Package oracle is the wing of Chinese Checkers: boards as data, rule sets, and the sources of
// certain values, which are tables and solutions made on the spot.
package oracle

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/evaluation"
	"perfectplay/game/halma/numbering"
	"perfectplay/game/wing"
)

func Wing() wing.Wing {
	w := wing.Wing{
		Name:  "halma",
		Title: "Chinese Checkers",
		About: "Chinese Checkers (Sternhalma): stars of 13, 37, 73, 121 holes for 2, 3, 4, 6 players; diamonds for 2; any board for one army alone",
		Open:  open,
		IDs:   ids,
		First: "halma-star37-2p", FirstRules: "house",
		Lessons: []wing.Lesson{
			{Game: "halma-star37-2p", Rules: "base", Position: "start", Move: "b1-c3", Text: "Players take turns to move one piece: a step to an empty place next to it,"},
			{Game: "halma-star37-2p", Rules: "base", Position: "start", Move: "a1-c3", Text: "or a hop over a piece of anybody to the empty place behind it. Nothing is taken."},
			{
				Game: "halma-star37-2p", Rules: "base", Position: "_.__.___2___.___2__.__2__.__1___.____1__.1_._-2", Move: "g4-c6",
				Text: "A hop may go on with another, as far as it leads.",
			},
			{
				Game: "halma-star37-2p", Rules: "base", Position: "_.11.__2_1__.__22__._____.______._______.__._-1", Move: "g5-i1",
				Text: "The first to bring all pieces into the opposite camp wins. Rule sets differ in what ends a game and where a piece may go.",
			},
		},
		Gallery: []wing.Sight{
			{Game: "halma-star37-2p", Rules: "base", Text: "The star under base rules: a draw, without an end"},
			{Game: "halma-star37-2p", Rules: "house-code", Text: "Under the thesis program's own rules: a win in 29 plies"},
			{Game: "halma-star13-2p", Rules: "house-code", Text: "The smallest star: a win in 7 plies"},
			{Game: "halma-star13-3p", Text: "Three players: nobody can win alone"},
			{Game: "halma-star13-6p", Text: "Six players: the first is beaten in 4 plies"},
			{Game: "halma-star37p1-3p", Text: "Three with one piece each: 20 plies to hold out"},
			{Game: "halma-5x5p3", Rules: "sturtevant", Text: "A diamond of 5×5: a win in 29 plies"},
			{Game: "halma-star37-1p", Text: "Alone across the star: the least number of turns"},
		},
		Settings: []wing.Setting{
			{Name: "shape", Title: "Shape"}, {Name: "board", Title: "Board"}, {Name: "pieces", Title: "Pieces"}, {Name: "players", Title: "Players"},
		},
		Values:  values,
		Compose: compose,
		Positions: func(g game.Game) float64 {
			h := g.(*halma.Game)
			n := float64(h.Seats())
			for placed := range h.Seats() * h.Board().Pieces() {
				n *= float64(h.Board().Cells()-placed) / float64(placed%h.Board().Pieces()+1)
			}
			return n
		},
		Endless: true,
		Board:   board,
		Picture: picture,
		Trace: func(g game.Game, s game.State, m game.Move) wing.Trace {
			return wing.Trace{Path: g.(*halma.Game).Path(s, m)}
		},
		Ending:    ending,
		Sources:   sources,
		Numbering: numbering.Of,
		Evaluation: func(g game.Game) wing.Evaluator {
			return evaluation.New(g.(*halma.Game))
		},
	}
	for _, name := range halma.Presets() {
		r, err := halma.Preset(name)
		if err != nil {
			continue // cannot happen: a listed preset is known
		}
		w.Rules = append(w.Rules, wing.Rules{Name: name, About: r.Describe()})
	}
	return w
}

func open(id, rules string) (game.Game, error) {
	b, seats, err := halma.ParseID(id)
	if err != nil {
		return nil, err
	}
	if _, err := b.SeatTips(seats); err != nil {
		return nil, err
	}
	r, err := halma.ParseRules(cmp.Or(rules, "base"))
	if err != nil {
		return nil, wing.RulesError{Err: err}
	}
	g, err := halma.New(b, seats, r)
	if err != nil { // a nil pointer in an interface is not nil
		return nil, wing.RulesError{Err: err}
	}
	return g, nil
}

func ids() (ids []string) {
	for _, s := range halma.Sizes() {
		ids = append(ids, s.ID)
	}
	return ids
}

// values returns the settings of an id: shape, size, pieces and seats, as texts.
func values(id string) []string {
	b, seats, err := halma.ParseID(id)
	if err != nil {
		return nil
	}
	pieces := strconv.Itoa(b.Pieces())
	if strings.HasSuffix(b.Name(), "b") { // the camp without its outermost hole
		pieces += "b"
	}
	if b.IsStar() {
		return []string{"star", fmt.Sprintf("%d holes", b.Cells()), pieces, strconv.Itoa(seats)}
	}
	return []string{"diamond", fmt.Sprintf("%d×%d", b.Side(), b.Side()), pieces, strconv.Itoa(seats)}
}

// compose returns the text of a position, as String.
func compose(g game.Game, p wing.Picture, seat int) string {
	h := g.(*halma.Game)
	armies := make([]bitboard.Set128, h.Seats())
	for c, piece := range p.Pieces {
		if piece >= 0 {
			armies[piece] = armies[piece].With(c)
		}
	}
	return h.Text(seat, armies...)
}

// rowHeight is the distance of two rows of holes with neighbours at distance 1.
var rowHeight = math.Sqrt(3) / 2

func board(g game.Game) wing.Board {
	h := g.(*halma.Game)
	b := h.Board()
	var d wing.Board
	for c := range b.Cells() {
		row, col := b.Place(c)
		cell := wing.Cell{Name: b.CellName(c), X: float64(col)/2 + 0.5, Y: float64(row)*rowHeight + 0.5}
		for dir := range halma.Dir(halma.Dirs) {
			if n := b.Next(c, dir); n > c {
				cell.Near = append(cell.Near, n)
			}
		}
		d.Width, d.Height = max(d.Width, cell.X+0.5), max(d.Height, cell.Y+0.5)
		d.Cells = append(d.Cells, cell)
	}
	for s := range h.Seats() {
		d.Seats = append(d.Seats, wing.Seat{Home: slices.Collect(h.Home(s).Cells()), Goal: slices.Collect(h.Goal(s).Cells())})
	}
	return d
}

func picture(g game.Game, s game.State) wing.Picture {
	h := g.(*halma.Game)
	p := wing.Picture{Pieces: make([]int, h.Board().Cells())}
	for c := range p.Pieces {
		p.Pieces[c] = -1
	}
	for seat := range h.Seats() {
		for c := range s.(halma.Position).Pieces(seat).Cells() {
			p.Pieces[c] = seat
		}
	}
	if seat, ok := s.Result().Winner(); ok {
		p.Won = slices.Collect(h.Goal(seat).Cells())
	}
	return p
}

func ending(g game.Game, s game.State) string {
	h := g.(*halma.Game)
	seat, ok := s.Result().Winner()
	switch {
	case !ok:
		return "The game is drawn: nobody can move any more."
	case h.Seats() == 1:
		return "The army has crossed the board: all its pieces stand in its goal."
	case !h.RuleSet().Filled || s.(halma.Position).Pieces(seat).AndNot(h.Goal(seat)).IsEmpty():
		return fmt.Sprintf("%s has won: all its pieces stand in its goal.", h.SeatName(seat))
	}
	return fmt.Sprintf("%s has won: its goal is full and holds a piece of its own.", h.SeatName(seat))
}
