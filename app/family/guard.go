package family

import (
	"github.com/spf13/cobra"

	"perfectplay/game"
)

// Guard has a panic of a game, in whatever a command and those below it ask on their own
// goroutine, end the command with an error.
func (a *App) Guard(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.Guard(sub)
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
			defer game.Guard(&err, opened{a}, nil)
			return run(cmd, args)
		}
	}
}

// opened is the game that a command has opened last, when it is asked.
type opened struct{ *App }

func (o opened) last() game.Game { return *o.App.opened.Load() }

func (o opened) ID() string                            { return o.last().ID() }
func (o opened) Rules() string                         { return o.last().Rules() }
func (o opened) Seats() int                            { return o.last().Seats() }
func (o opened) SeatName(seat int) string              { return o.last().SeatName(seat) }
func (o opened) Start() game.State                     { return o.last().Start() }
func (o opened) Parse(text string) (game.State, error) { return o.last().Parse(text) }
