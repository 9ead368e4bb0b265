package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"perfectplay/play/explore"
	"perfectplay/play/player"
)

// analysis streams the growing answer about a position. The client stops it by closing the
// connection; the end of the server stops it too.
func (s *Server) analysis(w *response, r *http.Request) error {
	q, _, err := query(r, mostAnalysis, "limit", "seconds")
	if err != nil {
		return err
	}
	if r.Header.Get("Last-Event-ID") == lastEvent {
		w.WriteHeader(http.StatusNoContent) // a browser that returns after the end
		return nil
	}
	if !s.streams.TryAcquire(1) {
		return busy("%d analyses are under way: this server has no more", s.bounds.streams)
	}
	defer s.streams.Release(1)
	size, err := s.size(r.Context(), q)
	if err != nil {
		return err
	}
	if size >= largeAnswer {
		if !s.large.TryAcquire(1) {
			return busy("%d analyses of boards as large as this are under way: this server has no more", largeStreams)
		}
		defer s.large.Release(1)
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream")
		return nil
	}
	events := &events{w: w}
	why := ""
	err = s.o.Explorer.Analyse(r.Context(), q, func(a *explore.Answer) error {
		if a.Progress != nil {
			why = a.Progress.Why
		}
		return events.send("answer", a)
	})
	switch {
	case events.broken != nil:
		return nil // nobody reads
	case err == nil:
	case !events.begun():
		return err
	default:
		p := problemOf(err)
		if p == nil {
			s.o.Log.Printf("analysis of %s: %v", shown(q.Game), err)
			p = failed()
		}
		_ = events.send("problem", p)
		why = p.Text
	}
	_ = events.send("end", map[string]string{"why": why})
	return nil
}

// outlook streams the strongest player's view of an undecided position.
func (s *Server) outlook(w *response, r *http.Request) error {
	q, _, err := query(r, mostLook, "limit", "seconds")
	if err != nil {
		return err
	}
	if q.Seconds == 0 {
		q.Seconds = player.LookTime.Seconds() // a limit of plies alone would not bound the time
	}
	if r.Header.Get("Last-Event-ID") == lastEvent {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	free, err := s.reserve(r.Context(), q)
	if err != nil {
		return err
	}
	defer free()
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream")
		return nil
	}
	if !s.streams.TryAcquire(1) {
		return busy("%d streams are under way: this server has no more", s.bounds.streams)
	}
	defer s.streams.Release(1)
	if err := s.looks.Acquire(r.Context(), 1); err != nil {
		return err
	}
	defer s.looks.Release(1)
	events := &events{w: w}
	more, leave := s.idle()
	defer leave()
	err = player.Look(r.Context(), s.o.Explorer, q, 1+more, func(o *player.Outlook) error { return events.send("outlook", o) })
	switch {
	case events.broken != nil:
		return nil // nobody reads
	case err != nil && !events.begun():
		return err
	case err != nil:
		s.o.Log.Printf("outlook of %s: %v", shown(q.Game), err)
	}
	_ = events.send("end", struct{}{})
	return nil
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

func (e *events) begun() bool { return e.sent > 0 }

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
