package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestCard publishes the tables of star 37 anew: docs/star37-card.md is the card, Hugging
// Face accepts its head, and docs/read_table.py answers random positions as solve probe does.
func TestCard(t *testing.T) {
	if testing.Short() {
		t.Skip("solves and publishes three tables; not with -short")
	}
	t.Parallel()
	dir := t.TempDir()
	answer(t, "", "publish", dir, "--sample", "100", "halma-star37-2p.base", "halma-star37-2p.house-code", "halma-star37-2p.house")
	compareFiles(t, "../docs/star37-card.md", filepath.Join(dir, "README.md"))
	card, err := os.ReadFile("../docs/star37-card.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := bytes.SplitN(card, []byte("---\n"), 3)
	var head struct {
		License string
		Name    string `yaml:"pretty_name"`
		Tags    []string
		Size    []string `yaml:"size_categories"`
		Viewer  *bool
	}
	decoder := yaml.NewDecoder(bytes.NewReader(parts[1]))
	decoder.KnownFields(true)
	if err := decoder.Decode(&head); err != nil || len(parts) != 3 || len(parts[0]) > 0 {
		t.Fatalf("the head %q: %v", parts[1], err)
	}
	sizes := regexp.MustCompile(`^(n<1K|1K<n<10K|10K<n<100K|100K<n<1M|1M<n<10M|10M<n<100M|100M<n<1B|1B<n<10B)$`)
	if head.License != "mit" || head.Name == "" || len(head.Tags) == 0 || len(head.Size) != 1 || !sizes.MatchString(head.Size[0]) || head.Viewer == nil || *head.Viewer {
		t.Errorf("the head is %+v", head)
	}
	for _, command := range regexp.MustCompile(`(?m)^    (zstd|sha256sum) .*`).FindAllString(string(card), -1) {
		command, want, _ := strings.Cut(command, "# ")
		if _, err := exec.LookPath(strings.Fields(command)[0]); err != nil {
			continue
		}
		run := exec.Command("sh", "-c", command)
		run.Dir = dir
		if out, err := run.Output(); err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s: %s, %v; want %s", command, out, err, want)
		}
	}
	compareReaders(t, filepath.Join(dir, "halma-star37-2p.house.distances"), 10_000)
}

// compareReaders asks solve probe and the Python reader for random positions of a table, every
// second position from the second seat's side.
func compareReaders(t *testing.T, table string, positions int) {
	t.Helper()
	_, pythonErr := exec.LookPath("python3")
	_, zstdErr := exec.LookPath("zstd")
	if pythonErr != nil || zstdErr != nil {
		t.Skip("there is no python3 or no program zstd")
	}
	run := func(in string, words ...string) string {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Stdin = strings.NewReader(in)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", words, err, stderr.String())
		}
		return string(out)
	}
	exported := run("", "solve", "export", table, "--sample", fmt.Sprint(positions), "--seed", "37", "--csv")
	rows := strings.Split(strings.TrimSpace(exported), "\n")[1:]
	if len(rows) != positions {
		t.Fatalf("%d rows exported, want %d", len(rows), positions)
	}
	for i, row := range rows {
		position, _, _ := strings.Cut(row, ",")
		if i%2 == 1 { // the same position with the board turned
			holes := []byte(strings.NewReplacer("1", "2", "2", "1").Replace(strings.TrimSuffix(position, "-1")))
			slices.Reverse(holes)
			position = string(holes) + "-2"
		}
		rows[i] = position
	}
	asked := strings.Join(rows, "\n") + "\n"
	read := strings.Split(run(asked, "python3", "../docs/read_table.py", table, "-"), "\n")
	probed := strings.Split(run(asked, "solve", "probe", table, "-", "--json"), "\n")
	if len(read) != positions+1 || len(probed) != positions+1 {
		t.Fatalf("%d and %d answers to %d questions", len(read), len(probed), positions)
	}
	for i, position := range rows {
		var r struct {
			Position, Value string
			Distance        *int
		}
		if err := json.Unmarshal([]byte(probed[i]), &r); err != nil {
			t.Fatal(err)
		}
		want := position + " " + r.Value
		if r.Distance != nil {
			want += fmt.Sprint(" ", *r.Distance)
		}
		if r.Position != position || read[i] != want {
			t.Fatalf("the reader says %q, the probe of %s %q", read[i], r.Position, want)
		}
	}
}
