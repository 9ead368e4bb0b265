// Package app is the command solve as a library: its subcommands on any game. A
// program that calls Main with games of its own is that command for them.
package app

import (
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
)

// Main runs the command line of the process on the given families of games and
// returns the exit code.
func Main(families ...family.Family) int { return cli.Main(newRoot(newApp(families...))) }

// newApp returns what all subcommands share.
func newApp(families ...family.Family) *family.App {
	return &family.App{Program: moduleVersion(), Families: families}
}

// newRoot returns the whole command. Each subcommand has a file of its own and
// a constructor newNameCommand(*family.App); flags live in the constructor, work in a
// function that returns an error and leaves exiting to package cli.
func newRoot(a *family.App) *cobra.Command {
	root := cli.Group(&cobra.Command{
		Use:   "solve",
		Short: "compute perfect play",
		Long: `solve computes perfect play of Chinese Checkers and other games.

The answer goes to standard output: text for people, or --json (one object a
line) or --csv. Progress and warnings go to standard error. The exit code is 0
when done, 1 on failure, 2 when the command line makes no sense, and 130 when
interrupted, after printing what is proved so far.`,
		Example: `  solve info
  solve search halma-star37-2p --rules house --limit 12
  solve perft halma-star121-6p --depth 3`,
		Version: moduleVersion(),
	})
	root.AddGroup(
		&cobra.Group{ID: cli.GroupSolve, Title: "Solving:"},
		&cobra.Group{ID: cli.GroupCheck, Title: "Checking:"},
		&cobra.Group{ID: cli.GroupAbout, Title: "About:"},
	)
	root.SetHelpCommandGroupID(cli.GroupAbout)
	root.SetCompletionCommandGroupID(cli.GroupAbout)
	root.AddCommand(
		newSearchCommand(a),
		newAnalyseCommand(a),
		newBookCommand(a),
		newCoalitionsCommand(a),
		newPerftCommand(a),
		newBenchCommand(a),
		newReproCommand(a),
		newServeCommand(a),
		newPlayCommand(a),
		newEngineCommand(a),
		newMatchCommand(a),
		newMergeCommand(a),
		newClusterCommand(a),
		newSiteCommand(a),
		newJudgeCommand(a),
		newPuzzlesCommand(a),
		newInfoCommand(a),
		newVersionCommand(a),
		newManCommand(a),
	)
	for _, f := range a.Families {
		root.AddCommand(f.Commands(a)...)
	}
	a.Complete(root)
	a.Progress.Flags(root)
	a.Profile.Flags(root)
	cli.ColorFlag(root)
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.Progress.Check() }
	return root
}
