package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/host"
	"perfectplay/internal/parts"
	"perfectplay/internal/rows"
	"perfectplay/rank"
)

// atlasFlags are the flags of lab atlas.
type atlasFlags struct {
	job       cli.Job
	most      uint64
	distances bool
	work      string
	interval  time.Duration
	parts     cli.Parts
}

// atlasRow is a board under a rule set: its complete solution in figures, or what
// one would take.
type atlasRow struct {
	Game   string `json:"game"`
	Rules  string `json:"rules"`
	Cells  int    `json:"cells"`
	Pieces int    `json:"pieces"`
	// Positions is over both seats to move, as in print, illegal ones included; the
	// counts below are from the mover's side, half as many. nil: more than 64 bits.
	Positions *uint64 `json:"positions"`
	// Solved says what is known: values, distances, or nothing.
	Solved string `json:"solved"`
	// Of the start.
	Value    string `json:"value"`
	Distance *int   `json:"distance"`
	// First moves by value.
	OpeningsWon   *int    `json:"openings_won"`
	OpeningsDrawn *int    `json:"openings_drawn"`
	OpeningsLost  *int    `json:"openings_lost"`
	Wins          *uint64 `json:"wins"`
	Losses        *uint64 `json:"losses"`
	Draws         *uint64 `json:"draws"`
	Illegal       *uint64 `json:"illegal"`
	LongestWin    *int    `json:"longest_win"`
	// Of the solve, or if there is none planned.
	Seconds          *cli.Seconds `json:"seconds"`
	ProcessorSeconds *cli.Seconds `json:"processor_seconds"`
	Threads          int          `json:"threads"`
	MemoryBytes      *uint64      `json:"memory_bytes"`
	// TableBytes is the size of the table's file, Signature that of its content.
	TableBytes *uint64 `json:"table_bytes"`
	Signature  string  `json:"table_signature"`
	// Resumed: the times are those from what was there on.
	Resumed bool `json:"resumed"`
	// Verdict compares with print, or says why the row is not run.
	Verdict string `json:"verdict"`
	Command string `json:"command"`

	// For people.
	Start string `json:"-"`
}

// What a row has.
const (
	atlasNothing   = "no"
	atlasValues    = "values"
	atlasDistances = "distances"
)

func newAtlasCommand(a *family.App) *cobra.Command {
	var f atlasFlags
	cmd := &cobra.Command{
		Use:   "atlas FILE [GAME...]",
		Short: "solve every board for two that fits, and keep the figures",
		Long: `atlas solves all boards for two completely, the small ones first, and keeps a
row of figures for each in FILE, as comma-separated values: what the start and
the first moves are worth, how many positions have each value, the longest win,
what the solve took, and the signature of the table, which solve strong --table
writes. Rows that FILE has already are not run again, so that the same command
goes on where it was interrupted.

The boards are diamonds under the rules sturtevant and gamesman-2026 and stars
under base and house; with GAMES only those. Those of more than
--max-positions positions, or that need more than --mem (without --work), get
a row that says so; solve strong --plan says what they would take.

With --part rows are solved apart, each by one part, and lab merge enters them
all into FILE.`,
		Example: "  lab atlas atlas.csv --max-positions 1e6 --distances\n  lab atlas atlas.csv halma-9x9p3 --max-positions 2e10 --work 9x9p3.work",
		GroupID: cli.GroupSolve,
		Args:    cli.Args("FILE", "[GAME...]"),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0], args[1:]) },
	}
	f.job.Flags(cmd, 0)
	cli.Number(cmd, &f.most, "max-positions", 100_000_000, "leave out boards of more than `N` positions")
	cmd.Flags().BoolVar(&f.distances, "distances", false, "find distances, too, also where FILE has values")
	cli.WorkFlag(cmd, &f.work)
	cli.IntervalFlag(cmd, &f.interval, 5*time.Minute)
	f.parts.Flags(cmd, a.Program, &a.Merging)
	return cmd
}

// atlasBoards lists the boards, those of few positions first.
func atlasBoards() (list []*atlasRow, err error) {
	for _, s := range halma.Sizes() {
		star := strings.Contains(s.ID, "star")
		if s.Seats != 2 || star && s.Pieces > 4 && s.Cells > 73 {
			continue
		}
		rules := []string{"sturtevant", "gamesman-2026"}
		if star {
			rules = []string{"base", "house"}
		}
		for _, r := range rules {
			row := &atlasRow{Game: s.ID, Rules: r, Cells: s.Cells, Pieces: s.Pieces, Solved: atlasNothing, Value: game.Unknown.String()}
			g, err := halma.ByID(s.ID, r)
			if err != nil {
				return nil, err
			}
			spec, err := g.TwoArmy()
			if err != nil {
				return nil, err
			}
			if n, err := rank.Placements(s.Cells-len(spec.Closed), s.Pieces, s.Pieces); err == nil && 2*n > n {
				both := 2 * n
				row.Positions = &both
			}
			row.Command = fmt.Sprintf("solve strong %s --rules %s", s.ID, r)
			list = append(list, row)
		}
	}
	slices.SortStableFunc(list, func(r, s *atlasRow) int {
		switch {
		case r.fewer(s):
			return -1
		case s.fewer(r):
			return 1
		}
		return 0
	})
	return list, nil
}

// fewer says whether a row is of fewer positions than another.
func (r *atlasRow) fewer(s *atlasRow) bool {
	return r.Positions != nil && (s.Positions == nil || *r.Positions < *s.Positions)
}

// readAtlas enters what a file has into the rows. No file is an empty one.
func readAtlas(name string, list []*atlasRow) error {
	const most = 1 << 24
	in, err := files.Open(name, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	unknown := ""
	err = rows.Read(in, func(r atlasRow) {
		i := slices.IndexFunc(list, func(s *atlasRow) bool { return s.Game == r.Game && s.Rules == r.Rules })
		if i < 0 {
			unknown = r.Game + " under rules " + r.Rules
			return
		}
		*list[i] = r
	})
	if err == nil && unknown != "" {
		err = fmt.Errorf("%s is no board of the atlas", unknown)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// writeAtlas writes the rows to a file.
func writeAtlas(name string, list []*atlasRow) error {
	return files.Write(name, func(w io.Writer) error {
		out := rows.NewWriter[atlasRow](w)
		if err := out.Header(); err != nil {
			return err
		}
		for _, r := range list {
			if err := out.Write(*r); err != nil {
				return err
			}
		}
		return nil
	})
}

// run brings a file up to date.
func (f *atlasFlags) run(a *family.App, cmd *cobra.Command, name string, games []string) error {
	if err := f.check(name); err != nil {
		return err
	}
	if !f.parts.One() {
		claim, err := files.Take("the atlas", name)
		if err != nil {
			return err
		}
		defer claim.Release()
	}
	list, err := atlasBoards()
	if err != nil {
		return err
	}
	if err := readAtlas(name, list); err != nil {
		return err
	}
	for _, id := range games {
		if !slices.ContainsFunc(list, func(r *atlasRow) bool { return r.Game == id }) {
			return cli.Usagef("%s is no board of the atlas: see solve info for those of two seats", id)
		}
	}
	chosen := list
	if len(games) > 0 {
		chosen = slices.DeleteFunc(slices.Clone(list), func(r *atlasRow) bool { return !slices.Contains(games, r.Game) })
	}
	tasks := f.tasks(chosen)
	if f.parts.One() {
		return cli.RunPart(&f.parts, &f.job.Output, &a.Progress, cmd, tasks, 1, func(ctx context.Context, i int) (atlasRow, error) {
			r := chosen[i]
			if !f.missing(r) {
				return *r, nil
			}
			err := f.fill(ctx, a, r, nil)
			return *r, err
		})
	}
	held, err := cli.Merged[atlasRow](&f.parts, cmd, tasks)
	if err != nil {
		return err
	}
	return cli.Run(&f.job.Output, &a.Progress, cmd, "solving", cli.Shares, func(ctx context.Context, bar *cli.Bar) ([]atlasRow, error) {
		var shown []atlasRow
		done, all := 0.0, 0.0
		for i, r := range chosen {
			if f.missing(r) {
				all += tasks[i].Cost
			}
		}
		for i, r := range chosen {
			bar.Describe("%s under rules %s", r.Game, r.Rules)
			if f.missing(r) {
				done += tasks[i].Cost
				bar.Part(done/all, cli.Shares)
				if held != nil {
					*r = held[i]
				} else if err := f.fill(ctx, a, r, func(p strong.Progress) { bar.Share(p.Share) }); err != nil {
					return shown, err
				}
				if err := writeAtlas(name, list); err != nil {
					return shown, err
				}
			}
			shown = append(shown, *r)
		}
		return shown, nil
	}, writeAtlasRows)
}

// missing says whether a row has less than is wanted.
func (f *atlasFlags) missing(r *atlasRow) bool {
	return r.Solved == atlasNothing || f.distances && r.Solved == atlasValues
}

// tasks are the rows, which cost by the positions that are solved.
func (f *atlasFlags) tasks(list []*atlasRow) (tasks []parts.Task) {
	for _, r := range list {
		cost := atlasRowCost
		if r.Positions != nil && *r.Positions <= f.most {
			cost += atlasCost[r.Rules] * float64(*r.Positions)
		}
		tasks = append(tasks, parts.Task{Name: r.Game + " " + r.Rules, Cost: cost})
	}
	return tasks
}

// atlasCost is what a position takes, in nanoseconds of a processor, by the rules: from
// docs/data/atlas.csv, where the boards of more than 10⁶ positions with distances are
// within three times of it. atlasRowCost is what a row takes in any case.
var atlasCost = map[string]float64{"sturtevant": 80, "gamesman-2026": 80, "base": 6, "house": 80}

const atlasRowCost = 1e7

// check refuses before the work begins what cannot be written after it.
func (f *atlasFlags) check(name string) error {
	atlas := files.Named{What: "the atlas", Name: name}
	if err := f.job.Apart(atlas); err != nil {
		return err
	}
	return files.Replaceable(atlas.What, atlas.Name)
}

// fill solves the board of a row, or says why not.
func (f *atlasFlags) fill(ctx context.Context, a *family.App, r *atlasRow, progress func(strong.Progress)) error {
	g, err := halma.ByID(r.Game, r.Rules)
	if err != nil {
		return err
	}
	spec, err := g.TwoArmy()
	if err != nil {
		return err
	}
	o := strong.Options{Distances: f.distances, Threads: f.job.Threads, Memory: uint64(f.job.Mem), Interval: f.interval}
	if f.work != "" {
		o.Dir = filepath.Join(f.work, family.TableName(g, o.Distances))
	}
	plan, err := strong.NewPlan(spec, o)
	room := o.Memory >= plan.Least || f.work != "" && o.Memory >= plan.Files
	switch {
	case r.Solved != atlasNothing && (err != nil || *r.Positions > f.most || !room):
		return nil // values stay
	case err != nil || r.Positions == nil || *r.Positions > f.most || !room:
		f.leaveOut(r, spec, o)
		return nil
	}
	if o.Dir != "" {
		if err := files.MakeDir("the state", o.Dir); err != nil {
			return err
		}
	}
	o.Progress = progress
	solved, err := f.solve(ctx, a, r, g, o)
	if err != nil {
		return err
	}
	*r = solved
	if o.Dir != "" {
		return os.RemoveAll(o.Dir)
	}
	return nil
}

// leaveOut enters why a row is not run, and what the solve for values in memory would
// take.
func (f *atlasFlags) leaveOut(r *atlasRow, spec *halma.TwoArmy, o strong.Options) {
	o.Distances, o.Dir = false, ""
	r.Threads, r.Verdict = o.Threads, cli.NotRun
	plan, err := strong.NewPlan(spec, o)
	if err == nil {
		r.MemoryBytes = &plan.Bytes
	}
	switch {
	case err != nil:
		r.Verdict += ": " + cli.Message(err)
	case r.Positions != nil && *r.Positions <= f.most:
		r.Verdict += ": more than --mem"
	default:
		r.Verdict += ": more than --max-positions"
	}
}

// solve solves the board of a row.
func (f *atlasFlags) solve(ctx context.Context, a *family.App, r *atlasRow, g *halma.Game, o strong.Options) (row atlasRow, err error) {
	row = *r
	spec, err := g.TwoArmy()
	if err != nil {
		return row, err
	}
	debug.FreeOSMemory() // so that what is in use is this row's
	begin, processor := time.Now(), host.ProcessTime()
	solved, err := strong.Solve(ctx, spec, o)
	if err != nil {
		return row, err
	}
	row.Resumed = solved.Resumed
	wall, used := cli.Since(begin), cli.Seconds(host.ProcessTime()-processor)
	memory := host.MemoryInUse()
	row.Seconds, row.ProcessorSeconds, row.MemoryBytes, row.Threads = &wall, &used, &memory, o.Threads
	row.enter(newStrongRecord(g, solved))
	if o.Distances {
		row.Command += " --distances"
	}
	dir, err := os.MkdirTemp(f.work, "atlas-")
	if err != nil {
		return row, err
	}
	defer os.RemoveAll(dir)
	table := filepath.Join(dir, family.TableName(g, o.Distances))
	info, err := strong.Save(ctx, table, spec, solved, "perfectplay "+a.Program, o.Threads, nil)
	if err != nil {
		return row, err
	}
	stat, err := os.Stat(table)
	if err != nil {
		return row, err
	}
	size := uint64(stat.Size())
	row.TableBytes, row.Signature = &size, info.Signature
	return row, row.compare()
}

// enter enters what a solution says.
func (r *atlasRow) enter(s *strongRecord) {
	r.Solved = atlasValues
	if s.Distances {
		r.Solved = atlasDistances
		longest := 0
		for d, n := range s.WinsIn {
			if n > 0 {
				longest = d
			}
		}
		r.LongestWin = &longest
	}
	r.Value, r.Distance = s.Value.String(), s.Distance
	var won, drawn, lost int
	for _, m := range s.Openings {
		switch m.Value {
		case game.Win:
			won++
		case game.Draw:
			drawn++
		default:
			lost++
		}
	}
	r.OpeningsWon, r.OpeningsDrawn, r.OpeningsLost = &won, &drawn, &lost
	r.Wins, r.Losses, r.Draws, r.Illegal = &s.Wins, &s.Losses, &s.Draws, &s.Illegal
}

// compare says how a row stands to print.
func (r *atlasRow) compare() error {
	printed, err := strong.Published()
	if err != nil {
		return err
	}
	r.Verdict = ""
	for _, p := range printed {
		if p.Game() != r.Game || r.Rules != reproRules {
			continue
		}
		beside := strongRow{
			PublishedPositions: p.Positions, PublishedWins: p.Wins, PublishedDraws: p.Draws, PublishedIllegal: p.Illegal,
			Positions: *r.Positions, Wins: *r.Wins + *r.Losses, Draws: 2 * *r.Draws, Illegal: 2 * *r.Illegal,
		}
		beside.judge(true)
		source, _, _ := strings.Cut(p.Source, " (")
		if r.Verdict != "" {
			r.Verdict += "; "
		}
		r.Verdict += source + ": " + beside.Verdict
	}
	return nil
}

// writeAtlasRows prints rows for people.
func writeAtlasRows(w io.Writer, list []atlasRow) error {
	for i := range list {
		r := &list[i]
		r.Start = r.start()
	}
	return cli.Grid[atlasRow]("game", "rules", "positions=positions?", "start=Start", "longest=longest_win?", "drawn=draws?", "processor=processor_seconds?", "verdict")(w, list)
}

// start is the value of the start for people.
func (r *atlasRow) start() string {
	if r.Distance == nil {
		return r.Value
	}
	return fmt.Sprintf("%s in %d", r.Value, *r.Distance)
}
