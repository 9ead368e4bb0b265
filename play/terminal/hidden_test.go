package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// hidden returns a deal at a terminal and its output.
func hidden(t *testing.T, deal uint64, seat, player string) (*Hidden, *bytes.Buffer) {
	t.Helper()
	s, err := explore.New(explore.Options{Wings: []wing.Wing{oracle.Wing()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	var out bytes.Buffer
	return &Hidden{
		Query: explore.HiddenQuery{Game: "domino", Deal: deal, Seat: seat, Player: player},
		Ask:   s.Hidden, Seats: []string{"starter", "second"}, Intro: "domino.", Out: &out,
	}, &out
}

// TestHidden plays deals from either seat: the end and the review come, and no earlier text
// names a tile of the other seat that is not on the table.
func TestHidden(t *testing.T) {
	tile := regexp.MustCompile(`[0-6]\|[0-6]`)
	passes, advised := 0, 0
	for deal := range uint64(8) {
		seat := []string{"starter", "second"}[deal%2]
		h, out := hidden(t, deal, seat, "greedy")
		if err := h.Play(t.Context(), strings.NewReader(strings.Repeat("moves\nadvice\n1\n", 14))); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		before, after, ok := strings.Cut(got, "With all hands open:\n")
		after, rest, hidden := strings.Cut(after, "\nWith hands hidden, an equilibrium of the rest (probability, mean score):\n")
		if hidden {
			advised += strings.Count(rest, "%")
			after += rest[strings.LastIndex(rest, "Given away"):]
		}
		if !ok || strings.Count(after, "\n") != len(h.Query.Moves)+1 || !strings.Contains(after, "Given away against perfect play: starter (") {
			t.Fatalf("deal %d: %d moves, then\n%s", deal, len(h.Query.Moves), got)
		}
		passes += strings.Count(before, "passes\n")
		g := domino.Default()
		s, err := g.Parse(h.a.Position)
		if err != nil {
			t.Fatal(err)
		}
		other := s.(interface{ At() domino.Position }).At().Hands[1-deal%2]
		for _, m := range h.Query.Moves { // texts may name tiles that the other seat has played
			mv, err := s.ParseMove(m)
			if err != nil {
				t.Fatal(err)
			}
			if s.Seat() != int(deal%2) && m != "pass" {
				other = other.Without(domino.Move(mv).Tile())
			}
			s.Make(mv)
		}
		if shown := strings.LastIndex(before, "> "); shown >= 0 { // the texts after the last prompt show both hands
			before = before[:shown]
		}
		back := regexp.MustCompile(`(?m)^` + h.Seats[1-deal%2] + `  .*$`)
		for _, line := range back.FindAllString(before, -1) {
			if tile.MatchString(line) {
				t.Errorf("deal %d: the other hand is shown: %s", deal, line)
			}
		}
		for _, text := range tile.FindAllString(before, -1) {
			if x, err := domino.ParseTile(text); err != nil || other.Has(x) {
				t.Errorf("deal %d: %s is on the other hand and was shown:\n%s", deal, text, got)
			}
		}
	}
	if advised == 0 {
		t.Error("nothing was said of hidden hands")
	}
	if passes == 0 {
		t.Error("nobody passed")
	}
}

// TestHiddenWords: the commands besides moves answer in sentences.
func TestHiddenWords(t *testing.T) {
	h, out := hidden(t, 7, "starter", "candidates")
	const said = "help\nm\nboard\n\n5|5 6|6\nmoves now\n0|6\n2\nhint\nundo\nsave x\nvalues\n1\nquit\n1\n"
	if err := h.Play(t.Context(), strings.NewReader(said)); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{
		"domino. You play starter and see your own hand; candidates plays the other. Type help for the commands.\nstarter  0|0 0|4 0|5 1|6 2|3 3|3 5|5\nrow      empty\nsecond   ?|? ?|? ?|? ?|? ?|? ?|? ?|?\n",
		hiddenHelp,
		"starter> 1  5|5\n",
		`"5|5 6|6" is neither a move nor a command; help lists the commands`,
		"moves: too many words; help lists the commands",
		`"0|6" is not legal here; help lists the commands`,
		"there are moves 1 to 1, no move 2; help lists the commands",
		"hint is for open hands; help lists the commands",
		"undo is for open hands",
		"save is for open hands",
		"values is for open hands",
		"second plays ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "With all hands open") || len(h.Query.Moves) != 2 {
		t.Errorf("it went on after quit: %v\n%s", h.Query.Moves, got)
	}
}

// TestHiddenEnds: the input or the context may end in the middle, and a failed question is an
// error.
func TestHiddenEnds(t *testing.T) {
	h, out := hidden(t, 1, "second", "greedy")
	if err := h.Play(t.Context(), strings.NewReader("")); err != nil || !strings.HasSuffix(out.String(), "second> \n") {
		t.Errorf("%v, %q", err, out)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	broken := errors.New("broken")
	cancel(broken)
	h, _ = hidden(t, 1, "second", "greedy")
	if err := h.Play(ctx, strings.NewReader("1\n")); !errors.Is(err, broken) && !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	h, _ = hidden(t, 1, "third", "greedy")
	if err := h.Play(t.Context(), strings.NewReader("1\n")); err == nil || !strings.Contains(err.Error(), "the seats are starter, second") {
		t.Errorf("a seat that there is none of: %v", err)
	}
	h, _ = hidden(t, 1, "starter", "greedy")
	if err := h.Play(t.Context(), failing{}); err == nil || !strings.Contains(err.Error(), "no terminal") {
		t.Errorf("an input that fails: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, fmt.Errorf("no terminal") }
