// Package halma holds the laboratory's commands on Chinese Checkers: shortest crossings of one
// army, the program of a thesis, published figures computed again, and solves on many machines.
package halma

import (
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/halma/command"
)

// Family describes Chinese Checkers to the laboratory.
func Family() family.Family {
	f := command.Family()
	f.Lab = func(a *family.App) []*cobra.Command {
		return []*cobra.Command{newSolitaireCommand(a), newThesisCommand(a)}
	}
	f.Cluster = func(a *family.App) []*cobra.Command {
		return []*cobra.Command{newNodesCommand(a), newPassCommand(a)}
	}
	f.Repro = func(a *family.App) []*cobra.Command {
		return []*cobra.Command{newReproThesisCommand(a), newReproStrongCommand(a)}
	}
	return f
}
