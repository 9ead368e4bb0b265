// Package strong brings the rules of games and the engines that solve them
// completely together: it describes Chinese Checkers to the two-army solver,
// checks solved tables against the rules with the games' own move generators,
// and reproduces published counts.
package strong
