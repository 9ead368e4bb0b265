package family

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/game/wing"
	"perfectplay/internal/cli"
)

// Complete lets a command and its subcommands take the arguments of their usage lines, and adds
// completion of games, seats, players, positions and moves.
func (a *App) Complete(cmd *cobra.Command) {
	names := cli.Arguments(cmd.Use)
	if cmd.Args == nil {
		cmd.Args = cli.Args(names...)
	}
	if cmd.ValidArgsFunction == nil && len(names) > 0 && strings.HasPrefix(strings.TrimPrefix(names[0], "["), "GAME") {
		cmd.ValidArgsFunction = a.CompleteGame
	}
	for name, list := range map[string]cobra.CompletionFunc{
		"hero":     a.completeSeat,
		"player":   cli.Words(a.players()),
		"seat":     a.completeRole,
		"position": cli.Words([]string{"start"}),
		"moves":    cli.CompleteLast(a.completeMoves),
	} {
		if _, known := cmd.GetFlagCompletionFunc(name); !known && cmd.Flags().Lookup(name) != nil {
			cli.CompleteBy(cmd, name, a.guarded(list))
		}
	}
	for _, sub := range cmd.Commands() {
		a.Complete(sub)
	}
}

// named returns the game, rules and position named on the command line.
func named(cmd *cobra.Command, args []string) (id, rules, position string) {
	flag := func(name string) string {
		if f := cmd.Flags().Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	if len(args) > 0 {
		id = args[0]
	}
	return id, flag("rules"), cmp.Or(flag("position"), "start")
}

func (a *App) completeSeat(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	id, rules, _ := named(cmd, args)
	g, err := a.Open(id, rules)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return wing.SeatNames(g), cobra.ShellCompDirectiveNoFileComp
}

// players lists players, with example numbers for players that take a number.
func (a *App) players() (names []string) {
	for _, name := range a.playerNames() {
		names = append(names, strings.ReplaceAll(strings.ReplaceAll(name, "-N", "-4"), "-P", "-10"))
	}
	return names
}

// CompletePlayers completes the arguments GAME A B; A and B are players.
func (a *App) CompletePlayers(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return a.CompleteGame(cmd, args, word)
	}
	return a.players(), cobra.ShellCompDirectiveNoFileComp
}

// completeRole offers the players of each seat, as x=perfect.
func (a *App) completeRole(cmd *cobra.Command, args []string, _ string) (list []string, _ cobra.ShellCompDirective) {
	id, rules, _ := named(cmd, args)
	if g, err := a.Open(id, rules); err == nil {
		for _, seat := range wing.SeatNames(g) {
			for _, who := range append([]string{"human"}, a.players()...) {
				list = append(list, seat+"="+who)
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeMoves offers the moves of a position after some moves.
func (a *App) completeMoves(cmd *cobra.Command, args, before []string) (list []string) {
	id, rules, position := named(cmd, args)
	_, s, err := a.OpenAt(id, rules, At{Position: position, Moves: before})
	if err != nil {
		return nil
	}
	for _, m := range s.Moves(nil) {
		if text := s.MoveString(m); !strings.ContainsAny(text, ", ") {
			list = append(list, text)
		}
	}
	return list
}
