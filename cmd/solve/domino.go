package main

import "github.com/spf13/cobra"

// dominoCommands are the subcommands on block dominoes.
func dominoCommands(*app) []*cobra.Command { return nil }

// dominoRepro are the subcommands of solve repro on block dominoes.
func dominoRepro(*app) []*cobra.Command { return nil }
