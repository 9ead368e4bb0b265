// The report of a game: its moves compared with perfect play, and summed up by player.

import { html } from './dom.js';
import { newRecord, spec } from './record.js';
import { count, seatWord } from './text.js';

/** The time for a report, in seconds. */
const PATIENCE = 20;

/** The key of the report of a record: game and moves. */
function key({ game, rules, position, moves }) {
  return [game, rules, position, ...moves].join(' ');
}

/** Asks for the report of the game on the page. */
export async function askReport(page) {
  const { record } = page;
  const report = page.report = { key: key(record), asking: true };
  page.view.draw();
  try {
    Object.assign(report, await page.client.report({ ...spec(record, record.moves.length), seconds: PATIENCE }));
  } catch (e) {
    page.view.fault(e.message);
    page.report = null;
  }
  report.asking = false;
  if (page.answer) page.view.draw();
}

/** The panel of the report, shown once a move was made. */
export function drawReport(section, page) {
  const { record } = page;
  section.hidden = Boolean(page.hidden || page.setup || page.alone) || record.moves.length === 0;
  const report = page.report?.key === key(record) ? page.report : null;
  const [says, players, list, ask] = ['#report-says', '#report-players', '#report-moves', '#report-ask'].map((id) => section.querySelector(id));
  ask.hidden = Boolean(report);
  says.textContent = !report ? 'Which moves gave something away?' : report.asking ? 'Looking at every move …' : summary(report);
  const done = report && !report.asking;
  players.replaceChildren(...(done ? report.players : []).map((p) => html('li', { class: `seat-${p.player}`, 'data-player': p.player, 'data-best': p.best, 'data-judged': p.judged },
    html('span', { class: 'seat-dot' }), ` ${seatWord(p.player)}: `,
    p.judged ? html('b', {}, `${Math.round(100 * p.best / p.judged)} %`) : 'not known',
    p.judged ? `, ${p.best} of ${count(p.judged, 'move')} as good as any, ${count(p.errors, 'error')}` : '')));
  const given = done ? report.moves.filter(gave) : [];
  list.replaceChildren(...given.map((m) => html('li', { class: `seat-${m.seat}`, 'data-ply': m.ply },
    html('span', { class: 'seat-dot' }), ` ${m.ply}. ${seatWord(m.seat)} ${m.move} `, html('span', { class: 'worth loss' }, lost(m)), m.best ? ` best: ${m.best} ` : ' ',
    html('button', { type: 'button', onclick: () => again(page, m) }, 'Try again'))));
}

/** Whether a move gave something away. */
const gave = (m) => m.missed || m.value_lost > 0 || m.score_lost > 0;

/** The loss by a move, in words. */
function lost(m) {
  if (m.missed) return 'gave away a proved win';
  if (m.value_lost > 0) return `gave away the ${m.value}`;
  return `gave away ${count(m.score_lost, 'pip')}`;
}

/** The report in a sentence. */
function summary({ moves, complete }) {
  const judged = moves.filter((m) => m.missed || m.value_lost !== null).length;
  const given = moves.filter(gave).length;
  const rest = moves.length - judged;
  const open = rest === 0 ? '' : ` ${rest === moves.length ? 'Nothing' : `Of ${count(rest, 'move')} nothing`} is proved${complete ? '' : ' in the time there was'}.`;
  if (judged === 0) return open.trim();
  return `${given === 0 ? 'Nothing was given away' : `${count(given, 'move')} gave something away`}.${open}`;
}

/** Goes to the position before a move: a person plays its seat, the strongest player all others. */
function again(page, m) {
  const best = page.game.solved ? 'perfect' : 'strongest';
  const players = Object.fromEntries(page.seats.filter((s) => s !== m.seat).map((s) => [s, best]));
  page.show(newRecord({ ...page.record, moves: page.record.moves.slice(0, m.ply - 1), at: m.ply - 1, end: null, players }), { paused: true });
}
