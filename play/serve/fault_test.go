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
	"perfectplay/game/mnk"
	mnkwing "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/serve/web"
)

// faulty is tic-tac-toe with a fault when the first player holds the middle: panic, in Moves;
// make, a panic in Make; hang, Moves never returns; flood, too many moves to list.
type faulty struct {
	game.Game
	fault string
	end   chan struct{}
}

func (g faulty) ID() string        { return "faulty-" + g.fault }
func (g faulty) Start() game.State { return &faultyState{g.Game.Start().(mnk.Position), g} }
func (g faulty) Parse(text string) (game.State, error) {
	s, err := g.Game.Parse(text)
	if err != nil {
		return nil, err
	}
	return &faultyState{s.(mnk.Position), g}, nil
}

type faultyState struct {
	mnk.Position
	g faulty
}

func (s *faultyState) Clone() game.State {
	return &faultyState{s.Position.Clone().(mnk.Position), s.g}
}

func (s *faultyState) Make(m game.Move) {
	if s.g.fault == "make" && s.At(4) == 1 {
		panic("planted")
	}
	s.Position.Make(m)
}

func (s *faultyState) Moves(buf []game.Move) []game.Move {
	if s.At(4) == 1 {
		switch s.g.fault {
		case "panic":
			panic("planted")
		case "hang":
			<-s.g.end
		case "flood":
			return append(buf, slices.Repeat(s.Position.Moves(nil), 1<<18)...)
		}
	}
	return s.Position.Moves(buf)
}

// TestFaults: a game that panics, hangs or floods ends its own questions with 500 and its name;
// other games answer meanwhile.
func TestFaults(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	plain := must(mnk.ByID("mnk-3x3k3"))(t)
	w := wing.Wing{
		Name: "faulty", IDs: func() []string { return []string{"faulty-panic", "faulty-make", "faulty-hang", "faulty-flood"} },
		Open: func(id, _ string) (game.Game, error) {
			return faulty{plain, strings.TrimPrefix(id, "faulty-"), end}, nil
		},
	}
	service, err := explore.New(explore.Options{Wings: []wing.Wing{mnkwing.Wing(), w}, Threads: 2})
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
			"/position?position=start", "/position?position=3.1x1.3", "/move?position=3.1x1.o2&level=strongest&seconds=1", "/move?position=3.ox1.3&level=level-6", "/report?position=start&moves=b2,a1",
		} {
			all.Go(func() {
				if fault == "flood" && !strings.HasPrefix(path, "/position?position=3") {
					return // searching a flood is merely slow
				}
				if fault == "make" && strings.HasPrefix(path, "/report") {
					path = "/report?position=start&moves=b2,a1,c3"
				}
				status, body := get("faulty-" + fault + path)
				var p Problem
				if err := json.Unmarshal([]byte(body), &p); err != nil || status != http.StatusInternalServerError {
					t.Errorf("%s%s: %d %s", fault, path, status, body)
				}
				if fault != "flood" && (p.Where != "game" || !strings.Contains(p.Text, "faulty-"+fault)) {
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
