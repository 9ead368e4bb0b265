package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/play/explore"
	"perfectplay/play/serve/web"
	"perfectplay/play/terminal"
)

// worthSays is a value in JSON.
type worthSays struct {
	Value    string `json:"value"`
	Distance *int   `json:"distance"`
	Score    *int   `json:"score"`
}

func (w worthSays) known() known {
	k := known{w.Value, -1, w.Score}
	if w.Distance != nil {
		k.Distance = *w.Distance
	}
	return k
}

// answerSays is an answer with its moves.
type answerSays struct {
	worthSays
	Moves []struct {
		Move string `json:"move"`
		worthSays
	} `json:"moves"`
}

func (a *answerSays) said() *said {
	s := &said{a.known(), map[string]known{}}
	for _, m := range a.Moves {
		s.moves[m.Move] = m.known()
	}
	return s
}

// readAnswer reads an answer in JSON.
func readAnswer(t *testing.T, text []byte) *said {
	t.Helper()
	var a answerSays
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return a.said()
}

func answered(a *explore.Answer, err error) *said {
	if err != nil {
		return &said{known: known{Value: err.Error()}}
	}
	s := &said{worthSays{string(a.Value), a.Distance, a.Score}.known(), map[string]known{}}
	for _, m := range a.Moves {
		s.moves[m.Move] = worthSays{string(m.Value), m.Distance, m.Score}.known()
	}
	return s
}

// fetch returns the body at an address.
func fetch(t *testing.T, address string) []byte {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s: %.200s %v", address, r.Status, body, err)
	}
	return body
}

func httpSays(t *testing.T, base string, q question) *said {
	v := url.Values{"position": {q.Position}, "rules": {q.Rules}, "seconds": {"60"}}
	if q.Limit > 0 {
		v.Set("limit", fmt.Sprint(q.Limit))
	}
	return readAnswer(t, fetch(t, base+"/api/v1/games/"+q.Game+"/position?"+v.Encode()))
}

// pageProgram asks the page's client for positions and prints a line for each: the answer, and
// the page's sign for each move.
const pageProgram = `
import { APIClient } from './js/client.js';
import { mark } from './js/text.js';
import { readFileSync } from 'node:fs';
const client = new APIClient(process.argv[2]);
for (const query of JSON.parse(readFileSync(0, 'utf8'))) {
  const a = await client.position(query);
  const alone = query.game.endsWith('-1p');
  for (const m of a.moves) m.short = mark(m, alone).short;
  console.log(JSON.stringify(a));
}
`

func pageSays(t *testing.T, base string, list []question) (all []*said) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node: the page's client is not compared")
	}
	dir := t.TempDir()
	write := func(name string, body []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	err = fs.WalkDir(web.Files(), "js", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(web.Files(), name)
		write(name, body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	write("package.json", []byte(`{"type": "module"}`))
	write("ask.js", []byte(pageProgram))
	var asked []map[string]any
	for _, q := range list {
		asked = append(asked, map[string]any{"game": q.Game, "rules": q.Rules, "position": q.Position, "limit": q.Limit, "seconds": 60})
	}
	in, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(dir, "ask.js"), base+"/api/v1")
	var out, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &complaint
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, complaint.String())
	}
	for i, line := range slices.Collect(bytes.Lines(out.Bytes())) {
		s := readAnswer(t, line)
		var shown struct {
			Moves []struct{ Move, Short string }
		}
		if err := json.Unmarshal(line, &shown); err != nil {
			t.Fatal(err)
		}
		for _, m := range shown.Moves {
			if want := sign(list[i].g, s.moves[m.Move]); m.Short != want {
				t.Errorf("%s: the page shows %q for %s, want %q", list[i].Position, m.Short, m.Move, want)
			}
		}
		all = append(all, s)
	}
	if len(all) != len(list) {
		t.Fatalf("%d answers to %d questions", len(all), len(list))
	}
	return all
}

// sign is the page's text for a value.
func sign(g game.Game, k known) string {
	number := ""
	switch {
	case k.Score != nil:
		number = fmt.Sprint(max(*k.Score, -*k.Score))
	case k.Distance >= 0:
		number = fmt.Sprint(k.Distance)
	}
	alone := g.Seats() == 1
	switch k.Value {
	case "win":
		if alone {
			return number
		}
		return "+" + number
	case "loss":
		return "−" + number
	case "draw":
		if alone {
			return "∞"
		}
		return "="
	}
	return "?"
}

// settles reports whether an analysis of a question ends once its values are known. With more than
// two seats and no limit, the analysis goes on and looks for the winner.
func settles(q question) bool { return q.Limit > 0 || q.g.Seats() <= 2 }

// bounded sets a limit for questions without one if their analysis would also look for the winner.
// No other interface looks for the winner.
func bounded(list []question) []question {
	list = slices.Clone(list)
	for i, q := range list {
		if !settles(q) {
			list[i].Limit = 1
		}
	}
	return list
}

// engineSays asks the engine in JSON.
func engineSays(t *testing.T, list []question) (all []*said) {
	var in strings.Builder
	for _, q := range bounded(list) {
		text, err := json.Marshal(q.Query)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&in, "%s\n", text)
	}
	answers := slices.Collect(strings.Lines(runs(t, in.String(), "engine")))
	if len(answers) != len(list) {
		t.Fatalf("%d answers to %d questions", len(answers), len(list))
	}
	return each(list, func(q question) *said {
		s := readAnswer(t, []byte(answers[0]))
		answers = answers[1:]
		return s
	})
}

// engineLinesSay asks the engine by its commands.
func engineLinesSay(t *testing.T, list []question) (all []*said) {
	var in strings.Builder
	for _, q := range bounded(list) {
		fmt.Fprintf(&in, "new %s %s\nposition %s\nanalyse 60s", q.Game, q.Rules, q.Position)
		if q.Limit > 0 {
			fmt.Fprintf(&in, " depth %d", q.Limit)
		}
		fmt.Fprintln(&in)
	}
	words := func(text string) known {
		k := known{Value: "open", Distance: -1}
		f := strings.Fields(text)
		for i := 0; i+1 < len(f); i += 2 {
			var n int
			_, _ = fmt.Sscan(f[i+1], &n)
			switch f[i] {
			case "value":
				k.Value = f[i+1]
			case "distance":
				k.Distance = n
			case "score":
				k.Score = &n
			}
		}
		return k
	}
	var answers []*said
	s := &said{moves: map[string]known{}}
	for line := range strings.Lines(runs(t, in.String(), "engine")) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "move "); ok {
			name, worth, _ := strings.Cut(rest, " ")
			s.moves[name] = words(worth)
		} else if rest, ok := strings.CutPrefix(line, "= value"); ok {
			s.known = words("value" + rest)
			answers = append(answers, s)
			s = &said{moves: map[string]known{}}
		}
	}
	if len(answers) != len(list) {
		t.Fatalf("%d answers to %d questions", len(answers), len(list))
	}
	return answers
}

// worthWords reads a value in words: win in 5, loss by 12, draw, open within 8.
func worthWords(text string, score bool) known {
	k := known{Value: text, Distance: -1}
	var n int
	if value, number, ok := strings.Cut(text, " in "); ok {
		_, _ = fmt.Sscan(number, &n)
		k = known{Value: value, Distance: n}
	} else if value, number, ok := strings.Cut(text, " by "); ok {
		_, _ = fmt.Sscan(number, &n)
		if value == "loss" {
			n = -max(n, -n)
		}
		k = known{Value: value, Distance: -1, Score: &n}
	} else if strings.HasPrefix(text, "open") {
		k.Value = "open"
	} else if score && text == "draw" {
		k.Score = &n
	}
	return k
}

// analyseSays reads the output of solve analyse.
func analyseSays(t *testing.T, service *explore.Service, q question) *said {
	t.Helper()
	a, err := service.Ask(t.Context(), q.Query)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	newAnalyseRecord(a).write(&out, newApp(ours...), q.g, q.at)
	s := &said{moves: map[string]known{}}
	for line := range strings.Lines(out.String()) {
		name, worth, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if _, legal := q.want.moves[name]; ok && legal {
			s.moves[name] = worthWords(strings.TrimSpace(worth), q.want.Score != nil)
		}
	}
	s.known = bestOf(s.moves) // the sentence names the winner, not the seat to move
	return s
}

// bestOf is the value of a position by its moves.
func bestOf(moves map[string]known) (best known) {
	rank := map[string]int{"": -1, "loss": 0, "open": 1, "draw": 2, "win": 3}
	for _, k := range moves {
		better := rank[k.Value] > rank[best.Value]
		if k.Value == best.Value {
			switch {
			case k.Score != nil:
				better = *k.Score > *best.Score
			case k.Value == "win":
				better = k.Distance < best.Distance
			case k.Value == "loss":
				better = k.Distance > best.Distance
			}
		}
		if better {
			best = k
		}
	}
	return best
}

// playSays reads the values printed by solve play. Its only limit is a time, so it shows
// values that the service knows at once.
func playSays(t *testing.T, service *explore.Service, q question) *said {
	if q.Limit > 0 {
		return nil
	}
	t.Helper()
	var out strings.Builder
	session := &terminal.Session{Game: q.g, From: q.Position, Analyst: service, Out: &out, Seats: slices.Repeat([]string{terminal.Human}, q.g.Seats())}
	if !settles(q) {
		session.Time = 300 * time.Millisecond
	}
	if err := session.Play(t.Context(), strings.NewReader("values\nquit\n")); err != nil {
		t.Fatal(err)
	}
	s := &said{moves: map[string]known{}}
	for line := range strings.Lines(out.String()) {
		f := strings.Fields(strings.TrimPrefix(line, q.g.SeatName(q.at.Seat())+"> "))
		if len(f) < 3 {
			continue
		}
		if _, legal := q.want.moves[f[1]]; legal {
			worth, _, _ := strings.Cut(strings.Join(f[2:], " "), ", ") // a comma and the winner follow if there are more than two seats
			k := worthWords(worth, q.want.Score != nil)
			if value, ok := strings.CutSuffix(worth, " by +0"); ok {
				zero := 0
				k = known{Value: value, Distance: -1, Score: &zero}
			}
			s.moves[f[1]] = k
		}
	}
	if len(s.moves) == 0 && len(q.want.moves) == 1 { // the program passed for the player
		return nil
	}
	s.known = bestOf(s.moves)
	return s
}

// probeSays runs solve probe on a hundredth of the positions of each game, at least one, and
// solves the game each time.
func probeSays(t *testing.T, list []question) []*said {
	asked := map[string]int{}
	return each(list, func(q question) *said {
		if asked[q.Game]++; asked[q.Game]%100 != 1 {
			return nil
		}
		args := []string{"probe", q.Game, "--json"}
		if q.Rules != "" {
			args = append(args, "--rules", q.Rules)
		}
		if q.Limit > 0 {
			args = append(args, "--limit", fmt.Sprint(q.Limit))
		}
		return readAnswer(t, []byte(runs(t, "", append(args, "--", q.Position)...)))
	})
}
