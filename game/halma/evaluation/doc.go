// Package evaluation judges positions of Chinese Checkers on boards of any size and for any
// number of seats, for players: no value here is proved. Begin with [New].
//
// The cost of a seat is an estimate, in hundredths of a turn, of the turns that it still
// needs. It adds up, in integers and without allocation:
//
//   - race: for each piece its steps to the far corner of the goal; a step costs more
//     further back, since pieces behind the army find nothing to hop over, and more
//     aside of the axis, where there are fewer ladders;
//   - mobility: less for each forward hop that is possible now;
//   - stragglers: more for the distance of the last piece behind the average of its army;
//   - blockades: the nearer the army, the more for each piece of another seat in the
//     goal, above all for one that is shut in there: where all must come home, an army
//     that stands around such a piece cannot win.
//
// # Armies that have passed each other
//
// If no piece of another seat stands as near to the goal as the last piece of the seat to
// move, the rest is a crossing for one: [Evaluation.Finish] plans it. A beam over
// placements finds a short way, and a search by iterative deepening shows that there is no
// shorter one, as far as its nodes allow. It is assumed that the others stay away.
package evaluation
