package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"perfectplay/play/explore"
	"perfectplay/play/player"
)

func (e *Engine) analyse(ctx context.Context, c player.Clock) (string, error) {
	q := explore.Query{Game: e.g.ID(), Rules: e.g.Rules(), Position: e.c.State.String(), Limit: c.Depth, Seconds: c.Time.Seconds()}
	var last *explore.Answer
	err := e.think(ctx, bounded(c), func(ctx context.Context) error {
		return e.Analyst.Analyse(ctx, q, func(a *explore.Answer) error {
			last = a
			fmt.Fprintln(e.out, infoLine(a))
			return nil
		})
	})
	if err != nil {
		return "", err
	}
	if last == nil {
		return "value open", nil // stopped before the first answer
	}
	for _, m := range last.Moves {
		fmt.Fprintln(e.out, "move", m.Move, worth(&m.Worth))
	}
	return worth(&last.Worth), nil
}

// infoLine is an answer as words and their values.
func infoLine(a *explore.Answer) string {
	line := "info " + worth(&a.Worth) + " source " + string(a.Source.Kind)
	if p := a.Progress; p != nil {
		line += fmt.Sprintf(" depth %d nodes %d seconds %.3f", p.Depth, p.Nodes, p.Seconds)
	}
	if len(a.Line) > 0 {
		line += " line " + strings.Join(a.Line, " ")
	}
	return line
}

// worth is a value as words and their values, named as in JSON.
func worth(w *explore.Worth) string {
	text := "value " + string(w.Value)
	for _, n := range []struct {
		name   string
		number *int
	}{{"distance", w.Distance}, {"not_within", w.NotWithin}, {"score", w.Score}} {
		if n.number != nil {
			text += fmt.Sprintf(" %s %d", n.name, *n.number)
		}
	}
	if w.Winner != "" {
		text += " winner " + w.Winner
	}
	return text
}

// Question is a line in JSON that asks for the values of a position and of all its moves. Its
// keys are those of a query, id and stream.
type Question struct {
	// ID is any value; every answer repeats it.
	ID json.RawMessage `json:"id"`
	explore.Query
	// Stream asks for answers during the search, not for the last one only.
	Stream bool `json:"stream"`
}

// Answer is a line in JSON that answers a question. An answer with an error has no values; its
// Fault and Index name the wrong part of the query, see [explore.Error].
type Answer struct {
	ID json.RawMessage `json:"id,omitempty"`
	// Done says that this is the last answer to the question.
	Done  bool          `json:"done"`
	Error string        `json:"error,omitempty"`
	Fault explore.Fault `json:"fault,omitempty"`
	Index *int          `json:"index,omitempty"` // index of the wrong move, from 0
	*explore.Answer
}

// question answers a question in JSON. Without a limit of plies or seconds it has the time of
// the other commands.
func (e *Engine) question(ctx context.Context, line string) {
	q := Question{}
	if err := read(line, &q); err != nil {
		e.send(Answer{ID: q.ID, Done: true, Error: err.Error(), Fault: explore.BadQuery})
		return
	}
	if q.Position == "" {
		q.Position = "start"
	}
	if q.Limit == 0 && q.Seconds == 0 {
		q.Seconds = e.Budget.Seconds()
	}
	if most := e.Most.Seconds(); most > 0 && (q.Seconds == 0 || q.Seconds > most) {
		q.Seconds = most
	}
	var last *explore.Answer
	err := e.think(ctx, q.Seconds > 0 || q.Limit > 0, func(ctx context.Context) error {
		return e.Analyst.Analyse(ctx, q.Query, func(a *explore.Answer) error {
			if last != nil && q.Stream {
				e.send(Answer{ID: q.ID, Answer: last})
			}
			last = a
			return nil
		})
	})
	var bad *explore.Error
	switch {
	case errors.As(err, &bad):
		a := Answer{ID: q.ID, Done: true, Error: bad.Error(), Fault: bad.Fault}
		if bad.Index >= 0 {
			a.Index = &bad.Index
		}
		e.send(a)
	case err != nil:
		e.send(Answer{ID: q.ID, Done: true, Error: err.Error()})
	case ctx.Err() == nil:
		e.send(Answer{ID: q.ID, Done: true, Answer: last})
	}
}

// read reads a question, and refuses text after it. After an error q keeps the parts read so
// far.
func read(line string, q *Question) error {
	if err := explore.Decode([]byte(line), q); err != nil {
		return fmt.Errorf("question: %w", err)
	}
	if q.Seconds < 0 || q.Limit < 0 {
		return errors.New("question: seconds and limit: want at least 0")
	}
	return nil
}

func (e *Engine) send(a Answer) {
	text, err := json.Marshal(a)
	if err != nil {
		text, _ = json.Marshal(Answer{Done: true, Error: err.Error()})
	}
	fmt.Fprintf(e.out, "%s\n", text)
}
