package command

import (
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
	File  string `json:"file"`
	Game  string `json:"game"`
	Claim string `json:"claim"` // see claims
	Games int    `json:"games"` // played at random; 0 if every move was tried
	prove.Checked
	Verdict string `json:"verdict"`
}

func newCheckCommand(a *family.App) *cobra.Command {
	var out cli.Output
	var res cli.Resources
	var sample int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "replay a proof against every move, by the rules alone",
		Long: `check reads a proof written by solve mnk solve --certificate, as text or
compressed by zstd, and replays it: the proof's side answers as the file says,
the other side tries every move. It uses the rules and a list of lines, and
nothing of the search. With --sample the other side plays so many games at
random instead, half of its moves near what matters. The file is read in one pass; its
answers and the positions that were seen stay within --mem.`,
		Example: `  solve mnk check 554.proof
  solve mnk check 844.proof --sample 10000 --seed 7`,
		Args: cli.Args("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := res.Resolve(cmd, 2*cli.ProgramMemory, 0); err != nil {
				return err
			}
			defer res.LimitHeap()()
			in, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			room := uint64(res.Mem - cli.ProgramMemory)
			g, c, err := prove.ReadCertificate(in, room)
			if errors.Is(err, prove.ErrMemory) {
				return cli.Usagef("--mem %v: the answers of %s take more", res.Mem, args[0])
			} else if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			rec := checkRecord{File: args[0], Game: g.ID(), Claim: claims[c.Claim][0], Games: sample, Verdict: "holds"}
			how := "the proof holds"
			if sample > 0 {
				rec.Verdict, how = "held", fmt.Sprintf("the proof held in %s random games", cli.Count(sample))
				rec.Checked, err = prove.Sample(cmd.Context(), g, c.Claim, c, sample, newRand(seed))
			} else {
				rec.Checked, err = prove.Check(cmd.Context(), g.Start().(mnk.Position), g, c.Claim, c, max(room-c.Memory(), 1)/prove.PositionBytes(g)+1)
			}
			if errors.Is(err, prove.ErrMost) {
				return cli.Usagef("--mem %v: the %s answers of %s lead to more positions than have room; --sample plays games instead",
					res.Mem, cli.Count(c.Len()), args[0])
			} else if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return cli.Records(&out, cmd, []checkRecord{rec}, func(w io.Writer, _ []checkRecord) error {
				_, err := fmt.Fprintf(w, "%s: %s: %s\n%s positions, %s claims of pairs and weights, %s games to their end\n",
					rec.Game, claims[c.Claim][1], how, cli.Count(rec.Positions), cli.Count(rec.Claims), cli.Count(rec.Ends))
				return err
			})
		},
	}
	out.Flags(cmd)
	res.MemFlag(cmd)
	cli.Number(cmd, &sample, "sample", 0, "play `N` random games instead of trying every move")
	cli.SeedFlag(cmd, &seed)
	return cmd
}

// claims are what a certificate may say about the start: the word of a record, and
// the text for people. That the second player cannot win is true of every board and
// says nothing about its value.
var claims = map[prove.Claim][2]string{
	{Attacker: 0, Win: true}: {"first", "the first player wins"},
	{Attacker: 0}:            {"draw", "the first player cannot win"},
	{Attacker: 1, Win: true}: {"second", "the second player wins"},
	{Attacker: 1}:            {"not second", "the second player cannot win"},
}

// newRand is the generator of a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
