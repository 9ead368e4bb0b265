package app

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/internal/impl"
)

type build struct {
	Version         string `json:"version"`
	Revision        string `json:"revision"` // the commit, empty if unknown
	Date            string `json:"date"`     // date of the commit, RFC 3339
	Go              string `json:"go"`
	Platform        string `json:"platform"`
	Level           string `json:"level"` // GOAMD64, GOARM64 or the like
	Implementations string `json:"implementations"`
	CPU             string `json:"cpu"`
	Processors      int    `json:"processors"`
	Features        string `json:"features"`
}

func newVersionCommand(a *family.App) *cobra.Command {
	var out cli.Output
	cmd := &cobra.Command{
		Use:     "version [--json|--csv]",
		Short:   "print the version, implementations in use, the processor",
		GroupID: cli.GroupAbout,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := thisBuild()
			return cli.Records(&out, cmd, []build{b}, func(w io.Writer, records []build) {
				commit := "perfectplay=version,revision:%s, commit %s"
				if b.Revision == "" {
					commit = "perfectplay=version:%s, without its commit: go install records it, go run with -buildvcs=true only"
				}
				cli.Fields[build](commit, "go=go,platform,level:%s %s %s",
					"processor=cpu,processors:%s, %d threads", "features")(w, records)
				fmt.Fprintln(w)
				cli.Grid[impl.Implementation]("package=Package", "implementation=Name", "in use=Active", "why not=Reason?")(w, impl.List())
			})
		},
	}
	out.Flags(cmd)
	return cmd
}

// release is the version of this source, or the next one. CITATION.cff names it, too.
const release = "v0.1.0"

func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return versionOf("")
	}
	return versionOf(info.Main.Version)
}

// versionOf returns the version that Go recorded; without one, as in go run, the release with
// -devel; without a tag, the release with time and commit.
func versionOf(built string) string {
	if built == "" || built == "(devel)" {
		return release + "-devel"
	}
	if commit, ok := strings.CutPrefix(built, "v0.0.0-"); ok {
		return release + "-0." + commit
	}
	return built
}

func thisBuild() build {
	b := build{
		Version:    moduleVersion(),
		Go:         runtime.Version(),
		Platform:   runtime.GOOS + "/" + runtime.GOARCH,
		Processors: runtime.GOMAXPROCS(0),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				b.Revision = s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.time":
				b.Date = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				b.Revision += "+modified"
			case s.Key == "GO"+strings.ToUpper(runtime.GOARCH):
				b.Level = s.Key + "=" + s.Value
			}
		}
	}
	var parts []string
	for _, im := range impl.List() {
		parts = append(parts, im.Package+"="+impl.Active(im.Package))
	}
	b.Implementations = strings.Join(slices.Compact(parts), " ")
	name, features := impl.CPU()
	b.CPU, b.Features = name, strings.Join(features, " ")
	return b
}
