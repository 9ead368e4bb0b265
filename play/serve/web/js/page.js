// The page: the game, the position and the answers about it. All state is the record
// (record.js), which the link holds; answers come from the client. view.js draws the page,
// acts.js has the acts of a person, analysis.js the searches.

import { Acts } from './acts.js';
import { Analysis } from './analysis.js';
import { connect } from './backend.js';
import { Problem } from './client.js';
import { byId } from './dom.js';
import { isLevel } from './players.js';
import { fromHash, newRecord, spec, toHash } from './record.js';
import { View } from './view.js';

/** The number of answers that are kept. */
const KEPT = 3000;

/** The waits for a game that is solved on the spot, in seconds: after the first a search answers. */
const SOLVING = [1, 30];

/** The least time of a move of the computer, in ms, so that people see it; and that where it plays all seats. */
const PACE = 200, ALONE = 800;

class Page {
  constructor(client) {
    this.client = client;
    this.answers = new Map(); // by key of a query; without values until asked for
    this.times = [];          // ms that each move took, undefined where nobody took time
    this.turn = 0;            // counts what is shown, so that late answers are known as late
    this.hints = true;
    this.puzzles = [];
    this.view = new View(this);
    this.analysis = new Analysis(this);
    this.acts = new Acts(this);
    this.letGo();
  }

  /** Nothing is selected or pointed at. */
  letGo() {
    this.selected = -1;
    this.tile = '';
    this.pointed = null;
  }

  // What is known.

  /** The key of the answer at a ply of the record. */
  key(at, record = this.record) {
    const { game, rules, position, moves } = spec(record, at);
    const { deal = '', seat = '', player = '' } = record.hidden ?? {};
    return [game, rules, position, deal, seat, player, ...moves].join(' ');
  }

  /** Keeps an answer; of two searches that of the deeper one. */
  keep(key, answer) {
    const old = this.answers.get(key);
    const poorer = old && !answer.final && (old.final || (old.not_within ?? 0) > (answer.not_within ?? 0));
    const kept = poorer ? { ...old, progress: answer.progress ?? old.progress, asked: old.asked || answer.asked } : answer;
    kept.outlook ??= old?.outlook;
    this.answers.delete(key);
    this.answers.set(key, kept);
    if (this.answers.size > KEPT) this.answers.delete(this.answers.keys().next().value);
  }

  get atEnd() { return this.record.at === this.record.moves.length; }
  get tiles() { return this.game.board.tiles; }
  get seats() { return this.game.board.seats.map((s) => s.name); }
  get family() { return this.families.find((f) => f.name === this.game.family); }
  get solvable() { return !['search', 'proof'].includes(this.game.source.kind); }
  get hidden() { return this.record.hidden; }
  get alone() { return this.seats.length === 1; }
  get automatic() { return this.seats.some((s) => this.player(s) !== 'person'); }
  get level() { if (this.hidden) return this.answer.reply ? this.hidden.player : 'person';
    return this.player(this.answer.seat); }
  get repeats() { return this.atEnd && this.game.endless && this.answer.repeated >= 3 && !this.alone; }
  get over() { return this.answer.over || (this.atEnd && this.record.end !== null); }

  /** Who has a seat: person or a level. */
  player(seat) { return this.record.players[seat] ?? 'person'; }

  /** Who has the move: 'person', 'computer', or '' when nobody has. */
  toMove() {
    if (this.over || this.setup) return '';
    return this.level !== 'person' && (!this.paused || this.hidden) && this.atEnd ? 'computer' : 'person';
  }

  /** The puzzle whose position the game began with, or null. */
  get puzzle() {
    const { game, rules, position } = this.record;
    return this.puzzles.find((p) => p.game === game && p.rules === rules && p.position === position) ?? null;
  }

  /** Asks again what the server did not answer. */
  retry() {
    const { record, push } = this.failed ?? { record: this.record };
    if (record) this.show(record, { push });
    else location.reload();
  }

  // Going to a position.

  /**
   * Shows a record. push makes an entry in the history of the browser; paused keeps
   * the computer from moving at once, after going back; fault is what is said of it.
   */
  async show(record, { push = true, paused = false, fault = this.notice ?? '' } = {}) {
    const turn = ++this.turn;
    delete document.body.dataset.charted;
    this.analysis.stop();
    this.asking?.abort();
    this.asking = new AbortController();
    try {
      if (Boolean(record.hidden) !== Boolean(this.record?.hidden)) this.hints = !record.hidden; // advice is given on wish only
      const changed = !this.game || record.game !== this.record.game || record.rules !== this.record.rules;
      if (changed) performance.mark('chosen');
      const game = changed ? await this.client.game(record.game, record.rules) : this.game;
      if (turn !== this.turn) return;
      const [seat, given] = Object.entries(record.players).find(([, level]) => level !== 'person' && !isLevel(level)) ?? [];
      if (given) throw new Problem({ error: `seat ${seat}: nobody here plays as "${given}"; a person has the seat`, where: 'level', given });
      let key = this.key(undefined, record);
      const answer = this.answers.get(key) ?? await (record.hidden ? this.seen(record) : this.client.legal(spec(record)));
      if (turn !== this.turn) return;
      if (answer.from && record.position !== 'start' && record.position !== answer.from) { // a deal by its number
        record = { ...record, position: answer.from };
        key = this.key(undefined, record);
      }
      this.record = record;
      this.game = game;
      this.keep(key, answer);
      this.answer = this.answers.get(key);
      this.paused = paused;
      this.acts.closeSetup();
      this.letGo();
      if (this.puzzle && record.moves.length === 0) this.pose();
      if (changed) this.view.newBoard();
      else if (this.game.hidden) this.view.drawChoice();
      if (this.repeats && !this.record.end) this.record = record = { ...record, end: { why: 'repetition', seat: answer.seat } };
      if (push && toHash(record) !== location.hash) history.pushState(null, '', toHash(record));
      this.began = performance.now();
      this.view.fault(fault);
      this.view.draw();
      await this.learn(turn);
    } catch (e) {
      if (turn !== this.turn || e.name === 'AbortError') return;
      await this.explain(e, record, push);
    }
  }

  /** A puzzle is played without hints, against perfect play. */
  pose() {
    this.hints = false;
    scrollTo(0, 0);
    if (Object.keys(this.record.players).length > 0) return;
    this.record.players = Object.fromEntries(this.seats.filter((s) => s !== this.puzzle.seat).map((s) => [s, 'perfect']));
  }

  /** The view of one seat of a deal, in the form of other answers. */
  async seen({ game, hidden, moves }) {
    const answer = await this.client.hidden({ game, ...hidden, moves });
    const advice = new Map(answer.advice?.moves.map((m) => [m.move, m]));
    for (const m of answer.moves) m.advice = advice.get(m.move);
    return { ...answer, value: 'open', final: false, source: { kind: 'rules', about: '' }, line: [], position: answer.position ?? `deal ${hidden.deal}, of which you see your part` };
  }

  /** The game of the first screen. */
  first(what = {}) {
    const [{ first, first_rules: rules = '' }] = this.families;
    return newRecord({ game: first, rules, ...what });
  }

  /** The challenge of the first screen: the strongest player, without hints. */
  async welcome() {
    this.hints = false;
    const { board, solved } = await this.client.game(this.families[0].first, this.families[0].first_rules);
    return this.first({ players: Object.fromEntries(board.seats.slice(1).map((s) => [s.name, solved ? 'perfect' : 'strongest'])) });
  }

  /**
   * Says what is wrong with a record. After a wrong move the moves before it stand; for an unknown
   * player a person plays; for a wrong time there is the usual one, for a wrong link the first position.
   */
  async explain(e, record, push) {
    let instead = null;
    if (e.where === 'moves' && e.index !== null && e.index < record.moves.length) {
      instead = { ...record, moves: record.moves.slice(0, e.index), at: e.index, end: null };
    } else if (e.where === 'level') {
      const players = Object.entries(record.players).filter(([, level]) => isLevel(level) && level !== e.given);
      instead = { ...record, players: Object.fromEntries(players) };
    } else if (e.where === 'seconds' && record.think) {
      instead = { ...record, think: 0 };
    } else if (!this.answer) {
      instead = e.where === 'position' ? newRecord({ game: record.game, rules: record.rules }) : this.first();
    }
    if (instead && !this.mending) {
      this.mending = true;
      if (!push) history.replaceState(null, '', toHash(instead)); // the wrong link goes from the address
      await this.show(instead, { push, paused: true, fault: e.message });
      this.mending = false;
      return;
    } else if (this.answer) {
      this.view.draw();
      this.view.drawChoice();
    }
    if (e.where === 'server') this.failed = { record, push };
    this.view.fault(e.message, e.where === 'server');
  }

  /** Asks for the values of the position, then lets the computer move if it is its turn. */
  async learn(turn) {
    if (this.wanted()) {
      document.body.dataset.busy = 'values';
      this.analysis.look();
      for (const seconds of this.solvable ? SOLVING : [0]) { // 0: the service's default
        const answer = await this.client.position({ ...spec(this.record), seconds }, this.asking.signal);
        if (turn !== this.turn) return;
        answer.asked = true;
        this.take(answer);
        if (answer.final && answer.moves.every((m) => m.final)) break;
      }
    } else {
      this.analysis.look();
    }
    delete document.body.dataset.busy;
    if (this.toMove() === 'computer') await this.computer(turn);
    else {
      await this.fillChart(turn);
      if (turn === this.turn) document.body.dataset.charted = 'yes';
    }
  }

  /** Whether to ask for values: not if hands are hidden, or if the computer searches anyway. */
  wanted() {
    const { answer } = this;
    return !this.hidden && !answer.final && !answer.over && !answer.asked && (this.toMove() !== 'computer' || this.solvable);
  }

  /** Takes an answer about the position. */
  take(answer) {
    this.keep(this.key(), answer);
    this.answer = this.answers.get(this.key());
    this.view.draw();
    if (answer.final && performance.getEntriesByName('chosen').length) {
      performance.measure('values', 'chosen'); // from the choice of a game to its first values
      performance.clearMarks('chosen');
    }
  }

  async computer(turn) {
    await new Promise((done) => setTimeout(done, (this.seats.some((s) => this.player(s) === 'person') ? PACE : ALONE) - (performance.now() - this.began)));
    if (turn !== this.turn) return;
    const { move } = this.hidden ? { move: this.answer.reply }
      : await this.client.move({ ...spec(this.record), level: this.level, seconds: this.record.think }, this.asking.signal);
    if (turn === this.turn) this.acts.play(move);
  }

  /** Asks for values along the game if it is solved. */
  async fillChart(turn) {
    if (!this.answer.final || this.answer.source.kind === 'search') return;
    for (let at = 0; at < this.record.moves.length; at++) {
      const known = this.answers.get(this.key(at));
      if (known && (known.final || known.asked)) continue;
      const answer = await this.client.position(spec(this.record, at), this.asking.signal).catch(() => null);
      if (turn !== this.turn) return;
      if (answer) this.keep(this.key(at), { ...answer, asked: true });
      if (at % 8 === 7 || at === this.record.moves.length - 1) this.view.drawRecord();
    }
    this.view.drawRecord();
  }

  /** Shows the first screen, unless the person chooses another game before it has come. */
  async goHome(how) {
    const turn = ++this.turn;
    const record = await this.welcome().catch((e) => this.view.fault(e.message));
    if (record && turn === this.turn) await this.show(record, how);
  }

  async fromLink() {
    const record = fromHash(location.hash);
    if (!record) return this.goHome({ push: false, paused: true });
    if (toHash(record) === toHash(this.record)) return;
    this.times.length = Math.min(this.times.length, record.moves.length);
    this.show(record, { push: false, paused: true });
  }
}

/** The puzzles of the file puzzles.jsonl, the shortest first; none without the file. */
async function readPuzzles() {
  const response = await fetch('puzzles.jsonl').catch(() => null);
  if (!response?.ok) return [];
  return (await response.text()).split('\n').filter(Boolean).map((line) => JSON.parse(line)).sort((a, b) => a.distance - b.distance);
}

const client = connect();
const page = new Page(client);
try {
  const puzzles = readPuzzles();
  page.families = (await client.games()).families;
  page.puzzles = (await puzzles).filter((p) => page.families.some((f) => f.games.includes(p.game) || f.template));
  await page.show(fromHash(location.hash) ?? await page.welcome(), { push: false });
} catch (e) {
  page.view.fault(e.message);
  byId('retry').hidden = false;
  document.body.dataset.ready = 'yes';
}
navigator.serviceWorker?.register('sw.js').catch(() => {}); // a page that cannot be kept works as well
