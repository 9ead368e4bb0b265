package prove

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// batch is a program that runs check_certificate.mjs over many files in one process:
// it reads the length and bytes of each file, and prints a line with + or -.
const batch = `
import { readFileSync } from 'node:fs';
import { check } from './check_certificate.mjs';
const all = readFileSync(0);
for (let at = 0; at < all.length; ) {
  const begin = at + 4;
  at = begin + all.readUInt32LE(at);
  try {
    console.log('+', check(all.subarray(begin, at)));
  } catch (why) {
    console.log('-', why.message);
  }
}
`

// mutated returns a file with one change: of a bit, of a byte, of the length of the tree,
// which begins at body, or of a word of the head.
func mutated(random *rand.Rand, file []byte, body, cells int) []byte {
	bad := bytes.Clone(file)
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	insert := func(at int, b byte) []byte { return append(bad[:at:at], append([]byte{b}, bad[at:]...)...) }
	switch at := body + random.IntN(len(bad)-body); random.IntN(6) {
	case 0:
		bad[at] ^= byte(1 << random.IntN(8))
	case 1: // a byte at a limit of its kind, or a cell at the end of the board
		kinds := []byte{127, 128, 129, 192, 193, 248, 249, 250, 251, 252, 253, 254, 255, 200, 65, byte(cells), byte(cells - 1)}
		bad[at] = kinds[random.IntN(len(kinds))]
	case 2:
		return insert(at, byte(random.IntN(256)))
	case 3:
		return append(bad[:at:at], bad[at+1:]...)
	case 4: // a cell of the second word, a cell off the board, or a code
		return insert(at, byte(64+random.IntN(192)))
	default:
		old := pick(" ", "k", "x", "mnk-", "\n", "3", "4", "8", "1", "attacker", "holds", "wins", " o ", " x ")
		by := pick("  ", " ", "", "k0", "x0", "\r\n", "\n\n", "\t", "300", "12", "999", "+3", "holds", "wins", " o ", " x ", "٣")
		return append([]byte(strings.Replace(string(bad[:body]), old, by, 1)), bad[body:]...)
	}
	return bad
}

// crafted are files without their first line. Each reveals one fault: a checker with that fault
// accepts or refuses the file wrongly. In the first three faults, windows continue beyond an
// edge of the board.
var crafted = []struct {
	what, file string
	holds      bool
}{
	{"windows that wrap rightwards", "mnk-3x3k3 attacker x wins\n" +
		"\x02\xfe\x00\x03\xf9\x01\x04\xf9\x03\x04\xf9\x04\x01\xf9\x05\x01\xf9\x06\x01\xf9\x07\x01\xf9\x08\x01\xf9\xff", false},
	{"windows that wrap down to the right", "mnk-5x2k3 attacker x wins\n" +
		"\x03\xfe\x00\x05\xf9\x01\x06\xf9\x02\x05\xf9\x04\x05\xf9\x05\x06\xf9\x06\x05\xf9\x07\x06\xf9\x08\x00\xf9\x09\x05\xf9\xff", false},
	{"windows that wrap down to the left", "mnk-3x3k3 attacker x wins\n" +
		"\x04\xfe\x00\x05\xf9\x01\x00\xf9\x02\x03\xf9\x03\x00\xf9\x05\x00\xf9\x06\x00\xf9\x07\x00\xf9\x08\x02\xf9\xff", false},
	{"a section", "mnk-4x4k4 attacker x holds\n\xfa\x00" + claims(nil), true},
	{"a section in a section before any position is kept", "mnk-4x4k4 attacker x holds\n\xfa\x00\xfa\x00" + claims(nil), false},
	{"a turned section", "mnk-4x4k4 attacker x holds\n" + claims(map[int]string{12: "\xfa\x05\x80"}), true},
	{"a zone that is not turned back", "mnk-4x4k4 attacker x holds\n" + claims(map[int]string{12: "\xfa\x05\x80", 3: ""}), false},
	{"a reply twice", "mnk-4x4k4 attacker x holds\n" + claims(map[int]string{0: "\x80\x00\x80"}), true},
	{"a number of ten bytes", "mnk-4x4k4 attacker x holds\n" + claims(map[int]string{3: "\xfb\x99" + strings.Repeat("\x80", 8) + "\x00"}), true},
	{"a number of eleven bytes", "mnk-4x4k4 attacker x holds\n" + claims(map[int]string{3: "\xfb\x99" + strings.Repeat("\x80", 9) + "\x00"}), false},
}

// claims returns a tree for 4,4,4 with a proof for each reply: the proof in others, or else a claim
// by weights. For an empty proof in others it leaves the reply out.
func claims(others map[int]string) string {
	tree := "\xfe"
	for c := range 16 {
		proof, ok := others[c]
		if !ok {
			proof = "\x80"
		}
		if proof != "" {
			tree += string([]byte{byte(c)}) + proof
		}
	}
	return tree + "\xff"
}

// TestCheckersAgree has both checkers read changed files, of boards of every width, and
// heads that are nearly right. Both accept a file or both refuse it.
func TestCheckersAgree(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node")
	}
	var files [][]byte
	random := rand.New(rand.NewPCG(3, 4))
	for _, id := range []string{"mnk-1x1k1", "mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k4", "mnk-8x2k3", "mnk-5x5k5", "mnk-9x8k9", "mnk-10x12k12", "mnk-5x4k4", "mnk-5x5k4", "mnk-6x6k4"} {
		g, claim, s := proved(t, id)
		text := unpacked(t, certified(t, g, claim, s))
		files = append(files, text)
		head := bytes.IndexByte(text, '\n') + 1
		body := head + bytes.IndexByte(text[head:], '\n') + 1
		mutations := 150_000 / max(1000, len(text))
		if testing.Short() {
			mutations /= 5
		}
		for range mutations {
			files = append(files, mutated(random, text, body, g.Cells()))
		}
	}
	for _, board := range []string{"3x3k4", "1x70k70", "1x71k3", "71x1k3", "70x1k2", "2x64k3", "129x1k3", "43x3k3", "30000x3k3", "3x30000k3", "0x3k3", "3x3k0",
		"03x3k3", "3x03k03", "+3x3k3", "3x3k-1", "99999999999999999999x1k1", "128x1k1", "11x12k3", "٣x3k3"} {
		for _, tree := range []string{"", "\x80", "\xf9", "\x00\xf9", "\x00\x80"} {
			for _, claim := range []string{"x holds", "x wins", "o holds", "o wins"} {
				files = append(files, []byte(certificateHeader+certificateVersion+"\nmnk-"+board+" attacker "+claim+"\n"+tree))
			}
		}
	}
	for _, c := range crafted {
		files = append(files, []byte(certificateHeader+certificateVersion+"\n"+c.file))
	}
	var in bytes.Buffer
	for _, f := range files {
		_ = binary.Write(&in, binary.LittleEndian, uint32(len(f))) // a buffer does not fail
		in.Write(f)
	}
	cmd := exec.CommandContext(t.Context(), node, "--input-type=module", "--eval", batch)
	cmd.Dir, cmd.Stdin = "../../../docs", &in
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(lines) != len(files) {
		t.Fatalf("%v, %d answers to %d files: %s", err, len(lines), len(files), said.String())
	}
	held := 0
	for i, f := range files {
		err := func() error {
			c, err := OpenCertificate(bytes.NewReader(f))
			if err != nil {
				return err
			}
			defer c.Close()
			_, err = c.Check(t.Context(), 1<<30, nil)
			return err
		}()
		if err == nil {
			held++
		}
		if (err == nil) != strings.HasPrefix(lines[i], "+") {
			t.Errorf("%q: here %v, there %s", f, err, lines[i])
		}
		if i := i - (len(files) - len(crafted)); i >= 0 && (err == nil) != crafted[i].holds {
			t.Errorf("%s: %v", crafted[i].what, err)
		}
	}
	t.Logf("%d files, %d held", len(files), held)
	if held < 9 || held == len(files) {
		t.Errorf("%d of %d files are held", held, len(files))
	}
}
