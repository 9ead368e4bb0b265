//go:build js && wasm

// Command wasm is the service of package explore in a browser. It waits in a Web
// Worker for calls of
//
//	perfectplay(id, method, query, reply)
//
// in JavaScript: query is JSON as explore.Query, and reply is called with a kind
// (report, done or problem) and JSON, the last time with done or problem. The
// method cancel ends the call of that id.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"syscall/js"
	"time"

	domino "perfectplay/game/domino/oracle"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/judge"
	"perfectplay/play/player"
)

// memory is the memory of the service: browsers give a page a few gigabytes at most, and phones
// less.
const memory = 768 << 20

func main() {
	service, err := explore.New(explore.Options{
		Wings: []wing.Wing{halma.Wing(), mnk.Wing(), domino.Wing()}, Memory: memory, Threads: 1,
	})
	if err != nil {
		panic(err)
	}
	w := worker{service: service, running: map[int]context.CancelFunc{}}
	js.Global().Set("perfectplay", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, method := args[0].Int(), args[1].String()
		if method == "cancel" {
			w.cancel(id)
			return nil
		}
		query, reply := args[2].String(), args[3]
		ctx, cancel := context.WithCancel(context.Background())
		w.mu.Lock()
		w.running[id] = cancel
		w.mu.Unlock()
		go func() {
			defer w.cancel(id)
			w.answer(ctx, method, query, func(kind string, v any) {
				text, err := json.Marshal(v)
				if err != nil {
					panic(err) // answers always encode
				}
				reply.Invoke(kind, string(text))
			})
		}()
		return nil
	}))
	select {}
}

// worker answers the calls of a page.
type worker struct {
	service explore.Explorer
	mu      sync.Mutex
	running map[int]context.CancelFunc
}

func (w *worker) cancel(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stop, ok := w.running[id]; ok {
		stop()
		delete(w.running, id)
	}
}

// families is the answer to method games, as in the HTTP API.
type families struct {
	Families []explore.Family `json:"families"`
}

// ended is the last answer to method analysis.
type ended struct {
	Why string `json:"why"`
}

type problem struct {
	Error string `json:"error"`
	Where string `json:"where"`
	Given string `json:"given,omitempty"`
	Index *int   `json:"index"`
}

func (w *worker) answer(ctx context.Context, method, text string, reply func(kind string, v any)) {
	var q question
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		reply("problem", problem{Error: err.Error(), Where: "query"})
		return
	}
	result, err := w.call(ctx, method, q, func(a any) error {
		reply("report", a)
		// JavaScript delivers its messages, a cancel among them, only while all goroutines
		// wait.
		time.Sleep(time.Millisecond)
		return ctx.Err()
	})
	if err != nil {
		reply("problem", newProblem(err))
		return
	}
	reply("done", result)
}

// question is a query of the page and a player's level, or asks about a deal with hidden
// hands.
type question struct {
	explore.Query
	Level string `json:"level"`
	// For a deal with hidden hands, beside game and moves.
	Deal   uint64 `json:"deal,string"`
	Seat   string `json:"seat"`
	Player string `json:"player"`
	// For a position being set up, beside game, rules and seat.
	Picture wing.Picture `json:"picture"`
}

func (w *worker) call(ctx context.Context, method string, q question, report func(any) error) (any, error) {
	switch method {
	case "games":
		return families{w.service.Games()}, nil
	case "game":
		return w.service.Game(q.Game, q.Rules)
	case "legal":
		return w.service.Position(q.Query)
	case "position":
		return w.service.Ask(ctx, q.Query)
	case "move":
		return player.Play(ctx, w.service, q.Level, q.Query, rand.Uint64(), 1)
	case "setup":
		text, err := w.service.Compose(q.Game, q.Rules, q.Picture, q.Seat)
		return map[string]string{"position": text}, err
	case "report":
		return judge.NewReport(ctx, w.service, q.Query)
	case "outlook":
		return struct{}{}, player.Look(ctx, w.service, q.Query, 1, func(o *player.Outlook) error { return report(o) })
	case "hidden":
		return w.service.Hidden(ctx, explore.HiddenQuery{Game: q.Game, Deal: q.Deal, Seat: q.Seat, Player: q.Player, Moves: q.Moves})
	case "analysis":
		var why string
		err := w.service.Analyse(ctx, q.Query, func(a *explore.Answer) error {
			if a.Progress != nil {
				why = a.Progress.Why
			}
			return report(a)
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
		return ended{why}, nil
	}
	return nil, errors.New("no such method: " + method)
}

func newProblem(err error) problem {
	p := problem{Error: err.Error(), Where: "server"}
	var e *explore.Error
	if errors.As(err, &e) {
		p.Where, p.Given = string(e.Fault), e.Given
		if e.Fault == explore.BadMove {
			p.Where, p.Index = "moves", &e.Index
		}
	}
	return p
}
