package prove

// This file has the parts that the searches of both widths share.

// weightBits is the number of bits of a weight.
const weightBits = 64

// λ-search (Thomsen, "Lambda-search in game trees — with application to Go", ICGA Journal
// 23/4, 2000) asks whether a side, the winner, can complete a window by threats alone.
// Orders measure how direct the threats are:
//
//   - a λ⁰-win is a stone that completes a window;
//   - a λⁿ-move of the winner is a move after which the winner would have a λ-win of a
//     lower order if the other side, the loser, passed;
//   - a λⁿ-win is a λⁿ-move to which every reply leaves a λⁿ-win.
//
// A λ¹-move leaves one stone to complete, so λ¹ is threat-space search in the strict sense;
// λ² adds moves that threaten a forced win (open threes in Go-Moku), and so on. Every win
// is a λ-win of some order; its order, not its length, makes it hard to find.
//
// Only replies that disturb the win after a pass can be any good. Wins come with a zone as
// refutations do (doc.go), with the sides exchanged: the cells outside it may all hold the
// loser's stones. The replies inside it are the relevance zone of the literature, but here
// it is a proof, not a heuristic.

// lambdaNodes bounds the λ-search at an inner position.
const lambdaNodes = 100

// endless is the number of quiet moves of a search that does not count them. Every other
// number is at most the number of cells.
const endless = 1 << 10

// glances is the number of replies of the defender that are looked at without search before
// any is searched.
const glances = 12

// The kinds of leaves, which byCut counts.
const (
	leafThreat = iota
	leafFork
	leafWeight
	leafPairing
	leafTable
	leafLambda
	leafKinds
)

// λ-searches get one part in lambdaShare of the memory, and at most lambdaCache bytes a
// thread, which stay in a cache.
const (
	lambdaShare = 8
	lambdaCache = 2 << 20
)

// pairTries is the number of heaviest windows that are looked at for a pair.
const pairTries = 2

// Threads share the moves of inner positions by the young-brothers-wait rule (Feldmann,
// Monien, Mysliwietz, Vornberger, "Distributed game tree search", ICCA Journal 12(2),
// 1989). The first thread searches the question. When another thread is idle, it offers the
// other moves of the position nearest to the root where some moves have not decided. The
// search of a move ends if the move falls outside the zone of another, or if another move
// decides. A thread that has offered moves waits for those that others took, and meanwhile
// helps below them only.

// shareNodes is the least number of nodes of a position whose other moves are offered.
const shareNodes = 256

// shareFailed is the least number of its moves that have not decided by then. The best come
// first, so after these few of the remaining moves turn out not to be needed.
const shareFailed = 3

// Depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and
// its applications", 2002), on the same question, leaves, keys and table as the depth-first
// search. It finds wins that need the right moves in the right order; the other search is
// better at refutations by zones.
//
// Sums of proof numbers count a position once for each way to it, so they are weakened to
// the largest term plus the number of other terms (Ueda, Hashimoto, Hashimoto, Iida, "Weak
// proof-number search", 2008).

// infinitePN is the number of a proof that cannot be found.
const infinitePN = 1 << 30

// child is a move of an inner position with its numbers.
type child struct {
	cell     uint8
	phi, del uint32 // proof and disproof number of the attacker's win
}

// settled returns the numbers of a decided position.
func settled(v verdict) (phi, del uint32) {
	if v == won {
		return 0, infinitePN
	}
	return infinitePN, 0
}

// counted reports whether analyses count stones by planes.
func counted(k int) bool { return k >= 2 && k <= 7 }

// sorted puts all ratings in order, the highest first.
func sorted(order []int32) {
	for i, v := range order {
		for ; i > 0 && order[i-1] < v; i-- {
			order[i] = order[i-1]
		}
		order[i] = v
	}
}

// ratings[turn] rate a window open to the attacker, and one open to the defender, by its
// stones. With the defender to move the defender's windows count twice.
var ratings = [2][2][8]int32{
	{{1, 3, 9, 27, 81, 243, 729, 2187}, {2, 6, 18, 54, 162, 486, 1458, 4374}},
	{{1, 4, 16, 64, 256, 1024, 4096, 4096}, {1, 4, 16, 64, 256, 1024, 4096, 4096}},
}

// turn is the side to move in the key of a position: 1 for the attacker.
func turn(attack bool) uint64 {
	if attack {
		return 1
	}
	return 0
}
