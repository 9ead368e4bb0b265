package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	mnkwing "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/player"
)

// newBrain returns an engine for five in a row that looks one stone ahead.
func newBrain() *Engine {
	w := mnkwing.Wing()
	return &Engine{
		Program: "test 1", Open: w.Open, Player: "level-3", Known: player.Known, Budget: time.Second,
		Wing: func(string) (wing.Wing, error) { return w, nil },
		Seat: func(ctx context.Context, name string, g game.Game) (player.Player, error) {
			return player.New(ctx, name, g, player.Options{Wing: w})
		},
	}
}

// manages holds a conversation with a manager and returns the engine's lines without messages.
func manages(t *testing.T, said string) (lines []string) {
	t.Helper()
	var out bytes.Buffer
	if err := newBrain().Gomocup(t.Context(), strings.NewReader(said), &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "MESSAGE ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func TestGomocup(t *testing.T) {
	for said, want := range map[string][]string{
		"ABOUT":                            {`name="test", version="1"`},
		"START 15\r\nBEGIN\r\n":            {"OK", "7,7"},
		"start 15\nplay 7,7\nEND\nABOUT\n": {"OK", "7,7"},
		"START 5\nBOARD\n0,0,1\n1,1,1\n4,0,2\n4,1,2\nDONE":        {"OK", "2,2"},
		"START 6\nTURN 0,0\nPLAY 5,5\nTAKEBACK 5,5\nTAKEBACK 0,0": {"OK", "1,1", "5,5", "OK", "ERROR 0,0 is not the last stone"},
		"RECTSTART 7,5\nPLAY 6,4\nPLAY 5,5":                       {"OK", "6,4", "ERROR 5,5 is not on the board"},
		"START 5\nPLAY 1,1\nTURN 1,1\nRESTART\nPLAY 1,1":          {"OK", "1,1", "ERROR 1,1 is taken", "OK", "1,1"},
		"BEGIN\nSTART\nSTART x\nSTART 4\nRECTSTART 9": {"ERROR BEGIN before START", `ERROR START ",": want X,Y`, `ERROR START "x,x": want X,Y`,
			"ERROR mnk: bad board: 5 in a row do not fit 4 rows and 4 columns", `ERROR RECTSTART "9": want X,Y`},
		"START 9\nINFO rule 1\nINFO evaluate 3,3\nINFO folder /tmp x\nINFO\nBEGIN\nINFO rule 0\nBEGIN": {"OK",
			"ERROR rule 1: only rule 0, in which five or more in a row win, is played", "4,4"},
		"START 9\nBOARD\n0,0,1\n1,1,3\nDONE\nBOARD\n0,0,1\n0,0,2\nDONE\nBOARD\nDONE": {"OK",
			`ERROR "1,1,3": want X,Y,1 or X,Y,2`, "ERROR 0,0 is taken", "4,4"},
		// One answer to each command, whatever follows it.
		"BOARD\n0,0,1\n1,1,2\nx\nDONE\nABOUT":                       {"ERROR BOARD before START", `name="test", version="1"`},
		"SWAP2BOARD\n7,7\n8,7\n9,9\nDONE\nSTART 5":                  {`UNKNOWN command "SWAP2BOARD"`, "OK"},
		"START 5\nSWAP2BOARD\nDONE\nYXBOARD\n0,0,1\nDONE":           {"OK", `UNKNOWN command "SWAP2BOARD"`, `UNKNOWN command "YXBOARD"`},
		"START 5\nBOARD\nx\ny,1\nDONE\nPLAY 0,0":                    {"OK", `ERROR "x": want X,Y,1 or X,Y,2`, "0,0"},
		"START 9\nBOARD\n0,0,2\nEND\nABOUT":                         {"OK", "1,1"},
		"START 5\nBOARD\n\n0,0,1\n \n1,1,1\n4,0,2\n\n4,1,2\n\nDONE": {"OK", "2,2"},
		"START 5\nBOARD\n0, 0, 1\n 1,1 ,1 \n4,0,2\n4,1,2\ndone":     {"OK", "2,2"},
		// Stones of a refused command are not on the board.
		"START 9\nINFO rule 4\nTURN 4,4\nINFO rule 0\nBEGIN": {"OK",
			"ERROR rule 4: only rule 0, in which five or more in a row win, is played", "4,4"},
		"START 5\nBOARD\n0,0,2\n0,1,2\n0,2,2\n0,3,2\n0,4,2\n1,0,1\n1,1,1\n1,2,1\n1,3,1\nDONE\nTAKEBACK 0,4\nPLAY 0,4": {"OK",
			"ERROR the game is over", "ERROR 0,4 is not the last stone", "0,4"},
		"START 5\nTURN 0,0\nTURN 9,9\nTURN 0,0\nTAKEBACK 1,1\nTAKEBACK 0,0": {"OK", "1,1", "ERROR 9,9 is not on the board", "ERROR 0,0 is taken", "OK", "OK"},
		// Sides that have not taken turns: four that want a fifth, and four that stop it.
		"START 9\nBOARD\n0,0,1\n0,1,1\n0,2,1\n0,3,1\nDONE":                     {"OK", "0,4"},
		"START 9\nBOARD\n0,0,2\n0,1,2\n0,2,2\n0,3,2\nDONE\nTURN 8,8\nTURN 8,7": {"OK", "0,4", "1,1", "8,6"},
		"START 5\nBOARD\n0,0,1\n0,1,1\n0,2,1\n0,3,1\n0,4,1\nDONE":              {"OK", "ERROR the game is over"},
	} {
		if got := manages(t, said); !slices.Equal(got, want) {
			t.Errorf("%q:\n%q\nwant\n%q", said, got, want)
		}
	}
}

// TestGomocupQuiet: settings get no answer, possible or not, and the memory is the nearest
// possible.
func TestGomocupQuiet(t *testing.T) {
	e := newBrain()
	var asked []int64
	e.Memory = func(bytes int64) error {
		asked = append(asked, bytes)
		return nil
	}
	var out bytes.Buffer
	const said = "INFO max_memory 1\nSTART 9\nINFO max_memory 83886080\nINFO max_memory 0\nINFO timeout_turn -1\nINFO rule 64\nINFO\nINFO what ever\n"
	if err := e.Gomocup(t.Context(), strings.NewReader(said), &out); err != nil || out.String() != "OK\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if want := []int64{1, 83886080}; !slices.Equal(asked, want) {
		t.Errorf("memory of %v, want %v", asked, want)
	}
}

// TestGomocupTime: a manager's settings of time bound a move.
func TestGomocupTime(t *testing.T) {
	e := newBrain()
	var used []time.Duration
	e.Seat = func(context.Context, string, game.Game) (player.Player, error) {
		return timed(func(c player.Clock) { used = append(used, c.Time) }), nil
	}
	const said = "START 9\nINFO time_left 2147483647\nBEGIN\nINFO timeout_turn 300000\nTURN 8,8\nINFO timeout_match 10000000\nINFO time_left 1200000\nTURN 8,7\n" +
		"INFO time_left 1\nTURN 8,6\nINFO time_left -1\nINFO timeout_turn 0\nTURN 8,5\n" +
		"INFO timeout_match 0\nINFO timeout_turn 400000\nRESTART\nTURN 8,4\nINFO time_left 600000\nTURN 8,3\n"
	e.Budget = 200 * time.Second
	if err := e.Gomocup(t.Context(), strings.NewReader(said), &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	want := []time.Duration{200 * time.Second, 300 * time.Second, 100 * time.Second, hurry, hurry, 400 * time.Second, 50 * time.Second}
	if len(used) != len(want) {
		t.Fatalf("%v, want %v", used, want)
	}
	for i, d := range used { // the clock is less by the time since the command came
		if d > want[i] || d < want[i]/2 && want[i] > hurry {
			t.Errorf("move %d has %v, want %v", i+1, d, want[i])
		}
	}
}

// timed plays the first legal move and records its clock.
type timed func(player.Clock)

func (timed) Close() error { return nil }
func (f timed) Move(_ context.Context, s game.State, c player.Clock) (player.Choice, error) {
	f(c)
	return player.Choice{Move: s.Moves(nil)[0]}, nil
}

// startBrain starts this test as a program of Gomocup.
func startBrain(t *testing.T, how, id string) (player.Player, game.Game, error) {
	t.Helper()
	if runtime.GOOS == "js" {
		t.Skip("js/wasm starts no processes")
	}
	t.Setenv(behaviour, how)
	exe := must(os.Executable())(t)
	g := must(mnkwing.Wing().Open(id, ""))(t)
	p, err := StartGomocup(t.Context(), how, []string{exe}, g, mnkwing.Wing(), time.Minute)
	return p, g, err
}

// TestBrain: our engine as a program of Gomocup chooses its player's moves, move by move, after
// steps back and from unrelated positions.
func TestBrain(t *testing.T) {
	for _, id := range []string{"mnk-9x9k5", "mnk-7x11k5"} {
		p, g, err := startBrain(t, "gomocup", id)
		if err != nil {
			t.Fatal(err)
		}
		own, err := player.New(t.Context(), "level-3", g, player.Options{Wing: mnkwing.Wing()})
		if err != nil {
			t.Fatal(err)
		}
		s := g.Start()
		asked := 0
		ask := func() (m game.Move) {
			t.Helper()
			a, err := p.Move(t.Context(), s, player.Clock{Time: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			b, err := own.Move(t.Context(), s, player.Clock{})
			if err != nil {
				t.Fatal(err)
			}
			if asked++; a.Move != b.Move {
				t.Fatalf("%s %s: %s, want %s", id, s, s.MoveString(a.Move), s.MoveString(b.Move))
			}
			return a.Move
		}
		for s.Result() == game.Ongoing {
			s.Make(ask())
			if s.Result() == game.Ongoing { // any stone of the other side
				s.Make(s.Moves(nil)[0])
			}
		}
		for s.Unmake(); asked < 12; s.Unmake() {
			ask()
		}
		if err := errors.Join(p.Close(), own.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestBrainFaults: the faults of programs of Gomocup that break the protocol.
func TestBrainFaults(t *testing.T) {
	for how, want := range map[string]string{
		"gomocup refuses": `refuses refused "START 9": no such board`,
		"gomocup illegal": `illegal answered "99,1": mnk: `,
		"gomocup taken":   `taken answered "4,4": mnk: move e5: the cell is taken`,
		"gomocup ends":    "ends ended: out of luck",
	} {
		p, g, err := startBrain(t, how, "mnk-9x9k5")
		if err == nil {
			s := g.Start()
			if err := playAll(game.NewCourse(g, s), []string{"e5", "a1"}); err != nil {
				t.Fatal(err)
			}
			_, err = p.Move(t.Context(), s, player.Clock{Time: time.Minute})
			p.Close()
		}
		if bad := new(Fault); !errors.As(err, &bad) || !strings.Contains(bad.Why, want) {
			t.Errorf("%s: %v", how, err)
		}
	}
	if _, _, err := startBrain(t, "gomocup", "mnk-6x6k4"); err == nil || !strings.Contains(err.Error(), "five in a row") {
		t.Errorf("four in a row: %v", err)
	}
}

// FuzzGomocup: whatever a manager sends, every line of the answer has a form of the protocol,
// and END or the end of the input ends it.
func FuzzGomocup(f *testing.F) {
	f.Add("ABOUT\nSTART 5\nBEGIN\nTURN 0,0\nTAKEBACK 0,0\nRESTART\nBOARD\n0,0,1\n1,1,2\nDONE\nINFO timeout_turn 5\nINFO max_memory 83886080\nEND")
	f.Add("RECTSTART 6,5\nPLAY 5,4\nTURN 5,4\nTURN -1,99999999999999999999\nBOARD\n0,0,2\n")
	f.Add("START 6\nINFO rule 4\nBEGIN\nINFO time_left -5\nINFO timeout_match 1\nTURN 1,\nBOARD\n,,,\n,1\n\x00\xff\nDONE\nturn 1,1")
	answer := regexp.MustCompile(`^(OK|\d+,\d+|ERROR .+|UNKNOWN command ".*"|MESSAGE .+|name=".*", version=".*")$`)
	size := regexp.MustCompile(`(?i)start\s*[^\n]*\d\d`)
	f.Fuzz(func(t *testing.T, said string) {
		if size.MatchString(said) || len(said) > 1000 {
			t.Skip("a large board, whose set-up would take most of the time of the fuzzer")
		}
		var out bytes.Buffer
		if err := newBrain().Gomocup(t.Context(), strings.NewReader(said), &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !answer.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("%q is answered with %q", said, line)
			}
		}
	})
}
