package serve

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"perfectplay/app/explore"
	"perfectplay/game/wing"
	"perfectplay/game/wing/drawing"
)

// The API of GamesmanUni (UWAPI), as its server has it: every game of two seats that
// is played on cells. Its words are lower case: positionValue is for the player
// to move, moveValue for the one who moves.
//
//	/uwapi/                                         the games
//	/uwapi/GAME/                                    its variants: boards with rules
//	/uwapi/GAME/VARIANT/                            the first position, how to draw it
//	/uwapi/GAME/VARIANT/positions/?p=POSITION       values of the position and its moves
//	/uwapi/GAME/VARIANT/instructions/?locale=en     the rules for people
//
// What does not exist is answered with status 200 and an error, as its clients
// expect. A pass, which it does not know, is a button below the board.

// uwapiPath is where the API is.
const uwapiPath = "/uwapi/"

// The values of positions and moves.
const (
	uwapiWin      = "win"
	uwapiLose     = "lose"
	uwapiTie      = "tie"
	uwapiDraw     = "draw" // by endless play
	uwapiUnsolved = "unsolved"
)

// The distances that are no numbers of plies. There is no word for one that
// nobody knows to be finite; it is written as finite.
const (
	finite   = -100
	infinite = -200
)

// uwapi lists the games.
type uwapi struct {
	games []uwapiGame
}

// uwapiGame is a family of games.
type uwapiGame struct {
	id, family string
	title      string
	about      string
	rules      []wing.Rules
	variants   func() ([]uwapiVariant, error) // all boards with all rules, opened when first asked for
}

// uwapiVariant is a game of the family under a rule set.
type uwapiVariant struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	GUI  string `json:"gui"`
}

// uwapiIDs are the ids that games have there, where they differ from ours.
var uwapiIDs = map[string]string{"halma": "chinesecheckers"}

// uwapiGUI is the kind of drawing: a picture for every character.
const uwapiGUI = "v2"

// newUWAPI lists the games.
func newUWAPI(e explore.Explorer) (*uwapi, error) {
	u := new(uwapi)
	for _, f := range e.Games() {
		g := uwapiGame{id: cmp.Or(uwapiIDs[f.Name], f.Name), family: f.Name, title: f.Title, about: f.About, rules: f.Rules}
		g.variants = sync.OnceValues(func() ([]uwapiVariant, error) { return variants(e, f) })
		first, err := e.Game(f.Games[0], "")
		if err != nil {
			return nil, err
		}
		if drawable(first) {
			u.games = append(u.games, g)
		}
	}
	slices.SortFunc(u.games, func(a, b uwapiGame) int { return cmp.Compare(a.title, b.title) })
	return u, nil
}

// variants lists the games of a family that exist in that API.
func variants(e explore.Explorer, f explore.Family) (list []uwapiVariant, err error) {
	for _, id := range f.Games {
		about, err := e.Game(id, "")
		if err != nil {
			return nil, err
		}
		if !drawable(about) {
			continue
		}
		sets := about.RuleSets
		if len(sets) == 0 {
			sets = []wing.Rules{{}}
		}
		for _, r := range sets {
			list = append(list, variantOf(f.Name, id, r.Name))
		}
	}
	return list, nil
}

// drawable reports whether a game exists in that API.
func drawable(g *explore.Game) bool { return len(g.Board.Seats) == 2 && len(g.Board.Cells) > 0 }

// variantOf names a game of a family under rules: star37-2p-house.
func variantOf(family, id, rules string) uwapiVariant {
	board := strings.TrimPrefix(id, family+"-")
	if rules == "" {
		return uwapiVariant{board, board, uwapiGUI}
	}
	return uwapiVariant{board + "-" + rules, board + ", rules " + rules, uwapiGUI}
}

// errUWAPI is what the API answers to what does not exist.
type errUWAPI string

func (e errUWAPI) Error() string { return "Invalid " + string(e) }

// The things that may not exist.
const (
	noGame     errUWAPI = "Game"
	noVariant  errUWAPI = "Variant"
	noPosition errUWAPI = "Position"
)

// sendUWAPI sends an answer, or what does not exist.
func sendUWAPI(w *response, r *http.Request, v any, k keep, err error) error {
	if none := errUWAPI(""); errors.As(err, &none) {
		return sendJSON(w, r, map[string]string{"error": none.Error()}, never)
	}
	if err != nil {
		return err
	}
	return sendJSON(w, r, v, k)
}

// find returns the game of a path.
func (s *Server) find(r *http.Request) (*uwapiGame, error) {
	u, err := s.uwapi()
	if err != nil {
		return nil, err
	}
	for i := range u.games {
		if u.games[i].id == r.PathValue("game") {
			return &u.games[i], nil
		}
	}
	return nil, noGame
}

// variant returns the game and the variant of a path. Variants that are not in the
// list exist, too: any board, any rules.
func (s *Server) variant(r *http.Request) (*uwapiGame, *explore.Game, error) {
	g, err := s.find(r)
	if err != nil {
		return nil, nil, err
	}
	words := strings.Split(r.PathValue("variant"), "-")
	for n := 1; n <= min(len(words), 3); n++ { // words of the board; the rest are rules
		about, err := s.o.Explorer.Game(g.family+"-"+strings.Join(words[:n], "-"), strings.Join(words[n:], "-"))
		if err == nil && drawable(about) {
			return g, about, nil
		}
	}
	return nil, nil, noVariant
}

func (s *Server) uwapiGames(w *response, r *http.Request) error {
	type item struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Type string `json:"type"`
		GUI  string `json:"gui"`
	}
	u, err := s.uwapi()
	if err != nil {
		return err
	}
	list := []item{}
	for _, g := range u.games {
		list = append(list, item{g.id, g.title, "twoPlayer", uwapiGUI})
	}
	return sendJSON(w, r, list, asked)
}

func (s *Server) uwapiGame(w *response, r *http.Request) error {
	type answer struct {
		ID       string         `json:"id"`
		Name     string         `json:"name"`
		Variants []uwapiVariant `json:"variants"`
		Custom   bool           `json:"allowCustomVariantCreation"`
		WinBy    bool           `json:"supportsWinBy"`
	}
	g, err := s.find(r)
	var a answer
	if err == nil {
		a = answer{ID: g.id, Name: g.title, Custom: true}
		a.Variants, err = g.variants()
	}
	return sendUWAPI(w, r, a, asked, err)
}

func (s *Server) uwapiVariant(w *response, r *http.Request) error {
	type answer struct {
		uwapiVariant
		Start   string   `json:"startPosition"`
		AutoGUI string   `json:"autoguiStartPosition"`
		Image   *imageUI `json:"imageAutoGUIData"`
	}
	g, about, err := s.variant(r)
	var a answer
	if err == nil {
		var first *explore.Answer
		if first, err = s.o.Explorer.Position(explore.Query{Game: about.Game, Rules: about.Rules, Position: "start"}); err != nil {
			return err
		}
		a = answer{variantOf(g.family, about.Game, about.Rules), about.Start, autoGUI(first.Picture.Pieces, 0), newImageUI(about)}
	}
	return sendUWAPI(w, r, a, asked, err)
}

// uwapiPlace is what that API says of a position.
type uwapiPlace struct {
	Position   string `json:"position"`
	AutoGUI    string `json:"autoguiPosition"`
	Value      string `json:"positionValue"`
	Remoteness int    `json:"remoteness"`
}

// uwapiMove is a move with the position after it.
type uwapiMove struct {
	Move    string `json:"move"`
	AutoGUI string `json:"autoguiMove"`
	Value   string `json:"moveValue"`
	Delta   int    `json:"deltaRemoteness"`
	uwapiPlace
}

// uwapiAnswer is a position with its moves.
type uwapiAnswer struct {
	uwapiPlace
	Moves []uwapiMove `json:"moves"`
}

func (s *Server) uwapiPosition(w *response, r *http.Request) error {
	p, err := readParams(r, "p")
	if err != nil {
		return err
	}
	_, about, err := s.variant(r)
	if err != nil {
		return sendUWAPI(w, r, nil, never, err)
	}
	q := explore.Query{Game: about.Game, Rules: about.Rules, Position: p["p"]}
	if len(q.Position) > mostText {
		return sendUWAPI(w, r, nil, never, noPosition)
	}
	a, free, err := s.ask(r.Context(), q)
	if wrongQuery := (*explore.Error)(nil); errors.As(err, &wrongQuery) {
		err = noPosition
	}
	if err != nil {
		return sendUWAPI(w, r, nil, never, err)
	}
	defer free()
	_, at, err := s.o.Explorer.State(q)
	if err != nil {
		return err
	}
	return sendJSON(w, r, uwapiOf(about, a, at.Seat()), settled(a))
}

// uwapiOf puts an answer into the words of the API. seat is to move.
func uwapiOf(g *explore.Game, a *explore.Answer, seat int) *uwapiAnswer {
	left := 0 // moves until a board that gets full is full
	if !g.Endless {
		for _, p := range a.Picture.Pieces {
			if p < 0 {
				left++
			}
		}
	}
	place := func(position string, pieces []int, seat int, w explore.Worth, over bool, left int) uwapiPlace {
		v, n := uwapiWorth(w, over, g.Endless, left)
		return uwapiPlace{position, autoGUI(pieces, seat), v, n}
	}
	u := &uwapiAnswer{place(a.Position, a.Picture.Pieces, seat, a.Worth, a.Over, left), []uwapiMove{}}
	for _, m := range a.Moves {
		move := uwapiMove{Move: m.Move, AutoGUI: autoMove(&g.Board, m.Trace)}
		move.uwapiPlace = place(m.Position, after(a.Picture.Pieces, seat, m.Trace), 1-seat, turned(m.Worth), m.Over, left-1)
		switch move.uwapiPlace.Value {
		case uwapiWin:
			move.Value = uwapiLose
		case uwapiLose:
			move.Value = uwapiWin
		default:
			move.Value = move.uwapiPlace.Value
		}
		u.Moves = append(u.Moves, move)
	}
	sortUWAPI(u.Moves)
	return u
}

// turned is what a move is worth to the seat that moves next, counted from the
// position after the move.
func turned(w explore.Worth) explore.Worth {
	switch w.Value {
	case explore.Win:
		w.Value = explore.Loss
	case explore.Loss:
		w.Value = explore.Win
	}
	if w.Distance != nil {
		n := *w.Distance - 1
		w.Distance = &n
	}
	return w
}

// uwapiWorth is a value and a remoteness. left is the number of moves to the end of
// a game that ends in a tie when the board is full.
func uwapiWorth(w explore.Worth, over, endless bool, left int) (string, int) {
	switch {
	case !w.Final && !over, w.Value == explore.Open:
		return uwapiUnsolved, finite
	case w.Value == explore.Draw && over:
		return uwapiTie, 0
	case w.Value == explore.Draw && endless:
		return uwapiDraw, infinite
	case w.Value == explore.Draw:
		return uwapiTie, left
	}
	word := uwapiWin
	if w.Value == explore.Loss {
		word = uwapiLose
	}
	switch {
	case over:
		return word, 0
	case w.Distance == nil:
		return word, finite
	}
	return word, *w.Distance
}

// sortUWAPI finds how much worse than the best of its value each move is, in plies,
// and sorts the best first. A distance that is not known counts as one more than
// the largest that is.
func sortUWAPI(moves []uwapiMove) {
	type span struct{ least, most int }
	known := map[string]span{}
	for _, m := range moves {
		if m.Remoteness < 0 {
			continue
		}
		s, ok := known[m.Value]
		if !ok {
			s = span{m.Remoteness, m.Remoteness}
		}
		known[m.Value] = span{min(s.least, m.Remoteness), max(s.most, m.Remoteness)}
	}
	guessed := map[string]bool{}
	for _, m := range moves {
		if m.Remoteness == finite {
			guessed[m.Value] = true
		}
	}
	for i := range moves {
		m := &moves[i]
		s, some := known[m.Value]
		n := m.Remoteness
		if n == finite {
			n = s.most + 1
		}
		switch {
		case !some || m.Value == uwapiDraw || m.Value == uwapiUnsolved:
		case m.Value == uwapiLose && guessed[m.Value]:
			m.Delta = s.most + 1 - n
		case m.Value == uwapiLose:
			m.Delta = s.most - n
		default:
			m.Delta = n - s.least
		}
	}
	order := []string{uwapiWin, uwapiTie, uwapiDraw, uwapiLose, uwapiUnsolved}
	slices.SortStableFunc(moves, func(a, b uwapiMove) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Value), slices.Index(order, b.Value)), cmp.Compare(a.Delta, b.Delta))
	})
}

func (s *Server) uwapiInstructions(w *response, r *http.Request) error {
	if _, err := readParams(r, "locale"); err != nil {
		return err
	}
	g, about, err := s.variant(r)
	var a map[string]string
	if err == nil {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n%s\n\n", g.title, g.about)
		if about.About != "" {
			fmt.Fprintf(&b, "## Rules\n\n%s\n\n", about.About)
		}
		if about.Endless {
			b.WriteString("Play that goes on for ever is a draw. Who cannot move passes, by the button below the board.\n\n")
		}
		fmt.Fprintf(&b, "This board: `%s`. Seat %s moves first.\n", about.Game, about.Board.Seats[0].Name)
		a = map[string]string{"instructions": b.String()}
	}
	return sendUWAPI(w, r, a, asked, err)
}

// seatChars stand for the seats in the strings of that API.
const seatChars = "xo"

// autoGUI is what stands where, and who is to move.
func autoGUI(pieces []int, seat int) string {
	b := make([]byte, 0, len(pieces)+2)
	b = append(b, byte('1'+seat), '_')
	for _, p := range pieces {
		if p < 0 {
			b = append(b, '-')
		} else {
			b = append(b, seatChars[p])
		}
	}
	return string(b)
}

// after is what stands where after a move.
func after(pieces []int, seat int, t wing.Trace) []int {
	pieces = slices.Clone(pieces)
	if n := len(t.Path); n > 0 {
		if n > 1 {
			pieces[t.Path[0]] = -1
		}
		pieces[t.Path[n-1]] = seat
	}
	return pieces
}

// passChar is the character of the button for a pass.
const passChar = 'p'

// autoMove is a move as an arrow, or as a button where a piece is put or nothing
// moves.
func autoMove(b *wing.Board, t wing.Trace) string {
	switch n := len(t.Path); n {
	case 0:
		return fmt.Sprintf("A_%c_%d", passChar, len(b.Cells))
	case 1:
		return "A_-_" + strconv.Itoa(t.Path[0])
	default:
		return fmt.Sprintf("M_%d_%d", t.Path[0], t.Path[n-1])
	}
}

// imageUI says how positions are drawn.
type imageUI struct {
	Default string              `json:"defaultTheme"`
	Themes  map[string]uwapiUIs `json:"themes"`
}

// uwapiUIs is a theme. Its unit is the distance of neighbouring cells.
type uwapiUIs struct {
	Space      [2]float64           `json:"space"`
	Centers    [][2]float64         `json:"centers"`
	Background string               `json:"background"`
	Images     map[string]charImage `json:"charImages"`
	ArrowWidth float64              `json:"arrowWidth"`
	Button     float64              `json:"circleButtonRadius"`
	Below      bool                 `json:"entitiesOverArrows"`
}

// charImage draws a character.
type charImage struct {
	Image string  `json:"image"`
	Scale float64 `json:"scale"`
}

// newImageUI draws a board. The pictures are in the data themselves, so that a page
// of another site need not fetch them. Where a game has passes the last centre,
// below the board, is that of their button.
func newImageUI(g *explore.Game) *imageUI {
	b := g.Board
	t := uwapiUIs{ArrowWidth: 0.08, Button: 0.2, Below: true, Images: map[string]charImage{}}
	for _, c := range b.Cells {
		t.Centers = append(t.Centers, [2]float64{c.X, c.Y})
	}
	for seat := range b.Seats {
		t.Images[seatChars[seat:seat+1]] = charImage{dataURI(drawing.Piece(b, seat)), 0.7}
	}
	if g.Endless {
		t.Centers = append(t.Centers, [2]float64{b.Width / 2, b.Height + 0.5})
		t.Images[string(passChar)] = charImage{dataURI([]byte(passImage)), 0.9}
		b.Height++
	}
	t.Space = [2]float64{b.Width, b.Height}
	t.Background = dataURI(drawing.Board(b))
	return &imageUI{"plain", map[string]uwapiUIs{"plain": t}}
}

// passImage is the button for a pass.
const passImage = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect x="1" y="11" width="38" height="18" rx="9" fill="#495057"/>` +
	`<text x="20" y="24" font-family="sans-serif" font-size="12" text-anchor="middle" fill="#fff">pass</text></svg>`

// dataURI is a picture as a link.
func dataURI(svg []byte) string {
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)
}
