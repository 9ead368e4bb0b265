package retro

// opens are positions that were left without a value: each leads back to one on the path.
type opens struct {
	list  parts[member]
	edges parts[uint32] // moves of these to open positions, by number
	best  parts[int16]  // best of their other replies, by layer
}

type member struct {
	n      uint32
	degree uint16 // moves to open positions
	seat   uint8
}

func (o *opens) bytes() uint64 { return o.list.bytes() + o.edges.bytes() + o.best.bytes() }

// solve finds the values of the open positions from one on the stack on, with their moves from one
// on. They lead to each other, and all other positions that they lead to are known.
func (x *explorer) solve(from, edge int) error {
	o := &x.opens
	n, edges := o.list.n-from, o.edges.n-edge
	if err := x.fits(uint64(n)*13 + uint64(edges)*4); err != nil {
		return err
	}
	// Lists of positions before each, by place on the stack.
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
	scores := make([]int16, x.layers)
	for i := range n {
		for l := range scores {
			scores[l] = *o.best.at((from+i)*x.layers + l)
		}
		p := o.list.at(from + i)
		x.decide(p.n, int(p.seat), scores)
	}
	o.list.cut(from)
	o.best.cut(from * x.layers)
	return nil
}

// solveLayer makes scores of the best replies in a layer: ply by ply, as doc.go says.
func (x *explorer) solveLayer(layer, from int, begin, before []uint32) error {
	o := &x.opens
	n := len(begin) - 1
	best := func(i uint32) *int16 { return o.best.at((from+int(i))*x.layers + layer) }
	var plies [][]uint32 // positions that a ply may decide
	at := func(ply int, i uint32) {
		for len(plies) <= ply {
			plies = append(plies, nil)
		}
		plies[ply] = append(plies[ply], i)
	}
	left := make([]uint16, n) // moves that may save a position
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
