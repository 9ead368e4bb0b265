// The table of block dominoes: both hands, open, and the row of tiles between them.

import { html, svg } from './dom.js';
import { count, seatWord } from './text.js';

/** The places of the pips of a number on a face of 3×3. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** A tile that shows only its back. */
const BACK = '?|?';

/**
 * A table in an element. on.choose(tile) is called for a tile of a hand, on.end(end)
 * for an end of the row ('left' or 'right'), on.point(tile or '') for the tile
 * under pointer or focus.
 */
export class Table {
  constructor(root, board, on) {
    this.root = root;
    this.on = on;
    this.seats = board.seats.map((s) => s.name);
    root.className = 'dominoes';
  }

  /**
   * Shows a position:
   *   hands     tiles of each seat
   *   row       tiles played, as they lie, left to right; ends: the numbers at its ends or null
   *   mover     index of the seat to move, −1 when the game is over
   *   marks     Map of tiles to {cls, short}
   *   active    Set of tiles that may be chosen
   *   selected  a tile that waits for an end, or ''; ends marked by endMarks {left, right}
   *   last      the tile played last, or ''
   *   label     (tile, seat) => what a screen reader says of it
   */
  update({ hands, row, ends, mover, marks, active, selected, endMarks, last, label }) {
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const hand = (seat) => html('section', { class: `hand seat-${this.seats[seat]}${seat === mover ? ' turn' : ''}`, 'aria-label': `hand of ${this.seats[seat]}` },
      html('h2', {}, seatWord(this.seats[seat]), html('span', { class: 'pips' }, hands[seat].includes(BACK) ? count(hands[seat].length, 'tile') : `${hands[seat].reduce((n, t) => n + +t[0] + +t[2], 0)} pips`)),
      html('div', { class: 'tiles' }, hands[seat].map((tile) => this.tile(tile, seat, { marks, active, selected, label })),
        hands[seat].length === 0 ? html('span', { class: 'none' }, 'no tiles left') : null));
    this.root.replaceChildren(
      hand(1),
      html('section', { class: 'row', 'aria-label': ends ? `the row, ends ${ends[0]} and ${ends[1]}` : 'the row, empty' }, this.row({ row, ends, selected, endMarks, last })),
      hand(0),
    );
    if (focused) this.root.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  tile(tile, seat, { marks, active, selected, label }) {
    const m = marks.get(tile);
    const on = active.has(tile) && (!m || m.seat === undefined || m.seat === seat);
    return html('button', {
      class: `tile${on ? ' active' : ''}${tile === selected ? ' selected' : ''}`, 'data-key': tile, 'data-tile': tile,
      'aria-label': `${label(tile, seat)}${m ? `, ${m.short}` : ''}`, 'aria-disabled': !on, 'aria-pressed': tile === selected ? 'true' : undefined,
      onclick: () => this.on.choose(tile, seat), onpointerenter: () => this.on.point(tile), onpointerleave: () => this.on.point(''),
    }, drawTile(tile, true), m ? html('span', { class: `worth ${m.cls}` }, m.short) : null);
  }

  row({ row, ends, selected, endMarks, last }) {
    if (!ends) return [html('p', { class: 'none' }, 'The highest double begins.')];
    const end = (side, number) => html('button', {
      class: `end${selected ? ' active' : ''}`, 'data-key': side, 'data-end': side, disabled: !selected,
      'aria-label': `${side} end, number ${number}${endMarks?.[side] ? `: ${endMarks[side].words}` : ''}`, onclick: () => this.on.end(side),
    }, String(number), endMarks?.[side] ? html('span', { class: `worth ${endMarks[side].cls}` }, endMarks[side].short) : null);
    const tiles = (row ?? []).map((tile) => html('span', {
      class: `tile lying${tile === last || turned(tile) === last ? ' arrived' : ''}`, role: 'img', 'aria-label': tile,
    }, drawTile(tile, tile[0] === tile[2])));
    return [end('left', ends[0]), ...tiles, end('right', ends[1])];
  }
}

/** A tile with its numbers exchanged. */
export function turned(tile) {
  return `${tile[2]}|${tile[0]}`;
}

/** A tile as SVG, standing or lying, the first number above or to the left. */
function drawTile(tile, standing) {
  const face = (n, dx, dy) => PIPS[n].map((p) => {
    const at = standing ? p : [6, 3, 0, 7, 4, 1, 8, 5, 2][p]; // sixes lie with the tile
    return svg('circle', { cx: dx + 10 + 10 * (at % 3), cy: dy + 10 + 10 * Math.floor(at / 3), r: 3.6 });
  });
  const [w, h] = standing ? [40, 80] : [80, 40];
  if (tile === BACK) {
    return svg('svg', { viewBox: `-1 -1 ${w + 2} ${h + 2}`, class: 'standing', 'aria-hidden': 'true' }, svg('rect', { class: 'face back', width: w, height: h, rx: 6 }));
  }
  return svg('svg', { viewBox: `-1 -1 ${w + 2} ${h + 2}`, class: standing ? 'standing' : 'flat', 'aria-hidden': 'true' },
    svg('rect', { class: 'face', width: w, height: h, rx: 6 }),
    svg('path', { class: 'bar', d: standing ? 'M5 40H35' : 'M40 5V35' }),
    face(+tile[0], 0, 0), face(+tile[2], standing ? 0 : 40, standing ? 40 : 0));
}
