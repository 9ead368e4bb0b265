// Numbers and words for the estimates of the strongest player, where nothing is proved.

import { html } from './dom.js';
import { count, seatWord } from './text.js';

/** Turns as people read them: +1.3. */
function signed(turns) {
  const text = Math.abs(turns).toFixed(1);
  return text === '0.0' ? '0' : (turns < 0 ? '−' : '+') + text;
}

/** How an estimate of a move is shown: {cls, sign, short, words}, as mark of text.js shows values. */
export function guess({ share, turns }, alone) {
  if (alone) return { cls: 'guess', sign: '', short: `~${Math.round(turns)}`, words: `about ${count(Math.round(turns), 'turn')} to go` };
  if (turns != null && Math.abs(turns) < 100) {
    return { cls: 'guess', sign: '', short: signed(turns), words: `about ${Math.abs(turns).toFixed(1)} turns ${turns < 0 ? 'behind' : 'ahead'}, an estimate` };
  }
  const percent = Math.round(100 * share);
  return { cls: 'guess', sign: '', short: `${percent}%`, brief: String(percent), words: `${percent} of 100, an estimate` };
}

/** The moves of an answer in the order of the list: proved ones as they are, open ones by their estimates. */
export function ordered(answer) {
  const moves = answer.moves ?? [];
  const outlook = answer.outlook;
  if (!outlook) return moves;
  const at = new Map(outlook.moves.map((m, i) => [m.move, i]));
  const open = moves.filter((m) => m.value === 'open');
  const first = moves.findIndex((m) => m.value === 'open');
  if (first < 0) return moves;
  const place = (m) => at.get(m.move) ?? Infinity;
  const by = open.map((m) => ({ ...m, guess: outlook.moves[at.get(m.move)] })).sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  return [...moves.slice(0, first), ...by, ...moves.slice(first + open.length)];
}

/** The outlook of an open position as a sentence; '' without one. me is the only person's seat or null. */
export function impression({ outlook, seat }, me) {
  if (!outlook) return '';
  const word = (s) => (s === me ? 'You' : seatWord(s));
  const verb = (s, you, other) => (s === me ? you : other);
  const [threat] = outlook.threats;
  if (threat && threat.seat === seat) return `${word(seat)} ${threat.text.startsWith('completes') ? `can ${verb(seat, 'complete', 'complete')} a line` : `${verb(seat, 'win', 'wins')} by threats, it seems`}`;
  if (threat) return `${word(threat.seat)} ${threat.text.startsWith('completes') ? verb(threat.seat, 'complete', 'completes') + ' a line next' : verb(threat.seat, 'threaten', 'threatens') + ' to win'}: ${seat === me ? 'you' : seatWord(seat)} must answer`;
  if (outlook.seats.length === 1) return `About ${count(Math.round(outlook.seats[0].turns), 'turn')} to go`;
  const best = outlook.seats.reduce((a, b) => (b.share > a.share ? b : a));
  const even = outlook.seats.length === 2 ? Math.abs(best.share - 0.5) < 0.06 : best.share < 1.15 / outlook.seats.length;
  if (even || (best.turns != null && Math.abs(best.turns) < 0.3)) return 'About even';
  if (best.turns == null || Math.abs(best.turns) >= 100) return `${word(best.seat)} ${verb(best.seat, 'stand', 'stands')} better`;
  return `${word(best.seat)} ${verb(best.seat, 'are', 'is')} about ${count(+Math.abs(best.turns).toFixed(1), 'turn')} ahead`;
}

/** The bar: the part of each seat in what can be won. */
export function drawBar(element, outlook) {
  const seats = outlook?.seats ?? [];
  element.hidden = seats.length < 2;
  if (element.hidden) return;
  const words = seats.map((s) => `${seatWord(s.seat)} ${Math.round(100 * s.share)} %`);
  element.setAttribute('aria-label', `Estimate: ${words.join(', ')}`);
  element.replaceChildren(...seats.map((s, i) => html('span', { class: `seat-${s.seat}`, title: words[i], 'data-share': s.share.toFixed(3) },
    s.share > (seats.length > 2 ? 0.06 : 0.14) ? (seats.length > 2 ? s.seat : `${s.seat.length > 2 ? seatWord(s.seat) : s.seat} ${Math.round(100 * s.share)} %`) : '')));
  [...element.children].forEach((part, i) => { part.style.flexGrow = Math.max(seats[i].share, 0.01); });
}
