package bitboard

import "math/bits"

// Mask64 is a mask compiled for many extractions and deposits. It uses the
// machine's instructions where they are fast, and otherwise six steps prepared
// in advance, whose time does not depend on the operands. The zero value is
// the empty mask. A Mask64 is immutable and safe for concurrent use.
//
// A cell of the mask has to travel down by the number of cells missing below
// it. Written in binary, that distance says in which of the steps 1, 2, 4, 8,
// 16, 32 the cell moves; step j of an extraction moves all those cells at
// once, and a deposit takes the steps back in the opposite order. (The idea is
// from Warren, Hacker's Delight, 2nd edition, section 7-4.)
type Mask64 struct {
	mask uint64
	move [6]uint64 // move[j]: where the cells that step j moves stand before it
}

// NewMask64 compiles mask.
func NewMask64(mask uint64) Mask64 {
	m := Mask64{mask: mask}
	// gaps counts, for every cell and one binary digit at a time, the cells
	// missing below: its running parity is the lowest digit of the distance.
	gaps := ^mask << 1
	for j := range m.move {
		parity := gaps
		for s := 1; s < 64; s *= 2 {
			parity ^= parity << s
		}
		moving := parity & mask
		m.move[j] = moving
		mask = mask&^moving | moving>>(1<<j)
		gaps &^= parity
	}
	return m
}

// Set returns the mask that m was made from.
func (m *Mask64) Set() uint64 { return m.mask }

// Count returns the number of cells in the mask.
func (m *Mask64) Count() int { return bits.OnesCount64(m.mask) }

// Extract returns Extract64(x, m.Set()).
func (m *Mask64) Extract(x uint64) uint64 {
	if useBMI2 {
		return extract64(x, m.mask)
	}
	return m.extract(x)
}

// Deposit returns Deposit64(x, m.Set()).
func (m *Mask64) Deposit(x uint64) uint64 {
	if useBMI2 {
		return deposit64(x, m.mask)
	}
	return m.deposit(x)
}

func (m *Mask64) extract(x uint64) uint64 {
	x &= m.mask
	t := x & m.move[0]
	x = x ^ t ^ t>>1
	t = x & m.move[1]
	x = x ^ t ^ t>>2
	t = x & m.move[2]
	x = x ^ t ^ t>>4
	t = x & m.move[3]
	x = x ^ t ^ t>>8
	t = x & m.move[4]
	x = x ^ t ^ t>>16
	t = x & m.move[5]
	return x ^ t ^ t>>32
}

func (m *Mask64) deposit(x uint64) uint64 {
	// Before step j of an extraction a cell in move[j] stood 1<<j higher than
	// after it, any other stood still. Junk that the shifts leave outside the
	// mask is cut off at the end.
	t := m.move[5]
	x = x&^t | x<<32&t
	t = m.move[4]
	x = x&^t | x<<16&t
	t = m.move[3]
	x = x&^t | x<<8&t
	t = m.move[2]
	x = x&^t | x<<4&t
	t = m.move[1]
	x = x&^t | x<<2&t
	t = m.move[0]
	x = x&^t | x<<1&t
	return x & m.mask
}

// Mask128 is [Mask64] for sets of 128 cells.
type Mask128 struct {
	lo, hi Mask64
	split  uint // cells of the mask in the low word, 0…64
}

// NewMask128 compiles mask.
func NewMask128(mask Set128) Mask128 {
	return Mask128{NewMask64(mask.Lo), NewMask64(mask.Hi), uint(bits.OnesCount64(mask.Lo))}
}

// Set returns the mask that m was made from.
func (m *Mask128) Set() Set128 { return Set128{m.lo.mask, m.hi.mask} }

// Count returns the number of cells in the mask.
func (m *Mask128) Count() int { return m.Set().Count() }

// Extract returns Extract128(s, m.Set()).
func (m *Mask128) Extract(s Set128) Set128 {
	if useBMI2 {
		return Extract128(s, m.Set())
	}
	return m.extract(s)
}

// Deposit returns Deposit128(s, m.Set()).
func (m *Mask128) Deposit(s Set128) Set128 {
	if useBMI2 {
		return Deposit128(s, m.Set())
	}
	return m.deposit(s)
}

func (m *Mask128) extract(s Set128) Set128 {
	hi := m.hi.extract(s.Hi)
	return Set128{m.lo.extract(s.Lo) | hi<<m.split, hi >> (64 - m.split)}
}

func (m *Mask128) deposit(s Set128) Set128 {
	return Set128{m.lo.deposit(s.Lo), m.hi.deposit(s.Lo>>m.split | s.Hi<<(64-m.split))}
}

// Mask192 is [Mask64] for sets of 192 cells.
type Mask192 struct {
	lo    Mask64
	rest  Mask128
	split uint // cells of the mask in the lowest word, 0…64
}

// NewMask192 compiles mask.
func NewMask192(mask Set192) Mask192 {
	return Mask192{NewMask64(mask.Lo), NewMask128(Set128{mask.Mid, mask.Hi}), uint(bits.OnesCount64(mask.Lo))}
}

// Set returns the mask that m was made from.
func (m *Mask192) Set() Set192 { return Set192{m.lo.mask, m.rest.lo.mask, m.rest.hi.mask} }

// Count returns the number of cells in the mask.
func (m *Mask192) Count() int { return m.Set().Count() }

// Extract returns Extract192(s, m.Set()).
func (m *Mask192) Extract(s Set192) Set192 {
	if useBMI2 {
		return Extract192(s, m.Set())
	}
	k, hi := m.split, m.rest.extract(Set128{s.Mid, s.Hi})
	return Set192{m.lo.extract(s.Lo) | hi.Lo<<k, hi.Lo>>(64-k) | hi.Hi<<k, hi.Hi >> (64 - k)}
}

// Deposit returns Deposit192(s, m.Set()).
func (m *Mask192) Deposit(s Set192) Set192 {
	if useBMI2 {
		return Deposit192(s, m.Set())
	}
	k := m.split
	hi := m.rest.deposit(Set128{s.Lo>>k | s.Mid<<(64-k), s.Mid>>k | s.Hi<<(64-k)})
	return Set192{m.lo.deposit(s.Lo), hi.Lo, hi.Hi}
}
