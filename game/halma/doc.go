// Package halma holds the rules of Chinese Checkers (Sternhalma) for two, three, four and six
// players: boards, rule sets, move generation, exact keys, bounds for pruning, and notation. It
// knows no search.
//
// [ByID] makes the [Game] of an id such as halma-star37-2p; its states list and play moves
// ([game.State]). [New] combines a board ([Star], [Diamond]) with [Rules]. [Game.TwoArmy] and
// [Game.Armies] describe a game as data to complete solvers.
//
// # Boards
//
// A star ([Star], or with fewer pieces [StarOf]) has 13, 37, 73 or 121 holes, a diamond
// ([Diamond]) n×n. Both stand on a tip. Cells are numbered row by row from the top, each row
// from left to right. The star of 37 holes by numbers:
//
//	            0
//	          1   2
//	3   4   5   6   7   8   9
//	  10  11  12  13  14  15
//	    16  17  18  19  20
//	  21  22  23  24  25  26
//	27  28  29  30  31  32  33
//	          34  35
//	            36
//
// and the 4×4 diamond, whose camps with 3 pieces are 0, 1, 2 and 13, 14, 15:
//
//	      0
//	    1   2
//	  3   4   5
//	6   7   8   9
//	  10  11  12
//	    13  14
//	      15
//
// A hole has six neighbours: left and right in its row, and two each in the rows above and
// below. In doubled columns (neighbours in a row are two apart) these are (0, ±2) and (±1, ±1).
//
// # Notation
//
// People name a cell by the letter of its row, a at the bottom, and its place in the row from
// the left ([Board.CellName]):
//
//	            i1
//	          h1  h2
//	g1  g2  g3  g4  g5  g6  g7
//	  f1  f2  f3  f4  f5  f6
//	    e1  e2  e3  e4  e5
//	  d1  d2  d3  d4  d5  d6
//	c1  c2  c3  c4  c5  c6  c7
//	          b1  b2
//	            a1
//
// A move is its first and its last cell, b1-d3; the turn of a player who cannot move is pass. A
// position is one line: the rows from the top separated by dots, _ for an empty hole and the
// number of the seat for a piece, then a hyphen and the seat to move. The start for six players
// as text and as a picture:
//
//	2.22.33___44.3____4._____.6____5.66___55.11.1-1
//
//	i        2
//	h       2 2
//	g  3 3 · · · 4 4
//	f   3 · · · · 4
//	e    · · · · ·
//	d   6 · · · · 5
//	c  6 6 · · · 5 5
//	b       1 1
//	a        1
//
// # Seats
//
// A seat is named after its tip: 1 bottom, 2 top, 3 upper left, 4 upper right, 5 lower right, 6
// lower left. It must cross to the opposite tip: 1 and 2, 3 and 5, 4 and 6. Two players sit at 1
// and 2, three at 1, 3, 4, four at 1, 3, 2, 5, six at 1, 6, 3, 2, 4, 5, in turn order. A seat
// index, as package game uses it, counts in turn order from 0.
//
// # Rules
//
// A turn moves one piece: one step to an empty neighbour, or a chain of hops, each over a piece
// of any seat into the empty hole straight behind it. Nothing is captured. A player without a
// legal move passes; when nobody can move the game is drawn. Published versions differ in who
// wins and where a piece may go: [Rules] lists the choices, [Preset] names the usual sets.
//
// # How moves are found
//
// Sets of cells are words in which each direction is one constant shift: one word for stars of
// 13 and 37 holes and diamonds up to 8×8, two for the star of 73 and larger diamonds, three for
// the star of 121. One pass finds, for each direction, the empty holes behind pieces; a flood
// fill from a piece over those gives the ends of its chains. A hop moves two cells, so a chain
// stays in one of four classes of cells, and pieces of different classes are flooded together.
// kernel.go is the generator for one word; zkernel2.go and zkernel3.go are generated from it.
// [Mailbox] is the plain reference.
//
// Keys are exact: code.go says how a position of 20 pieces on 121 cells fits two words without a
// collision.
package halma
