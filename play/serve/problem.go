package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"unicode/utf8"

	"perfectplay/game"
	"perfectplay/play/explore"
)

// Problem is an error of a request and its place: the answer to requests that are not
// understood.
type Problem struct {
	Status int    `json:"-"`
	Text   string `json:"error"`           // for people, with the remedy
	Where  string `json:"where"`           // the part of the request, in the words of openapi.yaml
	Given  string `json:"given,omitempty"` // the wrong words
	Index  *int   `json:"index"`           // the number of the wrong move from 0
}

func (p *Problem) Error() string { return p.Text }

// wrong is a problem of a part of a request.
func wrong(status int, where, format string, args ...any) *Problem {
	return &Problem{Status: status, Where: where, Text: fmt.Sprintf(format, args...)}
}

func (p *Problem) about(given string) *Problem {
	p.Given = shown(given)
	return p
}

// shown shortens text of a request for an answer.
func shown(text string) string {
	const longest = 200 // bytes
	if len(text) > longest {
		cut := longest
		for cut > longest-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	if !utf8.ValidString(text) {
		return fmt.Sprintf("%q", text)
	}
	return text
}

// failed is the problem of a request for which the server is at fault.
func failed() *Problem {
	return wrong(http.StatusInternalServerError, "server", "the server failed; its log says why")
}

// busy is a temporary problem.
func busy(format string, args ...any) *Problem {
	return wrong(http.StatusServiceUnavailable, "server", format, args...)
}

// problemOf is the problem of an error; nil if the fault is the server's.
func problemOf(err error) *Problem {
	var p *Problem
	var query *explore.Error
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &query):
		p = wrong(http.StatusBadRequest, string(query.Fault), "%s", shown(query.Error())).about(query.Given)
		switch query.Fault {
		case explore.BadGame:
			p.Status = http.StatusNotFound
		case explore.BadMove:
			p.Where, p.Index = "moves", &query.Index
		}
		return p
	case errors.As(err, new(*game.Fault)), errors.As(err, new(*explore.Silence)):
		return wrong(http.StatusInternalServerError, "game", "%s", err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return busy("the server is about to end, or the question took too long")
	}
	return nil
}
