package mnk

import (
	"context"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
)

type searchesRecord struct {
	Game      string `json:"game"`
	Limit     int    `json:"limit"`
	Positions int    `json:"positions"`
	BestNode  uint64 `json:"best_node_nodes"`
	AlphaBeta uint64 `json:"alphabeta_nodes"`
	Scout     uint64 `json:"scout_nodes"`
	MTDF      uint64 `json:"mtdf_nodes"`
}

// Searches returns the command lab searches.
func Searches(a *family.App) *cobra.Command {
	var job cli.Job
	var limit, sample int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "searches GAME...",
		Short: "the nodes that best node search, alpha-beta, PVS and MTD(f) take",
		Long: `searches counts the nodes of four searches of the same trees of m,n,k-games: with the
evaluation, the order of moves and the table of the player monkey, at depths 1 to
--limit, summed over depths and over random positions of 2 to 7 stones.`,
		Example: `  lab searches mnk-4x4k3 mnk-5x5k4 --limit 4`,
		GroupID: cli.GroupCheck,
		RunE: func(cmd *cobra.Command, ids []string) error {
			var games []*mnk.Game
			for _, id := range ids {
				g, err := a.Open(id, "")
				if err != nil {
					return err
				}
				m, ok := g.(*mnk.Game)
				if !ok || m.Cells() < 9 {
					return cli.Usagef("%s: want an m,n,k-game of 9 cells at least", id)
				}
				games = append(games, m)
			}
			return cli.Run(&job.Output, &a.Progress, cmd, "boards", int64(len(games)), func(ctx context.Context, bar *cli.Bar) (records []searchesRecord, err error) {
				for _, g := range games {
					s, err := player.CompareSearches(ctx, g, sample, limit, seed, int64(job.Mem))
					if err != nil {
						return records, err
					}
					records = append(records, searchesRecord{g.ID(), limit, sample, s.BestNode, s.AlphaBeta, s.Scout, s.MTDF})
					bar.Add(1)
				}
				return records, nil
			}, cli.Grid[searchesRecord]("game", "depth=limit", "positions", "best node=best_node_nodes", "alpha-beta=alphabeta_nodes",
				"PVS=scout_nodes", "MTD(f)=mtdf_nodes"))
		},
	}
	job.Output.Flags(cmd)
	job.MemFlag(cmd)
	cli.Before(cmd, func() error { return job.Resolve(cmd, 1<<20, 256<<20) })
	fl := cmd.Flags()
	fl.IntVarP(&limit, "limit", "l", 4, "horizon: `L` plies")
	cli.Number(cmd, &sample, "sample", 20, "search `N` random positions")
	cli.SeedFlag(cmd, &seed)
	cli.Rules(cmd, cli.Within("limit", 1, 20), cli.Within("sample", 1, 100_000))
	return cmd
}
