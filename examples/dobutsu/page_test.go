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

// TestPage: the service gives the page the cells of all pieces, hands included. A piece from the hand
// moves from its cell there to its target.
func TestPage(t *testing.T) {
	service, err := explore.New(explore.Options{Wings: []wing.Wing{dobutsu()}, Threads: 1})
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
	if get("/api/v1/games", &games); len(games.Families) != 1 || games.Families[0].First != "dobutsu-standard" {
		t.Errorf("the page opens on %+v", games)
	}
	var about struct{ Board wing.Board }
	if get("/api/v1/games/dobutsu-standard", &about); len(about.Board.Cells) != cells+6 {
		t.Errorf("the board is %+v", about.Board)
	}
	index := map[string]int{}
	for i, c := range about.Board.Cells {
		index[c.Name] = i
	}
	// Both have taken a chick; the first player puts it back.
	var answer struct {
		Position string
		Picture  wing.Picture
		Moves    []struct {
			Move string
			Path []int
		}
	}
	get("/api/v1/games/dobutsu-standard/legal?moves=b3-b2,c1-b2", &answer)
	p := answer.Picture
	for cell, want := range map[string]string{"b1": "l", "b2": "e", "b4": "L", "c5": "C", "c0": "c", "a5": "", "b3": ""} {
		i := index[cell]
		if seat := map[string]int{"l": 1, "e": 1, "c": 1, "L": 0, "C": 0, "": -1}[want]; p.Kinds[i] != want || p.Pieces[i] != seat {
			t.Errorf("%s: %s holds %q of %d, want %q", answer.Position, cell, p.Kinds[i], p.Pieces[i], want)
		}
	}
	for _, m := range answer.Moves {
		if m.Move == "C*b3" && len(m.Path) == 2 && m.Path[0] == index["c5"] && m.Path[1] == index["b3"] {
			return
		}
	}
	t.Errorf("no chick is put from c5 to b3 among %v", answer.Moves)
}
