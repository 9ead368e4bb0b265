package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNewGame writes the files of docs/newgame.md and runs its commands, in order, in a module
// of its own. The page's mistake gives the failure that the page shows.
func TestNewGame(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program of docs/newgame.md; not with -short")
	}
	t.Parallel()
	text, err := os.ReadFile("../docs/newgame.md")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(words ...string) (string, error) {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	commands := 0
	for _, m := range regexp.MustCompile("(?ms)^```(go)?\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if m[1] == "go" {
			name, _, _ := strings.Cut(strings.TrimPrefix(m[2], "// "), "\n")
			if err := os.WriteFile(filepath.Join(dir, name), []byte(m[2]), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for line := range strings.Lines(m[2]) {
			commands++
			words := strings.Fields(strings.ReplaceAll(strings.TrimPrefix(line, "$ "), "../perfectplay", tree))
			out, err := run(words...)
			if err != nil {
				t.Fatalf("%s%v\n%s", line, err, out)
			}
			if words[len(words)-1] == "20b" && !strings.Contains(out, "loss in 10") {
				t.Errorf("%s%s", line, out)
			}
		}
	}
	if commands < 11 {
		t.Errorf("only %d commands", commands)
	}
	playsHeap(t, dir)
	// The page shows a mistake and its error.
	code, err := os.ReadFile(filepath.Join(dir, "heap.go"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(code), "s.left, s.seat, s.taken = s.left+s.taken[last], 1-s.seat,", "s.left, s.seat, s.taken = s.left+s.taken[last], s.seat,", 1)
	if err := os.WriteFile(filepath.Join(dir, "heap.go"), []byte(wrong), 0o600); err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^    (heap-one .*)$`).FindStringSubmatch(string(text))
	if out, err := run("go", "test", "."); err == nil || shown == nil || !strings.Contains(out, shown[1]) {
		t.Errorf("the page shows %q, the mistake gives %v\n%s", shown, err, out)
	}
}

// playsHeap plays the game in the terminal, and asks the page's server for its drawing.
func playsHeap(t *testing.T, dir string) {
	program := filepath.Join(dir, "heap.exe")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	play := exec.Command(program, "play", "heap-one")
	play.Stdin = strings.NewReader("1\nquit\n")
	if out, err := play.CombinedOutput(); err != nil || !strings.Contains(string(out), "A A A A A A A") {
		t.Errorf("play: %v\n%s", err, out)
	}
	server := started(t, exec.Command(program, "serve"))
	if text := fetch(t, server.url+"api/v1/games/heap-one/legal"); !strings.Contains(string(text), `"path":[20]`) {
		t.Errorf("the page cannot take the last stone: %s", text)
	}
}

// TestEveryGameIsEverywhere: every file that lists the games of this module names each of them.
func TestEveryGameIsEverywhere(t *testing.T) {
	wings, err := filepath.Glob("../game/*/oracle")
	if err != nil || len(wings) < 3 {
		t.Fatal(wings, err)
	}
	for _, dir := range wings {
		name := filepath.Base(filepath.Dir(dir))
		for file, want := range map[string]string{
			"../cmd/solve/main.go":          `"perfectplay/game/` + name + `/command"`,
			"../cmd/lab/main.go":            name + ".",
			"../cmd/wasm/main.go":           `"perfectplay/game/` + name + `/oracle"`,
			"main_test.go":                  name + ".Family()",
			"../internal/lint/lint_test.go": `"game/` + name + `/command"`,
			"../bench/jobs.go":              `"perfectplay/game/` + name,
			"../ARCHITECTURE.md":            "  " + name + "/",
			"../README.md":                  name,
		} {
			if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s does not name the games of %s: %q is missing (%v)", file, name, want, err)
			}
		}
	}
}
