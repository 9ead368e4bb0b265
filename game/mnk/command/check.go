package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
)

type checkRecord struct {
	File  string `json:"file"`
	Game  string `json:"game"`
	Claim string `json:"claim"` // one of the words in claims
	prove.Checked
	Verdict string `json:"verdict"`
}

func newCheckCommand(a *family.App) *cobra.Command {
	var out cli.Output
	var res cli.Resources
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "replay a proof against every move, by the rules alone",
		Long: `check reads a proof written by solve mnk solve --certificate and replays it: the
proof's side answers as the file says, and the other side tries every move, except
those that the refutation of another move refutes, too. It uses the rules and a list of
lines, and nothing of the search. The file is read in one pass; its positions are
kept in memory, which must fit in --mem. docs/certificates.md has its form.`,
		Example: `  solve mnk check 554.proof
  solve mnk check 554.proof --mem 256MiB --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := res.Resolve(cmd, 2*cli.ProgramMemory, 0); err != nil {
				return err
			}
			defer res.LimitHeap()()
			in, err := cli.Open(cmd, args[0], "a proof")
			if err != nil {
				return err
			}
			defer in.Close()
			c, err := prove.OpenCertificate(in)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			defer c.Close()
			return cli.Run(&out, &a.Progress, cmd, c.Game().ID(), cli.Endless, func(ctx context.Context, bar *cli.Bar) ([]checkRecord, error) {
				n, err := c.Check(ctx, uint64(res.Mem-cli.ProgramMemory), told(bar, c.Game()))
				if errors.Is(err, prove.ErrMemory) {
					return nil, cli.Usagef("--mem %v: %s: %v", res.Mem, args[0], err)
				} else if err != nil {
					return nil, fmt.Errorf("%s: %w", args[0], err)
				}
				return []checkRecord{{File: args[0], Game: c.Game().ID(), Claim: claims[c.Claim][0], Checked: n, Verdict: "holds"}}, nil
			}, func(w io.Writer, records []checkRecord) {
				n := records[0].Checked
				fmt.Fprintf(w, "%s: %s: the proof holds\n%s positions, %s claims of pairs and weights, %s games to their end\n", records[0].Game,
					claims[c.Claim][1], cli.Count(n.Positions), cli.Count(n.Claims), cli.Count(n.Ends))
			})
		},
	}
	out.Flags(cmd)
	res.MemFlag(cmd)
	return cmd
}

// claims are the possible claims of a certificate about the start: the word of a record,
// and the printed text. That the second player cannot win is true of every board and says
// nothing about its value.
var claims = map[prove.Claim][2]string{
	{Attacker: 0, Win: true}: {"first", "the first player wins"},
	{Attacker: 0}:            {"draw", "the first player cannot win"},
	{Attacker: 1, Win: true}: {"second", "the second player wins"},
	{Attacker: 1}:            {"not second", "the second player cannot win"},
}
