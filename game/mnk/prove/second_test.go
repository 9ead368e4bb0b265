package prove

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecondChecker has docs/check_certificate.py, which shares nothing with this package,
// read sound and damaged certificates: it refuses every certificate that this package
// refuses.
func TestSecondChecker(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no Python")
	}
	check := func(file []byte) (string, error) {
		cmd := exec.CommandContext(t.Context(), python, "-IS", "../../../docs/check_certificate.py")
		cmd.Stdin = bytes.NewReader(file)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-5x4k4", "mnk-5x5k4", "mnk-6x6k4", "mnk-8x2k3"} {
		g, claim, s := proved(t, id)
		var b bytes.Buffer
		if _, err := Certify(t.Context(), g, claim, s, Room{Bits: 16}, &b, nil); err != nil {
			t.Fatal(err)
		}
		text := unpacked(t, b.Bytes())
		if out, err := check(text); err != nil || !strings.Contains(out, "the proof holds") {
			t.Errorf("%s: %v: %s", id, err, out)
		}
		random := rand.New(rand.NewPCG(1, uint64(len(text))))
		head := bytes.LastIndexByte(text[:64], '\n') + 1
		for range 2 {
			bad := bytes.Clone(text)
			bad[head+random.IntN(len(bad)-head)] ^= byte(1 << random.IntN(8))
			_, _, ours := checked(t, bad)
			if out, theirs := check(bad); (ours == nil) != (theirs == nil) {
				t.Errorf("%s: %x: here %v, there %v: %s", id, bad[head:], ours, theirs, out)
			}
		}
	}
	file, err := os.ReadFile(filepath.Join("../../../bench/runs/2026-11-23-mnk", "944.proof"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := check(unpacked(t, file)); err != nil || !strings.Contains(out, "x wins; 13540 positions") {
		t.Errorf("9,4,4: %v: %s", err, out)
	}
	if out, err := check(file); err == nil || !strings.Contains(out, "compressed") {
		t.Errorf("a compressed file: %v: %s", err, out)
	}
}

// TestWorkedFile: the bytes explained in docs/certificates.md are those written for 4,4,4.
func TestWorkedFile(t *testing.T) {
	page, err := os.ReadFile("../../../docs/certificates.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "## A file byte by byte")
	example, _, _ = strings.Cut(example, "\n## ")
	want := certificateHeader + certificateVersion + "\nmnk-4x4k4 attacker x holds\n"
	for _, line := range regexp.MustCompile(`(?m)^    ((?:[0-9a-f]{2} )+) `).FindAllStringSubmatch(example, -1) {
		b, err := hex.DecodeString(strings.ReplaceAll(line[1], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		want += string(b)
	}
	g, claim, s := proved(t, "mnk-4x4k4")
	var b bytes.Buffer
	n, err := Certify(t.Context(), g, claim, s, Room{Bits: 16}, &b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(unpacked(t, b.Bytes())); got != want || n.Positions != 4 {
		t.Errorf("written %q, %d positions; on the page %q", got, n.Positions, want)
	}
}
