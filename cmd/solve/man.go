package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// newManCommand makes manual pages for packagers; people use help.
func newManCommand(a *family.App) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "write manual pages, one a subcommand, to a directory",
		Hidden: true,
		Args:   cli.Args("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "" {
				return cli.Usagef("DIR is empty")
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("man: %w", err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // the same source makes the same pages
			header := &doc.GenManHeader{Section: "1", Source: "perfectplay", Manual: "perfectplay"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("man: %w", err)
			}
			return nil
		},
	}
}
