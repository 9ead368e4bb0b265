package equilibrium

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"perfectplay/game/domino"
)

// Rules say who starts and how a deal is scored.
type Rules string

const (
	// Study: the highest double dealt starts, and the score is the difference of the pips left.
	Study Rules = "study"
	// OpenSpiel: the rules of its game python_block_dominoes. The first player starts with any
	// tile, and the player with fewer pips left scores the other's pips.
	OpenSpiel Rules = "openspiel"
)

// Game is block dominoes with hidden hands.
type Game struct {
	Double int // the highest number on a tile, 1…6
	Tiles  int // tiles of each hand
	Rules  Rules
}

const maxTiles = domino.HandSize

// sets are the names of the sets of tiles by highest number.
var sets = []string{"double-0", "double-1", "double-2", "double-3", "double-4", "double-5", "double-6"}

// SetNames lists the sets that [ParseGame] knows.
func SetNames() []string { return sets[1:] }

// ParseGame returns the game with a set of tiles, such as double-4, and the given number of
// tiles a hand.
func ParseGame(set string, tiles int, rules Rules) (Game, error) {
	n := slices.Index(sets, set)
	if n < 1 {
		return Game{}, fmt.Errorf("equilibrium: set %q: want double-1 to double-%d", set, domino.Numbers-1)
	}
	g := Game{n, tiles, rules}
	return g, g.check()
}

func (g Game) check() error {
	if g.Rules != Study && g.Rules != OpenSpiel {
		return fmt.Errorf("equilibrium: rules %q: want %s or %s", g.Rules, Study, OpenSpiel)
	}
	switch all := g.All().Len(); {
	case g.Tiles < 1:
		return fmt.Errorf("equilibrium: %d tiles a hand: want at least 1", g.Tiles)
	case 2*g.Tiles > all:
		return fmt.Errorf("equilibrium: %d tiles a hand: the %s set has %d tiles", g.Tiles, sets[g.Double], all)
	case g.Tiles > maxTiles:
		return fmt.Errorf("equilibrium: %d tiles a hand: want at most %d", g.Tiles, maxTiles)
	}
	return nil
}

// String is the game as text: double-4 4+4.
func (g Game) String() string { return fmt.Sprintf("%s %d+%d", sets[g.Double], g.Tiles, g.Tiles) }

// All returns the tiles of the set.
func (g Game) All() (s domino.Set) {
	for x := range g.Double + 1 {
		for y := range x + 1 {
			s = s.With(domino.NewTile(x, y))
		}
	}
	return s
}

// Root is the start of an independent part of a game. By the study's rules there is one for each
// double that may open.
type Root struct {
	Name  string // the tile played first, or "any"
	First domino.Set
	State State
	Deals uint64 // pairs of hands, all equally likely
}

// Roots returns the independent parts of the game, the highest double first.
func (g Game) Roots() (list []Root) {
	all := g.All()
	if g.Rules == OpenSpiel {
		s := State{Allowed: [2]domino.Set{all, all}, Size: [2]int8{int8(g.Tiles), int8(g.Tiles)}, Left: domino.None, Right: domino.None}
		return []Root{{"any", 0, s, s.deals()}}
	}
	for x := g.Double; x >= 0; x-- {
		all = all.Without(domino.Double(x))
		s := State{Allowed: [2]domino.Set{all, all}, Size: [2]int8{int8(g.Tiles - 1), int8(g.Tiles)},
			Left: int8(x), Right: int8(x), Mover: domino.Second}
		if g.Tiles > 1 && s.possible() {
			list = append(list, Root{domino.Double(x).String(), domino.SetOf(domino.Double(x)), s, s.deals()})
		}
	}
	return list
}

// Positions yields the deals of a root.
func (r *Root) Positions() iter.Seq[domino.Position] {
	return func(yield func(domino.Position) bool) {
		p := domino.Position{Left: r.State.Left, Right: r.State.Right, Mover: r.State.Mover}
		for p.Hands[0] = range r.State.Allowed[0].Subsets(int(r.State.Size[0])) {
			for p.Hands[1] = range (r.State.Allowed[1] &^ p.Hands[0]).Subsets(int(r.State.Size[1])) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

var errNoGame = errors.New("equilibrium: every deal is over with the first tile")
