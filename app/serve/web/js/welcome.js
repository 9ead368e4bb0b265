// What a newcomer sees: the challenge, three ways to begin, and what the position
// means for the one person who plays.

import { html } from './dom.js';
import { count, seatWord } from './text.js';

/** The seat of the only person among two, or null. */
export function person({ seats, record, hidden }) {
  const persons = seats.filter((s) => (record.players[s] ?? 'person') === 'person');
  return seats.length === 2 && persons.length === 1 && !hidden ? persons[0] : null;
}

/** What a solved position is worth to the only person, counted in moves of the winner; '' where there is none. */
export function headline(page) {
  const { answer } = page;
  const me = person(page);
  if (!me || answer.over || answer.value === 'open') return '';
  if (answer.value === 'draw') return 'With best play this is a draw';
  const mine = (answer.value === 'win') === (answer.seat === me);
  const winner = mine ? 'You win' : 'The computer wins';
  if (answer.score != null) return `${winner} by ${count(Math.abs(answer.score), 'pip')} with best play`;
  if (answer.distance == null) return `${winner} with best play`;
  const moves = Math.ceil(answer.distance / 2); // the winner makes the last of them
  return `${winner} in ${count(moves, mine ? 'of your moves' : 'of its moves', mine ? 'of your moves' : 'of its moves')}`;
}

/**
 * The person's last move, where it gave a proved win or draw away: {ply, words}; else
 * null. ply is the place before it.
 */
export function slip(page) {
  const { record, answers } = page;
  const me = person(page);
  if (!me || page.setup) return null;
  for (let ply = record.at - 1; ply >= Math.max(0, record.at - 2); ply--) {
    const before = answers.get(page.key(ply));
    if (before?.seat !== me || !before.final) continue;
    const now = before.moves.find((m) => m.move === record.moves[ply]);
    const points = { win: 2, draw: 1, loss: 0 };
    if (!now?.final || points[now.value] >= points[before.value]) return null;
    return { ply, words: `${record.moves[ply]} gave away the ${before.value}${now.value === 'draw' ? ', but not all: it is a draw now' : ''}.` };
  }
  return null;
}

/** Positions worth a look: what is shown of each is proved. */
const GALLERY = [
  ['#game=halma-star37-2p&rules=base', 'The same star under base rules: a draw'],
  ['#game=halma-star13-3p', 'Three players: alone, nobody can win'],
  ['#game=mnk-5x5k4', 'Four in a row on 5×5: a draw'],
  ['#game=mnk-6x5k4', 'One row more, and the first player wins'],
  ['#game=halma-star37-1p', 'Alone across the star: the least number of turns'],
];

/** The panel of the first screen: shown until a game is under way. */
export function drawWelcome(section, page) {
  const { record, seats } = page;
  const me = person(page);
  section.hidden = Boolean(page.setup) || record.moves.length > 0 || record.position !== 'start' || Boolean(page.hidden);
  if (section.hidden) return;
  // Values that arrive change nothing here: what is being clicked stays in place.
  const key = JSON.stringify([record.game, record.rules, me]);
  if (section.dataset.key === key) return;
  section.dataset.key = key;
  const first = page.families[0];
  const others = (level, of = seats.slice(1)) => Object.fromEntries(of.map((s) => [s, level]));
  const begin = (players, hints) => {
    page.hints = hints;
    page.show({ ...page.first(), players });
  };
  const card = (name, title, text, onclick) => html('button', { type: 'button', class: 'card', id: `card-${name}`, onclick }, html('strong', {}, title), html('span', {}, text));
  const opening = me === seats[0] && record.game === first.first;
  section.replaceChildren(
    html('h2', { id: 'welcome-title' }, opening ? 'Can you hold out?' : 'Begin'),
    html('p', {}, opening ? [`You are `, html('b', { class: `seat-${me} me` }, seats.length === 2 && page.gesture === 'move' ? 'blue' : seatWord(me)), ` and begin. The computer plays perfectly: it never gives anything away. One wrong move of yours is enough.`]
      : 'Play on against whom you like, or choose a way to begin.'),
    html('div', { class: 'cards' },
      card('beat', 'Beat it', 'a weaker computer, with hints', () => begin(others('level-4'), true)),
      card('watch', 'Watch perfect play', 'both sides play best moves', () => begin(others('perfect', seats), true)),
      card('ask', 'Ask your own position', 'set it up, see every move\u2019s worth', () => page.openSetup())),
    html('ul', { class: 'gallery', 'aria-label': 'Worth a look' }, GALLERY.filter(([link]) => page.families.some((f) => link.includes(`=${f.name}-`)))
      .map(([link, text]) => html('li', {}, html('a', { href: link }, text)))));
}
