package serve

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/judge"
	"perfectplay/play/player"
)

// move answers with the move of a level.
func (s *Server) move(w *response, r *http.Request, q explore.Query, p params) error {
	level, given := p["level"]
	if !given {
		level = player.Strongest
	}
	more, free := s.idle()
	defer free()
	played, err := player.Play(r.Context(), s.o.Explorer, level, q, rand.Uint64(), 1+more)
	return sendJSON(w, r, played, err, never)
}

func (s *Server) report(w *response, r *http.Request, q explore.Query, _ params) error {
	if err := s.batches.Acquire(r.Context(), 1); err != nil {
		return err
	}
	defer s.batches.Release(1)
	rep, err := judge.NewReport(r.Context(), s.o.Explorer, q)
	return sendJSON(w, r, rep, err, never)
}

// setup answers with the text of a position set up by hand.
func (s *Server) setup(w *response, r *http.Request, p params) error {
	picture, err := readPicture(p)
	if err != nil {
		return err
	}
	text, err := s.o.Explorer.Compose(r.PathValue("game"), rulesOf(p["rules"]), picture, p["seat"])
	return sendJSON(w, r, map[string]string{"position": text}, err, asked)
}

// readPicture reads pieces, ends and hands. Pieces have for each cell the number of a seat or
// nothing. Commas separate pieces, ends and tiles; low lines separate hands.
func readPicture(p params) (picture wing.Picture, err error) {
	numbers := func(name string) (list []int, err error) {
		if p[name] == "" {
			return nil, nil
		}
		for part := range strings.SplitSeq(p[name], ",") {
			n := -1
			if part != "" {
				if n, err = strconv.Atoi(part); err != nil {
					return nil, wrong(http.StatusBadRequest, name, "%s %q: want numbers separated by commas", name, shown(part)).about(part)
				}
			}
			list = append(list, n)
		}
		return list, nil
	}
	if picture.Pieces, err = numbers("pieces"); err != nil {
		return picture, err
	}
	if picture.Ends, err = numbers("ends"); err != nil {
		return picture, err
	}
	if text, given := p["hands"]; given {
		for hand := range strings.SplitSeq(text, "_") {
			picture.Hands = append(picture.Hands, strings.FieldsFunc(hand, func(c rune) bool { return c == ',' }))
		}
	}
	return picture, nil
}

func (s *Server) hidden(w *response, r *http.Request, p params) (err error) {
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
	a, err := s.o.Explorer.Hidden(r.Context(), q)
	return sendJSON(w, r, a, err, never)
}
