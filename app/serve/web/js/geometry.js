// Ids of boards, and what the page works out from the places of cells: where an
// arrow key leads, and the text of a position that is set up by hand. Everything
// else about boards (places, camps, names, ways of hops) comes from the service.

/** Stars by their holes: the number of pieces that a tip holds, the most that a seat can have. */
export const STARS = { 13: 1, 37: 3, 73: 6, 121: 10 };

/**
 * What an id says about its board, or null where it names none:
 * {kind: 'star', holes, pieces, seats}, {kind: 'diamond', n, pieces, seats},
 * {kind: 'grid', rows, cols, k} or {kind: 'table'}.
 */
export function parseID(id) {
  let m = /^halma-star(\d+)(?:p(\d+))?-(\d)p$/.exec(id);
  if (m) return { kind: 'star', holes: +m[1], pieces: +(m[2] ?? STARS[m[1]]), seats: +m[3] };
  m = /^halma-(\d+)x\1p(\d+)(-1p)?$/.exec(id);
  if (m) return { kind: 'diamond', n: +m[1], pieces: +m[2], seats: m[3] ? 1 : 2 };
  m = /^mnk-(\d+)x(\d+)k(\d+)$/.exec(id);
  if (m) return { kind: 'grid', rows: +m[1], cols: +m[2], k: +m[3] };
  return id === 'domino' ? { kind: 'table' } : null;
}

/** The id that parseID reads as the given board. */
export function formatID(b) {
  switch (b.kind) {
    case 'star': return `halma-star${b.holes}${b.pieces < STARS[b.holes] ? `p${b.pieces}` : ''}-${b.seats}p`;
    case 'diamond': return `halma-${b.n}x${b.n}p${b.pieces}${b.seats === 1 ? '-1p' : ''}`;
    case 'grid': return `mnk-${b.rows}x${b.cols}k${b.k}`;
    default: return 'domino';
  }
}

/** The cell nearest to another in a direction of the screen, or that cell itself where there is none. */
export function toward(cells, from, dx, dy) {
  let best = from, least = Infinity;
  cells.forEach((c, i) => {
    const along = (c.x - cells[from].x) * dx + (c.y - cells[from].y) * dy;
    const aside = Math.abs((c.x - cells[from].x) * dy - (c.y - cells[from].y) * dx);
    if (along < 1e-6 || aside > 1.8 * along) return;
    const cost = along + 1.6 * aside;
    if (cost < least - 1e-6) [best, least] = [i, cost];
  });
  return best;
}

/**
 * A position as text: rows from the top with dots between them. pieces[i] is the
 * name of the seat on cell i or ''. On stars and diamonds the seat to move follows;
 * on grids it is told by the number of stones.
 */
export function positionText(board, pieces, seat) {
  const rows = [];
  board.cells.forEach((c, i) => {
    if (i === 0 || Math.abs(c.y - board.cells[i - 1].y) > 1e-6) rows.push([]);
    rows[rows.length - 1].push(pieces[i]);
  });
  if (board.kind !== 'grid') return rows.map((row) => row.map((s) => s || '_').join('')).join('.') + '-' + seat;
  return rows.map((row) => {
    let line = '';
    for (let i = 0; i < row.length;) {
      let n = 0;
      while (i + n < row.length && !row[i + n]) n++;
      line += n || row[i];
      i += n || 1;
    }
    return line;
  }).join('.');
}
