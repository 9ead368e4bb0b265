package prove

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// A certificate is a proof written down for the checker (replay.go): the answers in the
// order in which its walk asks for them, and nothing else. Its form is a zstd frame with
// a checksum of
//
//	perfectplay mnk certificate 2
//	mnk-5x5k4 attacker x holds 0
//
// the last word being after how many stones the proof is divided (0: it is not), and
// bytes:
//
//	0…127     P's stone on this cell
//	128…192   a claim with so many pairs less 128, whose cells follow, two bytes a pair
//	255       O is to move and nothing is claimed
//
// Cells are those of the canonical picture of a position. Where memory of positions
// begins anew, at the beginning and after the stones of a division, a byte says its
// size: 2 to this power.
const certificateHeader = "perfectplay mnk certificate "

// certificateVersion is what the header ends with.
const certificateVersion = "2"

const (
	claimByte   = 128
	nothingByte = 255
)

// The most memory that a zstd frame may ask for to look back, and its magic number.
const (
	zstdWindow = 8 << 20
	zstdMagic  = "\x28\xb5\x2f\xfd"
)

// MemoryFor is the power of two of positions that are worth remembering after a search
// of so many nodes, and take at most so many bytes.
func MemoryFor(g *mnk.Game, nodes, bytes uint64) int {
	n := bits.Len64(max(nodes, 1<<10))
	return max(2, min(n, bits.Len64(bytes/positionBytes(g))-1))
}

// Certify walks through the proof of a strategy, which it finds to hold or refutes, and
// writes the certificate. The walk remembers 2^bits positions, see [MemoryFor]. told, if
// not nil, is called now and then. A cancelled context ends it with the context's error,
// which says nothing about the claim.
func Certify(ctx context.Context, g *mnk.Game, claim Claim, strategy Strategy, bits int, w io.Writer, told func(Checked)) (Checked, error) {
	var none bitboard.Set128
	return certifyAt(ctx, g, none, none, 0, claim, strategy, bits, w, told)
}

// certifyAt is Certify from a position with these stones and this seat to move.
func certifyAt(ctx context.Context, g *mnk.Game, x, o bitboard.Set128, seat int, claim Claim, strategy Strategy, bits int, w io.Writer, told func(Checked)) (Checked, error) {
	rec := &recorder{claim: claim, strategy: strategy, bits: bits}
	return certify(ctx, g, x, o, seat, claim, 0, rec, &rec.out, w, told)
}

// certify walks through the proof of a source, which writes to out.
func certify(ctx context.Context, g *mnk.Game, x, o bitboard.Set128, seat int, claim Claim, divided int, from source, out **bufio.Writer, w io.Writer, told func(Checked)) (n Checked, err error) {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(zstdWindow))
	if err != nil {
		return n, fmt.Errorf("prove: writing a certificate: %w", err)
	}
	*out = bufio.NewWriter(z)
	word := "holds"
	if claim.Win {
		word = "wins"
	}
	fmt.Fprintf(*out, "%s%s\n%s attacker %s %s %d\n", certificateHeader, certificateVersion, g.ID(), g.SeatName(claim.Attacker), word, divided)
	r := newReplay(ctx, g, claim, from)
	r.divided, r.told = divided, told
	at, mine := sidesOf(claim, x, o), seat == claim.side()
	err = r.run(at, mine, x.Or(o).Count())
	if err := errors.Join((*out).Flush(), z.Close()); err != nil {
		return r.n, fmt.Errorf("prove: writing a certificate: %w", err)
	}
	return r.n, err
}

// sidesOf returns the stones of two players as those of P and of O, or those of P and of
// O as the players'.
func sidesOf(claim Claim, x, o bitboard.Set128) sides {
	if claim.side() == 1 {
		x, o = o, x
	}
	return sides{x, o}
}

// recorder is the source of a strategy. It writes down what that answers.
type recorder struct {
	claim    Claim
	strategy Strategy
	bits     int
	out      *bufio.Writer
}

func (r *recorder) begin(sides) (int, error) { return r.bits, r.out.WriteByte(byte(r.bits)) }

func (r *recorder) end() error { return nil }

func (r *recorder) next(at sides, mine bool, _ int) (a Answer, ok bool, err error) {
	s := sidesOf(r.claim, at.p, at.o)
	seat := r.claim.side()
	if !mine {
		seat = 1 - seat
	}
	a, ok = r.strategy.Answer(s.p, s.o, seat)
	ok = ok && (mine || a.Move < 0)
	return a, ok, writeAnswer(r.out, a, ok)
}

func writeAnswer(w *bufio.Writer, a Answer, ok bool) error {
	switch {
	case !ok:
		return w.WriteByte(nothingByte)
	case a.Move >= 0:
		return w.WriteByte(byte(a.Move))
	}
	err := w.WriteByte(byte(claimByte + len(a.Pairs)))
	for _, p := range a.Pairs {
		w.WriteByte(byte(p[0]))
		err = w.WriteByte(byte(p[1]))
	}
	return err
}

// reader is the source of a certificate.
type reader struct {
	in    *bufio.Reader
	g     *mnk.Game
	at    int64 // bytes read
	pairs [][2]int
}

func (r *reader) bad(format string, args ...any) error {
	return fmt.Errorf("prove: certificate, byte %d after the head: %s", r.at, fmt.Sprintf(format, args...))
}

func (r *reader) byte() (byte, error) {
	b, err := r.in.ReadByte()
	switch {
	case errors.Is(err, io.EOF):
		return 0, r.bad("it ends before the proof does")
	case err != nil:
		return 0, fmt.Errorf("prove: reading a certificate: %w", err)
	}
	r.at++
	return b, nil
}

func (r *reader) begin(sides) (int, error) {
	b, err := r.byte()
	return int(b), err
}

func (r *reader) next(_ sides, mine bool, _ int) (a Answer, ok bool, err error) {
	b, err := r.byte()
	switch {
	case err != nil:
		return a, false, err
	case b == nothingByte && !mine:
		return a, false, nil
	case b < claimByte && mine:
		return Answer{Move: int(b)}, true, nil
	case b < claimByte || int(b)-claimByte > r.g.Cells()/2:
		return a, false, r.bad("no answer is %d", b)
	}
	a.Move, r.pairs = -1, r.pairs[:0]
	for range b - claimByte {
		var p [2]int
		for i := range p {
			c, err := r.byte()
			if err != nil {
				return a, false, err
			}
			p[i] = int(c)
		}
		r.pairs = append(r.pairs, p)
	}
	a.Pairs = r.pairs
	return a, true, nil
}

func (r *reader) end() error { return nil }

// over returns an error unless all was read.
func (r *reader) over() error {
	switch _, err := r.in.ReadByte(); {
	case err == nil:
		return r.bad("it goes on after the end of the proof")
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("prove: reading a certificate: %w", err)
	}
	return nil
}

// Certificate is a certificate whose head was read.
type Certificate struct {
	g       *mnk.Game
	Claim   Claim
	divided int
	in      *reader
	close   func()
}

// Game is the game of the proof.
func (p *Certificate) Game() *mnk.Game { return p.g }

// Close ends the reading.
func (p *Certificate) Close() { p.close() }

// OpenCertificate reads the head of a certificate, compressed or not.
func OpenCertificate(in io.Reader) (*Certificate, error) {
	file := bufio.NewReader(in)
	if begin, _ := file.Peek(len(zstdMagic)); string(begin) != zstdMagic {
		p := &Certificate{in: &reader{in: file}, close: func() {}}
		if err := p.head(); err != nil {
			return nil, err
		}
		return p, nil
	}
	z, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return nil, fmt.Errorf("prove: reading a certificate: %w", err)
	}
	p := &Certificate{in: &reader{in: bufio.NewReaderSize(z, 1<<16)}, close: z.Close}
	if err := p.head(); err != nil {
		z.Close()
		return nil, err
	}
	return p, nil
}

// head reads the two lines of text.
func (p *Certificate) head() error {
	line := func() (string, error) {
		b, err := p.in.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return "", fmt.Errorf("prove: reading a certificate: %w", err)
		}
		return strings.TrimSuffix(string(b), "\n"), nil
	}
	first, err := line()
	if err != nil {
		return err
	}
	if version, ok := strings.CutPrefix(first, certificateHeader); ok && version == "1" {
		return errors.New("prove: certificate of version 1: this program checks version " + certificateVersion)
	} else if !ok || version != certificateVersion {
		return fmt.Errorf("prove: certificate line 1: want %q", certificateHeader+certificateVersion)
	}
	second, err := line()
	if err != nil {
		return err
	}
	bad := func(what string) error { return errors.New("prove: certificate line 2: " + what) }
	f := strings.Fields(second)
	if len(f) != 5 || f[1] != "attacker" || f[2] != "x" && f[2] != "o" || f[3] != "wins" && f[3] != "holds" {
		return bad("want for instance mnk-5x5k4 attacker x holds 0")
	}
	if p.g, err = mnk.ByID(f[0]); err != nil {
		return bad(err.Error())
	}
	if p.g.Cells() > 128 {
		return bad("the board has more than 128 cells")
	}
	p.in.g = p.g
	p.Claim.Win = f[3] == "wins"
	if f[2] == "o" {
		p.Claim.Attacker = 1
	}
	if p.divided, err = strconv.Atoi(f[4]); err != nil || p.divided < 0 || p.divided >= max(1, p.g.Cells()) {
		return bad("the proof is not divided after " + strconv.Quote(f[4]) + " stones")
	}
	return nil
}

// Check walks through the proof from the empty board, in one pass. It returns an error
// that wraps ErrRefuted if the claim does not hold, ErrMemory if positions would take
// more than so many bytes. told, if not nil, is called now and then. A cancelled context
// ends it with the context's error, which says nothing about the claim.
func (p *Certificate) Check(ctx context.Context, memory uint64, told func(Checked)) (Checked, error) {
	r := newReplay(ctx, p.g, p.Claim, p.in)
	r.memory, r.divided, r.told = memory, p.divided, told
	err := r.run(sides{}, p.Claim.side() == 0, 0)
	if err == nil {
		err = p.in.over()
	}
	return r.n, err
}
