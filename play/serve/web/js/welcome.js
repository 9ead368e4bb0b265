// What a newcomer sees: the challenge, three ways to begin, and what the position
// means for the one person who plays.

import { byId, html } from './dom.js';
import { drawLessons } from './lessons.js';
import { newRecord, toHash } from './record.js';
import { count, seatWord } from './text.js';

/** The seat of the only person among two, or null. */
export function person({ seats, record, hidden }) {
  const persons = seats.filter((s) => (record.players[s] ?? 'person') === 'person');
  return seats.length === 2 && persons.length === 1 && !hidden ? persons[0] : null;
}

/** The value of a solved position to the only person, in moves of the winner; '' if it is unknown. */
export function headline(page) {
  const { answer } = page;
  const me = person(page);
  if (!me || answer.over || answer.value === 'open') return '';
  if (answer.value === 'draw') return 'With best play this is a draw';
  const mine = (answer.value === 'win') === (answer.seat === me);
  const winner = mine ? 'You can win' : 'The computer can win';
  if (answer.score != null) return `${winner} by ${count(Math.abs(answer.score), 'pip')}`;
  if (answer.distance == null) return winner;
  return `${winner} in ${count(Math.ceil(answer.distance / 2), 'move')}`; // the winner makes the last of them
}

/**
 * The person's last move, if it gave a proved win or draw away: {ply, words}, ply being the
 * place before it; else null.
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

/** The question of a puzzle, or that its move was found; '' without a puzzle. */
export function puzzleWords(page) {
  const { puzzle, record, answer } = page;
  if (!puzzle || page.setup) return '';
  if (record.at === 0) return 'Only one move wins. Which?';
  if (record.moves[0] === puzzle.move && record.at <= 2) return `Right: ${puzzle.move} is the only move that wins`;
  return '';
}

/** The person's seat as the board shows it, by colour where pieces have no sign. */
function mine({ seats, game: { board } }, me) {
  const i = seats.indexOf(me);
  const coloured = seats.length === 2 && board.cells?.length > 0 && i >= 0 && !board.seats[i].sign;
  return html('b', { class: `seat-${me} me` }, coloured ? ['blue', 'red'][i] : seatWord(me));
}

/** Links to games about which something surprising is proved. */
function gallery(page) {
  const list = page.families.flatMap((f) => f.gallery ?? []);
  return list.length === 0 ? [] : [html('h3', {}, 'Worth a look (a ply is one move of one player)'), html('ul', { class: 'gallery', 'aria-label': 'Worth a look' },
    list.map(({ game, rules, text }) => html('li', {}, html('a', { href: toHash(newRecord({ game, rules })), onclick: () => { page.hints = true; } }, text))))];
}

/** The link of a puzzle. */
function puzzleLink({ game, rules, position }) {
  return toHash(newRecord({ game, rules, position }));
}

/** The board of a puzzle: the values of its settings. */
function boardWords(page, { game }) {
  const { games, values, settings, template } = page.families.find((f) => game.startsWith(`${f.name}-`));
  const at = values ? games.indexOf(game) : -1;
  return at < 0 ? game.slice(game.indexOf('-') + 1) : template ? values[at].map((v, i) => `${v} ${settings[i].title.toLowerCase()}`).join(', ') : values[at].slice(0, 2).join(' ');
}

/** The puzzles by board, the shortest first. */
function puzzleList(page) {
  return [...Map.groupBy(page.puzzles, (p) => boardWords(page, p))].flatMap(([board, list]) => [html('h3', {}, `${board}: wins in … plies`),
    html('ul', { class: 'gallery short', 'aria-label': board }, list.map((p) => html('li', {},
      html('a', { href: puzzleLink(p), 'aria-current': p === page.puzzle ? 'page' : undefined, 'aria-label': `${p.distance}, ${board}` }, String(p.distance)))))]);
}

/** Opens the pictures of the rules, and goes there when they are drawn. */
async function learn(page) {
  const lessons = byId('lessons');
  lessons.open = true;
  await drawLessons(lessons, page);
  lessons.scrollIntoView({ block: 'start' });
  lessons.querySelector('summary').focus();
}

/** The panel of the first screen: shown until a game is under way. */
export function drawWelcome(section, page) {
  const { record, seats, puzzle } = page;
  const me = person(page);
  section.hidden = Boolean(page.setup || page.hidden) || (!puzzle && (record.moves.length > 0 || record.position !== 'start'));
  if (section.hidden) return;
  // Values that arrive change nothing here: what is being clicked stays in place.
  const against = me && record.players[seats.find((s) => s !== me)];
  const key = JSON.stringify([record.game, record.rules, record.position, me, against]);
  if (section.dataset.key === key) return;
  section.dataset.key = key;
  const first = page.families[0];
  const best = page.game.solved ? 'perfect' : 'strongest';
  const others = (level, of = seats.slice(1)) => Object.fromEntries(of.map((s) => [s, level]));
  const begin = (players, hints) => {
    page.hints = hints;
    page.show(newRecord({ game: record.game, rules: record.rules, players }));
  };
  const card = (name, title, text, onclick) => html('button', { type: 'button', class: 'card', id: `card-${name}`, onclick }, html('strong', {}, title), html('span', {}, text));
  const who = me ? ['You are ', mine(page, me), '. '] : [];
  const opening = me === seats[0] && record.game === first.first && !puzzle;
  const strong = ['perfect', 'strongest'].includes(against);
  const perfect = strong && page.game.solved;
  const at = page.puzzles.indexOf(puzzle);
  const next = page.puzzles[(at + 1) % page.puzzles.length];
  section.replaceChildren(
    html('h2', { id: 'welcome-title' }, puzzle ? `Puzzle ${at + 1} of ${page.puzzles.length}` : opening ? (strong ? 'Can you bring it home?' : 'Can you beat it?') : 'Begin'),
    html('p', {}, puzzle ? [...who, `Only one of the ${count(puzzle.legal_moves, 'move')} wins, in ${count(puzzle.distance, 'ply', 'plies')}. The computer plays perfectly against you.`]
      : opening ? ['You are ', mine(page, me), ` and begin. ${perfect ? 'The computer plays perfectly: it never gives anything away. One wrong move of yours is enough.'
        : strong ? 'The computer plays as well as it can; nobody has solved this board.' : `The computer plays at ${against.replace('-', ' ')} and makes mistakes. Numbers say what a move is worth: + wins, − loses, and in how many plies.`}`]
        : [...who, 'Choose the players and play on, or choose a way to begin.']),
    puzzle ? html('div', { class: 'buttons' }, html('button', { type: 'button', class: 'main', id: 'puzzle-next', onclick: () => { location.hash = puzzleLink(next); } }, 'Next puzzle')) : html('div', { class: 'cards' },
      card('beat', 'Beat it', 'a weaker computer, with hints', () => begin(others('level-4'), true)),
      card('watch', page.game.solved ? 'Watch perfect play' : 'Watch the computer', page.game.solved ? 'both sides play best moves' : 'it plays all sides', () => begin(others(best, seats), true)),
      card('ask', 'Ask your own position', 'set it up, see every move\u2019s worth', () => {
        page.hints = true;
        page.acts.openSetup();
      }),
      next ? card('puzzle', 'Solve puzzles', 'only one move wins', () => { location.hash = puzzleLink(next); }) : null),
    page.family.lessons ? html('button', { type: 'button', id: 'learn', onclick: () => learn(page) }, 'The rules in pictures') : '',
    ...(puzzle ? puzzleList(page) : gallery(page)));
}
