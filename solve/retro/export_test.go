package retro

// Damage makes the last block of the keys of every stage unreadable that has several, and returns
// the errors of all blocks, of per positions each, of a table.
func Damage(s *Solution, per int) (errs []error, err error) {
	of := s.results.(*stages)
	for _, st := range of.list {
		if st != nil && len(st.Sizes) > 1 {
			st.Sizes[len(st.Sizes)-1]++
		}
	}
	m, err := of.merger(true)
	for block := 0; err == nil && block*per < int(s.Positions()); block++ {
		errs = append(errs, m.block(block, per, func([]uint64, keySource) {}))
	}
	return errs, err
}
