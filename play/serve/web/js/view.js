// Draws the page: the sentence, the board, the panels.

import { CellBoard } from './board.js';
import { drawChart } from './chart.js';
import { drawChoice } from './choose.js';
import { byId, colourSeats, svg } from './dom.js';
import { Table } from './domino.js';
import { drawBar, guess, impression, ordered } from './outlook.js';
import { drawMoves, drawPlayers, drawRecord, drawReview } from './panels.js';
import { drawLessons } from './lessons.js';
import { drawReport } from './report.js';
import { newRecord } from './record.js';
import { advised, complaint, count, how, mark, seatWord } from './text.js';
import { drawWelcome, headline, person, puzzleWords, slip } from './welcome.js';

/** The order of moves if it must not reveal values. */
const byName = new Intl.Collator('en', { numeric: true });

/** The number of moves of a likely line that are drawn. */
const AHEAD = 3;

export class View {
  constructor(page) {
    this.page = page;
    this.flipped = false;
  }

  newBoard() {
    const { page } = this;
    const { board, game, rules } = page.game;
    colourSeats(page.seats);
    const table = byId('table');
    table.replaceChildren();
    if (page.tiles) {
      const root = document.createElement('div');
      table.append(root);
      this.board = new Table(root, board, { choose: (t, s) => page.acts.chooseTile(t, s), end: (e) => page.acts.chooseEnd(e), point: () => {} });
    } else {
      const root = svg('svg', { role: 'group', 'aria-label': `Board of ${game}. Arrow keys go from cell to cell, Enter chooses.` });
      table.append(root);
      this.board = new CellBoard(root, board, {
        choose: (c) => page.acts.chooseCell(c), point: (c) => page.acts.point(c), drag: (from, to) => page.acts.drag(from, to),
      }, this.flipped);
    }
    this.drawChoice();
    byId('about').textContent = rules ? `${rules}: ${page.game.about}.` : `${page.family.about}.`;
    document.title = `${game} · perfectplay`;
    drawLessons(byId('lessons'), page);
  }

  flip() {
    this.flipped = !this.flipped;
    this.newBoard();
    this.draw();
  }

  drawChoice() {
    const { families, game, record, acts } = this.page;
    drawChoice(byId('choose'), families, game, record, (what) => acts.start(what));
  }

  draw() {
    const { page } = this;
    const { answer, record, hidden, over } = page;
    const last = record.end && page.atEnd ? record.end : null;
    byId('sentence').textContent = last ? this.verdict(last) : this.says();
    this.drawSource(last);
    drawBar(byId('bar'), page.hints && !over && !page.setup && !answer.final ? answer.outlook : null);
    byId('bar').dataset.comes = page.hints && !page.alone && !hidden && !page.solvable ? 'yes' : 'no';
    this.drawBoard();
    this.drawMoves();
    this.drawRecord();
    drawPlayers(byId('players'), page, (seat, level) => (page.hidden ? page.acts.start(page.acts.newDeal({ player: level }))
      : page.show({ ...page.record, players: { ...page.record.players, [seat]: level } })));
    page.analysis.draw();
    drawReview(byId('review'), page, () => page.show(newRecord({ ...record, hidden: null, position: answer.position, at: record.moves.length })));
    drawReport(byId('report'), page);
    this.drawButtons();
    byId('position').textContent = answer.position;
    byId('legend').hidden = Boolean(hidden) || !page.hints || Boolean(page.setup) || page.alone;
    byId('legend').dataset.score = answer.score != null || (answer.moves ?? []).some((m) => m.score != null) ? 'yes' : 'no';
    byId('legend').dataset.open = answer.final ? 'no' : 'yes';
    byId('legend').dataset.turns = answer.outlook?.moves[0]?.turns == null ? 'no' : 'yes';
    byId('hints').checked = page.hints;
    byId('time').value = String(record.time);
    byId('think').value = String(record.think);
    drawWelcome(byId('welcome'), page);
    const given = slip(page);
    byId('slip').hidden = !given;
    if (given) byId('slip-says').textContent = given.words;
    document.body.dataset.ply = record.at;
    document.body.dataset.ready = 'yes';
  }

  drawButtons() {
    const { page } = this;
    const { answer, record, hidden, over } = page;
    const can = (id, on) => { byId(id).disabled = !on; };
    byId('swap').hidden = page.alone || Boolean(hidden);
    for (const id of ['first', 'undo', 'redo', 'latest', 'go', 'resign', 'setup', 'export']) byId(id).hidden = Boolean(hidden);
    byId('hints').parentElement.hidden = Boolean(hidden) && !answer.advice;
    byId('time').parentElement.hidden = byId('chart').parentElement.hidden = Boolean(hidden);
    can('undo', record.at > 0 || (record.end && page.atEnd));
    can('first', record.at > 0);
    can('redo', !page.atEnd);
    can('latest', !page.atEnd);
    can('resign', !over);
    can('go', !over);
    can('analyse', !over && !answer.final);
    byId('type-form').hidden = over || Boolean(page.setup);
    byId('pass').hidden = over || answer.moves?.[0]?.move !== 'pass' || page.toMove() !== 'person';
    byId('pause').hidden = Boolean(hidden) || !page.automatic || over;
    byId('pause').textContent = page.atEnd && (!page.paused || page.level === 'person') ? 'Pause' : 'Play on';
    byId('flip').hidden = Boolean(page.tiles) || page.game.board.cells.length === 0;
    byId('controls').hidden = Boolean(page.setup);
  }

  /** The sentence on a game that ended otherwise than by its rules. */
  verdict({ why, seat }) {
    const { page } = this;
    if (why === 'repetition') return 'This position has come up for the third time: the game is drawn by endless play.';
    if (seat === person(page)) return `You ${why === 'time' ? 'have used up your time' : 'resign'}: the computer wins.`;
    const does = why === 'time' ? 'has used up its time' : page.alone ? 'gives up' : 'resigns';
    return `${seatWord(seat)} ${does}${page.seats.length === 2 ? `: ${seatWord(page.seats.find((s) => s !== seat))} wins` : ''}.`;
  }

  /** The sentence on the position, with who is to move before it. */
  says() {
    const { page } = this;
    const { answer, record, hidden } = page;
    if (page.setup) return 'Setting up a position';
    const text = /^\d /.test(answer.text) ? `Seat ${answer.text}` : answer.text[0].toUpperCase() + answer.text.slice(1);
    if (answer.over && page.alone) {
      const least = page.answers.get(page.key(0))?.distance;
      return `${text} It took ${count(record.at, 'turn')}${least == null ? '' : record.at === least ? ', the least there is' : `; ${count(least, 'turn')} would have done`}.`;
    }
    if (answer.over && answer.won && answer.score == null && person(page)) return answer.won === person(page) ? 'You have won' : 'The computer has won';
    if (answer.over) return text;
    if (hidden) {
      const passed = record.moves.at(-1) === 'pass' ? `${seatWord(page.seats.find((s) => s !== answer.seat))} has passed. ` : '';
      return `${passed}${seatWord(answer.seat)} ${answer.moves[0]?.move === 'pass' ? 'cannot move and must pass' : 'to move'}.`;
    }
    const passes = answer.moves?.[0]?.move === 'pass'; // the text says so too
    const mine = answer.final && !passes ? puzzleWords(page) || headline(page) : '';
    if (mine) return mine;
    if (page.hints && !answer.final && !passes && answer.outlook) return impression(answer, person(page));
    if (!page.hints || !(answer.asked || answer.final)) return passes ? `${seatWord(answer.seat)} has no legal move and passes.` : answer.seat === person(page) ? 'Your move' : `${seatWord(answer.seat)} to move`;
    return text;
  }

  /** The source of the values. A badge says how far an open position is proved. */
  drawSource(last) {
    const { page } = this;
    const { answer, hidden } = page;
    const open = page.hints && !answer.final && (answer.asked || answer.outlook);
    let text = '';
    if (last || answer.over || page.setup) text = '';
    else if (hidden) text = `deal ${hidden.deal} with hidden hands, against ${hidden.player}`;
    else if (!answer.asked && !answer.final && page.toMove() === 'computer') text = 'the computer thinks …';
    else if (!answer.asked && !answer.final && !answer.outlook) text = 'finding out what the moves are worth …';
    else if (open && answer.outlook) {
      const { depth, nodes, threats } = answer.outlook;
      text = `${threats.length > 0 ? '' : `${seatWord(answer.seat)} to move, `}by evaluation${depth ? `, ${count(depth, 'ply', 'plies')} deep` : ''}, ${nodes.toLocaleString('en')} positions`;
    } else if (answer.value === 'open' && !page.hints) text = page.game.solved ? 'being solved …' : 'not solved';
    else if (answer.value !== 'open' || answer.source.kind === 'search') text = how(answer.source);
    byId('source').textContent = text;
    byId('unproved').hidden = !open || Boolean(last || answer.over || page.setup || hidden);
    byId('unproved').textContent = answer.not_within ? `nothing is forced within ${count(answer.not_within, 'ply', 'plies')}` : 'not proved';
  }

  drawBoard() {
    if (this.page.tiles) this.drawTable();
    else this.drawCells();
  }

  /** The worth of a move in the form of mark: its value, else an estimate, else null. */
  sign(m, known) {
    if (this.page.hidden) return this.page.hints ? advised(m.advice) : null;
    if (known && m.value !== 'open') return mark(m, this.page.alone);
    return this.page.hints && m.guess ? guess(m.guess, this.page.alone) : null;
  }

  drawCells() {
    const { page } = this;
    const { answer, selected, setup } = page;
    const { cells } = page.game.board;
    const moves = setup || page.over ? [] : ordered(answer);
    const may = page.toMove() === 'person';
    const marks = new Map(), active = new Set(), ways = new Map();
    const plain = { cls: 'plain', short: '', words: '' };
    const known = page.hints && (answer.asked || answer.final);
    for (const m of moves) {
      if (!m.path) continue;
      const [from, to] = [m.path[0], m.path[m.path.length - 1]];
      const worth = this.sign(m, known) ?? plain;
      if (may) active.add(from);
      if (from !== to) ways.set(from, (ways.get(from) ?? 0) + 1);
      if (m.path.length === 1) {
        // On a board that is mostly open, what loses is told in the list.
        if (worth !== plain && (answer.final || m.value !== 'loss')) marks.set(from, { ...worth, kind: 'target', put: true });
      } else if (from === selected) {
        active.add(to);
        marks.set(to, { ...worth, kind: 'target' });
      } else if (selected < 0 && worth !== plain && !marks.has(from)) marks.set(from, { ...worth, kind: 'piece' });
    }
    if (selected >= 0) for (const c of [...active]) if (c !== selected && marks.get(c)?.kind !== 'target' && !moves.some((m) => m.path?.[0] === c)) active.delete(c);
    if (setup) cells.forEach((_, i) => active.add(i));
    const pieces = setup ? setup.pieces : answer.picture.pieces;
    const kinds = setup ? null : answer.picture.kinds;
    const label = (i) => {
      const stands = pieces[i] < 0 ? 'empty' : `${kinds?.[i] || 'piece'} of ${seatWord(page.seats[pieces[i]])}`;
      if (i === selected) return `${cells[i].name}, ${stands}, chosen`;
      const m = marks.get(i);
      if (m?.kind === 'target') return `${cells[i].name}, ${m.put ? 'play' : 'move'} here${m.words ? `: ${m.words}` : ''}`;
      const n = ways.get(i) ?? 0;
      return `${cells[i].name}, ${stands}${n > 0 ? `, ${count(n, 'move')}${m ? `, the best ${m.words}` : ''}` : ''}`;
    };
    const foreseen = page.hints && !setup && !page.over && !answer.final ? answer.outlook : null;
    this.board.update({
      pieces, kinds, marks, active, selected, label,
      way: page.pointed?.path ?? null,
      line: foreseen && selected < 0 && !page.pointed ? this.foreseen(foreseen) : [],
      threat: foreseen?.threats[0] ?? null,
      last: setup ? null : this.lastPath(),
      won: setup ? [] : answer.picture.won ?? [],
    });
  }

  /** The cells of the first moves of a likely line, if the moves name them. */
  foreseen({ line, seat }) {
    const { page } = this;
    const at = page.seats.indexOf(seat);
    return line.slice(0, AHEAD).map((move, i) => ({ cells: this.named(move), seat: page.seats[(at + i) % page.seats.length] })).filter((m) => m.cells);
  }

  /** The cells that a move names, or null. */
  named(move) {
    const cells = move.split('-').map((name) => this.page.game.board.cells.findIndex((c) => c.name === name));
    return cells.every((i) => i >= 0) ? cells : null;
  }

  /** The cells of the last move, if they are known. */
  lastPath() {
    const { record, answers } = this.page;
    if (record.at === 0) return null;
    const before = answers.get(this.page.key(record.at - 1));
    const move = record.moves[record.at - 1];
    return before?.moves?.find((m) => m.move === move)?.path ?? this.named(move);
  }

  drawTable() {
    const { page } = this;
    const { answer, setup } = page;
    const { picture } = answer;
    const mover = page.over ? -1 : page.seats.indexOf(answer.seat);
    const moves = setup || page.over ? [] : answer.moves ?? [];
    const known = page.hints && (answer.asked || answer.final);
    const marks = new Map(), active = new Set(), endMarks = {};
    for (const m of moves) {
      if (!m.tile) continue;
      if (page.toMove() === 'person') active.add(m.tile);
      if (known && !marks.has(m.tile)) marks.set(m.tile, mark(m));
      if (known && m.tile === page.tile) endMarks[m.end] = mark(m);
    }
    if (setup) setup.hands.flat().forEach((t) => active.add(t));
    this.board.update({
      hands: setup ? setup.hands : picture.hands.map((h) => h ?? []), row: setup ? [] : picture.row ?? [], ends: setup ? setup.ends : picture.ends ?? null,
      mover: setup ? setup.mover : mover, marks, active, selected: page.tile, endMarks,
      last: page.record.at > 0 ? page.record.moves[page.record.at - 1].slice(0, 3) : '',
      label: (tile, seat) => `${tile === '?|?' ? 'a hidden tile' : tile} of ${page.seats[seat]}${seat === mover && marks.has(tile) ? `: ${marks.get(tile).words}` : ''}`,
    });
  }

  drawMoves() {
    const { page } = this;
    const { answer } = page;
    const sorted = page.hints && !page.hidden ? ordered(answer) : [...answer.moves ?? []].sort((a, b) => byName.compare(a.move, b.move));
    const shown = page.selected < 0 ? sorted : sorted.filter((m) => m.path?.[0] === page.selected);
    const known = page.hints && (answer.asked || answer.final);
    drawMoves(byId('moves'), page.over || page.setup ? [] : shown, {
      sign: (m) => this.sign(m, known) ?? (known && !answer.outlook ? mark(m, page.alone) : null), may: page.toMove() === 'person',
      onPlay: ({ move }) => page.acts.play(move),
      onPoint: (m) => !page.tiles && page.acts.pointAt(page.answer.moves?.find(({ move }) => move === m?.move) ?? null),
    });
  }

  drawRecord() {
    const { page } = this;
    const points = [];
    for (let at = 0; at <= page.record.moves.length; at++) points.push(this.standing(page.answers.get(page.key(at))));
    drawRecord(byId('record'), page.record, { seats: page.seats, first: page.answers.get(page.key(0))?.seat, times: page.times, onPick: (at) => page.acts.goTo(at) });
    byId('chart').hidden = !page.hints;
    if (page.hints) drawChart(byId('chart'), { points, seats: page.seats, at: page.record.at, onPick: (at) => page.acts.goTo(at) });
  }

  /** An answer for the chart: the winner and the plies, or the estimated lead of the first seat; null if nothing is known. */
  standing(a) {
    if (!a) return null;
    if (a.over) return { winner: a.won || null, draw: !a.won, distance: 0, score: a.score, words: a.text };
    const { seats } = this.page;
    const others = seats.filter((s) => s !== a.seat);
    const winner = a.winner || (a.value === 'win' ? a.seat : a.value === 'loss' && others.length === 1 ? others[0] : null);
    if (winner !== null || a.value === 'draw') return { winner, draw: winner === null, distance: a.distance, score: a.score, words: a.text };
    return a.outlook && seats.length > 1 ? { share: a.outlook.seats[0].share, words: `${impression(a, null)}, an estimate` } : null;
  }

  /** Shows a fault, or none if it is ''; again offers another try. */
  fault(message, again = false) {
    byId('fault').textContent = complaint(message, this.page.game?.family);
    byId('fault').hidden = !message;
    byId('retry').hidden = !again;
    if (again) byId('source').textContent = '';
  }
}
