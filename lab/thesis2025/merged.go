package thesis2025

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
)

// merger searches equal subtrees of max^n of model Base once, and adds their counts for each
// occurrence. Why the counts are right:
//
// 1. Model Base has no visited boards, and max^n passes no bounds down. So the lists of pieces,
// the seat to move and the limit left determine the counts and the winner below a node.
//
// 2. The order of the lists only decides in which sequence children are searched. If no node of
// the subtree is won, all are searched for any order. Such a quiet subtree is stored under the
// sets of holes that the seats occupy, any other under the lists.
//
// 3. The seat to move determines the seat that moved last, so the key also tells whether the node
// is won.
type merger struct {
	*keys
	slots []mergedSlot
	order [7]uint // by seat: the lowest key bit of the number for the order of its pieces
}

type mergedSlot struct {
	key    [3]uint64 // key by sets or by lists; key[2] is 0 if the slot is free
	counts Counts    // counts of the whole subtree below the node
	winner int32
}

// limit is the limit of the node, 0 for a free slot.
func (s *mergedSlot) limit() uint64 { return s.key[2] >> mergedLimitShift & mergedLimit }

const (
	mergedBucket = 4 // slots where a key may stand; a new entry replaces the smallest limit
	slotBytes    = 3*8 + 5*8 + 8
)

// mergedFrom is the least limit of a search with merging. Below it, visiting every node is as fast.
const mergedFrom = 12

// merges reports whether [Run] merges equal subtrees, if the keys are wide enough.
func (c Config) merges() bool {
	return c.counts() && c.Algorithm == MaxN && c.Limit >= mergedFrom && c.Limit <= mergedLimit
}

// mergeSubtrees makes the table, if nodes fit its keys. Less memory for it makes the search slower.
func (e *walk) mergeSubtrees() error {
	if e.width > 2 {
		return nil
	}
	m := &merger{keys: e.keys}
	orders := uint(1)
	for i := range uint(e.Pieces) {
		orders *= i + 1
	}
	for i, seat := range e.seats {
		m.order[seat] = mergedOrderShift + uint(i*bits.Len(orders-1))
	}
	n := e.memory() / slotBytes / mergedBucket * mergedBucket
	if n < mergedBucket {
		return fmt.Errorf("thesis2025: merged search in %d bytes: %w", e.memory(), errMemory)
	}
	m.slots = make([]mergedSlot, min(n, 1<<25))
	e.merge = m
	return nil
}

// The third word of a key: bit 0 marks a taken slot, bit 1 a key by lists; then the limit, the seat
// to move and the orders of the lists.
const (
	mergedTaken      = 1
	mergedByList     = 2
	mergedLimitShift = 2
	mergedSeatShift  = 12
	mergedOrderShift = 15
	mergedLimit      = 1<<(mergedSeatShift-mergedLimitShift) - 1
)

// keysOf returns the keys of a node: by sets, and by lists.
func (m *merger) keysOf(e *walk, seat, limit int) (bySets, byLists [3]uint64) {
	bySets[2] = mergedTaken | uint64(limit)<<mergedLimitShift | uint64(seat)<<mergedSeatShift
	orders := uint64(mergedByList)
	for _, s := range e.seats {
		var set bitboard.Set128
		list := e.piece[s][:e.Pieces]
		order := uint64(0)
		for i, at := range list {
			h := e.hole[at]
			set = set.With(int(h))
			later := 0 // number of later pieces in the list that stand on lower holes
			for _, other := range list[i+1:] {
				if e.hole[other] < h {
					later++
				}
			}
			order = order*uint64(len(list)-i) + uint64(later)
		}
		bySets[m.word[s]] += m.sets.Rank(set) << m.shift[s]
		orders |= order << m.order[s]
	}
	byLists = bySets
	byLists[2] |= orders
	return bySets, byLists
}

func (m *merger) bucket(key *[3]uint64) []mergedSlot {
	i, _ := bits.Mul64(hashBoard(key[:]), uint64(len(m.slots)/mergedBucket))
	return m.slots[i*mergedBucket:][:mergedBucket]
}

func (m *merger) find(key *[3]uint64) *mergedSlot {
	b := m.bucket(key)
	for i := range b {
		if b[i].key == *key {
			return &b[i]
		}
	}
	return nil
}

func (m *merger) file(new mergedSlot) {
	b := m.bucket(&new.key)
	victim := &b[0]
	for i := range b {
		if b[i].limit() < victim.limit() {
			victim = &b[i]
		}
	}
	if victim.limit() <= new.limit() {
		*victim = new
	}
}

// countMerged is [walk.countChildren] of max^n with equal subtrees searched once.
func (e *walk) countMerged(seat, limit int) int32 {
	bySets, byLists := e.merge.keysOf(e, seat, limit)
	for _, key := range []*[3]uint64{&bySets, &byLists} {
		if s := e.merge.find(key); s != nil {
			e.Nodes += s.counts.Nodes
			e.Terminals += s.counts.Terminals
			e.Cutoffs += s.counts.Cutoffs
			return s.winner
		}
	}
	before := e.Counts
	winner := e.countChildren(seat, limit, 0, 0)
	below := Counts{Nodes: e.Nodes - before.Nodes, Terminals: e.Terminals - before.Terminals, Cutoffs: e.Cutoffs - before.Cutoffs}
	key := byLists
	if below.Terminals == 0 {
		key = bySets
	}
	e.merge.file(mergedSlot{key, below, winner})
	return winner
}
