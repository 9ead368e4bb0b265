// Package prove decides m,n,k-games: whether a side can force a win. It can write the answer's
// proof down and check it. It works on boards of at most 128 cells. Begin with [New];
// [Prover].Value decides the empty board, ValueAt any position and CanWin one question; [Certify]
// writes the proof down and [Certificate].Check replays it.
//
// # The question
//
// All searches answer one question about a position: can the attacker complete a window (k cells
// side by side) before the defender does? For the empty board and the first player as attacker,
// no means a draw, because by strategy stealing the second player cannot win either.
//
// # What ends a branch
//
//   - Threats and forks. A side that lacks one stone wins on its turn; two cells
//     to complete cannot both be stopped; a stone that makes two such cells wins
//     if the opponent has no threat. One threat forces the reply.
//
//   - Weights (Erdős and Selfridge, "On a combinatorial game", JCTA 14, 1973).
//     If the sum of 2^−empty over the attacker's open windows is below 1/2 with
//     the attacker to move, or below 1 with the defender to move, the defender
//     stops all windows.
//
//   - Pairings (Hales and Jewett, "Regularity and positional games", 1963). The
//     defender answers on one cell of a pair whenever the attacker takes the
//     other. Windows that no pair hits are left to the weights on the cells
//     outside the pairs; a cell of a pair counts as the attacker's there.
//
//   - Threats in sequence: λ-search of the first order at the attacker's inner
//     positions (common.go).
//
// The best dozen of the defender's replies are tested by these means before any is searched.
//
// # Deepening
//
// A move of the attacker is quiet if neither threats, a fork nor a λ-search wins after it.
// Method Deepening allows the attacker one quiet move, then two, and so on. So a wrong move is
// not refuted to the end of the game before the right one is looked at. A branch where the
// attacker runs out of quiet moves proves nothing. A draw is proved by the round in which no
// branch does.
//
// # Zones
//
// A refutation comes with a zone: a set of cells such that the refutation stands even if the
// attacker has stones on any of the empty cells outside it. So a move outside the zone of the
// refutation of another move is refuted with it, and only moves in all zones found so far remain
// to be looked at, as with must-play regions in Hex. Zones of inner positions:
//
//   - defender to move: the reply and the zone after it;
//   - attacker to move: the zones of the moves looked at, together; if the defender
//     is about to fork, the fork too, which refutes the moves that do not answer it;
//   - weights: the empty cells of the open windows; pairings: the pairs and the
//     empty cells of the windows left over;
//   - where the defender wins, or threatens to, nothing after it covers the
//     attacker's windows. There the zone also gets one empty cell of each open
//     window (two if the attacker is to move, three if it may still place one
//     and pass the turn), so that stones outside cannot complete one.
//
// In every position of such a refutation, each open window has an empty cell in the zone; by
// induction no stones outside can win. A win has a zone of the same kind, with the sides
// exchanged. Relevance zones for these games are from Hsu, Ko, Chen, Wei, Hsueh and Wu, "On
// solving the 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815 (2020).
//
// # Checking
//
// [Certify] writes a strategy's answers down in the order in which the checker asks for them,
// and [Certificate].Check follows the file. The checker knows the rules and a list of windows
// and shares nothing with the searches; replay.go explains its zones, and docs/certificates.md
// tells readers how to write another checker. [CheckPairs] checks a pairing of a board of any
// size.
//
// # Limits
//
// The searches are written for sets of one word, which is up to 64 cells. internal/genkernel
// makes those for 65 to 128 cells from them (width.go); pack.go has the differences. Boards of
// more than 64 cells with lines of more than 48 are refused: their weights do not fit a word.
//
// # The key of a position
//
// A stone none of whose windows is open to its owner only blocks, and so does an empty cell
// without open windows. All of these are written as walls, so positions that differ only there
// share an entry of the table. Keys are exact.
package prove
