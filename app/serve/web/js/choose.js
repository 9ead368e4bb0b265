// The choice of game, board and rules. Boards are told by what makes them: holes
// and players, size and pieces, rows, columns and how many in a row.

import { html } from './dom.js';
import { formatID, parseID, STARS } from './geometry.js';

const KINDS = [
  ['star', 'Chinese Checkers, star'], ['diamond', 'Chinese Checkers, diamond'],
  ['grid', 'm,n,k-game'], ['table', 'Block dominoes'],
];

/** What each kind begins with. */
const FIRST = {
  star: { game: 'halma-star37-2p', rules: 'house' }, diamond: { game: 'halma-5x5p3', rules: '' }, grid: { game: 'mnk-5x5k4', rules: '' }, table: { game: 'domino', rules: '' },
};

/**
 * Fills a form with the choice. families are those of client.games(); the page
 * shows game (an answer of client.game()) and plays record; onChoose({game, rules, position}) is
 * called with what is to be played instead.
 */
export function drawChoice(form, families, game, record, onChoose) {
  const focused = form.contains(document.activeElement) ? document.activeElement.name : null;
  const boards = families.flatMap((f) => f.games).map(parseID).filter(Boolean);
  const board = parseID(game.game) ?? { kind: '' };
  const change = (what) => onChoose({ game: formatID({ ...board, ...what }), rules: game.rules, position: 'start' });
  const select = (name, label, options, value, onchange) => html('label', {}, label,
    html('select', { name, onchange: (e) => onchange(e.target.value) },
      options.map(([v, text, about]) => html('option', { value: v, selected: String(v) === String(value), title: about }, text))));
  const number = (name, label, least, value) => html('label', {}, label,
    html('input', { name, type: 'number', min: least, max: 70, value, onchange: (e) => e.target.checkValidity() && e.target.value && change({ [name]: +e.target.value }) }));
  const seats = () => select('seats', 'Players', distinct('seats', boards.filter((b) => b.kind === board.kind))
    .map((n) => [n, n === 1 ? '1, alone' : String(n)]), board.seats, (v) => change({ seats: +v }));
  const distinct = (key, of) => [...new Set(of.map((b) => b[key]))].sort((a, b) => a - b);

  const kinds = KINDS.filter(([k]) => boards.some((b) => b.kind === k));
  // Families of which nothing is known but their ids.
  const plain = families.filter((f) => !f.games.some(parseID));
  const own = plain.find((f) => game.game.startsWith(f.name));
  const parts = [select('kind', 'Game', [...kinds, ...plain.map((f) => [f.name, f.title])], own?.name ?? board.kind, (kind) => {
    const family = plain.find((f) => f.name === kind);
    onChoose(family ? { game: family.first, rules: family.first_rules ?? '', position: 'start' } : { ...FIRST[kind], position: 'start' });
  })];
  if (own) parts.push(select('id', 'Board', [...new Set([...own.games, game.game])].map((id) => [id, id]), game.game, (id) => onChoose({ game: id, rules: game.rules, position: 'start' })));
  switch (board.kind) {
    case 'star':
      parts.push(
        select('holes', 'Board', distinct('holes', boards.filter((b) => b.kind === 'star')).map((n) => [n, `${n} holes`]), board.holes, (v) => change({
          holes: +v, pieces: board.pieces === STARS[board.holes] ? STARS[v] : Math.min(board.pieces, STARS[v]),
        })),
        select('pieces', 'Pieces', distinct('pieces', boards.filter((b) => b.kind === 'star' && b.holes === board.holes)).map((n) => [n, String(n)]), board.pieces, (v) => change({ pieces: +v })),
        seats());
      break;
    case 'diamond': {
      const diamonds = boards.filter((b) => b.kind === 'diamond');
      const fitting = (n) => distinct('pieces', diamonds.filter((b) => b.n === n));
      parts.push(
        select('n', 'Board', distinct('n', diamonds).map((n) => [n, `${n}×${n}`]), board.n, (v) => change({
          n: +v, pieces: fitting(+v).includes(board.pieces) ? board.pieces : Math.max(...fitting(+v).filter((p) => p <= board.pieces), fitting(+v)[0]),
        })),
        select('pieces', 'Pieces', fitting(board.n).map((n) => [n, String(n)]), board.pieces, (v) => change({ pieces: +v })),
        seats());
      break;
    }
    case 'grid':
      parts.push(number('rows', 'Rows', 1, board.rows), number('cols', 'Columns', 1, board.cols), number('k', 'In a row', 1, board.k));
      break;
    case 'table':
      parts.push(select('hands', 'Hands', [['open', 'open'], ['hidden', 'hidden']], record.hidden ? 'hidden' : 'open',
        (hands) => onChoose(hands === 'hidden' ? hiddenDeal(game, record) : { game: 'domino', rules: '', position: 'start' })));
      parts.push(html('label', {}, 'Deal', html('button', { type: 'button', id: 'deal', onclick: () => onChoose(record.hidden ? hiddenDeal(game, record) : { game: 'domino', rules: '', position: randomDeal() }) }, 'Another deal')));
  }
  const sets = game.rule_sets ?? [];
  if (sets.length > 1) {
    const known = sets.some((r) => r.name === game.rules) ? [] : [[game.rules, game.rules, game.about]];
    parts.push(select('rules', 'Rules', [...known, ...sets.map((r) => [r.name, r.name, r.about])], game.rules,
      (rules) => onChoose({ game: game.game, rules, position: 'start' })));
  }
  form.replaceChildren(...parts);
  form.onsubmit = (e) => e.preventDefault();
  if (focused) form.elements[focused]?.focus();
}

/** Another deal with hidden hands. Its number alone is known here. */
function hiddenDeal(game, { hidden }) {
  const deal = crypto.getRandomValues(new Uint32Array(1))[0];
  return { game: 'domino', rules: '', hidden: { seat: game.board.seats[0].name, player: 'sampling', ...hidden, deal } };
}

/** A deal as position: fourteen tiles with a double among them, the holder of the highest double first. */
function randomDeal(random = Math.random) {
  const tiles = [];
  for (let a = 0; a <= 6; a++) for (let b = a; b <= 6; b++) tiles.push([a, b]);
  for (;;) {
    for (let i = tiles.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [tiles[i], tiles[j]] = [tiles[j], tiles[i]];
    }
    const hands = [tiles.slice(0, 7), tiles.slice(7, 14)].map((hand) => hand.sort((s, t) => s[0] - t[0] || s[1] - t[1]));
    const highest = hands.map((hand) => Math.max(-1, ...hand.filter(([a, b]) => a === b).map(([a]) => a)));
    if (highest[0] === highest[1]) continue; // no double at all
    if (highest[1] > highest[0]) hands.reverse();
    return hands.map((hand) => hand.map((t) => t.join('')).join('.')).join('_') + '_-_0';
  }
}
