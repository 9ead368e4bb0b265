package app

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	golden       = flag.Bool("golden", false, "compare all complete solutions of testdata/golden.txt, which takes minutes, not only the small ones")
	goldenUpdate = flag.Bool("golden.update", false, "write testdata/golden.txt anew, by this program")
)

// goldenCommands are complete solutions of boards of several widths under all their rule sets, and
// with every number of seats. The first quick of them take moments.
func goldenCommands() (commands []string, quick int) {
	stars := strings.Fields("base house house-loose house-code house-readme liou filled+stay-in-goal+goal-transit filled+stay-out+home-transit+tips-closed")
	diamonds := strings.Fields("sturtevant sturtevant-2019-run gamesman gamesman-2026 stay-out filled+stay-in-goal+stay-out+goal-transit")
	add := func(board string, rules ...string) {
		for _, r := range rules {
			for _, more := range []string{"", " --distances"} {
				commands = append(commands, "strong "+board+" --rules "+r+more)
			}
		}
	}
	add("halma-star13-2p", stars...)
	for _, board := range strings.Fields("halma-3x3p1 halma-4x4p3 halma-5x5p1 halma-9x9p1") {
		add(board, diamonds...)
	}
	add("halma-star73p1-2p", stars...)
	for _, seats := range []int{3, 4} {
		for _, r := range stars[:6] {
			commands = append(commands, fmt.Sprintf("strong halma-star13-%dp --rules %s", seats, r))
		}
	}
	quick = len(commands)
	commands = append(commands, "strong halma-star13-6p --rules base")
	for _, board := range strings.Fields("halma-4x4p6 halma-5x5p3 halma-6x6p2 halma-8x8p2 halma-11x11p2") {
		add(board, diamonds...)
	}
	for _, board := range strings.Fields("halma-star37-2p halma-star121p1-2p halma-star73p2-2p") {
		add(board, stars...)
	}
	add("halma-5x5p4", diamonds[:4]...)
	for _, line := range slices.Clone(commands) {
		if strings.HasPrefix(line, "strong halma-5x5p3") || strings.HasPrefix(line, "strong halma-star37-2p") {
			commands = append(commands, line+" --reachable")
		}
	}
	return append(commands, "strong halma-6x6p3 --rules sturtevant", "repro strong --csv", "strong halma-7x7p3 --rules sturtevant --distances"), quick
}

// TestGolden compares complete solutions with testdata/golden.txt, written by earlier
// versions: the checksum of an answer without the costs of the run. It covers the signature of
// the table, and so each value.
func TestGolden(t *testing.T) {
	t.Parallel()
	const name = "testdata/golden.txt"
	commands, quick := goldenCommands()
	if *goldenUpdate {
		var text strings.Builder
		for _, c := range commands {
			fmt.Fprintf(&text, "%s %s\n", answerSum(t, c), c)
		}
		if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != len(commands) {
		t.Fatalf("%s has %d lines, want %d", name, len(lines), len(commands))
	}
	if !*golden {
		lines = lines[:quick]
	}
	for i, line := range lines {
		want, command, _ := strings.Cut(line, " ")
		if command != commands[i] {
			t.Fatalf("%s: line %d is of %q, want %q", name, i+1, command, commands[i])
		}
		if i%3 > 0 && testing.Short() {
			continue // every third only: boards of all widths, with distances and without
		}
		if got := answerSum(t, command); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

// answerSum runs a command and returns the checksum of its answer.
func answerSum(t *testing.T, command string) string {
	args := strings.Fields(command)
	if args[0] == "repro" {
		rows, err := csv.NewReader(strings.NewReader(answer(t, "", args...))).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		seconds := slices.Index(rows[0], "seconds")
		var text strings.Builder
		for _, row := range rows {
			fmt.Fprintln(&text, strings.Join(slices.Delete(row, seconds, seconds+1), ","))
		}
		return sumOf(text.String())
	}
	table := filepath.Join(t.TempDir(), "table")
	out := answer(t, "", append(args, "--json", "--threads", "2", "--mem", "3GiB", "--table", table)...)
	var r map[string]any
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	for _, key := range []string{"passes", "threads", "resumed", "seconds", "positions_per_second", "memory_bytes", "file"} {
		delete(r, key)
	}
	if r["table_signature"] == nil {
		t.Fatalf("%s: no signature", command)
	}
	text, err := json.Marshal(r) // Marshal sorts the keys
	if err != nil {
		t.Fatal(err)
	}
	return sumOf(string(text))
}

func sumOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
