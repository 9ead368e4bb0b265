#!/usr/bin/env python3
"""Reads a table of Chinese Checkers for two, see docs/tables.md:

    read_table.py TABLE               what the table is of
    read_table.py TABLE POSITION...   value and distance of positions as text
    read_table.py TABLE -             the same of positions on standard input

It needs Python 3.8 and the module zstandard or the program zstd."""
import hashlib, json, struct, subprocess, sys
from itertools import combinations
from math import comb

def unpack(file):
    try:
        import zstandard
        return zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
    except ImportError:
        return subprocess.run(["zstd", "-dcqq"], stdin=file, stdout=subprocess.PIPE, check=True).stdout

def crc32c(data, crc=0xFFFFFFFF):
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return struct.pack("<I", crc ^ 0xFFFFFFFF)

class Table:
    """info is the description, codes has the code of each position."""
    def __init__(self, name):
        with open(name, "rb") as file:
            if file.read(28) != b"\x50\x2a\x4d\x18\x14\0\0\0perfectplay table 4\n":
                raise ValueError(f"{name} is no table of version 4")
            data = file.read()
            described, _, frames, _, end = struct.unpack("<IIIBI", data[-17:].rjust(17))
            start = (index := len(data) - 8 * frames - 17) - described  # of the description, before the index
            if end != 0x8F92EAB1 or start < 0 or data[index - 4:index] != crc32c(data[start:index - 4] + data[index:]):
                raise ValueError(f"{name} is cut off or damaged")
            self.info = info = json.loads(data[start + 8:index - 4])
            file.seek(0)
            self.codes = unpack(file)
        if hashlib.sha256(self.codes).hexdigest() != info["signature"]:
            raise ValueError(f"{name} is damaged: its signature is another one")
        if info["numbering"] != "mirror-colex":
            raise ValueError(f"{name} is of {info['game']}: no table of two armies")
        self.place = {cell: i for i, cell in enumerate(info["board"]["places"])}
        mirror = info["board"].get("mirror") or range(info["board"]["cells"])
        self.mirror = [self.place[mirror[cell]] for cell in self.place]
        armies = combinations(range(len(self.place)), info["board"]["pieces"])
        ranks = (self.rank(a) for a in armies if self.rank(a) <= self.rank(self.mirror[p] for p in a))
        self.lower = {rank: lower for lower, rank in enumerate(sorted(ranks))}

    def rank(self, army):
        return sum(comb(p, i + 1) for i, p in enumerate(sorted(army)))

    def lookup(self, text):
        """Value and distance of a position as text, rows from the top: 2.22.___…-1."""
        rows, _, seat = text.rpartition("-")
        holes = rows.replace(".", "")[::1 if seat == "1" else -1]
        board, n = self.info["board"], len(self.place)
        own, other = ([self.place[c] for c, hole in enumerate(holes) if hole == s and c in self.place]
                      for s in (seat, "1" if seat == "2" else "2"))
        if seat not in ("1", "2") or [len(holes), len(own), len(other)] != [board["cells"], k := board["pieces"], k]:
            raise ValueError(f"no position of {self.info['game']}: {text}")
        if self.rank(own) not in self.lower:  # the mirror image represents it
            own, other = ([self.mirror[p] for p in army] for army in (own, other))
        number = self.lower[self.rank(own)] * comb(n - k, k) + self.rank(p - sum(m < p for m in own) for p in other)
        if self.info["bits"] == 2:
            return (("illegal", "loss", "draw", "win")[self.codes[number // 4] >> number % 4 * 2 & 3],)
        code = self.codes[number]
        return (("illegal", "draw")[code],) if code < 2 else (("loss", "win")[code & 1], code // 2 - 1)

try:
    if __name__ == "__main__":
        table = Table(sys.argv[1]) if sys.argv[1:] else sys.exit(__doc__)
        for key in table.info if not sys.argv[2:] else ():
            print(key, json.dumps(table.info[key]))
        for text in map(str.strip, sys.stdin) if sys.argv[2:] == ["-"] else sys.argv[2:]:
            print(text, *table.lookup(text))
except (Exception, KeyboardInterrupt) as error:
    sys.exit(f"read_table: {str(error) or type(error).__name__}")
