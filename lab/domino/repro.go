// Package domino holds the laboratory's command on block dominoes.
package domino

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino"
	"perfectplay/game/domino/census"
	"perfectplay/game/domino/command"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/game/domino/exact"
	"perfectplay/game/domino/players"
	"perfectplay/internal/cli"
	"perfectplay/lab/study2025"
)

// figure is a printed figure and our figure.
type figure struct {
	Section string `json:"section"`
	What    string `json:"what"`
	Printed string `json:"published"` // the figure as printed
	Ours    string `json:"ours"`      // our figure in the printed form
	// Number is our figure as a number, StdErr its standard error, Exact the figure of the complete
	// census. Each may be nil.
	Number  *float64 `json:"number"`
	StdErr  *float64 `json:"std_err"`
	Exact   *float64 `json:"exact_number"`
	Verdict string   `json:"verdict"` // equal, within error, differs or ours only
	Note    string   `json:"note"`

	Census string `json:"-"` // Exact for the printed text

	known                   bool // the printed figure is known to be wrong or to mean something else
	off                     bool // our figure differs from the census
	value, stderr, theirErr float64
}

// surprises counts the rows that differ unexpectedly.
func surprises(rows []figure) int {
	n := 0
	for _, r := range rows {
		if r.Verdict == cli.Differs && (r.off || !r.known) {
			n++
		}
	}
	return n
}

// wrong marks a row whose printed figure is known to be wrong or to mean something else.
func (r figure) wrong() figure {
	r.known = true
	return r
}

const (
	verdictWithin = "within error"
	verdictOurs   = "ours only"
)

// sections names the parts of lab repro domino, cheapest first.
var sections = []string{"deals", "counts", "hidden", "sample", "hands", "selected", "players"}

// figureTask computes some figures of a section. Tasks do not depend on each other.
type figureTask struct {
	section string
	steps   int64 // steps of the progress bar
	compute func(ctx context.Context, bar *cli.Bar) ([]figure, error)
}

// all lists the tasks by section.
func (f *reproFlags) all() []figureTask {
	list := []figureTask{
		{"deals", 0, singleDeals},
		{"counts", 0, counts},
		{"hidden", 0, hiddenHands},
		{"sample", int64(f.deals + (f.deals+3)/4), func(ctx context.Context, bar *cli.Bar) ([]figure, error) {
			s, err := f.draw(ctx, bar)
			if err != nil {
				return nil, err
			}
			return s.rows(), nil
		}},
	}
	for _, h := range study2025.Hands() {
		list = append(list, figureTask{"hands", exact.Opponents, func(ctx context.Context, bar *cli.Bar) ([]figure, error) {
			return f.hand(ctx, bar, h)
		}})
	}
	for _, m := range study2025.Matches() {
		t := figureTask{"players", int64(f.games), func(ctx context.Context, bar *cli.Bar) ([]figure, error) {
			return f.tournament(ctx, bar, m)
		}}
		if m.Scores() {
			t.section, t.steps = "selected", int64(f.deals/100)
			t.compute = func(ctx context.Context, bar *cli.Bar) ([]figure, error) { return f.meanScore(ctx, bar, m) }
		}
		list = append(list, t)
	}
	return list
}

type reproFlags struct {
	job      cli.Job
	sections []string
	deals    int
	games    int
	seed     uint64
	verbose  bool
}

// Repro returns the command lab repro domino.
func Repro(a *family.App) *cobra.Command {
	var f reproFlags
	cmd := &cobra.Command{
		Use:   "domino [--only LIST]",
		Short: "the figures of the 2025 study on block dominoes",
		Long: `repro domino computes again what a study of 2025 printed about block dominoes and
shows both beside each other, with a verdict and a comment. Estimates within four
standard errors of both figures are "within error". It fails if a figure differs,
except for those known to be wrong in print or to mean something else:

  deals    the sample of the log, the deal with most lines, five lost deals
  counts   deals, boards, deals with one tile, most lines of a deal
  hidden   double-two with hidden hands, as Brunozml/marl_dominoes (2024) solves it
  sample   mean lines, blocked lines, signs of scores: over --sample random deals,
           beside the exact figures of the complete census
  hands    eleven hands against all opponents, exactly
  selected mean scores of players over a hundredth of --sample deals with 3,667 lines and
           more, as the study's million of 40,000,320 has them
  players  tournaments`,
		Example: "  lab repro domino\n  lab repro domino --only hands --csv",
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.job.Flags(cmd, command.LeastMemory)
	cli.Verbose(cmd, &f.verbose)
	cli.Choices(cmd, &f.sections, "only", sections, sections, "sections to compute, as `WORDS`")
	cli.Number(cmd, &f.deals, "sample", 1_000_000, "draw `N` random deals for the statistics, and a hundredth for each mean score")
	cli.Number(cmd, &f.games, "games", 1000, "play `N` tournaments for each pair of players")
	cli.SeedFlag(cmd, &f.seed)
	cli.Rules(cmd, cli.Within("sample", 1000, 20_000_000), cli.Within("games", 1, command.MaxMatch))
	return cmd
}

func (f *reproFlags) run(a *family.App, cmd *cobra.Command) error {
	var chosen []figureTask
	steps := int64(0)
	for _, t := range f.all() {
		if slices.Contains(f.sections, t.section) {
			steps += t.steps
			chosen = append(chosen, t)
		}
	}
	var rows []figure
	err := cli.Run(&f.job.Output, &a.Progress, cmd, "figures", max(steps, 1), func(ctx context.Context, bar *cli.Bar) ([]figure, error) {
		for _, t := range chosen {
			bar.Describe("%s", t.section)
			more, err := t.compute(ctx, bar)
			for i := range more {
				more[i].Section = t.section
			}
			if rows = append(rows, more...); err != nil {
				return rows, err
			}
		}
		return rows, nil
	}, func(w io.Writer, _ []figure) {
		fmt.Fprintln(w, "Figures of a study of 2025 on the game tree of block dominoes, and ours")
		count := map[string]int{}
		for _, r := range rows {
			count[r.Verdict]++
		}
		columns := []string{"what", "printed=published", "ours", "verdict"}
		if f.verbose {
			columns = append(columns, "section", "census=Census", "note")
		}
		cli.Grid[figure](columns...)(w, rows)
		fmt.Fprintf(w, "%d figures: %d equal, %d within error, %d differ, %d ours only\n",
			len(rows), count[cli.Equal], count[verdictWithin], count[cli.Differs], count[verdictOurs])
	})
	if n := surprises(rows); err == nil && n > 0 {
		err = fmt.Errorf("%d of %d figures differ that should not", n, len(rows))
	}
	return err
}

// plusMinus writes a figure and its standard error, to two digits of the error.
func plusMinus(x, stderr float64) string {
	decimals := 2
	if stderr > 0 {
		decimals = max(0, 1-int(math.Floor(math.Log10(stderr))))
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, x, decimals, stderr)
}

// compare makes the row of a figure that must equal the printed one, if any.
func compare(what, printed string, ours any, note string) figure {
	r := figure{What: what, Printed: printed, Ours: fmt.Sprint(ours), Verdict: cli.Equal, Note: note}
	if n, err := strconv.ParseFloat(r.Ours, 64); err == nil {
		r.Number = &n
	}
	switch {
	case printed == "":
		r.Verdict = verdictOurs
	case printed != r.Ours:
		r.Verdict = cli.Differs
	}
	return r
}

// estimate makes the row of a figure with a standard error: stderr is that of our figure, theirErr
// that of the printed figure, 0 if unknown. It allows four standard errors and half a unit of the
// last printed digit.
func estimate(what, printed string, ours, stderr, theirErr float64, note string) figure {
	r := compare(what, printed, plusMinus(ours, stderr), note)
	r.value, r.stderr, r.theirErr = ours, stderr, theirErr
	r.Number, r.StdErr = &ours, &stderr
	if printed == "" {
		return r
	}
	half := 0.5
	if _, frac, ok := strings.Cut(printed, "."); ok {
		half = 0.5 * math.Pow(10, -float64(len(frac)))
	}
	if r.Verdict = verdictWithin; math.Abs(number(printed)-ours) > 4*math.Hypot(stderr, theirErr)+half {
		r.Verdict = cli.Differs
	}
	return r
}

// number reads a printed number, or 0.
func number(printed string) (n float64) {
	fmt.Sscan(printed, &n)
	return n
}

// beside adds the census's exact figure to an estimate. The note says how far our figure and the
// printed figure are from the exact one.
func (r figure) beside(exactly float64, format string) figure {
	r.Census, r.Exact = fmt.Sprintf(format, exactly), &exactly
	if r.theirErr > 0 {
		r.Note += fmt.Sprintf("; the study is off the census by %+.1f standard errors", (number(r.Printed)-exactly)/r.theirErr)
	}
	if r.stderr > 0 {
		r.Note += fmt.Sprintf("; this sample is off it by %+.1f", (r.value-exactly)/r.stderr)
		if math.Abs(r.value-exactly) > 4.5*r.stderr {
			r.Verdict, r.off = cli.Differs, true
		}
	}
	r.Note = strings.TrimPrefix(r.Note, "; ")
	return r
}

// deal reads a deal of the study or of this file.
func deal(text string) domino.Deal {
	d, _, err := domino.ParseDeal(text)
	if err != nil {
		panic("repro domino: " + err.Error())
	}
	return d
}

func singleDeals(context.Context, *cli.Bar) ([]figure, error) {
	s := exact.NewSolver()
	totals := study2025.Totals()
	d := deal(study2025.SampleDeal)
	var lines []string
	domino.WalkLeaves(d.Start(), func(leaf domino.Position) { lines = append(lines, leaf.LeafText()) })
	rows := []figure{
		compare("value of the sample deal", totals["sample_value"], s.Value(d), ""),
		compare("its last eight lines", study2025.SampleEnd, strings.Join(lines[len(lines)-8:], " "), ""),
		compare("lines of the widest deal", totals["most_leaves"], s.Stats(deal(study2025.WidestDeal)).Leaves,
			"the widest that the study met; see counts for the widest of all"),
	}
	for i, text := range study2025.LosingDeals() {
		v := s.Value(deal(text))
		ours := "lost"
		if v >= 0 {
			ours = "not lost"
		}
		rows = append(rows, compare(fmt.Sprintf("all sixes, lost deal %d", i+1), "lost", ours, fmt.Sprintf("value %d", v)))
	}
	return rows, nil
}

// widestDeal is one of the deals with the most lines of play, by the census.
const widestDeal = "0|0 0|1 0|2 1|1 1|2 2|2 3|3 / 0|3 0|4 1|3 1|4 2|3 2|4 3|4"

func counts(context.Context, *cli.Bar) ([]figure, error) {
	totals, all := study2025.Totals(), census.Complete()
	boards, oneTile := domino.CountOneTile()
	deals := int64(oneTile) * domino.SplitCount
	withCensus := func(r figure, n int64) figure {
		exactly := float64(n) // no rounding: n is below 2^53
		r.Exact = &exactly
		if r.Census = fmt.Sprint(n); r.Census != r.Ours {
			r.Verdict, r.off = cli.Differs, true
		}
		return r
	}
	return []figure{
		compare("boards of fourteen tiles with a double", totals["boards"], boards, "by enumeration; 28 over 14 minus 21 over 14"),
		compare("ways to split a board", totals["splits"], domino.SplitCount, "14 over 7"),
		withCensus(compare("deals to two named players", totals["deals"], int64(domino.DealCount),
			"the census's distinct games, twice"), 2*all.Games),
		withCensus(compare("distinct games", "", int64(domino.GameCount),
			"a starter's hand and a second hand: half the deals, since the tiles say who starts"), all.Games),
		withCensus(compare("deals with one tile played", totals["one_tile_deals"], deals,
			"0.799 % of all deals, by enumeration: 3432 times the sum over d = 0…6 of 15+d over 13; "+
				"whole boards count in it, so that it is a multiple of 3432, and the printed number is not").wrong(), 2*all.OneTile),
		withCensus(compare("distinct games with one tile played", "", deals/2, "0.799 % of all distinct games"), all.OneTile),
		withCensus(compare("most lines of a deal", totals["most_leaves"], exact.NewSolver().Stats(deal(widestDeal)).Leaves,
			"the study saw 1 deal in 3432; "+widestDeal+" and 104 more have the most").wrong(), int64(all.MostLines)),
	}, nil
}

// hiddenHands solves the double-two set with two tiles each by OpenSpiel's rules: with the
// iterations of the published solution, and exactly.
func hiddenHands(ctx context.Context, _ *cli.Bar) ([]figure, error) {
	const printed, iterations = "2.8e-9", 20_000
	g := equilibrium.Game{Double: 2, Tiles: 2, Rules: equilibrium.OpenSpiel}
	s, err := equilibrium.New(g)
	if err != nil {
		return nil, err
	}
	list, err := s.Run(ctx, equilibrium.Options{Threads: 1, Iterations: iterations})
	if err != nil {
		return nil, err
	}
	value, _, err := g.Solve(g.Roots()[0])
	if err != nil {
		return nil, err
	}
	exploitability := list[0].Gap / 2
	r := compare(fmt.Sprintf("exploitability of double-two, two tiles each, after %d iterations", iterations), printed,
		fmt.Sprintf("%.1e", exploitability), "by CFR+ in print; ours is a bound, rounding included")
	if exploitability <= number(printed) {
		r.Verdict = verdictWithin
	}
	r.Number = &exploitability
	return []figure{r, compare("its value for the first player, in points", "", value.RatString(), "exactly, with a certificate")}, nil
}

// drawn is a deal of the sample: its board with the first tile in the highest bit, and the
// statistics of its tree.
type drawn struct {
	board          uint32
	lines, blocked uint16
	sign           domino.Sign
	oneTile        bool
}

// sample holds random deals. again holds, for every fourth deal, another random deal of the same
// board.
type sample struct{ deals, again []drawn }

func (f *reproFlags) draw(ctx context.Context, bar *cli.Bar) (s sample, err error) {
	const batch = 50_000 // a multiple of 4
	r, second := rand.New(rand.NewPCG(f.seed, 2025)), rand.New(rand.NewPCG(f.seed, 2026))
	for done := 0; done < f.deals; done += batch {
		n := min(batch, f.deals-done)
		deals := make([]domino.Deal, n, 2*n)
		for i := range deals {
			deals[i], _ = domino.RandomDeal(r)
		}
		for i := 0; i < n; i += 4 {
			d, _ := domino.RandomSplit(second, deals[i].Starter|deals[i].Second)
			deals = append(deals, d)
		}
		stats, err := exact.AllStats(ctx, deals, f.job.Threads, bar.Add)
		if err != nil {
			return s, err
		}
		for i, st := range stats {
			d := deals[i]
			board := d.Starter | d.Second
			one := drawn{bits.Reverse32(uint32(board)), uint16(st.Leaves), uint16(st.Blocked), st.Sign(),
				board&domino.WithNumber(d.FirstDouble()) == domino.SetOf(d.FirstTile())}
			if i < n {
				s.deals = append(s.deals, one)
			} else {
				s.again = append(s.again, one)
			}
		}
	}
	return s, nil
}

// mean returns the mean of a figure of deals, its standard error, and the standard error of the
// study's mean; 0 if unknown. The study drew one deal of each board, so its figures have only the
// variance of random deals within boards.
func (s *sample) mean(of func(d *drawn) float64) (mean, stderr, theirErr float64) {
	sum, squares, differences, n := 0.0, 0.0, 0.0, float64(len(s.deals))
	for i := range s.deals {
		x := of(&s.deals[i])
		sum, squares = sum+x, squares+x*x
	}
	for i := range s.again {
		x := of(&s.again[i]) - of(&s.deals[4*i])
		differences += x * x
	}
	if mean = sum / n; differences >= 10 {
		theirErr = math.Sqrt(differences / float64(len(s.again)) / 2 / domino.BoardCount)
	}
	return mean, math.Sqrt((squares/n - mean*mean) / n), theirErr
}

// share is the mean of a property of deals.
func (s *sample) share(of func(d *drawn) bool) (mean, stderr, theirErr float64) {
	return s.mean(func(d *drawn) float64 {
		if of(d) {
			return 1
		}
		return 0
	})
}

func (s *sample) rows() []figure {
	totals, all := study2025.Totals(), census.Complete()
	lines, linesErr, theirErr := s.mean(func(d *drawn) float64 { return float64(d.lines) })
	blocked, blockedErr, _ := s.mean(func(d *drawn) float64 { return float64(d.blocked) / float64(d.lines) })
	rows := []figure{
		estimate("mean lines of a deal", totals["mean_leaves"], lines, linesErr, theirErr, "").beside(all.MeanLines, "%.4f"),
		{}, {},
		estimate("blocked lines, %, mean over deals", "", 100*blocked, 100*blockedErr, 0, "every deal counts the same"),
	}
	// proportion compares the share of the deals with a property, multiplied by times. The error
	// follows from the census's share, since the sample's own may be 0.
	proportion := func(what, printed string, exactly int64, times float64, format, note string, of func(*drawn) bool) figure {
		p := float64(exactly) / float64(all.Games)
		found, _, theirErr := s.share(of)
		stderr := math.Sqrt(p * (1 - p) / float64(len(s.deals)))
		return estimate(what, printed, times*found, times*stderr, times*theirErr, note).beside(times*p, format)
	}
	for _, c := range []struct {
		name, what string
		exactly    int64
		of         func(*drawn) bool
	}{
		{"single_leaf", "boards with a single line", all.Single, func(d *drawn) bool { return d.lines == 1 }},
		{"only_negative", "boards with only negative lines", all.OnlyNegative, func(d *drawn) bool { return d.sign == domino.OnlyNegative }},
		{"only_positive", "boards with only positive lines", all.OnlyPositive, func(d *drawn) bool { return d.sign == domino.OnlyPositive }},
		{"only_zero", "boards with only lines of score 0", all.OnlyZero, func(d *drawn) bool { return d.sign == domino.OnlyZero }},
	} {
		rows = append(rows, proportion(c.what, totals[c.name], c.exactly, domino.BoardCount, "%.0f", "share of deals times 40,000,320", c.of))
	}
	printed := fmt.Sprintf("%.4f", 100*number(totals["one_tile_deals"])/float64(domino.DealCount))
	rows = append(rows, proportion("deals with one tile played, %", printed, all.OneTile, 100, "%.4f",
		"an independent check of the count above", func(d *drawn) bool { return d.oneTile }).wrong())

	inFiles, inFilesErr := meanOfFiles(s.deals, 40) // meanOfFiles sorts s.deals
	rows[1] = estimate("blocked lines, %, mean over 40 files", totals["blocked_percent"], 100*inFiles, 100*inFilesErr, 0,
		"boards in lexicographic order in 40 equal files, one for each of its processors, lines pooled in each")
	pooled, pooledErr := meanOfFiles(s.deals, 1)
	rows[2] = estimate("blocked lines, %, pooled", "", 100*pooled, 100*pooledErr, 0,
		"of all lines of all deals together, as in the hand tables").beside(100*float64(all.Blocked)/float64(all.Lines), "%.4f")
	return rows
}

// meanOfFiles sorts the deals by board, cuts them into files, and returns the mean of the files'
// shares of blocked lines with its standard error.
func meanOfFiles(deals []drawn, files int) (mean, stderr float64) {
	slices.SortFunc(deals, func(a, b drawn) int { return cmp.Compare(b.board, a.board) })
	variance := 0.0
	for f := range files {
		part := deals[f*len(deals)/files : (f+1)*len(deals)/files]
		var lines, blocked float64
		for _, d := range part {
			lines += float64(d.lines)
			blocked += float64(d.blocked)
		}
		if lines == 0 {
			continue
		}
		share := blocked / lines
		mean += share / float64(files)
		for _, d := range part {
			off := (float64(d.blocked) - share*float64(d.lines)) / lines
			variance += off * off / float64(files*files)
		}
	}
	return mean, math.Sqrt(variance)
}

func (f *reproFlags) hand(ctx context.Context, bar *cli.Bar, h study2025.Hand) ([]figure, error) {
	hand := h.Tiles()
	st, err := exact.Study(ctx, hand, f.job.Threads, bar.Add)
	if err != nil {
		return nil, err
	}
	what := "table " + h.Table + ", " + hand.String()
	return []figure{
		compare(what+": mean lines", h.MeanLeaves, fmt.Sprintf("%.2f", st.MeanLines), ""),
		compare(what+": won by its owner, %", h.Win, fmt.Sprintf("%.2f", st.WinPercent), ""),
		compare(what+": blocked lines, %", h.Blocked, fmt.Sprintf("%.2f", st.BlockedPercent), ""),
	}, nil
}

// leastSelected is the least number of lines in the study's selection: of one deal for each board,
// the million with the most lines.
const leastSelected = 3667

// kinds returns the players of a figure.
func kinds(m study2025.Match) (list [2]players.Kind) {
	for i, name := range [2]string{m.Row, m.Column} {
		if name == "minimax" {
			name = "candidates"
		}
		k, err := players.ByName(name)
		if err != nil {
			panic("repro domino: " + err.Error())
		}
		list[i] = k
	}
	return list
}

func (f *reproFlags) meanScore(ctx context.Context, bar *cli.Bar, m study2025.Match) ([]figure, error) {
	k := kinds(m)
	r, err := command.PlayMatch(ctx, bar, k[0], k[1], players.Terms{Mode: players.Scores, Lines: leastSelected,
		Games: f.deals / 100, Seed: f.seed, Threads: f.job.Threads})
	if err != nil {
		return nil, err
	}
	row := estimate(fmt.Sprintf("table %s, %s – %s", m.Table, m.Row, m.Column), m.Value, r.MeanScore, r.StdErr, 0,
		fmt.Sprintf("row starts; print is off it by %+.1f standard errors", (number(m.Value)-r.MeanScore)/r.StdErr))
	if row.known = m.Row != "minimax" && m.Column != "minimax"; row.known {
		row.Note += ": unexplained, while the four figures with minimax agree"
	}
	return []figure{row}, nil
}

func (f *reproFlags) tournament(ctx context.Context, bar *cli.Bar, m study2025.Match) ([]figure, error) {
	k := kinds(m)
	r, err := command.PlayMatch(ctx, bar, k[0], k[1], players.Terms{Games: f.games, Seed: f.seed, Threads: f.job.Threads})
	if err != nil {
		return nil, err
	}
	return []figure{tournamentRow(fmt.Sprintf("table %s, %s – %s, %%", m.Table, m.Row, m.Column), m.Value, r)}, nil
}

// printedTournaments is the number of tournaments of the study for each figure of table 4.2.
const printedTournaments = 1000

func tournamentRow(what, printed string, r players.Match) figure {
	p := r.Percent / 100
	spread := 100 * math.Sqrt(p*(1-p))
	return estimate(what, printed, r.Percent, spread/math.Sqrt(float64(r.Games)), spread/math.Sqrt(printedTournaments),
		"minimax is the one on incomplete information")
}
