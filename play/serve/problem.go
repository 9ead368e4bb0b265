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

// Problem says what is wrong with a request, and where: the answer to whatever is
// not understood.
type Problem struct {
	Status int    `json:"-"`
	Text   string `json:"error"` // for people, names what would be right
	// Where is the part of the request, in the words of openapi.yaml.
	Where string `json:"where"`
	Given string `json:"given,omitempty"` // the words that are wrong
	Index *int   `json:"index"`           // the number of the wrong move from 0
}

func (p *Problem) Error() string { return p.Text }

// wrong is a problem of a part of a request.
func wrong(status int, where, format string, args ...any) *Problem {
	return &Problem{Status: status, Where: where, Text: fmt.Sprintf(format, args...)}
}

// about returns the problem with the words that are wrong.
func (p *Problem) about(given string) *Problem {
	p.Given = shown(given)
	return p
}

// longest is the number of bytes of a wrong word that an answer repeats.
const longest = 200

// shown is text from a request, fit to be repeated.
func shown(text string) string {
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

// busy is a problem that passes.
func busy(format string, args ...any) *Problem {
	return wrong(http.StatusServiceUnavailable, "server", format, args...)
}

// problemOf is the problem that an error stands for; nil where it is the server's
// own fault.
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
