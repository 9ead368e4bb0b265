package main

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/serve"
	"perfectplay/play/serve/web"
)

// TestPage: the service gives the page all data to open on this game and to play it.
func TestPage(t *testing.T) {
	service, err := explore.New(explore.Options{Wings: []wing.Wing{teeko()}, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	s, err := serve.New(serve.Options{Explorer: service, Page: web.Files(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string, to any) {
		t.Helper()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
		if err := json.Unmarshal(w.Body.Bytes(), to); w.Code != 200 || err != nil {
			t.Fatalf("%s: %d %v: %s", path, w.Code, err, w.Body)
		}
	}
	var games struct {
		Families []struct{ Title, First string }
	}
	if get("/api/v1/games", &games); len(games.Families) != 1 || games.Families[0].Title != "Teeko" || games.Families[0].First != "teeko-standard" {
		t.Errorf("the page opens on %+v", games)
	}
	var about struct{ Board wing.Board }
	if get("/api/v1/games/teeko-standard", &about); len(about.Board.Cells) != 25 || about.Board.Seats[1].Sign != wing.Ring {
		t.Errorf("the board is %+v", about.Board)
	}
	// A move that puts a piece down has one cell. Once all eight pieces are down a move has two.
	for moves, cells := range map[string]int{"": 1, "a1,b1,a2,b2,a4,b4,c3,c4": 2} {
		var answer struct {
			Moves []struct{ Path []int }
		}
		if get("/api/v1/games/teeko-standard/legal?moves="+moves, &answer); len(answer.Moves) == 0 || len(answer.Moves[0].Path) != cells {
			t.Errorf("after %q a move has the cells %v, want %d", moves, answer.Moves, cells)
		}
	}
}
