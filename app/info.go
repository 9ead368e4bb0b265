package app

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
)

func newInfoCommand(a *family.App) *cobra.Command {
	var f family.Flags
	var out cli.Output
	cmd := &cobra.Command{
		Use:   "info [GAME]",
		Short: "describe a game: board, rules, number of positions, table sizes",
		Long: `info GAME describes a game: its board, its rule sets, how many positions it has
exactly, and how large a table of all of them would be. For games that solve
strong can solve it says what that takes: memory, and processor time, judged from
a short run of the solver on this board. Without GAME it lists the games and rule
sets.`,
		Example: "  solve info halma-star37-2p",
		GroupID: cli.GroupAbout,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listGames(a, &out, cmd, f.Rules)
			}
			g, err := f.Open(args[0])
			if err != nil {
				return err
			}
			info := describe(a, g)
			if info.Source, err = source(a, args[0], f.Rules); err != nil {
				return err
			}
			if plan := a.Of(g).Plan; plan != nil {
				if err := plan(cmd.Context(), g, &info); err != nil {
					return err
				}
			}
			return cli.Records(&out, cmd, []family.Info{info}, func(w io.Writer, infos []family.Info) {
				a.Draw(w, g, g.Start())
				infoText(w, infos)
			})
		},
	}
	f.Flags(a, cmd)
	out.Flags(cmd)
	return cmd
}

// source names the best source of values for a game, and says if it covers only some
// positions.
func source(a *family.App, id, rules string) (string, error) {
	service, err := explore.New(explore.Options{Wings: a.Wings()})
	if err != nil {
		return "", err
	}
	defer service.Close()
	g, err := service.Game(id, rules)
	if err != nil {
		return "", err
	}
	about := g.Source.About
	if g.Source.Kind != wing.BySearch && !g.Solved {
		about += ", for some positions"
	}
	return about, nil
}

func listGames(a *family.App, out *cli.Output, cmd *cobra.Command, rules string) error {
	var infos []family.Info
	for _, fam := range a.Families {
		if fam.List != nil && rules == "" && out.ForPeople() {
			infos = append(infos, fam.List()...)
			continue
		}
		for _, id := range fam.IDs() {
			g, err := fam.Open(id, rules)
			if err != nil {
				if rules != "" {
					continue // some boards lack some rule sets
				}
				return err
			}
			if out.ForPeople() {
				infos = append(infos, outline(fam, g)) // the list prints no more
			} else {
				infos = append(infos, describe(a, g))
			}
		}
	}
	if len(infos) == 0 {
		return cli.Usagef("--rules %q: no game has these rules", rules)
	}
	return cli.Records(out, cmd, infos, func(w io.Writer, _ []family.Info) {
		cli.Grid[family.Info]("game", "cells=cells?", "seats", "pieces=pieces?", ">positions=positions", "bits=bits?")(w, infos)
		for _, fam := range a.Families {
			fmt.Fprintf(w, "\n%s: %s\n", fam.Name, fam.About)
			t := cli.NewTable("", "")
			for _, r := range fam.Rules {
				t.Row("  "+cmp.Or(r.Name, "(the only rules)"), strings.TrimPrefix(r.About, wing.OnlyRules))
			}
			t.Write(w)
		}
	})
}

func outline(fam family.Family, g game.Game) (info family.Info) {
	if fam.Info != nil {
		info = fam.Info(g)
	} else {
		n, by := new(big.Int), game.NumbererOf(g)
		if by != nil {
			n.SetUint64(by.Numbers())
		} else if fam.Positions != nil {
			big.NewFloat(fam.Positions(g)).Int(n)
		}
		if n.Sign() > 0 {
			info = family.NewInfo(n, n)
			info.Counted = "at most"
		}
		if by == nil { // the size of a table depends on the number of reachable positions
			info.ValueBytes, info.DistBytes, info.TableStates = "", "", ""
		}
		info.Cells = len(fam.Board(g).Cells)
	}
	info.Game, info.Rules, info.Seats = g.ID(), g.Rules(), g.Seats()
	return info
}

func describe(a *family.App, g game.Game) family.Info {
	fam := a.Of(g)
	info := outline(fam, g)
	s := g.Start()
	info.StartMoves, info.StartsAt = len(s.Moves(nil)), s.String()
	if k, ok := s.(game.Keyer); ok {
		info.KeyWords = k.KeyWords()
	}
	info.Names = strings.Join(wing.SeatNames(g), ", ")
	var sets, others []string
	for _, r := range fam.Rules {
		if _, err := fam.Open(g.ID(), r.Name); err == nil {
			sets = append(sets, r.Name)
			if r.Name != g.Rules() {
				others = append(others, r.Name)
			}
		}
		if r.Name == g.Rules() {
			info.About = r.About
		}
	}
	info.RuleSets, info.Others = strings.Join(sets, " "), strings.Join(others, ", ")
	info.RuledBy = strings.TrimPrefix(g.Rules()+": "+info.About, ": ")
	return info
}

var infoText = cli.Fields[family.Info]("game", "rules=RuledBy", "other rules=Others?", "cells=cells?", "seats=seats,Names:%d, named %s in turn order",
	"pieces=pieces?:%d a seat", "placements=placements?", "positions=positions?,Counted,bits:%s (%s), %d bits",
	"search key=key_words?:%d × 64 bits", "value table=value_bytes?,table_positions,Stored:%s: 2 bits for each of %s positions%s",
	"distance table=distance_bytes?:%s: 1 byte for each", "solve strong=Values?", "  its table=ValuesTable?", "  --distances=Distances?",
	"  its table=DistancesTable?", "  time, either way=Time?", "start=position", "first moves=start_moves",
	"its value=value?:%s for the seat to move", "best source=source?:%s: see solve analyse")
