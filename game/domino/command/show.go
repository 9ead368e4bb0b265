package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"perfectplay/game/domino"
	"perfectplay/game/domino/census"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
	"perfectplay/internal/files"
	"perfectplay/internal/plot"
)

// doubleRecord is the counts of the games that start with a double, or of all.
type doubleRecord struct {
	Start        string  `json:"start"` // a double, or all
	Games        int64   `json:"games"`
	Wins         int64   `json:"starter_wins"`
	Draws        int64   `json:"draws"`
	Losses       int64   `json:"starter_losses"`
	MeanScore    float64 `json:"mean_score"`
	Lines        int64   `json:"lines"`
	MeanLines    float64 `json:"mean_lines"`
	MedianLines  int     `json:"median_lines"`
	MostLines    int     `json:"most_lines"`
	Blocked      int64   `json:"blocked_lines"`
	Single       int64   `json:"single_line_games"`
	OneTile      int64   `json:"one_tile_games"`
	OnlyNegative int64   `json:"only_negative_games"`
	OnlyZero     int64   `json:"only_zero_games"`
	OnlyPositive int64   `json:"only_positive_games"`
}

func newDoubleRecord(start string, c *census.Counts) doubleRecord {
	r := doubleRecord{Start: start, Games: c.Games, OneTile: c.OneTile, Blocked: c.Blocked,
		OnlyNegative: c.Signs[domino.OnlyNegative], OnlyZero: c.Signs[domino.OnlyZero], OnlyPositive: c.Signs[domino.OnlyPositive]}
	if c.Games == 0 {
		return r
	}
	r.Wins, r.Draws, r.Losses = c.Outcomes()
	r.MeanScore, r.Lines, r.MeanLines = c.MeanScore(), c.Lines(), c.MeanLines()
	r.MedianLines, r.MostLines = c.Quantile(0.5), c.MostLines()
	if len(c.Leaves) > 1 {
		r.Single = c.Leaves[1]
	}
	return r
}

// valueRecord is a row of the distribution of values.
type valueRecord struct {
	Value int   `json:"value"` // for the starter
	Games int64 `json:"games"`
	D0    int64 `json:"start_0"`
	D1    int64 `json:"start_1"`
	D2    int64 `json:"start_2"`
	D3    int64 `json:"start_3"`
	D4    int64 `json:"start_4"`
	D5    int64 `json:"start_5"`
	D6    int64 `json:"start_6"`
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

// roleRecord adds up the hands with some number of doubles in one role.
type roleRecord struct {
	Doubles   int     `json:"doubles"`
	Role      string  `json:"role"`  // starter or second
	Hands     int     `json:"hands"` // that can have the role
	Games     int64   `json:"games"`
	Wins      int64   `json:"wins"` // of the owner of the hand
	Draws     int64   `json:"draws"`
	Score     int64   `json:"score"` // sum over all games, for the owner
	MeanScore float64 `json:"mean_score"`
	Lines     int64   `json:"lines"`
	Blocked   int64   `json:"blocked_lines"`
}

// widestRecord is a game with the most lines.
type widestRecord struct {
	Class int    `json:"class"` // games of a class are equal but for the names of the numbers
	Deal  string `json:"deal"`  // the starter's hand first
	Lines int64  `json:"lines"`
}

// showFlags are the flags of solve domino show.
type showFlags struct {
	out   cli.Output
	table string
	top   int
	hands []string
	plots string
}

func newShowCommand(a *family.App) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "results of the census, or of a part",
		Long: `show prints tables of a census file, of all games or of a part:

  doubles  games, outcomes, lines and signs by starting double
  values   games by value
  lines    games by number of lines of play
  hands    hands by mean score over all opponents, the strongest first
  weakest  the same from the other end
  roles    hands by the number of their doubles and by who starts
  widest   the games with the most lines

--plots DIR draws the distribution of values, that of lines, and the hands in
the order of their ranking.`,
		Example: `  solve domino show all.census --table hands --top 20
  solve domino show all.census --table hands --hand "0|6 1|6 2|6 3|6 4|6 5|6 6|6"`,
		Args: cli.Args("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.out.Flags(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.table, "table", "doubles", "table to print")
	fl.IntVar(&f.top, "top", 20, "with hands (but not --hand), weakest and widest: rows to print, 0 for all")
	fl.StringArrayVar(&f.hands, "hand", nil, "with hands: the place of `HAND` only; may be repeated")
	fl.StringVar(&f.plots, "plots", "", "draw the figures into `DIR`")
	return cmd
}

func (f *showFlags) run(cmd *cobra.Command, name string) error {
	if f.top < 0 {
		return cli.Usagef("--top %d: want 0 or more", f.top)
	}
	switch f.table {
	case "doubles", "values", "lines", "hands", "weakest", "roles", "widest":
	default:
		return cli.Usagef("--table %q: want doubles, values, lines, hands, weakest, roles or widest", f.table)
	}
	only := map[int32]bool{}
	for _, text := range f.hands {
		hand, err := domino.ParseHand(text)
		if err != nil {
			return cli.Usage(err)
		}
		only[int32(domino.RankHand(hand))] = true
	}
	if len(only) > 0 && f.table != "hands" {
		return cli.Usagef("--hand goes with --table hands")
	}
	if f.plots != "" {
		if err := files.WritableDir("the plots", f.plots); err != nil {
			return err
		}
	}
	c, err := census.Load(name)
	if err != nil {
		return err
	}
	t := c.Tally
	if f.plots != "" {
		if err := plotCensus(f.plots, t); err != nil {
			return err
		}
	}
	switch f.table {
	case "values":
		return f.values(cmd, t)
	case "lines":
		return f.lines(cmd, t)
	case "hands", "weakest":
		return f.ranking(cmd, t, only)
	case "roles":
		return f.roles(cmd, t)
	case "widest":
		return f.widest(cmd, t)
	}
	var records []doubleRecord
	for d := range t.ByDouble {
		records = append(records, newDoubleRecord(domino.Double(d).String(), &t.ByDouble[d]))
	}
	records = append(records, newDoubleRecord("all", t.All()))
	return cli.Records(&f.out, cmd, records, func(w io.Writer, _ []doubleRecord) error {
		fmt.Fprintf(w, "part %d/%d, %d of %d units, %s classes\n", c.Part, c.Parts, c.Done, census.Units, cli.Count(t.Classes))
		tab := cli.NewTable("start", ">games", ">starter wins", ">draws", ">loses", ">mean score", ">mean lines", ">median", ">most", ">blocked lines")
		for _, r := range records {
			tab.Row(r.Start, r.Games, cli.Percent(r.Wins, r.Games), cli.Percent(r.Draws, r.Games), cli.Percent(r.Losses, r.Games), fmt.Sprintf("%+.4f", r.MeanScore),
				fmt.Sprintf("%.4f", r.MeanLines), r.MedianLines, r.MostLines, cli.Percent(r.Blocked, r.Lines))
		}
		if err := tab.Write(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
		tab = cli.NewTable("start", ">one tile", ">single line", ">only negative", ">only zero", ">only positive")
		for _, r := range records {
			tab.Row(r.Start, r.OneTile, r.Single, r.OnlyNegative, r.OnlyZero, r.OnlyPositive)
		}
		return tab.Write(w)
	})
}

func (f *showFlags) values(cmd *cobra.Command, t *census.Tally) error {
	var records []valueRecord
	all := t.All()
	for i, n := range all.Values {
		if n == 0 {
			continue
		}
		at := func(d int) int64 { return t.ByDouble[d].Values[i] }
		records = append(records, valueRecord{census.ScoreOf(i), n, at(0), at(1), at(2), at(3), at(4), at(5), at(6)})
	}
	return cli.Records(&f.out, cmd, records, func(w io.Writer, _ []valueRecord) error {
		tab := cli.NewTable(">value", ">games", ">share", ">0|0", ">1|1", ">2|2", ">3|3", ">4|4", ">5|5", ">6|6")
		for _, r := range records {
			tab.Row(r.Value, r.Games, cli.Percent(r.Games, all.Games), r.D0, r.D1, r.D2,
				r.D3, r.D4, r.D5, r.D6)
		}
		return tab.Write(w)
	})
}

func (f *showFlags) lines(cmd *cobra.Command, t *census.Tally) error {
	var records []linesRecord
	for n, games := range t.All().Leaves {
		if games > 0 {
			records = append(records, linesRecord{n, games})
		}
	}
	return cli.Records(&f.out, cmd, records, func(w io.Writer, _ []linesRecord) error {
		tab := cli.NewTable(">lines", ">games")
		for _, r := range records {
			tab.Row(r.Lines, r.Games)
		}
		return tab.Write(w)
	})
}

// ranking prints hands in their order, or those of only if there are any.
func (f *showFlags) ranking(cmd *cobra.Command, t *census.Tally, only map[int32]bool) error {
	order := t.Hands.Ranking()
	var records []rankingRecord
	for i := range order {
		place := i
		if f.table == "weakest" {
			place = len(order) - 1 - i
		}
		if len(only) > 0 && !only[order[place]] {
			continue
		}
		if f.top > 0 && len(records) == f.top && len(only) == 0 {
			break
		}
		rank := int(order[place])
		total := t.Hands.Total(rank)
		starts, second := t.Hands[rank][domino.Starter], t.Hands[rank][domino.Second]
		r := rankingRecord{Place: place + 1, Hand: domino.UnrankHand(rank).String(), Games: total.Games,
			MeanScore: total.MeanScore(), WinPercent: 100 * total.WinShare(), DrawPercent: 100 * float64(total.Draws) / float64(total.Games),
			Starts: starts.Games, MeanLines: float64(total.Leaves) / float64(total.Games), Blocked: 100 * float64(total.Blocked) / float64(total.Leaves)}
		if starts.Games > 0 {
			r.StarterScore = starts.MeanScore()
		}
		if second.Games > 0 {
			r.SecondScore = second.MeanScore()
		}
		records = append(records, r)
	}
	return cli.Records(&f.out, cmd, records, func(w io.Writer, _ []rankingRecord) error {
		tab := cli.NewTable(">place", "hand", ">games", ">mean score", ">wins", ">draws", ">starts", ">mean lines", ">blocked")
		for _, r := range records {
			tab.Row(r.Place, r.Hand, r.Games, fmt.Sprintf("%+.4f", r.MeanScore), fmt.Sprintf("%.3f %%", r.WinPercent),
				fmt.Sprintf("%.3f %%", r.DrawPercent), r.Starts, fmt.Sprintf("%.2f", r.MeanLines), fmt.Sprintf("%.2f %%", r.Blocked))
		}
		return tab.Write(w)
	})
}

func (f *showFlags) roles(cmd *cobra.Command, t *census.Tally) error {
	hands := map[[2]int]int{} // by doubles and role
	for i := range t.Hands {
		for role := range t.Hands[i] {
			if t.Hands[i][role].Games > 0 {
				hands[[2]int{(domino.UnrankHand(i) & domino.Doubles).Len(), role}]++
			}
		}
	}
	var records []roleRecord
	for doubles, roles := range t.Hands.ByDoubles() {
		for role, r := range roles {
			if r.Games == 0 {
				continue
			}
			records = append(records, roleRecord{doubles, [2]string{"starter", "second"}[role], hands[[2]int{doubles, role}],
				r.Games, r.Wins, r.Draws, r.Score, r.MeanScore(), r.Leaves, r.Blocked})
		}
	}
	return cli.Records(&f.out, cmd, records, func(w io.Writer, _ []roleRecord) error {
		tab := cli.NewTable(">doubles", "role", ">hands", ">games", ">wins", ">draws", ">mean score", ">mean lines", ">blocked")
		for _, r := range records {
			tab.Row(r.Doubles, r.Role, r.Hands, r.Games, cli.Percent(r.Wins, r.Games), cli.Percent(r.Draws, r.Games),
				fmt.Sprintf("%+.4f", r.MeanScore), fmt.Sprintf("%.2f", float64(r.Lines)/float64(r.Games)), cli.Percent(r.Blocked, r.Lines))
		}
		return tab.Write(w)
	})
}

func (f *showFlags) widest(cmd *cobra.Command, t *census.Tally) error {
	var records []widestRecord
	for i, class := range t.Widest {
		for _, d := range census.Labelings(class) {
			if f.top == 0 || len(records) < f.top {
				records = append(records, widestRecord{i + 1, d.String(), t.MostLeaves})
			}
		}
	}
	return cli.Records(&f.out, cmd, records, func(w io.Writer, _ []widestRecord) error {
		tab := cli.NewTable(">class", "deal", ">lines")
		for _, r := range records {
			tab.Row(r.Class, r.Deal, r.Lines)
		}
		return tab.Write(w)
	})
}

// plotCensus draws the figures of a census in which something is counted.
func plotCensus(dir string, t *census.Tally) error {
	all := t.All()
	if all.Games == 0 {
		return errors.New("domino show: no game is counted yet: nothing to draw")
	}
	return cmp.Or(
		plot.Save(filepath.Join(dir, "domino-lines.svg"), linesPanel("Games by lines of play", all.Leaves, true)),
		plot.Save(filepath.Join(dir, "domino-values.svg"), valuesPanel(all)),
		plot.Save(filepath.Join(dir, "domino-hands.svg"), rankingPanels(t.Hands)...))
}
