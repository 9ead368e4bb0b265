// Setting up a position by clicking and dragging, or as text. After every change the service
// gives its text, or the reason why it is no position.

import { html } from './dom.js';
import { complaint, seatWord, token } from './text.js';

/**
 * A position that is being set up, from answer, the one on the page. panel holds its controls.
 * ask(what) resolves to an answer of client.legal, what being a text or {picture, seat}, and
 * fails with a Problem, with the text as its position if there is one. on.change() draws the
 * board, on.flip() turns it, on.use(text) and on.cancel() end the setting up.
 */
export class Setup {
  constructor(panel, game, answer, ask, on) {
    Object.assign(this, { panel, game, ask, on });
    this.seats = game.board.seats.map((s) => s.name);
    this.tiles = game.board.tiles ?? null;
    this.hand = 0; // seat of the piece to put, −1 to remove pieces
    this.fault = '';
    this.text = answer.position;
    this.load(answer);
    this.draw();
    this.tell();
    this.changed();
  }

  load({ picture, seat }) {
    this.mover = Math.max(0, this.seats.indexOf(seat));
    this.hands = picture.hands?.map((h) => [...(h ?? [])]) ?? null;
    this.ends = picture.ends ? [...picture.ends] : null;
    this.pieces = [...(picture.pieces ?? [])];
  }

  /** A click on a cell: puts the chosen piece there, or takes an equal one away. */
  cell(i) {
    if (!this.game.composed) return;
    this.pieces[i] = this.pieces[i] === this.hand ? -1 : this.hand;
    this.changed();
  }

  /** A piece was dragged to another cell, or off the board where to is −1. */
  move(from, to) {
    if (!this.game.composed || this.pieces[from] < 0) return;
    if (to >= 0) this.pieces[to] = this.pieces[from];
    this.pieces[from] = -1;
    this.changed();
  }

  /** A click on a tile: gives it to the chosen hand, or takes it out. */
  tile(tile) {
    const had = this.hand >= 0 && this.hands[this.hand].includes(tile);
    this.hands = this.hands.map((h) => h.filter((t) => t !== tile));
    if (this.hand >= 0 && !had) this.hands[this.hand].push(tile);
    this.changed();
  }

  /** Asks about what stands there, or about a text, which is then shown. */
  changed(typed = null) {
    this.answered = this.inquire(typed);
  }

  /** Plays from what stands there, once it is known to be a position. */
  async use() {
    for (let waited = null; waited !== this.answered;) await (waited = this.answered);
    if (this.good) this.on.use(this.text);
  }

  async inquire(typed) {
    const turn = this.turn = (this.turn ?? 0) + 1;
    this.on.change();
    if (this.tiles) this.draw();
    try {
      const { pieces, hands, ends } = this;
      this.good = await this.ask(typed ?? { picture: { pieces, hands: hands ?? undefined, ends: ends ?? undefined }, seat: this.seats[this.mover] });
      if (turn !== this.turn) return;
      this.text = this.good.position;
      this.fault = '';
      if (typed !== null) {
        this.load(this.good);
        this.draw();
        this.on.change();
      }
    } catch (e) {
      if (turn !== this.turn) return;
      this.good = null;
      this.text = e.position ?? typed ?? this.text;
      this.fault = complaint(e.message, this.game.family);
    }
    this.tell();
  }

  /** What is said of the position. The rest stays as it is, lest a click meet a button that is being replaced. */
  tell() {
    const [text, fault, use] = ['text', 'fault', 'use'].map((name) => this.panel.querySelector(`#setup-${name}`));
    if (document.activeElement !== text) text.value = this.text;
    fault.className = this.fault ? 'fault' : '';
    fault.textContent = this.fault || (this.good ? this.good.over ? complaint(this.good.text) : 'This position can be played.' : '');
    use.disabled = !this.good;
  }

  draw() {
    const focused = this.panel.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const { composed, counted } = this.game;
    const brush = (seat, label) => html('button', {
      type: 'button', 'aria-pressed': this.hand === seat, class: seat >= 0 ? `seat-${this.seats[seat]}` : '', 'data-key': `brush${seat}`,
      onclick: () => { this.hand = seat; this.draw(); },
    }, seat >= 0 ? html('span', { class: 'token', 'aria-hidden': 'true' }, token(this.seats[seat], this.seats)) : null, label);
    const parts = [html('h2', {}, 'Set up')];
    if (composed) {
      parts.push(
        html('p', {}, this.tiles ? 'Choose a hand, then its tiles.' : 'Choose a piece, then its cell; the same cell again removes it. Pieces can be dragged, too, also off the board.'),
        html('div', { class: 'palette', role: 'group', 'aria-label': 'What to put' }, this.seats.map((s, i) => brush(i, seatWord(s))), brush(-1, this.tiles ? 'Out of play' : 'Empty')));
    }
    if (this.tiles) parts.push(this.drawTiles(), this.drawEnds());
    if (composed && !counted) {
      parts.push(html('label', { class: 'field' }, 'To move', html('select', { 'data-key': 'mover', id: 'setup-mover', onchange: (e) => { this.mover = +e.target.value; this.changed(); } },
        this.seats.map((s, i) => html('option', { value: i, selected: i === this.mover }, seatWord(s))))));
    }
    const type = (e) => this.changed(e.target.value.trim() || 'start');
    parts.push(
      html('label', { class: 'field' }, 'Text', html('input', { id: 'setup-text', 'data-key': 'text', spellcheck: 'false', autocomplete: 'off', oninput: type, onchange: type })),
      html('p', { role: 'status', id: 'setup-fault' }),
      html('div', { class: 'buttons' },
        html('button', { type: 'button', class: 'main', id: 'setup-use', 'data-key': 'use', onclick: () => this.use() }, 'Play from here'),
        composed ? html('button', { type: 'button', id: 'setup-clear', 'data-key': 'clear', onclick: () => this.clear() }, 'Clear') : null,
        this.tiles ? null : html('button', { type: 'button', id: 'setup-flip', 'data-key': 'flip', onclick: () => this.on.flip() }, 'Turn the board'),
        html('button', { type: 'button', 'data-key': 'cancel', onclick: () => this.on.cancel() }, 'Cancel')));
    this.panel.replaceChildren(...parts);
    this.tell();
    if (focused) this.panel.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  drawTiles() {
    return html('div', { class: 'palette tileset', role: 'group', 'aria-label': 'Tiles' }, this.tiles.map((t) => {
      const owner = this.hands.findIndex((h) => h.includes(t));
      return html('button', {
        type: 'button', 'data-key': t, 'data-set': t, class: owner < 0 ? '' : `owned seat-${this.seats[owner]}`,
        'aria-label': `${t}: ${owner < 0 ? 'out of play' : this.seats[owner]}`, onclick: () => this.tile(t),
      }, t);
    }));
  }

  drawEnds() {
    const numbers = [...new Set(this.tiles.flatMap((t) => t.split('|')))];
    return html('div', { class: 'buttons' }, ['left', 'right'].map((side, i) => html('label', { class: 'field' }, `${side} end`,
      html('select', { 'data-key': side, onchange: (e) => this.setEnd(i, e.target.value) },
        ['-', ...numbers].map((n) => html('option', { value: n, selected: String(this.ends ? this.ends[i] : '-') === n }, n === '-' ? 'none' : n))))));
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
    if (this.hands) [this.hands, this.ends] = [this.seats.map(() => []), null];
    this.pieces = this.pieces.map(() => -1);
    this.changed();
  }
}
