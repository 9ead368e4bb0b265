package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/internal/cli"
)

// family is a group of games whose ids begin alike and whose rules have the
// same names. A new kind of game is one more entry in families.
type family struct {
	name  string // the first word of its ids
	about string
	// open returns the game of an id under rules; empty rules are the default.
	open func(id, rules string) (game.Game, error)
	// reference returns the same game with a plain second move generator to
	// compare with; nil where there is none.
	reference func(game.Game) (game.Game, error)
	// info returns what solve info says about a game; nil where there is nothing.
	info func(game.Game) gameInfo
	// ids returns the ids to list and to complete; there may be more.
	ids func() []string
	// rules are the names of the rule sets with a sentence on each.
	rules []ruleDoc
}

// ruleDoc is a rule set for the help.
type ruleDoc struct{ name, about string }

// families returns all known games.
func families() []family { return []family{halmaFamily(), mnkFamily(), dominoFamily()} }

func halmaFamily() family {
	f := family{
		name:  "halma",
		about: "Chinese Checkers (Sternhalma): stars of 13, 37, 73, 121 holes for 2, 3, 4, 6 players; diamonds for 2",
		open: func(id, rules string) (game.Game, error) {
			if rules == "" {
				rules = "base"
			}
			g, err := halma.ByID(id, rules)
			if err != nil {
				return nil, err // not g: a nil pointer in an interface is not nil
			}
			return g, nil
		},
		reference: func(g game.Game) (game.Game, error) { return g.(*halma.Game).Mailbox(), nil },
		info:      halmaInfo,
		ids:       halmaIDs,
	}
	for _, name := range halma.Presets() {
		r, err := halma.Preset(name)
		if err != nil {
			continue // a preset that is listed is known
		}
		f.rules = append(f.rules, ruleDoc{name, r.Describe()})
	}
	return f
}

// halmaIDs lists every board and number of seats.
func halmaIDs() []string {
	var ids []string
	for _, holes := range []int{13, 37, 73, 121} {
		for _, seats := range []int{2, 3, 4, 6} {
			ids = append(ids, fmt.Sprintf("halma-star%d-%dp", holes, seats))
		}
	}
	for n := 2; n <= 11; n++ {
		for _, pieces := range []int{1, 2, 3, 4, 6, 10} {
			if _, err := halma.Diamond(n, pieces); err == nil {
				ids = append(ids, fmt.Sprintf("halma-%dx%dp%d", n, n, pieces))
			}
		}
	}
	return ids
}

func mnkFamily() family {
	return family{
		name:  "mnk",
		about: "m,n,k-games: rows, columns, and how many in a row win; any board to 70x70",
		open: func(id, rules string) (game.Game, error) {
			if rules != "" {
				return nil, fmt.Errorf("rules %q: m,n,k-games have one rule set only", rules)
			}
			g, err := mnk.ByID(id)
			if err != nil {
				return nil, err // not g: a nil pointer in an interface is not nil
			}
			return g, nil
		},
		reference: func(g game.Game) (game.Game, error) { return g.(*mnk.Game).Plain(), nil },
		info:      mnkInfo,
		ids: func() []string {
			return strings.Fields(`mnk-3x3k3 mnk-4x3k3 mnk-4x4k3 mnk-4x4k4 mnk-5x4k4 mnk-5x5k4 mnk-5x5k5 mnk-6x4k4
				mnk-6x5k4 mnk-6x6k4 mnk-6x6k5 mnk-6x6k6 mnk-7x4k4 mnk-7x5k4 mnk-7x6k4 mnk-7x7k4 mnk-7x5k5 mnk-7x6k5
				mnk-7x7k5 mnk-7x7k6 mnk-7x7k7 mnk-8x8k4 mnk-10x10k5 mnk-50x50k10 mnk-70x70k10`)
		},
		rules: []ruleDoc{{"", "whoever first has k in a row wins; a full board is a draw"}},
	}
}

// findFamily returns the family of an id.
func findFamily(id string) (family, error) {
	word, _, _ := strings.Cut(id, "-")
	var names []string
	for _, f := range families() {
		if f.name == word {
			return f, nil
		}
		names = append(names, f.name)
	}
	return family{}, cli.Usagef("unknown game %q: ids begin with %s-; solve info lists them", id, strings.Join(names, "- or "))
}

// reference returns a game with its second move generator.
func reference(g game.Game) (game.Game, error) {
	fam, err := findFamily(g.ID())
	if err != nil {
		return nil, err
	}
	if fam.reference == nil {
		return nil, cli.Usagef("%s has no second move generator to compare with", g.ID())
	}
	return fam.reference(g)
}

// gameFlags choose a game: the argument GAME and the flag --rules.
type gameFlags struct {
	rules string
}

// Flags adds --rules.
func (f *gameFlags) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.rules, "rules", "", "`RULES`, for instance house; solve info GAME lists them (default: the game's first)")
	_ = cmd.RegisterFlagCompletionFunc("rules", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, fam := range families() {
			if len(args) > 0 && !strings.HasPrefix(args[0], fam.name) {
				continue
			}
			for _, r := range fam.rules {
				if r.name == "" {
					continue
				}
				names = append(names, r.name+"\t"+r.about)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// open returns the game of an id under the flags. Its errors are usage errors.
func (f *gameFlags) open(id string) (game.Game, error) {
	fam, err := findFamily(id)
	if err != nil {
		return nil, err
	}
	g, err := fam.open(id, f.rules)
	return g, cli.Usage(err)
}

// openAt returns a game and the state at a position; an empty text or "start"
// is the start position.
func (f *gameFlags) openAt(id, position string) (game.Game, game.State, error) {
	g, err := f.open(id)
	if err != nil {
		return nil, nil, err
	}
	if position == "" || position == "start" {
		return g, g.Start(), nil
	}
	s, err := g.Parse(position)
	if err != nil {
		return nil, nil, cli.Usage(fmt.Errorf("--position: %w", err))
	}
	return g, s, nil
}

// completeGame completes the argument GAME.
func completeGame(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	for _, f := range families() {
		ids = append(ids, f.ids()...)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
