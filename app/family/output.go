package family

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/solve/table"
)

// Output names the table and the working directory of a complete solution; both may be empty.
type Output struct {
	Table, Work string

	dir bool // the table goes into a directory, with a sheet
}

// Flags adds --table and --work.
func (o *Output) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.Table, "table", "t", "", "write the table to `FILE`, or into a directory")
	cli.WorkFlag(cmd, &o.Work)
}

// TableName names a table by its content.
func TableName(g game.Game, distances bool) string {
	kind := ".wdl"
	if distances {
		kind = ".distances"
	}
	return strings.Trim(g.ID()+"."+g.Rules(), ".") + kind
}

// Check refuses, before the work begins, outputs that could not be written after it, and names a
// table that goes into a directory. A table that is not empty is replaced only by a table of the
// same game, rules and kind, or with --force. others are more files of the command.
func (o *Output) Check(cmd *cobra.Command, job *cli.Job, g game.Game, distances bool, others ...files.Named) error {
	if stat, err := os.Stat(o.Table); err == nil && stat.IsDir() {
		o.Table, o.dir = filepath.Join(o.Table, TableName(g, distances)), true
	}
	outputs := append([]files.Named{{What: "the table", Name: o.Table}}, others...)
	if o.dir {
		outputs = append(outputs, files.Named{What: "the description of the table", Name: o.Table + SheetEnd}, files.Named{What: "the list of checksums", Name: sumsOf(o.Table)})
	}
	if err := job.Apart(outputs...); err != nil {
		return err
	}
	if o.Table != "" {
		if err := files.Replaceable("the table", o.Table); err != nil {
			return err
		}
		if stat, err := os.Stat(o.Table); err == nil && stat.Size() > 0 && !cli.Forced(cmd) {
			switch info, err := table.Describe(o.Table); {
			case err != nil && table.IsTable(o.Table):
				return fmt.Errorf("%w: --force replaces it", err)
			case err != nil:
				return fmt.Errorf("%s exists and is not a table: --force replaces it", o.Table)
			case !info.Is(g) || info.Distances() != distances:
				return fmt.Errorf("%s holds another solution, %s under rules %s (%s): --force replaces it", o.Table, info.Game, info.Rules, info.Kind())
			}
		}
	}
	if o.Work == "" {
		return nil
	}
	if err := job.Outside("the directory of the state "+o.Work, o.Work, outputs...); err != nil {
		return err
	}
	return files.MakeDir("the state", o.Work)
}

// Claim locks the files and directories that the job writes. Then it calls state, which returns
// an error if there is a saved state of another job.
func (o *Output) Claim(state func() error) (release func(), err error) {
	var claims []*files.Claim
	release = func() {
		for _, c := range claims {
			c.Release()
		}
	}
	for _, n := range []files.Named{{What: "the directory of the state", Name: o.Work}, {What: "the table", Name: o.Table}} {
		if n.Name == "" {
			continue
		}
		c, err := files.Take(n.What, n.Name)
		if err != nil {
			release()
			return nil, err
		}
		claims = append(claims, c)
	}
	if err := state(); err != nil {
		release()
		return nil, err
	}
	return release, nil
}
