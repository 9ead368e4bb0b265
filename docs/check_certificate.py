#!/usr/bin/env python3
"""Checks a certificate of an m,n,k-proof as docs/certificates.md describes it.

    zstd -dc FILE | python3 docs/check_certificate.py

It prints what is proved and exits with 0, or says what is wrong and exits with 1.
Sets of cells are integers: bit c is cell c, which stands in row c // columns.
"""
import re
import sys
from fractions import Fraction

CLAIM, SETTLED, SECTION, KNOWN, FORK, FORK_REPLIES, REPLIES, END = 128, 249, 250, 251, 252, 253, 254, 255


class Refuted(Exception):
    pass


def bits(cells):
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def lowest(cells):
    return cells & -cells


class Checker:
    def __init__(self, data):
        number = rb"([1-9][0-9]{0,2})"
        head = re.match(rb"perfectplay mnk certificate 3\nmnk-%bx%bk%b attacker ([xo]) (wins|holds)\n" % (number, number, number), data)
        if not head:
            raise Refuted("the two lines of the head are missing")
        rows, cols, k = (int(x) for x in head.groups()[:3])
        if max(rows, cols) > 70 or rows * cols > 128 or k > max(rows, cols):
            raise Refuted("a board of %d x %d with %d in a row" % (rows, cols, k))
        attacker, self.wins = head[4] == b"o", head[5] == b"wins"
        self.data, self.at, self.k = data, head.end(), k
        self.all = (1 << rows * cols) - 1
        self.says = "%s %s" % (("x", "o")[attacker], ("cannot win", "wins")[self.wins])
        # P is the side that the proof speaks for; x moves first.
        self.p_first = attacker == (not self.wins)
        self.windows = []
        for r in range(rows):
            for c in range(cols):
                for dr, dc in (0, 1), (1, 0), (1, 1), (1, -1):
                    r2, c2 = r + (k - 1) * dr, c + (k - 1) * dc
                    if 0 <= r2 < rows and 0 <= c2 < cols:
                        self.windows.append(sum({1 << (r + i * dr) * cols + c + i * dc for i in range(k)}))
        self.pictures = []
        for s in range(8 if rows == cols else 4):
            image = []
            for cell in range(rows * cols):
                r, c = divmod(cell, cols)
                if s & 2:
                    r = rows - 1 - r
                if s & 1:
                    c = cols - 1 - c
                if s & 4:
                    r, c = c, r
                image.append(1 << r * cols + c)
            self.pictures.append(image)
        self.known, self.first, self.positions = [], 0, 0

    def byte(self):
        if self.at >= len(self.data):
            raise Refuted("the file ends before the proof does")
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        n = shift = 0
        while True:
            b = self.byte()
            n |= (b & 127) << shift
            shift += 7
            if b < 128:
                return n
            if shift > 63:
                self.no("a number is too long")

    def no(self, why):
        raise Refuted("byte %d: %s" % (self.at, why))

    def demand(self, holds, why):
        if not holds:
            self.no(why)

    def picture(self, s, cells):
        return sum(self.pictures[s][c] for c in bits(cells))

    def check(self):
        self.walk(0, 0, self.p_first)
        self.demand(self.at == len(self.data), "the file goes on after the proof")

    def lacks(self, own, other, n):
        """The empty cells of the windows without a stone of other that lack n of own, each."""
        return [w & ~own for w in self.windows if not w & other and bin(w & ~own).count("1") == n]

    def union(self, sets):
        cells = 0
        for s in sets:
            cells |= s
        return cells

    def guard(self, p, o, zone, n):
        """Adds lowest cells to a zone until it has n empty ones of each window without P."""
        for w in self.windows:
            if not w & p:
                left = w & ~o
                missing = n - bin(left & zone).count("1")
                for c in list(bits(left & ~zone))[:max(missing, 0)]:
                    zone |= 1 << c
        return zone

    def walk(self, p, o, mine):
        """Returns the zone of a position without a complete window."""
        p_wins, o_wins = self.union(self.lacks(p, o, 1)), self.union(self.lacks(o, p, 1))
        alive = self.union(w for w in self.windows if not w & p or not w & o)
        live = alive & ~p & ~o
        if not live:
            self.demand(not self.wins, "the game is a draw")
            self.demand(self.byte() == SETTLED, "the position is settled")
            return 0
        if mine and p_wins:
            self.demand(self.byte() == SETTLED, "the position is settled")
            return self.guard(p | lowest(p_wins), o, lowest(p_wins), 1)
        if not mine and o_wins:
            self.no("the other side completes a window")
        if mine and o_wins:
            self.demand(o_wins == lowest(o_wins), "two cells complete a window")
            return self.walk(p | o_wins, o, False) | o_wins
        if p_wins and p_wins != lowest(p_wins):
            self.demand(self.byte() == SETTLED, "the position is settled")
            return self.guard(p, o, p_wins, 2)
        if p_wins:
            return self.guard(p, o, self.walk(p, o | p_wins, True) | p_wins, 2)
        walls = self.all & ~alive
        return self.asked(p | walls, o | walls, mine, live)

    def asked(self, p, o, mine, live):
        """Returns the zone of a position, written with its walls, that the file speaks of."""
        b = self.byte()
        if b == KNOWN:
            n = self.number()
            back, s = n >> 3, n & 7
            self.demand(1 <= back <= len(self.known) - self.first and s < len(self.pictures), "no such position")
            p2, o2, mine2, zone = self.known[-back]
            self.demand((self.picture(s, p2), self.picture(s, o2), mine2) == (p, o, mine), "another position")
            return self.picture(s, zone)
        self.positions += 1
        if b == SECTION:
            zone = self.section(p, o, mine, self.byte())
        elif b < CLAIM and mine:
            self.demand(live >> b & 1, "the cell cannot be played")
            zone = self.walk(p | 1 << b, o, False) | 1 << b
        elif CLAIM <= b <= CLAIM + 64:
            zone = self.claim(p, o, mine, [(self.byte(), self.byte()) for _ in range(b - CLAIM)])
        elif b == FORK and mine:
            zone = self.fork(p, o, 1 << self.byte(), 2)[0]
        elif b == FORK_REPLIES and not mine:
            zone, three = self.fork(p, o, 1 << self.byte(), 3)
            zone = self.replies(p, o, live, live & (three | self.union(self.lacks(o, p, 2))), zone)
        elif b == REPLIES and not mine:
            zone = self.replies(p, o, live, live, 0)
        else:
            self.no("%d says nothing here" % b)
        self.known.append((p, o, mine, zone))
        return zone

    def section(self, p, o, mine, s):
        self.demand(self.first == 0 and s < len(self.pictures), "no such section")
        mark, self.first = len(self.known), len(self.known)
        zone = self.walk(self.picture(s, p), self.picture(s, o), mine)
        del self.known[mark:]
        self.first = 0
        image = self.pictures[s]
        return sum(1 << c for c in range(len(image)) if image[c] & zone)

    def fork(self, p, o, cell, n):
        """The zone of two threats after a stone of P, and their cells."""
        self.demand(cell & self.all & ~p & ~o, "the cell cannot be played")
        ends = self.union(self.lacks(p | cell, o, 1))
        two = lowest(ends)
        self.demand(ends != two, "there are no two threats")
        three = cell | two | lowest(ends & ~two)
        return self.guard(p | cell, o, three, n), three

    def replies(self, p, o, live, must, zone):
        while True:
            b = self.byte()
            if b == END:
                self.demand(not must, "a stone of the other side has no reply")
                return zone
            self.demand(b < CLAIM and live >> b & 1, "the cell cannot be played")
            z = self.walk(p, o | 1 << b, True)
            zone |= z
            must &= z & ~(1 << b)

    def claim(self, p, o, mine, pairs):
        """P answers in pairs, and the other windows weigh too little."""
        self.demand(not self.wins, "pairs show no win")
        paired = 0
        for a, b in pairs:
            for c in a, b:
                self.demand(1 << c & self.all & ~p & ~o & ~paired, "a pair is not of empty cells")
                paired |= 1 << c
        zone, weight = paired, Fraction(0)
        for w in self.windows:
            if w & p or any(w >> a & 1 and w >> b & 1 for a, b in pairs):
                continue
            zone |= w & ~o
            weight += Fraction(1, 1 << bin(w & ~o & ~paired).count("1"))
        self.demand(weight < (1 if mine else Fraction(1, 2)), "the windows weigh too much")
        return zone


def main():
    sys.setrecursionlimit(10000)
    data = sys.stdin.buffer.read()
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        raise Refuted("the file is compressed: zstd -dc FILE | python3 docs/check_certificate.py")
    c = Checker(data)
    c.check()
    print("the proof holds: %s; %d positions" % (c.says, c.positions))


if __name__ == "__main__":
    try:
        main()
    except Refuted as why:
        sys.exit("not proved: %s" % why)
