// Package players plays block dominoes: [ByName] finds a kind of player, [Play] plays one deal,
// [Terms] a match. Players see only the public facts and their own hand, except minimax, which sees
// both hands.
package players
