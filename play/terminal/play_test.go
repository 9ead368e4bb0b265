package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/play/explore"
	"perfectplay/play/player"
	"perfectplay/play/transcript"
)

// firstMove is a player that makes the first legal move.
type firstMove struct{ closed *int }

func (p firstMove) Close() error {
	*p.closed++
	return nil
}
func (firstMove) Move(_ context.Context, s game.State, _ player.Clock) (player.Choice, error) {
	return player.Choice{Move: s.Moves(nil)[0], Note: "the first"}, nil
}

func open(t *testing.T, id, rules string) game.Game {
	t.Helper()
	if strings.HasPrefix(id, "mnk-") {
		g, err := mnk.ByID(id)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g, err := halma.ByID(id, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// session returns a session with the named players, all of which make the first move, and its
// output.
func session(g game.Game, seats ...string) (*Session, *bytes.Buffer, *int) {
	var out bytes.Buffer
	closed := new(int)
	return &Session{
		Game: g, Seats: seats, Time: time.Second, Out: &out,
		Seat: func(context.Context, string, game.Game) (player.Player, error) { return firstMove{closed}, nil },
		Known: func(name string) error {
			if name != "first" {
				return errors.New("not known: " + name)
			}
			return nil
		},
	}, &out, closed
}

// told plays lines of input and returns the output.
func told(t *testing.T, s *Session, out *bytes.Buffer, said ...string) string {
	t.Helper()
	if err := s.Play(t.Context(), strings.NewReader(strings.Join(said, "\n")+"\n")); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWholeGame: a person wins by moves as text and as numbers, and the session reports it.
func TestWholeGame(t *testing.T) {
	s, out, closed := session(open(t, "mnk-3x3k3", ""), Human, "first")
	got := told(t, s, out, "a1", "8", "m", "c1")
	want := `You play x, first plays o. Type help for the commands.
3.3.3
x> o plays a3 (first: the first)
o2.3.x2
x> there are moves 1 to 7, no move 8; help lists the commands
x> 1  b3  2  c3  3  a2  4  b2  5  c2  6  b1
7  c1
x> o plays b3 (first: the first)
oo1.3.x1x
x> 
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if *closed != 1 {
		t.Errorf("%d players closed", *closed)
	}
	s, out, _ = session(open(t, "mnk-3x3k3", ""), Human, "first")
	if got := told(t, s, out, "a1", "c1", "b1", "c2", "b1"); !strings.Contains(got, "x wins: you\n") || !strings.Contains(got, "the game is over: undo or quit") {
		t.Errorf("%s", got)
	}
}

// TestUndo: back to a person's turn, and no further than the first.
func TestUndo(t *testing.T) {
	s, out, _ := session(open(t, "mnk-3x3k3", ""), Human, "first")
	got := told(t, s, out, "undo", "c3", "b2", "u", "b1", "u", "u", "u", "a1")
	if s.c.State.String() != "o2.3.x2" || strings.Count(got, "nothing to undo") != 2 || !strings.Contains(got, "\noox.3.1x1\n") {
		t.Errorf("ends at %s\n%s", s.c.State, got)
	}
	// A person who plays second cannot undo the first player's opening move.
	s, out, _ = session(open(t, "mnk-3x3k3", ""), "first", Human)
	if got := told(t, s, out, "u", "b2", "u"); s.c.State.String() != "x2.3.3" || strings.Count(got, "nothing to undo") != 1 {
		t.Errorf("%s\nends at %s", got, s.c.State)
	}
}

// TestEnds: every ending of a game is printed as a sentence and can be taken back.
func TestEnds(t *testing.T) {
	g := open(t, "halma-star37-2p", "base")
	s, out, _ := session(g, Human, Human)
	round := []string{"b1-c3", "h1-g3", "c3-b1", "g3-h1"}
	got := told(t, s, out, append(append([]string{}, round...), append(round, "b1-c3", "undo", "b1-c4")...)...)
	if !strings.Contains(got, "a draw (this position has come up for the third time: the game is drawn by endless play)") || s.over() {
		t.Errorf("%s", got)
	}
	s, out, _ = session(g, Human, "first")
	if got := told(t, s, out, "resign", "resign", "b1-c3", "undo"); !strings.Contains(got, "2 wins: first (1 resigns)") ||
		!strings.Contains(got, "there is nothing to resign") || s.over() {
		t.Errorf("%s", got)
	}
	s, out, _ = session(open(t, "halma-star13-3p", "base"), Human, "first", "first")
	if got := told(t, s, out, "resign"); !strings.Contains(got, "strongest plays on for it") {
		t.Errorf("%s", got)
	}
}

// TestPass: a person without a legal move passes, and a printed line says so.
func TestPass(t *testing.T) {
	g := open(t, "halma-star13-6p", "base")
	sess, out, _ := session(g, Human, Human, Human, Human, Human, Human)
	sess.From = "_._32_.__4._165._-5" // seat 5 has no legal move
	if got := told(t, sess, out, "undo"); !strings.Contains(got, "has no legal move and passes\n") || !strings.Contains(got, "nothing to undo") {
		t.Errorf("%s", got)
	}
}

// TestSeats: others take over seats.
func TestSeats(t *testing.T) {
	g := open(t, "mnk-3x3k3", "")
	s, out, _ := session(g, "first", Human)
	got := told(t, s, out, "level z first", "level x nobody", "level x human", "level o first", "board")
	for _, want := range []string{"You play o, first plays x. Type", "x plays a3 (first: the first)\n", `seat "z": the seats are x, o`, "not known: nobody", "You play x and o.\n", "o plays b3 (first: the first)\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// Without people the game is played to its end.
	s, out, _ = session(g, "first", "first")
	if got := told(t, s, out, "quit"); !strings.HasSuffix(got, "x wins: first\n") {
		t.Errorf("%s", got)
	}
}

// TestSave: the file has all moves of the game, and no file is overwritten.
func TestSave(t *testing.T) {
	g := open(t, "halma-star37-2p", "house")
	name := filepath.Join(t.TempDir(), "game.txt")
	s, out, _ := session(g, Human, "first")
	s.Moves = []string{"b1-c4", "h1-g4"}
	got := told(t, s, out, "a1-c3", "save "+name, "save "+name, "resign", "save "+name+"2", "save")
	if strings.Count(got, "saved to "+name) != 2 || !strings.Contains(got, "is there already: choose another name") || !strings.Contains(got, "save: too few words") {
		t.Errorf("%s", got)
	}
	in, err := os.Open(name + "2")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	games, err := transcript.Read(in)
	if err != nil || len(games) != 1 || games[0].Result != "2" || games[0].Ending != "resigned" || len(games[0].Moves) != 4 || games[0].Seats[0].Player != Human {
		t.Fatalf("%+v, %v", games, err)
	}
	if again, err := games[0].Course(g); err != nil || again.State.String() != s.c.State.String() {
		t.Errorf("%v: the file leads to %s, the game to %s", err, again.State, s.c.State)
	}
}

// TestInterrupt: the end of the context ends a game that waits for a person, and a game in which a
// player thinks.
func TestInterrupt(t *testing.T) {
	g := open(t, "mnk-3x3k3", "")
	for _, seats := range [][]string{{Human, Human}, {"hangs", Human}} {
		ctx, cancel := context.WithCancel(t.Context())
		s, _, _ := session(g, seats...)
		s.Seat = func(context.Context, string, game.Game) (player.Player, error) { return hangs{}, nil }
		in, w := io.Pipe()
		done := make(chan error)
		go func() { done <- s.Play(ctx, in) }()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", seats, err)
		}
		w.Close()
	}
}

type hangs struct{ firstMove }

func (hangs) Close() error { return nil }
func (hangs) Move(ctx context.Context, s game.State, _ player.Clock) (player.Choice, error) {
	<-ctx.Done()
	return player.Choice{Move: s.Moves(nil)[0]}, nil
}

// silent is an analyst without answers.
type silent struct{}

func (silent) Game(string, string) (*explore.Game, error) { return nil, nil }
func (silent) Analyse(context.Context, explore.Query, func(*explore.Answer) error) error {
	return nil
}

// FuzzSession: whatever the input, a game goes on by the rules, and its moves taken back and made
// again lead to the same position.
func FuzzSession(f *testing.F) {
	f.Add("a1\nu\nhint now\nlevel x first\nresign\nundo\n3\nmoves\nboard\n?\n")
	f.Add("resign\nlevel x first") // no person has a seat
	f.Add("1\n1\n1\n1\n1\nundo\nundo\nsave\nlevel o human\n9\n")
	f.Fuzz(func(t *testing.T, said string) {
		for line := range strings.Lines(said) {
			if words := strings.Fields(line); len(words) == 2 && strings.HasPrefix("save", words[0]) {
				t.Skip("a file of any name would be written")
			}
		}
		g, err := mnk.ByID("mnk-3x4k3")
		if err != nil {
			t.Fatal(err)
		}
		s, _, _ := session(g, Human, "first")
		s.Analyst = silent{}
		if err := s.Play(t.Context(), strings.NewReader(said)); err != nil {
			t.Fatal(err)
		}
		here := s.c.State.String()
		made := slices.Clone(s.c.Path)
		for range made {
			s.c.Back()
		}
		if start := s.c.State.String(); start != "4.4.4" {
			t.Fatalf("%q: taken back to %s", said, start)
		}
		for _, m := range made {
			s.c.Play(m)
		}
		if s.c.State.String() != here {
			t.Fatalf("%q: %s, made again %s", said, here, s.c.State)
		}
	})
}
