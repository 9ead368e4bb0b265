// Setting up a position by clicking. Whether it makes sense is the service's to
// say; it is asked after every change, and its reason is shown.

import { html } from './dom.js';
import { positionText } from './geometry.js';
import { token } from './panels.js';
import { complaint, seatWord } from './text.js';

/** All 28 tiles. */
const TILES = Array.from({ length: 7 }, (_, a) => Array.from({ length: 7 - a }, (_, i) => `${a}|${a + i}`)).flat();

/**
 * A position in the making. panel is where its controls go; game and answer are
 * what the page shows; check(text) resolves to an answer or fails with a Problem;
 * on.change() is called when the board is to be drawn anew, on.use(text) and
 * on.cancel() at the end.
 */
export class Setup {
  constructor(panel, game, answer, check, on) {
    Object.assign(this, { panel, game, check, on });
    this.seats = game.board.seats.map((s) => s.name);
    this.table = game.board.kind === 'table';
    this.hand = 0; // which seat, −1: none, is put where one clicks
    this.mover = Math.max(0, this.seats.indexOf(answer.seat));
    this.fault = '';
    this.load(answer.picture);
    this.draw();
    this.changed();
  }

  load(picture) {
    if (this.table) {
      this.hands = picture.hands.map((h) => [...(h ?? [])]);
      this.ends = picture.ends ? [...picture.ends] : null;
    } else {
      this.pieces = [...picture.pieces];
    }
  }

  /** The position as text. */
  get text() {
    if (!this.table) return positionText(this.game.board, this.pieces.map((s) => (s < 0 ? '' : this.seats[s])), this.seats[this.mover]);
    const hands = this.hands.map((h) => TILES.filter((t) => h.includes(t)).map((t) => t[0] + t[2]).join('.') || '-');
    return [...hands, this.ends ? this.ends.join('') : '-', this.mover].join('_');
  }

  /** A click on a cell: puts the chosen piece there, or takes an equal one away. */
  cell(i) {
    this.pieces[i] = this.pieces[i] === this.hand ? -1 : this.hand;
    this.changed();
  }

  /** A click on a tile: gives it to the chosen hand, or takes it out. */
  tile(tile) {
    const had = this.hand >= 0 && this.hands[this.hand].includes(tile);
    this.hands = this.hands.map((h) => h.filter((t) => t !== tile));
    if (this.hand >= 0 && !had) this.hands[this.hand].push(tile);
    this.changed();
  }

  async changed() {
    this.on.change();
    if (this.table) this.draw();
    const text = this.text;
    let fault = '', answer = null;
    try {
      answer = await this.check(text);
    } catch (e) {
      fault = complaint(e.message);
    }
    if (text !== this.text) return;
    this.fault = fault;
    this.good = answer;
    this.tell();
  }

  /** What is said of the position. The rest stays as it is, lest a click meet a button that is being replaced. */
  tell() {
    const [text, fault, use] = ['text', 'fault', 'use'].map((name) => this.panel.querySelector(`#setup-${name}`));
    text.textContent = this.text;
    fault.className = this.fault ? 'fault' : '';
    fault.textContent = this.fault || (this.good ? this.good.over ? complaint(this.good.text) : 'This position can be played.' : '');
    use.disabled = !this.good;
  }

  draw() {
    const focused = this.panel.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const brush = (seat, label) => html('button', {
      type: 'button', 'aria-pressed': this.hand === seat, class: seat >= 0 ? `seat-${this.seats[seat]}` : '', 'data-key': `brush${seat}`,
      onclick: () => { this.hand = seat; this.draw(); },
    }, seat >= 0 ? html('span', { class: 'token', 'aria-hidden': 'true' }, token(this.seats[seat], this.seats)) : null, label);
    const parts = [
      html('p', {}, this.table ? 'Choose a hand, then the tiles that it is to have.' : 'Choose a piece, then where it is to stand. The same again takes it away.'),
      html('div', { class: 'palette', role: 'group', 'aria-label': 'What to put' }, this.seats.map((s, i) => brush(i, seatWord(s))), brush(-1, this.table ? 'Out of play' : 'Empty')),
    ];
    if (this.table) {
      parts.push(html('div', { class: 'palette tileset', role: 'group', 'aria-label': 'Tiles' }, TILES.map((t) => {
        const owner = this.hands.findIndex((h) => h.includes(t));
        return html('button', {
          type: 'button', 'data-key': t, 'data-set': t, class: owner < 0 ? '' : `owned seat-${this.seats[owner]}`,
          'aria-label': `${t}: ${owner < 0 ? 'out of play' : this.seats[owner]}`, onclick: () => this.tile(t),
        }, t);
      })), html('div', { class: 'buttons' }, ['left', 'right'].map((side, i) => html('label', { class: 'field' }, `${side} end`,
        html('select', { 'data-key': side, onchange: (e) => this.setEnd(i, e.target.value) },
          ['-', 0, 1, 2, 3, 4, 5, 6].map((n) => html('option', { value: n, selected: String(this.ends ? this.ends[i] : '-') === String(n) }, n === '-' ? 'none' : String(n))))))));
    }
    if (this.game.board.kind !== 'grid') {
      parts.push(html('label', { class: 'field' }, 'To move', html('select', { 'data-key': 'mover', id: 'setup-mover', onchange: (e) => { this.mover = +e.target.value; this.changed(); } },
        this.seats.map((s, i) => html('option', { value: i, selected: i === this.mover }, seatWord(s))))));
    }
    parts.push(
      html('p', { class: 'text' }, html('code', { id: 'setup-text' })),
      html('p', { role: 'status', id: 'setup-fault' }),
      html('div', { class: 'buttons' },
        html('button', { type: 'button', class: 'main', id: 'setup-use', 'data-key': 'use', onclick: () => this.on.use(this.text) }, 'Play from here'),
        html('button', { type: 'button', id: 'setup-clear', 'data-key': 'clear', onclick: () => this.clear() }, 'Clear'),
        html('button', { type: 'button', 'data-key': 'cancel', onclick: () => this.on.cancel() }, 'Cancel')));
    this.panel.replaceChildren(...parts);
    this.tell();
    if (focused) this.panel.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  setEnd(i, value) {
    if (value === '-') this.ends = null;
    else {
      this.ends ??= [+value, +value];
      this.ends[i] = +value;
    }
    this.changed();
  }

  clear() {
    if (this.table) [this.hands, this.ends] = [this.seats.map(() => []), null];
    else this.pieces = this.pieces.map(() => -1);
    this.changed();
  }
}
