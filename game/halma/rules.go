package halma

import (
	"fmt"
	"slices"
	"strings"

	"perfectplay/game/halma/internal/turns"
)

// IllegalRule says which positions no turn may lead to. It is for two seats.
type IllegalRule uint8

const (
	// NoIllegal: a turn may lead to any position.
	NoIllegal IllegalRule = iota
	// Sturtevant forbids two kinds of positions. In the first, the seat to move already meets its
	// win condition: nobody may complete the opponent's goal. The second exists with 6 pieces: a
	// goal's apex is empty, and the seat at home there holds all four cells around it on the goal's
	// outer edges (the two of the next row and the two ends of the row after). Nobody could enter
	// the apex.
	Sturtevant
	// Sturtevant2019Run is Sturtevant, but the second kind is not tested if the seat to move has
	// no piece in its home or goal. A published count of illegal positions follows this rule.
	Sturtevant2019Run
)

// Limits are the rules that restrict where a piece may go.
type Limits = turns.Limits

// Win says when a seat has won.
type Win = turns.Win

// Rules are the choices in which published versions of the game differ. The zero value is the
// preset base without its name.
type Rules struct {
	Name string // name of the preset, empty for other choices
	Win
	// TipsClosed: a piece may end a turn only in the centre of the star, its home or its goal.
	TipsClosed bool
	// AbsentTipsOpen exempts from TipsClosed the tips where no seat is at home.
	AbsentTipsOpen bool
	Limits
	Illegal IllegalRule
}

type boards uint8

const (
	anyBoard boards = iota
	starsOnly
	diamondsOnly
)

// preset is a known rule set. The function on says for which boards it is.
type preset struct {
	Rules
	on  boards
	doc string
}

// presets lists the known rule sets in printed order.
func presets() []preset {
	return []preset{
		{Rules{Name: "base"}, anyBoard,
			"all pieces home wins; a piece may go and stay anywhere (Xu, BSc thesis, Bologna 2024/25: models Base and Tables)"},
		{Rules{Name: "house", Win: Win{Filled: true}, TipsClosed: true, Limits: Limits{StayInGoal: true, StayOut: true, ClosedTransit: true}}, starsOnly,
			"a full goal wins for whoever has a piece in it; no hop leaves the goal or comes home again; in other tips a piece may not stay, only hop through (Xu's three additional rules, as his text states them)"},
		{Rules{Name: "house-loose", Win: Win{Filled: true}, TipsClosed: true, Limits: Limits{StayInGoal: true, StayOut: true, GoalTransit: true, HomeTransit: true, ClosedTransit: true}}, starsOnly,
			"house, but of a chain only the last hole counts: hops may pass through goal and home too (what house meant before it followed the text)"},
		{Rules{Name: "house-code", Win: Win{Filled: true}, TipsClosed: true, Limits: Limits{StayInGoal: true, StayOut: true}}, starsOnly,
			"house, but no hop enters another tip either (as the thesis' program plays)"},
		{Rules{Name: "house-readme", Win: Win{Filled: true}, TipsClosed: true, AbsentTipsOpen: true, Limits: Limits{StayInGoal: true, StayOut: true, ClosedTransit: true}}, starsOnly,
			"house, but tips where nobody is at home are free to rest in (as the README of an older program says)"},
		{Rules{Name: "sturtevant", Win: Win{Filled: true}, Illegal: Sturtevant}, diamondsOnly,
			"a full goal wins for whoever has a piece in it; going anywhere is allowed except into illegal positions (Sturtevant, ACG 2019)"},
		{Rules{Name: "sturtevant-2019-run", Win: Win{Filled: true}, Illegal: Sturtevant2019Run}, diamondsOnly,
			"sturtevant, with the second test of illegal positions left out where the mover has no piece in its camps (a reading of the published counts)"},
		{Rules{Name: "gamesman"}, diamondsOnly,
			"all pieces home wins; everything is allowed (the rules of base, named for diamonds)"},
		{Rules{Name: "gamesman-2026", Win: Win{Filled: true}, Limits: Limits{StayInGoal: true}}, diamondsOnly,
			"a full goal wins for whoever has a piece in it; no hop leaves the goal (the newer rules of GamesmanClassic)"},
		{Rules{Name: "liou", Win: Win{Filled: true}, TipsClosed: true, Limits: Limits{ClosedTransit: true}}, starsOnly,
			"a full goal wins for whoever has a piece in it; in the other tips no piece may stay; a piece may come home again and leave the goal (Liou, 2026)"},
	}
}

func presetOf(name string) (preset, bool) {
	list := presets()
	i := slices.IndexFunc(list, func(p preset) bool { return p.Name == name })
	if i < 0 {
		return preset{}, false
	}
	return list[i], true
}

// Presets returns the names of the known rule sets.
func Presets() []string {
	var names []string
	for _, p := range presets() {
		names = append(names, p.Name)
	}
	return names
}

// Preset returns the rule set of a name. The error lists the known names.
func Preset(name string) (Rules, error) {
	if p, ok := presetOf(name); ok {
		return p.Rules, nil
	}
	return Rules{}, fmt.Errorf("halma: unknown rules %q: known are %s", name, strings.Join(Presets(), ", "))
}

// Describe returns the preset's content and origin in a sentence or two, or the list of choices.
func (r Rules) Describe() string {
	if p, ok := presetOf(r.Name); ok {
		return p.doc
	}
	return r.choices()
}

// String returns the preset's name, or all choices that differ from base, joined by plus signs,
// for instance filled+stay-out.
func (r Rules) String() string {
	if r.Name != "" {
		return r.Name
	}
	return r.choices()
}

// ruleWords are the choices, in printed order.
var ruleWords = []struct {
	word string
	has  func(*Rules) bool
	set  func(*Rules)
}{
	{"filled", func(r *Rules) bool { return r.Filled }, func(r *Rules) { r.Filled = true }},
	{"home-empty", func(r *Rules) bool { return r.HomeEmpty }, func(r *Rules) { r.HomeEmpty = true }},
	{"stay-in-goal", func(r *Rules) bool { return r.StayInGoal }, func(r *Rules) { r.StayInGoal = true }},
	{"stay-out", func(r *Rules) bool { return r.StayOut }, func(r *Rules) { r.StayOut = true }},
	{"tips-closed", func(r *Rules) bool { return r.TipsClosed }, func(r *Rules) { r.TipsClosed = true }},
	{"absent-tips-open", func(r *Rules) bool { return r.AbsentTipsOpen }, func(r *Rules) { r.AbsentTipsOpen = true }},
	{"goal-transit", func(r *Rules) bool { return r.GoalTransit }, func(r *Rules) { r.GoalTransit = true }},
	{"home-transit", func(r *Rules) bool { return r.HomeTransit }, func(r *Rules) { r.HomeTransit = true }},
	{"tips-transit", func(r *Rules) bool { return r.ClosedTransit }, func(r *Rules) { r.ClosedTransit = true }},
	{"illegal-2019", func(r *Rules) bool { return r.Illegal == Sturtevant }, func(r *Rules) { r.Illegal = Sturtevant }},
	{"illegal-2019-run", func(r *Rules) bool { return r.Illegal == Sturtevant2019Run }, func(r *Rules) { r.Illegal = Sturtevant2019Run }},
}

// restrict reports whether the rules close any hole to any piece.
func (r Rules) restrict() bool { return r.Limits.Any() || r.TipsClosed }

func (r Rules) choices() string {
	var words []string
	for _, w := range ruleWords {
		if w.has(&r) {
			words = append(words, w.word)
		}
	}
	if len(words) == 0 {
		return "all-home"
	}
	return strings.Join(words, "+")
}

// ParseRules reads a preset's name or a list of choices as [Rules.String] prints them.
func ParseRules(text string) (Rules, error) {
	if r, err := Preset(text); err == nil {
		return r, nil
	}
	var r Rules
	for word := range strings.SplitSeq(text, "+") {
		if word == "no-transit" {
			return Rules{}, fmt.Errorf("halma: rules %q: each hop obeys stay-in-goal, stay-out and tips-closed without a word no-transit; "+
				"goal-transit, home-transit and tips-transit let chains pass", text)
		}
		found := word == "all-home" && text == word
		for _, w := range ruleWords {
			if w.word == word {
				found = true
				before := r.Illegal
				w.set(&r)
				if before != NoIllegal && r.Illegal != before {
					return Rules{}, fmt.Errorf("halma: rules %q: illegal-2019 and illegal-2019-run exclude each other", text)
				}
			}
		}
		if !found {
			words := "all-home"
			for _, w := range ruleWords {
				words += ", " + w.word
			}
			return Rules{}, fmt.Errorf("halma: unknown rules %q: known are %s; or choices joined by +: %s",
				text, strings.Join(Presets(), ", "), words)
		}
	}
	return r, nil
}

// check returns an error if the rules cannot be played on a board by the given number of seats.
func (r Rules) check(b *Board, seats int) error {
	on := anyBoard
	if r.Name != "" {
		p, ok := presetOf(r.Name)
		if !ok {
			return fmt.Errorf("halma: rules named %s: there is no such preset", r.Name)
		}
		if p.Rules != r {
			return fmt.Errorf("halma: rules named %s differ from the preset of that name", r.Name)
		}
		on = p.on
	}
	switch {
	case on == starsOnly && !b.star:
		return fmt.Errorf("halma: rules %s on %s: they close the tips of a star, and a diamond has none; use %s",
			r, b.name, "base, gamesman, gamesman-2026 or sturtevant")
	case on == diamondsOnly && b.star:
		return fmt.Errorf("halma: rules %s on %s: they are for diamonds; use %s", r, b.name, "base, house, house-loose, house-code, house-readme or liou")
	case r.TipsClosed && !b.star:
		return fmt.Errorf("halma: rules %s on %s: a diamond has no tips to close", r, b.name)
	case r.AbsentTipsOpen && !r.TipsClosed:
		return fmt.Errorf("halma: rules %s: absent-tips-open goes with tips-closed", r)
	case r.GoalTransit && !r.StayInGoal:
		return fmt.Errorf("halma: rules %s: goal-transit goes with stay-in-goal", r)
	case r.HomeTransit && !r.StayOut:
		return fmt.Errorf("halma: rules %s: home-transit goes with stay-out", r)
	case r.ClosedTransit && !r.TipsClosed:
		return fmt.Errorf("halma: rules %s: tips-transit goes with tips-closed", r)
	case r.HomeEmpty && (!r.Filled || r.Illegal != NoIllegal):
		return fmt.Errorf("halma: rules %s: home-empty goes with filled, and without illegal positions", r)
	case r.Illegal != NoIllegal && seats != 2:
		return fmt.Errorf("halma: rules %s with %d players: illegal positions are defined for two", r, seats)
	case r.Illegal != NoIllegal && !r.Filled:
		return fmt.Errorf("halma: rules %s: illegal positions go with the win rule filled", r)
	}
	return nil
}
