package game

import "slices"

// Walk plays from the position of a state, depth first, and makes every move of the positions that
// enter accepts. It calls enter at each position that it comes to, each time that it does. The
// state is back at its position if no call returns an error; else Walk ends with that error there.
func Walk(s State, enter func() (further bool, err error)) error {
	var moves []Move // untried moves of all positions on the way, the first move last
	var path []int   // for each position on the way, where its moves begin
	for {
		further, err := enter()
		if err != nil {
			return err
		}
		if further {
			path = append(path, len(moves))
			if s.Result() == Ongoing {
				moves = s.Moves(moves)
			}
			slices.Reverse(moves[path[len(path)-1]:])
		} else if len(path) > 0 {
			s.Unmake()
		}
		for len(path) > 0 && path[len(path)-1] == len(moves) {
			if path = path[:len(path)-1]; len(path) > 0 {
				s.Unmake()
			}
		}
		if len(path) == 0 {
			return nil
		}
		last := len(moves) - 1
		s.Make(moves[last])
		moves = moves[:last]
	}
}
