//go:build js && wasm

// Command wasm is the service of package explore in a browser. It waits in a Web
// Worker for calls of
//
//	perfectplay(method, query, reply)
//
// in JavaScript: query is JSON as explore.Query, and reply is called with a kind
// (report, done or problem) and JSON, the last time with done or problem. The call
// returns a function that ends it, and must not be called after the last reply.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
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
	js.Global().Set("perfectplay", js.FuncOf(func(_ js.Value, args []js.Value) any {
		method, query, reply := args[0].String(), args[1].String(), args[2]
		ctx, cancel := context.WithCancel(context.Background())
		stop := js.FuncOf(func(js.Value, []js.Value) any {
			cancel()
			return nil
		})
		go func() {
			defer stop.Release()
			defer cancel()
			answer(ctx, service, method, query, func(kind string, v any) {
				text, err := json.Marshal(v)
				if err != nil {
					panic(err) // answers always encode
				}
				reply.Invoke(kind, string(text))
			})
		}()
		return stop
	}))
	select {}
}

type problem struct {
	Error string `json:"error"`
	Where string `json:"where"`
	Given string `json:"given,omitempty"`
	Index *int   `json:"index"`
}

func answer(ctx context.Context, e explore.Explorer, method, text string, reply func(kind string, v any)) {
	var q question
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		reply("problem", problem{Error: err.Error(), Where: "query"})
		return
	}
	result, err := call(ctx, e, method, q, func(a any) error {
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

func call(ctx context.Context, e explore.Explorer, method string, q question, report func(any) error) (any, error) {
	switch method {
	case "games":
		return map[string]any{"families": e.Games()}, nil
	case "game":
		return e.Game(q.Game, q.Rules)
	case "legal":
		return e.Position(q.Query)
	case "position":
		return e.Ask(ctx, q.Query)
	case "move":
		return player.Play(ctx, e, q.Level, q.Query, rand.Uint64(), 1)
	case "setup":
		text, err := e.Compose(q.Game, q.Rules, q.Picture, q.Seat)
		return map[string]string{"position": text}, err
	case "report":
		return judge.NewReport(ctx, e, q.Query)
	case "outlook":
		return struct{}{}, player.Look(ctx, e, q.Query, 1, func(o *player.Outlook) error { return report(o) })
	case "hidden":
		return e.Hidden(ctx, explore.HiddenQuery{Game: q.Game, Deal: q.Deal, Seat: q.Seat, Player: q.Player, Moves: q.Moves})
	case "analysis":
		var why string
		err := e.Analyse(ctx, q.Query, func(a *explore.Answer) error {
			if a.Progress != nil {
				why = a.Progress.Why
			}
			return report(a)
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
		return map[string]string{"why": why}, nil
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
