// The chart of a game: who wins after every ply and how far the end is. A point
// near the upper edge is a win of the first seat soon, one near the lower edge a win
// of another; the middle line is a draw, and what is not known leaves a gap.

import { svg } from './dom.js';
import { seatWord } from './text.js';

const HEIGHT = 112, MIDDLE = 56, EDGE = 9;

/**
 * Draws the chart into an element. points[i] is the standing after ply i or null:
 * {winner, draw, distance, score, words}; winner is a seat's name, distance the
 * plies to the end. Where a game has scores, they are drawn in place of distances. onPick(i) is called for a click.
 */
export function drawChart(element, { points, seats, at, onPick }) {
  element.replaceChildren();
  const step = Math.max(9, Math.min(30, 560 / Math.max(points.length, 1)));
  const width = Math.max(element.clientWidth - 2, 24 + step * points.length);
  const far = Math.max(1, ...points.map((p) => p?.distance ?? 0));
  const most = Math.max(1, ...points.map((p) => Math.abs(p?.score ?? 0)));
  const x = (i) => 16 + step * i;
  const y = (p) => {
    if (p.draw || p.winner == null) return MIDDLE;
    const height = (MIDDLE - EDGE) * (p.score != null ? Math.abs(p.score) / most : 1 - 0.82 * (p.distance ?? far) / far);
    return p.winner === seats[0] ? MIDDLE - height : MIDDLE + height;
  };
  const root = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'group', 'aria-label': 'Value and distance along the game' });
  root.append(svg('line', { class: 'axis', x1: 4, x2: width - 4, y1: MIDDLE, y2: MIDDLE }));
  const path = [];
  points.forEach((p, i) => p && path.push(`${points[i - 1] ? 'L' : 'M'}${x(i)} ${y(p)}`));
  root.append(svg('path', { class: 'course', d: path.join('') || 'M0 0' }));
  points.forEach((p, i) => {
    const g = svg('g', { class: `point${i === at ? ' here' : ''}`, 'data-ply': i });
    g.append(svg('rect', { x: x(i) - step / 2, y: 0, width: step, height: HEIGHT, class: 'catch' }));
    if (p) {
      const seat = p.winner == null ? 'none' : p.winner;
      g.append(svg('circle', { cx: x(i), cy: y(p), r: i === at ? 6 : 4, class: `dot seat-${seat}` }));
    } else {
      g.append(svg('circle', { cx: x(i), cy: MIDDLE, r: i === at ? 4 : 2, class: 'dot open' }));
    }
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
