package app

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/play/serve/site"
)

func newSiteCommand(a *family.App) *cobra.Command {
	var out cli.Output
	cmd := &cobra.Command{
		Use:   "site DIR",
		Short: "write the page of solve serve as a static site, without a server",
		Long: `site writes the page of solve serve to DIR with the solvers as WebAssembly, which
run in the visitor's browser: a directory that any web host can send. It builds
them from the sources with the Go toolchain and so runs in the directory of a clone.

To look at it: python3 -m http.server -d DIR; browsers do not open it from a
file.`,
		Example: "  solve site public",
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "" {
				return cli.Usagef("DIR is empty")
			}
			if held, err := os.ReadDir(args[0]); err == nil && len(held) > 0 && !cli.Forced(cmd) && !site.In(args[0]) {
				return fmt.Errorf("%s is not empty and holds no site: --force writes into it", args[0])
			}
			return cli.Run(&out, &a.Progress, cmd, "site", cli.Endless, func(ctx context.Context, bar *cli.Bar) ([]site.File, error) {
				bar.Describe("building the WebAssembly program")
				return site.Write(ctx, args[0], "")
			}, func(w io.Writer, list []site.File) {
				cli.Grid[site.File]("file=name", "size=bytes", "sent=sent_bytes")(w, list)
				var sent int64
				for _, f := range list {
					sent += f.Sent
				}
				fmt.Fprintf(w, "a visit transfers %s, compressed\n", humanize.IBytes(uint64(sent)))
			})
		},
	}
	out.Flags(cmd)
	return cmd
}
