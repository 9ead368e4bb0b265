// Package halma holds the rules of Chinese Checkers (Sternhalma): boards, seats,
// rule sets, move generation, keys, notation. It knows no search.
package halma
