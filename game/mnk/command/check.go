package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/spf13/cobra"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// checkRecord is a replayed certificate.
type checkRecord struct {
	File      string `json:"file"`
	Game      string `json:"game"`
	Claim     string `json:"claim"` // see claimName
	Games     int    `json:"games"` // played at random; 0 if every move was tried
	Positions uint64 `json:"positions"`
	Claims    uint64 `json:"claims"`
	Ends      uint64 `json:"ends"`
	Verdict   string `json:"verdict"`
}

func newCheckCommand(a *family.App) *cobra.Command {
	var out cli.Output
	var sample int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "replay a proof against every move, by the rules alone",
		Long: `check reads a proof written by solve mnk solve --certificate and replays it: the
proof's side answers as the file says, the other side tries every move. It uses
the rules and a list of lines, and nothing of the search. With --sample the
other side plays so many games at random instead, half of its moves near what
matters.`,
		Example: `  solve mnk check 554.proof
  solve mnk check 844.proof --sample 10000 --seed 7`,
		Args: cli.Args("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.Check(); err != nil {
				return err
			}
			if sample < 0 {
				return cli.Usagef("--sample %d: want at least 0", sample)
			}
			in, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			g, c, err := prove.ReadCertificate(in)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			var n prove.Checked
			if sample > 0 {
				n, err = prove.Sample(cmd.Context(), g, c.Claim, c, sample, newRand(seed))
			} else {
				n, err = prove.Check(cmd.Context(), g.Start().(*mnk.State64), g, c.Claim, c, 0)
			}
			switch {
			case errors.Is(err, context.Canceled):
				return cli.ErrInterrupted
			case err != nil:
				return fmt.Errorf("%s: %w", args[0], err)
			}
			rec := checkRecord{args[0], g.ID(), claimName(c.Claim), sample, n.Positions, n.Claims, n.Ends, "holds"}
			if sample > 0 {
				rec.Verdict = "held"
			}
			return cli.Records(&out, cmd, []checkRecord{rec}, func(w io.Writer, _ []checkRecord) error { return checkText(w, rec) })
		},
	}
	out.Flags(cmd)
	fl := cmd.Flags()
	fl.IntVar(&sample, "sample", 0, "play `N` random games instead of trying every move")
	fl.Uint64Var(&seed, "seed", 1, "seed of the random games")
	return cmd
}

// The claims that a certificate may make about the start. That the second player
// cannot win is true of every board and says nothing about its value.
const (
	claimFirst     = "first"
	claimDraw      = "draw"
	claimSecond    = "second"
	claimNotSecond = "not second"
)

// claimName names a claim.
func claimName(c prove.Claim) string {
	switch {
	case c.Attacker == 0 && c.Win:
		return claimFirst
	case c.Attacker == 0:
		return claimDraw
	case c.Win:
		return claimSecond
	}
	return claimNotSecond
}

// newRand is the generator of a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func checkText(w io.Writer, r checkRecord) error {
	says := map[string]string{claimFirst: "the first player wins", claimDraw: "the first player cannot win",
		claimSecond: "the second player wins", claimNotSecond: "the second player cannot win"}[r.Claim]
	how := "the proof holds"
	if r.Games > 0 {
		how = fmt.Sprintf("the proof held in %s random games", cli.Count(r.Games))
	}
	_, err := fmt.Fprintf(w, "%s: %s: %s\n%s positions, %s claims of pairs and weights, %s games to their end\n",
		r.Game, says, how, cli.Count(r.Positions), cli.Count(r.Claims), cli.Count(r.Ends))
	return err
}
