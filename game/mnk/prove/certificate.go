package prove

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// Certificate is a strategy written down: the answers at the positions that its
// side can meet, each in the smallest of its symmetric pictures.
type Certificate struct {
	g       *mnk.Game
	Claim   Claim
	answers byPosition[packed]
	pairs   [][2]uint8 // of all answers
}

// packed is an answer: a move, or pairs[at:at+n].
type packed struct {
	at   uint32
	n    uint8
	move int8 // or -1
}

// PairBytes is about what a pair of an answer takes of memory.
const PairBytes = 2

// AnswerBytes is about what an answer of a certificate takes of memory, but for its pairs.
func AnswerBytes(g *mnk.Game) uint64 { return 16 + PositionBytes(g) }

// PositionBytes is about what [Check] takes of memory for each position.
func PositionBytes(g *mnk.Game) uint64 {
	if g.Lines() == nil {
		return 64
	}
	return 32
}

func newCertificate(g *mnk.Game, claim Claim) *Certificate {
	return &Certificate{g: g, Claim: claim, answers: newByPosition[packed](g)}
}

// put writes down the answer at a position.
func (c *Certificate) put(key position, a Answer) {
	p := packed{move: int8(a.Move)}
	if a.Move < 0 {
		p = packed{at: uint32(len(c.pairs)), n: uint8(len(a.Pairs)), move: -1}
		for _, pair := range a.Pairs {
			c.pairs = append(c.pairs, [2]uint8{uint8(pair[0]), uint8(pair[1])})
		}
	}
	c.answers.put(key, p)
}

// answer unpacks an answer.
func (c *Certificate) answer(p packed) Answer {
	a := Answer{Move: int(p.move)}
	for _, pair := range c.pairs[p.at : p.at+uint32(p.n)] {
		a.Pairs = append(a.Pairs, [2]int{int(pair[0]), int(pair[1])})
	}
	return a
}

// Memory is about what the answers take, in bytes.
func (c *Certificate) Memory() uint64 {
	return uint64(c.Len())*AnswerBytes(c.g) + uint64(cap(c.pairs))*PairBytes
}

// Certify replays a strategy with the checker and writes down what it answers. A
// context is heeded as by Check.
func Certify(ctx context.Context, g *mnk.Game, claim Claim, strategy Strategy, most uint64) (*Certificate, Checked, error) {
	return certifyAt(ctx, g.Start().(mnk.Position), g, claim, strategy, most)
}

// certifyAt is Certify from a position.
func certifyAt(ctx context.Context, s mnk.Position, g *mnk.Game, claim Claim, strategy Strategy, most uint64) (*Certificate, Checked, error) {
	c := newCertificate(g, claim)
	n, err := Check(ctx, s, g, claim, recorder{c, strategy}, most)
	return c, n, err
}

// recorder writes down what a strategy answers.
type recorder struct {
	c *Certificate
	s Strategy
}

func (r recorder) Answer(s mnk.Position) (Answer, bool) {
	a, ok := r.s.Answer(s)
	if ok {
		key, sym := positionOf(s)
		r.c.put(key, turnAnswer(a, func(c int) int { return int(s.Canonical(game.Move(c), sym)) }))
	}
	return a, ok
}

func turnAnswer(a Answer, to func(int) int) Answer {
	if a.Move >= 0 {
		return Answer{Move: to(a.Move)}
	}
	b := Answer{Move: -1}
	for _, p := range a.Pairs {
		b.Pairs = append(b.Pairs, [2]int{to(p[0]), to(p[1])})
	}
	return b
}

// Len is the number of answers.
func (c *Certificate) Len() int { return c.answers.len() }

// Answer implements Strategy.
func (c *Certificate) Answer(s mnk.Position) (Answer, bool) {
	key, sym := positionOf(s)
	p, ok := c.answers.get(key)
	if !ok {
		return Answer{}, false
	}
	return turnAnswer(c.answer(p), func(cell int) int { return int(s.Actual(game.Move(cell), sym)) }), true
}

// certificateHeader begins every certificate.
const certificateHeader = "perfectplay mnk certificate 1"

// WriteTo writes the certificate as text: a header, the game and the claim, and
// a line for each answer: position, then a move, or "holds" and pairs such as
// a1-b2. Lines are sorted, so equal certificates are equal files.
func (c *Certificate) WriteTo(w io.Writer) (int64, error) {
	b := bufio.NewWriter(w)
	word := "holds"
	if c.Claim.Win {
		word = "wins"
	}
	total := int64(0)
	put := func(s string) {
		n, _ := b.WriteString(s)
		total += int64(n)
	}
	put(fmt.Sprintf("%s\n%s attacker %s %s\n", certificateHeader, c.g.ID(), c.g.SeatName(c.Claim.Attacker), word))
	lines := make([]string, 0, c.Len())
	for key, p := range c.answers.all() {
		line, a := c.answers.text(key), c.answer(p)
		if a.Move >= 0 {
			line += " " + c.g.CellName(a.Move)
		} else {
			line += " holds"
			for _, p := range a.Pairs {
				line += " " + c.g.CellName(p[0]) + "-" + c.g.CellName(p[1])
			}
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	for _, l := range lines {
		put(l + "\n")
	}
	if err := b.Flush(); err != nil {
		return total, fmt.Errorf("prove: writing a certificate: %w", err)
	}
	return total, nil
}

// The magic number of zstd frames, and the most memory that one may ask for to look
// back.
const (
	zstdMagic  = "\x28\xb5\x2f\xfd"
	zstdWindow = 8 << 20
)

// WriteCompressed writes what WriteTo writes as one zstd frame with a checksum. Equal
// certificates are equal files.
func (c *Certificate) WriteCompressed(w io.Writer) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(zstdWindow))
	if err != nil {
		return fmt.Errorf("prove: writing a certificate: %w", err)
	}
	_, err = c.WriteTo(z)
	return errors.Join(err, z.Close())
}

// ReadCertificate reads what WriteTo or WriteCompressed writes, in one pass and within
// memory bytes: a certificate that needs more is an error that wraps ErrMemory. It
// checks the form only; whether the claim holds is for Check to say.
func ReadCertificate(r io.Reader, memory uint64) (*mnk.Game, *Certificate, error) {
	file := bufio.NewReader(r)
	in := bufio.NewScanner(file)
	if begin, _ := file.Peek(len(zstdMagic)); string(begin) == zstdMagic {
		z, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, nil, fmt.Errorf("prove: reading a certificate: %w", err)
		}
		defer z.Close()
		in = bufio.NewScanner(z)
	}
	bad := func(n int, what string) (*mnk.Game, *Certificate, error) {
		return nil, nil, fmt.Errorf("prove: certificate line %d: %s", n, what)
	}
	if !in.Scan() || in.Text() != certificateHeader {
		if err := in.Err(); err != nil {
			return nil, nil, fmt.Errorf("prove: reading a certificate: %w", err)
		}
		return bad(1, "want "+strconv.Quote(certificateHeader))
	}
	if !in.Scan() {
		return bad(2, "want a game and a claim")
	}
	f := strings.Fields(in.Text())
	if len(f) != 4 || f[1] != "attacker" || f[2] != "x" && f[2] != "o" || f[3] != "wins" && f[3] != "holds" {
		return bad(2, "want for instance mnk-5x5k4 attacker x holds")
	}
	g, err := mnk.ByID(f[0])
	if err != nil {
		return bad(2, err.Error())
	}
	if g.Cells() > 128 {
		return bad(2, "the board has more than 128 cells")
	}
	c := newCertificate(g, Claim{Win: f[3] == "wins"})
	if f[2] == "o" {
		c.Claim.Attacker = 1
	}
	for n := 3; in.Scan(); n++ {
		f := strings.Fields(in.Text())
		if len(f) < 2 {
			return bad(n, "want a position and an answer")
		}
		st, err := g.Parse(f[0])
		if err != nil {
			return bad(n, err.Error())
		}
		a := Answer{Move: -1}
		if f[1] != "holds" {
			if len(f) > 2 {
				return bad(n, "more than one move")
			}
			if a.Move, err = g.ParseCell(f[1]); err != nil {
				return bad(n, err.Error())
			}
		} else {
			if len(f)-2 > g.Cells()/2 {
				return bad(n, "more pairs than the board has")
			}
			for _, t := range f[2:] {
				x, y, _ := strings.Cut(t, "-")
				p, err1 := g.ParseCell(x)
				q, err2 := g.ParseCell(y)
				if err1 != nil || err2 != nil {
					return bad(n, "pair "+strconv.Quote(t))
				}
				a.Pairs = append(a.Pairs, [2]int{p, q})
			}
		}
		s := st.(mnk.Position)
		key, sym := positionOf(s)
		a = turnAnswer(a, func(cell int) int { return int(s.Canonical(game.Move(cell), sym)) })
		if p, ok := c.answers.get(key); ok {
			if before := c.answer(p); before.Move != a.Move || !slices.Equal(before.Pairs, a.Pairs) {
				return bad(n, "a second answer for a position, or for its mirror")
			}
			continue
		}
		if c.put(key, a); c.Memory() > memory {
			return nil, nil, fmt.Errorf("%w: %d answers take more than %d bytes", ErrMemory, c.Len(), memory)
		}
	}
	if err := in.Err(); err != nil {
		return nil, nil, fmt.Errorf("prove: reading a certificate: %w", err)
	}
	return g, c, nil
}
