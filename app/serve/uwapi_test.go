package serve

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfectplay/app/explore"
	"perfectplay/game"
)

// fields returns the names of the fields of a JSON object, sorted.
func fields(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestUWAPIFields: the lists and descriptions have the fields that the API has, all
// of them and no other.
func TestUWAPIFields(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	games := get[[]json.RawMessage](t, s, "/uwapi/")
	if len(games) != 2 {
		t.Fatalf("%d games", len(games))
	}
	var names []string
	for _, raw := range games {
		if got := fields(t, raw); got != "gui id name type" {
			t.Errorf("a game has the fields %s", got)
		}
		var g struct{ ID, Name, Type, GUI string }
		if err := json.Unmarshal(raw, &g); err != nil {
			t.Fatal(err)
		}
		if names = append(names, g.Name); g.Type != "twoPlayer" || !regexp.MustCompile(`^v[0-3]$`).MatchString(g.GUI) {
			t.Errorf("%+v", g)
		}
		one := get[json.RawMessage](t, s, "/uwapi/"+g.ID+"/")
		if got := fields(t, one); got != "allowCustomVariantCreation id name supportsWinBy variants" {
			t.Errorf("%s has the fields %s", g.ID, got)
		}
		var d struct {
			ID, Name string
			Variants []uwapiVariant
		}
		if err := json.Unmarshal(one, &d); err != nil || d.ID != g.ID || d.Name != g.Name || len(d.Variants) == 0 {
			t.Errorf("%s: %v, %s %s with %d variants", g.ID, err, d.ID, d.Name, len(d.Variants))
		}
		seen := map[string]bool{}
		for _, v := range d.Variants {
			if seen[v.ID] || v.Name == "" || v.GUI == "" {
				t.Errorf("%s: variant %+v", g.ID, v)
			}
			seen[v.ID] = true
		}
		for i := 0; i < len(d.Variants); i += 7 { // some: tables of large boards take their time
			variant := get[json.RawMessage](t, s, "/uwapi/"+g.ID+"/"+d.Variants[i].ID+"/")
			var v uwapiVariant
			if err := json.Unmarshal(variant, &v); err != nil || v != d.Variants[i] {
				t.Errorf("%s: %v, %+v, want %+v", g.ID, err, v, d.Variants[i])
			}
		}
		first := d.Variants[0].ID
		variant := get[json.RawMessage](t, s, "/uwapi/"+g.ID+"/"+first+"/")
		if got := fields(t, variant); got != "autoguiStartPosition gui id imageAutoGUIData name startPosition" {
			t.Errorf("%s has the fields %s", first, got)
		}
		var start struct{ StartPosition, AutoGUIStartPosition string }
		if err := json.Unmarshal(variant, &start); err != nil {
			t.Fatal(err)
		}
		position := get[json.RawMessage](t, s, "/uwapi/"+g.ID+"/"+first+"/positions/?p="+url.QueryEscape(start.StartPosition))
		if got := fields(t, position); got != "autoguiPosition moves position positionValue remoteness" {
			t.Errorf("%s: a position has the fields %s", first, got)
		}
		var p struct{ Moves []json.RawMessage }
		if err := json.Unmarshal(position, &p); err != nil || len(p.Moves) == 0 {
			t.Fatalf("%v: %s", err, position)
		}
		if got := fields(t, p.Moves[0]); got != "autoguiMove autoguiPosition deltaRemoteness move moveValue position positionValue remoteness" {
			t.Errorf("%s: a move has the fields %s", first, got)
		}
		if got := fields(t, get[json.RawMessage](t, s, "/uwapi/"+g.ID+"/"+first+"/instructions/?locale=en")); got != "instructions" {
			t.Errorf("%s: instructions have the fields %s", first, got)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("the games come as %v", names)
	}
}

// TestUWAPIErrors: what does not exist is status 200 and an error; what is no request
// at all is not.
func TestUWAPIErrors(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	for path, want := range map[string]string{
		"chess/":                           "Invalid Game",
		"domino/":                          "Invalid Game",
		"chess/regular/":                   "Invalid Game",
		"chess/regular/positions/?p=x":     "Invalid Game",
		"mnk/3x3":                          "Invalid Variant",
		"mnk/3x3k3-house/":                 "Invalid Variant",
		"chinesecheckers/star37-3p-house/": "Invalid Variant",
		"chinesecheckers/star37-2p-house/positions/":            "Invalid Position",
		"mnk/3x3k3/positions/?p=":                               "Invalid Position",
		"mnk/3x3k3/positions/?p=xxx.xxx.xxx":                    "Invalid Position",
		"mnk/3x3k3/positions/?p=" + strings.Repeat("3.", 20000): "Invalid Position",
		"mnk/nothing/instructions/?locale=en":                   "Invalid Variant",
	} {
		if got := get[map[string]string](t, s, "/uwapi/"+path); len(got) != 1 || got["error"] != want {
			t.Errorf("%.60s: %v, want %s", path, got, want)
		}
	}
	for path, want := range map[string]int{"mnk/3x3k3/positions/?p=%ff": 400, "mnk/3x3k3/positions/?q=x": 400, "mnk/3x3k3/others/": 404} {
		if w := do(s, request("GET", "/uwapi/"+path, "")); w.Code != want {
			t.Errorf("%s: status %d, want %d", path, w.Code, want)
		}
	}
	// With the slash and without, as is and by rules of one's own.
	for _, path := range []string{"mnk", "mnk/", "mnk/9x9k5", "mnk/9x9k5/", "chinesecheckers/5x5p6-gamesman", "chinesecheckers/4x4p3-filled+stay-in-goal/"} {
		if got := get[map[string]any](t, s, "/uwapi/"+path); got["error"] != nil || got["id"] == nil {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestUWAPIPositions plays games at random and holds every position of them against
// the rules of the API, stated plainly: a move says of the position after it what
// that position says of itself; values and distances agree with those of the moves;
// the order and the distances from the best follow from them.
func TestUWAPIPositions(t *testing.T) {
	e := newService(t)
	s := newTestServer(t, e, usual, nil)
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for _, v := range []struct{ path, id, rules string }{
		{"mnk/3x3k3", "mnk-3x3k3", ""},
		{"mnk/4x3k3", "mnk-4x3k3", ""},
		{"chinesecheckers/star13-2p-house", "halma-star13-2p", "house"},
		{"chinesecheckers/star13-2p-base", "halma-star13-2p", "base"},
		{"chinesecheckers/3x3p1-sturtevant", "halma-3x3p1", "sturtevant"},
		{"chinesecheckers/4x4p3-gamesman", "halma-4x4p3", "gamesman"},
	} {
		ask := func(position string) uwapiAnswer {
			return get[uwapiAnswer](t, s, "/uwapi/"+v.path+"/positions/?p="+url.QueryEscape(position))
		}
		for range 4 {
			_, at, err := e.State(explore.Query{Game: v.id, Rules: v.rules, Position: "start"})
			if err != nil {
				t.Fatal(err)
			}
			for range 12 {
				a := ask(at.String())
				checkUWAPI(t, e, v.id, v.rules, at, &a)
				seen[a.Value]++
				if at.Result() != game.Ongoing {
					break
				}
				for _, i := range r.Perm(len(a.Moves))[:min(4, len(a.Moves))] {
					m := a.Moves[i]
					if child := ask(m.Position); child.uwapiPlace != m.uwapiPlace {
						t.Errorf("%s: %s: after %s: %+v, which says of itself %+v", v.path, a.Position, m.Move, m.uwapiPlace, child.uwapiPlace)
					}
				}
				moves := at.Moves(nil)
				at.Make(moves[r.IntN(len(moves))])
			}
		}
	}
	for _, value := range []string{uwapiWin, uwapiLose, uwapiTie, uwapiDraw} {
		if seen[value] == 0 {
			t.Errorf("no position is a %s: %v", value, seen)
		}
	}
}

// checkUWAPI holds an answer against the rules of the API.
func checkUWAPI(t *testing.T, e explore.Explorer, id, rules string, at game.State, a *uwapiAnswer) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s %s: %s: %s", id, rules, at, fmt.Sprintf(format, args...))
	}
	if a.Position != at.String() || a.Moves == nil {
		fail("the position is %s, the moves %v", a.Position, a.Moves)
	}
	if got, want := len(a.Moves), len(at.Moves(nil)); got != want {
		fail("%d moves, want %d", got, want)
	}
	drawn := func(state game.State) string {
		p, err := e.Position(explore.Query{Game: id, Rules: rules, Position: state.String()})
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("%d_", state.Seat()+1)
		for _, piece := range p.Picture.Pieces {
			text += map[int]string{-1: "-", 0: "x", 1: "o"}[piece]
		}
		return text
	}
	if want := drawn(at); a.AutoGUI != want {
		fail("drawn as %s, want %s", a.AutoGUI, want)
	}
	best := map[string][]int{} // the distances after moves by value
	for _, m := range a.Moves {
		move, err := at.ParseMove(m.Move)
		if err != nil {
			t.Fatal(err)
		}
		at.Make(move)
		if m.Position != at.String() || m.AutoGUI == "" || m.uwapiPlace.AutoGUI != drawn(at) {
			fail("after %s: %+v", m.Move, m)
		}
		at.Unmake()
		inverse := map[string]string{uwapiWin: uwapiLose, uwapiLose: uwapiWin, uwapiTie: uwapiTie, uwapiDraw: uwapiDraw, uwapiUnsolved: uwapiUnsolved}
		if m.Value != inverse[m.uwapiPlace.Value] {
			fail("move %s is a %s and leads to a %s", m.Move, m.Value, m.uwapiPlace.Value)
		}
		best[m.Value] = append(best[m.Value], m.Remoteness)
		checkArrow(t, a.AutoGUI[2:], a.AutoGUI[0], m)
	}
	order := []string{uwapiWin, uwapiTie, uwapiDraw, uwapiLose, uwapiUnsolved}
	for i, m := range a.Moves {
		delta := 0
		switch m.Value {
		case uwapiWin, uwapiTie:
			delta = m.Remoteness - slices.Min(best[m.Value])
		case uwapiLose:
			delta = slices.Max(best[m.Value]) - m.Remoteness
		}
		if m.Delta != delta {
			fail("move %s: %d from the best, want %d", m.Move, m.Delta, delta)
		}
		if i > 0 {
			b := a.Moves[i-1]
			if x, y := slices.Index(order, b.Value), slices.Index(order, m.Value); x > y || x == y && b.Delta > m.Delta {
				fail("move %s comes before %s", b.Move, m.Move)
			}
		}
	}
	value, n := uwapiLose, 0 // what the moves say
	switch {
	case at.Result() != game.Ongoing:
		value = a.Value // lost, or by a rule that lets the mover win
		if at.Result() == game.Drawn {
			value = uwapiTie
		}
	case len(best[uwapiWin]) > 0:
		value, n = uwapiWin, 1+slices.Min(best[uwapiWin])
	case len(best[uwapiTie]) > 0:
		value, n = uwapiTie, 1+slices.Max(best[uwapiTie])
	case len(best[uwapiDraw]) > 0:
		value, n = uwapiDraw, -200
	default:
		n = 1 + slices.Max(best[uwapiLose])
	}
	if a.Value != value || a.Remoteness != n {
		fail("%s in %d, but by its moves %s in %d", a.Value, a.Remoteness, value, n)
	}
}

// checkArrow holds the drawing of a move against the position: from a piece of the
// mover to an empty place.
func checkArrow(t *testing.T, pieces string, turn byte, m uwapiMove) {
	t.Helper()
	own := seatChars[turn-'1']
	var from, to int
	var char rune
	switch {
	case scan(m.AutoGUI, "M_%d_%d", &from, &to):
		if pieces[from] != own || pieces[to] != '-' {
			t.Errorf("%s: arrow %s on %s", m.Move, m.AutoGUI, pieces)
		}
	case scan(m.AutoGUI, "A_%c_%d", &char, &to):
		if char == passChar != (m.Move == "pass") || m.Move == "pass" && to != len(pieces) || m.Move != "pass" && pieces[to] != '-' {
			t.Errorf("%s: button %s on %s", m.Move, m.AutoGUI, pieces)
		}
	default:
		t.Errorf("%s: drawn as %s", m.Move, m.AutoGUI)
	}
}

// scan reads a whole text by a format.
func scan(text, format string, into ...any) bool {
	n, err := fmt.Sscanf(text, format, into...)
	return err == nil && n == len(into)
}

// TestUWAPIUnknown: distances that are not known count as one more than those that
// are; values that are not known come last.
func TestUWAPIUnknown(t *testing.T) {
	moves := []uwapiMove{
		{Move: "a", Value: uwapiUnsolved, uwapiPlace: uwapiPlace{Remoteness: -100}},
		{Move: "b", Value: uwapiLose, uwapiPlace: uwapiPlace{Remoteness: 4}},
		{Move: "c", Value: uwapiLose, uwapiPlace: uwapiPlace{Remoteness: -100}},
		{Move: "d", Value: uwapiDraw, uwapiPlace: uwapiPlace{Remoteness: -200}},
		{Move: "e", Value: uwapiWin, uwapiPlace: uwapiPlace{Remoteness: -100}},
		{Move: "f", Value: uwapiWin, uwapiPlace: uwapiPlace{Remoteness: 7}},
		{Move: "g", Value: uwapiWin, uwapiPlace: uwapiPlace{Remoteness: 3}},
		{Move: "h", Value: uwapiTie, uwapiPlace: uwapiPlace{Remoteness: -100}},
	}
	sortUWAPI(moves)
	var got []string
	for _, m := range moves {
		got = append(got, fmt.Sprintf("%s%d", m.Move, m.Delta))
	}
	if text := strings.Join(got, " "); text != "g0 f4 e5 h0 d0 c0 b1 a0" {
		t.Errorf("sorted as %s", text)
	}
	open := explore.Worth{Value: explore.Open}
	if v, n := uwapiWorth(open, false, true, 0); v != uwapiUnsolved || n != -100 {
		t.Errorf("open is %s in %d", v, n)
	}
	if v, n := uwapiWorth(explore.Worth{Value: explore.Win, Final: true}, false, true, 0); v != uwapiWin || n != -100 {
		t.Errorf("a win of unknown length is %s in %d", v, n)
	}
}

// TestUWAPIPictures: every character that a position has is drawn, every place lies
// in the space, and all pictures are whole.
func TestUWAPIPictures(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	for _, path := range []string{"chinesecheckers/star37-2p-house", "chinesecheckers/5x5p6-gamesman", "mnk/3x3k3", "mnk/4x7k4"} {
		v := get[struct {
			AutoGUI string  `json:"autoguiStartPosition"`
			Image   imageUI `json:"imageAutoGUIData"`
		}](t, s, "/uwapi/"+path+"/")
		theme, ok := v.Image.Themes[v.Image.Default]
		chars, places := "xo", len(v.AutoGUI)-2
		if strings.HasPrefix(path, "chinesecheckers") { // there are passes
			chars, places = "xop", places+1
		}
		if !ok || len(theme.Centers) != places || len(theme.Images) != len(chars) {
			t.Errorf("%s: %d centres for %s", path, len(theme.Centers), v.AutoGUI)
		}
		for i, c := range theme.Centers {
			if c[0] < 0.4 || c[1] < 0.4 || c[0] > theme.Space[0]-0.4 || c[1] > theme.Space[1]-0.4 {
				t.Errorf("%s: centre %d is at %v in %v", path, i, c, theme.Space)
			}
		}
		pictures := []string{theme.Background}
		for _, c := range chars {
			if theme.Images[string(c)].Scale <= 0 {
				t.Errorf("%s: %c is drawn as %+v", path, c, theme.Images[string(c)])
			}
			pictures = append(pictures, theme.Images[string(c)].Image)
		}
		for _, p := range pictures {
			data, ok := strings.CutPrefix(p, "data:image/svg+xml;base64,")
			svg, err := base64.StdEncoding.DecodeString(data)
			if !ok || err != nil {
				t.Fatalf("%s: %v: %.60s", path, err, p)
			}
			for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v: %s", path, err, svg)
				}
			}
		}
	}
}
