package app

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"time"

	"perfectplay/app/family"
	"perfectplay/game/gametest/stranger"
	"perfectplay/game/wing"
)

// strangers is a program with heaps of 21 stones; its wing does not give their size. One is
// sound. Two have a fault in Moves at 13 stones left: a panic, or no return before end is
// closed.
func strangers(t *testing.T, end chan struct{}) *family.App {
	t.Helper()
	good := stranger.Heap{Name: "good", Stones: 21, Most: 3, Keys: true}
	panics, hangs := good, good
	panics.Name, hangs.Name = "panic", "hang"
	panics.On = func(method string, left int) {
		if method == "Moves" && left == 13 {
			panic("planted")
		}
	}
	hangs.On = func(method string, left int) {
		if method == "Moves" && left == 13 {
			<-end
		}
	}
	round := good
	round.Name, round.Stones, round.Moved = "round", 4, func(left int) int { return cmp.Or(left, 4) } // an empty heap gets four new stones, so the game never ends
	list, err := withDefaults([]family.Family{{Wing: stranger.Wing(good, panics, hangs, round)}})
	if err != nil {
		t.Fatal(err)
	}
	return newApp(list...)
}

// TestStrangerIsSolvedEverywhere: strong, probe, analyse, search, info, match, play and HTTP
// solve a small game whose wing does not give its size.
func TestStrangerIsSolvedEverywhere(t *testing.T) {
	a := strangers(t, nil)
	for _, c := range []struct{ command, want string }{
		{"strong heap-good", "win in 11"},
		{"info heap-good", "all positions solved, in memory: see solve analyse"},
		{"probe heap-good start", "win in 11 (all positions solved, in memory)"},
		{"analyse heap-good", "A wins in 11 plies (all positions solved, in memory)"},
		{"search heap-good", "seat A forces a win in 11 plies"},
		{"search heap-round", "draw, however long the game"},
		{"match heap-good perfect random --pairs 1 --time 100ms", "perfect"},
	} {
		if out, _, err := says(t.Context(), a, "", strings.Fields(c.command)...); err != nil || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v: want %q in\n%s", c.command, err, c.want, out)
		}
	}
	service, address := served(t, a)
	if g, err := service.Game("heap-good", ""); err != nil || !g.Solved || g.Source.Kind != wing.BySolution {
		t.Errorf("%+v, %v", g, err)
	}
	if out := string(fetch(t, address+"/api/v1/games/heap-good")); !strings.Contains(out, `"solved":true`) {
		t.Error(out)
	}
	if out := string(fetch(t, address+"/api/v1/games/heap-good/move?position=start&level=perfect")); !strings.Contains(out, `"move":"1"`) {
		t.Error(out)
	}
}

// TestStrangerContradicts: probe and analyse search a game that the solver of all positions
// refuses, and name its contradiction on standard error.
func TestStrangerContradicts(t *testing.T) {
	alike := stranger.Heap{Name: "alike", Stones: 21, Most: 3, Keys: true, KeyOf: func(left int) uint64 { return uint64(left / 2) }}
	list, err := withDefaults([]family.Family{{Wing: stranger.Wing(alike)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"probe heap-alike start", "analyse heap-alike --limit 3"} {
		_, complaints, err := says(t.Context(), newApp(list...), "", strings.Fields(command)...)
		if err != nil || !strings.Contains(complaints, "so a search answers: retro: heap-alike: positions ") {
			t.Errorf("%s: %v, %q", command, err, complaints)
		}
	}
}

// TestStrangerCompletes: where a game is at fault a completion offers nothing, at the first signal.
func TestStrangerCompletes(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	a := strangers(t, end)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Second, cancel)
	for _, c := range []struct {
		ctx        context.Context
		game, want string
	}{{t.Context(), "good", "1\n2\n3\n:"}, {t.Context(), "panic", ":1\n"}, {ctx, "hang", ":1\n"}} {
		if out, _, err := says(c.ctx, a, "", "__complete", "search", "heap-"+c.game, "--position", "13.B", "--moves", ""); err != nil || !strings.HasPrefix(out, c.want) {
			t.Errorf("%s: %v, offers %q", c.game, err, out)
		}
	}
}
