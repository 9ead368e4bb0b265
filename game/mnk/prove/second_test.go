package prove

import (
	"bytes"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecondChecker runs docs/check_certificate.mjs, which shares nothing with this
// package, as its first lines say.
func TestSecondChecker(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node")
	}
	file, err := os.ReadFile(filepath.Join("../../../bench/runs/2026-11-23-mnk", "944.proof"))
	if err != nil {
		t.Fatal(err)
	}
	text := unpacked(t, file)
	for _, c := range []struct {
		file []byte
		says string
		code int
	}{
		{text, "the proof holds: x wins; 13540 positions\n", 0},
		{text[:len(text)-1], "not proved: byte 24351: the file ends before the proof\n", 1},
		{file, "not proved: byte 0: the head is not that of a certificate as zstd -dc unpacks it\n", 1},
	} {
		cmd := exec.CommandContext(t.Context(), node, "docs/check_certificate.mjs")
		cmd.Dir, cmd.Stdin = "../../..", bytes.NewReader(c.file)
		if out, err := cmd.CombinedOutput(); string(out) != c.says || cmd.ProcessState.ExitCode() != c.code {
			t.Errorf("%v: %s; want %s", err, out, c.says)
		}
	}
}

// TestWorkedFile: the bytes explained in docs/certificates.md are the bytes written for 4,4,4.
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
