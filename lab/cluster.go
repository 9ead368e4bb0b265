package lab

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/internal/parts"
	"perfectplay/lab/cluster"
	"perfectplay/lab/halma"
)

type clusterFlags struct {
	res cli.Resources
	job cluster.Job
}

// newClusterCommand makes the command cluster. Its subcommand for a scheduler divides a command of
// the program that solve returns.
func newClusterCommand(a *family.App, solve func() *cobra.Command) *cobra.Command {
	cmd := cli.Group(&cobra.Command{
		Use:   "cluster",
		Short: "write what runs a long job as an array on a scheduler",
		Long: `cluster writes job scripts for Slurm, or manifests for Kubernetes, into DIR. It
starts nothing: sh DIR/submit.sh does. JOB is a command of solve that has
--part: each task of the array does a part, and a last one merges their files.

A task that is killed is queued again and continues from its file; one that runs
twice or late changes nothing. docs/cluster.md explains both schedulers, and what
to do when something fails.`,
	})
	cmd.AddCommand(
		newSchedulerCommand(a, solve, "slurm", "write job scripts for Slurm", cluster.Slurm,
			"  lab cluster slurm census --tasks 400 --threads 4 -- domino census"),
		newSchedulerCommand(a, solve, "kubernetes", "write manifests for Kubernetes", cluster.Kubernetes,
			"  lab cluster kubernetes proof --tasks 20 --volume shared -- mnk solve mnk-8x8k5"))
	cmd.AddCommand(halma.Nodes(a), halma.Pass(a))
	return cmd
}

func newSchedulerCommand(a *family.App, solve func() *cobra.Command, name, short string, write func(cluster.Job) ([]cluster.File, error), example string) *cobra.Command {
	var f clusterFlags
	cmd := &cobra.Command{
		Use:     name + " DIR -- JOB...",
		Short:   short,
		Example: example,
		Args:    cli.Args("DIR", "JOB..."),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, solve(), args[0], args[1:], write) },
	}
	fl := cmd.Flags()
	cli.Number(cmd, &f.job.Tasks, "tasks", 16, "divide the job into `N` tasks")
	cli.Number(cmd, &f.job.AtOnce, "at-once", 0, "let at most `N` tasks run at the same time (default: any number)")
	f.res.Threads, f.res.Mem = 1, 2<<30
	f.res.ThreadFlag(cmd)
	f.res.MemFlag(cmd)
	fl.DurationVar(&f.job.Time, "time", time.Hour, "`TIME` for a task; one that is not done by then is queued again")
	if name == "kubernetes" {
		fl.StringVar(&f.job.Image, "image", "perfectplay:latest", "the program's container `IMAGE`")
		fl.StringVar(&f.job.Volume, "volume", "perfectplay", "`CLAIM` of the volume for files of tasks")
	}
	cli.Rules(cmd, cli.Within("tasks", 1, parts.Most), cli.AtLeast("time", int64(time.Minute)), cli.AtLeast("threads", 1))
	return cmd
}

func (f *clusterFlags) run(a *family.App, cmd, solve *cobra.Command, dir string, words []string, write func(cluster.Job) ([]cluster.File, error)) error {
	if f.res.Mem < 64<<20 {
		return cli.Usagef("--mem %v: at least 64MiB are needed", f.res.Mem)
	}
	f.job.Threads, f.job.Memory = max(f.res.Threads, 1), uint64(f.res.Mem)
	if err := f.divide(a, words, solve); err != nil {
		return err
	}
	list, err := write(f.job)
	if err != nil {
		return cli.Usage(err)
	}
	if name := foreign(dir, list); name != "" {
		return fmt.Errorf("%s holds something else: %s", dir, name)
	}
	if err := files.MakeDir("the job", dir); err != nil {
		return err
	}
	for _, file := range list {
		name := filepath.Join(dir, file.Name)
		if err := files.Write(name, func(w io.Writer) error { _, err := w.Write(file.Text); return err }); err != nil {
			return err
		}
		fmt.Fprintln(cmd.OutOrStdout(), name)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "submit with: sh %s\n", filepath.Join(dir, "submit.sh"))
	return nil
}

// foreign returns the name of an entry of a directory that is not one of these files and was not
// left by a killed write of these files; empty if there is no such entry.
func foreign(dir string, list []cluster.File) string {
	there, err := os.ReadDir(dir)
	if err != nil {
		return "" // making the directory gives a better error
	}
	for _, e := range there {
		ours := func(f cluster.File) bool {
			text, err := os.ReadFile(filepath.Join(dir, f.Name))
			return e.Name() == f.Name && err == nil && bytes.Equal(text, f.Text) || files.IsPart(e.Name(), f.Name)
		}
		if !slices.ContainsFunc(list, ours) {
			return e.Name()
		}
	}
	return ""
}

// divide divides a command line of solve into tasks.
func (f *clusterFlags) divide(a *family.App, words []string, solve *cobra.Command) error {
	sub, rest, err := solve.Find(words)
	if err != nil || sub == solve {
		return cli.Usagef("solve has no command %q", strings.Join(words, " "))
	}
	f.job.Passes = sub.Name() == "strong"
	if sub.Flags().Lookup("part") == nil && !f.job.Passes {
		return cli.Usagef("%s cannot be divided: it has no --part", sub.CommandPath())
	}
	if err := sub.ParseFlags(rest); err != nil {
		return cli.Usage(fmt.Errorf("%s: %w", sub.CommandPath(), err))
	}
	if err := sub.ValidateArgs(sub.Flags().Args()); err != nil {
		return err
	}
	if f.job.Passes {
		if err := inPasses(a, sub); err != nil {
			return err
		}
	}
	f.job.Mem = sub.Flags().Lookup("mem") != nil
	f.job.Command = append(strings.Fields(sub.CommandPath())[1:], sub.Flags().Args()...)
	f.job.Answer = []string{"--output", "answer"}
	if sub.Flags().Lookup("census") != nil {
		f.job.Answer = []string{"--census", "whole.census"}
	}
	sub.Flags().Visit(func(flag *pflag.Flag) {
		if slices.Contains([]string{"part", "parts", "threads", "mem", "output", "census", "work", "table", "profile", "profile-dir"}, flag.Name) {
			err = cli.Usagef("the scripts set --%s for each task: leave it out of the job", flag.Name)
		}
		value := flag.Value.String()
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		word := "--" + flag.Name + "=" + value
		if slices.Contains([]string{"csv", "json", "verbose", "plot", "save", "journal"}, flag.Name) {
			f.job.Answer = append(f.job.Answer, word)
		} else {
			f.job.Command = append(f.job.Command, word)
		}
	})
	return err
}

// inPasses refuses a solve that tasks of lab cluster pass cannot do.
func inPasses(a *family.App, strong *cobra.Command) (err error) {
	if _, err := halma.InTasks(a.Open(strong.Flags().Args()[0], strong.Flags().Lookup("rules").Value.String())); err != nil {
		return err
	}
	strong.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"rules", "distances", "threads", "mem", "work", "table"}, f.Name) && f.Name != "output" {
			err = cli.Usagef("--%s does not go with a solve in tasks", f.Name)
		}
	})
	return err
}
