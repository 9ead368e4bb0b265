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

	"perfectplay/app/player"
	"perfectplay/game"
	mnkwing "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
)

// newBrain returns an engine for five in a row that looks one stone ahead.
func newBrain() *Engine {
	w := mnkwing.Wing()
	return &Engine{
		Program: "test 1", Open: open, Player: "level-3", Known: player.Known, Budget: time.Second,
		Wing: func(string) (wing.Wing, error) { return w, nil },
		Seat: func(ctx context.Context, name string, g game.Game) (player.Player, error) {
			return player.New(ctx, name, g, player.Options{Wing: w})
		},
	}
}

// manages holds a conversation with a manager and returns what it answers, without
// messages.
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
		"START 5\nPLAY 1,1\nTURN 1,1\nRESTART\nPLAY 1,1":          {"OK", "1,1", "ERROR mnk: move b4: the cell is taken", "OK", "1,1"},
		"BEGIN\nSTART\nSTART x\nSTART 4\nRECTSTART 9\nSWAP2BOARD": {"ERROR BEGIN before START", `ERROR START ",": want X,Y`, `ERROR START "x,x": want X,Y`,
			"ERROR mnk: bad board: 5 in a row do not fit 4 rows and 4 columns", `ERROR RECTSTART "9": want X,Y`, `UNKNOWN command "SWAP2BOARD"`},
		"START 9\nINFO rule 1\nINFO evaluate 3,3\nINFO folder /tmp x\nINFO\nBEGIN\nINFO rule 0\nBEGIN": {"OK",
			"ERROR rule 1: only rule 0, in which five or more in a row win, is played", "4,4"},
		"START 9\nBOARD\n0,0,1\n1,1,3\nDONE\nBOARD\n0,0,1\n0,1,1\nDONE\nBOARD\n0,0,1\n0,0,2\nDONE\nBOARD\nDONE": {"OK",
			`ERROR "1,1,3": want X,Y,1 or X,Y,2`, "ERROR 2 stones are mine and 0 the other's: the sides take turns", "ERROR mnk: move a9: the cell is taken", "4,4"},
		"START 5\nBOARD\n0,0,2\n0,1,2\n0,2,2\n0,3,2\n0,4,2\n1,0,1\n1,1,1\n1,2,1\n1,3,1\nDONE\nTURN 4,4": {"OK", "ERROR the game is over", "ERROR the game is over"},
	} {
		if got := manages(t, said); !slices.Equal(got, want) {
			t.Errorf("%q:\n%q\nwant\n%q", said, got, want)
		}
	}
}

// TestGomocupTime: what a manager says of the time bounds a move.
func TestGomocupTime(t *testing.T) {
	e := newBrain()
	var used []time.Duration
	e.Seat = func(context.Context, string, game.Game) (player.Player, error) {
		return timed(func(c player.Clock) { used = append(used, c.Time) }), nil
	}
	const said = "START 9\nBEGIN\nINFO timeout_turn 300\nTURN 8,8\nINFO timeout_match 10000\nINFO time_left 1200\nTURN 8,7\n" +
		"INFO time_left 1\nTURN 8,6\nINFO timeout_turn 0\nTURN 8,5\nINFO timeout_match 0\nINFO timeout_turn 400\nRESTART\nTURN 8,4\n"
	if err := e.Gomocup(t.Context(), strings.NewReader(said), &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	ms := time.Millisecond
	if want := []time.Duration{time.Second, 300 * ms, 100 * ms, hurry, hurry, 400 * ms}; !slices.Equal(used, want) {
		t.Errorf("%v, want %v", used, want)
	}
}

// timed plays the first legal move and tells its clock.
type timed func(player.Clock)

func (timed) Name() string { return "timed" }
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
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g, err := open(id, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := StartGomocup(t.Context(), how, []string{exe}, g, mnkwing.Wing())
	return p, g, err
}

// TestBrain: our engine as a program of Gomocup chooses what the player chooses that it
// has, move by move, after steps back and from positions that do not follow each other.
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
			if s.Result() == game.Ongoing { // the other side's stone is any
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

// TestBrainFaults: what is said of programs of Gomocup that do wrong.
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
			if err := makeAll(s, []string{"e5", "a1"}); err != nil {
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

// FuzzGomocup: whatever a manager says, every line of the answer has one of the forms of
// the protocol, and END or the end of the input ends it.
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
