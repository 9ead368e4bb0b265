package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// shortened replaces examples of help that take too long: the same command does less work. A
// replacement that begins with ! must be refused.
var shortened = map[string]string{
	"solve match halma-star37-2p strongest level-4 --rules house --time 200ms":     "solve match halma-star13-2p strongest level-4 --rules house --time 200ms --grace 1m --pairs 1",
	"solve match halma-star121-3p level-2 random --limit 300 --pairs 20":           "solve match halma-star13-3p level-2 random --limit 30 --pairs 1 --time 1m",
	"solve match tournament strongest monkey --scoring points --time 1s --pairs 2": "solve match mnk-3x3k3 strongest monkey --scoring points --time 100ms --grace 1m --pairs 1",
	"solve match mnk-15x15k5 strongest 'cmd:./other engine' --journal games.csv":   "solve match mnk-3x3k3 strongest 'cmd:solve engine' --journal others.csv --pairs 1 --time 1s --grace 1m",
	"solve play halma-star37-2p --rules house":                                     "solve play halma-star37-2p --rules house --time 100ms",
	"solve play halma-star121-6p --seat 1=level-2 --seat 4=human --time 2s":        "solve play halma-star13-3p --seat 1=level-2 --seat 4=human --time 100ms",
	"solve judge games.txt --time 5s --csv -o moves.csv":                           "solve judge games.txt --time 100ms --csv -o moves.csv",
	"cat *.txt | solve judge -":                                                    "cat game.txt games.txt | solve judge -",
	"solve site public":                                                            "solve site public --help",
	"solve domino hand \"0|6 1|6 2|6 3|6 4|6 5|6 6|6\"":                            "solve domino hand \"0|0 1|1 2|2 3|3 4|4 5|5 6|6\"",
	"solve analyse halma-star73-2p --rules house --time 5s":                        "solve analyse halma-star73-2p --rules house --time 200ms",
	"solve domino exploit double-4 4 greedy candidates sampling:1000 --gap 1e-4":   "solve domino exploit double-3 2 greedy candidates sampling:100 --gap 1e-2",
	"solve domino hidden double-4 4 --gap 1e-5":                                    "solve domino hidden double-3 3 --gap 1e-2",
	"lab puzzles mnk-4x4k3 mnk-4x4k4 --json -o puzzles.jsonl":                      "lab puzzles mnk-4x4k3 mnk-4x4k4 --games 5 --json -o puzzles.jsonl",
	"lab bench":                                                         "lab bench --only search/game=halma-star13-2p",
	"lab bench --signature":                                             "lab bench --signature --help",
	"lab bench --only perft --repeat 5":                                 "lab bench --only strong/game=halma-5x5p3 --repeat 2",
	"solve domino census --sample 100000":                               "solve domino census --sample 2",
	"solve domino match sampling candidates":                            "solve domino match sampling candidates --games 1",
	"solve domino match greedy random --scoring deals --games 100000":   "solve domino match greedy random --scoring deals --games 100",
	"solve domino match greedy candidates --scoring deals --lines 3667": "solve domino match greedy candidates --scoring deals --lines 3667 --games 50",
	"solve domino census --part 1/100 --census part-1.census":           "solve domino census --part 1/100000 --census part-1.census",
	"solve export halma-5x5p3 --rules sturtevant -o 5x5p3.csv":          "solve export halma-4x4p3 --rules sturtevant -o 4x4p3.csv",
	// All parts together take half an hour.
	"solve merge census-*.part -- --census all.census":  "! solve merge part-1.census -- --census whole.census",
	"lab perft --file game/halma/testdata/star37.perft": "lab perft --file game/halma/testdata/star37.perft --max-positions 1e5",
	"lab publish tables":                                                "lab publish tables halma-star13-2p.house",
	"lab repro domino":                                                  "lab repro domino --only deals,counts",
	"lab repro domino --only hands --csv":                               "lab repro domino --only deals --csv",
	"lab repro halma --time 60s":                                        "lab repro halma --time 1s --only 3.6,3.7",
	"lab repro halma --only 3.1,3.2 --csv":                              "lab repro halma --only 3.1,3.2 --csv --time 1s",
	"lab repro mnk":                                                     "lab repro mnk --cells 9 --max-positions 1e3",
	"lab repro mnk --max-positions 0 --csv -o values.csv":               "lab repro mnk --max-positions 0 --cells 6 --csv -o values.csv",
	"lab repro strong":                                                  "lab repro strong --max-positions 1e5",
	"lab repro strong --max-positions 1e11 --csv":                       "! lab repro strong --max-positions 1e11 --csv --mem 64MiB --threads 1",
	"solve serve --open":                                                "solve serve --open --help",
	"solve serve --addr 127.0.0.1:8080 --tables tables --mem 2GiB":      "solve serve --addr 127.0.0.1:8080 --tables tables --mem 2GiB --help",
	"lab solitaire halma-7x7p6":                                         "lab solitaire halma-4x4p6",
	"lab solitaire halma-star121-2p --mem 2GiB":                         "lab solitaire halma-star13-2p --mem 1GiB",
	"solve strong halma-5x5p3 --rules sturtevant --distances --table .": "solve strong halma-7x7p1 --rules sturtevant --distances --table halma-5x5p3.sturtevant.distances",
	"solve strong halma-7x7p3 --rules sturtevant --work 7x7p3.work":     "solve strong halma-7x7p1 --rules sturtevant --work 7x7p3.work",
	"solve verify T --sample 100000 --reference":                        "solve verify T --sample 100 --reference",
}

// examples returns the lines of a command's examples.
func examples(cmd *cobra.Command) (lines []string) {
	for line := range strings.Lines(cmd.Example) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestExamples runs the examples of all help in one directory. Examples that write files come
// first.
func TestExamples(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("runs commands by a shell; not with -short")
	}
	t.Parallel()
	dir := t.TempDir()
	counts, err := filepath.Abs("../game/halma/testdata")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "game/halma"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(counts, filepath.Join(dir, "game/halma/testdata")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"deals.txt": "66 16 24 26 33 34 36 / 00 01 02 03 05 06 15\n", "positions": "start\n",
		"game.txt": "game mnk-3x3k3\n\nb2 a1\n", "games.txt": "game mnk-3x3k3\n\nb2 a1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(where, line string) {
		refused := strings.HasPrefix(line, "! ")
		cmd := exec.Command("sh", "-c", strings.TrimPrefix(line, "! "))
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); (err != nil) != refused {
			t.Errorf("%s: %s: %v\n%s", where, line, err, out)
		}
		if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); used > 500*time.Millisecond {
			t.Logf("%v of processor time: %s", used.Round(10*time.Millisecond), line)
		}
	}
	written := map[string]bool{}
	first := []string{"solve strong", "solve mnk solve", "solve domino census"}
	each := func(visit func(*cobra.Command) bool) {
		walkAll(func(cmd *cobra.Command) {
			if !visit(cmd) {
				return
			}
			for _, line := range examples(cmd) {
				if short, ok := shortened[line]; ok {
					written[line], line = true, short
				}
				run(cmd.CommandPath(), line)
			}
		})
	}
	each(func(cmd *cobra.Command) bool { return slices.Contains(first, cmd.CommandPath()) })
	// Files that examples only read are copies of files written by others.
	run("files", "cp halma-5x5p3.sturtevant.distances T && cp T star37.table && cp 554.proof 844.proof && cp part-1.census all.census")
	run("books", "solve search halma-star13-2p --limit 8 --without ask --book star73.book --book-nodes 1 && cp star73.book part1.book && cp star73.book part2.book")
	run("parts", "for i in 1 2; do solve search halma-star13-2p --limit 8 --part $i/2; done")
	each(func(cmd *cobra.Command) bool {
		if !slices.Contains(first, cmd.CommandPath()) {
			if cmd.HasSubCommands() || cmd.Hidden || cmd.Name() == "version" || len(examples(cmd)) > 0 {
				return true
			}
			t.Errorf("%s: help has no example", cmd.CommandPath())
		}
		return false
	})
	for line := range shortened {
		if !written[line] {
			t.Errorf("no help has the example %s", line)
		}
	}
}
