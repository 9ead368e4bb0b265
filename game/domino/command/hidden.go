package command

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/plot"
)

// hiddenRecord bounds the value of a game with hidden hands: of all its deals, or of the deals that
// begin with one tile.
type hiddenRecord struct {
	Game   string            `json:"game"`
	Rules  equilibrium.Rules `json:"rules"`
	Opener string            `json:"opener"`
	equilibrium.Bounds
	Deals      uint64      `json:"opening_deals"`
	Iterations int         `json:"iterations"`
	Numbers    int64       `json:"numbers"`
	Memory     uint64      `json:"memory_bytes"`
	Seconds    cli.Seconds `json:"seconds"`

	// Exact is the value as a fraction; empty if Low and High are bounds.
	Exact string `json:"exact"`

	// Decisions is the mean number of times that a deal offers a choice of moves, and Mixed the
	// share of these choices in which no move has a probability of 99 % or more. Both are nil
	// unless --plot draws them.
	Decisions *float64 `json:"decisions"`
	Mixed     *float64 `json:"mixed"`
}

const learning, exactly = "cfr", "exact"

type hiddenFlags struct {
	job        cli.Job
	rules      string
	gap        float64
	iterations int
	time       time.Duration
	every      time.Duration
	work       string
	algo       string
	strategy   string
	plot       string
}

func newHiddenCommand(a *family.App) *cobra.Command {
	var f hiddenFlags
	cmd := &cobra.Command{
		Use:   "hidden SET TILES",
		Short: "the value of dominoes with hidden hands, between bounds",
		Long: `hidden solves dominoes where nobody sees the other's hand: SET is double-1 to
double-6, TILES the number that each player gets. It prints two numbers, in pips a
deal. Low: the starter earns this if the second player knows the starter's way of
playing and answers it best. High: the same the other way round. The true value lies
between. The same follows for each double that can open.

It goes on until low and high of every opener are at most --gap apart, or for
--iterations, or --time. With --work it keeps all it has learnt in a directory, every
--interval and at the end; the same command continues from there, and ends with the
same numbers as a run in one piece. Too little memory is refused before the work.

--algo exact solves small games in rational numbers instead, and checks deal by deal that
both strategies are worth the same against their best answers. --save writes the
strategies, with how often a deal comes to each decision: docs/hidden-dominoes.md
describes the file.

Rules: with study the highest double starts, and a deal counts the difference of
pips; openspiel is OpenSpiel's python_block_dominoes, where the first player starts
with any tile, and the player with fewer pips left gets those of the other.`,
		Example: `  solve domino hidden double-3 3
  solve domino hidden double-3 3 --algo exact --save equilibrium.csv
  solve domino hidden double-4 4 --gap 1e-5
  solve domino hidden double-2 2 --rules openspiel --iterations 20000 --gap 0`,
		ValidArgsFunction: completeHidden(nil),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.flags(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.rules, "rules", f.rules, "`RULES`: study or openspiel")
	cli.CompleteBy(cmd, "rules", cli.Words([]string{string(equilibrium.Study), string(equilibrium.OpenSpiel)}))
	cli.Choice(cmd, &f.algo, "algo", learning, []string{learning, exactly}, "`ENGINE`: cfr, which learns, or exact, in rational numbers, which suits small games only")
	fl.StringVar(&f.strategy, "save", "", "write the strategies to `FILE`, as comma-separated values")
	plot.Flag(cmd, &f.plot, "how mixed the decisions are")
	return cmd
}

// completeHidden offers the names of sets for the first argument, nothing for the number of
// tiles, and words for all arguments after it.
func completeHidden(words []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			return cli.Words(equilibrium.SetNames())(cmd, args, begun)
		case 1:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return cli.Words(words)(cmd, args, begun)
	}
}

func (f *hiddenFlags) flags(cmd *cobra.Command) {
	f.job.Flags(cmd, LeastMemory)
	fl := cmd.Flags()
	f.rules = string(equilibrium.Study)
	fl.Float64Var(&f.gap, "gap", 0.001, "stop where low and high are at most `PIPS` apart")
	cli.Number(cmd, &f.iterations, "iterations", 0, "stop after `N` iterations")
	cli.Rules(cmd, cli.Within("iterations", 0, equilibrium.MaxIterations))
	cli.WorkFlag(cmd, &f.work)
	cli.TimeFlag(cmd, &f.time, 0)
	cli.IntervalFlag(cmd, &f.every, 5*time.Minute)
}

// game reads the arguments, and refuses too little memory. More memory than the job needs would
// only delay the collection of garbage. Each of the judged players needs memory for a strategy,
// and the judgement for two more.
func (f *hiddenFlags) game(cmd *cobra.Command, args []string, judged int) (g equilibrium.Game, r hiddenRecord, err error) {
	tiles, err := strconv.Atoi(args[1])
	if err != nil {
		return g, r, cli.Usagef("%q: want a number of tiles", args[1])
	}
	if g, err = equilibrium.ParseGame(args[0], tiles, equilibrium.Rules(f.rules)); err != nil {
		return g, r, cli.Usage(err)
	}
	if !(f.gap >= 0) { // refuses NaN, too
		return g, r, cli.Usagef("--gap %v: want 0 or more", f.gap)
	}
	counts, bytes := g.Size(f.job.Threads)
	if counts.Numbers > equilibrium.MaxNumbers {
		return g, r, cli.Usagef("%v: more than %v numbers, of %v at least: too large to solve", g, cli.Count(equilibrium.MaxNumbers), cli.Size(bytes))
	}
	need := cli.Size(bytes) + cli.ProgramMemory
	if judged > 0 {
		need += cli.Size(8 * int64(2+judged) * counts.Stored)
	}
	if f.algo == exactly {
		need += 8 * equilibrium.MaxExact
	}
	if err := f.job.Resolve(cmd, need, 0); err != nil {
		return g, r, err
	}
	f.job.Mem = min(f.job.Mem, need)
	return g, hiddenRecord{Game: g.String(), Rules: g.Rules, Opener: "all", Numbers: counts.Numbers, Memory: uint64(need)}, nil
}

func (f *hiddenFlags) run(a *family.App, cmd *cobra.Command, args []string) error {
	g, whole, err := f.game(cmd, args, 0)
	if err != nil {
		return err
	}
	switch {
	case f.algo == exactly && f.work != "":
		return cli.Usagef("--algo exact keeps no state")
	case f.algo == exactly && f.plot != "":
		return cli.Usagef("--plot draws strategies that were learnt, and --algo exact learns none")
	}
	if err := cli.Replaceable(cmd, "the strategies", f.strategy, cli.BeginsWith("opener,past,seat,hand,move,probability")); err != nil {
		return err
	}
	return f.solving(cmd, g, func(s *equilibrium.Solver) error {
		return cli.Run(&f.job.Output, &a.Progress, cmd, g.String(), cli.Endless, func(ctx context.Context, bar *cli.Bar) ([]hiddenRecord, error) {
			begin := time.Now()
			if f.algo == exactly {
				return f.solveExactly(s, whole)
			}
			list, stopped := f.solve(ctx, bar, s)
			if list == nil {
				return nil, stopped
			}
			whole.Seconds = cli.Since(begin)
			if f.strategy != "" {
				if err := writeStrategies(f.strategy, s, func(_ *equilibrium.Root, _ *equilibrium.Spot, i int, p float64) string { return fmt.Sprint(p) }); err != nil {
					return nil, err
				}
			}
			if f.plot != "" {
				m := mixingOf(s)
				if err := plot.Save(f.plot, m.panels(s.Game)...); err != nil {
					return nil, err
				}
				whole.Decisions, whole.Mixed = &m.decisions, &m.mixed
			}
			return hiddenRecords(whole, list), stopped
		}, writeHidden)
	})
}

// solving runs work on the solver of a game, with the checkpoint claimed and loaded.
func (f *hiddenFlags) solving(cmd *cobra.Command, g equilibrium.Game, work func(*equilibrium.Solver) error) error {
	defer f.job.LimitHeap()()
	if f.work != "" {
		if err := files.MakeDir("the checkpoint", f.work); err != nil {
			return err
		}
		claim, err := files.Take("the checkpoint", f.work)
		if err != nil {
			return err
		}
		defer claim.Release()
	}
	s, err := equilibrium.New(g)
	if err != nil {
		return cli.Usage(err)
	}
	if f.work != "" {
		if err := s.Load(f.work); err != nil {
			return err
		}
	}
	return work(s)
}

// solve runs the solver within --time. After an interrupt it returns results and the error.
func (f *hiddenFlags) solve(ctx context.Context, bar *cli.Bar, s *equilibrium.Solver) (list []equilibrium.Opening, err error) {
	limited, cancel := cli.Timed(ctx, f.time)
	defer cancel()
	saved := time.Now()
	o := equilibrium.Options{Threads: f.job.Threads, Iterations: f.iterations, Gap: f.gap}
	o.Progress = func(list []equilibrium.Opening) {
		v := equilibrium.Value(list)
		bar.Describe("%v: %.6f to %.6f", s.Game, v.Low, v.High)
	}
	o.Save = func() error {
		if f.work == "" || time.Since(saved) < f.every {
			return nil
		}
		saved = time.Now()
		return s.Save(f.work)
	}
	list, stopped := s.Run(limited, o)
	if errors.Is(stopped, context.DeadlineExceeded) && ctx.Err() == nil {
		stopped = nil
	}
	if stopped != nil && ctx.Err() == nil {
		return nil, stopped
	}
	if f.work != "" {
		if err := s.Save(f.work); err != nil {
			return nil, err
		}
		stopped = cli.Saved(stopped)
	}
	return list, stopped
}

func (f *hiddenFlags) solveExactly(s *equilibrium.Solver, whole hiddenRecord) ([]hiddenRecord, error) {
	begin := time.Now()
	sum, deals := new(big.Rat), int64(0)
	var list []equilibrium.Opening
	var exact []string
	plans := map[string]equilibrium.Plan{}
	for _, root := range s.Roots() {
		value, plan, err := s.Solve(root)
		if errors.Is(err, equilibrium.ErrLarge) {
			return nil, cli.Usage(err)
		}
		if err != nil {
			return nil, err
		}
		v, _ := value.Float64()
		list = append(list, equilibrium.Opening{Opener: root.Name, Deals: root.Deals, Bounds: equilibrium.Bounds{Low: v, High: v}})
		exact, plans[root.Name] = append(exact, value.RatString()), plan
		sum.Add(sum, value.Mul(value, new(big.Rat).SetUint64(root.Deals)))
		deals += int64(root.Deals)
	}
	if f.strategy != "" {
		of := func(root *equilibrium.Root, spot *equilibrium.Spot) []*big.Rat {
			return plans[root.Name][equilibrium.PlanKey(spot.Hand, spot.Past)]
		}
		weights, _ := s.List(func(root *equilibrium.Root, spot *equilibrium.Spot, weights []float64) bool {
			clear(weights)
			for i, p := range of(root, spot) {
				weights[i], _ = p.Float64()
			}
			return true
		})
		s.Follow(weights)
		if err := writeStrategies(f.strategy, s, func(root *equilibrium.Root, spot *equilibrium.Spot, i int, _ float64) string {
			if p := of(root, spot); p != nil {
				return p[i].RatString()
			}
			return fmt.Sprintf("1/%d", len(spot.Moves))
		}); err != nil {
			return nil, err
		}
	}
	whole.Seconds = cli.Since(begin)
	records := hiddenRecords(whole, list)
	records[0].Exact = sum.Quo(sum, big.NewRat(deals, 1)).RatString()
	for i, text := range exact {
		records[1+i].Exact = text
	}
	return records, nil
}

// writeStrategies writes the probabilities of the moves in all information sets with several
// moves, as text, and the probability that a deal reaches the set.
func writeStrategies(name string, s *equilibrium.Solver, text func(root *equilibrium.Root, spot *equilibrium.Spot, i int, p float64) string) error {
	return files.Write(name, func(out io.Writer) error {
		w := csv.NewWriter(out)
		if err := w.Write([]string{"opener", "past", "seat", "hand", "move", "probability", "reached"}); err != nil {
			return err
		}
		err := s.Decisions(func(root *equilibrium.Root, spot *equilibrium.Spot, p []float64, reach float64) error {
			for i, m := range spot.Moves {
				seat := []string{"starter", "second"}[spot.Mover&1]
				if err := w.Write([]string{root.Name, strings.TrimPrefix(spot.Past, " "), seat, spot.Hand.String(), spot.MoveText(m),
					text(root, spot, i, p[i]), strconv.FormatFloat(reach, 'g', -1, 64)}); err != nil {
					return err
				}
			}
			return nil
		})
		w.Flush()
		return errors.Join(err, w.Error())
	})
}

func hiddenRecords(whole hiddenRecord, list []equilibrium.Opening) []hiddenRecord {
	whole.Bounds = equilibrium.Value(list)
	records := []hiddenRecord{whole}
	for _, o := range list {
		records[0].Deals += o.Deals
		records[0].Iterations = max(records[0].Iterations, o.Iterations)
		r := whole
		r.Decisions, r.Mixed = nil, nil
		r.Opener, r.Bounds, r.Deals, r.Iterations = o.Opener, o.Bounds, o.Deals, o.Iterations
		records = append(records, r)
	}
	return records
}

// writeHidden prints the bounds of the whole game, then the bounds of each opening.
func writeHidden(w io.Writer, records []hiddenRecord) {
	all := records[0]
	if all.Exact != "" {
		fmt.Fprintf(w, "%s, hidden hands, %s rules: the value for the starter is %s = %.9f pips a deal\n", all.Game, all.Rules, all.Exact, all.Low)
	} else {
		fmt.Fprintf(w, "%s, hidden hands, %s rules: the value for the starter is between %.9f and %.9f pips a deal, %.2g apart\n",
			all.Game, all.Rules, all.Low, all.High, all.Gap)
	}
	fmt.Fprintf(w, "%v numbers, %v of memory, %v iterations, %v\n",
		cli.Count(all.Numbers), cli.Size(all.Memory), cli.Count(int64(all.Iterations)), all.Seconds)
	if all.Mixed != nil {
		fmt.Fprintf(w, "a deal comes to %.2f decisions; %.1f %% of them are mixed: no move has 99 %%\n", *all.Decisions, 100**all.Mixed)
	}
	cli.Grid[hiddenRecord]("opener", "deals=opening_deals", "low=low:%.9f", "high=high:%.9f", "gap=gap:%.2g", "exact=exact", "iterations")(w, records)
}
