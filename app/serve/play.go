package serve

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"perfectplay/app/explore"
	"perfectplay/app/player"
)

// move is the computer's move at a level.
func (s *Server) move(w *response, r *http.Request) error {
	q, p, err := query(r, mostSeconds, "limit", "seconds", "level")
	if err != nil {
		return err
	}
	free, err := s.reserve(r.Context(), q) // the player asks for an answer as large
	if err != nil {
		return err
	}
	defer free()
	level, given := p["level"]
	if !given {
		level = player.Strongest
	}
	played, err := player.Play(r.Context(), s.o.Explorer, level, q, rand.Uint64())
	if err != nil {
		return err
	}
	return sendJSON(w, r, played, never)
}

// hidden is a deal as one of its seats sees it.
func (s *Server) hidden(w *response, r *http.Request) error {
	p, err := readParams(r, "deal", "seat", "player", "moves")
	if err != nil {
		return err
	}
	q := explore.HiddenQuery{Game: r.PathValue("game"), Seat: p["seat"], Player: p["player"]}
	if q.Deal, err = strconv.ParseUint(p["deal"], 10, 64); err != nil {
		return wrong(http.StatusBadRequest, "deal", "deal %q: want the number of a deal, 0 to 18446744073709551615", shown(p["deal"])).about(p["deal"])
	}
	if p["moves"] != "" {
		q.Moves = strings.Split(p["moves"], ",")
	}
	if len(q.Moves) > mostMoves {
		return wrong(http.StatusBadRequest, "moves", "%d moves: at most %d", len(q.Moves), mostMoves)
	}
	turn, err := take(r.Context(), s.reading, 1)
	if err != nil {
		return err
	}
	defer turn()
	a, err := s.o.Explorer.Hidden(r.Context(), q)
	if err != nil {
		return err
	}
	return sendJSON(w, r, a, never)
}
