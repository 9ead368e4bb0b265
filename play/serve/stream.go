package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"perfectplay/play/explore"
	"perfectplay/play/player"
)

// streamed returns a handler that answers a query of at most the given seconds by a stream of
// events. hold waits for what the stream needs, until free releases it. run sends the events, and
// returns the reason of the end. The client stops it by closing the connection; the end of the
// server stops it too.
func (s *Server) streamed(most float64, hold func(context.Context, *explore.Query) (free func(), err error),
	run func(context.Context, explore.Query, *events) (why string, err error)) handler {
	return func(w *response, r *http.Request) error {
		q, _, err := query(r, most, "limit", "seconds")
		if err != nil {
			return err
		}
		if r.Header.Get("Last-Event-ID") == lastEvent {
			w.WriteHeader(http.StatusNoContent) // a browser that returns after the end
			return nil
		}
		if !s.streams.TryAcquire(1) {
			return busy("%d streams are under way: this server has no more", s.bounds.streams)
		}
		defer s.streams.Release(1)
		free, err := hold(r.Context(), &q)
		if err != nil {
			return err
		}
		defer free()
		if r.Method == http.MethodHead {
			w.Header().Set("Content-Type", "text/event-stream")
			return nil
		}
		events := &events{w: w}
		why, err := run(r.Context(), q, events)
		switch {
		case events.broken != nil:
			return nil // nobody reads
		case err == nil:
		case events.sent == 0:
			return err
		default:
			p := problemOf(err)
			if p == nil {
				s.o.Log.Printf("stream of %s: %v", shown(q.Game), err)
				p = failed()
			}
			_ = events.send("problem", p)
			why = p.Text
		}
		_ = events.send("end", map[string]string{"why": why})
		return nil
	}
}

// holdAnalysis refuses an analysis of a large board if there are enough of them.
func (s *Server) holdAnalysis(ctx context.Context, q *explore.Query) (free func(), err error) {
	size, err := s.size(ctx, *q)
	if err != nil || size < largeAnswer {
		return func() {}, err
	}
	if !s.large.TryAcquire(1) {
		return nil, busy("%d analyses of boards as large as this are under way: this server has no more", largeStreams)
	}
	return func() { s.large.Release(1) }, nil
}

// analyse sends the growing answer about a position.
func (s *Server) analyse(ctx context.Context, q explore.Query, e *events) (why string, err error) {
	err = s.o.Explorer.Analyse(ctx, q, func(a *explore.Answer) error {
		if a.Progress != nil {
			why = a.Progress.Why
		}
		return e.send("answer", a)
	})
	return why, err
}

// holdOutlook waits for room.
func (s *Server) holdOutlook(ctx context.Context, q *explore.Query) (free func(), err error) {
	if q.Seconds == 0 {
		q.Seconds = player.LookTime.Seconds() // a limit of plies alone would not bound the time
	}
	return s.reserve(ctx, *q)
}

// look sends the strongest player's view of an undecided position.
func (s *Server) look(ctx context.Context, q explore.Query, e *events) (why string, err error) {
	if err := s.looks.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer s.looks.Release(1)
	more, leave := s.idle()
	defer leave()
	return "", player.Look(ctx, s.o.Explorer, q, 1+more, func(o *player.Outlook) error { return e.send("outlook", o) })
}

// idle takes the unused threads of outlooks for one more outlook, which then has at most
// [Options.Threads], its own thread included.
func (s *Server) idle() (n int, free func()) {
	for n+1 < s.o.Threads && s.looks.TryAcquire(1) {
		n++
	}
	return n, func() { s.looks.Release(int64(n)) }
}

// lastEvent is the id of the event that ends a stream.
const lastEvent = "end"

// events is a stream of server-sent events.
type events struct {
	w      *response
	sent   int
	broken error // error of the first event that could not be sent
}

// send writes an event with a value as its data.
func (e *events) send(name string, v any) error {
	if e.broken != nil {
		return e.broken
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if e.sent == 0 {
		h := e.w.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", string(never))
		h.Set("X-Accel-Buffering", "no") // proxies would buffer events
	}
	e.sent++
	id := strconv.Itoa(e.sent)
	if name == lastEvent {
		id = lastEvent
	}
	e.w.begin()
	e.w.deadline(0)
	if _, e.broken = fmt.Fprintf(e.w, "id: %s\nevent: %s\ndata: %s\n\n", id, name, data); e.broken == nil {
		e.broken = http.NewResponseController(e.w.ResponseWriter).Flush()
	}
	return e.broken
}
