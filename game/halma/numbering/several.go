package numbering

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/rank"
	"perfectplay/solve/table"
)

const bySeveral = "armies"

const (
	maxCells    = 128
	blockPlaces = 1 << 17 // most places of a block of several rows
	maxRow      = 1 << 20 // most places of a row
	maxPlaces   = 1 << 44 // most places of a table
	maxBlocks   = 1 << 26 // most blocks of a table
)

// severalBoard is the numbering's part of a description; FORMAT.md explains its numbers.
type severalBoard struct {
	Pieces    int     `json:"pieces"`
	Cells     int     `json:"cells"`
	Period    int     `json:"period"`
	Turn      []int   `json:"turn"`
	Places    [][]int `json:"places"`
	Tiles     []int   `json:"tiles"`
	BlockRows int     `json:"rows"`
}

// shape says where the places of a kind of seats are.
type shape struct {
	dims       []int // placements of each army
	row        int   // places of a row
	rows       int
	tileRows   int
	tiles      int
	tileBlocks int // blocks of each tile; the last tile may have fewer
	first      int // first block of the kind
	blocks     int
}

// SeveralInfo describes the table of a game of several armies, without counts. turn turns the board
// from each seat's view to the view of the seat a period later. places holds, for each kind of
// seats, the cells where its pieces may stand; tiles holds the number of rows made at once.
func SeveralInfo(t *halma.Armies, seats int, positions uint64, turn []int, places [][]int, tiles []int, program string) (table.Info, *Several, error) {
	b := severalBoard{Pieces: t.Pieces, Cells: t.Cells, Period: len(places), Turn: turn, Places: places, Tiles: tiles}
	largest := 1
	for _, places := range b.Places {
		largest = max(largest, int(choose(len(places), b.Pieces)))
	}
	b.BlockRows = max(1, blockPlaces/largest)
	i := table.Info{
		Game: t.ID, Rules: t.Rules, Choices: t.Choices, Fingerprint: t.Fingerprint(), Seats: seats, Numbering: bySeveral, Board: encode(b), Bits: 8,
		Sets: table.Sets(1<<(seats-1) - 1), FromMover: true, Numbers: positions, Positions: positions, Program: program,
	}
	n := &Several{severalBoard: b, seats: seats, layers: len(i.Sets), numbers: positions}
	err := n.derive()
	if err == nil {
		n.make()
	}
	return i, n, err
}

// First returns the first block of a tile of a kind.
func (n *Several) First(kind, tile int) int {
	return n.shapes[kind].first + tile*n.shapes[kind].tileBlocks
}

func several(g *halma.Game, i table.Info) (*Several, error) {
	n := &Several{game: g, seats: i.Seats, layers: len(i.Sets), numbers: i.Numbers}
	if err := parse(i, &n.severalBoard); err != nil {
		return nil, err
	}
	if !i.FromMover || !i.Distances() || i.Images || i.Illegal != 0 || len(i.Sets) != 1<<(i.Seats-1)-1 || i.Numbers != i.Positions {
		return nil, errors.New("it is not one of several armies")
	}
	return n, n.derive()
}

// bytes estimates the memory of the numbering.
func (n *Several) bytes() (bytes uint64) {
	for seat := range n.seats {
		bytes += 16 * choose(len(n.Places[seat%n.Period]), n.Pieces)
	}
	return bytes + 1<<18
}

// derive checks a description and derives the shapes of the kinds, before memory is allocated.
func (n *Several) derive() error {
	switch {
	case n.seats < 2 || n.seats > 6 || n.Pieces < 1 || n.Cells < 2 || n.Cells > maxCells:
		return fmt.Errorf("%d seats with %d pieces on %d cells", n.seats, n.Pieces, n.Cells)
	case n.Period < 1 || n.Period > n.seats || n.seats%n.Period != 0 || len(n.Places) != n.Period:
		return fmt.Errorf("a period of %d among %d seats, with %d lists of places", n.Period, n.seats, len(n.Places))
	case len(n.Turn) != n.Cells:
		return fmt.Errorf("a turn of %d cells out of %d", len(n.Turn), n.Cells)
	case n.BlockRows < 1 || len(n.Tiles) != n.Period:
		return fmt.Errorf("%d rows in a block, %d tiles for a period of %d", n.BlockRows, len(n.Tiles), n.Period)
	}
	var taken bitboard.Set128
	for c, to := range n.Turn {
		if to < 0 || to >= n.Cells || taken.Has(to) {
			return fmt.Errorf("the turn takes cell %d to %d", c, to)
		}
		taken = taken.With(to)
	}
	sizes := make([]int, n.Period)
	for kind, places := range n.Places {
		var taken bitboard.Set128
		for _, c := range places {
			if c < 0 || c >= n.Cells || taken.Has(c) {
				return fmt.Errorf("places %v: want different cells below %d", places, n.Cells)
			}
			taken = taken.With(c)
		}
		size := choose(len(places), n.Pieces)
		if size < 1 || size > maxRow {
			return fmt.Errorf("%d placements of %d pieces on %d places", size, n.Pieces, len(places))
		}
		sizes[kind] = int(size)
	}
	blocks := 0
	for kind := range n.Period {
		s := shape{rows: 1, tileRows: n.Tiles[kind], first: blocks}
		all := uint64(1)
		for at := range n.seats {
			d := sizes[(kind+at)%n.Period]
			s.dims = append(s.dims, d)
			hi, lo := bits.Mul64(all, uint64(d))
			if hi != 0 || lo > maxPlaces {
				return fmt.Errorf("more than %d places", uint64(maxPlaces))
			}
			all = lo
			if at < n.seats-1 {
				s.rows *= d
			}
		}
		s.row = s.dims[n.seats-1]
		if s.tileRows < 1 || s.tileRows > s.rows || n.BlockRows > max(blockPlaces/s.row, 1) {
			return fmt.Errorf("tiles of %d rows and blocks of %d, of %d rows of %d places", s.tileRows, n.BlockRows, s.rows, s.row)
		}
		s.tiles = (s.rows + s.tileRows - 1) / s.tileRows
		s.tileBlocks = (s.tileRows + n.BlockRows - 1) / n.BlockRows
		if s.tiles > maxBlocks/n.layers/s.tileBlocks {
			return fmt.Errorf("too many blocks")
		}
		s.blocks = (s.tiles-1)*s.tileBlocks + (s.rows-(s.tiles-1)*s.tileRows+n.BlockRows-1)/n.BlockRows
		if blocks += s.blocks; blocks > maxBlocks/n.layers {
			return fmt.Errorf("too many blocks")
		}
		n.shapes = append(n.shapes, s)
	}
	return nil
}

// check refuses a description whose cells, camps or seats are not the game's.
func (n *Several) check(choices string) error {
	g := n.game
	b := g.Board()
	if spec, err := g.Armies(); err != nil || spec.Choices != choices {
		return fmt.Errorf("the table is under rules that are %q, the game is under others", choices)
	}
	if n.seats != g.Seats() || n.Pieces != b.Pieces() || n.Cells != b.Cells() {
		return fmt.Errorf("the table has %d seats with %d pieces on %d cells, the game %d with %d on %d", n.seats, n.Pieces, n.Cells, g.Seats(), b.Pieces(), b.Cells())
	}
	// The turn of the board takes each home to the home of the seat a period later, and keeps
	// neighbours; places hold home and goal.
	for c, to := range n.Turn {
		for d := range halma.Dir(halma.Dirs) {
			near := b.Next(c, d)
			if near < 0 {
				continue
			}
			beside := false
			for e := range halma.Dir(halma.Dirs) {
				beside = beside || b.Next(to, e) == n.Turn[near]
			}
			if !beside {
				return fmt.Errorf("the table's turn of the board parts cells %d and %d", c, near)
			}
		}
	}
	for seat := range n.seats {
		for _, camp := range []func(int) bitboard.Set128{g.Home, g.Goal} {
			for c := range camp(seat).Cells() {
				if later := (seat + n.Period) % n.seats; !camp(later).Has(n.Turn[c]) {
					return fmt.Errorf("the table's turn of the board does not take the camps of seat %d to those of seat %d", seat, later)
				}
				if seat < n.Period && !slices.Contains(n.Places[seat], c) {
					return fmt.Errorf("the table has no place for seat %d on cell %d of its camps", seat, c)
				}
			}
		}
	}
	return nil
}

// Several numbers the positions of two to six armies.
type Several struct {
	severalBoard
	game    *halma.Game // nil when writing a table
	seats   int
	layers  int
	numbers uint64
	shapes  []shape
	armies  [][]bitboard.Set128 // armies of each seat by rank, as they stand on the board
	open    []bitboard.Set128   // the cells where pieces of each seat may stand
	place   [][maxCells]uint8   // by seat: the place of a cell, or noPlace
	// ways[k][n] is the number of ways to choose k of n.
	ways [][]uint32
}

const noPlace = maxCells

// make numbers the positions by a checked description.
func (n *Several) make() {
	for seat := range n.seats {
		var place [maxCells]uint8
		for c := range place {
			place[c] = noPlace
		}
		var open bitboard.Set128
		for p, c := range n.Places[seat%n.Period] {
			for range seat / n.Period {
				c = n.Turn[c]
			}
			open = open.With(c)
			place[c] = uint8(p)
		}
		n.open, n.place = append(n.open, open), append(n.place, place)
		var armies []bitboard.Set128
		cells := make([]bitboard.Set128, len(n.Places[seat%n.Period]))
		for c, p := range place {
			if p != noPlace {
				cells[p] = bitboard.Cell128(c)
			}
		}
		places := bitboard.First128(n.Pieces)
		for range choose(len(cells), n.Pieces) {
			var army bitboard.Set128
			for p := range places.Cells() {
				army = army.Or(cells[p])
			}
			armies, places = append(armies, army), rank.Next128(places)
		}
		n.armies = append(n.armies, armies)
	}
	for k := range n.Pieces + 1 {
		ways := make([]uint32, maxCells+1)
		for free := range ways {
			ways[free] = uint32(min(choose(free, k), maxRow))
		}
		n.ways = append(n.ways, ways)
	}
}

// still returns the cells that the armies of a row take, and whether they are disjoint.
func (n *Several) still(kind, row int) (taken bitboard.Set128, ok bool) {
	dims := n.shapes[kind].dims
	for at := n.seats - 2; at >= 0; at-- {
		army := n.armies[(kind+at)%n.seats][row%dims[at]]
		if row /= dims[at]; !army.And(taken).IsEmpty() {
			return taken, false
		}
		taken = taken.Or(army)
	}
	return taken, true
}

func (n *Several) size(kind, row int) int {
	taken, ok := n.still(kind, row)
	if !ok {
		return 0
	}
	last := (kind + n.seats - 1) % n.seats
	return int(n.ways[n.Pieces][n.open[last].AndNot(taken).Count()])
}

// Size implements [table.Numbering].
func (n *Several) Size() table.Size {
	s := table.Size{Numbers: n.numbers}
	for _, shape := range n.shapes {
		s.Blocks, s.Largest = s.Blocks+shape.blocks, max(s.Largest, min(n.BlockRows, shape.tileRows)*shape.row)
	}
	return s
}

// Rows implements [table.Numbering].
func (n *Several) Rows(block int, at []uint32) []uint32 {
	kind := 0
	for ; block >= n.shapes[kind].blocks; kind++ {
		block -= n.shapes[kind].blocks
	}
	s := &n.shapes[kind]
	tile := block / s.tileBlocks
	first := tile*s.tileRows + block%s.tileBlocks*n.BlockRows
	sum := uint32(0)
	for row := first; row < min(first+n.BlockRows, (tile+1)*s.tileRows, s.rows); row++ {
		at = append(at, sum)
		sum += uint32(n.size(kind, row))
	}
	return append(at, sum)
}

// Place implements [table.Numbering].
func (n *Several) Place(s game.State) (table.Place, error) {
	p, seat := s.(halma.Position), s.Seat()
	kind, last := seat%n.Period, (seat+n.seats-1)%n.seats
	shape := &n.shapes[kind]
	var taken bitboard.Set128
	row := 0
	for at := range n.seats - 1 {
		i := (seat + at) % n.seats
		army := p.Pieces(i)
		set, err := n.places(i, army)
		if err != nil {
			return table.Place{}, err
		}
		taken = taken.Or(army)
		row = row*shape.dims[at] + n.rank(set, bitboard.First128(maxCells))
	}
	set, err := n.places(last, p.Pieces(last))
	if err != nil {
		return table.Place{}, err
	}
	free := bitboard.Set128{}
	for x := n.open[last].AndNot(taken); !x.IsEmpty(); x = x.DropMin() {
		free = free.With(int(n.place[last][x.Min()]))
	}
	tile := row / shape.tileRows
	in := row - tile*shape.tileRows
	return table.Place{Block: shape.first + tile*shape.tileBlocks + in/n.BlockRows, Row: in % n.BlockRows, At: n.rank(set, free)}, nil
}

func (n *Several) places(seat int, army bitboard.Set128) (set bitboard.Set128, err error) {
	if got := army.Count(); got != n.Pieces {
		return set, fmt.Errorf("seat %d has %d pieces, want %d", seat, got, n.Pieces)
	}
	place := &n.place[seat]
	for x := army; !x.IsEmpty(); x = x.DropMin() {
		p := place[x.Min()]
		if p == noPlace {
			return set, fmt.Errorf("seat %d: a piece stands on cell %d, where none may", seat, x.Min())
		}
		set = set.With(int(p))
	}
	return set, nil
}

// rank returns the rank of a set of places among the sets of free places of the same size.
func (n *Several) rank(set, free bitboard.Set128) (r int) {
	for k := 1; !set.IsEmpty(); k, set = k+1, set.DropMin() {
		r += int(n.ways[k][free.And(bitboard.First128(set.Min())).Count()])
	}
	return r
}

// choose is the number of ways to choose k of n, capped at the largest uint64.
func choose(n, k int) uint64 {
	c, err := rank.Binomial(n, k)
	if err != nil {
		return math.MaxUint64
	}
	return c
}
