// Package evaluation estimates positions of Chinese Checkers, for players: nothing here is
// proved.
//
// The cost of a seat is an estimate, in hundredths of a turn, of the turns that it still needs.
// It is the sum of
//
//   - race: for each piece its steps to the far corner of the goal; a step costs more further
//     back, since pieces behind the army find nothing to hop over, and more aside of the axis,
//     where there are fewer ladders;
//   - mobility: less for each forward hop that is possible now;
//   - stragglers: more for the distance of the last piece behind the average of its army;
//   - blockades: the nearer the army, the more for each piece of another seat in the goal,
//     above all for one that cannot leave it.
//
// # Armies that have passed each other
//
// If no piece of another seat stands as near to the goal as the last piece of the seat to move,
// the rest is a crossing of one army: [Evaluation.Finish] plans it, as if the others stayed
// away. A beam search finds a short way, and iterative deepening looks for a shorter one, as far
// as its nodes allow.
package evaluation
