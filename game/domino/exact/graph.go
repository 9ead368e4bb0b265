package exact

import (
	"math/bits"

	"perfectplay/game/domino"
)

// Local places of tiles in a graph: the starter's six tiles after the first
// one at bits 0…5, the second player's seven at bits 6…12, each in ascending
// order.
const (
	starterTiles = domino.HandSize - 1
	localTiles   = starterTiles + domino.HandSize
	starterMask  = 1<<starterTiles - 1
	secondMask   = 1<<localTiles - 1 - starterMask
	fullLeft     = 1<<localTiles - 1
)

// Left is the set of local tiles that are still in hand.
type Left uint16

// Starter returns the starter's tiles of l, a number below 64.
func (l Left) Starter() int { return int(l & starterMask) }

// Second returns the second player's tiles of l, a number below 128.
func (l Left) Second() int { return int(l&secondMask) >> starterTiles }

// Graph is the tree of a deal with equal positions merged. Positions are equal
// if the same tiles are left, the same player is to move and the ends show the
// same two numbers; passes are not positions, the turn goes on until somebody
// can play. Only the numbers' identity matters to a graph, not their size:
// deals that differ by renaming the numbers have the same graph, as long as
// both start with the same tile.
//
// Ends. Every number occurs an even number of times inside the line, so the
// ends are the two numbers that occur an odd number of times on the tiles
// played, and follow from Left. Only if there are none, because both ends are
// equal, must the number be part of the identity.
//
// A Graph is a workspace: Build fills it anew and allocates nothing once it has
// grown. It belongs to one goroutine.
type Graph struct {
	// LeafLeft lists the distinct sets of tiles that lines of play end with, and
	// LeafPaths how many lines end with each.
	LeafLeft  []Left
	LeafPaths []uint32

	nodes []node
	paths []uint32
	edges []Ref

	byNumber [8]uint16    // local tiles that show a number
	swap     [16]uint8    // exclusive or of the two numbers of a local tile
	open     []uint16     // place+1 of a node by left and mover, ends different
	closed   []uint16     // the same and the number, ends equal
	leafAt   [1 << 13]Ref // place+1 of a leaf by left
}

// Ref names a node (its place) or a leaf (its place with LeafFlag).
type Ref uint16

// LeafFlag marks a Ref to a leaf.
const LeafFlag Ref = 1 << 15

// Leaf returns the place in LeafLeft that r names, and false if it names a node.
func (r Ref) Leaf() (place int, ok bool) { return int(r &^ LeafFlag), r&LeafFlag != 0 }

// node is a position with a legal move. Its moves are
// edges[first:first of the next node].
type node struct {
	left  uint16
	ends  uint8 // one number + 8 times the other
	mover uint8
	first uint32
}

// NewGraph returns an empty workspace.
func NewGraph() *Graph {
	return &Graph{
		open:   make([]uint16, 1<<(localTiles+1)),
		closed: make([]uint16, 1<<(localTiles+4)),
		nodes:  make([]node, 0, 1<<13),
		paths:  make([]uint32, 0, 1<<13),
		edges:  make([]Ref, 0, 1<<15),
	}
}

// Build makes the graph of the deal in which the starter has played the double
// of number x and holds six tiles, the second player seven.
func (g *Graph) Build(x int, starter, second domino.Set) {
	g.reset()
	g.byNumber = [8]uint16{}
	place := 0
	for _, hand := range [2]domino.Set{starter, second} {
		for ; hand != 0; hand = hand.DropMin() {
			t := hand.Min()
			low, high := t.Low(), t.High()
			g.byNumber[low&7] |= 1 << place
			g.byNumber[high&7] |= 1 << place
			g.swap[place&15] = uint8(low ^ high)
			place++
		}
	}
	if starter.Len() != starterTiles || place != localTiles {
		panic("exact: Graph.Build: hands of six and seven tiles wanted")
	}

	fit := g.byNumber[x&7]
	switch {
	case fit&secondMask != 0:
		g.addNode(fullLeft, uint8(x)*9, domino.Second)
	case fit != 0:
		g.addNode(fullLeft, uint8(x)*9, domino.Starter)
	default:
		g.LeafLeft = append(g.LeafLeft, fullLeft)
		g.LeafPaths = append(g.LeafPaths, 1)
		g.leafAt[fullLeft] = 1
		return
	}
	g.paths[0] = 1
	for i := 0; i < len(g.nodes); i++ {
		g.expand(i)
	}
}

// reset forgets the last graph, touching only what it used.
func (g *Graph) reset() {
	for i := range g.nodes {
		n := &g.nodes[i]
		*g.slot(n.left, n.ends, n.mover) = 0
	}
	for _, l := range g.LeafLeft {
		g.leafAt[l&fullLeft] = 0
	}
	g.nodes, g.paths, g.edges = g.nodes[:0], g.paths[:0], g.edges[:0]
	g.LeafLeft, g.LeafPaths = g.LeafLeft[:0], g.LeafPaths[:0]
}

// slot is where the place+1 of a node is kept, 0 if there is none yet.
func (g *Graph) slot(left uint16, ends, mover uint8) *uint16 {
	at := uint(left)<<1 | uint(mover)
	if a, b := ends&7, ends>>3; a != b {
		return &g.open[at]
	}
	return &g.closed[at<<3|uint(ends&7)]
}

// addNode appends a node and returns its place.
func (g *Graph) addNode(left uint16, ends, mover uint8) int {
	g.nodes = append(g.nodes, node{left: left, ends: ends, mover: mover})
	g.paths = append(g.paths, 0)
	*g.slot(left, ends, mover) = uint16(len(g.nodes))
	return len(g.nodes) - 1
}

// expand lists the moves of node i. All its predecessors have one tile more and
// stand before it, so its paths are complete.
func (g *Graph) expand(i int) {
	n := &g.nodes[i]
	n.first = uint32(len(g.edges))
	left, mover, paths := n.left, n.mover, g.paths[i]
	a, b := n.ends&7, n.ends>>3&7
	fitA, fitB := g.byNumber[a], g.byNumber[b]
	hand := uint16(starterMask)
	if mover != domino.Starter {
		hand = secondMask
	}
	for s := left & hand & fitA; s != 0; s &= s - 1 {
		g.addEdge(left&^(s&-s), a^g.swap[bits.TrailingZeros16(s)&15], b, mover, hand, paths)
	}
	if a == b {
		return
	}
	for s := left & hand & fitB; s != 0; s &= s - 1 {
		g.addEdge(left&^(s&-s), a, b^g.swap[bits.TrailingZeros16(s)&15], mover, hand, paths)
	}
}

// addEdge adds the move that leads to the given tiles left and ends, made by
// mover along a number of paths. hand is the mover's mask.
func (g *Graph) addEdge(left uint16, a, b, mover uint8, hand uint16, paths uint32) {
	fit := left & (g.byNumber[a&7] | g.byNumber[b&7])
	if left&hand == 0 || fit == 0 {
		at := &g.leafAt[left&fullLeft]
		if *at == 0 {
			g.LeafLeft = append(g.LeafLeft, Left(left))
			g.LeafPaths = append(g.LeafPaths, 0)
			*at = Ref(len(g.LeafLeft))
		}
		place := *at - 1
		g.LeafPaths[place] += paths
		g.edges = append(g.edges, place|LeafFlag)
		return
	}
	if fit&^hand != 0 { // otherwise the opponent passes
		mover ^= 1
	}
	at := g.slot(left, a|b<<3, mover)
	place := int(*at) - 1
	if place < 0 {
		place = g.addNode(left, a|b<<3, mover)
	}
	g.paths[place] += paths
	g.edges = append(g.edges, Ref(place))
}

// Nodes is the number of positions with a legal move.
func (g *Graph) Nodes() int { return len(g.nodes) }

// Edges is the number of moves from all nodes.
func (g *Graph) Edges() int { return len(g.edges) }

// Moves returns the moves of a node, in the order of tiles; the player to move
// chooses among them. It is overwritten by Build.
func (g *Graph) Moves(place int) (mover uint8, to []Ref) {
	n := &g.nodes[place]
	end := uint32(len(g.edges))
	if place+1 < len(g.nodes) {
		end = g.nodes[place+1].first
	}
	return n.mover, g.edges[n.first:end]
}

// Leaves counts the lines of play, and those that end with both players stuck.
func (g *Graph) Leaves() (all, blocked uint64) {
	for i, l := range g.LeafLeft {
		all += uint64(g.LeafPaths[i])
		if l&starterMask != 0 && l&secondMask != 0 {
			blocked += uint64(g.LeafPaths[i])
		}
	}
	return all, blocked
}

// Scores holds the pips of every set of local tiles of a deal.
type Scores struct {
	starter [1 << starterTiles]int8
	second  [1 << domino.HandSize]int8
}

// Set prepares the pips of a deal as Build takes it.
func (s *Scores) Set(starter, second domino.Set) {
	subsetSums(s.starter[:], starter)
	subsetSums(s.second[:], second)
}

// subsetSums fills sums with the pips of every subset of a hand.
func subsetSums(sums []int8, hand domino.Set) {
	sums[0] = 0
	for n := 1; n < len(sums); n *= 2 {
		p := int8(hand.Min().Pips())
		hand = hand.DropMin()
		for i, v := range sums[:n] {
			sums[n+i] = v + p
		}
	}
}

// Of is the score of a line that ends with l left, positive if good for the
// starter.
func (s *Scores) Of(l Left) int8 {
	return s.second[l>>starterTiles&(1<<domino.HandSize-1)] - s.starter[l&starterMask]
}
