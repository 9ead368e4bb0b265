package main

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/game/mnk"
	"perfectplay/internal/cli"
)

// gameInfo is what solve info says about a game. Big numbers are decimal text,
// since JSON readers lose digits.
type gameInfo struct {
	Game        string `json:"game"`
	Rules       string `json:"rules"`
	About       string `json:"about"`
	Cells       int    `json:"cells"`
	Seats       int    `json:"seats"`
	Pieces      int    `json:"pieces"`
	Placements  string `json:"placements"`     // ways to place all pieces
	Positions   string `json:"positions"`      // placements with each seat to move
	Bits        int    `json:"bits"`           // of a dense position number
	KeyWords    int    `json:"key_words"`      // of a search table's key, 0 without one
	ValueBytes  string `json:"value_bytes"`    // of a table of values, 2 bits a position
	DistBytes   string `json:"distance_bytes"` // of a table of distances, 1 byte a position
	RuleSets    string `json:"rule_sets"`
	StartMoves  int    `json:"start_moves"`
	StartsAt    string `json:"start"`
	TableStates string `json:"table_states"` // positions a strong solve stores
	// What a strong solve takes, for values and with distances; all 0 where there
	// is none, and in the list of games. The time is an estimate of the processor
	// time of all threads together.
	ValuesMemory    uint64  `json:"strong_values_memory_bytes"`
	ValuesLeast     uint64  `json:"strong_values_least_memory_bytes"`
	DistancesMemory uint64  `json:"strong_distances_memory_bytes"`
	DistancesLeast  uint64  `json:"strong_distances_least_memory_bytes"`
	StrongSeconds   float64 `json:"strong_processor_seconds"`
	// For people only: what counts as a position, and as one in a table.
	counted, stored   string
	values, distances planRecord // with a time where there is a strong solve
	unsolvable        error      // why there is none, if that is about its size
}

func newInfoCommand(*app) *cobra.Command {
	var f gameFlags
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
		GroupID:           groupAbout,
		Args:              cli.Args("[GAME]"),
		ValidArgsFunction: completeGame,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.Check(); err != nil {
				return err
			}
			if len(args) == 0 {
				return listGames(&out, cmd, f.rules)
			}
			g, err := f.open(args[0])
			if err != nil {
				return err
			}
			info := describe(g)
			if err := info.plan(cmd.Context(), g); err != nil {
				return err
			}
			return cli.Records(&out, cmd, []gameInfo{info}, func(w io.Writer) error { return writeInfo(w, g, info) })
		},
	}
	f.Flags(cmd)
	out.Flags(cmd)
	return cmd
}

// listGames prints all games and rule sets.
func listGames(out *cli.Output, cmd *cobra.Command, rules string) error {
	var infos []gameInfo
	for _, fam := range families() {
		for _, id := range fam.ids() {
			g, err := fam.open(id, rules)
			if err != nil {
				if rules != "" {
					continue // not every rule set is for every board
				}
				return err
			}
			infos = append(infos, describe(g))
		}
	}
	if len(infos) == 0 {
		return cli.Usagef("--rules %q: no game has these rules", rules)
	}
	return cli.Records(out, cmd, infos, func(w io.Writer) error {
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
		for _, fam := range families() {
			fmt.Fprintf(w, "\n%s: %s\n", fam.name, fam.about)
			t := cli.NewTable("", "")
			for _, r := range fam.rules {
				name := r.name
				if name == "" {
					name = "(the only rules)"
				}
				t.Row("  "+name, r.about)
			}
			if err := t.Write(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// describe returns what is known of a game.
func describe(g game.Game) gameInfo {
	var info gameInfo
	fam, err := findFamily(g.ID())
	if err == nil && fam.info != nil {
		info = fam.info(g)
	}
	s := g.Start()
	info.Game, info.Rules, info.Seats = g.ID(), g.Rules(), g.Seats()
	info.StartMoves, info.StartsAt = len(s.Moves(nil)), s.String()
	if k, ok := s.(game.Keyer); ok {
		info.KeyWords = k.KeyWords()
	}
	var sets []string
	for _, r := range fam.rules {
		if _, err := fam.open(g.ID(), r.name); err == nil {
			sets = append(sets, r.name)
		}
		if r.name == g.Rules() {
			info.About = r.about
		}
	}
	info.RuleSets = strings.Join(sets, " ")
	return info
}

// plan finds out what a strong solve takes, if there is one for such games.
func (i *gameInfo) plan(ctx context.Context, g game.Game) error {
	h, ok := g.(*halma.Game)
	if !ok || h.Seats() != 2 {
		return nil
	}
	spec, err := h.TwoArmy()
	if err != nil {
		return err
	}
	o := strong.Options{Threads: runtime.GOMAXPROCS(0)}
	if i.values, i.unsolvable = newPlanRecord(spec, o); i.unsolvable != nil {
		return nil
	}
	o.Distances = true
	if i.distances, err = newPlanRecord(spec, o); err != nil {
		return err
	}
	if err := i.values.estimate(ctx, spec); err != nil {
		return err
	}
	i.ValuesMemory, i.ValuesLeast = i.values.Bytes, i.values.Least
	i.DistancesMemory, i.DistancesLeast = i.distances.Bytes, i.distances.Least
	i.StrongSeconds = i.values.Seconds
	return nil
}

// halmaInfo counts the positions of a Chinese Checkers game.
func halmaInfo(g game.Game) gameInfo {
	h := g.(*halma.Game)
	cells, pieces, seats := h.Board().Cells(), h.Board().Pieces(), h.Seats()
	placements := big.NewInt(1)
	for s := range seats {
		placements.Mul(placements, new(big.Int).Binomial(int64(cells-s*pieces), int64(pieces)))
	}
	positions := new(big.Int).Mul(placements, big.NewInt(int64(seats)))
	// With two seats the board turned and the seats exchanged is the same game.
	states := positions
	if seats == 2 {
		states = placements
	}
	last := new(big.Int).Sub(positions, big.NewInt(1))
	quarter := new(big.Int).Rsh(new(big.Int).Add(states, big.NewInt(3)), 2)
	return gameInfo{
		Cells: cells, Pieces: pieces,
		Placements: placements.String(), Positions: positions.String(), Bits: last.BitLen(),
		TableStates: states.String(), ValueBytes: quarter.String(), DistBytes: states.String(),
		counted: "placements with each seat to move", stored: "up to exchange of seats",
	}
}

// mnkInfo counts the positions of an m,n,k-game: s stones on N cells, half of
// them, rounded up, of the first player.
func mnkInfo(g game.Game) gameInfo {
	m := g.(*mnk.Game)
	cells := int64(m.Cells())
	positions := new(big.Int)
	for s := range cells + 1 {
		n := new(big.Int).Binomial(cells, s)
		positions.Add(positions, n.Mul(n, new(big.Int).Binomial(s, s/2)))
	}
	quarter := new(big.Int).Rsh(new(big.Int).Add(positions, big.NewInt(3)), 2)
	return gameInfo{
		Cells:      m.Cells(),
		Placements: positions.String(), Positions: positions.String(), Bits: new(big.Int).Sub(positions, big.NewInt(1)).BitLen(),
		TableStates: positions.String(), ValueBytes: quarter.String(), DistBytes: positions.String(),
		counted: "stones placed in turn, unreachable ones included", stored: "without symmetry",
	}
}

// writeInfo prints a description for people.
func writeInfo(w io.Writer, g game.Game, i gameInfo) error {
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
	t.Row("seats", fmt.Sprintf("%d, named %s in turn order", i.Seats, strings.Join(seatNames(g), ", ")))
	if i.Pieces > 0 {
		t.Row("pieces", fmt.Sprintf("%d a seat", i.Pieces))
		t.Row("placements", number(i.Placements))
	}
	t.Row("positions", fmt.Sprintf("%s (%s), %d bits", number(i.Positions), i.counted, i.Bits))
	if i.KeyWords > 0 {
		t.Row("search key", plural(i.KeyWords, "word")+" of 64 bits")
	}
	t.Row("value table", fmt.Sprintf("%s (2 bits for each of %s positions %s)", bytes(i.ValueBytes), number(i.TableStates), i.stored))
	t.Row("distance table", bytes(i.DistBytes)+" (1 byte each)")
	switch {
	case i.unsolvable != nil:
		t.Row("solve strong", "no: "+i.unsolvable.Error())
	case i.values.Threads > 0:
		t.Row("solve strong", i.values.memory())
		t.Row("  its table", humanize.IBytes(i.values.Table)+" before it is compressed")
		t.Row("  --distances", i.distances.memory())
		t.Row("  its table", humanize.IBytes(i.distances.Table)+" before it is compressed")
		t.Row("  either takes", i.values.time())
	}
	t.Row("start", i.StartsAt)
	t.Row("first moves", i.StartMoves)
	return t.Write(w)
}

// seatNames lists a game's seats in turn order.
func seatNames(g game.Game) []string {
	var names []string
	for s := range g.Seats() {
		names = append(names, g.SeatName(s))
	}
	return names
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
