package retro

// opens is the stack of open positions: the walk has left them without a value, because each leads
// back to a position on the path.
type opens struct {
	list  parts[member]
	edges parts[uint32] // numbers of open positions to which moves of the stacked positions lead
	best  parts[int16]  // best known replies of each position, by layer
}

type member struct {
	n      uint32
	degree uint16 // number of moves to open positions
	seat   uint8
}

func (o *opens) bytes() uint64 { return o.list.bytes() + o.edges.bytes() + o.best.bytes() }

// solve finds the values of the open positions from index from of the stack on; edge is the index of
// their first move. They lead to each other, and to positions with known values.
func (x *explorer) solve(from, edge int) error {
	o := &x.opens
	n, edges := o.list.n-from, o.edges.n-edge
	if err := x.fits(uint64(n)*13 + uint64(edges)*4); err != nil {
		return err
	}
	// Lists of the positions before each open position, by place on the stack.
	x.order.grow(x.n)
	for i := range n {
		*x.order.at(int(o.list.at(from + i).n)) = uint32(i)
	}
	begin := make([]uint32, n+1)
	for i := range edges {
		begin[*x.order.at(int(*o.edges.at(edge + i)))]++
	}
	sum := uint32(0)
	for i, c := range begin {
		sum += c
		begin[i] = sum
	}
	before := make([]uint32, edges)
	for i, e := 0, edge; i < n; i++ {
		for range o.list.at(from + i).degree {
			p := &begin[*x.order.at(int(*o.edges.at(e)))]
			*p--
			before[*p] = uint32(i)
			e++
		}
	}
	o.edges.cut(edge)
	for l := range x.layers {
		if err := x.solveLayer(l, from, begin, before); err != nil {
			return err
		}
	}
	for i := from; i < from+n; i++ {
		p := o.list.at(i)
		for l := range x.layers {
			x.decide(p.n, l, int(p.seat), *o.best.at(i*x.layers + l))
		}
	}
	o.list.cut(from)
	o.best.cut(from * x.layers)
	return nil
}

// solveLayer turns the best known replies of a layer into scores, ply by ply; doc.go has the method.
func (x *explorer) solveLayer(layer, from int, begin, before []uint32) error {
	o := &x.opens
	n := len(begin) - 1
	best := func(i uint32) *int16 { return o.best.at((from+int(i))*x.layers + layer) }
	var plies [][]uint32 // by ply: positions that may be decided in this ply
	at := func(ply int, i uint32) {
		for len(plies) <= ply {
			plies = append(plies, nil)
		}
		plies[ply] = append(plies[ply], i)
	}
	left := make([]uint16, n) // number of moves not known to lose
	for i := range uint32(n) {
		left[i] = o.list.at(from + int(i)).degree
		if s := *best(i); s > 0 {
			at(lastPly-int(s), i)
		}
	}
	done := make([]bool, n)
	for ply := 0; ply < len(plies); ply++ {
		for _, i := range plies[ply] {
			if done[i] {
				continue
			}
			done[i] = true
			for _, p := range before[begin[i]:begin[i+1]] {
				b := best(p)
				score := x.ahead(layer, int(o.list.at(from+int(p)).seat), *best(i))
				switch {
				case done[p]:
				case ply == MaxDistance:
					return errTooLong
				case score > *b && score > 0:
					*b = score
					at(ply+1, p)
				case score > 0:
				case *b < 0:
					if left[p]--; left[p] == 0 {
						*b = max(*b, score)
						at(lastPly+int(*b), p)
					}
				}
			}
		}
		plies[ply] = nil
	}
	for i := range uint32(n) {
		if !done[i] {
			*best(i) = 0
		}
	}
	return nil
}
