//go:build (amd64 || arm64) && !purego

package table

// fetch asks for the cache line of p.
//
//go:noescape
func fetch(p *uint64)
