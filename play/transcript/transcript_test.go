package transcript

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
)

func TestRead(t *testing.T) {
	const text = `
# two games
game halma-star37-2p
rules house
# the seats follow
seat 1 Ann and Bob
seat 2 perfect
result 2
ending resigned

b1-c4  h1-g4 # a comment
c4-d3

game mnk-3x3k3
position 3.1x1.3

	a1 a2
c3
`
	games, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Game{
		{ID: "halma-star37-2p", Rules: "house", Seats: []Seat{{"1", "Ann and Bob"}, {"2", "perfect"}}, Result: "2", Ending: "resigned",
			Moves: []string{"b1-c4", "h1-g4", "c4-d3"}, Line: 3, Number: 1},
		{ID: "mnk-3x3k3", Position: "3.1x1.3", Moves: []string{"a1", "a2", "c3"}, Line: 14, Number: 2},
	}
	if !reflect.DeepEqual(games, want) {
		t.Errorf("got\n%+v\nwant\n%+v", games, want)
	}
}

// TestReadAround: a record that cannot be read does not affect the others.
func TestReadAround(t *testing.T) {
	const text = "game a\nrules x\n\nm1\ngame b\ncolour red\n\nm2\ngame\nm3\ngame c\n\nm4 game\n\tgame d\n\nm5\n"
	games, err := Read(strings.NewReader(text))
	var read []string
	for _, g := range games {
		read = append(read, fmt.Sprint(g.ID, g.Number, g.Line, g.Moves))
	}
	if want := []string{"a1 1 [m1]", "d5 14 [m5]"}; !reflect.DeepEqual(read, want) {
		t.Errorf("%q, want %q", read, want)
	}
	if err == nil || strings.Count(err.Error(), "transcript: line ") != 3 {
		t.Errorf("%v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "no game",
		"a1 b2":                        `line 1: "a1 b2": want a record, which begins with a line such as: game`,
		"game":                         "line 1: game: want its id",
		"game x\nrules":                "line 2: rules: no value",
		"game x\nrules a\nrules b":     "line 3: rules: given twice",
		"game x\nseat 1 a\nseat 1 b":   "line 3: seat 1: given twice",
		"game x\nseat 1":               "line 2: seat: want the seat's name",
		"game x\ncolour red":           `line 2: "colour": want rules`,
		"game x\na1 b2":                `line 2: "a1": want rules`,
		"game x\n\na1 \x1b[2J":         "line 3: a control character after 3 bytes",
		"game x\n\na1 \xff":            "line 3: not UTF-8",
		strings.Repeat("x", maxLine+1): "line 1: longer than",
		"game x\n\n" + strings.Repeat(strings.Repeat("a1 ", maxLine/4)+"\n", 4*maxMoves/maxLine+1): "more than",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

// TestReplay: written moves are read back one by one, and errors name illegal moves.
func TestReplay(t *testing.T) {
	g, err := halma.ByID("halma-star37-2p", "house")
	if err != nil {
		t.Fatal(err)
	}
	s := g.Start()
	var made []game.Move
	rec := Game{ID: g.ID(), Rules: g.Rules()}
	for range 25 {
		moves := s.Moves(nil)
		m := moves[len(made)*7%len(moves)]
		rec.Moves = append(rec.Moves, s.MoveString(m))
		made = append(made, m)
		s.Make(m)
	}
	var b bytes.Buffer
	if _, err := rec.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	read, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := read[0].Course(g); err != nil || !slices.Equal(again.Path, made) || again.State.String() != s.String() {
		t.Errorf("%v: %+v, want %v at %s", err, again, made, s)
	}
	bad := Game{ID: g.ID(), Moves: append(rec.Moves[:2:2], "a1-z9")}
	if _, err := bad.Course(g); err == nil || !strings.Contains(err.Error(), "move 3: ") {
		t.Errorf("an illegal third move: %v", err)
	}
}

// TestReplayBeyondTheEnd: a move after the end is refused.
func TestReplayBeyondTheEnd(t *testing.T) {
	g, err := mnk.ByID("mnk-1x2k1")
	if err != nil {
		t.Fatal(err)
	}
	rec := Game{ID: g.ID(), Moves: []string{"a1", "b1"}}
	c, err := rec.Course(g)
	if err == nil || !strings.Contains(err.Error(), "move 2, \"b1\": the game is over") {
		t.Error(err)
	}
	if o := c.Outcome(); o != g.SeatName(0) {
		t.Errorf("outcome %q", o)
	}
}

// FuzzRead: any record that is read is written and read back the same.
func FuzzRead(f *testing.F) {
	f.Add("game halma-star37-2p\nrules house\nseat 1 a b\nresult draw\nending x\n\na1-b2 pass\n")
	f.Add("game x\nposition 3.3.3\n#\n\n\na1#\n game y\n")
	f.Add("gAme a  b\nseat x  \u00a0 y\tz\n")
	f.Add("\ufeffgame x\r\n\r\na1\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		games, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		for i := range games {
			if _, err := games[i].WriteTo(&b); err != nil {
				t.Fatal(err)
			}
		}
		again, err := Read(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, b.String(), err)
		}
		for i := range games {
			games[i].Line = 0
		}
		for i := range again {
			again[i].Line = 0
		}
		if !reflect.DeepEqual(games, again) {
			t.Fatalf("%q\nread  %+v\nagain %+v", text, games, again)
		}
	})
}
