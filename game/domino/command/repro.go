package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game/domino"
	"perfectplay/game/domino/census"
	"perfectplay/game/domino/exact"
	"perfectplay/game/domino/players"
	"perfectplay/game/domino/study2025"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// figure is a printed figure and ours.
type figure struct {
	Section string `json:"section"`
	What    string `json:"what"`
	Printed string `json:"printed"`
	Ours    string `json:"ours"`
	Census  string `json:"census"`  // the exact figure of the complete census, where it has one
	Verdict string `json:"verdict"` // equal, within error, differs or ours only
	Note    string `json:"note"`

	known bool // that the printed figure is wrong or means something else
}

// surprises counts the rows that differ and were not known to.
func surprises(rows []figure) int {
	n := 0
	for _, r := range rows {
		if r.Verdict == cli.Differs && !r.known {
			n++
		}
	}
	return n
}

// differsAsKnown marks a row whose printed figure is known to be wrong or to
// mean something else.
func differsAsKnown(r figure) figure {
	r.known = true
	return r
}

const (
	verdictWithin = "within error"
	verdictOurs   = "ours only"
)

// sections names the parts of solve repro domino, cheapest first.
var sections = []string{"deals", "counts", "sample", "hands", "players"}

// section is a part of solve repro domino.
type section struct {
	name    string
	steps   int64 // of the bar
	compute func(ctx context.Context, bar *cli.Bar) ([]figure, error)
}

// all lists the sections.
func (f *reproFlags) all() []section {
	at := func(rows func() []figure) func(context.Context, *cli.Bar) ([]figure, error) {
		return func(context.Context, *cli.Bar) ([]figure, error) { return rows(), nil }
	}
	matches := int64(0)
	for _, m := range study2025.Matches() {
		matches += int64(f.number(m))
	}
	return []section{
		{"deals", 0, at(singleDeals)},
		{"counts", 0, at(counts)},
		{"sample", int64(f.deals), f.sample},
		{"hands", int64(len(study2025.Hands())) * exact.Opponents, f.hands},
		{"players", matches, f.players},
	}
}

// reproFlags are the flags of solve repro domino.
type reproFlags struct {
	job      cli.Job
	sections []string
	deals    int
	games    int
	scores   int
	seed     uint64
}

func newReproCommand(a *family.App) *cobra.Command {
	var f reproFlags
	cmd := &cobra.Command{
		Use:   "domino [--sections LIST]",
		Short: "the figures of the 2025 study on block dominoes",
		Long: `repro domino computes again what a study of 2025 printed about block dominoes and
shows both beside each other, with a verdict and a comment. It fails if a figure
differs, except for those known to be wrong in print or to mean something else:

  deals    the sample of the log, the deal with most lines, five lost deals
  counts   deals, boards, deals with one tile, most lines of a deal
  sample   mean lines, blocked lines, signs of scores: over --deals random deals,
           beside the exact figures of the complete census
  hands    eleven hands against all opponents, exactly
  players  mean scores and tournaments`,
		Example: "  solve repro domino\n  solve repro domino --sections hands --csv",
		Args:    cli.Args(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.job.Flags(cmd, leastMemory)
	fl := cmd.Flags()
	fl.StringSliceVar(&f.sections, "sections", sections, "what to compute")
	fl.IntVar(&f.deals, "deals", 1_000_000, "random deals for the statistics")
	fl.IntVar(&f.games, "games", 1000, "tournaments for each pair of players")
	fl.IntVar(&f.scores, "scores", 20_000, "deals for each mean score")
	fl.Uint64Var(&f.seed, "seed", 1, "equal seeds draw equal deals")
	return cmd
}

func (f *reproFlags) run(a *family.App, cmd *cobra.Command) error {
	for _, s := range f.sections {
		if !slices.Contains(sections, s) {
			return cli.Usagef("--sections: unknown %q: want %s", s, strings.Join(sections, ", "))
		}
	}
	for _, c := range []struct {
		name           string
		n, least, most int
	}{
		// Errors are those of large samples; 12 bytes a deal are kept, and sorted.
		{"deals", f.deals, 1000, 20_000_000},
		{"games", f.games, 1, maxMatch},
		{"scores", f.scores, 1, maxMatch},
	} {
		if c.n < c.least || c.n > c.most {
			return cli.Usagef("--%s %d: want %d to %d", c.name, c.n, c.least, c.most)
		}
	}
	todo, steps := []section{}, int64(0)
	for _, one := range f.all() {
		if slices.Contains(f.sections, one.name) {
			todo, steps = append(todo, one), steps+one.steps
		}
	}
	var rows []figure
	err := cli.Run(&f.job.Output, &a.Progress, cmd, "figures", max(steps, 1), func(ctx context.Context, bar *cli.Bar) ([]figure, error) {
		for _, one := range todo {
			bar.Describe("%s", one.name)
			more, err := one.compute(ctx, bar)
			for i := range more {
				more[i].Section = one.name
			}
			if rows = append(rows, more...); err != nil {
				return rows, err // after an interrupt, the figures that are computed count
			}
		}
		return rows, nil
	}, func(w io.Writer, _ []figure) error {
		fmt.Fprintln(w, "Figures of a study of 2025 on the game tree of block dominoes, and ours")
		t := cli.NewTable("section", "what", ">printed", ">ours", ">census", "verdict", "note")
		count := map[string]int{}
		for _, r := range rows {
			t.Row(r.Section, r.What, r.Printed, r.Ours, r.Census, r.Verdict, r.Note)
			count[r.Verdict]++
		}
		if err := t.Write(w); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "%d figures: %d equal, %d within error, %d differ, %d ours only\n",
			len(rows), count[cli.Equal], count[verdictWithin], count[cli.Differs], count[verdictOurs])
		return err
	})
	if n := surprises(rows); err == nil && n > 0 {
		err = fmt.Errorf("repro: %d of %d figures differ that should not", n, len(rows))
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

// compare makes the row of a figure that must be equal.
func compare(what, printed, ours, note string) figure {
	r := figure{What: what, Printed: printed, Ours: ours, Verdict: cli.Equal, Note: note}
	if printed != ours {
		r.Verdict = cli.Differs
	}
	return r
}

// estimate makes the row of a figure that both sides know with an error: ours
// has standard error stderr, theirs is said to have theirErr. Four standard
// errors together with half a unit of the last printed digit are allowed.
func estimate(what, printed string, ours, stderr, theirErr float64, note string) figure {
	want := 0.0
	fmt.Sscan(printed, &want)
	half := 0.5
	if _, frac, ok := strings.Cut(printed, "."); ok {
		half = 0.5 * math.Pow(10, -float64(len(frac)))
	}
	r := figure{What: what, Printed: printed, Ours: plusMinus(ours, stderr), Verdict: verdictWithin, Note: note}
	if math.Abs(want-ours) > 4*math.Hypot(stderr, theirErr)+half {
		r.Verdict = cli.Differs
	}
	return r
}

func singleDeals() []figure {
	s := exact.NewSolver()
	totals := study2025.Totals()
	deal := func(text string) domino.Deal {
		d, _, err := domino.ParseDeal(text)
		if err != nil {
			panic("repro domino: " + err.Error()) // the figures are tested to read
		}
		return d
	}
	d := deal(study2025.SampleDeal)
	list := leaves(d)
	rows := []figure{
		compare("value of the sample deal", totals["sample_value"].Value, fmt.Sprint(s.Value(d)), ""),
		compare("its last eight lines", study2025.SampleEnd, strings.Join(list[len(list)-8:], " "), ""),
		compare("lines of the widest deal", totals["most_leaves"].Value, fmt.Sprint(s.Stats(deal(study2025.WidestDeal)).Leaves),
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
	return rows
}

// widestDeal is one of the deals that have most lines of play of all: the census
// found them.
const widestDeal = "0|0 0|1 0|2 1|1 1|2 2|2 3|3 / 0|3 0|4 1|3 1|4 2|3 2|4 3|4"

func counts() []figure {
	totals := study2025.Totals()
	all := census.Complete()
	boards, oneTile := domino.CountOneTile()
	deals := int64(oneTile) * domino.SplitCount
	withCensus := func(r figure, n int64) figure {
		if r.Census = fmt.Sprint(n); r.Census != r.Ours {
			r.Verdict, r.known = cli.Differs, false
		}
		return r
	}
	widest, _, err := domino.ParseDeal(widestDeal)
	if err != nil {
		panic("repro domino: " + err.Error())
	}
	lines := exact.NewSolver().Stats(widest).Leaves
	return []figure{
		compare("boards of fourteen tiles with a double", totals["boards"].Value, fmt.Sprint(boards),
			"by enumeration; 28 over 14 minus 21 over 14"),
		compare("ways to split a board", totals["splits"].Value, fmt.Sprint(domino.SplitCount), "14 over 7"),
		withCensus(compare("deals to two named players", totals["deals"].Value, fmt.Sprint(int64(domino.DealCount)),
			"the census's distinct games, twice"), 2*all.Games),
		withCensus(figure{What: "distinct games", Ours: fmt.Sprint(int64(domino.GameCount)), Verdict: verdictOurs,
			Note: "a starter's hand and a second hand: half the deals, since the tiles say who starts"}, all.Games),
		withCensus(differsAsKnown(compare("deals with one tile played", totals["one_tile_deals"].Value, fmt.Sprint(deals),
			"0.799 % of all deals, by enumeration: 3432 times the sum over d = 0…6 of 15+d over 13; "+
				"whole boards count in it, so that it is a multiple of 3432, and the printed number is not")), 2*all.OneTile),
		withCensus(figure{What: "distinct games with one tile played", Ours: fmt.Sprint(deals / 2), Verdict: verdictOurs,
			Note: "0.799 % of all distinct games"}, all.OneTile),
		withCensus(differsAsKnown(compare("most lines of a deal", totals["most_leaves"].Value, fmt.Sprint(lines),
			"the study saw 1 deal in 3432; "+widestDeal+" and 104 more have the most")), all.MostLines),
	}
}

// sampleSums is what a sample of deals adds up to.
type sampleSums struct {
	n                 float64 // deals
	lines, squares    float64 // of play, and their squares
	shares, shareSqrs float64 // of blocked lines, by deal
	signs             [4]float64
	single, oneTile   float64
	deals             []sampled
	within            withinBoards
}

// withinBoards estimates how much two deals of a board differ. The study drew one
// deal of each board, so its means and counts have only this part of the variance
// of random deals: on most boards with a single line, for instance, every deal has
// one.
type withinBoards struct {
	pairs  float64 // of deals of a board
	lines  float64 // squared differences of their lines of play
	signs  [4]float64
	single float64 // pairs of which one has a single line
}

// add counts two deals of a board.
func (w *withinBoards) add(a, b domino.Stats) {
	w.pairs++
	lines := float64(a.Leaves) - float64(b.Leaves)
	w.lines += lines * lines
	if x, y := a.Sign(), b.Sign(); x != y {
		w.signs[x]++
		w.signs[y]++
	}
	if (a.Leaves == 1) != (b.Leaves == 1) {
		w.single++
	}
}

// variance is that of a figure within boards by the sum of its squared
// differences: 0 where hardly any pair differs, so that nothing is known.
func (w *withinBoards) variance(differences float64) float64 {
	if differences < 10 {
		return 0
	}
	return differences / w.pairs / 2
}

// add counts a deal.
func (s *sampleSums) add(d domino.Deal, st domino.Stats) {
	s.n++
	lines, blocked := float64(st.Leaves), float64(st.Blocked)
	s.lines += lines
	s.squares += lines * lines
	s.shares += blocked / lines
	s.shareSqrs += blocked / lines * blocked / lines
	s.signs[st.Sign()]++
	if st.Leaves == 1 {
		s.single++
	}
	board := d.Starter | d.Second
	if board&domino.WithNumber(d.FirstDouble()) == domino.SetOf(d.FirstTile()) {
		s.oneTile++
	}
	s.deals = append(s.deals, sampled{bits.Reverse32(uint32(board)), uint32(st.Leaves), uint32(st.Blocked)})
}

// sample compares the statistics of random deals.
func (f *reproFlags) sample(ctx context.Context, bar *cli.Bar) ([]figure, error) {
	sums, err := f.draw(ctx, bar)
	if err != nil {
		return nil, err
	}
	return sums.rows(), nil
}

// draw solves random deals and adds their statistics up.
func (f *reproFlags) draw(ctx context.Context, bar *cli.Bar) (*sampleSums, error) {
	const batch = 50_000
	r, second := rand.New(rand.NewPCG(f.seed, 2025)), rand.New(rand.NewPCG(f.seed, 2026))
	var sums sampleSums
	for done := 0; done < f.deals; done += batch {
		deals := make([]domino.Deal, min(batch, f.deals-done))
		for i := range deals {
			deals[i], _ = domino.RandomDeal(r)
		}
		stats, err := exact.AllStats(ctx, deals, f.job.Threads, bar.Add)
		if err != nil {
			return nil, err
		}
		for i, st := range stats {
			sums.add(deals[i], st)
		}
		// A second deal for every fourth board.
		var boards []int
		var again []domino.Deal
		for i := 0; i < len(deals); i += 4 {
			d, _ := domino.RandomSplit(second, deals[i].Starter|deals[i].Second)
			boards, again = append(boards, i), append(again, d)
		}
		others, err := exact.AllStats(ctx, again, f.job.Threads, nil)
		if err != nil {
			return nil, err
		}
		for i, at := range boards {
			sums.within.add(stats[at], others[i])
		}
	}
	return &sums, nil
}

// rows compares the sums with print and census.
func (s *sampleSums) rows() []figure {
	totals, all := study2025.Totals(), census.Complete()
	games := float64(all.Games)
	// The error of a share of our deals that is p of all deals. The census knows
	// p: the share that was found, which may be none, would say less.
	shareErr := func(p float64) float64 { return math.Sqrt(p * (1 - p) / s.n) }

	mean := s.lines / s.n
	spread := math.Sqrt(s.squares/s.n - mean*mean)
	ourErr, theirErr := spread/math.Sqrt(s.n), math.Sqrt(s.within.variance(s.within.lines)/domino.BoardCount)
	rows := []figure{beside(estimate("mean lines of a deal", totals["mean_leaves"].Value, mean, ourErr, theirErr, ""),
		float64(all.Lines)/games, "%.4f", mean, ourErr, theirErr)}

	inFiles, inFilesErr := meanOfFiles(s.deals, 40)
	pooled, pooledErr := meanOfFiles(s.deals, 1)
	meanShare := s.shares / s.n
	meanShareErr := math.Sqrt((s.shareSqrs/s.n - meanShare*meanShare) / s.n)
	rows = append(rows,
		estimate("blocked lines, %, mean over 40 files", totals["blocked_percent"].Value, 100*inFiles, 100*inFilesErr, 0,
			"boards in lexicographic order in 40 equal files, one for each of its processors, lines pooled in each"),
		beside(figure{What: "blocked lines, %, pooled", Ours: plusMinus(100*pooled, 100*pooledErr), Verdict: verdictOurs,
			Note: "of all lines of all deals together, as in the hand tables"},
			100*float64(all.Blocked)/float64(all.Lines), "%.4f", 100*pooled, 100*pooledErr, 0),
		figure{What: "blocked lines, %, mean over deals", Ours: plusMinus(100*meanShare, 100*meanShareErr),
			Verdict: verdictOurs, Note: "every deal counts the same"})

	for _, c := range []struct {
		name, what string
		k, differ  float64
		exact      int64
	}{
		{"single_leaf", "boards with a single line", s.single, s.within.single, all.SingleLine},
		{"only_negative", "boards with only negative lines", s.signs[domino.OnlyNegative], s.within.signs[domino.OnlyNegative], all.Negative},
		{"only_positive", "boards with only positive lines", s.signs[domino.OnlyPositive], s.within.signs[domino.OnlyPositive], all.Positive},
		{"only_zero", "boards with only lines of score 0", s.signs[domino.OnlyZero], s.within.signs[domino.OnlyZero], all.Zero},
	} {
		exact := float64(c.exact) / games
		ours, ourErr, theirErr := c.k/s.n*domino.BoardCount, shareErr(exact)*domino.BoardCount, math.Sqrt(s.within.variance(c.differ)*domino.BoardCount)
		rows = append(rows, beside(estimate(c.what, totals[c.name].Value, ours, ourErr, theirErr, "share of deals times 40,000,320"),
			exact*domino.BoardCount, "%.0f", ours, ourErr, theirErr))
	}
	printed := fmt.Sprintf("%.4f", 100*totals["one_tile_deals"].Number()/float64(domino.DealCount))
	exact, ours := float64(all.OneTile)/games, 100*s.oneTile/s.n
	ourErr = 100 * shareErr(exact)
	return append(rows, beside(differsAsKnown(estimate("deals with one tile played, %", printed, ours, ourErr, 0,
		"an independent check of the count above")), 100*exact, "%.4f", ours, ourErr, 0))
}

// beside adds the census's exact figure to a row of the sample, and to its note
// how far from it our estimate and the printed figure are in their standard
// errors; theirErr is 0 where the printed figure is no estimate of this, or where
// its error is not known.
func beside(r figure, exactly float64, format string, ours, ourErr, theirErr float64) figure {
	r.Census = fmt.Sprintf(format, exactly)
	note := ""
	if theirErr > 0 {
		printed := 0.0
		fmt.Sscan(r.Printed, &printed)
		note = fmt.Sprintf("; the study is off the census by %+.1f standard errors", (printed-exactly)/theirErr)
	}
	if ourErr > 0 {
		note += fmt.Sprintf("; this sample is off it by %+.1f", (ours-exactly)/ourErr)
		if math.Abs(ours-exactly) > 4.5*ourErr {
			r.Verdict, r.known = cli.Differs, false
		}
	}
	r.Note = strings.TrimPrefix(r.Note+note, "; ")
	return r
}

// sampled is a deal: its board with the first tile in the highest bit, and its
// lines of play.
type sampled struct {
	board, lines, blocked uint32
}

// meanOfFiles puts the deals in the lexicographic order of their boards, cuts
// them into files, and returns the mean of the files' shares of blocked lines
// with its standard error.
func meanOfFiles(deals []sampled, files int) (mean, stderr float64) {
	slices.SortFunc(deals, func(a, b sampled) int { return cmp.Compare(b.board, a.board) })
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

// hands compares the eleven hands.
func (f *reproFlags) hands(ctx context.Context, bar *cli.Bar) ([]figure, error) {
	var rows []figure
	for _, h := range study2025.Hands() {
		st, err := exact.Study(ctx, h.Hand, f.job.Threads, bar.Add)
		if err != nil {
			return rows, err
		}
		what := "table " + h.Table + ", " + h.Hand.String()
		rows = append(rows,
			compare(what+": mean lines", h.MeanLeaves, fmt.Sprintf("%.2f", st.MeanLeaves()), ""),
			compare(what+": owner wins, %", h.Win, fmt.Sprintf("%.2f", st.WinPercent()), ""),
			compare(what+": blocked lines, %", h.Blocked, fmt.Sprintf("%.2f", st.BlockedPercent()), ""))
	}
	return rows, nil
}

// number is how many games a figure of a match is from.
func (f *reproFlags) number(m study2025.Match) int {
	if m.Scores() {
		return f.scores
	}
	return f.games
}

// players compares tables 4.1 and 4.2.
func (f *reproFlags) players(ctx context.Context, bar *cli.Bar) ([]figure, error) {
	var rows []figure
	for _, m := range study2025.Matches() {
		var kinds [2]players.Kind
		for i, name := range [2]string{m.Row, m.Column} {
			if name == "minimax" {
				name = "candidates"
			}
			k, err := players.ByName(name)
			if err != nil {
				panic("repro domino: " + err.Error()) // the figures are tested to read
			}
			kinds[i] = k
		}
		r, err := playMatch(ctx, bar, kinds[0], kinds[1], f.number(m), m.Scores(), f.seed, f.job.Threads)
		if err != nil {
			return rows, err
		}
		what := fmt.Sprintf("table %s, %s – %s", m.Table, m.Row, m.Column)
		if m.Scores() {
			rows = append(rows, differsAsKnown(estimate(what, m.Value, r.MeanScore, r.StdErr, 0,
				"row starts; over all deals, the study's are hard ones that it does not describe")))
			continue
		}
		rows = append(rows, tournamentRow(what+", %", m.Value, r))
	}
	return rows, nil
}

// printedTournaments is how many the study played for each figure of table 4.2.
const printedTournaments = 1000

// tournamentRow makes the row of a share of tournaments.
func tournamentRow(what, printed string, r matchRecord) figure {
	p := r.Percent / 100
	spread := 100 * math.Sqrt(p*(1-p))
	return estimate(what, printed, r.Percent, spread/math.Sqrt(float64(r.Games)), spread/math.Sqrt(printedTournaments),
		"minimax is the one on incomplete information")
}
