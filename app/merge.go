package app

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/parts"
)

func newMergeCommand(a *family.App) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "merge PART... [-- FLAGS] | merge --parts DIR [-- FLAGS]",
		Short: "put the parts of a job together",
		Long: `merge reads the files of all parts of a job that was run with --part, and answers
as the same command without --part would have answered: it is run once more with
what the parts have found. Times are those of the parts, added up.

Damaged or incomplete files, parts of another job or by another version of the
program, and parts given twice or missing are listed, and nothing is merged.

FLAGS go to the command: --csv, --output FILE and others that say where its answer
goes, for parts of the census --census FILE.`,
		Example: `  solve merge search-*.part
  solve merge census-*.part -- --census all.census`,
		Args: cli.Args("[PART...]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var flags []string
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, flags = args[:at], args[at:]
			}
			switch given := cmd.Flags().Changed("parts"); {
			case given && len(args) > 0:
				return cli.Usagef("--parts names all files in a directory: leave out %q", args[0])
			case given:
				if args, _ = filepath.Glob(filepath.Join(escaped(dir), "*.part")); len(args) == 0 {
					return fmt.Errorf("there are no parts in %s", dir)
				}
			case len(args) == 0:
				return cli.Usagef("missing PART or --parts")
			}
			words, err := mergeWords(a, args)
			if err != nil {
				return err
			}
			root := cmd.Root()
			if a.Merging.Whole != nil {
				if err := mergeable(root, a.Merging.Whole); err != nil {
					return err
				}
			}
			root.SetArgs(append(words, flags...))
			return root.ExecuteContext(cmd.Context())
		},
	}
	cli.PartsFlag(cmd, &dir)
	return cmd
}

// escaped makes a directory's name match itself as a pattern.
func escaped(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// mergeWords returns the command that merges these files: the family's own if the first file
// begins like one, else the command that made the parts.
func mergeWords(a *family.App, names []string) (words []string, err error) {
	start, err := beginning(names[0])
	if err != nil {
		return nil, err
	}
	for _, f := range a.Families {
		if f.IsPart != nil && f.IsPart(start) {
			return append(append(words, f.MergeParts...), names...), nil
		}
	}
	if a.Merging.Whole, err = parts.Gather(names); err != nil {
		return nil, err
	}
	return a.Merging.Whole.Command, nil
}

// mergeable refuses a command line from a file unless it is a job in parts: the author of the
// file must not choose the command that runs here.
func mergeable(root *cobra.Command, whole *parts.Whole) error {
	target, words, err := root.Find(whole.Command)
	if err != nil || !cli.HasParts(target) {
		return fmt.Errorf("the parts are of %q, and %s has no such command with parts", strings.Join(whole.Command, " "), root.Name())
	}
	if whole.Tasks < 1 {
		return fmt.Errorf("the parts are of %q without a task", strings.Join(whole.Command, " "))
	}
	for _, word := range words {
		if strings.HasPrefix(word, "-") && !cli.OfJob(target, word) {
			return fmt.Errorf("the parts are of %q: the flag %s is not part of a job", strings.Join(whole.Command, " "), word)
		}
	}
	return nil
}

func beginning(name string) ([]byte, error) {
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}
