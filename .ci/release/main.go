// Command release makes the files of a release from a clean clone, with Go, git and the module
// proxy:
//
//	go run ./.ci/release -o dist                      # all platforms
//	go run ./.ci/release -o dist -only linux/amd64    # one
//
// For each platform it writes an archive with the programs, manual pages, completions, licence,
// README and the notices of all linked modules, and a bill of materials (CycloneDX); for Linux also
// a container image for docker load and podman load. Then it writes SHA256SUMS. Two builds of one
// commit have equal bytes: all times are the commit's and all owners 0.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// platforms lists the platforms of a release, as GOOS/GOARCH.
var platforms = []string{
	"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64",
	"windows/amd64", "windows/arm64", "freebsd/amd64",
}

// profile is the compiler's profile of searches and solves, which bench/profile.sh makes.
const profile = "-pgo=cmd/solve/release.pgo"

var programs = []string{"solve", "lab"}

func main() {
	out := flag.String("o", "dist", "directory for the files; it must not exist or be empty")
	only := flag.String("only", "", "platforms, separated by commas (default: all)")
	flag.Parse()
	if err := run(*out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// sums is the file of checksums, in the form that sha256sum -c reads.
const sums = "SHA256SUMS"

type file struct {
	name  string // ends in a slash for a directory
	mode  int64
	data  []byte
	owner int
}

// run makes all files of a release in a directory, for all platforms or some.
func run(out, only string) error {
	list := platforms
	if only != "" {
		list = strings.Split(only, ",")
		for _, p := range list {
			if !slices.Contains(platforms, p) {
				return fmt.Errorf("platform %q: want some of %s", p, strings.Join(platforms, ", "))
			}
		}
	}
	if held, err := os.ReadDir(out); err == nil && len(held) > 0 {
		return fmt.Errorf("%s is not empty", out)
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	stamp, err := command(nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(stamp)), 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the commit: %w", err)
	}
	at := time.Unix(seconds, 0).UTC()
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	native, err := compiled(filepath.Join(work, "native"), runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return err
	}
	extras, err := documents(work, native, "SOURCE_DATE_EPOCH="+strings.TrimSpace(string(stamp)))
	if err != nil {
		return err
	}
	version, err := said(filepath.Join(work, "native", native[0].name))
	if err != nil {
		return err
	}
	digests := map[string]string{}
	put := func(name string, data []byte) error {
		sum := sha256.Sum256(data)
		digests[name] = hex.EncodeToString(sum[:])
		return os.WriteFile(filepath.Join(out, name), data, 0o666)
	}
	for _, p := range list {
		goos, goarch, _ := strings.Cut(p, "/")
		binaries := native
		if goos != runtime.GOOS || goarch != runtime.GOARCH {
			if binaries, err = compiled(filepath.Join(work, goos+"-"+goarch), goos, goarch); err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
		}
		info, err := buildinfo.Read(bytes.NewReader(binaries[0].data))
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		base := "perfectplay-" + strings.TrimPrefix(version, "v") + "-" + goos + "-" + goarch
		terms, err := notices(goos, goarch)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		members := slices.Concat(binaries, extras, []file{{"NOTICES", 0o644, terms, 0}})
		for i := range members {
			members[i].name = path.Join(base, members[i].name)
		}
		archive, suffix := tarball, ".tar.gz"
		if goos == "windows" {
			archive, suffix = zipped, ".zip"
		}
		packed, err := archive(members, at)
		if err != nil {
			return err
		}
		if err := put(base+suffix, packed); err != nil {
			return err
		}
		bill, err := materials(info, version, at)
		if err != nil {
			return err
		}
		if err := put(base+".cdx.json", bill); err != nil {
			return err
		}
		if goos == "linux" {
			loadable, err := image(binaries, terms, goarch, version, at)
			if err != nil {
				return err
			}
			if err := put(base+".image.tar.gz", loadable); err != nil {
				return err
			}
		}
		fmt.Println(base)
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		fmt.Fprintf(&text, "%s  %s\n", digests[name], name)
	}
	return os.WriteFile(filepath.Join(out, sums), []byte(text.String()), 0o666)
}

// compiled builds the programs for a platform in a directory, without debugging data.
func compiled(dir, goos, goarch string) (list []file, err error) {
	for _, program := range programs {
		source := "./cmd/" + program
		if goos == "windows" {
			program += ".exe"
		}
		binary := filepath.Join(dir, program)
		if _, err := command([]string{"GOOS=" + goos, "GOARCH=" + goarch},
			"go", "build", "-trimpath", profile, "-gcflags=all=-dwarf=false", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", binary, source); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(binary)
		if err != nil {
			return nil, err
		}
		list = append(list, file{program, 0o755, data, 0})
	}
	return list, nil
}

func said(program string) (string, error) {
	out, err := command(nil, program, "version", "--json")
	if err != nil {
		return "", err
	}
	var of struct{ Version string }
	if err := json.Unmarshal(out, &of); err != nil {
		return "", fmt.Errorf("%s version --json: %w", program, err)
	}
	return of.Version, nil
}

// documents returns the other files of every archive: licence, README, manual pages and
// completions, which the programs in work/native print.
func documents(work string, native []file, date string) ([]file, error) {
	var list []file
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, file{name, 0o644, data, 0})
	}
	man := filepath.Join(work, "man")
	if err := os.Mkdir(man, 0o777); err != nil {
		return nil, err
	}
	for i, program := range programs {
		binary := filepath.Join(work, "native", native[i].name)
		if _, err := command([]string{date}, binary, "man", man); err != nil {
			return nil, err
		}
		for shell, name := range map[string]string{"bash": "%s.bash", "zsh": "_%s", "fish": "%s.fish", "powershell": "%s.ps1"} {
			data, err := command(nil, binary, "completion", shell)
			if err != nil {
				return nil, err
			}
			list = append(list, file{"completions/" + fmt.Sprintf(name, program), 0o644, data, 0})
		}
	}
	pages, err := os.ReadDir(man)
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		data, err := os.ReadFile(filepath.Join(man, page.Name()))
		if err != nil {
			return nil, err
		}
		list = append(list, file{"man/man1/" + page.Name(), 0o644, data, 0})
	}
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// command runs a program without cgo and without the caller's GOFLAGS, and returns its output.
func command(env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOAMD64=v1")
	cmd.Env = append(cmd.Env, env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(errs.Bytes()))
	}
	return out, nil
}

// tarball packs members with one time and no owner.
func tarball(members []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, 8) // 0.1 % larger than level 9, in a quarter of the time
	if err != nil {
		return nil, err
	}
	err = errors.Join(pack(z, members, at), z.Close())
	return b.Bytes(), err
}

// pack writes members with one time as a tar archive.
func pack(w io.Writer, members []file, at time.Time) error {
	t := tar.NewWriter(w)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Mode: m.mode, Uid: m.owner, Gid: m.owner, Size: int64(len(m.data)), ModTime: at, Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(m.data); err != nil {
			return err
		}
	}
	return t.Close()
}

// zipped packs members as a zip archive, for Windows.
func zipped(members []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(m.data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// materials lists the modules of a program as CycloneDX 1.6.
func materials(info *buildinfo.BuildInfo, version string, at time.Time) ([]byte, error) {
	type component struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		Version string `json:"version"`
		PURL    string `json:"purl"`
	}
	parts := []component{{Type: "platform", Name: "go", Version: strings.TrimPrefix(info.GoVersion, "go"),
		PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		parts = append(parts, component{Type: "library", Name: d.Path, Version: d.Version, PURL: "pkg:golang/" + d.Path + "@" + d.Version})
	}
	return json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{
			"timestamp": at.Format(time.RFC3339),
			"component": component{Type: "application", Name: info.Main.Path, Version: version,
				PURL: "pkg:golang/" + info.Main.Path + "@" + version},
		},
		"components": parts,
	}, "", "  ")
}

// image packs Linux programs as a container image like that of Dockerfile: no shell, no libraries,
// an unprivileged user, /data to work in.
func image(binaries []file, terms []byte, goarch, version string, at time.Time) ([]byte, error) {
	held := []file{{"data/", 0o755, nil, user}, {"tmp/", 0o1777, nil, 0}, {"NOTICES", 0o644, terms, 0}, {"bin/", 0o755, nil, 0}}
	for _, b := range binaries {
		held = append(held, file{"bin/" + b.name, 0o755, b.data, 0})
	}
	var layer bytes.Buffer
	if err := pack(&layer, held, at); err != nil {
		return nil, err
	}
	id := func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }
	who := fmt.Sprintf("%d:%d", user, user)
	config, err := json.Marshal(map[string]any{
		"architecture": goarch, "os": "linux", "created": at.Format(time.RFC3339),
		"config": map[string]any{"User": who, "Entrypoint": []string{"/bin/solve"}, "WorkingDir": "/data",
			"Labels": map[string]string{"org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "MIT"}},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + id(layer.Bytes())}},
		"history": []map[string]string{{"created": at.Format(time.RFC3339), "created_by": ".ci/release"}},
	})
	if err != nil {
		return nil, err
	}
	name := id(config) + ".json"
	tag := "perfectplay:" + strings.NewReplacer("+", "_", "(", "", ")", "").Replace(version)
	manifest, err := json.Marshal([]map[string]any{{"Config": name, "RepoTags": []string{tag}, "Layers": []string{"layer.tar"}}})
	if err != nil {
		return nil, err
	}
	return tarball([]file{{name, 0o644, config, 0}, {"layer.tar", 0o644, layer.Bytes(), 0}, {"manifest.json", 0o644, manifest, 0}}, at)
}

// user is the container's user and group, as in Dockerfile.
const user = 65532
