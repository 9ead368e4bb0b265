// How the computer chooses a move at a level, from what moves are worth. Where that
// is not known it goes by rules of thumb, among the moves that are not known to lose.

import { equal } from './text.js';

/**
 * The levels, weakest first. A level errs with the given probability; a mistake is
 * taken from the moves that are worse, the smaller ones more often. 'perfect' plays a
 * best move, as far as the values are known.
 */
export const LEVELS = [
  { name: 'random', about: 'any legal move', error: 1, even: true },
  { name: 'beginner', about: 'errs in half of its moves', error: 0.5 },
  { name: 'casual', about: 'errs in a quarter of its moves', error: 0.25 },
  { name: 'strong', about: 'errs in one move of fifteen', error: 1 / 15 },
  { name: 'perfect', about: 'plays the best move that is known', error: 0 },
];

/** The move that a level plays in a position that is not over; random() is in [0,1). */
export function choose(level, answer, board, random = Math.random) {
  const { error, even } = LEVELS.find((l) => l.name === level) ?? LEVELS[LEVELS.length - 1];
  const moves = ranked(answer, board);
  if (even) return moves[Math.floor(random() * moves.length)];
  const best = moves.filter((m) => m === moves[0] || (m.value !== 'open' && equal(m, moves[0])));
  const worse = moves.slice(best.length);
  if (worse.length > 0 && random() < error) {
    // Half of the mistakes are in the first fifth of what is worse, and so on.
    const at = Math.floor(-Math.log2(1 - random()) * worse.length / 5);
    return worse[Math.min(at, worse.length - 1)];
  }
  return best[Math.floor(random() * best.length)];
}

/** The moves, best first; those that are open among themselves by rules of thumb. */
function ranked({ moves, picture, seat }, board) {
  const open = moves.filter((m) => m.value === 'open' && m.path);
  if (open.length < 2) return moves;
  const mover = board.seats.findIndex((s) => s.name === seat);
  const worth = board.kind === 'grid' ? lines(board, picture.pieces, mover) : race(board, picture.pieces, mover);
  const guess = new Map(open.map((m) => [m, worth(m.path[0], m.path[m.path.length - 1])]));
  open.sort((a, b) => guess.get(b) - guess.get(a));
  let next = 0;
  return moves.map((m) => (guess.has(m) ? open[next++] : m));
}

/**
 * Chinese Checkers: how much nearer a move brings a piece to the free cell of the
 * goal that is farthest from home, pieces that are behind first.
 */
function race(board, pieces, mover) {
  const { home, goal } = board.seats[mover];
  const far = (a, b) => Math.hypot(board.cells[a].x - board.cells[b].x, board.cells[a].y - board.cells[b].y);
  const depth = (cell) => Math.min(...home.map((h) => far(h, cell)));
  const free = goal.filter((c) => pieces[c] !== mover);
  const target = free.sort((a, b) => depth(b) - depth(a))[0] ?? goal[0];
  return (from, to) => far(from, target) - far(to, target) + 0.05 * far(from, target);
}

/** m,n,k-games: the rows of either side that a stone lengthens or stops, long ones by far the most. */
function lines(board, pieces, mover) {
  const width = board.cells.findIndex((c, i) => i > 0 && c.y > board.cells[0].y);
  const cols = width < 0 ? board.cells.length : width;
  const rows = board.cells.length / cols;
  const run = (cell, dr, dc, side) => {
    let n = 0;
    for (let r = Math.floor(cell / cols) + dr, c = cell % cols + dc; r >= 0 && r < rows && c >= 0 && c < cols; r += dr, c += dc, n++) {
      if (pieces[r * cols + c] !== side) break;
    }
    return n;
  };
  return (cell) => {
    let sum = 0;
    for (const [dr, dc] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      for (const side of [mover, 1 - mover]) sum += (side === mover ? 1.2 : 1) * 8 ** (run(cell, dr, dc, side) + run(cell, -dr, -dc, side));
    }
    const middle = Math.hypot(Math.floor(cell / cols) - (rows - 1) / 2, cell % cols - (cols - 1) / 2);
    return sum - 0.1 * middle;
  };
}
