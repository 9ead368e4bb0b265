// Package thesis2025 reproduces a published program's searches of Chinese Checkers node for node:
// that of Li Xu, "Esplorazione dell'albero di gioco della Dama Cinese" (BSc thesis, Bologna
// 2024/25). Its 76 tables count nodes, won positions, cutoffs and visited boards of four models
// of the program.
//
// The program's verdicts are not the values of the game. Its set of visited boards ignores the
// seat to move and the turns left; its paranoid search counts its own win as a loss in part; its
// max^n prefers a loss to a draw; it does not see a win on the last turn; by its own rules no
// piece can hop over those of seats 3 to 6.
//
// # Searches
//
// The reference in the tests is the program in its plainest form. The search visits the same tree
// faster, and tests compare all counts: visited boards have exact keys, and nodes of the last ply are
// counted. By the rules base without devices the last two plies are counted, and deep max^n
// searches, with up to 1.9·10¹¹ nodes in print, search equal subtrees once ([merger]).
//
// # Beyond the printed models
//
// The switches of [Program] are independent; the thesis prints four of their settings. With
// ordering and without tables no move is dropped. Without a limit every board is visited once, so
// the search ends. If nobody has a move the node is a draw, where the program itself would pass for
// ever. One player searches by minimax as the maximising seat.
//
// # Gaps in the description
//
// The printed figures decided these:
//
//   - The visited set is emptied before every opening.
//   - Openings are numbered in the order of generation under every model.
//   - In paranoid search every node returns the absolute value of its score, not the root alone. So a
//     minimising parent sees seat 1's win as a win of seat 1, a maximising one as a loss. (Signed
//     returns contradict tables 3.40, 3.42, 3.44 and 3.61.)
//   - After a pass the seat after the passing seat is to move. The node keeps its role; its children
//     have the role of their own seat.
//   - With two players, a node that passes twice moves the pieces of the seat that was to move at
//     first, by the rules of the other seat. (This rule decides tables 3.58, 3.65, 3.72 and 3.73.)
//   - In max^n a node without a won child returns a draw.
//   - A printed count in three digits may be rounded (table 3.14) or cut off (table 3.12).
package thesis2025
