//go:build !race

package host

const race = false
