// Package match lets two players of any game meet, in games of two seats or more.
// [Match].Run plays pairs of games, each pair from one opening with the players'
// seats exchanged, and returns a [Record] of each game; [Open] gives it a journal,
// from which a stopped match continues. [Standing] sums up the
// records as points and a difference in Elo with its bounds.
//
// With more than two seats each player has several: the divisions of the seats into
// halves that differ by at most one come in turn, each with its exchange. A player
// scores a point if one of its seats wins.
package match
