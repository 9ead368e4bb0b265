package app

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"perfectplay/app/explore"
	"perfectplay/app/family"
	"perfectplay/app/serve"
	"perfectplay/app/serve/web"
	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
)

// pile is a game of a stranger who says as little as possible: two players take one to three of 21
// stones, the last one wins, and positions have keys. Where 13 are left and B is to move a fault
// may be planted: panic, in Moves, or hang, Moves that does not return before end is closed.
type pile struct {
	fault string
	end   chan struct{}
}

const pileStones = 21

func (g pile) ID() string             { return "pile-" + g.fault }
func (pile) Rules() string            { return "" }
func (pile) Seats() int               { return 2 }
func (pile) SeatName(seat int) string { return string(rune('A' + seat)) }
func (g pile) Start() game.State      { return &pileState{g: g, left: pileStones} }
func (g pile) Parse(text string) (game.State, error) {
	left, seat, ok := strings.Cut(text, "-")
	n, err := strconv.Atoi(left)
	if !ok || err != nil || n > pileStones || seat != "A" && seat != "B" {
		return nil, fmt.Errorf("pile: position %q: want 0-A to %d-B", text, pileStones)
	}
	return &pileState{g: g, left: n, seat: int(seat[0] - 'A')}, nil
}

type pileState struct {
	g          pile
	left, seat int
	taken      []int
}

func (s *pileState) Seat() int { return s.seat }
func (s *pileState) Result() game.Result {
	if s.left == 0 {
		return game.Result(1 - s.seat)
	}
	return game.Ongoing
}

func (s *pileState) Moves(buf []game.Move) []game.Move {
	if s.left == 13 && s.seat == 1 {
		switch s.g.fault {
		case "panic":
			panic("planted")
		case "hang":
			<-s.g.end
		}
	}
	for n := 1; n <= min(3, s.left); n++ {
		buf = append(buf, game.Move(n))
	}
	return buf
}

func (s *pileState) Make(m game.Move) {
	s.left, s.seat, s.taken = s.left-int(m), 1-s.seat, append(s.taken, int(m))
}

func (s *pileState) Unmake() {
	last := len(s.taken) - 1
	s.left, s.seat, s.taken = s.left+s.taken[last], 1-s.seat, s.taken[:last]
}

func (s *pileState) Clone() game.State                      { return &pileState{g: s.g, left: s.left, seat: s.seat} }
func (s *pileState) String() string                         { return fmt.Sprintf("%d-%s", s.left, s.g.SeatName(s.seat)) }
func (s *pileState) MoveString(m game.Move) string          { return strconv.Itoa(int(m)) }
func (s *pileState) KeyWords() int                          { return 1 }
func (s *pileState) Key(dst []uint64) uint8                 { dst[0] = uint64(2*s.left + s.seat); return 0 }
func (*pileState) Canonical(m game.Move, _ uint8) game.Move { return m }
func (*pileState) Actual(m game.Move, _ uint8) game.Move    { return m }
func (s *pileState) ParseMove(text string) (game.Move, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > min(3, s.left) {
		return 0, fmt.Errorf("pile: move %q: want 1 to %d", text, min(3, s.left))
	}
	return game.Move(n), nil
}

// piles is the family of the game, with its faults.
func piles(end chan struct{}) family.Family {
	return family.Family{Wing: wing.Wing{
		Name: "pile", IDs: func() []string { return []string{"pile-good", "pile-panic", "pile-hang"} },
		Open: func(id, _ string) (game.Game, error) { return pile{strings.TrimPrefix(id, "pile-"), end}, nil },
	}}
}

// strangers is a program with this game.
func strangers(t *testing.T, end chan struct{}) *family.App {
	t.Helper()
	list, err := withDefaults([]family.Family{piles(end)})
	if err != nil {
		t.Fatal(err)
	}
	return newApp(list...)
}

// says runs a command of a program.
func says(ctx context.Context, a *family.App, words ...string) (out string, err error) {
	root := newRoot(a)
	var text, complaints bytes.Buffer
	root.SetArgs(words)
	root.SetOut(&text)
	root.SetErr(&complaints)
	root.SilenceErrors, root.SilenceUsage = true, true
	err = root.ExecuteContext(ctx)
	return text.String(), err
}

// TestStrangerIsSolvedEverywhere: a small game whose wing says nothing of its size is solved in
// strong, probe, analyse, search, info, match, play, and over HTTP.
func TestStrangerIsSolvedEverywhere(t *testing.T) {
	a := strangers(t, nil)
	for _, c := range []struct{ command, want string }{
		{"strong pile-good", "win in 11"},
		{"info pile-good", "all positions solved, in memory: see solve analyse"},
		{"probe --game pile-good start", "win in 11 (all positions solved, in memory)"},
		{"analyse pile-good", "A wins in 11 plies (all positions solved, in memory)"},
		{"search pile-good", "seat A forces a win in 11 plies"},
		{"match pile-good perfect random --pairs 1 --time 100ms", "perfect"},
	} {
		if out, err := says(t.Context(), a, strings.Fields(c.command)...); err != nil || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v: want %q in\n%s", c.command, err, c.want, out)
		}
	}
	service, err := explore.New(explore.Options{Wings: a.Wings()})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	if g, err := service.Game("pile-good", ""); err != nil || !g.Solved || g.Source.Kind != wing.BySolution {
		t.Errorf("%+v, %v", g, err)
	}
	s, err := serve.New(serve.Options{Explorer: service, Page: web.Files(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	if out := string(fetch(t, server.URL+"/api/v1/games/pile-good")); !strings.Contains(out, `"solved":true`) {
		t.Error(out)
	}
	if out := string(fetch(t, server.URL+"/api/v1/games/pile-good/move?position=start&level=perfect")); !strings.Contains(out, `"move":"1"`) {
		t.Error(out)
	}
}

// TestStrangerPanics: a panic of a game ends a command with exit code 1 and one line that names
// game, position and function.
func TestStrangerPanics(t *testing.T) {
	a := strangers(t, nil)
	for _, command := range []string{
		"strong pile-panic", "search pile-panic", "search pile-panic --limit 20 --threads 2", "probe --game pile-panic start", "probe --game pile-panic 13-B",
		"analyse pile-panic", "analyse pile-panic --limit 20 --time 30s", "search pile-panic --position 13-B",
	} {
		_, err := says(t.Context(), a, strings.Fields(command)...)
		if err == nil || cli.Code(err) != cli.ExitFailed || !strings.Contains(err.Error(), "pile-panic at ") || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), "Moves") || !strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// TestStrangerHangs: a game that does not return ends its commands by itself, or with the first
// signal.
func TestStrangerHangs(t *testing.T) {
	if testing.Short() {
		t.Skip("waits as long as the commands do")
	}
	t.Parallel()
	end := make(chan struct{})
	var wait sync.WaitGroup
	wait.Add(4)
	go func() {
		wait.Wait()
		close(end)
	}()
	for _, command := range []string{"probe --game pile-hang start", "analyse pile-hang --position 13-B", "search pile-hang", "search pile-hang --position 13-B"} {
		t.Run(command, func(t *testing.T) {
			defer wait.Done()
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			if _, err := says(ctx, strangers(t, end), strings.Fields(command)...); err == nil {
				t.Error("no error")
			}
		})
	}
}
