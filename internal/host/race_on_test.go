//go:build race

package host

const race = true
