// Package app holds the commands solve and lab, with their subcommands, for any game. A program
// that calls Main with games of its own is the command solve for these games.
package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/export"
	"perfectplay/app/family"
	"perfectplay/internal/cli"
)

// Main runs the command line of the process as the command solve on the given families
// of games and returns the exit code.
func Main(families ...family.Family) int { return start(newRoot, families) }

// Lab is [Main] for the command lab, with the laboratory's commands.
func Lab(commands Commands, families ...family.Family) int {
	return start(func(a *family.App) *cobra.Command { return newLab(a, commands) }, families)
}

// Commands returns subcommands of lab. solve returns a new command solve, and export the command
// lab export with a flag for files of columns.
type Commands func(a *family.App, solve func() *cobra.Command, export func(export.Columns) *cobra.Command) []*cobra.Command

// start runs a program on the families.
func start(program func(*family.App) *cobra.Command, families []family.Family) int {
	families, err := withDefaults(families)
	if err != nil {
		fmt.Fprintln(os.Stderr, cli.Message(err))
		return cli.ExitUsage
	}
	return cli.Main(program(newApp(families...)))
}

// withDefaults fills in optional fields. The error names a missing required field.
func withDefaults(families []family.Family) ([]family.Family, error) {
	families = slices.Clone(families)
	if len(families) == 0 {
		return nil, errors.New("app: no games: Main wants at least one family")
	}
	names := map[string]bool{}
	for i, f := range families {
		w, err := f.Wing.Complete()
		if err != nil {
			return nil, fmt.Errorf("app: family %d of %d: %w", i+1, len(families), err)
		}
		if names[w.Name] {
			return nil, fmt.Errorf("app: two families are called %s", w.Name)
		}
		names[w.Name] = true
		families[i].Wing = w
	}
	return families, nil
}

func newApp(families ...family.Family) *family.App {
	return &family.App{Program: moduleVersion(), Families: families}
}

// newRoot returns the command solve. Each subcommand has a file and a constructor
// newNameCommand(*family.App). The constructor holds the flags; a function does the work and
// returns an error, and package cli exits.
func newRoot(a *family.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "solve",
		Short: "compute perfect play",
		Long:  "solve computes perfect play in " + titles(a) + ".\n" + conventions,
		Example: `  solve info
  solve search halma-star37-2p --rules house --limit 12
  solve play halma-star37-2p`,
	}
	root.AddCommand(
		newSearchCommand(a),
		newAnalyseCommand(a),
		newBookCommand(a),
		newServeCommand(a),
		newPlayCommand(a),
		newEngineCommand(a),
		newMatchCommand(a),
		newMergeCommand(a),
		newSiteCommand(a),
		newJudgeCommand(a),
		newInfoCommand(a),
		newStrongCommand(a),
		newProbeCommand(a),
		newVerifyCommand(a),
		newExportCommand(a),
	)
	for _, f := range a.Families {
		if f.Commands != nil {
			root.AddCommand(f.Commands(a)...)
		}
	}
	cli.Elsewhere(root, "lab", ofLab...)
	return finish(a, root)
}

// ofLab lists the commands that only lab has, ofSolve the commands that only solve has.
var (
	ofLab   = strings.Fields("repro perft bench cluster publish puzzles solitaire thesis searches")
	ofSolve = strings.Fields("search analyse book serve play engine match merge site judge info strong probe verify mnk domino")
)

func newLab(a *family.App, commands Commands) *cobra.Command {
	root := &cobra.Command{
		Use:   "lab",
		Short: "the laboratory of perfectplay",
		Long: `lab is the laboratory of perfectplay: it computes published figures again, counts
and compares move sequences, runs fixed jobs, writes scripts for clusters and
Parquet files.
` + conventions,
		Example: `  lab repro strong
  lab perft halma-star121-6p --depth 3
  lab bench --signature`,
	}
	root.AddCommand(commands(a, func() *cobra.Command { return newRoot(newApp(a.Families...)) },
		func(c export.Columns) *cobra.Command { return newParquetCommand(a, c) })...)
	root.AddCommand(newPuzzlesCommand(a))
	cli.Elsewhere(root, "solve", ofSolve...)
	return finish(a, root)
}

// titles names the games in a sentence.
func titles(a *family.App) string {
	if len(a.Families) == 1 {
		return a.Families[0].Title
	}
	return a.Families[0].Title + " and other games"
}

// named matches games of this module in examples. A program with games of its own may lack them.
var named = regexp.MustCompile(`\b(halma|mnk|domino)\b`)

// help adds the families' texts to the help of a command and of its subcommands, and removes
// examples that use games which the program lacks.
func help(a *family.App, cmd *cobra.Command) {
	lacks := func(name string) bool {
		return !slices.ContainsFunc(a.Families, func(f family.Family) bool { return f.Name == name })
	}
	lines := slices.DeleteFunc(strings.Split(cmd.Example, "\n"), func(line string) bool {
		return slices.ContainsFunc(named.FindAllString(line, -1), lacks)
	})
	for _, f := range a.Families {
		if h, ok := f.Help[cmd.Name()]; ok {
			cmd.Long += "\n\n" + h.Text
			if h.Example != "" {
				lines = append(lines, h.Example)
			}
		}
	}
	cmd.Example = strings.Trim(strings.Join(lines, "\n"), "\n")
	for _, sub := range cmd.Commands() {
		help(a, sub)
	}
}

// conventions hold for all subcommands.
const conventions = `
The answer goes to standard output: text for people, or --json (one object a
line) or --csv. Progress and warnings go to standard error. The exit code is 0
when done, 1 on failure, 2 when the command line is not understood, and 130 when
interrupted, after printing what is proved so far. An existing file that
holds something else is replaced only with --force.`

// finish adds the parts that both programs have.
func finish(a *family.App, root *cobra.Command) *cobra.Command {
	cli.Group(root)
	root.Version = moduleVersion()
	root.AddGroup(
		&cobra.Group{ID: cli.GroupSolve, Title: "Solving:"},
		&cobra.Group{ID: cli.GroupCheck, Title: "Checking:"},
		&cobra.Group{ID: cli.GroupAbout, Title: "About:"},
	)
	root.SetHelpCommandGroupID(cli.GroupAbout)
	root.SetCompletionCommandGroupID(cli.GroupAbout)
	root.AddCommand(newVersionCommand(a), newManCommand(a))
	for _, sub := range root.Commands() {
		sub.GroupID = cmp.Or(sub.GroupID, cli.GroupSolve)
	}
	a.Complete(root)
	help(a, root)
	a.Progress.Flags(root)
	a.Profile.Flags(root)
	cli.ColorFlag(root)
	cli.ForceFlag(root)
	a.Guard(root)
	return root
}
