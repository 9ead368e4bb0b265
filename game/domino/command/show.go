package command

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino"
	"perfectplay/game/domino/census"
	"perfectplay/internal/cli"
	"perfectplay/internal/plot"
)

// valueRecord counts the games of a value, by starting double.
type valueRecord struct {
	Score int   `json:"score"` // score for the starter
	Games int64 `json:"games"`
	D0    int64 `json:"start_0"`
	D1    int64 `json:"start_1"`
	D2    int64 `json:"start_2"`
	D3    int64 `json:"start_3"`
	D4    int64 `json:"start_4"`
	D5    int64 `json:"start_5"`
	D6    int64 `json:"start_6"`
	Of    int64 `json:"-"` // number of all games
}

// linesRecord is a row of the distribution of lines of play.
type linesRecord struct {
	Lines int   `json:"lines"`
	Games int64 `json:"games"`
}

// rankingRecord is a hand in the ranking.
type rankingRecord struct {
	Place        int     `json:"place"`
	Hand         string  `json:"hand"`
	Games        int64   `json:"games"`
	MeanScore    float64 `json:"mean_score"`
	WinPercent   float64 `json:"win_percent"`
	DrawPercent  float64 `json:"draw_percent"`
	Starts       int64   `json:"starts"`
	StarterScore float64 `json:"starter_mean_score"`
	SecondScore  float64 `json:"second_mean_score"`
	MeanLines    float64 `json:"mean_lines"`
	Blocked      float64 `json:"blocked_percent"`
}

// widestRecord is a game with the most lines.
type widestRecord struct {
	Class int    `json:"class"` // games of a class are equal but for the names of the numbers
	Deal  string `json:"deal"`  // the starter's hand first
	Lines int64  `json:"lines"`
}

type showFlags struct {
	out     cli.Output
	list    string
	top     int
	plot    string
	verbose bool
}

var showLists = []string{"doubles", "values", "lines", "hands", "widest"}

func newShowCommand(a *family.App) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "results of the census, or of a part",
		Long: `show prints a list from a census file, of all games or of a part:

  doubles  games, outcomes, lines and signs by starting double
  values   games by value
  lines    games by number of lines of play
  hands    hands by mean score over all opponents, the strongest first
  widest   the games with the most lines

With one of values, lines and hands --plot FILE draws the distribution, or the hands
in the order of their ranking.`,
		Example: `  solve domino show all.census --list hands --top 20`,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.out.Flags(cmd)
	cli.Verbose(cmd, &f.verbose)
	cli.Choice(cmd, &f.list, "list", "doubles", showLists, "`LIST` to print: "+strings.Join(showLists, ", "))
	cli.Number(cmd, &f.top, "top", 20, "with hands and widest: print `N` rows, 0 for all")
	plot.Flag(cmd, &f.plot, "the values, lines or hands of --list")
	return cmd
}

func (f *showFlags) run(cmd *cobra.Command, name string) error {
	show := map[string]func(cmd *cobra.Command, c *census.Census) error{
		"doubles": f.doubles, "values": f.values, "lines": f.lines, "hands": f.ranking, "widest": f.widest,
	}[f.list]
	if f.plot != "" && !slices.Contains([]string{"values", "lines", "hands"}, f.list) {
		return cli.Usagef("--plot goes with --list values, lines or hands")
	}
	c, err := census.Load(name)
	if err != nil {
		return err
	}
	if f.plot != "" {
		if err := plotCensus(f.plot, f.list, c.Tally); err != nil {
			return err
		}
	}
	return show(cmd, c)
}

func (f *showFlags) doubles(cmd *cobra.Command, c *census.Census) error {
	var records []census.Summary
	for d := range c.Tally.ByDouble {
		records = append(records, c.Tally.ByDouble[d].Summary(domino.Double(d).String()))
	}
	records = append(records, c.Tally.All().Summary("all"))
	return cli.Records(&f.out, cmd, records, func(w io.Writer, records []census.Summary) {
		fmt.Fprintf(w, "part %d/%d, %d of %d units, %s classes\n", c.Part, c.Parts, c.Done, census.Units, cli.Count(c.Tally.Classes))
		columns := []string{"start", "games", "starter wins=starter_wins/games", "draws=draws/games", "loses=starter_losses/games", "mean score=mean_score:%+.4f"}
		if f.verbose {
			columns = append(columns, "mean lines=mean_lines:%.4f", "median=median_lines", "most=most_lines", "blocked lines=blocked_lines/lines")
		}
		cli.Grid[census.Summary](columns...)(w, records)
		if f.verbose {
			fmt.Fprintln(w)
			cli.Grid[census.Summary]("start", "one tile=one_tile_games", "single line=single_line_games",
				"only negative=only_negative_games", "only zero=only_zero_games", "only positive=only_positive_games")(w, records)
		}
	})
}

func (f *showFlags) values(cmd *cobra.Command, c *census.Census) error {
	var records []valueRecord
	all := c.Tally.All()
	for i, n := range all.Values {
		if n > 0 {
			at := func(d int) int64 { return c.Tally.ByDouble[d].Values[i] }
			records = append(records, valueRecord{census.ScoreOf(i), n, at(0), at(1), at(2), at(3), at(4), at(5), at(6), all.Games})
		}
	}
	return cli.Records(&f.out, cmd, records, cli.Grid[valueRecord]("value=score", "games", "share=games/Of",
		"0|0=start_0", "1|1=start_1", "2|2=start_2", "3|3=start_3", "4|4=start_4", "5|5=start_5", "6|6=start_6"))
}

func (f *showFlags) lines(cmd *cobra.Command, c *census.Census) error {
	var records []linesRecord
	for n, games := range c.Tally.All().Leaves {
		if games > 0 {
			records = append(records, linesRecord{n, games})
		}
	}
	return cli.Records(&f.out, cmd, records, cli.Grid[linesRecord]("lines", "games"))
}

// ranking prints the hands in their order.
func (f *showFlags) ranking(cmd *cobra.Command, c *census.Census) error {
	hands := c.Tally.Hands
	var records []rankingRecord
	for place, hand := range hands.Ranking() {
		if f.top > 0 && place == f.top {
			break
		}
		rank := int(hand)
		total, starts, second := hands.Total(rank), hands[rank][domino.Starter], hands[rank][domino.Second]
		games := float64(total.Games)
		records = append(records, rankingRecord{place + 1, domino.UnrankHand(rank).String(), total.Games, total.MeanScore(),
			100 * float64(total.Wins) / games, 100 * float64(total.Draws) / games, starts.Games, starts.MeanScore(), second.MeanScore(),
			float64(total.Leaves) / games, 100 * float64(total.Blocked) / float64(total.Leaves)})
	}
	columns := []string{"place", "hand", "mean score=mean_score:%+.4f", "wins=win_percent:%.3f %%", "draws=draw_percent:%.3f %%"}
	if f.verbose {
		columns = append(columns, "games", "starts", "mean_lines", "blocked=blocked_percent:%.2f %%")
	}
	return cli.Records(&f.out, cmd, records, cli.Grid[rankingRecord](columns...))
}

func (f *showFlags) widest(cmd *cobra.Command, c *census.Census) error {
	var records []widestRecord
	for i, class := range c.Tally.Widest {
		for _, d := range census.Labelings(class) {
			if f.top == 0 || len(records) < f.top {
				records = append(records, widestRecord{i + 1, d.String(), c.Tally.MostLeaves})
			}
		}
	}
	return cli.Records(&f.out, cmd, records, cli.Grid[widestRecord]("class", "deal", "lines"))
}

// plotCensus draws lines, values or hands.
func plotCensus(file, list string, t *census.Tally) error {
	all := t.All()
	if all.Games == 0 {
		return errors.New("no game is counted yet: nothing to draw")
	}
	switch list {
	case "lines":
		return plot.Save(file, linesPanel("Games by lines of play", all.Leaves, true))
	case "values":
		return plot.Save(file, valuesPanel(all))
	}
	return plot.Save(file, rankingPanels(t.Hands)...)
}
