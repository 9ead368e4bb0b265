package strong

// Counts are numbers of positions by value to the player to move. Positions
// that differ only by half a turn and the exchange of the armies count once;
// mirror images count each.
type Counts struct {
	Wins, Losses, Draws, Illegal uint64
}

// Positions is the number of all positions, illegal ones included.
func (c Counts) Positions() uint64 { return c.Wins + c.Losses + c.Draws + c.Illegal }

// Published returns the counts as the literature gives them: over both seats to move, with
// the wins of the first seat. By symmetry the second seat has the same number of wins.
func (c Counts) Published() (positions, wins, draws, illegal uint64) {
	return 2 * c.Positions(), c.Wins + c.Losses, 2 * c.Draws, 2 * c.Illegal
}
