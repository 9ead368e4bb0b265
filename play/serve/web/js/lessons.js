// The rules in a few pictures, which the service has for each family of games.

import { CellBoard } from './board.js';
import { html, svg } from './dom.js';
import { Table } from './domino.js';

/** Draws the pictures of the family that is shown, once the panel is opened. */
export async function drawLessons(details, page) {
  const lessons = page.family.lessons ?? [];
  details.hidden = lessons.length === 0;
  if (!details.open || details.hidden || details.dataset.family === page.family.name) return;
  details.dataset.family = page.family.name;
  const figures = await Promise.all(lessons.map((l) => picture(page.client, l)));
  if (details.dataset.family === page.family.name) details.querySelector('div').replaceChildren(...figures);
}

/** A position with a move, and a text. */
async function picture(client, { game, rules, position, move, text }) {
  const [{ board }, answer] = await Promise.all([client.game(game, rules), client.legal({ game, rules, position, moves: [] })]);
  const made = answer.moves.find((m) => m.move === move);
  const box = html('div', { inert: true, class: 'picture' });
  const none = { choose: () => {}, point: () => {}, drag: () => {}, end: () => {} };
  const seats = board.seats.map((s) => s.name);
  if (board.tiles) {
    const root = html('div');
    box.append(root);
    new Table(root, board, none).update({
      hands: answer.picture.hands, row: answer.picture.row ?? [], ends: answer.picture.ends ?? null, mover: seats.indexOf(answer.seat),
      marks: new Map(), active: new Set(made.tile ? [made.tile] : []), selected: made.tile ?? '', endMarks: {}, last: '', label: (tile) => tile,
    });
  } else {
    const root = svg('svg', { 'aria-hidden': 'true' });
    box.append(root);
    const cells = made.path ?? [];
    new CellBoard(root, board, none).update({
      pieces: answer.picture.pieces, kinds: answer.picture.kinds, marks: new Map(), active: new Set(), selected: cells.length > 1 ? cells[0] : -1, way: cells,
      line: cells.length === 1 ? [{ cells, seat: answer.seat }] : [], threat: null, last: null, won: [], label: (i) => board.cells[i].name,
    });
  }
  return html('figure', {}, box, html('figcaption', {}, text));
}
