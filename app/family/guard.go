package family

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/internal/stacks"
)

// Guard makes a game's fault end a command, or a subcommand, with an error: a panic on the
// command's own goroutine, a call that does not return, or moves without end. The completion of
// arguments then offers nothing.
func (a *App) Guard(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.Guard(sub)
	}
	if cmd.ValidArgsFunction != nil {
		cmd.ValidArgsFunction = a.guarded(cmd.ValidArgsFunction)
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			return a.watched(cmd, func() error { return run(cmd, args) })
		}
	}
}

// guarded offers nothing where a game is at fault, or after an interrupt: a completion has no work
// to save.
func (a *App) guarded(list cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		var offers []string
		var directive cobra.ShellCompDirective
		done := make(chan error, 1)
		go func() {
			done <- a.watched(cmd, func() error {
				offers, directive = list(cmd, args, word)
				return nil
			})
		}()
		select {
		case err := <-done:
			if err == nil {
				return offers, directive
			}
		case <-cmd.Context().Done():
		}
		return nil, cobra.ShellCompDirectiveError
	}
}

// watched runs a command's work until it ends, or until a game is at fault.
func (a *App) watched(cmd *cobra.Command, work func() error) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		var last struct{ game.Game } // set before Guard reads it
		defer game.Guard(&err, &last, nil)
		defer func() { last.Game = a.last() }()
		err = work()
	}()
	watch, fast := time.NewTicker(time.Second), time.NewTicker(time.Second/8)
	defer watch.Stop()
	defer fast.Stop()
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	var l cli.Looker
	interrupted := cmd.Context().Done()
	stays := make(chan error, 1)
	for look, next := 0, 1; ; {
		select {
		case err := <-done:
			return err
		case err := <-stays:
			return err
		case <-interrupted: // the command has the time of all looks to end
			l, interrupted = cli.Looker{}, nil
			continue
		case <-fast.C:
			if call, ok := stacks.Floods(); ok {
				f := &game.Fault{Value: call + " lists moves without end"}
				if g := a.last(); g != nil {
					f.Game, f.Rules = g.ID(), g.Rules()
				}
				return f
			}
			continue
		case <-watch.C:
		}
		look++
		// Look also finds a goroutine that makes many short calls of a game. So Stays repeats
		// the calls, to see whether one does not return.
		call, ok := l.Look()
		if ok && ctx.Err() != nil && interrupted == nil {
			return cli.Silent{Call: call}
		}
		if ok && look >= next && a.last() != nil && !others[cmd.Name()] {
			g := a.last()
			go func() {
				if at, ok := game.Stays(ctx, g); ok {
					stays <- fmt.Errorf("%s at %s: %s does not return", g.ID(), at, call)
				}
			}()
			next = 2*look + 20
		}
	}
}

// others are commands that outlive a fault of one game, and watch their games themselves.
var others = map[string]bool{"serve": true, "engine": true}

// last returns the game that the command opened last, nil before.
func (a *App) last() game.Game {
	if g := a.opened.Load(); g != nil {
		return *g
	}
	return nil
}
