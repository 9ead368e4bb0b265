// Package match lets players of m,n,k-games meet. [Match].Run plays the games of
// two players on many boards, one after the other, and returns a [Record] of each;
// [Open] gives it a journal, so that a match that ended early goes on where it
// stopped. [Tally] counts the records from a player's side, and [Play] plays a
// single game.
//
// Points are those of the tournament that the published players were written for,
// see [Played.Points].
package match
