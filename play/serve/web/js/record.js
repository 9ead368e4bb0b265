// The record of a game: where it began, its moves, who plays. It is the whole state
// of the page, written into the link and read from it, and exported as text.

/** The defaults of a record. */
const EMPTY = { rules: '', position: 'start', moves: [], at: 0, players: {}, time: 0, think: 0, end: null, hidden: null };

/**
 * A new record of a game: {game, rules, position, players, time, think}, or with hidden hands
 * {game, hidden: {deal, seat, player}}. A seat that players does not name is a person's.
 */
export function newRecord(what) {
  const players = Object.fromEntries(Object.entries(what?.players ?? {}).filter(([, level]) => level !== 'person'));
  return { ...EMPTY, moves: [], ...what, players };
}

/** The query for the position at the current ply, or at another. */
export function spec(record, at = record.at) {
  return { game: record.game, rules: record.rules, position: record.position, moves: record.moves.slice(0, at) };
}

/** The record after a move at the current ply. Later moves are dropped unless the next one is this move. */
export function played(record, move) {
  const same = record.moves[record.at] === move;
  const moves = same ? record.moves : [...record.moves.slice(0, record.at), move];
  return { ...record, moves, at: record.at + 1, end: same ? record.end : null };
}

/** A number of seconds from a link, at most most; 0 if it is no number. */
const seconds = (text, most) => Math.min(Math.max(+text || 0, 0), most);

const enc = (text) => encodeURIComponent(text).replace(/%2C/g, ',').replace(/%3A/g, ':').replace(/%2F/g, '/').replace(/%20/g, '_');

/** The part of the link after #. Defaults are left out. */
export function toHash(record) {
  const parts = [`game=${enc(record.game)}`];
  if (record.rules) parts.push(`rules=${enc(record.rules)}`);
  if (record.hidden) for (const word of ['deal', 'seat', 'player']) parts.push(`${word}=${enc(String(record.hidden[word]))}`);
  if (record.position !== 'start') parts.push(`position=${encodeURIComponent(record.position)}`);
  if (record.moves.length) parts.push(`moves=${record.moves.map(enc).join(',')}`);
  if (record.at !== record.moves.length) parts.push(`at=${record.at}`);
  const players = Object.entries(record.players).filter(([, level]) => level !== 'person');
  if (players.length) parts.push(`players=${players.map(([seat, level]) => `${enc(seat)}:${enc(level)}`).join(',')}`);
  if (record.time) parts.push(`time=${record.time}`);
  if (record.think) parts.push(`think=${record.think}`);
  if (record.end) parts.push(`end=${enc(record.end.why)}:${enc(record.end.seat)}`);
  return '#' + parts.join('&');
}

/** The record of a link, or null without one. The service reports the faults of a bad link. */
export function fromHash(hash) {
  const fields = new Map();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const eq = part.indexOf('=');
    if (eq < 0) continue;
    let value = part.slice(eq + 1);
    try { value = decodeURIComponent(value); } catch { /* shown as it is */ }
    fields.set(part.slice(0, eq), value);
  }
  if (!fields.has('game')) return null;
  const moves = (fields.get('moves') ?? '').split(',').filter(Boolean);
  const at = /^\d+$/.test(fields.get('at') ?? '') ? Math.min(+fields.get('at'), moves.length) : moves.length;
  const pairs = (fields.get('players') ?? '').split(',').map((p) => p.split(':')).filter((p) => p.length === 2);
  const [why, seat] = (fields.get('end') ?? '').split(':');
  return newRecord({
    game: fields.get('game'), rules: fields.get('rules') ?? '', position: fields.get('position') || 'start',
    moves, at, players: Object.fromEntries(pairs), time: seconds(fields.get('time'), 3600), think: seconds(fields.get('think'), 60),
    end: seat ? { why, seat } : null,
    hidden: /^\d+$/.test(fields.get('deal') ?? '') ? { deal: fields.get('deal'), seat: fields.get('seat') ?? '', player: fields.get('player') ?? '' } : null,
  });
}

/**
 * The game as text, in the form of package transcript, which the commands read too:
 * a header of words and values, an empty line, the moves. outcome is {result: the
 * seat that won, 'draw' or '', ending: how, where the position does not show it}.
 */
export function toText(record, seats, { result, ending }) {
  const lines = [`game ${record.game}`];
  if (record.rules) lines.push(`rules ${record.rules}`);
  if (record.position !== 'start') lines.push(`position ${record.position}`);
  for (const seat of seats) lines.push(`seat ${seat} ${record.players[seat] ?? 'person'}`);
  if (result) lines.push(`result ${result}`);
  if (ending) lines.push(`ending ${ending}`);
  lines.push('');
  for (let i = 0; i < record.moves.length; i += 10) lines.push(record.moves.slice(i, i + 10).join(' '));
  return lines.join('\n') + '\n';
}

/**
 * The record of a text as toText writes it, the first if there are several, or of a
 * link of this page. Throws an Error that says what is wrong and where.
 */
export function fromText(text) {
  const link = /#(game=\S+)\s*$/.exec(text.trim());
  if (link) return fromHash(link[1]);
  const what = { rules: '', players: {} };
  const moves = [];
  let header = true;
  for (const [i, whole] of text.replace(/^\uFEFF/, '').split(/\r?\n/).entries()) {
    const line = whole.replace(/#.*/, '').trim();
    const [, first, value] = /^(\S*)\s*(.*)$/.exec(line);
    const word = first.toLowerCase();
    if (word === 'game') {
      if (what.game) break;
      what.game = value;
    } else if (line === '') {
      header &&= !what.game || whole.includes('#');
    } else if (!what.game) {
      throw new Error(`line ${i + 1}: "${line.slice(0, 40)}": a game begins with a line such as: game mnk-15x15k5`);
    } else if (!header) {
      moves.push(...line.split(/[\s,]+/).filter((move) => move && !/^\d+\.+$/.test(move)));
    } else if (word === 'seat') {
      const [, seat, player] = /^(\S+)\s+(.*)$/.exec(value) ?? [];
      if (!seat) throw new Error(`line ${i + 1}: seat: want the seat's name and who played it`);
      what.players[seat] = player;
    } else if (word === 'rules' || word === 'position') {
      what[word] = value;
    } else if (word !== 'result' && word !== 'ending') {
      throw new Error(`line ${i + 1}: "${line.slice(0, 40)}": want rules, position, seat, result or ending, or an empty line before the moves`);
    }
  }
  if (!what.game) throw new Error('no game: a record begins with a line such as: game halma-star37-2p');
  return newRecord({ ...what, moves, at: moves.length });
}
