package retro

// InFiles are options for planes in files of the directory, with so many bytes of them in
// memory at once, however small they are.
func (o Options) InFiles(resident uint64) Options {
	o.resident = resident
	return o
}
