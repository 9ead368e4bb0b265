package cli

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// The flags of this file mean the same on every command that has them.

// TimeFlag adds --time, after which a command stops and answers with its results so far. With 0
// for value it runs to its end.
func TimeFlag(cmd *cobra.Command, d *time.Duration, value time.Duration) {
	cmd.Flags().DurationVar(d, "time", value, "stop after this `TIME`, for instance 90s, and say what is known by then")
	Rules(cmd, AtLeast("time", 1))
}

// Timed returns a context that ends after d, if d is not 0.
func Timed(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}

const intervalFlag, workFlag = "interval", "work"

// WorkFlag adds --work, the directory of a job that can be resumed.
func WorkFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, workFlag, "", "keep the state in `DIR`, and continue from it")
}

// Warner returns a function that prints a command's warnings as lines on standard error, each
// text once. It is safe for concurrent use.
func Warner(cmd *cobra.Command) func(error) {
	var mu sync.Mutex
	said := map[string]bool{}
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if text := err.Error(); !said[text] {
			said[text] = true
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.Root().Name(), text)
		}
	}
}

// TablesFlag adds --tables, the directory of the tables to ask first.
func TablesFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "tables", "", "ask the tables in `DIR` first (solve strong --table)")
	_ = cmd.MarkFlagDirname("tables")
	Before(cmd, func() error {
		if *dir == "" {
			return nil
		}
		if stat, err := os.Stat(*dir); err != nil {
			return fmt.Errorf("--tables %w", err)
		} else if !stat.IsDir() {
			return Usagef("--tables %s: want a directory", *dir)
		}
		return nil
	})
}

// IntervalFlag adds --interval, the time between checkpoints.
func IntervalFlag(cmd *cobra.Command, d *time.Duration, value time.Duration) {
	cmd.Flags().DurationVar(d, intervalFlag, value, "save every `TIME`, and when interrupted")
	Rules(cmd, AtLeast(intervalFlag, 0))
}

// SeedFlag adds --seed.
func SeedFlag(cmd *cobra.Command, seed *uint64) {
	cmd.Flags().Uint64Var(seed, "seed", 1, "`SEED` of all that is random: equal seeds give equal answers")
}

// ReferenceFlag adds --reference, which chooses a game's second move generator.
func ReferenceFlag(cmd *cobra.Command, on *bool) {
	cmd.Flags().BoolVar(on, "reference", false, "use the game's plain second move generator, which is slow")
}
