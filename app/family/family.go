// Package family is the registry of the games that the command knows: one [Family] for each wing.
// It reads the flags that choose a game, its rules and a position.
package family

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/game/wing/drawing"
	"perfectplay/internal/cli"
	"perfectplay/play/player"
	"perfectplay/play/transcript"
	"perfectplay/solve"
	"perfectplay/solve/book"
	"perfectplay/solve/table"
)

// Family is a wing with the parts that only the command needs. All are optional: a nil function
// offers nothing.
type Family struct {
	wing.Wing
	// Reference returns the same game with a second, plain move generator, for comparisons.
	Reference func(game.Game) (game.Game, error)
	// Info returns the answer of solve info about a game.
	Info func(game.Game) Info
	// Bounded means that play from the start meets no more positions than Info says.
	Bounded bool
	// List returns the games' rows in the list of games, under their first rules, without opening
	// the games.
	List func() []Info
	// Plan adds the memory and time of a complete solution to an Info.
	Plan func(context.Context, game.Game, *Info) error
	// Known has names of well-known games: small letters and digits only, such as tictactoe, or #
	// for any number.
	Known map[string]Known
	// Sets are names for several games, such as the games of a tournament.
	Sets map[string][]string
	// IsPart reports whether a file begins, in its first 64 bytes, like one of the family's own files
	// of parts, which the command MergeParts merges.
	IsPart     func(start []byte) bool
	MergeParts []string
	// Checker returns a checker of facts about a game; a nil checker leaves them to the search.
	Checker func(context.Context, game.Game, solve.Options) (Checker, error)
	// Proved returns a book's facts about a game, in the form that the wing's sources take.
	Proved func(game.Game, *book.Book) any
	// Walker returns a function that makes walkers over the positions of a table with the family's
	// own numbers. Each walker belongs to one goroutine; all together stay within memory bytes.
	// They share no code with the solvers; reference selects the plain move generator.
	Walker func(t *table.Table, reference bool, memory uint64) (func() table.Walker, error)
	// Solve solves a game for two and returns a table in memory, with distances, within memory
	// bytes; a nil table leaves the game to the solver of any game.
	Solve func(ctx context.Context, g game.Game, threads int, memory uint64) (*table.Table, error)
	// Strong adds the family's flags to solve strong and returns its solver for games of more
	// than one seat.
	Strong func(a *App, cmd *cobra.Command, f *Strong) func(cmd *cobra.Command, g game.Game) error
	// Help adds to the help of commands, by command name.
	Help map[string]Help
	// Commands returns the family's own subcommands of solve.
	Commands func(*App) []*cobra.Command
}

// Known leads from the usual name of a game to ids; without ids the game is not here. Note says
// why, or how our game differs.
type Known struct {
	IDs  []string
	Note string
}

// Help is a paragraph and examples that a family adds to the help of a command.
type Help struct{ Text, Example string }

// App is shared by the subcommands of one run.
type App struct {
	Progress cli.Progress
	Profile  cli.Profile
	Families []Family
	Program  string // name and version of the program, written into outputs and files
	Merging  cli.Merging

	listed sync.Once
	ids    []string // see IDs
	opened atomic.Pointer[game.Game]
}

// IDs returns the ids of all games to list. Its first call takes milliseconds.
func (a *App) IDs() []string {
	a.listed.Do(func() {
		for _, f := range a.Families {
			a.ids = append(a.ids, f.IDs()...)
		}
	})
	return a.ids
}

// Find returns the family of an id.
func (a *App) Find(id string) (Family, error) {
	word, _, _ := strings.Cut(id, "-")
	var names []string
	for _, f := range a.Families {
		if f.Name == word {
			return f, nil
		}
		names = append(names, f.Name)
	}
	near := a.near(id)
	switch {
	case len(near.IDs) > 0:
		near.Note = strings.TrimSpace(cli.DidYouMean(near.IDs) + " " + near.Note)
	case near.Note != "":
		near.Note = ": " + near.Note
	default:
		near.Note = fmt.Sprintf(": ids begin with %s; solve info lists them", cli.Or(names))
	}
	return Family{}, cli.Usagef("unknown game %q%s", id, near.Note)
}

// Of returns the family of an opened game.
func (a *App) Of(g game.Game) Family {
	fam, err := a.Find(g.ID())
	if err != nil {
		panic("family: " + err.Error()) // cannot happen: the family opened the game
	}
	return fam
}

// OpenAll returns the games of a list, separated by commas, of ids or names of sets. Its
// errors are usage errors.
func (a *App) OpenAll(list, rules string) (games []game.Game, err error) {
	for word := range strings.SplitSeq(list, ",") {
		ids := []string{word}
		for _, f := range a.Families {
			if set, ok := f.Sets[word]; ok {
				ids = set
			}
		}
		for _, id := range ids {
			g, err := a.Open(id, rules)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(games, func(h game.Game) bool { return h.ID() == g.ID() }) {
				return nil, cli.Usagef("%s is given twice", g.ID())
			}
			games = append(games, g)
		}
	}
	return games, nil
}

// Words with fewer letters are not looked for in ids, or not taken for mistyped ones.
const leastHeld, leastMistyped = 3, 4

// near returns what an unknown word may mean: a game of this name, ids that contain the word, or a
// name or ids spelt alike.
func (a *App) near(word string) Known {
	const most = 4
	plain, known := letters(word), map[string]Known{}
	for title, names := range elsewhere {
		for name := range strings.FieldsSeq(names) {
			known[name] = Known{Note: title + " is not here; solve info lists the games"}
		}
	}
	for _, f := range a.Families {
		maps.Copy(known, f.Known)
	}
	if k, ok := known[plain]; ok || len(plain) < leastHeld {
		return k
	}
	var held []string
	for _, id := range a.IDs() {
		if strings.Contains(letters(id), plain) {
			held = append(held, id)
		}
	}
	if len(held) > 0 || len(plain) < leastMistyped {
		return Known{IDs: held[:min(len(held), most)]}
	}
	if names := cli.Near(plain, slices.Sorted(maps.Keys(known))); len(names) > 0 {
		return known[names[0]]
	}
	return Known{IDs: cli.Near(word, a.IDs())}
}

var numbers = regexp.MustCompile(`\d+`)

func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}

// Wings returns the families' wings.
func (a *App) Wings() []wing.Wing {
	var list []wing.Wing
	for _, f := range a.Families {
		list = append(list, f.Wing)
	}
	return list
}

// KnownPlayer returns an error unless a level or a player of some family has this name.
func (a *App) KnownPlayer(name string) error {
	for _, f := range a.Families {
		if slices.Contains(f.Opponents, name) {
			return nil
		}
	}
	if player.Known(name) == nil {
		return nil
	}
	known := a.playerNames()
	return cli.Usagef("player %q: want %s%s", name, cli.Or(known), cli.DidYouMean(cli.Near(name, known)))
}

// playerNames lists the levels and the families' own players.
func (a *App) playerNames() []string {
	names := player.Names()
	for _, f := range a.Families {
		for _, n := range f.Opponents {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// PlayerList lists all players for help.
func (a *App) PlayerList() string {
	return cli.Wrap(strings.Split(strings.Join(a.playerNames(), ",\x00"), "\x00"), 8, "\n")
}

// Reference returns a game with its second move generator.
func (a *App) Reference(g game.Game) (game.Game, error) {
	reference := a.Of(g).Reference
	if reference == nil {
		return nil, cli.Usagef("%s has no second move generator to compare with", g.ID())
	}
	return reference(g)
}

// CompleteGame completes the argument GAME.
func (a *App) CompleteGame(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Clone(a.IDs()), cobra.ShellCompDirectiveNoFileComp
}

// Flags choose a game: its rules are the flag --rules.
type Flags struct {
	Rules string
	app   *App
}

// Flags adds --rules.
func (f *Flags) Flags(a *App, cmd *cobra.Command) {
	f.app = a
	cmd.Flags().StringVar(&f.Rules, "rules", "", "`RULES`, as solve info GAME lists them (default: the first)")
	_ = cmd.RegisterFlagCompletionFunc("rules", a.guarded(func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, fam := range a.Families {
			if len(args) > 0 && !strings.HasPrefix(args[0], fam.Name) {
				continue
			}
			for _, r := range fam.Rules {
				if r.Name == "" {
					continue
				}
				if len(args) > 0 {
					if _, err := fam.Open(args[0], r.Name); err != nil {
						continue // this board lacks the rule set
					}
				}
				names = append(names, r.Name+"\t"+r.About)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}))
}

// Open returns the game of an id under rules. Its errors are usage errors.
func (a *App) Open(id, rules string) (game.Game, error) {
	fam, err := a.Find(id)
	if err != nil {
		return nil, err
	}
	g, err := fam.Open(id, rules)
	if err == nil {
		a.opened.Store(&g)
		return g, nil
	}
	plain := letters(id)
	held := slices.ContainsFunc(a.IDs(), func(known string) bool { return strings.Contains(letters(known), plain) })
	k, exact := fam.Known[plain]
	if !exact && !held {
		k = fam.Known[numbers.ReplaceAllString(plain, "#")]
	}
	if k.Note != "" && k.IDs == nil {
		return nil, cli.Usagef("unknown game %q: %s", id, k.Note)
	}
	// If the id fails under the default rules, too, the id is wrong.
	hint := ""
	if _, wrong := fam.Open(id, ""); wrong != nil {
		hint = cli.DidYouMean(without(a.near(id).IDs, id))
	} else {
		var names []string
		for _, r := range fam.Rules {
			names = append(names, r.Name)
		}
		hint = cli.DidYouMean(without(cli.Near(rules, names), rules))
	}
	return nil, cli.Usagef("%w%s", err, hint)
}

// without drops a word from a list of hints: a word is no hint for itself.
func without(words []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == word })
}

// Open returns the game of an id under the flags. Its errors are usage errors.
func (f *Flags) Open(id string) (game.Game, error) { return f.app.Open(id, f.Rules) }

// At is a position on the command line: the flags --position and --moves.
type At struct {
	Position string   // a position as text, or the word start
	Moves    []string // moves played from Position
}

func (at *At) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&at.Position, "position", "start", "position as `TEXT`")
	cmd.Flags().StringSliceVar(&at.Moves, "moves", nil, "`MOVES` to play from the position first, for instance b1-c4,h1-g4")
}

// OpenAt returns the game of an id and the state at a position.
func (f *Flags) OpenAt(id string, at At) (game.Game, game.State, error) {
	return f.app.OpenAt(id, f.Rules, at)
}

// OpenAt returns the game of an id under rules and the state at a position.
func (a *App) OpenAt(id, rules string, at At) (game.Game, game.State, error) {
	g, err := a.Open(id, rules)
	if err != nil {
		return nil, nil, err
	}
	s, err := at.State(g)
	return g, s, err
}

// State returns the position in a game. Its errors are usage errors.
func (at *At) State(g game.Game) (game.State, error) {
	s, err := Parse(g, at.Position)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("--position: %w", err))
	}
	return s, Play(g, s, at.Moves)
}

// Unfinished returns the position in a game, and refuses one where the game is over.
func (at *At) Unfinished(g game.Game) (game.State, error) {
	s, err := at.State(g)
	if err == nil && s.Result() != game.Ongoing {
		err = cli.Usagef("position %s: the game is over there: %s", s, ResultText(g, s.Result()))
	}
	return s, err
}

// Play makes moves given as text; its errors are usage errors.
func Play(g game.Game, s game.State, moves []string) error {
	rec := transcript.Game{Moves: moves}
	if err := rec.Replay(game.NewCourse(g, s)); err != nil {
		return cli.Usage(fmt.Errorf("--moves: %w", err))
	}
	return nil
}

// Parse reads a position or the word start.
func Parse(g game.Game, text string) (game.State, error) {
	switch text {
	case "start":
		return g.Start(), nil
	case "":
		return nil, errors.New("no position; start is the first one")
	}
	return g.Parse(text)
}

// Title is a game's id with its rules, if it has several.
func Title(g game.Game) string {
	if g.Rules() == "" {
		return g.ID()
	}
	return g.ID() + ", rules " + g.Rules()
}

// Worth is the value of a position for the seat to move, a part of records.
type Worth struct {
	Value    game.Value `json:"value"`
	Distance *int       `json:"distance"` // plies to the end; nil if unknown, open or drawn
}

// NewWorth returns a value with its distance, which is ignored if negative or if nobody wins.
func NewWorth(v game.Value, distance int) Worth {
	if distance < 0 || v != game.Win && v != game.Loss {
		return Worth{Value: v}
	}
	return Worth{v, &distance}
}

func (w Worth) String() string {
	if w.Distance == nil {
		return w.Value.String()
	}
	return fmt.Sprintf("%v in %d", w.Value, *w.Distance)
}

// Compare compares as [wing.Worth.Compare] does.
func (w Worth) Compare(b Worth) int { return w.plain().Compare(b.plain()) }

func (w Worth) plain() wing.Worth {
	d := -1
	if w.Distance != nil {
		d = *w.Distance
	}
	return wing.Worth{Value: w.Value, Distance: d}
}

// ResultText says how a game ended.
func ResultText(g game.Game, r game.Result) string {
	if seat, ok := r.Winner(); ok {
		return "seat " + g.SeatName(seat) + " has won"
	}
	return "drawn"
}

// Draw writes a picture of a position and an empty line, in the colours of w. It writes nothing if
// the picture is too wide.
func (a *App) Draw(w io.Writer, g game.Game, s game.State) {
	if text := Picture(a.Of(g).Wing, g, s, drawing.Terminal{Width: cli.Room(w), Paint: cli.Painter(w)}); text != "" {
		fmt.Fprintln(w, text)
	}
}

// Picture is a picture of a position, as text.
func Picture(of wing.Wing, g game.Game, s game.State, t drawing.Terminal) string {
	mover := -1
	if s.Result() == game.Ongoing {
		mover = s.Seat()
	}
	return drawing.Text(of.Board(g), of.Picture(g, s), mover, t)
}

// ParseSeat returns the seat of a name.
func ParseSeat(g game.Game, name string) (int, error) {
	names := wing.SeatNames(g)
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	return 0, cli.Usagef("--hero %q: the seats of %s are %s", name, g.ID(), strings.Join(names, ", "))
}
