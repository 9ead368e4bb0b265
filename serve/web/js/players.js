// How the computer chooses a move at a level, from what moves are worth. The levels
// are those of package player; what a position is worth where nobody knows is guessed
// by rules of thumb that are simpler than the games' own.

/** The levels that the page offers, weakest first. There are more: see isLevel. */
export const LEVELS = [
  { name: 'random', label: 'random', about: 'any legal move' },
  { name: 'errs-50', label: 'errs in 50 %', about: 'any legal move half of the time, else as perfect' },
  { name: 'depth-1', label: 'sees 1 ply', about: 'wins at once where it can, else goes by rules of thumb' },
  { name: 'depth-2', label: 'sees 2 plies', about: 'sees wins and losses within 2 plies, else goes by rules of thumb' },
  { name: 'errs-25', label: 'errs in 25 %', about: 'any legal move in a quarter of its turns, else as perfect' },
  { name: 'depth-6', label: 'sees 6 plies', about: 'sees wins and losses within 6 plies, else goes by rules of thumb' },
  { name: 'errs-10', label: 'errs in 10 %', about: 'any legal move in a tenth of its turns, else as perfect' },
  { name: 'perfect', label: 'perfect', about: 'a best move wherever it is known, else by rules of thumb what is not known to lose' },
];

/** Whether a level of that name is known: random, perfect, depth-N and errs-P with N and P from 1 to 99. */
export function isLevel(name) {
  return /^(random|perfect|(depth|errs)-[1-9]\d?)$/.test(name);
}

/** The move that a level plays in a position that is not over; random() is in [0,1). */
export function choose(level, answer, board, random = Math.random) {
  const { moves } = answer;
  const [kind, number] = level.split('-');
  if (kind === 'random' || (kind === 'errs' && 100 * random() < +number)) return moves[Math.floor(random() * moves.length)];
  const merit = merits(answer, board, kind === 'depth' ? +number : Infinity);
  const most = Math.max(...moves.map(merit));
  const best = moves.filter((m) => merit(m) === most);
  return best[Math.floor(random() * best.length)];
}

/** The bands of what is proved: wins above what is open, losses below. */
const BAND = 1e9, FAR = 1e6;

/** Returns the merit of moves for who sees so many plies: what is proved, then a guess. */
function merits({ value, picture, seat }, board, depth) {
  const mover = board.seats.findIndex((s) => s.name === seat);
  const guess = { grid: rows, table: pips }[board.kind]?.(board, picture.pieces, mover) ?? race(board, picture.pieces, mover);
  return (m) => {
    const far = m.score != null ? FAR - Math.abs(m.score) : m.distance ?? FAR;
    const sees = m.final && far <= (depth === Infinity ? FAR : depth);
    if (sees && m.value === 'win') return 2 * BAND - far;
    if (sees && m.value === 'loss') return -BAND + (m.score != null ? FAR + m.score : far);
    // A draw that is known is better than what is open, if there is nothing better.
    const band = sees && m.value === 'draw' && value === 'draw' ? 4 : { [seat]: 2, '': 1 }[m.winner ?? ''] ?? 0;
    return band * BAND / 8 + guess(m);
  };
}

/** Dominoes: the pips that a tile takes from the hand. */
function pips() {
  return ({ tile }) => (tile ? +tile[0] + +tile[2] : 0);
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
  return ({ path }) => {
    if (!path) return 0;
    const [from, to] = [path[0], path[path.length - 1]];
    return far(from, target) - far(to, target) + 0.05 * far(from, target);
  };
}

/** m,n,k-games: the rows of either side that a stone lengthens or stops, long ones by far the most. */
function rows(board, pieces, mover) {
  const width = board.cells.findIndex((c, i) => i > 0 && c.y > board.cells[0].y);
  const cols = width < 0 ? board.cells.length : width;
  const height = board.cells.length / cols;
  const run = (cell, dr, dc, side) => {
    let n = 0;
    for (let r = Math.floor(cell / cols) + dr, c = cell % cols + dc; r >= 0 && r < height && c >= 0 && c < cols; r += dr, c += dc, n++) {
      if (pieces[r * cols + c] !== side) break;
    }
    return n;
  };
  return ({ path: [cell] }) => {
    let sum = 0;
    for (const [dr, dc] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      for (const side of [mover, 1 - mover]) sum += (side === mover ? 1.2 : 1) * 8 ** (run(cell, dr, dc, side) + run(cell, -dr, -dc, side));
    }
    const middle = Math.hypot(Math.floor(cell / cols) - (height - 1) / 2, cell % cols - (cols - 1) / 2);
    return sum - 0.1 * middle;
  };
}
