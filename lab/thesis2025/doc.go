// Package thesis2025 reproduces a published program's searches of Chinese Checkers node for
// node: that of Li Xu, "Esplorazione dell'albero di gioco della Dama Cinese" (BSc thesis,
// Bologna 2024/25), whose 76 tables count nodes, won positions, cut-offs and visited boards
// of four models of the program.
//
// It is a reproduction, defects included, and never mixes with sound search: the program's
// verdicts are not the values of the game. Its set of visited boards ignores the side to
// move and the number of turns left; its paranoid search counts its own win as a loss in
// part; its max^n prefers a loss to a draw; a win on the last turn is not seen; pieces of
// seats 3 to 6 cannot be hopped over by the program's own rules.
//
// # Searches
//
// [reference] is the program, as plainly as it can be written. Two engines visit the same
// tree faster and are tested against it, count by count:
//
//	direct   base rules, neither device: padded byte board, frontier counted
//	walk     everything else: visited boards by exact keys, the line on a stack of its own
//
// Deep max^n trees of model Base, of up to 1.9·10¹¹ nodes in print, are counted with equal
// subtrees searched once ([merger]).
//
// # Beyond the printed models
//
// The switches are independent ([Program]); print has four settings of them. With ordering
// and no tables moves are sorted and none is dropped. Without a limit every board is
// visited once, so the search ends; a node where nobody has a move by any pass is a draw,
// where the program itself would pass for ever. One player searches by minimax as the
// maximising one.
//
// # Gaps in the description
//
// Each of these was decided by the printed figures:
//
//   - The visited set is emptied before every opening.
//   - Openings are numbered in the order of generation under every model:
//     MoveOrdering does not sort them.
//   - In paranoid search every node returns the absolute value of its score, not
//     the root alone. It matters to seat 1's own win: a minimising parent sees it
//     as a win of seat 1, a maximising one as a loss. (With signed returns tables
//     3.40, 3.42, 3.44 and 3.61 come out wrong.)
//   - After a pass the next turn is that of the seat after the one that moved.
//     The node that passed keeps its role; its children have the role of their
//     own seat.
//   - With two players, every pass of a node fetches the moves of the same
//     pieces, those of the seat that did not have the turn at first, but by the
//     rules of the seat whose turn it has become. So if neither seat has a move
//     left, a seat may go on with the other's pieces by its own rules. It happens
//     a few times in 10⁸ nodes, and decides tables 3.58, 3.65, 3.72 and 3.73.
//   - In max^n a node without a won child returns a draw, whether its children
//     were drawn or visited before.
//   - A printed count in three digits may be rounded (table 3.14) or cut off
//     (table 3.12).
package thesis2025
