// A board of cells as SVG: stars, diamonds and grids. It draws what it is told and
// says which cell was chosen; it knows neither rules nor whose turn it is.

import { svg } from './dom.js';
import { toward } from './geometry.js';

/** Pixels of the drawing for one unit of the board, and the radius of a hole in them. */
const UNIT = 60;
const RADIUS = 22;
const MARGIN = 14;

/** The same where rows and columns have names at the edge, and from how many cells on they have. */
const NAMED = 44;
const MANY = 100;

/**
 * A board in an SVG element. on.choose(cell) is called for a click, Enter or the
 * space bar, on.point(cell or −1) when pointer or focus comes over another cell.
 * One cell at a time is in the tab order; arrow keys go to its neighbours.
 */
export class CellBoard {
  constructor(root, board, on) {
    this.root = root;
    this.board = board;
    this.on = on;
    this.seats = board.seats.map((s) => s.name);
    this.cursor = 0;
    this.places = board.cells.map((c) => ({ x: c.x * UNIT, y: c.y * UNIT }));
    this.many = board.cells.length > MANY;
    const margin = this.many ? NAMED : MARGIN;
    const width = board.width * UNIT + 2 * margin, height = board.height * UNIT + 2 * margin;
    root.setAttribute('viewBox', `${-margin} ${-margin} ${width} ${height}`);
    root.style.setProperty('--least', `${Math.round(board.width * 26)}px`); // a finger finds 24 px
    root.style.setProperty('--ratio', width / height);
    root.style.setProperty('--most', `${Math.round(width * 1.75)}px`);
    root.setAttribute('class', `board ${board.kind}${this.many ? ' many' : ''}`);
    this.ways = svg('g', { class: 'ways', 'aria-hidden': 'true' });
    this.cells = board.cells.map((c, i) => this.newCell(c, i));
    this.moveCursor(0);
    this.shown = '';
    root.replaceChildren(this.ground(), this.names(), this.ways, svg('g', { class: 'cells' }, this.cells.map((c) => c.group)));
    root.onkeydown = (e) => this.key(e);
    root.onpointerleave = () => on.point(-1);
  }

  /** The board without pieces: its ground, the camps of the seats, the lines between neighbours. */
  ground() {
    const lines = (list) => list.map(([a, b]) => `M${this.places[a].x} ${this.places[a].y}L${this.places[b].x} ${this.places[b].y}`).join('');
    const edges = this.board.cells.flatMap((c, i) => (c.near ?? []).map((n) => [i, n]));
    const all = lines(edges);
    const g = svg('g', { class: 'ground', 'aria-hidden': 'true' });
    if (this.board.kind === 'grid') return g;
    // Strokes wide enough to run into each other make a ground with round corners.
    g.append(svg('path', { class: 'rim', d: all }), svg('path', { class: 'wood', d: all }));
    this.board.seats.forEach((seat) => {
      const home = new Set(seat.home ?? []);
      const inside = lines(edges.filter(([a, b]) => home.has(a) && home.has(b)));
      const dots = [...home].map((c) => `M${this.places[c].x} ${this.places[c].y}h0.01`).join('');
      g.append(svg('path', { class: `camp seat-${seat.name}`, d: inside + dots }));
    });
    g.append(svg('path', { class: 'edges', d: all }));
    return g;
  }

  /** Names of rows and columns beside large boards: what the names of all cells in line have in common. */
  names() {
    const g = svg('g', { class: 'names', 'aria-hidden': 'true' });
    if (!this.many) return g;
    const lines = (axis) => Map.groupBy(this.board.cells.keys(), (i) => Math.round(this.places[i][axis] * 10));
    const shared = (cells) => [/^[a-z]+/i, /\d+$/].map((part) => new Set(cells.map((i) => part.exec(this.board.cells[i].name)?.[0])))
      .find((s) => s.size === 1)?.values().next().value ?? '';
    for (const cells of lines('y').values()) {
      const first = cells.reduce((a, b) => (this.places[b].x < this.places[a].x ? b : a));
      g.append(svg('text', { x: this.places[first].x - UNIT / 2 - 24, y: this.places[first].y + 7 }, shared(cells)));
    }
    if (this.board.kind === 'grid') for (const cells of lines('x').values()) g.append(svg('text', { x: this.places[cells[0]].x, y: -10 }, shared(cells)));
    return g;
  }

  /** Lets a piece that has come to the end of a way go along it, unless motion is not wanted. */
  travel(cells) {
    const key = cells?.join() ?? '';
    if (key === this.shown) return;
    this.shown = key;
    if (key === '' || cells.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const end = this.places[cells.at(-1)];
    const steps = cells.map((c) => ({ transform: `translate(${this.places[c].x - end.x}px, ${this.places[c].y - end.y}px)` }));
    this.cells[cells.at(-1)].piece.animate(steps, { duration: Math.min(900, 170 * (cells.length - 1)), easing: 'ease-in-out' });
  }

  newCell(cell, i) {
    const { x, y } = this.places[i];
    const group = svg('g', { class: 'cell', role: 'button', tabindex: -1, transform: `translate(${x} ${y})`, 'data-cell': cell.name });
    if (this.board.kind === 'grid') group.append(svg('rect', { class: 'square', x: -UNIT / 2, y: -UNIT / 2, width: UNIT, height: UNIT }));
    else group.append(svg('circle', { class: 'well', r: RADIUS }));
    const name = svg('text', { class: 'name', y: 4 }, cell.name);
    const piece = svg('g', { class: 'piece' });
    const badge = svg('g', { class: 'mark' });
    group.append(name, piece, badge);
    group.addEventListener('click', () => {
      this.moveCursor(i);
      this.on.choose(i);
    });
    group.addEventListener('pointerenter', () => this.on.point(i));
    group.addEventListener('focus', () => {
      this.moveCursor(i);
      this.on.point(i);
    });
    return { group, piece, badge, seat: '', sign: '' };
  }

  moveCursor(i) {
    this.cells[this.cursor].group.setAttribute('tabindex', -1);
    this.cursor = i;
    this.cells[i].group.setAttribute('tabindex', 0);
  }

  key(e) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (way) {
      this.focus(toward(this.board.cells, this.cursor, ...way));
    } else if (e.key === 'Enter' || e.key === ' ') {
      this.on.choose(this.cursor);
    } else {
      return;
    }
    e.preventDefault();
    e.stopPropagation();
  }

  /** Puts the keyboard focus on a cell. */
  focus(i) {
    this.moveCursor(i);
    this.cells[i].group.focus();
  }

  /**
   * Shows a position:
   *   pieces    the seat's index or −1 on each cell
   *   marks     Map of cells to {cls, short, kind}: kind piece or target
   *   active    Set of cells that may be chosen
   *   selected  a cell or −1
   *   way       cells of the move that is pointed at, or null
   *   last      cells of the last move, or null
   *   won       cells that won, or []
   *   label     (cell) => what a screen reader says of it
   */
  update({ pieces, marks, active, selected, way, last, won, label }) {
    const lit = new Set(won), trail = new Set(last ?? []);
    this.cells.forEach((cell, i) => {
      const seat = pieces[i] < 0 ? '' : this.seats[pieces[i]];
      const m = marks.get(i);
      const names = ['cell'];
      if (seat) names.push('taken', `seat-${seat}`);
      if (active.has(i)) names.push('active');
      if (i === selected) names.push('selected');
      if (m?.kind === 'target') names.push('target');
      if (lit.has(i)) names.push('won');
      if (trail.has(i)) names.push(last[last.length - 1] === i ? 'arrived' : 'left');
      cell.group.setAttribute('class', names.join(' '));
      cell.group.setAttribute('aria-label', label(i));
      cell.group.setAttribute('aria-disabled', !active.has(i));
      if (i === selected) cell.group.setAttribute('aria-pressed', 'true');
      else cell.group.removeAttribute('aria-pressed');
      if (seat !== cell.seat) {
        cell.seat = seat;
        cell.piece.replaceChildren(...(seat ? this.piece(seat) : []));
      }
      const sign = m ? `${m.kind} ${m.cls} ${m.short}` : '';
      if (sign !== cell.sign) {
        cell.sign = sign;
        cell.badge.setAttribute('class', `mark ${m?.cls ?? ''}`);
        cell.badge.replaceChildren(...(m ? badge(m, this.board.kind === 'grid') : []));
      }
    });
    this.travel(last);
    this.ways.replaceChildren(...(last && this.board.kind !== 'grid' ? this.way(last, 'last') : []), ...(way ? this.way(way, 'hover') : []));
  }

  /** A piece: a disc with the seat's number, a cross or a ring. */
  piece(seat) {
    if (seat === 'x') return [svg('path', { class: 'stroke', d: 'M-14 -14L14 14M14 -14L-14 14' })];
    if (seat === 'o') return [svg('circle', { class: 'stroke', r: 15.5 })];
    return [
      svg('circle', { class: 'disc', r: RADIUS - 1.5 }),
      svg('path', { class: 'shine', d: 'M-13 -7A15 15 0 0 1 9 -12' }),
      svg('text', { class: 'number', y: 8 }, seat),
    ];
  }

  /** The cells of a move as a line with a dot for each landing. */
  way(cells, kind) {
    if (cells.length < 2) return [];
    const at = cells.map((c) => this.places[c]);
    const line = svg('path', { class: `way ${kind}`, d: 'M' + at.map((p) => `${p.x} ${p.y}`).join('L') });
    return [line, ...at.slice(1, -1).map((p) => svg('circle', { class: `landing ${kind}`, cx: p.x, cy: p.y, r: 6 }))];
  }
}

/** The mark of a value: on a target in its hole, on a piece at its upper right. */
function badge({ short, kind }, small) {
  if (kind === 'target') {
    return [svg('circle', { class: 'ring', r: small ? RADIUS - 5 : RADIUS - 1 }), svg('text', { class: 'worth', y: 6, 'data-length': short.length }, short)];
  }
  const width = 12 + 9.5 * short.length;
  return [
    svg('rect', { class: 'flag', x: 15 - width / 2, y: -31, width, height: 19, rx: 9.5 }),
    svg('text', { class: 'worth small', x: 15, y: -16.5 }, short),
  ];
}
