// Package command holds the subcommands on block dominoes, and their entry in the commands
// on any game.
package command

import (
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
)

func commands(a *family.App) []*cobra.Command {
	cmd := cli.Group(&cobra.Command{
		Use:   "domino",
		Short: "block dominoes: deals, hands, players, and the count of all deals",
		Long: `Block dominoes for two with the double-six set: seven tiles each, fourteen out
of play. The highest double dealt starts; without a double there is no deal. A
move is a tile and an end: a tile that fits both ends with different numbers
makes two moves, one that fits equal ends makes one. A player who cannot move
passes; play ends when a hand is empty or neither can move. The score is the
pips left to the second player minus those left to the starter.

Tiles are written 2|5, 2:5, 2-5 or 25, hands as seven of them, deals as two
hands with a slash between them.

Words:
  board   the fourteen tiles dealt, a double among them
  deal    two hands given to two named players, a double among them
  game    a deal without the names: a starter's and a second hand; two deals each
  line    a way to play a game from its first tile to its end; a pass is no branch
  leaf    the end of a line
  class   games that are equal but for the names of the numbers
  family  starter's hands that are equal but for the names of the numbers: 874
  unit    the work of one part of the census on one family`,
	})
	cmd.AddCommand(
		newDealCommand(a),
		newHandCommand(a),
		newCensusCommand(a),
		newMergeCommand(),
		newShowCommand(a),
		newMatchCommand(a),
		newHiddenCommand(a),
		newExploitCommand(a),
	)
	return []*cobra.Command{cmd}
}

// LeastMemory suffices for the commands without tables, with the solvers of all threads.
const LeastMemory = 32 << 20
