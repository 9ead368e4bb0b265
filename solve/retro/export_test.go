package retro

// InFiles are options for planes in files of the directory, of any size, with resident bytes of
// them in memory at once.
func InFiles(o Options, resident uint64) Options {
	o.Resident = resident
	return o
}
