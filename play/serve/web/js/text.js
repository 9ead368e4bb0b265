// Values in words and signs. A value has a colour and a sign, for people who see no colours.
// Distances are in plies.

const SIGNS = { win: '+', draw: '=', loss: '−', open: '?' };

/** The advice of an equilibrium of hidden hands about a move, in the form of mark. */
export function advised(advice) {
  if (!advice) return null;
  const share = `${Math.round(100 * advice.probability)} %`;
  const worth = advice.mean_score == null ? '' : advice.mean_score.toFixed(1).replace('-', '−');
  return { cls: 'plain', sign: '', short: worth ? `${share}, ${worth}` : share, words: `an equilibrium of hidden hands plays it with ${share}${worth ? `; it earns ${worth} pips on average` : ''}` };
}

/**
 * The worth of a position or move for the seat that moves: {cls, sign, short, words}. With
 * alone, one army without others, it is the number of turns that the army needs, the move
 * included.
 */
export function mark(worth, alone = false) {
  const { value, distance, score, not_within: horizon } = worth;
  if (alone) {
    switch (value) {
      case 'win': return { cls: 'win', sign: '', short: distance == null ? '+' : String(distance), words: distance == null ? 'there is a way' : count(distance, 'turn') };
      case 'draw': return { cls: 'draw', sign: '∞', short: '∞', words: 'no way any more' };
      default: return { cls: 'open', sign: '?', short: '?', words: horizon ? `more than ${count(horizon, 'turn')}` : 'not known yet' };
    }
  }
  const sign = SIGNS[value];
  if (score != null && value !== 'open') {
    const pips = count(Math.abs(score), 'pip');
    return { cls: value, sign, short: score === 0 ? '=' : sign + Math.abs(score), words: { win: `wins by ${pips}`, loss: `loses by ${pips}`, draw: 'ends level' }[value] };
  }
  const within = distance == null ? '' : ` in ${count(distance, 'ply', 'plies')}`;
  switch (value) {
    case 'win': case 'loss': return { cls: value, sign, short: sign + (distance ?? ''), words: (value === 'win' ? 'wins' : 'loses') + within };
    case 'draw': return { cls: value, sign, short: sign, words: 'draws' };
    default: return { cls: 'open', sign: '?', short: '?', words: horizon ? `open: nothing is decided within ${count(horizon, 'ply', 'plies')}` : 'not known yet' };
  }
}

/** How a value is known, for people: where everything is solved it does not matter how. */
export function how({ kind, about }) {
  return ['solution', 'coalitions'].includes(kind) ? 'exact: every position of this board is solved' : about;
}

/** An error of the service as a sentence for people, without the name of the game's family that begins it. */
export function complaint(message, family = 'explore') {
  const text = message.replace(new RegExp(`^(move \\d+: )?(${family}|explore|player): `), '$1');
  return text && text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');
}

/** A number with its noun. */
export function count(n, one, many = one + 's') {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Milliseconds as people write them. */
export function duration(ms) {
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : ms < 60000 ? `${Math.round(ms / 1000)} s`
    : `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
}

/** A large number with a unit: 1.40 M. */
export function large(n) {
  for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e3]]) if (n >= size) return (n / size).toPrecision(3) + ' ' + unit;
  return String(Math.round(n));
}

/** A seat as the subject of a sentence. */
export function seatWord(name) {
  return /^\d$/.test(name) ? `Seat ${name}` : name.length === 1 ? name : name[0].toUpperCase() + name.slice(1);
}

/** The sign of a seat: its name where that is one character, else its number. */
export function token(seat, seats) {
  return seat.length === 1 ? seat : String(seats.indexOf(seat) + 1);
}
