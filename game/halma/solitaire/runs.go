package solitaire

import (
	"slices"
	"sync"
)

// runs collects keys from several goroutines in sorted runs. Runs of about the same size are
// merged as they come, so that keys found many times soon take memory once.
type runs struct {
	mu    sync.Mutex
	list  [][]uint64
	used  int // keys in all runs, also in runs being merged
	limit int // keys allowed, results of merges included
	full  bool
}

// add takes over a run. It reports false if no memory is left.
func (r *runs) add(run []uint64) bool {
	r.mu.Lock()
	r.used += len(run)
	for {
		// Merging all runs needs at most the same memory again.
		if r.full = r.full || r.used > r.limit/2; r.full {
			r.mu.Unlock()
			return false
		}
		i := slices.IndexFunc(r.list, func(other []uint64) bool { return len(other) <= 2*len(run) })
		if i < 0 {
			r.list = append(r.list, run)
			r.mu.Unlock()
			return true
		}
		other := r.list[i]
		r.list = slices.Delete(r.list, i, i+1)
		r.mu.Unlock()
		before := len(run) + len(other)
		run = merge(run, other)
		r.mu.Lock()
		r.used -= before - len(run)
	}
}

// all merges the remaining runs, without the keys in earlier levels.
func (r *runs) all(earlier [][]uint64) []uint64 {
	slices.SortFunc(r.list, func(a, b []uint64) int { return len(a) - len(b) })
	var keys []uint64
	for _, run := range r.list {
		keys = merge(keys, run)
	}
	for _, level := range earlier {
		keys = subtract(keys, level)
	}
	return slices.Clone(keys)
}

// merge returns the union of two sorted sets.
func merge(a, b []uint64) []uint64 {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	m := make([]uint64, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		m = append(m, min(x, y))
		if x <= y {
			a = a[1:]
		}
		if y <= x {
			b = b[1:]
		}
	}
	return append(append(m, a...), b...)
}

// subtract takes the keys of b out of a, in place.
func subtract(a, b []uint64) []uint64 {
	kept := a[:0]
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			kept = append(kept, x)
		}
	}
	return kept
}

// sortUnique sorts keys below limit and drops repetitions. tmp, of the same length, is scratch. The
// result is in one of the two slices.
func sortUnique(keys, tmp []uint64, limit uint64) []uint64 {
	const digit = 11
	var count [1 << digit]int
	for shift := uint(0); limit>>shift != 0; shift += digit {
		clear(count[:])
		for _, k := range keys {
			count[k>>shift&(1<<digit-1)]++
		}
		at := 0
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, k := range keys {
			d := k >> shift & (1<<digit - 1)
			tmp[count[d]] = k
			count[d]++
		}
		keys, tmp = tmp[:len(keys)], keys
	}
	return slices.Compact(keys)
}
