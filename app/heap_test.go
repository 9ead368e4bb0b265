package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/gametest/stranger"
)

// heapProgram is a program with a stranger's games. Its environment plants faults:
// HEAP_MISERE=1 changes a rule under the same id. At 7 stones left HEAP_PANIC=METHOD makes a
// method panic; HEAP_SLEEP=METHOD makes it print ! and sleep for ever, HEAP_SPIN=METHOD loop.
// HEAP_LIST=none leaves the list of moves empty there, HEAP_LIST=flood makes it endless.
func heapProgram() {
	one := stranger.Heap{Name: "one", Stones: 21, Most: 3, Keys: true, Misere: os.Getenv("HEAP_MISERE") != ""}
	one.On = func(method string, left int) {
		if left != 7 {
			return
		}
		switch method {
		case os.Getenv("HEAP_PANIC"):
			panic("planted")
		case os.Getenv("HEAP_SLEEP"):
			os.Stdout.WriteString("!")
			select {}
		case os.Getenv("HEAP_SPIN"):
			os.Stdout.WriteString("!")
			for {
				_ = os.Getpid()
			}
		}
	}
	if list := os.Getenv("HEAP_LIST"); list != "" {
		one.List = func(left int, moves []game.Move) []game.Move {
			for left == 7 {
				if list == "none" {
					return moves[:len(moves)-3]
				}
				moves = append(moves, 1)
			}
			return moves
		}
	}
	os.Exit(Main(family.Family{Wing: stranger.Wing(append(stranger.Heaps(), one)...)}))
}

// heap runs heapProgram in a directory.
func heap(t *testing.T, dir string, env string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command("heap", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env)
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// TestHeaps solves, probes and verifies a stranger's games without --mem.
func TestHeaps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, h := range stranger.Heaps() {
		id := "heap-" + h.Name
		for _, args := range [][]string{{"strong", id, "--table", "t", "--force"}, {"probe", "t", "start"}, {"verify", "t", "--sample", "50"}} {
			if out, code := heap(t, dir, "", args...); code != 0 {
				t.Errorf("%v: %d\n%s", args, code, out)
			}
		}
	}
}

// TestHeapLists: a command that meets a panic, a position without moves that is not over, or a list
// of moves without end, ends with one line that names the game and the fault.
func TestHeapLists(t *testing.T) {
	t.Parallel()
	lines := []string{"strong heap-one", "search heap-one", "search heap-one --limit 20 --threads 2", "search heap-one --without ask",
		"search heap-one --without ask --algo maxn", "search heap-one --without ask --algo proof", "probe heap-one start", "probe heap-one 7.A",
		"analyse heap-one --position 7.A", "match heap-one random random", "match heap-one perfect level-3", "play heap-one --position 7.A"}
	for fault, want := range map[string]string{"LIST=none": "no moves, and the game is not over\n", "LIST=flood": ") lists moves without end\n", "PANIC=Moves": "planted\n"} {
		panics := fault == "PANIC=Moves"
		for _, line := range lines {
			if panics && strings.Contains(line, "perfect") {
				continue // there is no such player of a game that cannot be solved
			}
			out, code := heap(t, "", "HEAP_"+fault, strings.Fields(line)...)
			said := out[strings.LastIndexByte(strings.TrimSuffix(out, "\n"), '\n')+1:]
			if code != 1 || !strings.HasPrefix(said, "solve: heap-one") || !strings.HasSuffix(said, want) || panics && !strings.Contains(said, "heap-one at ") || strings.Contains(out, "goroutine") {
				t.Errorf("%s: %s: %d\n%s", fault, line, code, out)
			}
		}
	}
}

// TestHeapsRulesChange: files made under other rules with the same id give no answer.
func TestHeapsRulesChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{"strong", "heap-one", "--work", "w"}, {"strong", "heap-one", "--table", "tables.t"}} {
		if out, code := heap(t, dir, "", args...); code != 0 {
			t.Fatalf("%v: %d\n%s", args, code, out)
		}
	}
	for _, args := range [][]string{{"strong", "heap-one", "--work", "w"}, {"probe", "tables.t", "start"}, {"verify", "tables.t"}, {"export", "tables.t", "--csv"}} {
		out, code := heap(t, dir, "HEAP_MISERE=1", args...)
		if code != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "its results of heap-one have changed since") && !strings.Contains(out, "of heap-one, but its results have changed since") {
			t.Errorf("%v: %d\n%s", args, code, out)
		}
		if out, code := heap(t, dir, "", args...); code != 0 {
			t.Errorf("%v: %d\n%s", args, code, out)
		}
	}
	if out, code := heap(t, dir, "", "strong", "heap-"+stranger.Heaps()[0].Name, "--work", "w", "--fresh"); code != 1 || !strings.Contains(out, "it belongs to another solve: of heap-one") {
		t.Errorf("%d\n%s", code, out) // a file of another game stays
	}
	if out, code := heap(t, dir, "HEAP_MISERE=1", "strong", "heap-one", "--work", "w"); code != 1 || !strings.HasSuffix(out, ": --fresh starts over\n") {
		t.Errorf("%d\n%s", code, out)
	}
	if out, code := heap(t, dir, "HEAP_MISERE=1", "strong", "heap-one", "--work", "w", "--fresh"); code != 0 || !strings.Contains(out, "loss in 11") {
		t.Errorf("%d\n%s", code, out)
	}
}

// TestHeapsTables: a command with a directory of tables reports a table of changed rules, and
// answers without it.
func TestHeapsTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "tables"), 0o777); err != nil {
		t.Fatal(err)
	}
	if out, code := heap(t, dir, "", "strong", "heap-one", "--table", "tables/one"); code != 0 || !strings.Contains(out, "1  win in 11") {
		t.Fatalf("%d\n%s", code, out)
	}
	const refused = "solve: one does not answer: table: tables/one: its results of heap-one have changed since it was written: "
	for _, c := range []struct{ line, want string }{
		{"probe heap-one start", "loss in 11"},
		{"analyse heap-one --time 1m", "B wins in 11 plies"},
		{"match heap-one random perfect --pairs 2 --json", `"b":"perfect"`},
	} {
		out, code := heap(t, dir, "HEAP_MISERE=1", append(strings.Fields(c.line), "--tables", "tables")...)
		if code != 0 || strings.Count(out, refused) != 1 || !strings.Contains(out, c.want) {
			t.Errorf("%s: %d\n%s", c.line, code, out)
		}
	}
	cmd := exec.Command("heap", "serve", "--tables", "tables")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HEAP_MISERE=1")
	server := started(t, cmd)
	if body := fetch(t, server.url+"api/v1/games/heap-one/position?position=start"); !strings.Contains(string(body), `"value":"loss","distance":11,"final":true`) {
		t.Errorf("%s", body)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // its output is complete
	if strings.Count(server.stderr.String(), refused) != 1 {
		t.Errorf("the server says %q", server.stderr.String())
	}
}

// TestHeapsFail: a panic ends the command; the error names the position and the move.
func TestHeapsFail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, code := heap(t, dir, "", "strong", "heap-one", "--table", "t"); code != 0 {
		t.Fatal(out)
	}
	for _, method := range []string{"Moves", "Make", "Unmake", "Result", "Key"} {
		for _, args := range [][]string{{"strong", "heap-one"}, {"verify", "t"}, {"export", "t", "--csv", "-o", filepath.Join(dir, "csv-"+method)}, {"probe", "t", "start", "--moves", "3,3,3"}} {
			out, code := heap(t, dir, "HEAP_PANIC="+method, args...)
			if args[0] == "probe" && code == 0 {
				continue // the command need not call this method there
			}
			if code != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "heap-one at ") || !strings.Contains(out, "panics (") {
				t.Errorf("%s, %v: %d\n%s", method, args, code, out)
			}
		}
	}
}
