// The panels beside the board: players, moves, the game so far, figures of a search.

import { byId, html, renew } from './dom.js';
import { LEVELS } from './players.js';
import { advised, count, duration, large, seatWord, token } from './text.js';

/** The clock of a seat. That of the seat to move goes on as it is. */
function clock(list, seat, turn) {
  return html('span', { class: 'clock' }, turn && list.querySelector(`.turn:has([data-seat="${seat}"]) .clock`)?.textContent || null);
}

/** The players of the seats, each a person or the computer at a level. */
export function drawPlayers(list, { game, seats, answer, record, over }, onChange) {
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
  renew(list, seats.map((seat) => {
    if (record.hidden) return drawHidden(list, seat, { game, seats, answer, record, over }, onChange);
    const level = record.players[seat] ?? 'person';
    const turn = !over && seat === answer.seat;
    const other = level === 'person' || LEVELS.some((l) => l.name === level) ? [] : [{ name: level, label: level }];
    const options = [html('option', { value: 'person', selected: level === 'person' }, 'Person'),
      ...[...LEVELS, ...other].map((l) => html('option', { value: l.name, selected: l.name === level, title: l.about }, `Computer: ${l.label}`))];
    return html('li', { class: `seat-${seat}${turn ? ' turn' : ''}` },
      html('span', { class: 'token', 'aria-hidden': 'true' }, token(seat, seats)),
      html('select', { 'data-seat': seat, 'aria-label': `${seatWord(seat)}${turn ? ', to move' : ''}`, onchange: (e) => onChange(seat, e.target.value) }, options),
      clock(list, seat, turn));
  }));
  if (focused) list.querySelector(`[data-seat="${focused}"]`)?.focus();
}

/** A seat of a game with hidden hands: the person, or the player of the other hand. */
function drawHidden(list, seat, { game, seats, answer, record, over }, onChange) {
  const options = seat === record.hidden.seat ? [html('option', {}, 'Person')]
    : game.hidden.map((p) => html('option', { value: p.name, selected: p.name === record.hidden.player, title: p.about }, `Computer: ${p.name}`));
  const turn = !over && seat === answer.seat;
  return html('li', { class: `seat-${seat}${turn ? ' turn' : ''}` },
    html('span', { class: 'token', 'aria-hidden': 'true' }, token(seat, seats)),
    html('select', { 'data-seat': seat, 'aria-label': seatWord(seat), disabled: seat === record.hidden.seat, onchange: (e) => onChange(seat, e.target.value) }, options),
    clock(list, seat, turn));
}

/** The moves of a game with hidden hands beside perfect play with open hands. */
export function drawReview(section, { answer, hidden, seats }, onOpen) {
  const review = (hidden && answer.review) ?? [];
  section.hidden = review.length === 0;
  const points = (n) => (n > 0 ? `+${n}` : String(n).replace('-', '−'));
  section.querySelector('ol').replaceChildren(...review.map(({ seat, move, was, is, best, advice }) => html('li', { class: `seat-${seat}`, 'data-lost': was.score - is.score },
    html('span', { class: 'seat-dot' }), ` ${seatWord(seat)} ${move}: ${points(is.score)}`,
    is.score < was.score ? html('span', { class: 'worth loss' }, `${best} would have given ${points(was.score)}`) : '',
    advice ? html('span', { class: 'advice' }, ` Hidden: ${advice.moves.map((m) => `${m.move} ${advised(m).short}`).join('; ')}`) : '')));
  const lost = seats.map((seat) => `${seatWord(seat)} ${count(review.filter((r) => r.seat === seat).reduce((n, r) => n + r.was.score - r.is.score, 0), 'pip')}`);
  section.querySelector('p').textContent = `Given away against perfect play with open hands: ${lost.join(', ')}.`;
  section.querySelector('button').onclick = onOpen;
}

/** How many moves are listed. */
const LISTED = 300;

/** Legal moves; sign(move) is the worth of a move in the form of mark, null without one. */
export function drawMoves(list, moves, { sign, may, onPlay, onPoint }) {
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.move : null;
  const items = moves.slice(0, LISTED).map((m) => {
    const worth = sign(m);
    return html('li', {}, html('button', {
      type: 'button', 'data-move': m.move, disabled: !may, 'aria-label': worth ? `${m.move} ${worth.short}: ${worth.words}` : m.move,
      title: worth?.words, onclick: () => onPlay(m),
      onpointerenter: () => onPoint(m), onpointerleave: () => onPoint(null), onfocus: () => onPoint(m), onblur: () => onPoint(null),
    }, `${m.move} `, worth ? html('span', { class: `worth ${worth.cls}` }, worth.short) : null));
  });
  if (moves.length > LISTED) items.push(html('li', {}, `and ${count(moves.length - LISTED, 'move')} more`));
  renew(list, items);
  if (focused) list.querySelector(`[data-move="${CSS.escape(focused)}"]`)?.focus();
}

/** The moves of the game with their times; a click goes to the position after a move. */
export function drawRecord(list, record, { seats, first, times, onPick }) {
  const offset = Math.max(0, seats.indexOf(first));
  const items = [html('li', {}, html('button', { type: 'button', 'data-ply': 0, 'aria-current': record.at === 0 ? 'true' : undefined, onclick: () => onPick(0) }, record.position === 'start' ? 'start' : 'set up'))];
  record.moves.forEach((move, i) => {
    if (i % seats.length === 0) items.push(html('li', { class: 'n', 'aria-hidden': 'true' }, `${i / seats.length + 1}.`));
    const seat = seats[(offset + i) % seats.length];
    items.push(html('li', {}, html('button', {
      type: 'button', 'data-ply': i + 1, 'aria-current': record.at === i + 1 ? 'true' : undefined, onclick: () => onPick(i + 1), 'aria-label': `ply ${i + 1}, ${seatWord(seat)}: ${move}`,
    }, html('span', { class: `seat-dot seat-${seat}` }), move, times[i] >= 950 ? html('span', { class: 'spent' }, duration(times[i])) : null)));
  });
  renew(list, items);
  const here = list.querySelector('[aria-current]');
  if (here) list.scrollTop = Math.max(0, here.offsetTop - list.offsetTop - list.clientHeight / 2);
}

/** What a seat can force alone against all others. */
const FORCES = {
  win: (seat) => `${seat} wins whatever the others do`,
  loss: (seat) => `Together the others beat ${seat}`,
  draw: (seat) => `${seat} cannot win alone, and the others cannot beat it together`,
  open: (seat) => `${seat}: not decided`,
};

/** The state of the analysis: the value, and the progress of a search. */
export function drawFigures({ answer, over, hidden, hints }, { analysing, why }) {
  if (!answer) return;
  byId('analysis').hidden = Boolean(hidden);
  const progress = answer.progress;
  byId('analyse').hidden = Boolean(analysing);
  byId('stop').hidden = !analysing;
  byId('analyse').textContent = progress && !answer.final ? 'Search deeper' : 'Analyse';
  const says = over ? 'The game is over.'
    : answer.final ? `Solved${answer.force?.some((f) => f.value === 'open') ? ' for the seat to move' : ''}: ${answer.moves.every((m) => m.final) ? 'the values of all moves are' : 'the value is'} known.`
      : analysing ? (progress?.waiting ? 'Waiting for other searches …' : 'Searching …')
        : why ? `The search has ended: ${why}.` : answer.not_within ? `Nothing is decided within ${count(answer.not_within, 'ply', 'plies')}.` : 'Not solved yet.';
  byId('analysis-says').textContent = says;
  const figures = progress?.nodes && !over ? [['Depth', progress.depth], ...(answer.final ? [] : [['Done', `${Math.round(100 * progress.fraction)} %`]]), ['Positions', large(progress.nodes)],
    ['Per second', large(progress.nodes_per_second)], ['Time', duration(1000 * progress.seconds)]] : [];
  byId('figures').replaceChildren(...figures.map(([name, value]) => html('div', {}, html('dt', {}, name), html('dd', {}, String(value)))));
  byId('force').replaceChildren(...(over || !hints ? [] : answer.force ?? []).map((f) => html('li', { class: `seat-${f.seat}` },
    html('span', { class: 'seat-dot' }), `${FORCES[f.value](seatWord(f.seat))}${f.distance == null ? '' : ` in ${count(f.distance, 'ply', 'plies')}`}`)));
  const line = over || !hints ? [] : answer.line?.length ? answer.line : answer.outlook?.line ?? [];
  byId('line').replaceChildren(...(line.length ? [answer.line?.length ? 'Best line:' : 'Likely line:', ...line.flatMap((m) => [' ', html('span', {}, m)])] : []));
}
