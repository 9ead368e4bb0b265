package serve

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest/stranger"
	mnkwing "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/serve/web"
)

// TestFaults: a game that panics, hangs or floods ends its own questions with 500 and its name;
// other games answer meanwhile. The faults are at eight stones.
func TestFaults(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	at := func(method string, do func()) func(string, int) {
		return func(m string, left int) {
			if m == method && left == 8 {
				do()
			}
		}
	}
	heap := stranger.Heap{Stones: 12, Most: 3, Keys: true}
	panics, makes, hangs, floods := heap, heap, heap, heap
	panics.Name, panics.On = "panic", at("Moves", func() { panic("planted") })
	makes.Name, makes.On = "make", at("Make", func() { panic("planted") })
	hangs.Name, hangs.On = "hang", at("Moves", func() { <-end })
	floods.Name, floods.List = "flood", func(left int, moves []game.Move) []game.Move {
		if left == 8 {
			return slices.Repeat(moves, 1<<20)
		}
		return moves
	}
	service, err := explore.New(explore.Options{Wings: []wing.Wing{mnkwing.Wing(), stranger.Wing(panics, makes, hangs, floods)}, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	defer close(end)
	s, err := New(Options{Explorer: service, Page: web.Files(), Version: "test", Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	get := func(path string) (int, string) {
		r, err := http.Get(server.URL + "/api/v1/games/" + path)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		return r.StatusCode, string(body)
	}
	var all sync.WaitGroup
	faults := []string{"panic", "make", "flood"}
	if !testing.Short() {
		faults = append(faults, "hang") // hang takes long: the service waits before it gives the game up
	}
	for _, fault := range faults {
		for _, path := range []string{
			"/position?position=start", "/position?position=8.A", "/move?position=9.B&level=strongest&seconds=1", "/move?position=9.A&level=level-6", "/report?position=start&moves=2,2",
		} {
			all.Go(func() {
				if fault == "flood" && !strings.HasPrefix(path, "/position?position=8") {
					return // searching a flood is merely slow
				}
				if fault == "make" && strings.HasPrefix(path, "/report") {
					path = "/report?position=start&moves=2,2,1"
				}
				status, body := get("heap-" + fault + path)
				var p Problem
				if err := json.Unmarshal([]byte(body), &p); err != nil || status != http.StatusInternalServerError {
					t.Errorf("%s%s: %d %s", fault, path, status, body)
				}
				if fault != "flood" && (p.Where != "game" || !strings.Contains(p.Text, "heap-"+fault)) {
					t.Errorf("%s%s: %s", fault, path, body)
				}
			})
		}
	}
	for range 20 {
		if status, body := get("mnk-3x3k3/position?position=start"); status != http.StatusOK || !strings.Contains(body, `"draw"`) {
			t.Errorf("another game: %d %.200s", status, body)
		}
	}
	all.Wait()
	if status, body := get("mnk-5x5k4/position?position=5.1oo2.1xxx1.2o2.5"); status != http.StatusOK || !strings.Contains(body, `"win"`) {
		t.Errorf("another game afterwards: %d %.200s", status, body)
	}
}
