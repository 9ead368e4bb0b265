// Package sets has sets of cells in one, two or three machine words. Kernels are written for sets
// of one word; genkernel makes the kernels for two and three words. The package knows no board.
package sets

import (
	"cmp"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/rank"
)

// A set of bits that stand for cells, in one, two or three words, A the lowest.
type (
	Set1 struct{ A uint64 }
	Set2 struct{ A, B uint64 }
	Set3 struct{ A, B, C uint64 }
)

const (
	Words1 = iota + 1
	Words2
	Words3
)

// Only1, Only2 and Only3 return the set of one bit.
func Only1(bit uint8) Set1 { return Set1{1 << (bit & 63)} }

func Only2(bit uint8) Set2 {
	if bit < 64 {
		return Set2{A: 1 << (bit & 63)}
	}
	return Set2{B: 1 << (bit & 63)}
}

func Only3(bit uint8) Set3 {
	switch bit >> 6 {
	case 0:
		return Set3{A: 1 << (bit & 63)}
	case 1:
		return Set3{B: 1 << (bit & 63)}
	}
	return Set3{C: 1 << (bit & 63)}
}

// Load1, Load2 and Load3 return the set at index i of a list of sets in words; Store is their
// inverse.
func Load1(words []uint64, i int) Set1 { return Set1{words[i]} }

func Load2(words []uint64, i int) Set2 {
	w := words[2*i : 2*i+2]
	return Set2{w[0], w[1]}
}

func Load3(words []uint64, i int) Set3 {
	w := words[3*i : 3*i+3]
	return Set3{w[0], w[1], w[2]}
}

func (s Set1) Store(words []uint64, i int) { words[i] = s.A }

func (s Set2) Store(words []uint64, i int) {
	w := words[2*i : 2*i+2]
	w[0], w[1] = s.A, s.B
}

func (s Set3) Store(words []uint64, i int) {
	w := words[3*i : 3*i+3]
	w[0], w[1], w[2] = s.A, s.B, s.C
}

func (s Set1) And(t Set1) Set1 { return Set1{s.A & t.A} }
func (s Set2) And(t Set2) Set2 { return Set2{s.A & t.A, s.B & t.B} }
func (s Set3) And(t Set3) Set3 { return Set3{s.A & t.A, s.B & t.B, s.C & t.C} }

func (s Set1) Or(t Set1) Set1 { return Set1{s.A | t.A} }
func (s Set2) Or(t Set2) Set2 { return Set2{s.A | t.A, s.B | t.B} }
func (s Set3) Or(t Set3) Set3 { return Set3{s.A | t.A, s.B | t.B, s.C | t.C} }

func (s Set1) Xor(t Set1) Set1 { return Set1{s.A ^ t.A} }
func (s Set2) Xor(t Set2) Set2 { return Set2{s.A ^ t.A, s.B ^ t.B} }
func (s Set3) Xor(t Set3) Set3 { return Set3{s.A ^ t.A, s.B ^ t.B, s.C ^ t.C} }

func (s Set1) AndNot(t Set1) Set1 { return Set1{s.A &^ t.A} }
func (s Set2) AndNot(t Set2) Set2 { return Set2{s.A &^ t.A, s.B &^ t.B} }
func (s Set3) AndNot(t Set3) Set3 { return Set3{s.A &^ t.A, s.B &^ t.B, s.C &^ t.C} }

func (s Set1) IsEmpty() bool { return s.A == 0 }
func (s Set2) IsEmpty() bool { return s.A|s.B == 0 }
func (s Set3) IsEmpty() bool { return s.A|s.B|s.C == 0 }

func (s Set1) Count() int { return bits.OnesCount64(s.A) }
func (s Set2) Count() int { return bits.OnesCount64(s.A) + bits.OnesCount64(s.B) }
func (s Set3) Count() int {
	return bits.OnesCount64(s.A) + bits.OnesCount64(s.B) + bits.OnesCount64(s.C)
}

// Meets reports whether two sets have a bit in common.
func (s Set1) Meets(t Set1) bool { return s.A&t.A != 0 }
func (s Set2) Meets(t Set2) bool { return s.A&t.A|s.B&t.B != 0 }
func (s Set3) Meets(t Set3) bool { return s.A&t.A|s.B&t.B|s.C&t.C != 0 }

// Within reports whether all bits of s are in t.
func (s Set1) Within(t Set1) bool { return s.A&^t.A == 0 }
func (s Set2) Within(t Set2) bool { return s.A&^t.A|s.B&^t.B == 0 }
func (s Set3) Within(t Set3) bool { return s.A&^t.A|s.B&^t.B|s.C&^t.C == 0 }

// Up and Down shift a set by 1 to 63 bits.
func (s Set1) Up(n uint) Set1 { return Set1{s.A << (n & 63)} }
func (s Set2) Up(n uint) Set2 { return Set2{s.A << (n & 63), s.B<<(n&63) | s.A>>(-n&63)} }
func (s Set3) Up(n uint) Set3 {
	return Set3{s.A << (n & 63), s.B<<(n&63) | s.A>>(-n&63), s.C<<(n&63) | s.B>>(-n&63)}
}

func (s Set1) Down(n uint) Set1 { return Set1{s.A >> (n & 63)} }
func (s Set2) Down(n uint) Set2 { return Set2{s.A>>(n&63) | s.B<<(-n&63), s.B >> (n & 63)} }
func (s Set3) Down(n uint) Set3 {
	return Set3{s.A>>(n&63) | s.B<<(-n&63), s.B>>(n&63) | s.C<<(-n&63), s.C >> (n & 63)}
}

// Min returns the lowest bit of a set that is not empty.
func (s Set1) Min() uint8 { return uint8(bits.TrailingZeros64(s.A)) }

func (s Set2) Min() uint8 {
	if s.A != 0 {
		return uint8(bits.TrailingZeros64(s.A))
	}
	return uint8(64 + bits.TrailingZeros64(s.B))
}

func (s Set3) Min() uint8 {
	switch {
	case s.A != 0:
		return uint8(bits.TrailingZeros64(s.A))
	case s.B != 0:
		return uint8(64 + bits.TrailingZeros64(s.B))
	}
	return uint8(128 + bits.TrailingZeros64(s.C))
}

// First returns the lowest bit of s alone, or the empty set.
func (s Set1) First() Set1 { return Set1{s.A & -s.A} }

func (s Set2) First() Set2 {
	if s.A != 0 {
		return Set2{A: s.A & -s.A}
	}
	return Set2{B: s.B & -s.B}
}

func (s Set3) First() Set3 {
	switch {
	case s.A != 0:
		return Set3{A: s.A & -s.A}
	case s.B != 0:
		return Set3{B: s.B & -s.B}
	}
	return Set3{C: s.C & -s.C}
}

// DropMin returns s without its lowest bit; the empty set stays empty.
func (s Set1) DropMin() Set1 { return Set1{s.A & (s.A - 1)} }

func (s Set2) DropMin() Set2 {
	if s.A != 0 {
		return Set2{s.A & (s.A - 1), s.B}
	}
	return Set2{0, s.B & (s.B - 1)}
}

func (s Set3) DropMin() Set3 {
	switch {
	case s.A != 0:
		return Set3{s.A & (s.A - 1), s.B, s.C}
	case s.B != 0:
		return Set3{0, s.B & (s.B - 1), s.C}
	}
	return Set3{0, 0, s.C & (s.C - 1)}
}

// Above returns the bits of s that are higher than all of t.
func (s Set1) Above(t Set1) Set1 { return Set1{s.A &^ (1<<bits.Len64(t.A) - 1)} }

func (s Set2) Above(t Set2) Set2 {
	if t.B != 0 {
		return Set2{0, s.B &^ (1<<bits.Len64(t.B) - 1)}
	}
	return Set2{s.A &^ (1<<bits.Len64(t.A) - 1), s.B}
}

func (s Set3) Above(t Set3) Set3 {
	switch {
	case t.C != 0:
		return Set3{0, 0, s.C &^ (1<<bits.Len64(t.C) - 1)}
	case t.B != 0:
		return Set3{0, s.B &^ (1<<bits.Len64(t.B) - 1), s.C}
	}
	return Set3{s.A &^ (1<<bits.Len64(t.A) - 1), s.B, s.C}
}

// Compare orders sets as numbers.
func (s Set1) Compare(t Set1) int { return cmp.Compare(s.A, t.A) }
func (s Set2) Compare(t Set2) int { return cmp.Or(cmp.Compare(s.B, t.B), cmp.Compare(s.A, t.A)) }
func (s Set3) Compare(t Set3) int {
	return cmp.Or(cmp.Compare(s.C, t.C), cmp.Compare(s.B, t.B), cmp.Compare(s.A, t.A))
}

// RankIn ranks a set of bits of open among the sets of the same size.
func (s Set1) RankIn(open Set1, sets *rank.Subsets) uint64 { return s.Extract(open).Rank(sets) }
func (s Set2) RankIn(open Set2, sets *rank.Subsets) uint64 { return s.Extract(open).Rank(sets) }
func (s Set3) RankIn(open Set3, sets *rank.Subsets) uint64 { return s.Extract(open).Rank(sets) }

// At returns the set of the bits of open with the given numbers, counted from the lowest. RankIn
// ranks the numbers of its result.
func (open Set1) At(numbers bitboard.Set128) Set1 {
	return Set1{bitboard.Deposit64(numbers.Lo, open.A)}
}

func (open Set2) At(numbers bitboard.Set128) Set2 {
	s := bitboard.Deposit128(numbers, bitboard.Set128{Lo: open.A, Hi: open.B})
	return Set2{s.Lo, s.Hi}
}

func (open Set3) At(numbers bitboard.Set128) Set3 {
	low := bitboard.Deposit128(numbers, bitboard.Set128{Lo: open.A, Hi: open.B})
	n := bits.OnesCount64(open.A) + bits.OnesCount64(open.B)
	return Set3{low.Lo, low.Hi, bitboard.Deposit64(numbers.Shr(uint(n)).Lo, open.C)}
}

// A Landing says where shifts may lead: ups[i] and downs[i] are the cells that one step by shift i
// may end on, hopUps[i] and hopDowns[i] the cells that two steps may end on. In one word no shift
// leads from an edge to another cell. So Beside and Over of one word need no landing; BesideRuled
// and OverRuled use it for rules about where a piece may go.
type (
	Landing1 struct{ ups, downs, hopUps, hopDowns [3]Set1 }
	Landing2 struct{ ups, downs, hopUps, hopDowns [3]Set2 }
	Landing3 struct{ ups, downs, hopUps, hopDowns [3]Set3 }
)

// Beside returns the targets of steps by the shifts a from s: cells that the landing allows, and
// perhaps bits without a cell. For one word Beside, Over and Hop are written without methods, so
// that the compiler inlines them.
func (s Set1) Beside(a *[3]uint, _ *Landing1) Set1 {
	a0, a1, a2 := a[0]&63, a[1]&63, a[2]&63
	return Set1{s.A<<a0 | s.A>>a0 | s.A<<a1 | s.A>>a1 | s.A<<a2 | s.A>>a2}
}

func (s Set2) Beside(a *[3]uint, l *Landing2) (t Set2) {
	t = s.Up(a[0]).And(l.ups[0]).Or(s.Down(a[0]).And(l.downs[0]))
	t = t.Or(s.Up(a[1]).And(l.ups[1])).Or(s.Down(a[1]).And(l.downs[1]))
	return t.Or(s.Up(a[2]).And(l.ups[2])).Or(s.Down(a[2]).And(l.downs[2]))
}

func (s Set3) Beside(a *[3]uint, l *Landing3) (t Set3) {
	t = s.Up(a[0]).And(l.ups[0]).Or(s.Down(a[0]).And(l.downs[0]))
	t = t.Or(s.Up(a[1]).And(l.ups[1])).Or(s.Down(a[1]).And(l.downs[1]))
	return t.Or(s.Up(a[2]).And(l.ups[2])).Or(s.Down(a[2]).And(l.downs[2]))
}

// BesideRuled is Beside with a landing that may also exclude cells by the rules of the game.
func (s Set1) BesideRuled(a *[3]uint, l *Landing1) Set1 {
	a0, a1, a2 := a[0]&63, a[1]&63, a[2]&63
	return Set1{s.A<<a0&l.ups[0].A | s.A>>a0&l.downs[0].A | s.A<<a1&l.ups[1].A | s.A>>a1&l.downs[1].A | s.A<<a2&l.ups[2].A | s.A>>a2&l.downs[2].A}
}

func (s Set2) BesideRuled(a *[3]uint, l *Landing2) Set2 { return s.Beside(a, l) }
func (s Set3) BesideRuled(a *[3]uint, l *Landing3) Set3 { return s.Beside(a, l) }

// Edges are the possible hops while some pieces lie still: hops by shift i land on the cells Up[i]
// upwards and Down[i] downwards. All these cells are in Empty.
type (
	Edges1 struct {
		Empty    Set1
		Up, Down [3]Set1
	}
	Edges2 struct {
		Empty    Set2
		Up, Down [3]Set2
	}
	Edges3 struct {
		Empty    Set3
		Up, Down [3]Set3
	}
)

// Over sets the edges to the hops between cells of Empty over the pieces in still, by the shifts a.
func (e *Edges1) Over(still Set1, a *[3]uint, _ *Landing1) {
	x, empty, a0, a1, a2 := still.A, e.Empty.A, a[0]&63, a[1]&63, a[2]&63
	e.Up = [3]Set1{{x << a0 & empty}, {x << a1 & empty}, {x << a2 & empty}}
	e.Down = [3]Set1{{x >> a0 & empty}, {x >> a1 & empty}, {x >> a2 & empty}}
}

func (e *Edges2) Over(still Set2, a *[3]uint, l *Landing2) {
	for i, n := range a {
		e.Up[i], e.Down[i] = still.Up(n).And(e.Empty).And(l.hopUps[i]), still.Down(n).And(e.Empty).And(l.hopDowns[i])
	}
}

func (e *Edges3) Over(still Set3, a *[3]uint, l *Landing3) {
	for i, n := range a {
		e.Up[i], e.Down[i] = still.Up(n).And(e.Empty).And(l.hopUps[i]), still.Down(n).And(e.Empty).And(l.hopDowns[i])
	}
}

// OverRuled is Over with a landing that may also exclude cells by the rules of the game.
func (e *Edges1) OverRuled(still Set1, a *[3]uint, l *Landing1) {
	e.Over(still, a, l)
	for i := range 3 {
		e.Up[i].A &= l.hopUps[i].A
		e.Down[i].A &= l.hopDowns[i].A
	}
}

func (e *Edges2) OverRuled(still Set2, a *[3]uint, l *Landing2) { e.Over(still, a, l) }
func (e *Edges3) OverRuled(still Set3, a *[3]uint, l *Landing3) { e.Over(still, a, l) }

// Hop returns the targets of single hops from s; a2 is twice the shifts.
func (e *Edges1) Hop(a2 *[3]uint, s Set1) Set1 {
	a, b, c := a2[0]&63, a2[1]&63, a2[2]&63
	return Set1{s.A<<a&e.Up[0].A | s.A>>a&e.Down[0].A | s.A<<b&e.Up[1].A | s.A>>b&e.Down[1].A | s.A<<c&e.Up[2].A | s.A>>c&e.Down[2].A}
}

func (e *Edges2) Hop(a2 *[3]uint, s Set2) (t Set2) {
	t = s.Up(a2[0]).And(e.Up[0]).Or(s.Down(a2[0]).And(e.Down[0]))
	t = t.Or(s.Up(a2[1]).And(e.Up[1])).Or(s.Down(a2[1]).And(e.Down[1]))
	return t.Or(s.Up(a2[2]).And(e.Up[2])).Or(s.Down(a2[2]).And(e.Down[2]))
}

func (e *Edges3) Hop(a2 *[3]uint, s Set3) (t Set3) {
	t = s.Up(a2[0]).And(e.Up[0]).Or(s.Down(a2[0]).And(e.Down[0]))
	t = t.Or(s.Up(a2[1]).And(e.Up[1])).Or(s.Down(a2[1]).And(e.Down[1]))
	return t.Or(s.Up(a2[2]).And(e.Up[2])).Or(s.Down(a2[2]).And(e.Down[2]))
}

// Flood follows hops from s, a part of seen, along cells outside of seen. It returns seen with
// the cells found, and all targets of any hop on these ways, seen or not. a2 is twice the
// shifts. For one word it is written without methods: complete solutions spend most of their
// time here.
func (e *Edges1) Flood(a2 *[3]uint, s, seen Set1) (all, entered Set1) {
	a, b, c := a2[0]&63, a2[1]&63, a2[2]&63
	u0, u1, u2, d0, d1, d2 := e.Up[0].A, e.Up[1].A, e.Up[2].A, e.Down[0].A, e.Down[1].A, e.Down[2].A
	f, n, again := seen.A, s.A, uint64(0)
	for n != 0 {
		h := n<<a&u0 | n>>a&d0 | n<<b&u1 | n>>b&d1 | n<<c&u2 | n>>c&d2
		again |= h
		n = h &^ f
		f |= h
	}
	return Set1{f}, Set1{again}
}

func (e *Edges2) Flood(a2 *[3]uint, s, seen Set2) (all, entered Set2) {
	for all = seen; !s.IsEmpty(); {
		next := e.Hop(a2, s)
		entered = entered.Or(next)
		s = next.AndNot(all)
		all = all.Or(s)
	}
	return all, entered
}

func (e *Edges3) Flood(a2 *[3]uint, s, seen Set3) (all, entered Set3) {
	for all = seen; !s.IsEmpty(); {
		next := e.Hop(a2, s)
		entered = entered.Or(next)
		s = next.AndNot(all)
		all = all.Or(s)
	}
	return all, entered
}

// Add allows a step by shift i, up or down, to the cell at a bit.
func (l *Landing1) Add(i int, up bool, bit uint8) { enter(&l.ups, &l.downs, i, up, Only1(bit)) }
func (l *Landing2) Add(i int, up bool, bit uint8) { enter(&l.ups, &l.downs, i, up, Only2(bit)) }
func (l *Landing3) Add(i int, up bool, bit uint8) { enter(&l.ups, &l.downs, i, up, Only3(bit)) }

// AddHop allows a hop by twice shift i, up or down, to the cell at a bit.
func (l *Landing1) AddHop(i int, up bool, bit uint8) {
	enter(&l.hopUps, &l.hopDowns, i, up, Only1(bit))
}

func (l *Landing2) AddHop(i int, up bool, bit uint8) {
	enter(&l.hopUps, &l.hopDowns, i, up, Only2(bit))
}

func (l *Landing3) AddHop(i int, up bool, bit uint8) {
	enter(&l.hopUps, &l.hopDowns, i, up, Only3(bit))
}

func enter[S interface{ Or(S) S }](ups, downs *[3]S, i int, up bool, cell S) {
	if !up {
		ups = downs
	}
	ups[i] = ups[i].Or(cell)
}

// Extract returns the numbers that the bits of s have among the bits of open, counted from the
// lowest; Deposit is its inverse. A number is at most 127.
func (s Set1) Extract(open Set1) Set1 { return Set1{bitboard.Extract64(s.A, open.A)} }

func (s Set2) Extract(open Set2) Set2 {
	x := bitboard.Extract128(bitboard.Set128{Lo: s.A, Hi: s.B}, bitboard.Set128{Lo: open.A, Hi: open.B})
	return Set2{x.Lo, x.Hi}
}

func (s Set3) Extract(open Set3) Set3 {
	x := bitboard.Extract128(bitboard.Set128{Lo: s.A, Hi: s.B}, bitboard.Set128{Lo: open.A, Hi: open.B})
	n := bits.OnesCount64(open.A) + bits.OnesCount64(open.B)
	x = x.Or(bitboard.Set128{Lo: bitboard.Extract64(s.C, open.C)}.Shl(uint(n)))
	return Set3{A: x.Lo, B: x.Hi}
}

func (s Set1) Deposit(open Set1) Set1 { return Set1{bitboard.Deposit64(s.A, open.A)} }
func (s Set2) Deposit(open Set2) Set2 { return open.At(bitboard.Set128{Lo: s.A, Hi: s.B}) }
func (s Set3) Deposit(open Set3) Set3 { return open.At(bitboard.Set128{Lo: s.A, Hi: s.B}) }

func (s Set1) Rank(sets *rank.Subsets) uint64 { return sets.Rank64(s.A) }
func (s Set2) Rank(sets *rank.Subsets) uint64 { return sets.Rank(bitboard.Set128{Lo: s.A, Hi: s.B}) }
func (s Set3) Rank(sets *rank.Subsets) uint64 { return sets.Rank(bitboard.Set128{Lo: s.A, Hi: s.B}) }

// Numbers1, Numbers2 and Numbers3 return a set of numbers.
func Numbers1(x bitboard.Set128) Set1 { return Set1{x.Lo} }
func Numbers2(x bitboard.Set128) Set2 { return Set2{x.Lo, x.Hi} }
func Numbers3(x bitboard.Set128) Set3 { return Set3{A: x.Lo, B: x.Hi} }

// Reversed returns a set with its bits 0 to span−1 in reverse order. The set must have no other
// bits.
func (s Set1) Reversed(span uint) Set1 { return Set1{bits.Reverse64(s.A) >> (64 - span)} }

func (s Set2) Reversed(span uint) Set2 {
	t := Set2{bits.Reverse64(s.B), bits.Reverse64(s.A)}
	for n := 128 - span; n > 0; n -= min(n, 63) {
		t = t.Down(min(n, 63))
	}
	return t
}

func (s Set3) Reversed(span uint) Set3 {
	t := Set3{bits.Reverse64(s.C), bits.Reverse64(s.B), bits.Reverse64(s.A)}
	for n := 192 - span; n > 0; n -= min(n, 63) {
		t = t.Down(min(n, 63))
	}
	return t
}

// Words returns the words of a set, the lowest first.
func (s Set1) Words() [Words1]uint64 { return [...]uint64{s.A} }
func (s Set2) Words() [Words2]uint64 { return [...]uint64{s.A, s.B} }
func (s Set3) Words() [Words3]uint64 { return [...]uint64{s.A, s.B, s.C} }

// Byte returns bits 8·i to 8·i+7 as a number.
func (s Set1) Byte(i int) uint8 { return uint8(s.A >> (8 * i & 63)) }
func (s Set2) Byte(i int) uint8 { return uint8([2]uint64{s.A, s.B}[i>>3] >> (8 * i & 63)) }
func (s Set3) Byte(i int) uint8 { return uint8([3]uint64{s.A, s.B, s.C}[i>>3] >> (8 * i & 63)) }

// Push returns a set with all bits one higher, and a new lowest bit, 0 or 1.
func (s Set1) Push(bit uint8) Set1 { return Set1{s.A<<1 | uint64(bit)} }
func (s Set2) Push(bit uint8) Set2 { return Set2{s.A<<1 | uint64(bit), s.B<<1 | s.A>>63} }
func (s Set3) Push(bit uint8) Set3 {
	return Set3{s.A<<1 | uint64(bit), s.B<<1 | s.A>>63, s.C<<1 | s.B>>63}
}

// Below returns the bits of s that are lower than a bit.
func (s Set1) Below(bit uint8) Set1 { return Set1{s.A & (1<<(bit&63) - 1)} }

func (s Set2) Below(bit uint8) Set2 {
	if bit < 64 {
		return Set2{A: s.A & (1<<bit - 1)}
	}
	return Set2{s.A, s.B & (1<<(bit&63) - 1)}
}

func (s Set3) Below(bit uint8) Set3 {
	switch bit >> 6 {
	case 0:
		return Set3{A: s.A & (1<<bit - 1)}
	case 1:
		return Set3{A: s.A, B: s.B & (1<<(bit&63) - 1)}
	}
	return Set3{s.A, s.B, s.C & (1<<(bit&63) - 1)}
}

// Of returns the allowed targets of steps by shift i, up and down, and of hops.
func (l *Landing1) Of(i int) (up, down, hopUp, hopDown Set1) {
	return l.ups[i], l.downs[i], l.hopUps[i], l.hopDowns[i]
}
