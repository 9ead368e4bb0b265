package census

import (
	"cmp"
	"slices"
	"sync"

	"perfectplay/game/domino"
)

// Counts describes the games that start with one double, or all games.
type Counts struct {
	Games   int64
	Values  [2*domino.MaxScore + 1]int64 // games by score of perfect play for the starter: see ScoreOf
	Signs   [4]int64                     // games by domino.Sign
	OneTile int64                        // games that end with the first tile
	Leaves  []int64                      // games by number of lines, from 0
	Blocked int64                        // lines that end blocked, over all games
}

func (c *Counts) add(o *Counts) {
	c.Games += o.Games
	for i, n := range o.Values {
		c.Values[i] += n
	}
	for i, n := range o.Signs {
		c.Signs[i] += n
	}
	c.OneTile += o.OneTile
	c.Blocked += o.Blocked
	c.growLeaves(len(o.Leaves) - 1)
	for i, n := range o.Leaves {
		c.Leaves[i] += n
	}
}

func (c *Counts) growLeaves(n int) {
	if n >= len(c.Leaves) {
		c.Leaves = append(c.Leaves, make([]int64, n+1-len(c.Leaves))...)
	}
}

// Role sums up the games of a hand in one role.
type Role struct {
	Games   int64
	Wins    int64 // games that the owner of the hand wins by perfect play
	Draws   int64
	Score   int64 // sum of scores for the owner
	Leaves  int64 // lines of play
	Blocked int64 // lines that end blocked
}

// Add adds the counts of o to r.
func (r *Role) Add(o Role) {
	r.Games += o.Games
	r.Wins += o.Wins
	r.Draws += o.Draws
	r.Score += o.Score
	r.Leaves += o.Leaves
	r.Blocked += o.Blocked
}

// Hands is a table by rank of the hand and role (domino.Starter, domino.Second).
type Hands [domino.HandCount][2]Role

// Tally holds the counts of a census. Tallies of disjoint parts add up.
type Tally struct {
	ByDouble [domino.Numbers]Counts
	Hands    *Hands `json:"-"`
	// Classes counts the graphs solved, each for all its labelings. Positions and Moves count their
	// nodes and edges. Operations counts the nodes except those with one move.
	Classes, Positions, Moves, Operations int64
	// MostLeaves is the largest number of lines of a game. Widest lists the classes with that
	// number, each as a deal that 0|0 starts even if it has higher doubles.
	MostLeaves int64
	Widest     []domino.Deal
}

const maxWidest = 256

func newTally() *Tally { return &Tally{Hands: new(Hands)} }

// All returns the counts over all starting doubles.
func (t *Tally) All() *Counts {
	all := new(Counts)
	for d := range t.ByDouble {
		all.add(&t.ByDouble[d])
	}
	return all
}

// add adds the counts of o to t. If o.Hands is nil, the hands stay unchanged.
func (t *Tally) add(o *Tally) {
	for d := range t.ByDouble {
		t.ByDouble[d].add(&o.ByDouble[d])
	}
	if o.Hands != nil {
		for h := range o.Hands {
			for role := range o.Hands[h] {
				if o.Hands[h][role].Games != 0 {
					t.Hands[h][role].Add(o.Hands[h][role])
				}
			}
		}
	}
	t.Classes += o.Classes
	t.Positions += o.Positions
	t.Moves += o.Moves
	t.Operations += o.Operations
	if o.MostLeaves > t.MostLeaves {
		t.MostLeaves, t.Widest = o.MostLeaves, nil
	}
	if o.MostLeaves == t.MostLeaves {
		for _, d := range o.Widest {
			t.widest(d)
		}
	}
}

// widest adds an example, keeping the list sorted and bounded.
func (t *Tally) widest(d domino.Deal) {
	at, _ := slices.BinarySearchFunc(t.Widest, d, compareDeals)
	t.Widest = slices.Insert(t.Widest, at, d)
	if len(t.Widest) > maxWidest {
		t.Widest = t.Widest[:maxWidest]
	}
}

func compareDeals(a, b domino.Deal) int {
	return cmp.Or(cmp.Compare(a.Starter, b.Starter), cmp.Compare(a.Second, b.Second))
}

// packed is a Role in two words, seen from the starter, for at most rowGames games:
//
//	score  bits 0…21 sum of score + offset, 22…35 starter's wins, 36…49 draws, 50…63 games
//	lines  bits 0…31 lines, 32…63 blocked lines
//
// rowGames games fit: a score plus offset is at most 139, and a game has at most 262,144 lines.
type packed struct {
	score, lines uint64
}

const (
	scoreOffset = 70
	rowGames    = 1<<14 - 1
	winsShift   = 22
	drawsShift  = 36
	gamesShift  = 50
	countMask   = 1<<14 - 1
)

// increment holds the addend of packed.score for a game, by score + scoreOffset.
var increment = func() (table [256]uint64) {
	for i := range table {
		table[i] = uint64(i) | 1<<gamesShift
		if i > scoreOffset {
			table[i] |= 1 << winsShift
		}
		if i == scoreOffset {
			table[i] |= 1 << drawsShift
		}
	}
	return table
}()

func (p packed) role(role int) Role {
	games := int64(p.score >> gamesShift)
	r := Role{
		Games:   games,
		Wins:    int64(p.score >> winsShift & countMask),
		Draws:   int64(p.score >> drawsShift & countMask),
		Score:   int64(p.score&(1<<winsShift-1)) - scoreOffset*games,
		Leaves:  int64(p.lines & (1<<32 - 1)),
		Blocked: int64(p.lines >> 32),
	}
	if role == domino.Second {
		r.Wins = r.Games - r.Wins - r.Draws
		r.Score = -r.Score
	}
	return r
}

// row holds a packed role for each renaming of a hand.
type row struct {
	classes int // added since the last drain
	by      [renamings]packed
}

// sharedHands is a table to which several workers add.
type sharedHands struct {
	sync.Mutex
	hands *Hands
}

// drain adds the row to the hands in to, which are the renamings of first, and empties the row.
func (r *row) drain(m *maps, first domino.Set, role int, to *sharedHands) {
	if r.classes == 0 {
		return
	}
	to.Lock()
	defer to.Unlock()
	for p := range r.by {
		if r.by[p].score != 0 {
			to.hands[domino.RankHand(m.rename(p, first))][role].Add(r.by[p].role(role))
		}
	}
	*r = row{}
}
