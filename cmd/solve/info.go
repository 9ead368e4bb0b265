package main

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

func newInfoCommand(a *family.App) *cobra.Command {
	var f family.Flags
	var out cli.Output
	cmd := &cobra.Command{
		Use:   "info [GAME]",
		Short: "describe a game: board, rules, exact number of positions, table sizes",
		Long: `info GAME describes a game: its board, its rule sets, how many positions it has
exactly, and how large a table of all of them would be. For games that solve
strong can solve it says what that takes: memory, and processor time, judged from
a short run of the solver on this board. Without GAME it lists the games and rule
sets.`,
		Example:           "  solve info halma-star37-2p",
		GroupID:           cli.GroupAbout,
		Args:              cli.Args("[GAME]"),
		ValidArgsFunction: a.CompleteGame,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listGames(a, &out, cmd, f.Rules)
			}
			g, err := f.Open(args[0])
			if err != nil {
				return err
			}
			info := describe(a, g)
			if fam, err := a.Find(g.ID()); err == nil && fam.Plan != nil {
				if err := fam.Plan(cmd.Context(), g, &info); err != nil {
					return err
				}
			}
			return cli.Records(&out, cmd, []family.Info{info}, func(w io.Writer, _ []family.Info) error { return writeInfo(w, g, info) })
		},
	}
	f.Flags(a, cmd)
	out.Flags(cmd)
	return cmd
}

// listGames prints all games and rule sets.
func listGames(a *family.App, out *cli.Output, cmd *cobra.Command, rules string) error {
	var infos []family.Info
	for _, fam := range a.Families {
		for _, id := range fam.IDs() {
			g, err := fam.Open(id, rules)
			if err != nil {
				if rules != "" {
					continue // not every rule set is for every board
				}
				return err
			}
			infos = append(infos, describe(a, g))
		}
	}
	if len(infos) == 0 {
		return cli.Usagef("--rules %q: no game has these rules", rules)
	}
	return cli.Records(out, cmd, infos, func(w io.Writer, _ []family.Info) error {
		t := cli.NewTable("game", ">cells", ">seats", ">pieces", ">positions", ">bits")
		for _, i := range infos {
			positions, _ := new(big.Int).SetString(i.Positions, 10)
			shown := cli.BigCount(positions)
			if len(shown) > 40 {
				shown = fmt.Sprintf("%.3g", new(big.Float).SetInt(positions))
			}
			t.Row(i.Game, i.Cells, i.Seats, i.Pieces, shown, i.Bits)
		}
		if err := t.Write(w); err != nil {
			return err
		}
		for _, fam := range a.Families {
			fmt.Fprintf(w, "\n%s: %s\n", fam.Name, fam.About)
			t := cli.NewTable("", "")
			for _, r := range fam.Rules {
				name := r.Name
				if name == "" {
					name = "(the only rules)"
				}
				t.Row("  "+name, r.About)
			}
			if err := t.Write(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// describe returns what is known of a game.
func describe(a *family.App, g game.Game) family.Info {
	var info family.Info
	fam, err := a.Find(g.ID())
	if err == nil && fam.Info != nil {
		info = fam.Info(g)
	}
	s := g.Start()
	info.Game, info.Rules, info.Seats = g.ID(), g.Rules(), g.Seats()
	info.StartMoves, info.StartsAt = len(s.Moves(nil)), s.String()
	if k, ok := s.(game.Keyer); ok {
		info.KeyWords = k.KeyWords()
	}
	var sets []string
	for _, r := range fam.Rules {
		if _, err := fam.Open(g.ID(), r.Name); err == nil {
			sets = append(sets, r.Name)
		}
		if r.Name == g.Rules() {
			info.About = r.About
		}
	}
	info.RuleSets = strings.Join(sets, " ")
	return info
}

// writeInfo prints a description for people.
func writeInfo(w io.Writer, g game.Game, i family.Info) error {
	if d, ok := g.Start().(game.Drawer); ok {
		fmt.Fprintln(w, d.Picture())
	}
	number := func(text string) string {
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return "-"
		}
		return cli.BigCount(n)
	}
	bytes := func(text string) string {
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return "-"
		}
		return humanize.BigIBytes(n)
	}
	t := cli.NewTable("", "")
	t.Row("game", i.Game)
	rules := i.About
	if i.Rules != "" {
		rules = i.Rules + ": " + rules
	}
	t.Row("rules", rules)
	if others := except(strings.Fields(i.RuleSets), i.Rules); len(others) > 0 {
		t.Row("other rules", strings.Join(others, ", "))
	}
	t.Row("cells", i.Cells)
	t.Row("seats", fmt.Sprintf("%d, named %s in turn order", i.Seats, strings.Join(family.SeatNames(g), ", ")))
	if i.Pieces > 0 {
		t.Row("pieces", fmt.Sprintf("%d a seat", i.Pieces))
		t.Row("placements", number(i.Placements))
	}
	t.Row("positions", fmt.Sprintf("%s (%s), %d bits", number(i.Positions), i.Counted, i.Bits))
	if i.KeyWords > 0 {
		t.Row("search key", cli.Plural(i.KeyWords, "word")+" of 64 bits")
	}
	t.Row("value table", fmt.Sprintf("%s (2 bits for each of %s positions %s)", bytes(i.ValueBytes), number(i.TableStates), i.Stored))
	t.Row("distance table", bytes(i.DistBytes)+" (1 byte each)")
	for _, row := range i.Rows {
		t.Row(row[0], row[1])
	}
	t.Row("start", i.StartsAt)
	t.Row("first moves", i.StartMoves)
	return t.Write(w)
}

// except returns the words that are not the given one.
func except(words []string, word string) []string {
	var rest []string
	for _, w := range words {
		if w != word {
			rest = append(rest, w)
		}
	}
	return rest
}
