package lab

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/bench"
	"perfectplay/internal/cli"
	"perfectplay/internal/impl"
)

// benchRecord is the fastest run of a job.
type benchRecord struct {
	Kind         string      `json:"kind"`
	Name         string      `json:"name"`
	Answer       string      `json:"answer"`
	Positions    uint64      `json:"positions"`
	Seconds      cli.Seconds `json:"seconds"`
	PerSecond    float64     `json:"positions_per_second"`
	Version      string      `json:"version"`
	Go           string      `json:"go"`
	CPU          string      `json:"cpu"`
	Bitboard     string      `json:"bitboard"` // implementation of package bitboard in use
	Repetitions  int         `json:"repetitions"`
	SignatureSum *uint64     `json:"signature"` // signature over all searches; nil for other jobs

	Job, Speed string `json:"-"` // for the printed text
}

type benchFlags struct {
	out       cli.Output
	only      []string
	repeat    int
	signature bool
}

func newBenchCommand(a *family.App) *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "run fixed jobs: positions a second, and the signature",
		Long: `bench runs fixed jobs on one thread, checks their answers, and prints how many
positions a second they visit, the fastest of --repeat runs.

The signature is the number of positions that all searches visit. It is the same
on every machine and build, and changes only when a search changes.`,
		Example: "  lab bench\n  lab bench --signature\n  lab bench --only perft --repeat 5",
		GroupID: cli.GroupCheck,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.out.Flags(cmd)
	fl := cmd.Flags()
	cli.Choices(cmd, &f.only, "only", nil, nil, "run only jobs whose kind and name match one of these `WORDS`, regular expressions; there is no signature then")
	cli.CompleteBy(cmd, "only", cli.Words(jobNames()))
	fl.IntVar(&f.repeat, "repeat", 1, "`N` runs of each job; the fastest counts")
	fl.BoolVar(&f.signature, "signature", false, "print the signature alone")
	cli.Rules(cmd, cli.Excludes("only", "signature"), cli.Within("repeat", 1, 1000))
	return cmd
}

func jobNames() (names []string) {
	for _, w := range jobs() {
		names = append(names, regexp.QuoteMeta(string(w.Kind)+"/"+w.Name))
	}
	return names
}

func (f *benchFlags) run(a *family.App, cmd *cobra.Command) error {
	only, err := regexp.Compile(strings.Join(f.only, "|"))
	if err != nil {
		return cli.Usagef("--only: %v", err)
	}
	var chosen []bench.Workload
	for _, w := range jobs() {
		if f.signature && w.Kind != bench.Search || !only.MatchString(string(w.Kind)+"/"+w.Name) {
			continue
		}
		chosen = append(chosen, w)
	}
	if len(chosen) == 0 {
		return cli.Usagef("--only %q: no job has such a name", f.only)
	}
	return cli.Run(&f.out, &a.Progress, cmd, "jobs", int64(len(chosen)*f.repeat), func(ctx context.Context, bar *cli.Bar) ([]benchRecord, error) {
		records, err := f.measure(ctx, bar, a.Program, chosen)
		if err != nil || f.only != nil {
			return records, err
		}
		signature := uint64(0)
		for i := range records {
			if r := &records[i]; r.Kind == string(bench.Search) {
				signature += r.Positions
				r.SignatureSum = &signature
			}
		}
		return records, nil
	}, func(w io.Writer, records []benchRecord) {
		if f.signature {
			fmt.Fprintln(w, *records[0].SignatureSum)
			return
		}
		cli.Grid[benchRecord]("kind", "job=Job", "positions", "time=seconds", ">positions/s=Speed")(w, records)
		for _, r := range records {
			if r.SignatureSum != nil {
				fmt.Fprintf(w, "\nsignature %d\n", *r.SignatureSum)
				break
			}
		}
	})
}

// measure runs each job and reports its fastest run. If cancelled, it returns the jobs done so far
// and the context's error.
func (f *benchFlags) measure(ctx context.Context, bar *cli.Bar, version string, jobs []bench.Workload) ([]benchRecord, error) {
	cpu, _ := impl.CPU()
	var records []benchRecord
	for _, job := range jobs {
		var best bench.Outcome
		for i := range f.repeat {
			out, err := job.Run(ctx)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return records, err
			}
			if i > 0 && out.Positions != best.Positions {
				return records, fmt.Errorf("bench: %s: %d positions, and then %d", job.Name, best.Positions, out.Positions)
			}
			if i == 0 || out.Elapsed < best.Elapsed {
				best = out
			}
			bar.Add(1)
		}
		records = append(records, benchRecord{
			Kind: string(job.Kind), Name: job.Name, Answer: best.Answer, Positions: best.Positions, Seconds: cli.Seconds(best.Elapsed),
			PerSecond: float64(best.Positions) / best.Elapsed.Seconds(), Repetitions: f.repeat,
			Version: version, Go: runtime.Version(), CPU: cpu, Bitboard: impl.Active("bitboard"),
			Job: strings.ReplaceAll(job.Name, "/", " "), Speed: cli.Rate(best.Positions, best.Elapsed),
		})
	}
	return records, nil
}
