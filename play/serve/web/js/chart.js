// The chart of a game: winner and plies to the end after every ply. The upper edge is a win of
// the first seat at once, the lower edge a win of another; the middle line is a draw. Where
// nothing is proved a small point is an estimate.

import { svg } from './dom.js';
import { seatWord } from './text.js';

const HEIGHT = 128, MIDDLE = 64, EDGE = 10, LEFT = 34;

/** The distance of the longest wins from the middle line, as a part of the height. */
const FAR = 0.26;

/**
 * Draws the chart into an element. points[i] is the standing after ply i or null:
 * {winner, draw, distance, score, words}, or an estimate {share, words} of the first seat;
 * winner is a seat's name, distance the plies to the end. Where a game has scores, they
 * are drawn in place of distances. onPick(i) is called for a click.
 */
export function drawChart(element, { points, seats, at, onPick }) {
  element.replaceChildren();
  const step = Math.max(9, Math.min(30, 560 / Math.max(points.length, 1)));
  const width = Math.max(element.clientWidth - 2, LEFT + 8 + step * points.length);
  const scored = points.some((p) => p?.score != null);
  const far = Math.max(1, ...points.map((p) => p?.distance ?? 0));
  const most = Math.max(1, ...points.map((p) => Math.abs(p?.score ?? 0)));
  const x = (i) => LEFT + 10 + step * i;
  const height = (part) => (MIDDLE - EDGE) * part;
  const near = (plies) => 1 - (1 - FAR) * plies / far;
  const y = (p) => {
    if (p.share != null) return MIDDLE - height(2 * p.share - 1);
    if (p.draw || p.winner == null) return MIDDLE;
    const h = height(p.score != null ? Math.abs(p.score) / most : near(p.distance ?? far));
    return p.winner === seats[0] ? MIDDLE - h : MIDDLE + h;
  };
  const root = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'group', 'aria-label': 'Value and distance along the game' });
  root.append(...scale({ scored, far, most, near, height, width, known: points.some((p) => p && p.share == null) }));
  const path = [];
  points.forEach((p, i) => p && path.push(`${points[i - 1] ? 'L' : 'M'}${x(i)} ${y(p)}`));
  root.append(svg('path', { class: 'course', d: path.join('') || 'M0 0' }));
  points.forEach((p, i) => {
    const g = svg('g', { class: `point${i === at ? ' here' : ''}`, 'data-ply': i });
    g.append(svg('rect', { x: x(i) - step / 2, y: 0, width: step, height: HEIGHT, class: 'catch' }));
    const open = !p || p.share != null;
    g.append(svg('circle', { cx: x(i), cy: p ? y(p) : MIDDLE, r: i === at ? 6 : open ? 3 : 4, class: open ? `dot open${p ? ' guess' : ''}` : `dot seat-${p.winner ?? 'none'}` }));
    g.append(svg('title', {}, `after ply ${i}: ${p ? p.words : 'not known'}`));
    g.addEventListener('click', () => onPick(i));
    root.append(g);
  });
  const [above, below] = element.parentElement.querySelectorAll('.end');
  [above.className, above.textContent] = [`end seat-${seats[0]}`, `${seatWord(seats[0])} wins`];
  if (seats.length === 1) [above.className, above.textContent] = ['end', 'at the goal'];
  [below.className, below.textContent] = [`end seat-${seats.length === 2 ? seats[1] : 'none'}`, seats.length === 2 ? `${seatWord(seats[1])} wins` : seats.length === 1 ? '' : 'another seat wins'];
  element.append(root);
  const here = x(at);
  if (here < element.scrollLeft || here > element.scrollLeft + element.clientWidth) element.scrollLeft = here - element.clientWidth / 2;
}

/** Lines with numbers: plies to the end, or points; the same above and below the middle. */
function scale({ scored, far, most, near, height, width, known }) {
  const lines = [[0, known ? '=' : '']];
  if (known) for (const n of scored ? [most] : far > 5 ? [0, Math.round(far / 2), far] : [0, far]) lines.push([scored ? n / most : near(n), String(n)]);
  return lines.flatMap(([part, text]) => (part === 0 ? [MIDDLE] : [MIDDLE - height(part), MIDDLE + height(part)]).flatMap((y) => [
    svg('line', { class: part === 0 ? 'axis' : 'grid-line', x1: LEFT, x2: width - 4, y1: y, y2: y }),
    svg('text', { class: 'scale', x: LEFT - 6, y: y + 4 }, text)]));
}
