// The page: what is shown, and what happens when something is chosen. All state is
// the record (record.js), which the link holds; answers come from the client.

import { connect } from './backend.js';
import { CellBoard } from './board.js';
import { drawChoice } from './choose.js';
import { byId } from './dom.js';
import { Table } from './domino.js';
import { drawFigures, drawMoves, drawPlayers, drawRecord, drawReview } from './panels.js';
import { drawChart } from './chart.js';
import { fromHash, fromText, newRecord, played, spec, toHash, toText } from './record.js';
import { Setup } from './setup.js';
import { drawWelcome, headline, slip } from './welcome.js';
import { complaint, count, mark, seatWord } from './text.js';

/** How many answers are kept. */
const KEPT = 3000;

/** How long a game that is solved on the spot is waited for, in seconds. */
const SOLVING = 30;

/** How long the computer takes at least, in ms, so that its move is seen. */
const PACE = 200;

class Page {
  constructor(client) {
    this.client = client;
    this.answers = new Map(); // by key of a query; without values until asked for
    this.times = [];          // ms that each move took, undefined where nobody took time
    this.turn = 0;            // counts what is shown, so that late answers are known as late
    this.hints = true;
    this.letGo();
    this.bind();
  }

  /** Nothing is selected or pointed at. */
  letGo() {
    this.selected = -1;
    this.tile = '';
    this.pointed = null;
  }

  // What is known.

  /** What the answer on a ply of a record is kept under. */
  key(at, record = this.record) {
    const { game, rules, position, moves } = spec(record, at);
    const { deal = '', seat = '', player = '' } = record.hidden ?? {};
    return [game, rules, position, deal, seat, player, ...moves].join(' ');
  }

  /** Keeps an answer; of two searches what the one that saw further knows. */
  keep(key, answer) {
    const old = this.answers.get(key);
    const poorer = old && !answer.final && (old.final || (old.not_within ?? 0) > (answer.not_within ?? 0));
    this.answers.delete(key);
    this.answers.set(key, poorer ? { ...old, progress: answer.progress ?? old.progress, asked: old.asked || answer.asked } : answer);
    if (this.answers.size > KEPT) this.answers.delete(this.answers.keys().next().value);
  }

  get atEnd() { return this.record.at === this.record.moves.length; }
  get gesture() { return this.game.board.gesture; }
  get seats() { return this.game.board.seats.map((s) => s.name); }
  get solvable() { return !['search', 'proof'].includes(this.game.source.kind); }
  get hidden() { return this.record.hidden; }
  get alone() { return this.seats.length === 1; }
  get automatic() { return this.seats.some((s) => (this.record.players[s] ?? 'person') !== 'person'); }
  get level() { if (this.hidden) return this.answer.reply ? this.hidden.player : 'person';
    return this.record.players[this.answer.seat] ?? 'person'; }
  get repeats() { return this.atEnd && this.game.endless && this.answer.repeated >= 3 && !this.alone; }
  get over() { return this.answer.over || (this.atEnd && this.record.end !== null); }

  // Going to a position.

  /**
   * Shows a record. push makes an entry in the history of the browser; paused keeps
   * the computer from moving at once, after going back.
   */
  async show(record, { push = true, paused = false } = {}) {
    const turn = ++this.turn;
    delete document.body.dataset.charted;
    this.stopAnalysis();
    this.asking?.abort();
    this.asking = new AbortController();
    try {
      const changed = !this.game || record.game !== this.record.game || record.rules !== this.record.rules;
      if (changed) performance.mark('chosen');
      const game = changed ? await this.client.game(record.game, record.rules) : this.game;
      if (turn !== this.turn) return;
      const key = this.key(undefined, record);
      const answer = this.answers.get(key) ?? await (record.hidden ? this.seen(record) : this.client.legal(spec(record)));
      if (turn !== this.turn) return;
      this.record = record;
      this.game = game;
      this.keep(key, answer);
      this.answer = answer;
      this.paused = paused;
      this.closeSetup();
      this.letGo();
      if (changed) this.newBoard();
      else if (this.gesture === 'tile') this.drawChoice();
      if (this.repeats && !answer.over) this.record = record = { ...record, end: { why: 'repetition', seat: answer.seat } };
      if (push && toHash(record) !== location.hash) history.pushState(null, '', toHash(record));
      this.began = performance.now();
      this.fault(this.notice ?? '');
      this.draw();
      await this.learn(turn);
    } catch (e) {
      if (turn !== this.turn || e.name === 'AbortError') return;
      await this.explain(e, record, push);
    }
  }

  /** What one seat sees of a deal, in the form of other answers. */
  async seen({ game, hidden, moves }) {
    const answer = await this.client.hidden({ game, ...hidden, moves });
    return { ...answer, value: 'open', final: false, source: { kind: 'rules', about: '' }, line: [], position: answer.position ?? `deal ${hidden.deal}, of which you see your part` };
  }

  /** What is shown before anything is chosen: the first game, against perfect play, without hints. */
  first(what = {}) {
    const [{ first, first_rules: rules = '' }] = this.families;
    return newRecord({ game: first, rules, ...what });
  }

  /** The challenge of the first screen. */
  async welcome() {
    const { board } = await this.client.game(this.families[0].first, this.families[0].first_rules);
    this.hints = false;
    return this.first({ players: Object.fromEntries(board.seats.slice(1).map((s) => [s.name, 'perfect'])) });
  }

  /** Says what is wrong with a record. A wrong move leaves the moves before it standing, a wrong link the first position. */
  async explain(e, record, push) {
    let instead = null;
    if (e.where === 'moves' && e.index !== null && e.index < record.moves.length) {
      instead = { ...record, moves: record.moves.slice(0, e.index), at: e.index, end: null };
    } else if (!this.answer) {
      instead = e.where === 'position' ? newRecord({ game: record.game, rules: record.rules }) : this.first();
    }
    if (instead && !this.mending) {
      this.mending = true;
      await this.show(instead, { push, paused: true });
      history.replaceState(null, '', toHash(this.record)); // the wrong link goes from the address
      this.mending = false;
    } else if (this.answer) {
      this.draw();
      this.drawChoice();
    }
    this.fault(e.message, e.where === 'server');
  }

  /** Asks for values of what is shown, then lets the computer move if it is its turn. */
  async learn(turn) {
    if (this.wanted()) {
      document.body.dataset.busy = 'values';
      const answer = await this.client.position({ ...spec(this.record), seconds: this.seconds() }, this.asking.signal);
      if (turn !== this.turn) return;
      answer.asked = true;
      this.take(answer);
    }
    delete document.body.dataset.busy;
    if (this.toMove() === 'computer') await this.computer(turn);
    else {
      await this.fillChart(turn);
      if (turn === this.turn) document.body.dataset.charted = 'yes';
    }
  }

  /** Whether values are asked for: not where hands are hidden, nor where the computer searches anyway. */
  wanted() {
    const { answer } = this;
    return !this.hidden && !answer.final && !answer.over && !answer.asked && (this.toMove() !== 'computer' || this.solvable);
  }

  /**
   * How long to ask for: what solves the whole game when it is first asked may take its
   * time; else the service's default.
   */
  seconds() {
    return this.solvable ? SOLVING : 0;
  }

  /** A better answer on what is shown. */
  take(answer) {
    this.keep(this.key(), answer);
    this.answer = this.answers.get(this.key());
    this.draw();
    if (answer.final && performance.getEntriesByName('chosen').length) {
      performance.measure('values', 'chosen'); // from the choice of a game to its first values
      performance.clearMarks('chosen');
    }
  }

  /** Who has the move: 'person', 'computer', or '' when nobody has. */
  toMove() {
    if (this.over || this.setup) return '';
    return this.level !== 'person' && (!this.paused || this.hidden) && this.atEnd ? 'computer' : 'person';
  }

  async computer(turn) {
    await new Promise((done) => setTimeout(done, PACE - (performance.now() - this.began)));
    if (turn !== this.turn) return;
    const { move } = this.hidden ? { move: this.answer.reply }
      : await this.client.move({ ...spec(this.record), level: this.level, seconds: this.record.think }, this.asking.signal);
    if (turn === this.turn) this.play(move);
  }

  /** Asks for values along the game where something knows them all. */
  async fillChart(turn) {
    if (!this.answer.final || this.answer.source.kind === 'search') return;
    for (let at = 0; at < this.record.moves.length; at++) {
      const known = this.answers.get(this.key(at));
      if (known && (known.final || known.asked)) continue;
      const answer = await this.client.position(spec(this.record, at), this.asking.signal).catch(() => null);
      if (turn !== this.turn) return;
      if (answer) this.keep(this.key(at), { ...answer, asked: true });
      if (at % 8 === 7 || at === this.record.moves.length - 1) this.drawRecord();
    }
    this.drawRecord();
  }

  // What a person does.

  /** Plays a move here, as text. */
  play(move) {
    if (this.over) return;
    if (this.toMove() === 'person') this.notice = ''; // it has been read
    const record = played(this.record, move);
    if (record.at > this.record.moves.length || this.record.moves[this.record.at] !== move) this.times.length = this.record.at;
    this.times[this.record.at] ??= performance.now() - this.began;
    this.show(record);
  }

  /** Goes to a ply of the game. */
  goTo(at) {
    if (this.hidden || at === this.record.at || at < 0 || at > this.record.moves.length) return;
    this.show({ ...this.record, at }, { paused: true });
  }

  /** Takes back a ply, and against the computer all since the last one of a person. */
  undo() {
    if (this.hidden) return;
    if (this.record.end && this.atEnd) { // the end that was declared, and no move
      this.show({ ...this.record, end: null }, { paused: true });
      return;
    }
    let at = this.record.at - 1;
    const seats = this.seats.length;
    const persons = this.seats.some((s) => (this.record.players[s] ?? 'person') === 'person');
    const first = this.seats.indexOf(this.answers.get(this.key(0))?.seat ?? this.seats[0]);
    while (persons && at > 0 && (this.record.players[this.seats[(first + at) % seats]] ?? 'person') !== 'person') at--;
    this.goTo(Math.max(at, 0));
  }

  redo() {
    this.goTo(this.record.at + 1);
  }

  start(what) {
    this.notice = '';
    this.times = [];
    const players = what.game === this.record.game ? this.record.players : {};
    this.show(newRecord({ time: this.record.time, think: this.record.think, players, ...what }));
  }

  /** A deal with hidden hands, anew, with what is to be different. */
  newDeal(what) {
    const deal = crypto.getRandomValues(new Uint32Array(1))[0];
    return { game: this.record.game, rules: '', hidden: { ...this.record.hidden, deal, ...what } };
  }

  /** The players of the seats change places; among more than two, each moves one seat on. */
  swap() {
    const levels = this.seats.map((s) => this.record.players[s] ?? 'person');
    levels.unshift(levels.pop());
    this.show({ ...this.record, players: Object.fromEntries(this.seats.map((s, i) => [s, levels[i]])) });
  }

  /** Keeps the computer from moving, or lets it play on from here. */
  pause() {
    if (this.over || this.setup || !this.automatic) return;
    if (this.atEnd && !this.paused) {
      this.turn++;
      this.show(this.record, { push: false, paused: true });
    } else {
      this.show({ ...this.record, moves: this.record.moves.slice(0, this.record.at), end: null });
    }
  }

  /**
   * The seat to move resigns or has used up its time. Of two the other has won; among
   * more than two the computer plays on for it, so that the others' game is not spoilt.
   */
  end(why) {
    if (this.over) return;
    const { record, answer: { seat } } = this;
    const moves = record.moves.slice(0, record.at);
    if (this.seats.length > 2) {
      this.notice = `${seatWord(seat)} ${why === 'time' ? 'has used up its time' : 'resigns'}: the computer plays on for it`;
      this.show({ ...record, moves, players: { ...record.players, [seat]: 'strongest' } });
      return;
    }
    this.show({ ...record, moves, end: { why, seat } });
  }

  /** A cell of the board was chosen. */
  chooseCell(cell) {
    if (this.setup) {
      this.setup.cell(cell);
      return;
    }
    if (this.over || this.toMove() !== 'person') return;
    const moves = this.answer.moves;
    if (this.gesture === 'place') {
      const move = moves.find((m) => m.path?.[0] === cell);
      if (move) this.play(move.move);
      return;
    }
    const move = moves.find((m) => m.path?.[0] === this.selected && m.path[m.path.length - 1] === cell);
    if (move) {
      this.play(move.move);
      return;
    }
    const own = moves.some((m) => m.path?.[0] === cell);
    this.selected = own && cell !== this.selected ? cell : -1;
    this.pointed = null;
    this.drawBoard();
    this.drawMoves();
  }

  /** A tile of a hand, or an end of the row for the tile chosen before. */
  chooseTile(tile, seat) {
    if (this.setup) {
      this.setup.tile(tile);
      return;
    }
    if (this.over || this.toMove() !== 'person' || this.seats[seat] !== this.answer.seat) return;
    const moves = this.answer.moves.filter((m) => m.tile === tile);
    if (moves.length === 1) this.play(moves[0].move);
    else if (moves.length > 1) {
      this.tile = this.tile === tile ? '' : tile;
      this.drawBoard();
    }
  }

  chooseEnd(end) {
    const move = this.answer.moves.find((m) => m.tile === this.tile && m.end === end);
    if (move) this.play(move.move);
  }

  // Drawing.

  newBoard() {
    const table = byId('table');
    table.replaceChildren();
    if (this.gesture === 'tile') {
      const root = document.createElement('div');
      table.append(root);
      this.board = new Table(root, this.game.board, { choose: (t, s) => this.chooseTile(t, s), end: (e) => this.chooseEnd(e), point: () => {} });
    } else {
      const root = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      root.setAttribute('role', 'group');
      root.setAttribute('aria-label', `Board of ${this.game.game}. Arrow keys go from cell to cell, Enter chooses.`);
      table.append(root);
      this.board = new CellBoard(root, this.game.board, { choose: (c) => this.chooseCell(c), point: (c) => this.point(c) });
    }
    this.drawChoice();
    byId('about').textContent = this.game.about ? `${this.game.rules ? this.game.rules + ': ' : ''}${this.game.about}.` : '';
    document.title = `${this.game.game} · perfectplay`;
  }

  drawChoice() {
    drawChoice(byId('choose'), this.families, this.game, this.record, (what) => this.start(what));
  }

  draw() {
    const { answer, record } = this;
    const last = record.end && this.atEnd ? record.end : null;
    byId('sentence').textContent = last ? this.verdict(last) : this.says();
    byId('source').textContent = last || answer.over || this.setup ? '' : this.about();
    this.drawBoard();
    this.drawMoves();
    this.drawRecord();
    drawPlayers(byId('players'), this, (seat, level) => (this.hidden ? this.start(this.newDeal({ player: level }))
      : this.show({ ...this.record, players: { ...this.record.players, [seat]: level } })));
    drawFigures(this);
    const can = (id, on) => { byId(id).disabled = !on; };
    byId('swap').hidden = this.alone || Boolean(this.hidden);
    for (const id of ['first', 'undo', 'redo', 'latest', 'go', 'resign', 'setup', 'export']) byId(id).hidden = Boolean(this.hidden);
    byId('hints').parentElement.hidden = byId('time').parentElement.hidden = byId('chart').parentElement.hidden = Boolean(this.hidden);
    drawReview(byId('review'), this, () => this.show(newRecord({ ...record, hidden: null, position: answer.position, at: record.moves.length })));
    can('undo', record.at > 0 || (record.end && this.atEnd));
    can('first', record.at > 0);
    can('redo', !this.atEnd);
    can('latest', !this.atEnd);
    can('resign', !this.over);
    can('go', !this.over);
    can('analyse', !this.over && !answer.final);
    byId('pass').hidden = this.over || answer.moves?.[0]?.move !== 'pass' || this.toMove() !== 'person';
    byId('pause').hidden = Boolean(this.hidden) || !this.automatic || this.over;
    byId('pause').textContent = this.atEnd && !this.paused ? 'Pause' : 'Play on';
    byId('position').textContent = answer.position;
    byId('legend').hidden = Boolean(this.hidden) || !this.hints || Boolean(this.setup) || this.alone;
    byId('legend').dataset.kind = this.game.board.kind;
    byId('hints').checked = this.hints;
    byId('time').value = String(record.time);
    byId('think').value = String(record.think);
    drawWelcome(byId('welcome'), this);
    const given = slip(this);
    byId('slip').hidden = !given;
    if (given) byId('slip-says').textContent = given.words;
    byId('controls').hidden = Boolean(this.setup);
    document.body.dataset.ply = record.at;
    document.body.dataset.ready = 'yes';
  }

  /** The sentence on a game that its rules have not ended. */
  verdict({ why, seat }) {
    if (why === 'repetition') return 'This position has come up for the third time: the game is drawn by endless play.';
    const does = why === 'time' ? 'has used up its time' : this.alone ? 'gives up' : 'resigns';
    return `${seatWord(seat)} ${does}${this.seats.length === 2 ? `: ${seatWord(this.seats.find((s) => s !== seat))} wins` : ''}.`;
  }

  /** The sentence on the position, with who is to move before it. */
  says() {
    const { answer } = this;
    if (this.setup) return 'Setting up a position';
    const text = answer.text[0].toUpperCase() + answer.text.slice(1);
    if (answer.over && this.alone) {
      const least = this.answers.get(this.key(0))?.distance;
      return `${text} It took ${count(this.record.at, 'turn')}${least == null ? '' : this.record.at === least ? ', the least there is' : `; ${count(least, 'turn')} would have done`}.`;
    }
    if (answer.over) return text;
    if (this.hidden) {
      const passed = this.record.moves.at(-1) === 'pass' ? `${seatWord(this.seats.find((s) => s !== answer.seat))} has passed. ` : '';
      return `${passed}${seatWord(answer.seat)} ${answer.moves[0]?.move === 'pass' ? 'cannot move and must pass' : 'to move'}.`;
    }
    const passes = answer.moves?.[0]?.move === 'pass'; // the text says so too
    const mine = answer.final && !passes ? headline(this) : '';
    if (mine) return mine;
    if (!this.hints || !(answer.asked || answer.final)) return `${seatWord(answer.seat)} ${passes ? 'has no legal move and passes.' : 'to move'}`;
    return text;
  }

  /** How the values are known. A source that has not decided anything is not named. */
  about() {
    const { answer } = this;
    if (this.hidden) return `deal ${this.hidden.deal} with hidden hands, against ${this.hidden.player}`;
    if (!answer.asked && !answer.final) return this.toMove() === 'computer' ? 'the computer thinks …' : 'finding out what the moves are worth …';
    return answer.value !== 'open' || answer.source.kind === 'search' ? answer.source.about : 'not decided yet';
  }

  /** A move that is pointed at, on the board or in a list, or null. */
  pointAt(move) {
    if (this.pointed === move) return;
    this.pointed = move;
    this.drawBoard();
  }

  point(cell) {
    if (this.setup || this.gesture === 'place') return;
    this.pointAt(cell < 0 || this.selected < 0 ? null
      : this.answer.moves.find((m) => m.path?.[0] === this.selected && m.path[m.path.length - 1] === cell) ?? null);
  }

  drawBoard() {
    if (this.gesture === 'tile') this.drawTable();
    else this.drawCells();
  }

  drawCells() {
    const { answer, selected, setup } = this;
    const cells = this.game.board.cells;
    const moves = setup || this.over ? [] : answer.moves ?? [];
    const person = this.toMove() === 'person';
    const marks = new Map(), active = new Set();
    const plain = { cls: 'plain', short: '', words: '' };
    const known = this.hints && (answer.asked || answer.final);
    for (const m of moves) {
      if (!m.path) continue;
      const [from, to] = [m.path[0], m.path[m.path.length - 1]];
      const worth = known && m.value !== 'open' ? mark(m, this.alone) : plain;
      if (this.gesture === 'place') {
        if (person) active.add(from);
        if (worth !== plain) marks.set(from, { ...worth, kind: 'target' });
      } else {
        if (person) active.add(from);
        if (from === selected) {
          active.add(to);
          marks.set(to, { ...worth, kind: 'target' });
        } else if (selected < 0 && worth !== plain && !marks.has(from)) marks.set(from, { ...worth, kind: 'piece' });
      }
    }
    if (setup) cells.forEach((_, i) => active.add(i));
    const pieces = setup ? setup.pieces : answer.picture.pieces;
    const label = (i) => {
      const stands = pieces[i] < 0 ? 'empty' : `piece of ${seatWord(this.seats[pieces[i]])}`;
      if (i === selected) return `${cells[i].name}, ${stands}, chosen`;
      const m = marks.get(i);
      if (m?.kind === 'target') return `${cells[i].name}, ${this.gesture === 'place' ? 'play' : 'move'} here${m.words ? `: ${m.words}` : ''}`;
      const n = moves.filter((move) => move.path?.[0] === i).length;
      return `${cells[i].name}, ${stands}${n > 0 && this.gesture !== 'place' ? `, ${count(n, 'move')}${m ? `, the best ${m.words}` : ''}` : ''}`;
    };
    this.board.update({
      pieces, marks, active, selected, label,
      way: this.pointed?.path ?? null,
      last: setup ? null : this.lastPath(),
      won: setup ? [] : answer.picture.won ?? [],
    });
  }

  /** The cells of the move that led here, as far as they are known. */
  lastPath() {
    const { record } = this;
    if (record.at === 0) return null;
    const before = this.answers.get(this.key(record.at - 1));
    const move = record.moves[record.at - 1];
    const known = before?.moves?.find((m) => m.move === move)?.path;
    if (known) return known;
    const names = move.split('-').map((name) => this.game.board.cells.findIndex((c) => c.name === name));
    return names.every((i) => i >= 0) ? names : null;
  }

  drawTable() {
    const { answer, setup } = this;
    const picture = answer.picture;
    const mover = this.over ? -1 : this.seats.indexOf(answer.seat);
    const moves = setup || this.over ? [] : answer.moves ?? [];
    const known = this.hints && (answer.asked || answer.final);
    const marks = new Map(), active = new Set(), endMarks = {};
    for (const m of moves) {
      if (!m.tile) continue;
      if (this.toMove() === 'person') active.add(m.tile);
      if (known && !marks.has(m.tile)) marks.set(m.tile, mark(m));
      if (known && m.tile === this.tile) endMarks[m.end] = mark(m);
    }
    if (setup) setup.hands.flat().forEach((t) => active.add(t));
    const row = setup ? [] : picture.row ?? [];
    this.board.update({
      hands: setup ? setup.hands : picture.hands.map((h) => h ?? []), row, ends: setup ? setup.ends : picture.ends ?? null,
      mover: setup ? setup.mover : mover, marks, active, selected: this.tile, endMarks,
      last: this.record.at > 0 ? this.record.moves[this.record.at - 1].slice(0, 3) : '',
      label: (tile, seat) => `${tile === '?|?' ? 'a hidden tile' : tile} of ${this.seats[seat]}${seat === mover && marks.has(tile) ? `: ${marks.get(tile).words}` : ''}`,
    });
  }

  drawMoves() {
    const sorted = this.hints ? this.answer.moves ?? [] : [...this.answer.moves ?? []].sort((a, b) => a.move.localeCompare(b.move, 'en', { numeric: true }));
    const shown = this.selected < 0 ? sorted : sorted.filter((m) => m.path?.[0] === this.selected);
    drawMoves(byId('moves'), this.over || this.setup ? [] : shown, {
      alone: this.alone, known: this.hints && (this.answer.asked || this.answer.final), may: this.toMove() === 'person',
      onPlay: (m) => this.play(m.move), onPoint: (m) => this.gesture !== 'tile' && this.pointAt(m),
    });
  }

  drawRecord() {
    const points = [];
    for (let at = 0; at <= this.record.moves.length; at++) points.push(this.standing(this.answers.get(this.key(at))));
    drawRecord(byId('record'), this.record, { seats: this.seats, first: this.answers.get(this.key(0))?.seat, times: this.times, onPick: (at) => this.goTo(at) });
    byId('chart').hidden = !this.hints;
    if (this.hints) drawChart(byId('chart'), { points, seats: this.seats, at: this.record.at, onPick: (at) => this.goTo(at) });
  }

  /** What an answer means for the chart: who wins, in how many plies; null where that is open. */
  standing(a) {
    if (!a) return null;
    if (a.over) return { winner: a.won || null, draw: !a.won, distance: 0, score: a.score, words: a.text };
    const others = this.seats.filter((s) => s !== a.seat);
    const winner = a.winner || (a.value === 'win' ? a.seat : a.value === 'loss' && others.length === 1 ? others[0] : null);
    if (winner === null && a.value !== 'draw') return null;
    return { winner, draw: winner === null, distance: a.distance, score: a.score, words: a.text };
  }

  /** Shows what is wrong, '' for nothing; again offers to try once more. */
  fault(message, again = false) {
    byId('fault').textContent = complaint(message);
    byId('fault').hidden = !message;
    byId('retry').hidden = !again;
    if (again) byId('source').textContent = '';
  }

  // Analysis.

  async analyse() {
    if (this.hidden || this.analysing || this.answer.final || this.over) return;
    const stop = this.analysing = new AbortController();
    const turn = this.turn;
    this.why = '';
    drawFigures(this);
    try {
      const why = await this.client.analysis(spec(this.record), (answer) => {
        if (turn !== this.turn || this.analysing !== stop) return;
        answer.asked = true;
        this.take(answer);
      }, stop.signal);
      if (this.analysing === stop) this.why = why;
    } catch (e) {
      if (e.name !== 'AbortError') this.fault(e.message);
    }
    if (this.analysing === stop) this.analysing = null;
    drawFigures(this);
  }

  stopAnalysis() {
    if (!this.analysing) return;
    this.analysing.abort();
    this.analysing = null;
    this.why = 'stopped';
    drawFigures(this);
  }

  // Setting up.

  openSetup() {
    this.stopAnalysis();
    this.turn++;
    this.letGo();
    const panel = byId('setup-panel');
    panel.hidden = false;
    byId('setup').setAttribute('aria-expanded', 'true');
    const { game, rules } = this.record;
    this.setup = { pieces: this.answer.picture.pieces, hands: [], ends: null, mover: 0 }; // until the constructor returns
    this.setup = new Setup(panel, this.game, this.answer, (text) => this.client.legal({ game, rules, position: text, moves: [] }), {
      change: () => { if (this.setup instanceof Setup) this.drawBoard(); },
      use: (text) => {
        this.times = [];
        this.show({ ...this.record, position: text, moves: [], at: 0, end: null }, { paused: true });
      },
      cancel: () => this.show(this.record, { push: false, paused: true }),
    });
    this.draw();
    panel.scrollIntoView({ block: 'nearest' });
  }

  closeSetup() {
    this.setup = null;
    byId('setup-panel').hidden = true;
    byId('setup').setAttribute('aria-expanded', 'false');
  }

  // Text.

  /** How the game ended, for its text. */
  outcome() {
    const { end } = this.record;
    if (end?.why === 'repetition') return { result: 'draw', ending: 'repetition' };
    if (end) return { result: this.seats.length === 2 ? this.seats.find((s) => s !== end.seat) : '', ending: `seat ${end.seat} ${end.why === 'time' ? 'has used up its time' : 'resigned'}` };
    const last = this.answers.get(this.key(this.record.moves.length));
    return { result: last?.over ? last.won || 'draw' : '', ending: '' };
  }

  openText(importing) {
    byId('text-title').textContent = importing ? 'Import a game' : 'The game as text';
    byId('text').value = importing ? '' : toText(this.record, this.seats, this.outcome());
    byId('text').placeholder = importing ? 'game halma-star37-2p\n\nb1-c4 h1-g4 …\n\nor a link of this page' : '';
    byId('text').readOnly = !importing;
    byId('text-use').hidden = !importing;
    byId('text-copy').hidden = importing;
    byId('text-fault').textContent = '';
    byId('text-dialog').showModal();
    byId('text').focus();
  }

  async useText() {
    try {
      const record = fromText(byId('text').value);
      await this.client.legal(spec(record, record.moves.length));
      byId('text-dialog').close();
      this.times = [];
      this.show(record, { paused: true });
    } catch (e) {
      byId('text-fault').textContent = complaint(e.message);
    }
  }

  // Keys, buttons, the clock.

  bind() {
    const on = (id, f) => byId(id).addEventListener('click', f);
    on('undo', () => this.undo());
    on('redo', () => this.redo());
    on('first', () => this.goTo(0));
    on('latest', () => this.goTo(this.record.moves.length));
    on('go', () => this.best());
    on('pass', () => this.play('pass'));
    on('pause', () => this.pause());
    on('swap', () => this.swap());
    on('resign', () => this.end('resign'));
    on('again', () => this.start(this.hidden ? this.newDeal({ seat: this.seats.find((s) => s !== this.hidden.seat) }) : { game: this.record.game, rules: this.record.rules, position: this.record.position }));
    on('analyse', () => this.analyse());
    on('stop', () => this.stopAnalysis());
    on('setup', () => (this.setup ? this.show(this.record, { push: false, paused: true }) : this.openSetup()));
    on('export', () => this.openText(false));
    on('import', () => this.openText(true));
    on('text-use', () => this.useText());
    on('text-copy', () => this.copy(byId('text').value, 'text-copy'));
    on('link', () => this.copy(location.href, 'link'));
    on('help-open', () => byId('help').showModal());
    on('theme', () => this.turnTheme());
    byId('hints').addEventListener('change', (e) => this.setHints(e.target.checked));
    for (const s of [0, 1, 2, 5, 10, 30, 60]) byId('time').append(new Option(s ? `${s} s` : 'no limit', String(s)));
    byId('time').addEventListener('change', (e) => this.show({ ...this.record, time: +e.target.value }));
    for (const s of [0, 1, 2, 5, 10, 30, 60]) byId('think').append(new Option(s ? `${s} s` : 'as it likes', String(s)));
    byId('think').addEventListener('change', (e) => this.show({ ...this.record, think: +e.target.value }));
    on('retry', () => this.show(this.record, { push: false }));
    on('slip-again', () => this.show({ ...this.record, at: slip(this).ply }, { paused: true }));
    on('home', () => this.welcome().then((record) => this.show(record)));
    byId('type-form').addEventListener('submit', (e) => {
      e.preventDefault();
      this.typed(byId('type').value.trim());
    });
    addEventListener('popstate', () => this.fromLink());
    document.addEventListener('keydown', (e) => this.keyDown(e));
    setInterval(() => this.tick(), 200);
  }

  typed(text) {
    if (!text || this.over) return;
    const move = this.answer.moves.find((m) => m.move === text);
    if (move) {
      byId('type').value = '';
      this.play(move.move);
      return;
    }
    if (this.hidden) {
      this.fault(`${text} is not legal here`);
      return;
    }
    // The service says why it is none.
    const query = spec(this.record);
    this.client.legal({ ...query, moves: [...query.moves, text] }).then(() => this.play(text), (e) => this.fault(e.message));
  }

  /** Plays the best move for the side to move, whoever that is, and lets the computer go on. */
  async best() {
    if (this.over || this.setup || this.hidden) return;
    const turn = this.turn;
    if (!this.answer.final && !this.answer.asked) await this.learn(turn).catch(() => {});
    const move = this.answer.final ? this.answer.moves[0].move
      : (await this.client.move({ ...spec(this.record), level: 'strongest', seconds: this.record.think }, this.asking.signal)).move;
    if (turn === this.turn) this.play(move);
  }

  async fromLink() {
    const record = fromHash(location.hash) ?? await this.welcome();
    if (toHash(record) === toHash(this.record)) return;
    this.times.length = Math.min(this.times.length, record.moves.length);
    this.show(record, { push: false, paused: true });
  }

  keyDown(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && e.target.type !== 'checkbox') {
      if (e.key === 'Escape') byId('stage').focus();
      return;
    }
    const act = {
      u: () => this.undo(), r: () => this.redo(), '[': () => this.goTo(this.record.at - 1), ']': () => this.goTo(this.record.at + 1),
      p: () => this.pause(), Home: () => this.goTo(0), End: () => this.goTo(this.record.moves.length), g: () => this.best(), v: () => this.setHints(!this.hints),
      a: () => (this.analysing ? this.stopAnalysis() : this.analyse()), s: () => this.swap(),
      n: () => byId('again').click(), m: () => byId('type').focus(), '?': () => byId('help').showModal(), b: () => this.toBoard(),
      Escape: () => {
        this.letGo();
        this.draw();
      },
    }[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  }

  toBoard() {
    if (this.gesture === 'tile') document.querySelector('.dominoes .tile.active, .dominoes .tile')?.focus();
    else {
      const own = this.answer.moves?.find((m) => m.path)?.path[0];
      const here = this.answer.picture.pieces[this.board.cursor] >= 0 || own === undefined;
      this.board.focus(here ? this.board.cursor : own);
    }
  }

  setHints(on) {
    this.hints = on;
    this.draw();
  }

  turnTheme() {
    const dark = getComputedStyle(document.documentElement).colorScheme === 'dark'
      || (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    try { localStorage.setItem('theme', document.documentElement.dataset.theme); } catch { /* not kept */ }
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

  /** The clock of the seat to move, and the end of its time. */
  tick() {
    if (!this.answer || this.over || this.setup || !this.atEnd) return;
    const spent = performance.now() - this.began;
    const clock = document.querySelector('#players .turn .clock');
    const { time } = this.record;
    if (clock) clock.textContent = time ? `${Math.max(0, Math.ceil(time - spent / 1000))} s` : spent > 3000 ? `${Math.floor(spent / 1000)} s` : '';
    if (time && spent > time * 1000 && this.toMove() === 'person' && !this.paused) this.end('time');
  }
}

const client = connect();
const page = new Page(client);
try {
  page.families = (await client.games()).families;
  await page.show(fromHash(location.hash) ?? await page.welcome(), { push: false });
} catch (e) {
  page.fault(e.message);
  document.body.dataset.ready = 'yes';
}
navigator.serviceWorker?.register('sw.js').catch(() => {}); // a page that cannot be kept works as well
