// Package mnk holds the commands of the laboratory on m,n,k-games: four searches side by
// side, and printed values computed again.
package mnk

import (
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/mnk/command"
)

// Family describes m,n,k-games to the laboratory.
func Family() family.Family {
	f := command.Family()
	f.Lab = func(a *family.App) []*cobra.Command { return []*cobra.Command{newSearchesCommand(a)} }
	f.Repro = func(a *family.App) []*cobra.Command { return []*cobra.Command{newReproCommand(a)} }
	return f
}
