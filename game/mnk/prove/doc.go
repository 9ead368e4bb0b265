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
//     positions (lambda.go).
//
// The defender's replies are tested by these means before any of them is searched: one that holds
// at once saves the searches of others that look better.
//
// # Deepening
//
// Method Deepening asks for the number of quiet moves with which the attacker wins, those that
// leave more to do than a λ-search finds: one, then two, and so on, at the root and at each
// position where the attacker is to move. So a wrong move of the attacker is not refuted to the
// end of the game before the right one is looked at. Entries of positions where the attacker ran
// out of moves are no proofs; wins are, and refutations without such positions. A draw is proved
// when no branch needed more moves, and costs all rounds before.
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
// exchanged: it stands whatever the defender gets outside, and replies outside it lose as the one
// looked at did. The idea of relevance zones for these games is from Hsu, Ko, Chen, Wei, Hsueh
// and Wu, "On solving the 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815
// (2020).
//
// # Checking
//
// [Certify] writes a strategy down as answers in the order in which the checker's walk asks for
// them, and [Certificate].Check follows the file. The checker knows the rules and a list of
// windows and shares nothing with the searches. It has zones of its own, found from the ends of
// the games up and explained in replay.go; docs/certificates.md tells readers how to write
// another checker. The file leaves out moves that a zone spares, positions and forced replies.
// [CheckPairs] checks a pairing of a board of any size.
//
// # Limits
//
// The searches are written for sets of one word, which is up to 64 cells. internal/genkernel
// makes those for 65 to 128 cells from them (width.go), and they are the same search: a small
// board in both forms has the same nodes and the same certificate, as long as no table loses
// entries. pack.go has the differences. Lines of more than 48 cells are refused there: weights
// are words. The largest draw of five in a row in the literature is 8,8,5, here 380 million
// nodes; 9,9,5 and 10,10,5 are open.
//
// # The key of a position
//
// A stone none of whose windows is open to its owner only blocks, and so does an empty cell
// without open windows. All of these are written as walls, so positions that differ only there
// share an entry of the table. Keys are exact.
package prove
