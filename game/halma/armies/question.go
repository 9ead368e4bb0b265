package armies

import "math/bits"

// Question asks whether a set of seats can force the game to end with a win that counts, whatever
// the others do. Seats are counted from the one to move, bit 0, in turn order.
type Question struct {
	Ours uint8 // the seats that play together
	Wins uint8 // the seats whose win counts
}

// after is the question of n seats as the next seat to move sees it.
func (q Question) after(n int) Question {
	return Question{Relative(q.Ours, 1, n), Relative(q.Wins, 1, n)}
}

// Relative renumbers a set of seats in a game of n seats: the given seat becomes seat 0.
func Relative(seats uint8, seat, n int) uint8 {
	seat = (seat%n + n) % n
	return (seats>>seat | seats<<(n-seat)) & (1<<n - 1)
}

// Coalition asks whether a set of seats can force that one of them wins.
func Coalition(seats uint8) Question { return Question{seats, seats} }

// node is a question with any seat of one kind to move. A plane holds its answers.
type node struct {
	Question
	kind int // kind of the seat to move
}

// orbit lists the nodes that follow each other turn by turn, beginning with the question q for
// seats of kind 0. At the last node the seat to move is one of Ours.
func (b *board) orbit(q Question) []node {
	first := node{q, 0}
	nodes := []node{first}
	for at := b.next(first); at != first; at = b.next(at) {
		nodes = append(nodes, at)
	}
	for nodes[len(nodes)-1].Ours&1 == 0 {
		nodes = append(nodes[1:], nodes[0])
	}
	return nodes
}

func (b *board) next(at node) node { return node{at.after(b.n), (at.kind + 1) % b.period} }

// coalitions lists a question for each orbit of coalitions, all seats included.
func (b *board) coalitions() (list []Question) {
	for seats := uint8(1); seats < 1<<b.n; seats++ {
		list = append(list, Coalition(seats))
	}
	return b.distinct(list)
}

// named lists a question for each orbit of the questions whether a coalition of two seats or more
// can force the win of one named member. For all seats together the answer is the shortest game
// that the member wins.
func (b *board) named() (list []Question) {
	for seats := uint8(1); seats < 1<<b.n; seats++ {
		for winner := range b.n {
			if seats>>winner&1 != 0 && bits.OnesCount8(seats) > 1 {
				list = append(list, Question{seats, 1 << winner})
			}
		}
	}
	return b.distinct(list)
}

// distinct keeps one question of each orbit.
func (b *board) distinct(list []Question) (kept []Question) {
	seen := map[node]bool{}
	for _, q := range list {
		if seen[node{q, 0}] {
			continue
		}
		kept = append(kept, q)
		for _, at := range b.orbit(q) {
			seen[at] = true
		}
	}
	return kept
}
