package gametest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game"
)

// Perft counts the sequences of depth legal turns from a position, passes
// included; a game that ends earlier has none. Where the state can count moves
// ([game.Counter]) the last turn is not made but counted. The state is changed
// on the way and is back at its position afterwards.
func Perft(s game.State, depth int) uint64 {
	if c, ok := s.(game.Counter); ok && depth > 0 {
		p := perft{s: s, count: c}
		return p.bulk(depth, 0)
	}
	return PerftLeaves(s, depth)
}

// PerftLeaves is [Perft] with every leaf made and taken back, by the game's own
// loop where it has one ([game.LeafMaker]).
func PerftLeaves(s game.State, depth int) uint64 {
	if m, ok := s.(game.LeafMaker); ok {
		return m.MakeAll(depth)
	}
	return PerftMoves(s, depth)
}

// PerftMoves is [Perft] without any optional ability: lists of moves, each made
// and taken back.
func PerftMoves(s game.State, depth int) uint64 {
	p := perft{s: s}
	return p.leaves(depth, 0)
}

// Divide returns the legal moves of a position and the perft of each to a total
// of depth turns, at least 1.
func Divide(s game.State, depth int) ([]game.Move, []uint64) {
	moves := s.Moves(nil)
	counts := make([]uint64, len(moves))
	for i, m := range moves {
		s.Make(m)
		counts[i] = Perft(s, depth-1)
		s.Unmake()
	}
	return moves, counts
}

// perft is one count under way; it owns a move buffer for each depth.
type perft struct {
	s     game.State
	count game.Counter
	bufs  [][]game.Move
}

// moves fills the buffer of a level, which recursion below does not touch.
func (p *perft) moves(level int) []game.Move {
	if level == len(p.bufs) {
		p.bufs = append(p.bufs, make([]game.Move, 0, 256))
	}
	p.bufs[level] = p.s.Moves(p.bufs[level][:0])
	return p.bufs[level]
}

func (p *perft) bulk(depth, level int) (n uint64) {
	if depth == 1 {
		return uint64(p.count.CountMoves())
	}
	for _, m := range p.moves(level) {
		p.s.Make(m)
		n += p.bulk(depth-1, level+1)
		p.s.Unmake()
	}
	return n
}

func (p *perft) leaves(depth, level int) (n uint64) {
	if depth == 0 {
		return 1
	}
	if depth == 1 {
		for _, m := range p.moves(level) {
			p.s.Make(m)
			n++
			p.s.Unmake()
		}
		return n
	}
	for _, m := range p.moves(level) {
		p.s.Make(m)
		n += p.leaves(depth-1, level+1)
		p.s.Unmake()
	}
	return n
}

// PerftLine is one line of a perft file: five fields separated by blanks, and
// where the count is from.
//
//	halma-star37-2p house start 5 1234567 this program, both generators
//
// Rules are - for games with one rule set only; the position is start or text
// as the game prints it. Empty lines and lines that begin with # say nothing.
type PerftLine struct {
	ID       string
	Rules    string
	Position string
	Depth    int
	Count    uint64
	Source   string
	Line     int // in the file, from 1
}

// ReadPerft reads a perft file.
func ReadPerft(r io.Reader) ([]PerftLine, error) {
	var lines []PerftLine
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		f := strings.Fields(text)
		if len(f) < 6 {
			return nil, fmt.Errorf("gametest: perft line %d: want id, rules, position, depth, count and source", n)
		}
		depth, err := strconv.Atoi(f[3])
		if err != nil || depth < 0 {
			return nil, fmt.Errorf("gametest: perft line %d: depth %q is not a number", n, f[3])
		}
		count, err := strconv.ParseUint(f[4], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("gametest: perft line %d: count %q is not a number", n, f[4])
		}
		rules := f[1]
		if rules == "-" {
			rules = ""
		}
		lines = append(lines, PerftLine{f[0], rules, f[2], depth, count, strings.Join(f[5:], " "), n})
	}
	return lines, in.Err()
}

// Open returns the state of a line, by the function that knows its game's ids.
func (l PerftLine) Open(byID func(id, rules string) (game.Game, error)) (game.State, error) {
	g, err := byID(l.ID, l.Rules)
	if err != nil {
		return nil, err
	}
	if l.Position == "start" {
		return g.Start(), nil
	}
	return g.Parse(l.Position)
}

// RunPerft checks every line of a perft file whose count is at most nodes, as a
// subtest each. Lines above the budget are skipped and reported.
func RunPerft(t *testing.T, file string, nodes uint64, byID func(id, rules string) (game.Game, error)) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines, err := ReadPerft(in)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, l := range lines {
		t.Run(fmt.Sprintf("%s/%s/line=%d/depth=%d", l.ID, l.Rules, l.Line, l.Depth), func(t *testing.T) {
			if l.Count > nodes {
				t.Skipf("%d leaves are above the budget of %d", l.Count, nodes)
			}
			s, err := l.Open(byID)
			if err != nil {
				t.Fatal(err)
			}
			if got := Perft(s, l.Depth); got != l.Count {
				t.Errorf("%s:%d: %d leaves, want %d (%s)", file, l.Line, got, l.Count, l.Source)
			}
		})
	}
}
