package exact

import (
	"math/bits"

	"perfectplay/game/domino"
)

// Local tiles: the starter's six tiles after the first one at bits 0…5, the second player's seven
// at bits 6…12, each in ascending order.
const (
	starterTiles = domino.HandSize - 1
	localTiles   = starterTiles + domino.HandSize
	starterMask  = 1<<starterTiles - 1
	secondMask   = 1<<localTiles - 1 - starterMask
	fullLeft     = 1<<localTiles - 1
)

// StarterTiles holds all of the starter's local tiles.
const StarterTiles Left = starterMask

// Left is the set of local tiles that are still in hand.
type Left uint16

// Graph is the tree of a deal with equal positions merged. Positions are equal if the same tiles
// are left, the same player is to move and the ends show the same two numbers. Passes are no
// positions: the mover is the next player who can play. Deals that differ by renaming the numbers
// have the same graph.
//
// The tiles played determine the ends: every number occurs an even number of times inside the row,
// so the ends are the two numbers that occur an odd number of times. If no number occurs an odd
// number of times, both ends show the same number, which must be part of the key.
//
// A Graph is a workspace of one goroutine: once it has grown, Build allocates nothing.
type Graph struct {
	nodes []node // nodes in use come first
	edges []Ref
	used  int // nodes in use
	moves int // edges in use
	ends  []Ref
	all   uint64 // lines
	stuck uint64 // lines that end with both players stuck

	// place holds 1 + the index of a node by its key, or 0. A key is
	//
	//	left + mover<<13, plus one of these times 1<<14
	//	    0    the ends differ
	//	    1+x  both ends are x
	//	    8    end of the deal (mover is 0)
	place []uint16
}

// Ref is the index of a node.
type Ref uint16

// End is the mover of a node where the deal ends.
const End = 2

// node is a position with a legal move, or an end.
type node struct {
	left  uint16
	ends  uint8 // the number at one end plus 8 times the number at the other
	mover uint8 // domino.Starter, domino.Second or End
	paths uint32
	first uint32 // its moves are edges[first:first of the next node]
	key   uint32
}

const (
	keySpan  = 1 << (localTiles + 1)
	endKey   = 8 * keySpan
	keyCount = endKey + 1<<localTiles
	maxMoves = 2 * domino.HandSize // most moves of a node
	maxNodes = 1 << 16             // most nodes for Ref
)

// NewGraph returns an empty graph.
func NewGraph() *Graph {
	return &Graph{place: make([]uint16, keyCount), nodes: make([]node, 1<<12), edges: make([]Ref, 1<<13)}
}

// Build makes the graph of a deal after the starter has played the double of number x. The
// starter holds six tiles, the second player seven. Node 0 is the position after that
// double, or the first position in which a player can move.
func (g *Graph) Build(x int, starter, second domino.Set) {
	if starter.Len() != starterTiles || second.Len() != domino.HandSize {
		panic("exact: Graph.Build: hands of six and seven tiles wanted")
	}
	for i := range g.nodes[:g.used] {
		g.place[g.nodes[i].key] = 0
	}
	g.ends, g.all, g.stuck = g.ends[:0], 0, 0

	var byNumber [8]uint16 // local tiles that show a number
	var swap [16]uint8     // exclusive or of the two numbers of a local tile
	at := 0
	for _, hand := range [2]domino.Set{starter, second} {
		for ; hand != 0; hand = hand.DropMin() {
			t := hand.Min()
			low, high := t.Low(), t.High()
			byNumber[low&7] |= 1 << at
			byNumber[high&7] |= 1 << at
			swap[at&15] = uint8(low ^ high)
			at++
		}
	}

	place, nodes, edges := g.place[:keyCount], g.nodes, g.edges
	nodes[0] = rootOf(x, byNumber[x&7])
	place[nodes[0].key] = 1
	n, m := 1, 0

	for i := 0; i < n; i++ {
		if len(nodes)-n < maxMoves {
			nodes = append(nodes, make([]node, len(nodes))...)
		}
		if len(edges)-m < maxMoves {
			edges = append(edges, make([]Ref, len(edges))...)
		}
		nd := &nodes[i]
		nd.first = uint32(m)
		left, paths := nd.left, nd.paths
		if nd.mover == End {
			g.ends = append(g.ends, Ref(i))
			g.all += uint64(paths)
			if left&starterMask != 0 && left&secondMask != 0 {
				g.stuck += uint64(paths)
			}
			continue
		}
		// All predecessors have one tile more and come before, so paths is complete.
		hand, mover := uint16(starterMask), uint32(nd.mover)
		if mover != domino.Starter {
			hand = secondMask
		}
		a, b := nd.ends&7, nd.ends>>3&7
		for turn := 0; turn < 2; turn++ { // put tiles to end a
			for s := left & hand & byNumber[a]; s != 0; s &= s - 1 {
				to := left &^ (s & -s)
				end := (a ^ swap[bits.TrailingZeros16(s)&15]) & 7
				fit := to & (byNumber[end] | byNumber[b])
				next := mover // the same player, unless the opponent can play
				if fit&^hand != 0 {
					next ^= 1
				}
				key := uint32(to) + next<<localTiles
				if end == b {
					key += uint32(b+1) * keySpan
				}
				if fit == 0 || to&hand == 0 {
					key, next = uint32(to)+endKey, End
				}
				at := int(place[key]) - 1
				if at < 0 {
					at = n
					nodes[at] = node{left: to, ends: end | b<<3, mover: uint8(next), key: key}
					n++
					place[key] = uint16(n)
				}
				nodes[at].paths += paths
				edges[m] = Ref(at)
				m++
			}
			if a == b {
				break
			}
			a, b = b, a
		}
	}
	if n >= maxNodes {
		panic("exact: Graph.Build: too many nodes") // no deal has a tenth as many nodes
	}
	g.nodes, g.edges, g.used, g.moves = nodes, edges, n, m
}

// rootOf returns the node after the double of number x, given the tiles that fit it.
func rootOf(x int, fit uint16) node {
	root := node{left: fullLeft, ends: uint8(x & 7 * 9), paths: 1}
	switch {
	case fit&secondMask != 0:
		root.mover = domino.Second
		root.key = fullLeft + 1<<localTiles + uint32(x+1)*keySpan
	case fit != 0:
		root.mover = domino.Starter
		root.key = fullLeft + uint32(x+1)*keySpan
	default:
		root.mover, root.key = End, fullLeft+endKey
	}
	return root
}

// Nodes is the number of positions, ends included.
func (g *Graph) Nodes() int { return g.used }

// Moves is the number of moves from all nodes.
func (g *Graph) Moves() int { return g.moves }

// Node returns the player to move at a node, or End, the tiles left, and the nodes after its moves,
// which have higher numbers. Build overwrites the slice.
func (g *Graph) Node(place int) (mover uint8, left Left, moves []Ref) {
	n := &g.nodes[place]
	end := uint32(g.moves)
	if place+1 < g.used {
		end = g.nodes[place+1].first
	}
	return n.mover, Left(n.left), g.edges[n.first:end]
}

// Ends lists the nodes where the deal ends. Build overwrites the slice.
func (g *Graph) Ends() []Ref { return g.ends }

// Leaves counts the lines of play, and the lines that end with both players stuck.
func (g *Graph) Leaves() (all, blocked uint64) { return g.all, g.stuck }
