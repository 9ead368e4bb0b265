#!/usr/bin/env python3
"""Reads tables of Chinese Checkers for two, by solve/table/FORMAT.md.

    python3 read_table.py TABLE                what the table is of
    python3 read_table.py TABLE POSITION...    value and distance of positions as text
    python3 read_table.py TABLE -              the same of positions on standard input

From Python:

    table = Table("star37.table")
    table.lookup("2.22._______.______._____.______._______.11.1-1")   # ('win', 29)

It needs Python 3.8 and a decoder of Zstandard: Python 3.14, or the module
zstandard, or the program zstd. It reads the whole table into memory.
"""

import json
import struct
import sys
from math import comb

MAGIC = b"perfectplay table 3\n"
END = b"table end\n"


def decompressor():
    """Returns a function from a list of frames to their contents, joined."""
    try:
        from compression import zstd  # Python 3.14

        return lambda frames: b"".join(map(zstd.decompress, frames))
    except ImportError:
        pass
    try:
        import zstandard

        one = zstandard.ZstdDecompressor()
        return lambda frames: b"".join(one.decompress(f, max_output_size=1 << 16) for f in frames)
    except ImportError:
        pass
    import subprocess

    run = lambda frames: subprocess.run(["zstd", "-dc"], input=b"".join(frames), stdout=subprocess.PIPE, check=True).stdout
    return run


def crc32c(data, crc=0):
    """The checksum CRC-32C (Castagnoli) of data."""
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def crc_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


CRC_TABLE = crc_table()


class Table:
    """A table in memory. info is its description, a dict."""

    def __init__(self, name):
        with open(name, "rb") as f:
            data = f.read()
        if not data.startswith(MAGIC) or not data.endswith(END) or len(data) < 62:
            raise ValueError(f"{name}: no table, or cut off")
        trailer = data[-42:]
        index, described, blocks, length, crc, own = struct.unpack("<QQIIII", trailer[:32])
        if crc32c(trailer[:28]) != own or crc32c(data[index:-42]) != crc:
            raise ValueError(f"{name}: damaged: a checksum is wrong")
        self.info = json.loads(data[described : described + length])
        frames = []
        for b in range(blocks):
            at, size, crc = struct.unpack_from("<QII", data, index + 16 * b)
            frame = data[at : at + size]
            if crc32c(frame) != crc:
                raise ValueError(f"{name}: block {b} is damaged: its checksum is wrong")
            frames.append(frame)
        self.codes = decompressor()(frames)
        self._number()

    def _number(self):
        """Prepares the numbers of positions: which armies represent themselves."""
        info = self.info
        if info["numbering"] != "mirror-colex":
            raise ValueError(f"numbers by {info['numbering']} are not for two armies")
        info = self.board = info["board"]
        self.places = info["places"]
        self.place = {cell: i for i, cell in enumerate(self.places)}
        n, k = len(self.places), info["pieces"]
        mirror = info.get("mirror") or list(range(info["cells"]))
        self.mirror = [self.place[mirror[c]] for c in self.places]
        self.others = comb(n - k, k)
        # Armies in the order of their ranks: by the highest piece, then the next.
        self.before = {}  # representatives before one, by rank
        army = list(range(k))
        for rank in range(comb(n, k)):
            if rank <= self._rank(sorted(self.mirror[p] for p in army)):
                self.before[rank] = len(self.before)
            i = 0
            while i < k - 1 and army[i] + 1 == army[i + 1]:
                army[i] = i
                i += 1
            army[i] += 1
        if len(self.before) * self.others != self.info["numbers"]:
            raise ValueError("the description contradicts itself")

    @staticmethod
    def _rank(army):
        """The colexicographic rank of an ascending list."""
        return sum(comb(p, i + 1) for i, p in enumerate(army))

    def index(self, mover, other):
        """The number of a position, from the cells of the two armies, seen from the
        side of the player to move."""
        mover = sorted(self.place[c] for c in mover)
        other = sorted(self.place[c] for c in other)
        if self._rank(mover) not in self.before:  # the mirror image represents it
            mover = sorted(self.mirror[p] for p in mover)
            other = sorted(self.mirror[p] for p in other)
        left = [p - sum(m < p for m in mover) for p in other]
        return self.before[self._rank(mover)] * self.others + self._rank(left)

    def at(self, index):
        """Value and distance of the position with a number: ('win', 29); the distance
        is None for draws, illegal positions and tables without distances."""
        if self.info["bits"] == 2:
            code = self.codes[index // 4] >> 2 * (index % 4) & 3
            return ("illegal", "loss", "draw", "win")[code], None
        code = self.codes[index]
        if code < 2:
            return ("illegal", "draw")[code], None
        return ("loss", "win")[code & 1], (code - 2) // 2

    def value(self, mover, other):
        """Value and distance for the player to move, see index and at."""
        return self.at(self.index(mover, other))

    def lookup(self, text):
        """Value and distance of a position as text, rows from the top and the seat to
        move: 2.22.___…-1. With the second seat to move the board is given half a turn."""
        rows, _, seat = text.rpartition("-")
        holes = rows.replace(".", "")
        cells = self.board["cells"]
        if len(holes) != cells or seat not in ("1", "2") or set(holes) - set("_12"):
            raise ValueError(f"no position of {self.info['game']}: {text}")
        armies = {s: [c for c in range(cells) if holes[c] == s] for s in "12"}
        if any(len(a) != self.board["pieces"] for a in armies.values()):
            raise ValueError(f"an army has not {self.board['pieces']} pieces: {text}")
        mover, other = armies[seat], armies["12".replace(seat, "")]
        if seat == "2":
            mover, other = ([cells - 1 - c for c in a] for a in (mover, other))
        return self.value(mover, other)


def main(args):
    if not args:
        sys.exit(__doc__)
    table = Table(args[0])
    if len(args) == 1:
        for key, value in table.info.items():
            if not isinstance(value, (list, dict)):
                print(key, value)
    for text in (line.strip() for line in sys.stdin) if args[1:] == ["-"] else args[1:]:
        value, distance = table.lookup(text)
        print(text, value, "" if distance is None else distance)


if __name__ == "__main__":
    main(sys.argv[1:])
