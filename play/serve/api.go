package serve

import (
	"context"
	"net/http"

	"perfectplay/game"
	"perfectplay/play/explore"
)

type program struct {
	Program string  `json:"program"`
	Version string  `json:"version"`
	Moves   int     `json:"most_moves"`
	Queries int     `json:"most_queries"`
	Seconds float64 `json:"most_seconds"`
	Body    int     `json:"most_body_bytes"`
}

func (s *Server) about(w *response, r *http.Request) error {
	return sendJSON(w, r, program{"perfectplay", s.o.Version, mostMoves, mostQueries, mostSeconds, mostBody}, nil, asked)
}

func (s *Server) description(w *response, r *http.Request) error {
	send(w, r, http.StatusOK, "application/yaml", spec, asked)
	return nil
}

func (s *Server) games(w *response, r *http.Request) error {
	type list struct {
		Families []explore.Family `json:"families"`
	}
	return sendJSON(w, r, list{s.o.Explorer.Games()}, nil, asked)
}

func (s *Server) game(w *response, r *http.Request, p params) error {
	g, err := s.o.Explorer.Game(r.PathValue("game"), rulesOf(p["rules"]))
	return sendJSON(w, r, g, err, asked)
}

func (s *Server) legal(w *response, r *http.Request, q explore.Query, _ params) error {
	a, err := s.o.Explorer.Position(q)
	return sendJSON(w, r, a, err, aWeek)
}

func settled(a *explore.Answer) keep {
	if !a.Settled() {
		return never
	}
	return aWeek
}

func (s *Server) position(w *response, r *http.Request, q explore.Query, _ params) error {
	a, err := s.o.Explorer.Ask(r.Context(), q)
	if err != nil {
		return err
	}
	return sendJSON(w, r, a, nil, settled(a))
}

// mainLine is best play from a position.
type mainLine struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Seat     string `json:"seat"`
	explore.Worth
	Moves []step `json:"moves"`
	Over  bool   `json:"over"`
	Text  string `json:"text"`
}

type step struct {
	Move     string `json:"move"`
	Seat     string `json:"seat"`
	Position string `json:"position"` // after the move
}

func (s *Server) line(w *response, r *http.Request, q explore.Query, _ params) error {
	a, err := s.o.Explorer.Ask(r.Context(), q)
	if err != nil {
		return err
	}
	l := mainLine{Game: a.Game, Rules: a.Rules, Position: a.Position, Seat: a.Seat, Worth: a.Worth, Text: a.Text, Moves: []step{}}
	c, err := s.o.Explorer.Course(q)
	if err != nil {
		return err
	}
	for _, text := range a.Line {
		m, err := c.State.ParseMove(text)
		if err != nil {
			return err
		}
		seat := c.Game.SeatName(c.State.Seat())
		c.Play(m)
		l.Moves = append(l.Moves, step{text, seat, c.State.String()})
	}
	l.Over = c.Result() != game.Ongoing
	return sendJSON(w, r, l, nil, settled(a))
}

// answered is the outcome of one query of a batch: an answer or a problem.
type answered struct {
	Answer  *explore.Answer `json:"answer,omitempty"`
	Problem *Problem        `json:"problem,omitempty"`
}

func (s *Server) positions(w *response, r *http.Request) error {
	if !s.bodies.TryAcquire(1) {
		return busy("%d batches are under way or wait: this server takes no more", mostBodies)
	}
	defer s.bodies.Release(1)
	b, err := s.readBatch(w, r)
	if err != nil {
		return err
	}
	if err := s.batches.Acquire(r.Context(), 1); err != nil {
		return err
	}
	defer s.batches.Release(1)
	// Only one answer at a time is in memory as data.
	body := []byte(`{"answers":[`)
	for i, q := range b.Queries {
		text, err := s.answer(r.Context(), q, len(b.Queries))
		if err != nil {
			return err
		}
		if len(body)+len(text) > mostBatch {
			return wrong(http.StatusRequestEntityTooLarge, "body", "the answers are larger than %d bytes: ask for fewer positions at once", mostBatch)
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, text...)
	}
	send(w, r, http.StatusOK, "application/json", append(body, "]}\n"...), never)
	return nil
}

// answer answers one of n queries as JSON, with its share of the work. An error ends the whole
// request.
func (s *Server) answer(ctx context.Context, q explore.Query, n int) ([]byte, error) {
	q.Nodes = max(explore.DefaultNodes/uint64(n), 1)
	var one answered
	err := check(&q, mostSeconds)
	if err == nil {
		var free func()
		if free, err = s.reserve(ctx, q); err == nil {
			defer free()
			one.Answer, err = s.o.Explorer.Ask(ctx, q)
		}
	}
	if err != nil {
		if one.Problem = problemOf(err); one.Problem == nil || ctx.Err() != nil {
			return nil, err
		}
	}
	return encode(one)
}
