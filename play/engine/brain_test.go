package engine

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"perfectplay/play/player"
)

// quirk is a brain that puts stones on the first free cells, row by row, in its own way. It keeps
// its memory after its first START, through the whole conversation.
func quirk(how string) {
	in := bufio.NewScanner(os.Stdin)
	drop, started, known := 0, false, false
	taken := map[string]bool{}
	say := func(text string) {
		if how == "carriage returns" {
			fmt.Print("\r" + text + "\r\r")
			return
		}
		fmt.Println(text)
	}
	tell := func() {
		at := ""
		for i := 0; at == "" || taken[at]; i++ {
			at = fmt.Sprintf("%d,%d", i%9, i/9)
		}
		if how == "suggests" {
			say("SUGGEST " + at)
			return
		}
		taken[at] = true
		say(at)
		if how == "drops lines" {
			drop = 3
		}
		known = how == "forgets" && len(taken) < 5 // a forgetful brain soon knows only ABOUT
	}
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		if drop > 0 {
			drop--
			continue
		}
		switch {
		case word == "END":
			os.Exit(0)
		case word == "ABOUT" && how == "says nothing of itself":
		case word == "ABOUT" && how == "speaks of itself":
			say("MESSAGE hm")
			say("an old program")
		case word == "ABOUT":
			say(`name="quirk", version="1"`)
		case word == "START":
			if started && how == "starts once" {
				os.Exit(3)
			}
			started, taken = true, map[string]bool{}
			say("OK - ready")
		case word == "RESTART" && (how == "starts once" || how == "restarts not"):
			say("UNKNOWN")
		case word == "RESTART":
			taken = map[string]bool{}
			say("OK")
		case word == "TURN" && known:
			known = false
			say("UNKNOWN command")
		case word == "TURN":
			taken[rest] = true
			tell()
		case word == "BEGIN":
			tell()
		case word == "BOARD":
			if len(taken) > 0 {
				say("ERROR the board is not empty")
			}
			for in.Scan() && in.Text() != "DONE" {
				taken[in.Text()[:3]] = true
			}
			tell()
		case word == "PLAY":
			taken[rest] = true
			say(rest)
		}
	}
}

// TestQuirks: brains with habits that the protocol allows, or slow listeners, play a game to
// its end, from its beginning, from a position and after steps back.
func TestQuirks(t *testing.T) {
	for _, how := range []string{
		"none", "suggests", "drops lines", "forgets", "restarts not", "starts once", "carriage returns", "speaks of itself", "says nothing of itself",
	} {
		p, g, err := startBrain(t, "quirk "+how, "mnk-9x9k5")
		if err != nil {
			t.Errorf("%s: %v", how, err)
			continue
		}
		s := g.Start()
		ask := func() {
			t.Helper()
			want := s.Moves(nil)[0]
			c, err := p.Move(t.Context(), s, player.Clock{Time: time.Minute})
			if err != nil || c.Move != want {
				t.Fatalf("%s at %s: %v, %v; want %s", how, s, c, err, s.MoveString(want))
			}
			s.Make(c.Move)
		}
		last := func() {
			moves := s.Moves(nil)
			s.Make(moves[len(moves)-1])
		}
		for range 3 {
			ask()
			last()
		}
		for range 4 { // back, and on with the other side
			s.Unmake()
		}
		ask()
		last()
		ask()
		if s, err = g.Parse("9.9.9.9.9.9.4x4.4o4.9"); err != nil {
			t.Fatal(err)
		}
		ask()
		if err := p.Close(); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}
