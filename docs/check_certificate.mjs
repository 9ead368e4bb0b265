// Checks a certificate of an m,n,k-proof as certificates.md describes it:
//
//     zstd -dc FILE | node docs/check_certificate.mjs
//
// It prints what is proved and exits with 0, or says what is wrong and exits with 1.
// A set of cells is a BigInt whose bit c is cell c. p and o are the stones of the sides
// P and O; a wall is in both.
import { readFileSync } from 'node:fs';

const bit = (c) => 1n << BigInt(c);
const lowest = (s) => s & -s;
const single = (s) => s !== 0n && s === lowest(s);
function size(s) {
  let n = 0;
  for (; s; s &= s - 1n) n++;
  return n;
}

// check returns what a file proves, or throws what refutes it.
export function check(data) {
  let at = 0;
  const fail = (why) => {
    throw new Error(`byte ${at}: ${why}`);
  };
  const head = data.toString('latin1', 0, 99).match(/^perfectplay mnk certificate 3\nmnk-([1-9]\d*)x([1-9]\d*)k([1-9]\d*) attacker ([xo]) (wins|holds)\n/);
  if (!head) fail('the head is not that of a certificate as zstd -dc unpacks it');
  const [R, C, K] = head.slice(1, 4).map(Number);
  if (R > 70 || C > 70 || R * C > 128 || K > Math.max(R, C)) fail('the board is too large');
  const attacker = head[4], wins = head[5] === 'wins', board = bit(R * C) - 1n;
  at = head[0].length;

  const windows = [];
  for (let r = 0; r < R; r++)
    for (let c = 0; c < C; c++)
      for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
        const row = r + down * (K - 1), column = c + right * (K - 1);
        if (row >= R || column < 0 || column >= C) continue;
        let w = 0n;
        for (let i = 0; i < K; i++) w |= bit((r + down * i) * C + c + right * i);
        windows.push(w);
      }

  const byte = () => (at < data.length ? data[at++] : fail('the file ends before the proof'));
  const settled = (zone) => (byte() === 249 ? zone : fail('the position is settled'));

  // lacking returns the empty cells of the windows without a stone of other that lack n.
  function lacking(n, own, other) {
    let cells = 0n;
    for (const w of windows) if (!(w & other) && size(w & ~own) === n) cells |= w & ~own;
    return cells;
  }

  function guard(zone, n, p, o) {
    for (const w of windows) {
      if (w & p) continue;
      let missing = n - size(w & ~o & zone);
      for (let s = w & ~o & ~zone; s && missing > 0; s &= s - 1n, missing--) zone |= lowest(s);
    }
    return zone;
  }

  // picture returns the image of a set, or the set whose image it is.
  function picture(kind, set, back) {
    if (kind > 7 || (kind & 4 && R !== C)) fail(`there is no picture ${kind}`);
    let out = 0n;
    for (let c = 0; c < R * C; c++) {
      let row = Math.floor(c / C), column = c % C;
      if (kind & 1) column = C - 1 - column;
      if (kind & 2) row = R - 1 - row;
      const image = kind & 4 ? column * C + row : row * C + column;
      if (set & bit(back ? image : c)) out |= bit(back ? c : image);
    }
    return out;
  }

  let kept = [], inside = false, positions = 0;

  // position reads the proof of a position and returns its zone; mine: P is to move.
  function position(p, o, mine) {
    let open = 0n;
    for (const w of windows) if (!(w & p) || !(w & o)) open |= w;
    const ours = lacking(1, p, o), theirs = lacking(1, o, p), c = lowest(ours);
    if (!(open & ~p & ~o)) return wins ? fail('nobody can win') : settled(0n);
    if (mine && ours) return settled(guard(c, 1, p | c, o));
    if (theirs && !(mine && single(theirs))) fail('the other side completes a window');
    if (theirs) return theirs | position(p | theirs, o, false);
    if (single(ours)) return guard(ours | position(p, o | ours, true), 2, p, o);
    if (ours) return settled(guard(ours, 2, p, o));
    p |= board & ~open;
    o |= board & ~open;
    const kind = byte();
    if (kind === 251) return known(p, o, mine);
    const zone = shown(kind, p, o, mine);
    kept.push({ p, o, mine, zone });
    positions++;
    return zone;
  }

  function known(p, o, mine) {
    let n = 0n, b = 128;
    for (let shift = 0n; b >= 128; shift += 7n) {
      if (shift > 63n) fail('a number of more than 64 bits');
      b = byte();
      n |= BigInt(b & 127) << shift;
    }
    const kind = Number(n & 7n), one = kept[kept.length - Number(n >> 3n)];
    if (!one || one.mine !== mine || picture(kind, one.p) !== p || picture(kind, one.o) !== o) fail('this position is not known');
    return picture(kind, one.zone);
  }

  function shown(kind, p, o, mine) {
    const empty = board & ~p & ~o;
    const cell = (c) => (c < 128 && empty & bit(c) ? bit(c) : fail(`${c} is not an empty cell of an open window`));
    const replies = (zone, missing) => {
      for (let c = byte(); c !== 255; c = byte()) {
        const one = position(p, o | cell(c), true);
        zone |= one;
        missing &= one; // which does not have the cell itself
      }
      return missing ? fail('a stone has no reply') : zone;
    };
    if (kind < 128 && mine) return cell(kind) | position(p | cell(kind), o, false);
    if (kind >= 128 && kind <= 192 && !wins) return claim(kind - 128, p, o, mine, cell);
    if (kind === 250 && !inside) {
      const way = byte(), outside = kept;
      [kept, inside] = [[], true];
      const zone = position(picture(way, p), picture(way, o), mine);
      [kept, inside] = [outside, false];
      return picture(way, zone, true);
    }
    if (kind === (mine ? 252 : 253)) {
      const c = cell(byte()), ends = lacking(1, p | c, o), a = lowest(ends), b = lowest(ends ^ a);
      if (!b) fail('this is no fork');
      const zone = guard(a | b | c, mine ? 2 : 3, p | c, o);
      return mine ? zone : replies(zone, a | b | c | lacking(2, o, p));
    }
    if (kind === 254 && !mine) return replies(0n, empty);
    return fail(`${kind} says nothing here`);
  }

  function claim(n, p, o, mine, cell) {
    let paired = 0n, weight = 0n; // in units of 2 to the power of minus K
    const pairs = [];
    for (; n > 0; n--) {
      const a = cell(byte()), b = cell(byte());
      if (a === b || paired & (a | b)) fail('the pairs are not disjoint');
      pairs.push(a | b);
      paired |= a | b;
    }
    let zone = paired;
    for (const w of windows) {
      if (w & p || pairs.some((pair) => (w & pair) === pair)) continue;
      weight += bit(K - size(w & ~o & ~paired));
      zone |= w & ~o;
    }
    return weight < bit(mine ? K : K - 1) ? zone : fail('the windows weigh too much');
  }

  position(0n, 0n, (attacker === 'x') === wins);
  if (at < data.length) fail('the file goes on after the proof');
  return `${attacker} ${wins ? 'wins' : 'cannot win'}; ${positions} positions`;
}

if (import.meta.url === new URL(process.argv[1] ?? '', 'file:').href) {
  try {
    console.log(`the proof holds: ${check(readFileSync(0))}`);
  } catch (why) {
    console.log(`not proved: ${why.message}`);
    process.exitCode = 1;
  }
}
