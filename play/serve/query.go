package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"perfectplay/play/explore"
)

// query reads the query of a request about a game from its path and parameters. known are the
// parameters besides the parameters of a position.
func query(r *http.Request, most float64, known ...string) (explore.Query, params, error) {
	p, err := readParams(r, append([]string{"rules", "position", "moves"}, known...)...)
	if err != nil {
		return explore.Query{}, nil, err
	}
	q := explore.Query{Game: r.PathValue("game"), Rules: rulesOf(p["rules"]), Position: p["position"]}
	if _, given := p["position"]; !given {
		q.Position = "start"
	}
	if p["moves"] != "" {
		q.Moves = strings.Split(p["moves"], ",")
	}
	if text, given := p["limit"]; given {
		if q.Limit, err = strconv.Atoi(text); err != nil {
			return q, nil, wrong(http.StatusBadRequest, "limit", "limit %q: want a number of plies", shown(text)).about(text)
		}
	}
	if text, given := p["seconds"]; given {
		if q.Seconds, err = strconv.ParseFloat(text, 64); err != nil {
			return q, nil, wrong(http.StatusBadRequest, "seconds", "seconds %q: want a number", shown(text)).about(text)
		}
	}
	return q, p, check(&q, most)
}

// rulesOf restores the plus signs of rules that a form turned into blanks; rules have no
// blanks.
func rulesOf(text string) string { return strings.ReplaceAll(text, " ", "+") }

func check(q *explore.Query, most float64) error {
	switch {
	case q.Limit < 0 || q.Limit > mostLimit:
		return wrong(http.StatusBadRequest, "limit", "limit %d: want 0 to %d plies", q.Limit, mostLimit).about(strconv.Itoa(q.Limit))
	case math.IsNaN(q.Seconds) || q.Seconds < 0 || q.Seconds > most || q.Seconds > 0 && q.Seconds < leastSeconds:
		return wrong(http.StatusBadRequest, "seconds", "seconds %v: want %v to %v, or 0 for the default", q.Seconds, leastSeconds, most)
	case len(q.Moves) > mostMoves:
		return wrong(http.StatusBadRequest, "moves", "%d moves: at most %d", len(q.Moves), mostMoves)
	case len(q.Position) > mostText:
		return wrong(http.StatusBadRequest, "position", "a position of %d bytes: at most %d", len(q.Position), mostText)
	}
	return nil
}

type batch struct {
	Queries []explore.Query `json:"queries"`
}

func (s *Server) readBatch(w *response, r *http.Request) (*batch, error) {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(strings.ToLower(kind)) != "application/json" {
		return nil, wrong(http.StatusUnsupportedMediaType, "body", "content type %q: want application/json", shown(kind))
	}
	if coding := strings.TrimSpace(strings.ToLower(r.Header.Get("Content-Encoding"))); coding != "" && coding != "identity" {
		return nil, wrong(http.StatusUnsupportedMediaType, "body", "content encoding %q: want none, plain JSON", shown(coding))
	}
	if r.ContentLength > mostBody {
		return nil, wrong(http.StatusRequestEntityTooLarge, "body", "%d bytes: at most %d", r.ContentLength, mostBody)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, wrong(http.StatusRequestEntityTooLarge, "body", "more than %d bytes", mostBody)
	} else if err != nil {
		return nil, wrong(http.StatusRequestTimeout, "body", "the body did not come")
	}
	// The body is read: its deadline ends.
	_ = http.NewResponseController(w.ResponseWriter).SetReadDeadline(time.Time{})
	if bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		return nil, wrong(http.StatusUnsupportedMediaType, "body", "the body is compressed by gzip: want plain JSON")
	}
	if i := badByte(string(body)); i >= 0 {
		return nil, wrong(http.StatusBadRequest, "body", "the body is not UTF-8: byte %d is 0x%02x", i, body[i])
	}
	var b batch
	if err := explore.Decode(body, &b); err != nil {
		return nil, wrong(http.StatusBadRequest, "body", "%s", shown(err.Error()))
	}
	if n := len(b.Queries); n == 0 || n > mostQueries {
		return nil, wrong(http.StatusBadRequest, "body", "%d queries: want 1 to %d", n, mostQueries)
	}
	moves := 0
	for i := range b.Queries {
		q := &b.Queries[i]
		q.Position = cmp.Or(q.Position, "start")
		moves += len(q.Moves)
	}
	if moves > mostMoves {
		return nil, wrong(http.StatusBadRequest, "moves", "%d moves in all queries: at most %d", moves, mostMoves)
	}
	return &b, nil
}

// reserve reads a query and waits for room for its answer: every legal move with the position
// after it, twice, as data and as JSON. Small answers never wait for large ones.
func (s *Server) reserve(ctx context.Context, q explore.Query) (free func(), err error) {
	size, err := s.size(ctx, q)
	if err != nil {
		return nil, err
	}
	if size < largeAnswer {
		return s.wait(ctx, s.small, size)
	}
	return s.wait(ctx, s.room, size)
}

// wait waits a bounded time for a share of a budget; free releases it. The error says that the
// server is too busy.
func (s *Server) wait(ctx context.Context, of *semaphore.Weighted, n int64) (free func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, s.bounds.turn)
	defer cancel()
	if err := of.Acquire(ctx, n); err != nil {
		return nil, err
	}
	return func() { of.Release(n) }, nil
}

// turnTime bounds a turn to read, so that a game that does not return delays nobody.
const turnTime = time.Second

// turn waits for a turn to read.
func (s *Server) turn(ctx context.Context) (end func(), err error) {
	turn, err := s.wait(ctx, s.reading, 1)
	if err != nil {
		return nil, err
	}
	once := sync.OnceFunc(turn)
	late := time.AfterFunc(turnTime, once)
	return func() {
		late.Stop()
		once()
	}, nil
}

// bare returns a handler that calls h for requests without parameters and refuses all others.
func bare(h handler) handler {
	return func(w *response, r *http.Request) error {
		if _, err := readParams(r); err != nil {
			return err
		}
		return h(w, r)
	}
}

// inRoom returns a handler that waits for room before it calls h. It is for answers that are not
// about a position.
func (s *Server) inRoom(h handler) handler {
	return func(w *response, r *http.Request) error {
		free, err := s.wait(r.Context(), s.small, largeAnswer/2)
		if err != nil {
			return err
		}
		defer free()
		return h(w, r)
	}
}

// inTurn returns a handler that waits for its turn to read, see size, and calls h with the
// parameters. The turn ends with the first byte of the answer. known are the possible parameters.
func (s *Server) inTurn(h func(*response, *http.Request, params) error, known ...string) handler {
	return s.inRoom(func(w *response, r *http.Request) error {
		p, err := readParams(r, known...)
		if err != nil {
			return err
		}
		turn, err := s.turn(r.Context())
		if err != nil {
			return err
		}
		w.turn = turn
		defer w.turn()
		return h(w, r, p)
	})
}

// placed returns a handler that waits for room for an answer about a position, and calls h with the
// request's query and parameters. known is as in query.
func (s *Server) placed(h func(*response, *http.Request, explore.Query, params) error, known ...string) handler {
	return func(w *response, r *http.Request) error {
		q, p, err := query(r, mostSeconds, known...)
		if err != nil {
			return err
		}
		free, err := s.reserve(r.Context(), q)
		if err != nil {
			return err
		}
		defer free()
		return h(w, r, q, p)
	}
}

// size is the memory of an answer, at most all of the room. Requests take turns to read: it takes
// long to replay a long game.
func (s *Server) size(ctx context.Context, q explore.Query) (int64, error) {
	turn, err := s.turn(ctx)
	if err != nil {
		return 0, err
	}
	defer turn()
	moves, text, err := s.o.Explorer.Size(q)
	if err != nil {
		return 0, err
	}
	return min(int64(4096+2*(moves+1)*(text+400)+16*len(q.Moves)), mostRoom), nil
}
