// Package domino holds the laboratory's commands on block dominoes.
package domino

import (
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/domino/command"
)

// Family describes block dominoes to the laboratory.
func Family() family.Family {
	f := command.Family()
	f.Repro = func(a *family.App) []*cobra.Command { return []*cobra.Command{newReproCommand(a)} }
	return f
}
