package game

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Fault is a panic of a game, or a broken promise, as an error.
type Fault struct {
	Game, Rules string
	Position    string // empty if the game could not tell
	Move        string // the move being made, read or named, if any
	Call, Line  string // the function that panicked, and the line of its file; empty without a panic
	Value       any    // value of the panic, or the broken promise
}

// Error names the game, the position, the move and the function that panicked.
func (f *Fault) Error() string {
	text := cmp.Or(f.Game, "the program")
	if f.Rules != "" {
		text += " under rules " + f.Rules
	}
	if f.Position != "" {
		text += " at " + f.Position
	}
	if f.Move != "" {
		text += ", move " + f.Move
	}
	value := strings.Join(strings.Fields(fmt.Sprint(f.Value)), " ") // the value in one line
	if f.Call == "" {
		return text + ": " + value
	}
	return fmt.Sprintf("%s: %s panics (%s): %s", text, f.Call, f.Line, value)
}

// Stuck is the fault of a position that has no moves and is not over.
func Stuck(g Game, s State) *Fault {
	return &Fault{Game: g.ID(), Rules: g.Rules(), Position: s.String(), Value: "no moves, and the game is not over"}
}

// Guard, deferred by a goroutine that calls a game, turns a panic into a [Fault] and stores it
// in err:
//
//	defer game.Guard(&err, g, s)
//
// s is the state that the goroutine plays on, or nil. Guard finds the position and the move by
// repeating calls on new states: first at the states that before returns, the goroutine's last
// sound positions; then at the position of s, where a move may be half made; then along random
// games. A panic with a Fault of another goroutine gives that Fault.
func Guard(err *error, g Game, s State, before ...func() State) {
	value := recover()
	if value == nil {
		return
	}
	if f, known := value.(*Fault); known {
		*err = f
		return
	}
	f := &Fault{Value: value}
	f.Call, f.Line = caller()
	found := make(chan *Fault, 1)
	go func() {
		defer func() {
			_ = recover() // a game that cannot even give its name
			close(found)
		}()
		t := &trial{f: *f}
		t.f.Game, t.f.Rules = g.ID(), g.Rules()
		for _, fresh := range append(before, func() State { return s }) {
			var at State
			if t.call(func() { at = fresh() }); at != nil && t.at(g, at) {
				found <- &t.f
				return
			}
		}
		last := t.f.Position
		if !t.walk(g) {
			t.f.Position, t.f.Move = last, ""
		}
		found <- &t.f
	}()
	select {
	case known, ok := <-found:
		if ok {
			f = known
		}
	case <-time.After(time.Second): // the panic may have left a lock closed
	}
	*err = f
}

// caller returns the function that panicked, and the line.
func caller() (call, line string) {
	var stack [32]uintptr
	for frames := runtime.CallersFrames(stack[:runtime.Callers(3, stack[:])]); ; {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, "runtime.") {
			return f.Function[strings.LastIndexByte(f.Function, '/')+1:], fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
}

type trial struct {
	f      Fault
	before func() bool // called before each call of the game, which it may forbid; or nil
}

// at repeats calls at the position of a state and after each of its moves, and reports whether
// one of them panicked like the first. Otherwise the fault has the position and no move.
func (t *trial) at(g Game, of State) bool {
	text := ""
	if t.call(func() { text = of.String() }) || text == "" {
		return false
	}
	t.f.Position = text
	var s State
	if t.call(func() {
		var err error
		if s, err = g.Parse(text); err != nil {
			s = of.Clone()
		}
	}) {
		return true
	}
	if s == nil {
		return false
	}
	var moves []Move
	if t.ask(g, s) || t.call(func() { moves = s.Moves(nil) }) {
		return true
	}
	for _, m := range moves {
		t.f.Move = fmt.Sprintf("number %d", m)
		if t.call(func() { t.f.Move = s.MoveString(m) }) || t.call(func() { s.Make(m) }) || t.ask(g, s) || t.call(s.Unmake) {
			return true
		}
	}
	t.f.Move = ""
	return false
}

// walked is the number of positions tried if the place of a panic is unknown.
const walked = 1 << 13

func (t *trial) walk(g Game) bool {
	rng := rand.New(rand.NewPCG(1, 3))
	for left := walked; left > 0; {
		s := g.Start()
		for ; left > 0; left-- {
			if t.at(g, s) {
				return true
			}
			var moves []Move
			if t.call(func() { moves = s.Moves(nil) }); len(moves) == 0 {
				left--
				break
			}
			t.call(func() { s.Make(moves[rng.IntN(len(moves))]) })
		}
	}
	return false
}

// stay is the number of seconds after which a call counts as endless.
const stay = 10

// Stays looks along random games for a position where a call of a game does not return, until the
// context ends. It returns this position, with the move that leads there, if any. ok is false if
// all calls return; otherwise a goroutine is left behind.
func Stays(ctx context.Context, g Game) (position string, ok bool) {
	var at atomic.Pointer[string]
	var calls atomic.Uint64
	done := make(chan struct{})
	go func() {
		defer close(done)
		t := &trial{}
		t.before = func() bool {
			where := t.f.Position
			if t.f.Move != "" {
				where += ", move " + t.f.Move
			}
			at.Store(&where)
			calls.Add(1)
			return ctx.Err() == nil
		}
		t.walk(g)
	}()
	watch := time.NewTicker(time.Second)
	defer watch.Stop()
	for ticks, last := 0, uint64(0); ticks < stay; { // ticks, not time: the process may be suspended
		select {
		case <-done:
			return "", false
		case <-watch.C:
			if ticks++; calls.Load() != last {
				ticks, last = 0, calls.Load()
			}
		}
	}
	return *at.Load(), true
}

// ask makes the calls of solvers and searches at a position.
func (t *trial) ask(g Game, s State) bool {
	calls := []func(){func() { s.Seat() }, func() { s.Result() }, func() { s.Moves(nil) }, func() { s.Clone() }}
	if k, ok := s.(Keyer); ok {
		calls = append(calls, func() { k.Key(make([]uint64, max(k.KeyWords(), 6))) })
	}
	if c, ok := s.(Counter); ok {
		calls = append(calls, func() { c.CountMoves() })
	}
	if by, ok := g.(Numberer); ok {
		calls = append(calls, func() { by.Number(s) })
	}
	if f, ok := s.(Follower); ok {
		calls = append(calls, func() { f.After(nil) })
	}
	if u, ok := s.(Unmover); ok {
		calls = append(calls, func() { u.Before(nil) })
	}
	if r, ok := s.(Racer); ok {
		calls = append(calls, func() {
			for seat := range g.Seats() {
				r.TurnsToWin(seat)
			}
		})
	}
	if e, ok := s.(Evaluator); ok {
		calls = append(calls, func() { e.Evaluate(s.Seat()) })
	}
	return slices.ContainsFunc(calls, t.call)
}

// call reports whether a call panics at the line of the first panic.
func (t *trial) call(do func()) (same bool) {
	if t.before != nil && !t.before() {
		return false
	}
	defer func() {
		if recover() != nil {
			call, line := caller()
			same = call == t.f.Call && line == t.f.Line
		}
	}()
	do()
	return false
}
