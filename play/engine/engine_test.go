package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/play/explore"
	"perfectplay/play/player"
)

// must returns v. An error ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// newTestEngine returns an engine with little memory and instant moves.
func newTestEngine(t testing.TB) *Engine {
	a := newService(t)
	return &Engine{
		Program: "test 1", Analyst: a, Known: player.Known, Player: "strongest", Wing: a.Wing,
		Open: func(id, rules string) (game.Game, error) {
			w, err := a.Wing(id)
			if err != nil {
				return nil, err
			}
			return w.Open(id, rules)
		},
		Seat: func(ctx context.Context, name string, g game.Game) (player.Player, error) {
			return player.New(ctx, name, g, player.Options{Analyst: a})
		},
		Budget: time.Millisecond, Most: time.Millisecond,
	}
}

// TestOptionTakesEffect: an option applies to the game under way, too: the player is made
// again.
func TestOptionTakesEffect(t *testing.T) {
	e := newTestEngine(t)
	threads, seats := "1", []string(nil)
	seat := e.Seat
	e.Seat = func(ctx context.Context, name string, g game.Game) (player.Player, error) {
		seats = append(seats, name+" on "+threads)
		return seat(ctx, name, g)
	}
	e.Option = func(_, value string) error {
		threads = value
		return nil
	}
	answers := says(t, e, "option threads 2\nnew mnk-3x3k3\nplay b2\noption threads 3\nshow\nundo\nquit\n")
	if want := []string{"strongest on 2", "strongest on 3"}; !slices.Equal(seats, want) {
		t.Errorf("players %q, want %q", seats, want)
	}
	if answers[4] != "= 3.1x1.3" || answers[5] != "=" {
		t.Errorf("the game goes on as %q", answers)
	}
}

// says holds a conversation and returns the lines of the engine.
func says(t *testing.T, e *Engine, said string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := e.Converse(t.Context(), strings.NewReader(said), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// conversation has commands and the beginnings of their answers.
var conversation = [][2]string{
	{"name", "= test 1"},
	{"go", `? "go: no game: begin with new GAME"`},
	{"new 3", `? "new: too few arguments"`},
	{"new 3 3", `? "new: too few arguments"`},
	{"new 1 2 3 4", `? "new: too many arguments"`},
	{"new mnk-3x3k4", `? "mnk: bad board: 4 in a row do not fit 3 rows and 3 columns"`},
	{"new 3 3 3", "= mnk-3x3k3"},
	{"new halma-star13-2p base", "= halma-star13-2p base"},
	{"seat", "= 1"},
	{"show", "= 2.____.___.____.1-1"},
	{"player perfect", "= perfect"},
	{"new halma-star121-3p base", `? "player: halma-star121-3p base is not solved: strongest plays as well as this program can"`},
	{"player alphabeta", `? "player: \"alphabeta\": not known: want random, level-1 to level-9, strongest, or perfect where the game is solved"`},
	{"show", "= 2.____.___.____.1-1"},
	{"moves", "= a1-b2 a1-b3"},
	{"play a1-b2 e1-d2", "= e1-d2"},
	{"play b2-c1 d2-z9", `? "move 2: halma: move \"d2-z9\": halma: cell \"z9\": want a row a to e and a place in it, as a1"`},
	{"show", "= _._2__.___._1__._-1"},
	{"undo", "="},
	{"undo", "="},
	{"undo", `? "undo: no move to take back"`},
	{"position start moves a1-b2", "= halma-star13-2p base"},
	{"position start moves a1-b2 a1-b2", `? "move 2: halma: move \"a1-b2\" is not legal: seat 2 has no piece on a1"`},
	{"position start a1-b2", `? "position: \"a1-b2\": want the word moves, and moves after it"`},
	{"seat", "= 2"},
	{"undo", "="},
	{"result", "= ongoing"},
	{"position 1.____.2__.____._-2", "= halma-star13-2p base"},
	{"result", "= 1"},
	{"go", `? "the game is over"`},
	{"moves", "="},
	{"player level-0", `? "player: \"level-0\": not known: want random, level-1 to level-9, strongest, or perfect where the game is solved"`},
	{"player level-2", "= level-2"},
	{"go soon", `? "time \"soon\": want for instance 500ms or 2s"`},
	{"go 1s 2s", `? "go: too many arguments"`},
	{"go depth", `? "go: depth: want a number of plies"`},
	{"go depth 0", `? "go: depth \"0\": want 1 to 10000 plies"`},
	{"go infinite 1s", `? "go: infinite and a time exclude each other"`},
	{"option info maybe", `? "option info \"maybe\": want on or off"`},
	{"option colour red", `? "unknown option \"colour\""`},
	{"option info on", "="},
	{"option time 5ms", "="},
	{"option player random", "= random"},
	{"position start # where else", "= halma-star13-2p base"},
	{"hint", "= a1-b"},
	{"note", "= any move"},
	{"stop", "="},
	{"xyzzy", `? "unknown command \"xyzzy\""`},
	{"\x1b[2J", `? "unknown command \"\\x1b[2J\""`},
	{"quit now", `? "quit: too many arguments"`},
	{"quit", "= bye"},
}

// TestConversation: the answer of each command, and that errors change nothing.
func TestConversation(t *testing.T) {
	var said, want []string
	for _, c := range conversation {
		said, want = append(said, c[0]), append(want, c[1])
	}
	got := says(t, newTestEngine(t), strings.Join(said, "\n")+"\nname\n")
	if len(got) != len(want) {
		t.Fatalf("%d answers to %d commands:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%s: %s, want %s", said[i], got[i], want[i])
		}
	}
}

// TestAnalyse: the values of all moves, best first, and their JSON; the best move is played.
func TestAnalyse(t *testing.T) {
	e := newTestEngine(t)
	e.Budget, e.Most = time.Minute, 0
	got := says(t, e, "new halma-star13-2p base\nposition start moves a1-b2 e1-d2\nanalyse\n"+
		`{"id":"q","game":"halma-star13-2p","position":"start","moves":["a1-b2","e1-d2"]}`+"\nhint\n")
	if last := len(got) - 1; got[last] != "= b2-c1" {
		t.Errorf("it plays %q", got[last])
	} else {
		got = got[:last]
	}
	var moves []string
	for _, line := range got[2 : len(got)-2] {
		if strings.HasPrefix(line, "move ") {
			moves = append(moves, line)
		} else if !strings.HasPrefix(line, "info value ") || len(moves) > 0 {
			t.Errorf("line %q after %d moves", line, len(moves))
		}
	}
	if len(moves) == 0 || !strings.HasPrefix(moves[0], "move b2-c1 value win distance 7") || !strings.HasPrefix(got[len(got)-2], "= value win distance 7") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	var a Answer
	if err := json.Unmarshal([]byte(got[len(got)-1]), &a); err != nil {
		t.Fatal(err)
	}
	if string(a.ID) != `"q"` || !a.Done || a.Answer == nil || a.Value != explore.Win || *a.Distance != 7 || len(a.Moves) != len(moves) {
		t.Fatalf("%s", got[len(got)-1])
	}
	for i, m := range a.Moves {
		if line := "move " + m.Move + " " + worth(&m.Worth); line != moves[i] {
			t.Errorf("%q in lines, in JSON %q", moves[i], line)
		}
	}
}

// TestQuestionErrors: wrong questions get errors with their ids.
func TestQuestionErrors(t *testing.T) {
	for said, want := range map[string]string{
		`{"id":1,"game":"chess"}`:                              `"id":1,"done":true,"error":".*","fault":"game"`,
		`{"id":2,"game":"mnk-3x3k3","position":"zz"}`:          `"fault":"position"`,
		`{"id":3,"game":"mnk-3x3k3","moves":["a1","b2","a1"]}`: `"fault":"move","index":2`,
		`{"id":4,"game":"mnk-3x3k3","limit":-1}`:               `"fault":"query"`,
		`{"id":5,"gam":"mnk-3x3k3"}`:                           `unknown field`,
		`{"id":6}{}`:                                           `more than one value`,
		`{`:                                                    `"done":true,"error":"question: `,
		`{"id":7,"game":"mnk-3x3k3","position":"start","limit":99999999999}`: `"fault":"query"`,
	} {
		got := says(t, newTestEngine(t), said+"\n")
		if len(got) != 1 || !regexp.MustCompile(want).MatchString(got[0]) || !json.Valid([]byte(got[0])) {
			t.Errorf("%s: %q, want %s", said, got, want)
		}
	}
}

// hanging is an analyst that reports once and then waits for the context to end.
type hanging struct{ ended chan struct{} }

func (hanging) Game(id, rules string) (*explore.Game, error) { return &explore.Game{}, nil }

func (h hanging) Analyse(ctx context.Context, q explore.Query, report func(*explore.Answer) error) error {
	err := report(&explore.Answer{Worth: explore.Worth{Value: explore.Open}})
	<-ctx.Done()
	h.ended <- struct{}{}
	return err
}

// TestStop: endless work ends with stop, or with the input; commands sent meanwhile wait.
func TestStop(t *testing.T) {
	for _, said := range []string{"analyse infinite\nstop\n", "analyse infinite\n\n# a comment\n  stop # now\n", "analyse infinite\n",
		`{"game":"mnk-3x3k3","seconds":0,"limit":0}` + "\nstop\n"} {
		e := newTestEngine(t)
		h := hanging{make(chan struct{}, 1)}
		e.Analyst, e.Budget, e.Most = h, time.Hour, 0
		got := says(t, e, "new 3 3 3\n"+said)
		if len(h.ended) != 1 {
			t.Errorf("%q: the analysis goes on", said)
		}
		if strings.HasPrefix(said, "{") {
			if len(got) != 3 || !strings.Contains(got[1], `"done":true`) {
				t.Errorf("%q: %q", said, got)
			}
		} else if got[1] != "info value open source " || got[2] != "= value open" {
			t.Errorf("%q: %q", said, got)
		}
	}
}

// TestInterrupt: the end of the context ends a silent conversation, and also a conversation in
// which a move takes an hour.
func TestInterrupt(t *testing.T) {
	for _, said := range []string{"", "new 10 10 5\nplay e5\ngo 1h\n"} {
		ctx, cancel := context.WithCancel(t.Context())
		in, commands := io.Pipe()
		out, answers := io.Pipe()
		done := make(chan error)
		go func() {
			e := newTestEngine(t)
			e.Most = 0
			done <- e.Converse(ctx, in, answers)
		}()
		go io.WriteString(commands, said)
		if said != "" { // the move has begun once the commands before the move are answered
			buf := make([]byte, len("= mnk-10x10k5\n= e5\n"))
			if _, err := io.ReadFull(out, buf); err != nil || string(buf) != "= mnk-10x10k5\n= e5\n" {
				t.Fatalf("%q, %v", buf, err)
			}
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("after %q: %v", said, err)
		}
		commands.Close()
	}
}

// TestEndOfInput: commands before the end are carried out, a move under way included, and a
// broken input is an error.
func TestEndOfInput(t *testing.T) {
	got := says(t, newTestEngine(t), "new 3 3 3\ngo\nplay b2")
	if len(got) != 3 || got[0] != "= mnk-3x3k3" || !strings.HasPrefix(got[1], "= ") {
		t.Errorf("%q", got)
	}
	broken := errors.New("broken")
	err := newTestEngine(t).Converse(t.Context(), io.MultiReader(strings.NewReader("name\n"), errReader{broken}), io.Discard)
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if err := newTestEngine(t).Converse(t.Context(), strings.NewReader("name\n"), errWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

type errWriter struct{ err error }

func (w errWriter) Write([]byte) (int, error) { return 0, w.err }

// closer is a player that counts the open players.
type closer struct {
	player.Player
	open *int
}

func (c closer) Close() error {
	*c.open--
	return nil
}

// TestOnePlayer: a new game or a new name closes the old player, and the end of the conversation
// closes the last player.
func TestOnePlayer(t *testing.T) {
	e, now, most := newTestEngine(t), 0, 0
	e.Seat = func(ctx context.Context, name string, g game.Game) (player.Player, error) {
		if name == "perfect" {
			now++
			most = max(most, now)
			return closer{nil, &now}, nil
		}
		return nil, fmt.Errorf("no %s today", name)
	}
	got := says(t, e, strings.Repeat("new 3 3 3\nplayer perfect\n", 5)+"player random\nshow\nnew 3 3 3\nshow\n")
	want := []string{`? "no random today"`, "= 3.3.3", "= mnk-3x3k3", "= 3.3.3"}
	if most != 1 || now != 0 || !slices.Equal(got[10:], want) {
		t.Errorf("%d players at once, %d at the end, %q", most, now, got)
	}
}

// TestLongLine: an endless line is one command with one answer.
func TestLongLine(t *testing.T) {
	for _, n := range []int{maxLine - 1, maxLine, maxLine + 1, 3*maxLine + 5} {
		for _, begin := range []string{"go ", "{  "} {
			got := says(t, newTestEngine(t), strings.Repeat(begin, n/3)+"aa"[:n%3]+"\nquit\n")
			if len(got) != 2 || got[0][0] != '?' && got[0][0] != '{' || got[1] != "= bye" {
				t.Errorf("%d bytes: %.200q", n, got)
			}
		}
	}
}

// FuzzEngine checks any conversation for the promises of the help: one answer a command and in
// order, errors that change nothing, and legal moves.
func FuzzEngine(f *testing.F) {
	f.Add("new 3 3 3\ngo\ngo\nundo\nshow\nboard\nmoves\nresult\nnote\nquit\n")
	f.Add("new halma-star13-2p base # small\nposition start moves a1-b2 e1-d2\nhint 2ms depth 3\nanalyse infinite\nstop\nseat\n")
	f.Add("go\nnew 0 3 3\nnew 70 70 71\nnew x\nplayer\nposition xxx\n\x00\xff\nundo undo")
	f.Add("new mnk-4x3k3\nplayer level-2\noption info on\ngo 1ns\ngo 1000h\nstop\nplay a1 a1\nquit now\n")
	f.Add("new 1 1 1\ngo\nhint\nplay a1\nundo\nundo\nplay a01\nplay A1\n")
	f.Add(`{"id":1,"game":"mnk-3x3k3","moves":["a1"],"limit":1}` + "\n{}\n {\"id\":[]}\n{\nquit")
	f.Fuzz(func(t *testing.T, said string) {
		commands := 0
		ended := false
		for line := range strings.Lines(said) {
			if !ended && strings.HasPrefix(strings.TrimSpace(line), "{") {
				commands++
				continue
			}
			line, _, _ = strings.Cut(line, "#")
			words := strings.Fields(line)
			if len(words) == 0 || ended {
				continue
			}
			if words[0] == "new" && len(line) > 30 || strings.ContainsAny(line, "456789") && strings.Contains(line, "x") {
				t.Skip("a large board, whose set-up would take most of the time of the fuzzer")
			}
			if words[0] == "new" && len(words) > 2 && (len(words[1]) > 1 || len(words[2]) > 1) && strings.ContainsAny(words[1]+words[2], "123456789") {
				t.Skip("a large board, whose set-up would take most of the time of the fuzzer")
			}
			commands++
			ended = words[0] == "quit" && len(words) == 1
		}
		if commands > 60 || len(said) >= maxLine {
			t.Skip("a longer conversation finds nothing more, and is slow")
		}
		var out bytes.Buffer
		e := newTestEngine(t)
		if err := e.Converse(t.Context(), strings.NewReader(said), &out); err != nil {
			t.Fatal(err)
		}
		answers := 0
		for line := range strings.Lines(out.String()) {
			if !strings.HasSuffix(line, "\n") {
				t.Fatalf("%q: an answer without an end: %q", said, line)
			}
			switch line[0] {
			case '=', '?':
				answers++
			case '{':
				var a Answer
				if err := json.Unmarshal([]byte(line), &a); err != nil {
					t.Fatalf("%q: %q: %v", said, line, err)
				}
				if a.Done {
					answers++
				}
			}
			if bad := strings.IndexFunc(line[:len(line)-1], func(r rune) bool { return r < ' ' }); bad >= 0 && strings.ContainsRune("=?{", rune(line[0])) {
				t.Fatalf("%q: control characters in %q", said, line)
			}
		}
		if answers != commands {
			t.Fatalf("%q: %d answers to %d commands:\n%s", said, answers, commands, out.String())
		}
		if e.c != nil {
			text := e.c.State.String()
			if again, err := e.g.Parse(text); err != nil || again.String() != text {
				t.Fatalf("%q leaves %s: %v", said, text, err)
			}
		}
	})
}
