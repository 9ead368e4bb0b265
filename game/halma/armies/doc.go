// Package armies solves races of two to six armies completely, by retrograde analysis: the results
// that every coalition of seats can force from every position, and in how many plies.
//
// Call [Solve] with a game as data (halma.Game.Armies), then [Solution.Reader] to look positions
// up. [NewPlan] forecasts the memory of a solve.
//
// # Questions
//
// A [Question] names the seats that play together against all others, and the seats whose win
// counts. The answer at a position is yes in d plies if the seats together can force a win that
// counts. They hurry and the others delay; d is the number of plies to the end. [Coalition] is the
// question with both sets equal. With L one seat and P the others of three:
//
//	Coalition(L) is yes        L wins, whatever the two do
//	Coalition(P) is yes        the pair can force that one of the two wins
//	neither                    a draw: each side can prevent the other's win, and endless play
//	                           is a draw
//	Question{P, one of P}      the pair can make that one win
//	Question{all, one}         the shortest game that it wins with the help of all
//
// # Positions
//
// Armies are seen from the seat to move: army i is that of the seat i turns later. Each army is
// ranked as its owner sees it, after the turn of the board that takes the seats to one another: by
// 120° with three seats, by 60° with six. With four, only seats that face each other are alike, and
// there are two kinds of seats. With ranks a, b, c the turn of a to a' leads to the position
//
//	(a, b, c) → (b, c, a')
//
// and a plane has one bit for each triple. One question, asked by turns from all three seats, is an
// orbit of three planes.
//
// # One row at a time
//
// With b and c fixed, all positions (·, b, c) lead into the row (b, c, ·): 64 armies a' are one
// word. The positions found belong to as many rows as there are armies a. So all c of one b are
// done together, and their bits, a matrix with a row for each c, are transposed in blocks of 64×64.
//
//	 slab b of the next seat             slab a of the seat to move
//	┌───────────────┐                   ┌───────────────┐
//	│ row (b,c): a' │  ── row.go ──→    │ row (a,b): c  │   for all a
//	└───────────────┘   transposed      └───────────────┘
//
// Within a row a piece is taken off the board. With the others of its army lying still, the cells
// where it may stand are a set in one, two or three words, and package turns says where it can go.
// row.go and cells.go are written for one word; genkernel makes those for two and three.
//
// # Plies
//
// Each ply adds to each plane a layer: the positions decided in exactly that many plies. These are
// positions of our seats with a turn to a position added one ply ago, and positions of other seats
// whose last other turn has just been answered. Only rows with new positions are looked at. No seat
// sees positions that its next seat finds in the same ply, so one plane of new bits serves all.
//
// A layer is packed and kept, in memory or in a file. All layers together are the distances, and
// the checkpoint.
package armies
