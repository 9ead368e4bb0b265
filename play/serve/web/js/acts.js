// The acts of a person: moves, steps back and forth, setting up, games as text; buttons and keys.

import { byId } from './dom.js';
import { drawLessons } from './lessons.js';
import { fromText, newRecord, played, spec, toText } from './record.js';
import { askReport } from './report.js';
import { Setup } from './setup.js';
import { complaint, seatWord } from './text.js';
import { person, slip } from './welcome.js';

export class Acts {
  constructor(page) {
    this.page = page;
    this.bind();
  }

  /** Plays a move here, as text. */
  play(move) {
    const { page } = this;
    if (page.over) return;
    if (page.toMove() === 'person') page.notice = ''; // it has been read
    const record = played(page.record, move);
    if (record.at > page.record.moves.length || page.record.moves[page.record.at] !== move) page.times.length = page.record.at;
    page.times[page.record.at] ??= performance.now() - page.began;
    page.show(record);
  }

  /** Goes to a ply of the game. */
  goTo(at) {
    const { page } = this;
    if (page.hidden || at === page.record.at || at < 0 || at > page.record.moves.length) return;
    page.show({ ...page.record, at }, { paused: true });
  }

  /** Takes back a ply, and against the computer all since the last one of a person. */
  undo() {
    const { page } = this;
    if (page.hidden) return;
    if (page.record.end && page.atEnd && !page.repeats) { // the end that was declared, and no move
      page.show({ ...page.record, end: null }, { paused: true });
      return;
    }
    let at = page.record.at - 1;
    const { seats } = page;
    const persons = seats.some((s) => page.player(s) === 'person');
    const first = seats.indexOf(page.answers.get(page.key(0))?.seat ?? seats[0]);
    while (persons && at > 0 && page.player(seats[(first + at) % seats.length]) !== 'person') at--;
    this.goTo(Math.max(at, 0));
  }

  redo() {
    this.goTo(this.page.record.at + 1);
  }

  /**
   * Begins a game, under its default rules if its board lacks the given ones. A person who
   * played against the computer gets the first seat and the computer all others.
   */
  async start(what) {
    const { page } = this;
    page.notice = '';
    page.times = [];
    let { players } = page.record;
    if (what.game !== page.record.game) {
      const opposed = page.automatic && page.seats.some((s) => page.player(s) === 'person');
      const game = opposed && await page.client.game(what.game, '').catch(() => null);
      players = game ? Object.fromEntries(game.board.seats.slice(1).map((s) => [s.name, game.solved ? 'perfect' : 'strongest'])) : {};
    }
    if (what.rules && what.game !== page.record.game) {
      const sets = await page.client.game(what.game, '').then((g) => g.rule_sets, () => null);
      if (!sets?.some((r) => r.name === what.rules)) what = { ...what, rules: '' };
    }
    page.show(newRecord({ time: page.record.time, think: page.record.think, players, ...what }));
  }

  /** A new deal with hidden hands, with some fields changed. */
  newDeal(what) {
    const deal = crypto.getRandomValues(new Uint32Array(1))[0];
    return { game: this.page.record.game, rules: '', hidden: { ...this.page.record.hidden, deal, ...what } };
  }

  /** The same game from its beginning. */
  again() {
    const { page } = this;
    const { game, rules, position } = page.record;
    this.start(page.hidden ? this.newDeal({ seat: page.seats.find((s) => s !== page.hidden.seat) }) : { game, rules, position });
  }

  /** The players of the seats change places; among more than two, each moves one seat on. */
  swap() {
    const { page } = this;
    const levels = page.seats.map((s) => page.player(s));
    levels.unshift(levels.pop());
    page.show({ ...page.record, players: Object.fromEntries(page.seats.map((s, i) => [s, levels[i]])) });
  }

  /** Keeps the computer from moving, or lets it play on from here. */
  pause() {
    const { page } = this;
    if (page.over || page.setup || !page.automatic) return;
    if (page.atEnd && !page.paused) {
      page.turn++;
      page.show(page.record, { push: false, paused: true });
    } else {
      page.show({ ...page.record, moves: page.record.moves.slice(0, page.record.at), end: null });
    }
  }

  /**
   * The seat to move resigns or has used up its time. Of two the other has won; among
   * more than two the computer plays on for it, so that the others can go on.
   */
  end(why) {
    const { page } = this;
    if (page.over) return;
    const { record, answer: { seat } } = page;
    const moves = record.moves.slice(0, record.at);
    if (page.seats.length > 2) {
      page.notice = `${seatWord(seat)} ${why === 'time' ? 'has used up its time' : 'resigns'}: the computer plays on for it`;
      page.show({ ...record, moves, players: { ...record.players, [seat]: 'strongest' } });
      return;
    }
    page.show({ ...record, moves, end: { why, seat } });
  }

  // On the board.

  /** A cell of the board was chosen. */
  chooseCell(cell) {
    const { page } = this;
    if (page.setup) {
      page.setup.cell(cell);
      return;
    }
    if (page.over || page.toMove() !== 'person') return;
    const { moves } = page.answer;
    // A piece that is put down has one cell, which one choice is enough for.
    const move = moves.find((m) => m.path?.length === 1 && m.path[0] === cell)
      ?? moves.find((m) => m.path?.[0] === page.selected && m.path[m.path.length - 1] === cell);
    if (move) {
      this.play(move.move);
      return;
    }
    const own = moves.some((m) => m.path?.[0] === cell);
    page.view.fault(own ? '' : this.why(cell));
    page.selected = own && cell !== page.selected ? cell : -1;
    page.pointed = null;
    page.view.drawBoard();
    page.view.drawMoves();
  }

  /** Why a cell cannot be chosen. */
  why(cell) {
    const { selected, seats, game: { board }, answer: { moves, picture, seat } } = this.page;
    const stands = picture.pieces[cell] < 0 ? null : seats[picture.pieces[cell]];
    const name = (c) => board.cells[c].name;
    if (moves.every((m) => m.path?.length === 1)) return `the cell ${name(cell)} is taken`;
    if (stands === seat && selected < 0) return `the piece on ${name(cell)} cannot move`;
    if (selected >= 0) return `the piece on ${name(selected)} cannot go to ${name(cell)}`;
    const own = person(this.page) === seat ? 'of yours' : `of ${seatWord(seat)}`;
    return stands ? `that piece is ${seatWord(stands)}’s: choose one ${own}` : `choose a piece ${own} first, then where it goes`;
  }

  /** A piece was dragged to a cell, or off the board where to is −1. */
  drag(from, to) {
    const { page } = this;
    if (page.setup) page.setup.move(from, to);
    else {
      if (page.selected !== from) this.chooseCell(from);
      if (page.selected === from && to >= 0) this.chooseCell(to);
    }
  }

  /** A tile of a hand, or an end of the row for the tile chosen before. */
  chooseTile(tile, seat) {
    const { page } = this;
    if (page.setup) {
      page.setup.tile(tile);
      return;
    }
    if (page.over || page.toMove() !== 'person' || page.seats[seat] !== page.answer.seat) return;
    const moves = page.answer.moves.filter((m) => m.tile === tile);
    if (moves.length === 1) this.play(moves[0].move);
    else if (moves.length > 1) {
      page.tile = page.tile === tile ? '' : tile;
      page.view.drawBoard();
    }
  }

  chooseEnd(end) {
    const { page } = this;
    const move = page.answer.moves.find((m) => m.tile === page.tile && m.end === end);
    if (move) this.play(move.move);
  }

  /** Shows a move that the pointer is on, on the board or in a list, or null. */
  pointAt(move) {
    const { page } = this;
    if (page.pointed === move) return;
    page.pointed = move;
    page.view.drawBoard();
  }

  point(cell) {
    const { page } = this;
    if (page.setup) return;
    this.pointAt(cell < 0 || page.selected < 0 ? null
      : page.answer.moves.find((m) => m.path?.[0] === page.selected && m.path[m.path.length - 1] === cell) ?? null);
  }

  /** Plays a typed move. The service says why it is illegal. */
  typed(text) {
    const { page } = this;
    if (!text || page.over) return;
    const move = page.answer.moves.find((m) => m.move === text);
    if (move) {
      byId('type').value = '';
      this.play(move.move);
      return;
    }
    if (page.hidden) {
      page.view.fault(`${text} is not legal here`);
      return;
    }
    const query = spec(page.record);
    page.client.legal({ ...query, moves: [...query.moves, text] }).then(() => this.play(text), (e) => page.view.fault(e.message));
  }

  /** Plays the best move for the side to move, a person or the computer. */
  async best() {
    const { page } = this;
    if (page.over || page.setup || page.hidden) return;
    const { turn } = page;
    if (!page.answer.final && !page.answer.asked) await page.learn(turn).catch(() => {});
    const move = page.answer.final ? page.answer.moves[0].move
      : (await page.client.move({ ...spec(page.record), level: 'strongest', seconds: page.record.think }, page.asking.signal)).move;
    if (turn === page.turn) this.play(move);
  }

  setHints(on) {
    this.page.hints = on;
    this.page.view.draw();
    this.page.analysis.look();
  }

  toBoard() {
    const { page } = this;
    if (page.tiles) document.querySelector('.dominoes .tile.active, .dominoes .tile')?.focus();
    else page.view.board.focus(page.view.board.cursor);
  }

  // Setting up.

  openSetup() {
    const { page } = this;
    page.analysis.stop();
    page.turn++;
    page.letGo();
    const panel = byId('setup-panel');
    panel.hidden = false;
    byId('setup').setAttribute('aria-expanded', 'true');
    const { game, rules } = page.record;
    const ask = async (what) => {
      const position = typeof what === 'string' ? what : (await page.client.setup({ game, rules, ...what })).position;
      try {
        return await page.client.legal({ game, rules, position, moves: [] });
      } catch (e) {
        e.position = position;
        throw e;
      }
    };
    page.setup = { pieces: page.answer.picture.pieces, hands: [], ends: null, mover: 0 }; // until the constructor returns
    page.setup = new Setup(panel, page.game, page.answer, ask, {
      change: () => { if (page.setup instanceof Setup) page.view.drawBoard(); },
      flip: () => page.view.flip(),
      use: (text) => {
        page.times = [];
        page.show({ ...page.record, position: text, moves: [], at: 0, end: null }, { paused: true });
      },
      cancel: () => page.show(page.record, { push: false, paused: true }),
    });
    page.view.draw();
    document.querySelector('main').scrollIntoView({ block: 'start' }); // the board first, its panel beside or below
  }

  closeSetup() {
    this.page.setup = null;
    byId('setup-panel').hidden = true;
    byId('setup').setAttribute('aria-expanded', 'false');
  }

  // Games as text.

  /** How the game ended, for its text. */
  outcome() {
    const { page } = this;
    const { end } = page.record;
    if (end?.why === 'repetition') return { result: 'draw', ending: 'repetition' };
    if (end) return { result: page.seats.length === 2 ? page.seats.find((s) => s !== end.seat) : '', ending: `seat ${end.seat} ${end.why === 'time' ? 'has used up its time' : 'resigned'}` };
    const last = page.answers.get(page.key(page.record.moves.length));
    return { result: last?.over ? last.won || 'draw' : '', ending: '' };
  }

  openText(importing) {
    const { page } = this;
    byId('text-title').textContent = importing ? 'Import a game' : 'The game as text';
    byId('text').value = importing ? '' : toText(page.record, page.seats, this.outcome());
    byId('text').placeholder = importing ? `game ${page.families[0].first}\n\nmoves …\n\nor a link of this page` : '';
    byId('text').readOnly = !importing;
    byId('text-use').hidden = !importing;
    byId('text-copy').hidden = importing;
    byId('text-fault').textContent = '';
    byId('text-dialog').showModal();
    byId('text').focus();
  }

  async useText() {
    const { page } = this;
    try {
      const record = fromText(byId('text').value);
      await page.client.legal(spec(record, record.moves.length));
      byId('text-dialog').close();
      page.times = [];
      page.show(record, { paused: true });
    } catch (e) {
      byId('text-fault').textContent = complaint(e.message, page.game.family);
    }
  }

  async copy(text, id) {
    const button = byId(id), label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed here';
    }
    setTimeout(() => { button.textContent = label; }, 1200);
  }

  // Buttons, keys, the clock.

  bind() {
    const { page } = this;
    const on = (id, f) => byId(id).addEventListener('click', f);
    on('undo', () => this.undo());
    on('redo', () => this.redo());
    on('first', () => this.goTo(0));
    on('latest', () => this.goTo(page.record.moves.length));
    on('go', () => this.best());
    on('pass', () => this.play('pass'));
    on('pause', () => this.pause());
    on('swap', () => this.swap());
    on('flip', () => page.view.flip());
    on('resign', () => this.end('resign'));
    on('again', () => this.again());
    on('analyse', () => page.analysis.start());
    on('stop', () => page.analysis.stop());
    on('setup', () => (page.setup ? page.show(page.record, { push: false, paused: true }) : this.openSetup()));
    on('export', () => this.openText(false));
    on('import', () => this.openText(true));
    on('text-use', () => this.useText());
    on('text-copy', () => this.copy(byId('text').value, 'text-copy'));
    on('link', () => this.copy(location.href, 'link'));
    on('help-open', () => byId('help').showModal());
    on('theme', () => turnTheme());
    on('report-ask', () => askReport(page));
    byId('lessons').addEventListener('toggle', () => drawLessons(byId('lessons'), page));
    byId('hints').addEventListener('change', (e) => this.setHints(e.target.checked));
    for (const s of [0, 1, 2, 5, 10, 30, 60]) byId('time').append(new Option(s ? `${s} s` : 'no limit', String(s)));
    byId('time').addEventListener('change', (e) => page.show({ ...page.record, time: +e.target.value }));
    for (const s of [0, 1, 2, 5, 10, 30, 60]) byId('think').append(new Option(s ? `${s} s` : 'automatic', String(s)));
    byId('think').addEventListener('change', (e) => page.show({ ...page.record, think: +e.target.value }));
    on('retry', () => page.retry());
    on('slip-again', () => page.show({ ...page.record, at: slip(page).ply }, { paused: true }));
    on('home', () => page.goHome());
    byId('type-form').addEventListener('submit', (e) => {
      e.preventDefault();
      this.typed(byId('type').value.trim());
    });
    addEventListener('popstate', () => page.fromLink());
    document.addEventListener('keydown', (e) => this.keyDown(e));
    setInterval(() => this.tick(), 200);
  }

  keyDown(e) {
    const { page } = this;
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && e.target.type !== 'checkbox') {
      if (e.key === 'Escape') byId('stage').focus();
      return;
    }
    const act = {
      u: () => this.undo(), r: () => this.redo(), '[': () => this.goTo(page.record.at - 1), ']': () => this.goTo(page.record.at + 1),
      p: () => this.pause(), Home: () => this.goTo(0), End: () => this.goTo(page.record.moves.length), g: () => this.best(), v: () => this.setHints(!page.hints),
      a: () => (page.analysis.under ? page.analysis.stop() : page.analysis.start()), s: () => this.swap(), f: () => page.view.flip(),
      n: () => this.again(), m: () => byId('type').focus(), '?': () => byId('help').showModal(), b: () => this.toBoard(),
      Escape: () => {
        page.letGo();
        page.view.draw();
      },
    }[e.key];
    if (!act || !page.answer) return;
    e.preventDefault();
    act();
  }

  /** The clock of the seat to move, and the end of its time, which binds persons only. */
  tick() {
    const { page } = this;
    if (!page.answer || page.over || page.setup || !page.atEnd) return;
    const spent = performance.now() - page.began;
    const clock = document.querySelector('#players .turn .clock');
    const time = page.toMove() === 'person' ? page.record.time : 0;
    const text = time ? `${Math.max(0, Math.ceil(time - spent / 1000))} s` : spent > 3000 ? `${Math.floor(spent / 1000)} s` : '';
    if (clock && clock.textContent !== text) clock.textContent = text; // or the page is laid out anew at every tick
    if (time && spent > time * 1000 && !page.paused) this.end('time');
  }
}

function turnTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme === 'dark' || (!dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  dataset.theme = dark ? 'light' : 'dark';
  try { localStorage.setItem('theme', dataset.theme); } catch { /* not kept */ }
}
