// Package armies solves races of two to six armies completely, by retrograde analysis: the
// results that every coalition of seats can force from every position, and in how many
// plies.
//
// Call [Solve] with a game as data (halma.Game.Armies), then [Solution.Reader] to look
// positions up. [NewPlan] forecasts the memory of a solve.
//
// # Questions
//
// A [Question] names two sets of seats: those that play together against all others, and
// those whose win counts. The answer at a position is yes in d plies if the first can force
// that one of the second wins and ends the game, they hurrying and the others delaying, and
// no otherwise. [Coalition] is the question with both sets equal. With L one seat and P the
// others of three:
//
//	Coalition(L) is yes        L wins, whatever the two do
//	Coalition(P) is yes        the pair can force that one of the two wins
//	neither                    a draw: each side can prevent the other's win, and
//	                           play that never ends is a draw
//	Question{P, one of P}      the pair can make that one win: "kingmaker"
//	Question{all, one}         the shortest game that it wins with the help of all
//
// "The pair can prevent the win of L" means that Coalition(L) is no, which is less than a
// win of the pair. The answers for the six coalitions of three are those of the three lone
// seats: won, lost or drawn against the pair.
//
// # Positions
//
// Armies are seen from the side of the seat to move: army i is that of the seat i turns
// later. Each army is ranked as its owner sees it, after the turn of the board that takes
// the seats to one another: by 120° with three seats, by 60° with six; with four, only
// seats that face each other are alike, and there are two kinds of seats. So with ranks a,
// b, c the turn of a to a' leads to the position
//
//	(a, b, c) → (b, c, a')
//
// and a plane has one bit for each triple; one question asked by turns from all three seats
// is an orbit of three planes.
//
// # One row at a time
//
// With b and c fixed, all positions (·, b, c) lead into the row (b, c, ·): 64 armies a' are
// one word. The positions found belong to as many rows as there are armies a, so all c of
// one b are done together, and their bits, a matrix with a row for each c, are transposed
// by blocks of 64×64.
//
//	 slab b of the next seat             slab a of the seat to move
//	┌───────────────┐                   ┌───────────────┐
//	│ row (b,c): a' │  ── row.go ──→    │ row (a,b): c  │   for all a
//	└───────────────┘   transposed      └───────────────┘
//
// Within a row a piece is taken off the board: the places where it may stand with the
// others of its army lying still are a set in one, two or three words, and sets say where
// it can go (package turns). row.go and cells.go are written for one word; genkernel makes
// those for two and three.
//
// # Plies
//
// Each ply adds to each plane a layer: the positions decided in exactly that many plies.
// These are positions of our seats with a turn to a position that was added one ply ago,
// and positions of other seats whose last other turn has just been answered. Only rows with
// new positions are looked at. Planes are updated in an order in which no seat sees
// positions that its next seat finds in the same ply, so that one plane of new bits serves
// all.
//
// A layer is packed and kept, in memory or in a file that appears when the ply is complete.
// All layers together are the distances, and the checkpoint: a solve continues from the
// last one.
package armies
