package prove

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/klauspost/compress/zstd"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// A certificate is a proof written down for a checker. docs/certificates.md describes
// the file, what must be checked, and why that suffices.
const (
	certificateHeader  = "perfectplay mnk certificate "
	certificateVersion = "3" // ends the header
)

// A byte of a certificate describes a position, or follows its replies.
const (
	// A byte up to 127 is P's stone on the cell of that number.
	byteClaim   = 128 // 128 to 192: a claim with byte−128 pairs, whose cells follow
	byteSettled = 249 // the rules settle the position
	byteSection = 250 // a section; the number of its picture follows
	byteKnown   = 251 // an earlier position: 8 times its distance back, plus the number of the picture
	byteFork    = 252 // P makes two threats at once, on the cell that follows
	byteFork2   = 253 // the same with O to move: replies follow
	byteReplies = 254 // O to move: replies follow
	byteEnd     = 255 // no more replies
)

// zstdWindow is the most memory that a zstd frame may need for looking back; zstdMagic are
// its first bytes.
const (
	zstdWindow = 8 << 20
	zstdMagic  = "\x28\xb5\x2f\xfd"
)

// Room is the memory for writing a certificate.
type Room struct {
	Bits   int // 2^Bits positions are remembered
	Window int // bytes that the compression looks back, 0 for the largest window
}

// minWindow is the smallest window; encoderBytes is the memory of the compression beside
// it.
const (
	minWindow    = 256 << 10
	encoderBytes = 6 << 20
)

// RoomFor returns the room for a proof whose search took nodes: at most bytes of memory for
// positions, and a window of a sixteenth of that.
func RoomFor(g *mnk.Game, nodes, bytes uint64) Room {
	n := bits.Len64(max(nodes, 1<<10))
	room := Room{Window: zstdWindow}
	for room.Window > minWindow && uint64(room.Window) > bytes/16 {
		room.Window /= 2
	}
	room.Bits = max(2, min(n, bits.Len64(bytes/(8*uint64(entryWords(g))))-1))
	return room
}

// RoomBytes is the most memory for writing a certificate whose positions take the given
// bytes.
func RoomBytes(bytes int64) int64 {
	return bytes + max(minWindow, min(zstdWindow, bytes/16)) + encoderBytes
}

// Certify walks through the proof of a strategy, accepts or refutes it, and writes the
// certificate within the given room, see [RoomFor]. told, if not nil, is called now and
// then. A cancelled context ends it with the context's error, which says nothing about the
// claim.
func Certify(ctx context.Context, g *mnk.Game, claim Claim, strategy Strategy, room Room, w io.Writer, told func(Checked)) (Checked, error) {
	var none bitboard.Set128
	return certifyAt(ctx, g, none, none, 0, claim, strategy, room, w, told)
}

// certifyAt is Certify from a position with these stones and this seat to move.
func certifyAt(ctx context.Context, g *mnk.Game, x, o bitboard.Set128, seat int, claim Claim, strategy Strategy, room Room, w io.Writer, told func(Checked)) (Checked, error) {
	seen, err := newMemory(g, room.Bits)
	if err != nil {
		return Checked{}, err
	}
	return certify(ctx, g, x, o, seat, claim, room.Window, w, told, func(r *replay, out *bufio.Writer) source {
		return &recorder{board: r, strategy: strategy, seen: seen, out: out}
	})
}

// certify walks through a proof. Its source, which from returns, writes it to the certificate.
func certify(ctx context.Context, g *mnk.Game, x, o bitboard.Set128, seat int, claim Claim, window int, w io.Writer, told func(Checked), from func(*replay, *bufio.Writer) source) (n Checked, err error) {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithWindowSize(cmp.Or(window, zstdWindow)), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return n, fmt.Errorf("prove: writing a certificate: %w", err)
	}
	out := bufio.NewWriter(z)
	word := "holds"
	if claim.Win {
		word = "wins"
	}
	fmt.Fprintf(out, "%s%s\n%s attacker %s %s\n", certificateHeader, certificateVersion, g.ID(), g.SeatName(claim.Attacker), word)
	r := newReplay(ctx, g, claim, nil)
	r.source, r.told = from(r, out), told
	err = r.run(sidesOf(claim, x, o), seat == claim.side(), x.Or(o).Count())
	if err := errors.Join(out.Flush(), z.Close()); err != nil {
		return r.n, fmt.Errorf("prove: writing a certificate: %w", err)
	}
	return r.n, err
}

// sidesOf turns the stones of the two players into those of P and of O, or back.
func sidesOf(claim Claim, x, o bitboard.Set128) sides {
	if claim.side() == 1 {
		x, o = o, x
	}
	return sides{x, o}
}

// recorder is the source of a strategy: it writes down the strategy's answers, the forks,
// and references to positions met before.
type recorder struct {
	board    *replay
	strategy Strategy
	seen     *memory
	out      *bufio.Writer
}

func (r *recorder) settled() error { return r.out.WriteByte(byteSettled) }
func (r *recorder) begin() error   { return nil }
func (r *recorder) end() error     { return nil }

func (r *recorder) at(s sides, mine bool, _ int) (step, error) {
	a := r.answer(s, mine)
	return a, writeStep(r.out, a, mine)
}

func (r *recorder) answer(s sides, mine bool) step {
	if known, ok := r.seen.get(r.board, s, mine); ok {
		return known
	}
	if cell := r.board.findFork(s); cell >= 0 {
		return step{kind: stepFork, cell: cell}
	}
	x := sidesOf(r.board.claim, s.p, s.o)
	seat := r.board.claim.side()
	if !mine {
		seat = 1 - seat
	}
	a, ok := r.strategy.Answer(x.p, x.o, seat)
	switch {
	case ok && a.Move < 0:
		return step{kind: stepClaim, list: a.Pairs}
	case ok && mine:
		return step{kind: stepStone, cell: a.Move}
	}
	return step{kind: stepReplies}
}

func (r *recorder) reply(s sides, live bitboard.Set128, order *[]int) (int, error) {
	return writeReply(r.out, r.board.next(s, live, order))
}

func (r *recorder) found(s sides, mine bool, zone bitboard.Set128, work uint64) error {
	r.seen.put(r.board, s, mine, zone, work)
	return nil
}

// writeStep writes the step of a proof at a position.
func writeStep(w *bufio.Writer, s step, mine bool) error {
	var b []byte
	switch s.kind {
	case stepStone:
		return w.WriteByte(byte(s.cell))
	case stepClaim:
		b = append(b, byte(byteClaim+len(s.list)))
		for _, p := range s.list {
			b = append(b, byte(p[0]), byte(p[1]))
		}
	case stepKnown:
		b = binary.AppendUvarint(append(b, byteKnown), s.back<<3|uint64(s.sym))
	case stepFork:
		if b = append(b, byteFork, byte(s.cell)); !mine {
			b[0] = byteFork2
		}
	case stepSection:
		b = append(b, byteSection, byte(s.sym))
	default:
		return w.WriteByte(byteReplies)
	}
	_, err := w.Write(b)
	return err
}

// writeReply writes a reply, or for -1 the end of the replies, and returns it.
func writeReply(w *bufio.Writer, c int) (int, error) {
	if c < 0 {
		return c, w.WriteByte(byteEnd)
	}
	return c, w.WriteByte(byte(c))
}

// findFork returns a cell where P makes two threats at once, -1 if it finds none.
func (r *replay) findFork(at sides) int {
	var two [32]bitboard.Set128 // missing cells of windows that lack two stones of P
	n, cell := 0, -1
	for _, w := range r.windows {
		left := w.AndNot(at.p)
		if w.Meets(at.o) || left.Count() != 2 || n == len(two) {
			continue
		}
		for _, x := range two[:n] {
			if both := x.And(left); x != left && !both.IsEmpty() && (cell < 0 || both.Min() < cell) {
				cell = both.Min()
			}
		}
		two[n] = left
		n++
	}
	return cell
}

// next returns the best rated cell of a set, -1 if it is empty. order holds the position's
// cells that next has not returned yet; it is nil before the first call.
func (r *replay) next(at sides, cells bitboard.Set128, order *[]int) int {
	if *order == nil {
		*order = r.rated(at, cells)
	}
	for len(*order) > 0 {
		c := (*order)[0]
		if *order = (*order)[1:]; cells.Has(c) {
			return c
		}
	}
	return -1
}

// reader is the source of a certificate.
type reader struct {
	in     *bufio.Reader
	board  *replay
	bytes  int64 // number of bytes read so far
	memory uint64
	kept   kept
	mark   int // number of positions before the section
	pairs  [][2]int
}

func (r *reader) bad(format string, args ...any) error {
	return fmt.Errorf("prove: certificate, byte %d after the head: %s", r.bytes, fmt.Sprintf(format, args...))
}

func (r *reader) byte() (byte, error) {
	b, err := r.in.ReadByte()
	if err != nil {
		return 0, r.missing(err)
	}
	r.bytes++
	return b, nil
}

// missing is the error of a part of the proof that cannot be read.
func (r *reader) missing(err error) error {
	if errors.Is(err, io.EOF) {
		return r.bad("it ends before the proof does")
	}
	return fmt.Errorf("prove: reading a certificate: %w", err)
}

func (r *reader) settled() error {
	b, err := r.byte()
	if err == nil && b != byteSettled {
		return r.bad("%d where the rules settle the position", b)
	}
	return err
}

func (r *reader) at(s sides, mine bool, _ int) (step, error) {
	b, err := r.byte()
	switch {
	case err != nil:
		return step{}, err
	case b < byteClaim && mine:
		return step{kind: stepStone, cell: int(b)}, nil
	case b >= byteClaim && int(b)-byteClaim <= min(64, r.board.g.Cells()/2):
		r.pairs = r.pairs[:0]
		for range b - byteClaim {
			x, _ := r.byte()
			y, err := r.byte()
			if err != nil {
				return step{}, err
			}
			r.pairs = append(r.pairs, [2]int{int(x), int(y)})
		}
		return step{kind: stepClaim, list: r.pairs}, nil
	case b == byteFork && mine || b == byteFork2 && !mine:
		c, err := r.cell()
		return step{kind: stepFork, cell: c}, err
	case b == byteReplies && !mine:
		return step{kind: stepReplies}, nil
	case b == byteKnown:
		return r.known(s, mine)
	case b == byteSection:
		c, err := r.byte()
		if err == nil && int(c) >= len(r.board.perms) {
			return step{}, r.bad("the board has no picture %d", c)
		}
		return step{kind: stepSection, sym: int(c)}, err
	}
	return step{}, r.bad("no step is %d", b)
}

// known reads a reference to an earlier position.
func (r *reader) known(s sides, mine bool) (step, error) {
	text, err := r.in.Peek(binary.MaxVarintLen64)
	v, n := binary.Uvarint(text)
	switch {
	case n < 0 || n == 0 && err == nil:
		return step{}, r.bad("the distance back to a position has more than 64 bits")
	case n == 0:
		return step{}, r.missing(err)
	}
	r.in.Discard(n) // cannot fail: these bytes have been read
	r.bytes += int64(n)
	back, sym := v>>3, int(v&7)
	if back < 1 || back > uint64(r.kept.n-r.mark) || sym >= len(r.board.perms) {
		return step{}, r.bad("no position is %d back in picture %d", back, sym)
	}
	p := r.board.perms[sym]
	at, zone, turn := r.kept.get(r.kept.n - int(back))
	if p.Apply(at.p) != s.p || p.Apply(at.o) != s.o || turn != mine {
		return step{}, r.bad("the position %d back in picture %d is another one", back, sym)
	}
	return step{kind: stepKnown, zone: p.Apply(zone), back: back, sym: sym}, nil
}

func (r *reader) reply(sides, bitboard.Set128, *[]int) (int, error) {
	b, err := r.byte()
	if err == nil && b == byteEnd {
		return -1, nil
	}
	return r.onBoard(b, err)
}

// cell reads a cell.
func (r *reader) cell() (int, error) { return r.onBoard(r.byte()) }

// onBoard returns a byte that was read as a cell.
func (r *reader) onBoard(b byte, err error) (int, error) {
	if err == nil && int(b) >= r.board.g.Cells() {
		return 0, r.bad("cell %d cannot be played: it is not on the board", b)
	}
	return int(b), err
}

func (r *reader) found(s sides, mine bool, zone bitboard.Set128, _ uint64) error {
	if r.kept.bytes() > r.memory {
		return fmt.Errorf("%w: %d positions of the proof take %d bytes, and may take %d", ErrMemory, r.kept.n, r.kept.bytes(), r.memory)
	}
	r.kept.add(s, mine, zone)
	return nil
}

func (r *reader) begin() error {
	r.mark = r.kept.n
	return nil
}

func (r *reader) end() error {
	r.kept.cut(r.mark)
	r.mark = 0
	return nil
}

// over returns an error unless the file ends here.
func (r *reader) over() error {
	switch _, err := r.in.ReadByte(); {
	case err == nil:
		return r.bad("bytes follow the end of the proof")
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("prove: reading a certificate: %w", err)
	}
	return nil
}

// Certificate is a certificate whose head has been read.
type Certificate struct {
	g     *mnk.Game
	Claim Claim
	in    *reader
	close func()
}

// Game is the game of the proof.
func (p *Certificate) Game() *mnk.Game { return p.g }

// Close ends the reading.
func (p *Certificate) Close() { p.close() }

// OpenCertificate reads the head of a certificate, compressed or not.
func OpenCertificate(in io.Reader) (*Certificate, error) {
	file := bufio.NewReader(in)
	p := &Certificate{in: &reader{in: file}, close: func() {}}
	if begin, _ := file.Peek(len(zstdMagic)); string(begin) == zstdMagic {
		z, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, fmt.Errorf("prove: reading a certificate: %w", err)
		}
		p.in.in, p.close = bufio.NewReaderSize(z, 1<<16), z.Close
	}
	if err := p.head(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// head reads the two lines of text.
func (p *Certificate) head() error {
	line := func() (string, error) { // a line with its newline, missing only if the file is cut off
		b, err := p.in.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return "", fmt.Errorf("prove: reading a certificate: %w", err)
		}
		return string(b), nil
	}
	first, err := line()
	if err != nil {
		return err
	}
	if version, ok := strings.CutPrefix(first, certificateHeader); ok && (version == "1\n" || version == "2\n") {
		return fmt.Errorf("prove: certificate of version %s: this program checks version %s", version[:1], certificateVersion)
	} else if !ok || version != certificateVersion+"\n" {
		return fmt.Errorf("prove: certificate line 1: want %q", certificateHeader+certificateVersion)
	}
	second, err := line()
	if err != nil {
		return err
	}
	bad := func(what string) error { return errors.New("prove: certificate line 2: " + what) }
	f := strings.Split(strings.TrimSuffix(second, "\n"), " ")
	if !strings.HasSuffix(second, "\n") || len(f) != 4 || f[1] != "attacker" || f[2] != "x" && f[2] != "o" || f[3] != "wins" && f[3] != "holds" {
		return bad("want for instance mnk-5x5k4 attacker x holds")
	}
	if p.g, err = mnk.ByID(f[0]); err != nil {
		return bad(err.Error())
	}
	if p.g.Cells() > 128 {
		return bad("the board has more than 128 cells")
	}
	p.Claim.Win = f[3] == "wins"
	if f[2] == "o" {
		p.Claim.Attacker = 1
	}
	return nil
}

// Check walks through the proof from the empty board, in one pass. Its error wraps
// ErrRefuted if the claim does not hold, ErrMemory if positions would take more than memory
// bytes. told, if not nil, is called now and then. A cancelled context ends it with the
// context's error, which says nothing about the claim.
func (p *Certificate) Check(ctx context.Context, memory uint64, told func(Checked)) (Checked, error) {
	r := newReplay(ctx, p.g, p.Claim, p.in)
	r.told = told
	p.in.use(r, memory)
	err := r.run(sides{}, p.Claim.side() == 0, 0)
	if err == nil {
		err = p.in.over()
	}
	return r.n, err
}

// use prepares the reader for a walk that may keep memory bytes of positions.
func (r *reader) use(board *replay, memory uint64) {
	r.board, r.memory, r.kept = board, memory, newKept(board.g)
}
