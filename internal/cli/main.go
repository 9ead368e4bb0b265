package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/internal/files"
)

// The exit codes.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// marked is an error with one of the marks, which [errors.Is] finds.
type marked struct {
	error
	mark error
}

var errUsage, errSaved, errIncomplete = errors.New("usage"), errors.New("saved"), errors.New("incomplete")

func (m marked) Unwrap() error        { return m.error }
func (m marked) Is(target error) bool { return target == m.mark }

func mark(err, as error) error {
	if err == nil {
		return nil
	}
	return marked{err, as}
}

// Usage marks an error as the fault of the command line; nil stays nil.
func Usage(err error) error { return mark(err, errUsage) }

// Usagef is [fmt.Errorf] for faults of the command line.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Saved marks an error that costs no work: the state is on the disk, and the same command resumes
// it. The message shows that command. Nil stays nil.
func Saved(err error) error { return mark(err, errSaved) }

func again(name string, args []string) string {
	words := []string{name}
	for _, a := range args {
		if a != "--fresh" && !strings.HasPrefix(a, "--fresh=") { // it would discard the state
			words = append(words, a)
		}
	}
	return Shell(words)
}

// Shell joins words for a shell.
func Shell(words []string) string {
	// No shell treats these letters specially.
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%"
	var list []string
	for _, w := range words {
		if w == "" || strings.Trim(w, plain) != "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		list = append(list, w)
	}
	return strings.Join(list, " ")
}

// Code returns the exit code of a subcommand's error.
func Code(err error) int {
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, errUsage):
		return ExitUsage
	}
	return ExitFailed
}

// Main runs a command with the process's arguments and returns its exit code. SIGINT, SIGTERM
// and SIGHUP cancel the command's context once; a SIGINT or SIGTERM a second later ends the
// process at once, as signals do by default. A second SIGHUP does not, since a closing terminal
// sends several. A SIGHUP ignored from the start, as under nohup, stays ignored.
func Main(root *cobra.Command) int {
	if err := enoughMemory(); err != nil {
		report(os.Stderr, root.Name(), nil, err)
		return Code(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !signal.Ignored(hangup) {
		hungUp, ignore := signal.NotifyContext(ctx, hangup)
		defer ignore()
		ctx = hungUp
	}
	// One Ctrl-C may come twice, to a program and to its group; a later one kills a process
	// that does not end.
	context.AfterFunc(ctx, func() { time.AfterFunc(twice, stop) })
	out := &answer{Writer: os.Stdout}
	root.SetOut(out)
	completeRoot(root)
	HelpWidth(root)
	prepare(root)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("writing the answer: %w", out.err)
	}
	report(os.Stderr, root.Name(), cmd, err)
	return Code(err)
}

// hangup is SIGHUP, of a terminal that closes. Systems without terminals lack the name.
const hangup = syscall.Signal(1)

// twice is the time within which repeated signals count as one.
const twice = time.Second

// HelpWidth makes the help of a command and of the commands below it fit [Room], and does not list
// the command help, which every line of help names. It sets no template: programs with
// text/template, which calls methods by name, are linked with all methods of all types.
func HelpWidth(cmd *cobra.Command) {
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(about *cobra.Command, words []string) {
		out := about.OutOrStdout()
		lines := &wrapper{w: out, room: Room(out)}
		about.Long = reflow(about.Long, lines.room) // only now: every start would wait for it
		for _, sub := range about.Commands() {
			if sub.Name() == "help" {
				about.RemoveCommand(sub) // else it would be listed, though hidden
			}
		}
		Bare(about.LocalFlags())
		Bare(about.InheritedFlags())
		about.SetOut(lines) // break the lines of the lists of commands, flags and examples
		help(about, words)
		about.SetOut(out)
		_ = lines.flush() // answer remembers its failures
	})
}

// Bare makes usage texts list switches by their names alone. The library adds [=true|false] to
// each, which takes a sixth of the width of every list.
func Bare(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" {
			f.Value = bare{f.Value}
		}
	})
}

type bare struct{ pflag.Value }

func (bare) IsBoolFlag() bool { return true }
func (bare) Type() string     { return "boolfunc" }

// answer is standard output that remembers its first failure, which the library's help ignores.
type answer struct {
	io.Writer
	err error
}

func (a *answer) Write(p []byte) (int, error) {
	n, err := a.Writer.Write(p)
	if a.err == nil {
		a.err = err
	}
	return n, err
}

// Sync flushes standard output to the disk, if it is a file.
func (a *answer) Sync() error {
	f, ok := a.Writer.(*os.File)
	if !ok {
		return nil
	}
	if stat, err := f.Stat(); err != nil || !stat.Mode().IsRegular() {
		return err
	}
	return f.Sync()
}

// completeRoot adds the library's own subcommands, help and completion, before the library adds
// them. In the library's form they succeed with unknown words; here such a word is an error.
func completeRoot(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, sub := range root.Commands() {
		switch sub.Name() {
		case "help":
			sub.Hidden = true
			sub.Run = nil
			sub.RunE = func(_ *cobra.Command, words []string) error {
				about, rest, err := root.Find(words)
				if len(rest) > 0 {
					return unknownCommand(about, rest[0])
				}
				if err != nil {
					return Usage(err)
				}
				about.InitDefaultHelpFlag()
				return about.Help()
			}
		case "completion":
			sub.Hidden = true
			Group(sub)
		}
	}
}

// report prints an error as one line, broken between words on a terminal. The command that
// continues the work stays in one piece, so that it can be copied.
func report(w io.Writer, name string, cmd *cobra.Command, err error) {
	if err == nil {
		return
	}
	line := Message(err)
	if silent := (Silent{}); Code(err) == ExitInterrupted && !errors.As(err, &silent) {
		line = "interrupted"
	}
	hint, command := "", ""
	switch code := Code(err); {
	case errors.Is(err, errSaved):
		hint, command = "; saved; continue with:", " "+again(name, os.Args[1:])
	case code == ExitUsage && cmd != nil:
		hint = fmt.Sprintf(" (see %s --help)", cmd.CommandPath())
	case code == ExitInterrupted && cmd != nil && losesWork(cmd):
		hint = "; the state is lost: --work DIR keeps it"
	}
	text := fmt.Sprintf("%s: %s%s", name, line, hint)
	if isTerminal(w) {
		text = wrap(text, Width(w))
	}
	fmt.Fprintln(w, text+command)
}

func losesWork(cmd *cobra.Command) bool {
	f := cmd.Flags().Lookup(workFlag)
	return f != nil && f.Value.String() == ""
}

// prepare makes a command and the commands below it report errors as this package does: silently,
// with wrong flags and words as usage errors; complete the values of their flags; and compare the
// names of files before any is opened.
func prepare(cmd *cobra.Command) {
	checks := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if err := filesApart(cmd, args); err != nil || checks == nil {
			return err
		}
		return checks(cmd, args)
	}
	cmd.SilenceErrors = true
	cmd.SilenceUsage = true
	cmd.SetFlagErrorFunc(flagError)
	completeRest(cmd)
	for _, sub := range cmd.Commands() {
		prepare(sub)
	}
}

// filesApart refuses a file named by two flags, or by a flag and an argument: one would
// overwrite the other.
func filesApart(cmd *cobra.Command, args []string) error {
	var named []files.Named
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if kind, _ := pflag.UnquoteUsage(f); kind == "FILE" && f.Value.String() != "-" {
			named = append(named, files.Named{What: "--" + f.Name, Name: f.Value.String()})
		}
	})
	if name := profileFile(cmd); name != "" {
		named = append(named, files.Named{What: "--" + profileFlag, Name: name})
	}
	if err := files.Apart(named...); err != nil {
		return Usage(err)
	}
	if !strings.Contains(cmd.Use, "FILE") && !strings.Contains(cmd.Use, "PART") {
		return nil // the arguments of this command are not files
	}
	for _, arg := range args {
		for _, n := range named {
			if err := files.Apart(files.Named{What: "the argument", Name: arg}, n); err != nil {
				return Usage(err)
			}
		}
	}
	return nil
}

// flagError is the error of a wrong flag in plain words, with a hint if it is misspelt.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
			return unknownCommand(cmd, words[0]) // the flag may belong to the command that was meant
		}
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return Usagef("unknown flag -%s", name)
		}
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, f.Name)
			}
		})
		return Usagef("unknown flag --%s%s", name, DidYouMean(dashed(Near(name, known))))
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return Usagef("--%s needs a value", missing.GetFlag().Name)
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return Usage(err)
	}
	cause := invalid.Unwrap()
	if errors.Is(cause, errUsage) {
		return cause
	}
	why := cause.Error()
	switch invalid.GetFlag().Value.Type() {
	case "duration":
		why = "want a time, for instance 90s, 10m or 1h30m"
	case "bool":
		why = "want true or false"
	case "int", "int64", "uint64":
		why = "want a whole number"
		if _, err := strconv.ParseInt(invalid.GetValue(), 0, 64); err == nil || errors.Is(err, strconv.ErrRange) {
			why = "this number is too large or too small"
		}
	}
	return Usagef("--%s %q: %s", invalid.GetFlag().Name, invalid.GetValue(), why)
}

// Elsewhere names the program that has these commands, which a program lacks.
func Elsewhere(root *cobra.Command, program string, names ...string) {
	if root.Annotations == nil {
		root.Annotations = map[string]string{}
	}
	for _, name := range names {
		root.Annotations[name] = program
	}
}

// Group makes a command that only holds subcommands: without a word it shows
// its help, and an unknown word is an error with suggestions.
func Group(cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownCommand(cmd, args[0])
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

func unknownCommand(cmd *cobra.Command, word string) error {
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			known = append(known, sub.Name())
		}
	}
	if program := cmd.Annotations[word]; program != "" && !cmd.HasParent() {
		return Usagef("unknown command %q: type %s %s", word, program, word)
	}
	near := Near(word, known)
	for i := range near {
		near[i] = cmd.CommandPath() + " " + near[i]
	}
	return Usagef("unknown command %q%s", word, DidYouMean(near))
}

// Arguments lists the arguments in a usage line, such as GAME and [POSITION...]: its words but for
// the name, flags with their values, and further forms after |.
func Arguments(use string) (names []string) {
	flag := false // the word before was a flag without its value
	for _, word := range strings.Fields(use)[1:] {
		switch {
		case word == "|":
			return names
		case strings.HasPrefix(strings.TrimPrefix(word, "["), "-"):
			flag = !strings.HasSuffix(word, "]")
			continue
		case !flag:
			names = append(names, word)
		}
		flag = false
	}
	return names
}

// Args accepts exactly the named arguments; a last name in brackets, such as [GAME], may be left
// out, and a name that ends in ... may be repeated.
func Args(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		least, most := 0, len(names)
		for _, n := range names {
			if !strings.HasPrefix(n, "[") {
				least++
			}
			if strings.HasSuffix(strings.TrimSuffix(n, "]"), "...") {
				most = 1 << 30
			}
		}
		if len(args) < least {
			return Usagef("%s: missing %s", cmd.CommandPath(), strings.TrimSuffix(names[len(args)], "..."))
		}
		if len(args) > most {
			return Usagef("%s: unexpected argument %q", cmd.CommandPath(), args[most])
		}
		return nil
	}
}
