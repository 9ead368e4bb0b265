package halma

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/internal/parts"
	"perfectplay/lab/thesis2025"
)

// thesisFound is the result of a task of lab repro halma: a row, or sound values.
type thesisFound struct {
	Row   *halmaRow    `json:",omitempty"`
	Sound []soundValue `json:",omitempty"`
}

// thesisTasks lists the tasks: rows, then questions. Sound values take about as long as the
// quickest row that needs them, since both look equally far ahead.
func thesisTasks(printed []thesis2025.PublishedRow, questions []soundQuestion) (tasks []parts.Task) {
	for _, p := range printed {
		tasks = append(tasks, parts.Task{Name: fmt.Sprintf("table %s opening %d", p.Table, p.Opening), Cost: p.Estimate().Seconds()})
	}
	for _, q := range questions {
		cost := tasks[q.rows[0]].Cost
		for _, i := range q.rows {
			cost = min(cost, tasks[i].Cost)
		}
		tasks = append(tasks, parts.Task{Name: fmt.Sprintf("sound %s %s %s %d", q.game, q.rules, q.algo, q.limit), Cost: cost})
	}
	return tasks
}

// runPart runs the rows and answers the questions of a part, one after the other: a
// question takes all threads.
func (f *reproHalmaFlags) runPart(a *family.App, cmd *cobra.Command, printed []thesis2025.PublishedRow, questions []soundQuestion, tasks []parts.Task) error {
	if cmd.Flags().Changed("time") {
		return cli.Usagef("--time does not go with --part: --time-each bounds each row")
	}
	return cli.RunPart(&f.parts, &f.job.Output, &a.Progress, cmd, tasks, 1, func(ctx context.Context, i int) (found thesisFound, err error) {
		if i < len(printed) {
			r := newHalmaRow(printed[i])
			f.runRow(ctx, newThesisRuns(f.job.Mem, 1, new(cli.Bar), "rows"), printed[i], &r)
			return thesisFound{Row: &r}, ctx.Err()
		}
		found.Sound, err = f.sound(ctx, questions[i-len(printed)], f.perRow)
		if err == nil {
			err = ctx.Err()
		}
		return found, err
	})
}

// mergedRows joins the results of the tasks of all parts.
func mergedRows(held []thesisFound, questions []soundQuestion) (rows []halmaRow) {
	for _, found := range held {
		if found.Row != nil {
			rows = append(rows, *found.Row)
		}
	}
	for k, q := range questions {
		q.enter(rows, held[len(rows)+k].Sound)
	}
	return rows
}
