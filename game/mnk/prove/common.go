package prove

import "sync/atomic"

// This file has the parts that the searches of both widths share.

const weightBits = 64

// λ-search (Thomsen, "Lambda-search in game trees — with application to Go", ICGA Journal
// 23/4, 2000) asks whether a side, the winner, can complete a window by threats alone:
//
//   - a λ⁰-win is a stone that completes a window;
//   - a λ¹-move of the winner leaves one stone to complete a window;
//   - a λ¹-win is a λ¹-move to which every reply leaves a λ¹-win.
//
// Wins come with a zone (doc.go): all cells outside it may hold the loser's stones.

// lambdaNodes bounds the λ-search at an inner position.
const lambdaNodes = 100

// endless is the number of quiet moves of a search that does not count them. Every other
// number is at most the number of cells.
const endless = 1 << 10

// tellNodes is the number of nodes of all threads between two reports of progress, which cost some
// microseconds.
const tellNodes = 1 << 16

// reporter is [Options.Progress] for all threads.
type reporter struct {
	busy     atomic.Bool
	progress func(nodes uint64, fill float64)
}

// newReporter returns nil without progress.
func newReporter(progress func(nodes uint64, fill float64)) *reporter {
	if progress == nil {
		return nil
	}
	return &reporter{progress: progress}
}

// tell reports the nodes so far, unless another thread reports now. Within a question they never
// go back.
func (r *reporter) tell(nodes *atomic.Uint64, fill float64) {
	if r.busy.CompareAndSwap(false, true) {
		r.progress(nodes.Load(), fill)
		r.busy.Store(false)
	}
}

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

// Threads share the moves of inner positions by the young-brothers-wait rule (Feldmann, Monien,
// Mysliwietz, Vornberger, "Distributed game tree search", ICCA Journal 12(2), 1989). The first
// thread searches the question. When another is idle, it offers the moves left at the position
// nearest to the root where the first moves have not decided. The search of a move ends if another
// move decides, or has a zone without it. A thread that has offered moves waits for the moves that
// others took, and meanwhile helps only below these moves.

// shareNodes is the least number of nodes searched below a position before its other moves are
// offered.
const shareNodes = 256

// shareFailed is the least number of moves searched without deciding the position before the
// others are offered. The best come first, so most of the others are then needed.
const shareFailed = 3

// Depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its
// applications", 2002) shares question, leaves, keys and table with the depth-first search.
// Proof-number search is better at wins, depth-first search at refutations.
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
