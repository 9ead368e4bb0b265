// Package retro solves games completely by working backwards from positions
// that are over.
package retro
