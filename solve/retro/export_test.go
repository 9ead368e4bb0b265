package retro

// InFiles are options for planes in files of the directory, with so many bytes of them in
// memory at once, however small they are.
func InFiles(o Options, resident uint64) Options {
	o.Resident = resident
	return o
}
