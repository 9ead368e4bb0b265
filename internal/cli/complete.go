package cli

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Words completes arguments that each take one of a few words.
func Words(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// CompleteBy makes a flag complete the words of list.
func CompleteBy(cmd *cobra.Command, name string, list cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(name, list); err != nil {
		panic(err) // there is no such flag, or the flag completes already
	}
}

// CompleteLast turns a completion of words into a completion of lists with commas: it completes the
// last word, and keeps the words before it.
func CompleteLast(list func(cmd *cobra.Command, args, before []string) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		cut := strings.LastIndexByte(begun, ',') + 1
		var before, offers []string
		if cut > 0 {
			before = strings.Split(begun[:cut-1], ",")
		}
		for _, word := range list(cmd, args, before) {
			offers = append(offers, begun[:cut]+word)
		}
		return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeRest sets the completion of a command's other flags and arguments: files,
// directories, the words of a choice, or nothing. Without it shells would offer
// files for all of them.
func completeRest(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && !slices.ContainsFunc(Arguments(cmd.Use), isFile) {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, known := cmd.GetFlagCompletionFunc(f.Name); known || f.Value.Type() == "bool" {
			return
		}
		list, listed := f.Value.(interface{ offered() []string })
		switch takes, _ := pflag.UnquoteUsage(f); {
		case takes == "FILE":
		case takes == "DIR":
			_ = cmd.MarkFlagDirname(f.Name)
		case listed:
			CompleteBy(cmd, f.Name, Words(list.offered()))
		default:
			CompleteBy(cmd, f.Name, cobra.NoFileCompletions)
		}
	})
}

func isFile(argument string) bool {
	return strings.HasPrefix(argument, "FILE") || argument == "PART..."
}

// completeThreads offers 1 to the number of processors.
func completeThreads(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for n := 1; n <= runtime.NumCPU(); n++ {
		list = append(list, fmt.Sprint(n))
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// CompleteSizes offers sizes of memory up to the memory of the process.
func CompleteSizes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var list []string
	total := Machine()
	for s := Size(64 << 20); s == 64<<20 || s <= total; s *= 2 {
		list = append(list, s.String())
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
