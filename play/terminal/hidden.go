package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

const hiddenHelp = `  MOVE             make a move by its text or its number in moves
  moves            the legal moves with their numbers
  advice           what an equilibrium plays here with your hand, and what it is worth
  board            show the table again
  quit             end
`

// Hidden is a deal at a terminal in the view of one seat. It holds nothing but answers to an
// [explore.HiddenQuery].
type Hidden struct {
	// Query is the deal, the person's seat, the player of the others, and the moves so far.
	Query explore.HiddenQuery
	Ask   func(context.Context, explore.HiddenQuery) (*explore.HiddenAnswer, error)
	Seats []string // names of the seats in turn order
	Intro string   // the first line of output
	Out   io.Writer

	a *explore.HiddenAnswer // the position shown
}

// Play plays the deal to its end by the lines of the input, and then compares its moves with
// open hands. It also ends when the person quits, or the input or the context ends. The error
// is the context's, the input's, or of Ask.
func (t *Hidden) Play(ctx context.Context, in io.Reader) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if t.a, err = t.Ask(ctx, t.Query); err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "%s You play %s and see your own hand; %s plays the other. Type help for the commands.\n", t.Intro, t.Query.Seat, t.Query.Player)
	return converse(ctx, in, t.Out, nil, t)
}

func (t *Hidden) prompt() string { return t.Query.Seat }
func (t *Hidden) ended() bool    { return t.a.Over }

// sentence drops the number of a wrong move.
func (*Hidden) sentence(err error) string {
	if bad := new(explore.Error); errors.As(err, &bad) {
		err = bad.Err
	}
	return err.Error()
}

func (t *Hidden) show() error {
	t.table()
	if t.a.Over {
		return t.review()
	}
	return nil
}

const pass = "pass"

func (t *Hidden) move(ctx context.Context, text string) error {
	q := t.Query
	q.Moves = append(slices.Clone(q.Moves), strings.ToLower(text))
	a, err := t.Ask(ctx, q)
	if err != nil {
		return err
	}
	t.Query, t.a = q, a
	return nil
}

// follow makes the move of the other seat, or the person's pass.
func (t *Hidden) follow(ctx context.Context) (bool, error) {
	if t.a.Over || t.a.Reply == "" && t.a.Moves[0].Move != pass {
		return false, nil
	}
	text, who := t.a.Reply, " ("+t.Query.Player+")"
	if text == "" {
		text, who = pass, ""
	}
	if text == pass {
		fmt.Fprintf(t.Out, "%s has no legal move and passes\n", t.a.Seat)
	} else {
		fmt.Fprintf(t.Out, "%s plays %s%s\n", t.a.Seat, text, who)
	}
	return true, t.move(ctx, text)
}

func (t *Hidden) commands() []command {
	list := []command{
		{"help", 0, say(t.Out, hiddenHelp)},
		{"moves", 0, func(context.Context, []string) (bool, error) { return false, list(t.Out, t.legal()) }},
		{"advice", 0, func(context.Context, []string) (bool, error) { return false, t.advice() }},
		{"board", 0, again},
	}
	for _, c := range new(Session).commands() {
		c.do = func(context.Context, []string) (bool, error) {
			return false, fmt.Errorf("%s is for open hands", c.name)
		}
		list = append(list, c)
	}
	return list
}

func (t *Hidden) legal() (moves []string) {
	for _, m := range t.a.Moves {
		moves = append(moves, m.Move)
	}
	return moves
}

func (t *Hidden) advice() error {
	if t.a.Advice == nil {
		_, err := fmt.Fprintln(t.Out, "too early in the deal: there are too many hands and moves to solve")
		return err
	}
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	for _, m := range t.a.Advice.Moves {
		fmt.Fprintf(w, "%s\t%s\n", m.Move, advised(&m))
	}
	return w.Flush()
}

// advised describes the probability of a move and its average pips.
func advised(m *wing.AdvisedMove) string {
	if m.MeanScore == nil {
		return fmt.Sprintf("%.0f %%", 100*m.Probability)
	}
	return fmt.Sprintf("%.0f %%, %+.1f", 100*m.Probability, *m.MeanScore)
}

func (t *Hidden) table() {
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	p := &t.a.Picture
	for seat, hand := range p.Hands {
		fmt.Fprintf(w, "%s\t%s\n", t.Seats[seat], strings.Join(hand, " "))
		if seat == 0 {
			fmt.Fprintf(w, "row\t%s\n", cmp.Or(strings.Join(p.Row, " "), "empty"))
		}
	}
	w.Flush()
}

// review explains the end of the deal, and compares its moves with open hands.
func (t *Hidden) review() error {
	fmt.Fprintf(t.Out, "%s\n\nWith all hands open:\n", t.a.Text)
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	lost := map[string]int{}
	for i, r := range t.a.Review {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s", i+1, r.Seat, r.Move, worth(&r.Is))
		if r.Was.Score != nil && r.Is.Score != nil && *r.Was.Score != *r.Is.Score {
			lost[r.Seat] += *r.Was.Score - *r.Is.Score
			fmt.Fprintf(w, "\t%s: %s", r.Best, worth(&r.Was))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := t.reviewHidden(); err != nil {
		return err
	}
	var gave []string
	for _, seat := range t.Seats {
		who := t.Query.Player
		if seat == t.Query.Seat {
			who = "you"
		}
		gave = append(gave, fmt.Sprintf("%s (%s) %d", seat, who, lost[seat]))
	}
	_, err := fmt.Fprintf(t.Out, "Given away against perfect play: %s.\n", strings.Join(gave, ", "))
	return err
}

// reviewHidden shows the moves of an equilibrium strategy in the view of each seat, where the
// strategy has any.
func (t *Hidden) reviewHidden() error {
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	said := false
	for i, r := range t.a.Review {
		if r.Advice == nil {
			continue
		}
		if !said {
			fmt.Fprintln(w, "\nWith hands hidden, an equilibrium of the rest (probability, mean score):")
			said = true
		}
		fmt.Fprintf(w, "%d\t%s\t%s", i+1, r.Seat, r.Move)
		for _, m := range r.Advice.Moves {
			fmt.Fprintf(w, "\t%s: %s", m.Move, advised(&m))
		}
		fmt.Fprintln(w)
	}
	if said {
		fmt.Fprintln(w)
	}
	return w.Flush()
}
