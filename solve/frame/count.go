package frame

// Counts are numbers of positions by value. With two armies, two positions that differ only by half
// a turn and the exchange of the armies count as one; mirror images count as two.
type Counts struct {
	Wins, Losses, Draws, Illegal uint64
}

// Positions counts all positions, illegal positions included.
func (c Counts) Positions() uint64 { return c.Wins + c.Losses + c.Draws + c.Illegal }

// Published returns the counts of two armies as the literature gives them: over both seats to move,
// with the wins of the first seat. The second seat has as many.
func (c Counts) Published() (positions, wins, draws, illegal uint64) {
	return 2 * c.Positions(), c.Wins + c.Losses, 2 * c.Draws, 2 * c.Illegal
}

// Count counts positions by value and distance, for the seat to move or for a set of seats.
type Count struct {
	Counts
	WinsIn, LossesIn []uint64 // positions by plies to the end; the last number is not 0
}

// Add counts n positions won or lost in d plies.
func (c *Count) Add(win bool, d int, n uint64) {
	in, sum := &c.LossesIn, &c.Losses
	if win {
		in, sum = &c.WinsIn, &c.Wins
	}
	for n > 0 && len(*in) <= d {
		*in = append(*in, 0)
	}
	if n > 0 {
		(*in)[d] += n
		*sum += n
	}
}

// Plus adds counts of other positions.
func (c *Count) Plus(b Count) {
	c.Draws += b.Draws
	c.Illegal += b.Illegal
	for d, n := range b.WinsIn {
		c.Add(true, d, n)
	}
	for d, n := range b.LossesIn {
		c.Add(false, d, n)
	}
}

// ByPlies returns WinsIn and LossesIn at the same length.
func (c *Count) ByPlies() (wins, losses []uint64) {
	longest := max(len(c.WinsIn), len(c.LossesIn))
	return append(c.WinsIn, make([]uint64, longest-len(c.WinsIn))...), append(c.LossesIn, make([]uint64, longest-len(c.LossesIn))...)
}

// Longest returns the largest distances of a win and a loss, 0 if there are none.
func (c *Count) Longest() (win, loss int) {
	return max(len(c.WinsIn)-1, 0), max(len(c.LossesIn)-1, 0)
}
