package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino"
	"perfectplay/game/domino/census"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/game/domino/players"
	"perfectplay/internal/cli"
)

// matchFlags are the flags of solve domino match. hidden holds the flags that choose a smaller game
// and solve it.
type matchFlags struct {
	hidden  hiddenFlags
	set     string
	games   int
	scoring string
	hand    string
	lines   uint64
	seed    uint64
}

func newMatchCommand(a *family.App) *cobra.Command {
	var f matchFlags
	about := ""
	for _, k := range players.Kinds() {
		about += fmt.Sprintf("  %-13s%s\n", k.Name, k.About)
	}
	cmd := &cobra.Command{
		Use:   "match A B",
		Short: "let players play against each other",
		Long: `match plays tournaments to 100 points between two players. Deals are random, and
the player with the better end gets the score of the deal. With --scoring deals
single deals are played instead, all started by A, and the answer is the mean
score of A; with --hand A holds that hand in all of them, starting or not. With
--scoring both each deal is played twice, the hands exchanged. With --lines only
deals are drawn that have at least N lines of play: of 40 deals one has 3,667 or
more, of 2,500 one has 10,000, of 200,000 one 20,000.

With --set other sets are dealt. The player equilibrium then solves
the whole set first, to --gap, as solve domino hidden does. equilibrium:N plays as
sampling until the rest of the deal has at most N numbers, and solves that; with
seven tiles each it samples in most decisions, and the share that it takes from
a solution is printed.

Players:
` + about,
		Example: "  solve domino match sampling candidates\n  solve domino match greedy candidates --scoring deals --lines 3667\n  solve domino match greedy random --scoring deals --games 100000\n" +
			"  solve domino match equilibrium greedy --set double-3:4 --scoring both",
		ValidArgsFunction: cli.Words(playerNames()),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.hidden.flags(cmd)
	fl := cmd.Flags()
	cli.Number(cmd, &f.games, "games", 1000, "play `N` tournaments, or deals with --scoring deals or --scoring both")
	cli.Choice(cmd, &f.scoring, "scoring", "tournaments", []string{"tournaments", "deals", "both"},
		"`SCORING`: tournaments to 100 points; deals, single ones that A starts; both, single ones played twice, with A in both seats")
	fl.StringVar(&f.hand, "hand", "", "deal A the `HAND` every time")
	cli.Number(cmd, &f.lines, "lines", 0, "draw only deals with at least `N` lines of play")
	fl.StringVar(&f.set, "set", "double-6:7", "deal tiles of `SET`: double-1 to double-6; double-3:4 deals four to each")
	cli.CompleteBy(cmd, "set", cli.Words(equilibrium.SetNames()))
	cli.SeedFlag(cmd, &f.seed)
	cli.Rules(cmd, cli.Within("games", 1, MaxMatch), cli.Within("lines", 1, int64(census.Complete().MostLines)),
		cli.Excludes("hand", "lines"))
	return cmd
}

func playerNames() (names []string) {
	for _, k := range players.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// MaxMatch bounds --games.
const MaxMatch = 100_000_000

func (f *matchFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	terms, err := f.terms()
	if err != nil {
		return cli.Usage(err)
	}
	var pair [2]players.Kind
	for i, name := range args {
		if pair[i], err = players.ByName(name); err != nil {
			return cli.Usage(err)
		}
	}
	match := func(s *equilibrium.Solver) error {
		return cli.Run(&f.hidden.job.Output, &a.Progress, cmd, "", int64(terms.Games), func(ctx context.Context, bar *cli.Bar) ([]players.Match, error) {
			if s != nil {
				if _, err := f.hidden.solve(ctx, bar, s); err != nil {
					return nil, err
				}
				for i := range pair {
					if pair[i].Name == solved {
						pair[i] = players.Equilibrium(s)
					}
				}
			}
			// After an interrupt, the games played so far count.
			r, err := PlayMatch(ctx, bar, pair[0], pair[1], terms)
			if r.Games == 0 {
				return nil, err
			}
			return []players.Match{r}, err
		}, cli.Grid[players.Match]("a", "b", "games", "a wins=win_percent:%.1f %%", "95 %=win_percent_low,win_percent_high:%.1f–%.1f",
			"score of a a deal=mean_score:%+.3f", "± error=std_err:%.3f", "deals",
			"a by solution=a_solved_percent?:%.1f %%", "b=b_solved_percent?:%.1f %%"))
	}
	if terms.Game.Tiles == domino.HandSize || !slices.Contains(args, solved) {
		return match(nil)
	}
	g, _, err := f.hidden.game(cmd, []string{equilibrium.SetNames()[terms.Game.Double-1], strconv.Itoa(terms.Game.Tiles)}, 0)
	if err != nil {
		return err
	}
	return f.hidden.solving(cmd, g, match)
}

func (f *matchFlags) terms() (t players.Terms, err error) {
	t = players.Terms{Games: f.games, Seed: f.seed, Threads: f.hidden.job.Threads}
	set, number, some := strings.Cut(f.set, ":")
	tiles := domino.HandSize
	if some {
		if tiles, err = strconv.Atoi(number); err != nil {
			return t, fmt.Errorf("--set %s: %q is no number of tiles", f.set, number)
		}
	}
	if t.Game, err = equilibrium.ParseGame(set, tiles, equilibrium.Study); err != nil {
		return t, err
	}
	if len(t.Game.Roots()) == 0 {
		return t, fmt.Errorf("%v: every deal is over with the first tile", t.Game)
	}
	switch {
	case f.scoring == "deals":
		t.Mode = players.Scores
	case f.scoring == "both":
		t.Mode = players.Both
	}
	if t.Lines = f.lines; f.lines > 0 && (t.Game.Double < domino.Numbers-1 || t.Game.Tiles < domino.HandSize) {
		return t, fmt.Errorf("--lines %d: only lines of double-6 with 7 tiles each are counted", f.lines)
	}
	if f.hand != "" {
		if t.Hand, err = domino.ParseSet(f.hand); err != nil {
			return t, err
		}
		if f.scoring != "deals" || t.Hand.Len() != tiles || t.Hand&^t.Game.All() != 0 {
			return t, fmt.Errorf("--hand %q: want %d tiles of the set, and --scoring deals", f.hand, tiles)
		}
	}
	return t, nil
}

// PlayMatch plays one pair; each game is a step of the bar. After an interrupt the record counts
// the games played.
func PlayMatch(ctx context.Context, bar *cli.Bar, x, y players.Kind, terms players.Terms) (players.Match, error) {
	bar.Describe("%s – %s", x.Name, y.Name)
	terms.Progress = func() { bar.Add(1) }
	return terms.Play(ctx, x, y)
}
