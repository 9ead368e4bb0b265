package app

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
)

func newManCommand(a *family.App) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "write manual pages, one a subcommand, to a directory",
		Long: `man writes manual pages, one a subcommand, to DIR. The same program makes the
same pages. Their date is SOURCE_DATE_EPOCH from the environment, or else the
time of the commit; without either they have no date.`,
		Hidden: true,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "" {
				return cli.Usagef("DIR is empty")
			}
			date, err := pageDate()
			if err != nil {
				return fmt.Errorf("man: %w", err)
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("man: %w", err)
			}
			return writePages(cmd.Root(), args[0], date)
		},
	}
}

// pageDate is the date of the pages, as 2026-11-28.
func pageDate() (string, error) {
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return "", fmt.Errorf("SOURCE_DATE_EPOCH=%q: want a number of seconds", epoch)
		}
		return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
	}
	date, _, _ := strings.Cut(thisBuild().Date, "T")
	return date, nil
}

// writePages writes the page of a command and the pages of its subcommands.
func writePages(cmd *cobra.Command, dir, date string) error {
	if err := os.WriteFile(filepath.Join(dir, pageName(cmd)+".1"), manPage(cmd, date), 0o666); err != nil {
		return fmt.Errorf("man: %w", err)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			if err := writePages(sub, dir, date); err != nil {
				return err
			}
		}
	}
	return nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is the manual page of a command, in the language of man(7), with the text of its
// help.
func manPage(cmd *cobra.Command, date string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH \"%s\" \"1\" \"%s\" \"perfectplay\" \"perfectplay\"\n.nh\n.ad l\n", roff(strings.ToUpper(pageName(cmd))), date)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(cmd)), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fR\n.SH DESCRIPTION\n", roff(cmd.UseLine()))
	manText(&b, cmp.Or(cmd.Long, cmd.Short))
	cmd.InitDefaultHelpFlag()
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&b, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprint(&b, ".SH EXAMPLES\n")
		manText(&b, cmd.Example)
	}
	var also []string
	if cmd.HasParent() {
		also = append(also, seeAlso(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			also = append(also, seeAlso(sub))
		}
	}
	if len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(also, ",\n"))
	}
	return b.Bytes()
}

func seeAlso(cmd *cobra.Command) string { return fmt.Sprintf(".BR %s (1)", roff(pageName(cmd))) }

// manText writes paragraphs. From an indented line on, a paragraph is a list or an example and
// keeps its lines.
func manText(b *bytes.Buffer, text string) {
	lines := false
	for i, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		listed := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || lines && line != ""
		switch {
		case listed && !lines:
			fmt.Fprint(b, ".nf\n")
		case !listed && lines:
			fmt.Fprint(b, ".fi\n")
		}
		lines = listed
		switch {
		case line != "":
			fmt.Fprintln(b, roff(line))
		case i > 0:
			fmt.Fprint(b, ".PP\n")
		}
	}
	if lines {
		fmt.Fprint(b, ".fi\n")
	}
}

func manFlags(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	cli.Bare(flags)
	flags.VisitAll(func(f *pflag.Flag) {
		one := pflag.NewFlagSet("", pflag.ContinueOnError)
		one.AddFlag(f)
		if name, usage, ok := strings.Cut(strings.TrimSpace(one.FlagUsages()), "   "); ok {
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(name), roff(usage))
		}
	})
}

func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`, "'", `\(aq`, "\t", "        ").Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
