// A board of cells as SVG: stars, diamonds and grids. It draws positions and reports chosen
// cells; it knows neither rules nor the seat to move.

import { svg } from './dom.js';
import { toward } from './geometry.js';
import { token } from './text.js';

/** Pixels of the drawing for one unit of the board, and the radius of a hole in them. */
const UNIT = 60;
const RADIUS = 22;
const MARGIN = 14;

/** The same for boards with names of rows and columns at the edge, and the number of squares from which cells have no names. */
const NAMED = 40;
const MANY = 100;

/** The number of cells from which their names are too small on a phone. */
const LARGE = 60;

/**
 * A board in an SVG element. on.choose(cell) is called for a click, Enter or the
 * space bar, on.point(cell or −1) when pointer or focus comes over another cell, and
 * on.drag(from, to or −1) when a piece was dragged. One cell at a time is in the tab
 * order, from the start one that may be chosen; arrow keys go to the nearest such one.
 * A flipped board is turned by half a circle.
 */
export class CellBoard {
  constructor(root, board, on, flipped = false) {
    this.root = root;
    this.board = board;
    this.on = on;
    this.cursor = 0;
    this.places = board.cells.map(({ x, y }) => (flipped ? { x: (board.width - x) * UNIT, y: (board.height - y) * UNIT } : { x: x * UNIT, y: y * UNIT }));
    this.square = board.squares;
    this.many = this.square && board.cells.length > MANY;
    this.active = new Set();
    const margin = this.square ? 4 : MARGIN, top = this.square ? NAMED : margin;
    const width = board.width * UNIT + NAMED + margin, height = board.height * UNIT + top + margin;
    root.setAttribute('viewBox', `${-NAMED} ${-top} ${width} ${height}`);
    root.style.setProperty('--least', `${(width * 24) / UNIT}px`); // a finger finds 24 px
    root.style.setProperty('--ratio', width / height);
    root.style.setProperty('--most', `${Math.round(width * 1.75)}px`);
    root.setAttribute('class', `board ${board.squares ? 'grid' : 'holes'}${this.many ? ' many' : ''}${board.cells.length > LARGE ? ' large' : ''}`);
    this.ways = svg('g', { class: 'ways', 'aria-hidden': 'true' });
    this.cells = board.cells.map((c, i) => this.newCell(c, i));
    this.moveCursor(0);
    this.shown = '';
    this.future = svg('g', { class: 'ways', 'aria-hidden': 'true' });
    const marks = svg('g', { class: 'marks', 'aria-hidden': 'true' }, this.cells.map((c) => c.badge)); // what they say is in the labels of cells
    root.replaceChildren(this.ground(), this.names(), this.ways, svg('g', { class: 'cells' }, this.cells.map((c) => c.group)), marks, this.future);
    root.onkeydown = (e) => this.key(e);
    root.onpointerdown = (e) => this.grasp(e);
    root.onpointerleave = () => on.point(-1);
  }

  /** The board without pieces: its ground, the camps of the seats, the lines between neighbours. */
  ground() {
    const lines = (list) => list.map(([a, b]) => `M${this.places[a].x} ${this.places[a].y}L${this.places[b].x} ${this.places[b].y}`).join('');
    const edges = this.board.cells.flatMap((c, i) => (c.near ?? []).map((n) => [i, n]));
    const all = lines(edges);
    const g = svg('g', { class: 'ground', 'aria-hidden': 'true' });
    if (this.square) return g;
    // Strokes wide enough to run into each other make a ground with round corners.
    g.append(svg('path', { class: 'rim', d: all }), svg('path', { class: 'wood', d: all }));
    this.board.seats.forEach((seat) => {
      const home = new Set(seat.home ?? []);
      const inside = lines(edges.filter(([a, b]) => home.has(a) && home.has(b)));
      const dots = [...home].map((c) => `M${this.places[c].x} ${this.places[c].y}h0.01`).join('');
      g.append(svg('path', { class: `camp seat-${seat.name}`, d: inside + dots }));
    });
    this.board.seats.forEach((seat) => { // a goal is a rim of its seat's colour around another's camp
      const goal = new Set(seat.goal ?? []);
      if (goal.size === 0) return;
      const inside = lines(edges.filter(([a, b]) => goal.has(a) && goal.has(b)));
      const dots = [...goal].map((c) => `M${this.places[c].x} ${this.places[c].y}h0.01`).join('');
      g.insertBefore(svg('path', { class: `goal seat-${seat.name}`, d: inside + dots }), g.querySelector('.camp'));
    });
    g.append(svg('path', { class: 'edges', d: all }));
    return g;
  }

  /** Names of rows and columns beside a grid: the part that the names of all cells in line share. */
  names() {
    const g = svg('g', { class: 'names', 'aria-hidden': 'true', 'font-size': Math.min(24, 12 + this.board.cells.length / 10) });
    const lines = (axis) => [...Map.groupBy(this.board.cells.keys(), (i) => Math.round(this.places[i][axis] * 10)).values()];
    const shared = (cells, part) => {
      const all = new Set(cells.map((i) => part.exec(this.board.cells[i].name)?.[0]));
      return (all.size === 1 && all.values().next().value) || '';
    };
    const called = (list, parts) => parts.map((part) => list.map((cells) => shared(cells, part))).find((names) => {
      const named = names.filter(Boolean);
      return new Set(named).size === named.length && 2 * named.length > list.length;
    }) ?? list.map(() => '');
    const [letters, number] = [/^[a-z]+/i, /\d+$/];
    const rows = lines('y');
    called(rows, this.square ? [number, letters] : [letters, number]).forEach((name, i) => {
      const first = rows[i].reduce((a, b) => (this.places[b].x < this.places[a].x ? b : a));
      if (name) g.append(svg('text', { x: this.square ? -20 : this.places[first].x - UNIT / 2 - 26, y: this.places[first].y + 7 }, name));
    });
    const columns = this.square ? lines('x') : [];
    called(columns, [letters, number]).forEach((name, i) => { if (name) g.append(svg('text', { x: this.places[columns[i][0]].x, y: -10 }, name)); });
    return g;
  }

  /** Moves the piece at the end of a way along the way, unless the person wants no motion. */
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
    if (this.square) group.append(svg('rect', { class: 'square', x: -UNIT / 2, y: -UNIT / 2, width: UNIT, height: UNIT }));
    else group.append(svg('circle', { class: 'hit', r: UNIT / 2 }), svg('circle', { class: 'well', r: RADIUS }));
    const name = svg('text', { class: 'name', y: 4, 'aria-hidden': 'true' }, cell.name);
    const piece = svg('g', { class: 'piece', 'aria-hidden': 'true' });
    const badge = svg('g', { class: 'mark', transform: `translate(${x} ${y})`, 'data-mark': cell.name });
    group.append(name, piece);
    group.addEventListener('click', () => {
      this.moveCursor(i);
      this.on.choose(i);
    });
    group.addEventListener('pointerenter', () => this.on.point(i));
    group.addEventListener('focus', () => {
      this.moveCursor(i);
      this.on.point(i);
    });
    return { group, piece, badge, seat: '', stands: '', sign: '' };
  }

  /** A dragged piece follows the pointer; at the end the board reports both cells. */
  grasp(down) {
    const from = this.cells.findIndex((c) => c.group.contains(down.target));
    if (from < 0 || this.cells[from].seat === '' || !this.active.has(from) || down.button !== 0) return;
    const { piece } = this.cells[from];
    const scale = this.root.viewBox.baseVal.width / this.root.getBoundingClientRect().width;
    let far = false;
    const move = (e) => {
      const [dx, dy] = [(e.clientX - down.clientX) * scale, (e.clientY - down.clientY) * scale];
      far ||= Math.hypot(dx, dy) > RADIUS;
      if (far) piece.setAttribute('transform', `translate(${dx} ${dy})`);
    };
    const end = (e) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      piece.removeAttribute('transform');
      if (!far || e.type === 'pointercancel') return;
      const under = document.elementFromPoint(e.clientX, e.clientY)?.closest('[data-cell]');
      const to = this.cells.findIndex((c) => c.group === under);
      if (to !== from) this.on.drag(from, to);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }

  moveCursor(i) {
    if (this.cells.length === 0) return; // nothing is known of the board
    this.cells[this.cursor].group.setAttribute('tabindex', -1);
    this.cursor = i;
    this.cells[i].group.setAttribute('tabindex', 0);
  }

  key(e) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (way) {
      this.focus(toward(this.places, this.cursor, ...way, this.active));
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
   *   kinds     what the piece on each cell is, in a letter, where they are not alike
   *   marks     Map of cells to {cls, short, kind}: kind piece or target
   *   active    Set of cells that may be chosen
   *   selected  a cell or −1
   *   way       cells of the move that is pointed at, or null
   *   line      of moves that may follow: {cells, seat}, or []
   *   threat    {seat, cells} or null
   *   last      cells of the last move, or null
   *   won       cells that won, or []
   *   label     (cell) => what a screen reader says of it
   */
  update({ pieces, kinds, marks, active, selected, way, line, threat, last, won, label }) {
    const lit = new Set(won), trail = new Set(last ?? []);
    this.active = active;
    if (active.size > 0 && !active.has(this.cursor) && !this.root.contains(document.activeElement)) this.moveCursor(Math.min(...active));
    this.cells.forEach((cell, i) => {
      const seat = pieces[i] < 0 ? '' : this.board.seats[pieces[i]].name;
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
      const stands = `${seat} ${kinds?.[i] ?? ''}`;
      if (stands !== cell.stands) {
        [cell.seat, cell.stands] = [seat, stands];
        cell.piece.replaceChildren(...(seat ? this.piece(this.board.seats[pieces[i]], kinds?.[i]) : []));
      }
      const sign = m ? `${m.kind} ${m.cls} ${m.short}` : '';
      if (sign !== cell.sign) {
        cell.sign = sign;
        cell.badge.setAttribute('class', `mark ${m?.cls ?? ''}`);
        cell.badge.replaceChildren(...(m ? badge(m, this.square) : []));
      }
    });
    this.travel(last);
    this.ways.replaceChildren(...(last && !this.square ? this.way(last, 'last') : []), ...(way ? this.way(way, 'hover') : []));
    this.future.replaceChildren(...(threat ? threat.cells.filter((c) => pieces[c] < 0).map((c) => this.threat(c, threat.seat)) : []), ...line.flatMap((m, i) => this.ahead(m, i, marks.has(m.cells.at(-1)))));
  }

  /** A piece of a seat: a cross, a ring, or a disc with its kind, or the seat's name or number. */
  piece({ name, sign }, kind) {
    if (sign === 'cross') return [svg('path', { class: 'stroke', d: 'M-14 -14L14 14M14 -14L-14 14' })];
    if (sign === 'ring') return [svg('circle', { class: 'stroke', r: 15.5 })];
    return [
      svg('circle', { class: 'disc', r: RADIUS - 1.5 }),
      svg('path', { class: 'shine', d: 'M-13 -7A15 15 0 0 1 9 -12' }),
      svg('text', { class: 'number', y: 8 }, kind || token(name, this.board.seats.map((s) => s.name))),
    ];
  }

  /** A cell of a threat. */
  threat(cell, seat) {
    const { x, y } = this.places[cell];
    const half = UNIT / 2 - 3;
    return this.square ? svg('rect', { class: `threat seat-${seat}`, x: x - half, y: y - half, width: 2 * half, height: 2 * half })
      : svg('circle', { class: `threat seat-${seat}`, cx: x, cy: y, r: RADIUS });
  }

  /** The n-th move of a likely line: an arrow, or its number on the cell. */
  ahead({ cells, seat }, n, marked) {
    const [from, to] = [this.places[cells[0]], this.places[cells.at(-1)]];
    if (cells.length < 2) {
      const [x, y, r] = marked ? [to.x - UNIT / 2 + 9, to.y - UNIT / 2 + 9, 12] : [to.x, to.y, 17];
      return [svg('circle', { class: `ahead-spot seat-${seat}`, cx: x, cy: y, r }),
        svg('text', { class: `ahead-n seat-${seat}`, x, y: y + r / 2, 'font-size': 1.3 * r }, String(n + 1))];
    }
    const [dx, dy] = [to.x - from.x, to.y - from.y], length = Math.hypot(dx, dy), [ux, uy] = [dx / length, dy / length];
    const tip = { x: to.x - ux * 8, y: to.y - uy * 8 }, back = { x: tip.x - ux * 16, y: tip.y - uy * 16 };
    return [svg('path', {
      class: `ahead seat-${seat}`, 'data-n': n + 1,
      d: `M${from.x + ux * RADIUS} ${from.y + uy * RADIUS}L${back.x} ${back.y}M${tip.x} ${tip.y}L${back.x - uy * 9} ${back.y + ux * 9}L${back.x + uy * 9} ${back.y - ux * 9}Z`,
    })];
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
function badge({ short: long, brief, kind }, small) {
  const short = brief ?? long;
  if (kind === 'target') {
    return [svg('circle', { class: 'ring', r: small ? RADIUS + 2 : RADIUS - 1 }), svg('text', { class: 'worth', y: small ? 8 : 6, 'data-length': short.length }, short)];
  }
  const width = 12 + 9.5 * short.length;
  return [
    svg('rect', { class: 'flag', x: 15 - width / 2, y: -31, width, height: 19, rx: 9.5 }),
    svg('text', { class: 'worth small', x: 15, y: -16.5 }, short),
  ];
}
