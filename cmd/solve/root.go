package main

import (
	"github.com/spf13/cobra"

	"perfectplay/internal/cli"
)

// app is what the subcommands of one run share.
type app struct {
	progress cli.Progress
	profile  cli.Profile
}

// newRoot returns the whole command. Each subcommand has a file of its own and
// a constructor newNameCommand(*app); flags live in the constructor, work in a
// function that returns an error and leaves exiting to package cli.
func newRoot() *cobra.Command {
	a := new(app)
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
		&cobra.Group{ID: groupSolve, Title: "Solving:"},
		&cobra.Group{ID: groupCheck, Title: "Checking:"},
		&cobra.Group{ID: groupAbout, Title: "About:"},
	)
	root.SetHelpCommandGroupID(groupAbout)
	root.SetCompletionCommandGroupID(groupAbout)
	root.AddCommand(
		newSearchCommand(a),
		newPerftCommand(a),
		newBenchCommand(a),
		newReproCommand(a),
		newInfoCommand(a),
		newVersionCommand(a),
		newManCommand(a),
	)
	root.AddCommand(dominoCommands(a)...)
	root.AddCommand(strongCommands(a)...)
	root.AddCommand(mnkCommands(a)...)
	a.progress.Flags(root)
	a.profile.Flags(root)
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.progress.Check() }
	return root
}

// The groups of subcommands in the help.
const (
	groupSolve = "solve"
	groupCheck = "check"
	groupAbout = "about"
)
