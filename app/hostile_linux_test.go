package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/crc32"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

	"perfectplay/game/mnk"
	"perfectplay/internal/cli"
	"perfectplay/solve/retro"
)

// damaged is the number of damaged files that the program reads in TestDamagedFiles.
var damaged = flag.Int("damaged", 600, "damaged files that TestDamagedFiles has the program read, over all kinds")

// fileKind is a kind of file that the program writes and reads.
type fileKind struct {
	name  string
	make  []string               // command lines that write such a file, in a new directory
	texts [2]string              // instead of make: name and contents of the file
	setup func(dir string) error // instead of make: a function that writes the file
	files string                 // a pattern of the files to damage
	reads []string               // command lines that read the file, each in an intact directory
	// readers are the functions that open the file, as DIRECTORY.FUNCTION.
	readers []string
	// plain is text without a checksum: a changed file may be valid, with another meaning.
	plain bool
	// seal makes the checksums of a damaged file right. It is nil if no checksum covers the whole
	// file.
	seal func(intact, text []byte) []byte
}

var fileKinds = []fileKind{
	{name: "table", make: []string{"strong halma-star13-2p --rules house --distances --table t"}, files: "t", seal: sealBlocks,
		reads:   []string{"probe t start --json --mem 64MiB", "verify t --json --mem 64MiB", "export t --csv"},
		readers: []string{"solve/table.openFile", "solve/table.IsTable"}},
	{name: "table of several armies", make: []string{"strong halma-star13-3p --rules liou --named --table t"}, files: "t", seal: sealBlocks,
		reads: []string{"probe t start --json --mem 64MiB", "verify t --json --mem 64MiB"}},
	{name: "table of any game", make: []string{"strong mnk-3x3k3 --table t"}, files: "t", seal: sealBlocks,
		reads: []string{"probe t start --json --mem 64MiB", "verify t --json --mem 64MiB", "export t --csv"}},
	{name: "state of two armies", make: []string{"strong halma-star13-2p --work w"}, files: "w/*",
		reads:   []string{"strong halma-star13-2p --work w --json --mem 64MiB"},
		readers: []string{"game/halma/strong.readJSON", "game/halma/strong.(Tiles).open"}},
	{name: "tiles", make: []string{"cluster pass halma-3x3p1 --work w --tasks 2 --pass 0 --part 1/1"}, files: "w/*",
		reads: []string{"cluster pass halma-3x3p1 --work w --tasks 2 --pass 0 --finish --json --mem 64MiB"}},
	{name: "state of several armies", make: []string{"strong halma-star13-3p --work w"}, files: "w/*",
		reads:   []string{"strong halma-star13-3p --work w --json --mem 100MiB"},
		readers: []string{"internal/store.Open"}},
	{name: "state of any game", setup: retroState, files: "w/*", seal: sealBlocks,
		reads: []string{"strong mnk-3x3k3 --work w --json --mem 64MiB"}},
	{name: "part", make: []string{"search mnk-3x3k3 --limit 3 --part 1/1"}, files: "*.part", seal: sealBlocks,
		reads:   []string{"merge --parts . -- --csv"},
		readers: []string{"internal/parts.Load", "app.beginning"}},
	{name: "part of a proof", make: []string{"mnk solve mnk-4x4k4 --split 1 --part 1/1"}, files: "*.part", seal: sealBlocks,
		reads: []string{"merge --parts . -- --json", "merge --parts . -- --certificate proof --json"}},
	{name: "book", make: []string{"search mnk-3x3k3 --book b --book-nodes 5 --limit 9 --without ask"}, files: "b",
		reads:   []string{"book verify b --json --mem 64MiB", "book list b --json"},
		readers: []string{"solve/book.create", "solve/book.(Book).open", "solve/book.checkPages"}},
	{name: "certificate", make: []string{"mnk solve mnk-4x4k4 --certificate c"}, files: "c",
		reads:   []string{"mnk check c --json --mem 64MiB"},
		readers: []string{"game/mnk/command.newCheckCommand", "game/mnk/command.proofOf"}},
	{name: "census", make: []string{"domino census --part 3/60000 --census c"}, files: "c", seal: sealBlocks,
		reads: []string{"domino show c --json"}},
	{name: "strategy of hidden dominoes", make: []string{"domino hidden double-2 2 --iterations 20 --gap 0 --work w"}, files: "w/*", seal: sealBlocks,
		reads: []string{"domino hidden double-2 2 --iterations 20 --gap 0 --work w --json"}},
	{name: "journal", make: []string{"match mnk-3x3k3 level-2 random --pairs 2 --time 1m --journal j"}, files: "j", plain: true,
		reads: []string{"match mnk-3x3k3 level-2 random --pairs 2 --time 1m --journal j --csv"}},
	{name: "recorded games", make: []string{"match mnk-3x3k3 level-2 random --pairs 2 --time 1m --save r"}, files: "r", plain: true,
		reads:   []string{"judge r --csv --mem 128MiB"},
		readers: []string{"app.(judgeFlags).read"}},
	{name: "counts", texts: [2]string{"f", "mnk-3x3k3 - start 1 9 by hand\nmnk-3x3k3 - start 2 72 by hand\n"}, files: "f", plain: true,
		reads: []string{"perft --file f --csv --max-positions 1000"}, readers: []string{"lab.(perftFlags).runFile"}},
	{name: "deals", texts: [2]string{"f", "66 16 24 26 33 34 36 / 00 01 02 03 05 06 15\n"}, files: "f", plain: true,
		reads: []string{"domino deal --file f --csv"}, readers: []string{"game/domino/command.openDeals"}},
	{name: "openings", texts: [2]string{"f", "start b2 a1\nstart a1 # a corner\n"}, files: "f", plain: true,
		reads: []string{"match mnk-3x3k3 random random --pairs 2 --time 1m --file f --csv"}, readers: []string{"app.(matchFlags).readOpenings"}},
	{name: "game to go on with", texts: [2]string{"f", "game halma-star13-2p\nseat 1 you\n\na1-b2 e1-d3\n"}, files: "f", plain: true,
		reads: []string{"play --load f --mem 64MiB"}, readers: []string{"app.(playFlags).game"}},
}

// retroState interrupts a solve by package retro, which writes its state.
func retroState(dir string) error {
	g, err := mnk.New(3, 3, 3)
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "w"), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = retro.Solve(ctx, g, retro.Options{Threads: 1, Work: filepath.Join(dir, "w"), Progress: func(p retro.Progress) {
		if p.Pass > 1 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the solve ended: %v", err)
	}
	return nil
}

// noKind lists functions whose files belong to no fileKind, with the reason.
var noKind = map[string]string{
	"play/serve/site.build":          "the program that it has just compiled, and a file of the Go distribution",
	"game/gametest.RunPerft":         "counts of a game's tests",
	"lab/study2025.read":             "files that are part of the program",
	"app/family.sumOf":               "a table that the same process has just written",
	"app/family.writeSum":            "a list of checksums, whose other lines are kept as they are",
	"lab.readSheet":                  "JSON beside a table, shown in a card",
	"internal/cli.Share":             "the memory that Linux says is available, any number of which is right",
	"internal/files.heldBy":          "the name of a process in a lock file, shown as text",
	"internal/files.syncDir":         "a directory",
	"internal/files.open":            "opens for those that are listed",
	"internal/files.create":          "a new file, to write",
	"internal/files.openInPlace":     "a pipe or a device to write to",
	"internal/files.removeAbandoned": "a file to remove, for its lock",
	"internal/files.(Claim).sign":    "a lock file, to write into",
	"internal/cli.Replaceable":       "looks at the beginning, to tell kinds apart",
	"internal/cli.Open":              "opens for those that are listed",
	"internal/cli.addressSpace":      "a file of the system",
	"play/engine.waited":             "a file of the system",
	"internal/cli.whole":             "a profile that the same process has just written",
	"lab.foreign":                    "compares files with what they are to hold",
	"internal/host.PeakMemory":       "a file of the system",
}

// TestReadersAreKnown finds every function of the program that opens a file for reading, and
// checks that TestDamagedFiles damages its kind of file.
func TestReadersAreKnown(t *testing.T) {
	known := map[string]bool{}
	for _, k := range fileKinds {
		for _, r := range k.readers {
			known[r] = true
		}
	}
	found := map[string]bool{}
	fset := token.NewFileSet()
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel("..", filepath.Dir(name))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || slices.Contains([]string{"examples", "figures", "genkernel", "testdata"}, d.Name())):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				pkg, _ := sel.X.(*ast.Ident)
				if pkg != nil && slices.Contains([]string{"os.Open", "os.OpenFile", "os.ReadFile", "files.Open", "cli.Open", "bolt.Open"}, pkg.Name+"."+sel.Sel.Name) {
					found[filepath.ToSlash(rel)+"."+functionName(f)] = true
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range found {
		if _, ok := noKind[name]; !known[name] && !ok {
			t.Errorf("%s opens a file: say in fileKinds which command reads it, or in noKind why nothing can be damaged", name)
		}
	}
	for name := range known {
		if !found[name] {
			t.Errorf("%s is listed, and opens no file", name)
		}
	}
	for name := range noKind {
		if !found[name] {
			t.Errorf("%s has a reason, and opens no file", name)
		}
	}
}

// functionName names a function, a method with its type before it.
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	kind := f.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if index, ok := kind.(*ast.IndexExpr); ok {
		kind = index.X
	}
	return fmt.Sprintf("(%s).%s", kind.(*ast.Ident).Name, f.Name.Name)
}

// sealBlocks makes all checksums in a damaged file of package blocks right: of blocks,
// description and index. It needs a file of the intact length.
func sealBlocks(intact, text []byte) []byte {
	const entry, foot = 8, 9
	if len(intact) != len(text) || len(text) < entry+foot {
		return text
	}
	number := func(b []byte, at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	b, index := slices.Clone(text), len(text)-foot-entry*number(intact, len(intact)-foot)
	at := 0
	for e := index; e < len(b)-foot; e += entry {
		from, size := at, number(b, e)
		if at += size; at > index {
			break
		}
		frame := b[from:at]
		if raw, err := unsealed().DecodeAll(frame, nil); err == nil && len(raw) > 0 {
			sealed := sealer().EncodeAll(raw, nil)
			copy(frame[size-4:], sealed[len(sealed)-4:])
		}
	}
	index -= entry
	described := index - number(intact, len(intact)-foot-entry)
	sum := crc32.MakeTable(crc32.Castagnoli)
	binary.LittleEndian.PutUint32(b[index-4:], crc32.Update(crc32.Checksum(b[described:index-4], sum), sum, b[index:]))
	return b
}

var (
	unsealed = sync.OnceValue(func() *zstd.Decoder {
		z, err := zstd.NewReader(nil, zstd.IgnoreChecksum(true), zstd.WithDecoderMaxMemory(1<<26))
		if err != nil {
			panic(err)
		}
		return z
	})
	sealer = sync.OnceValue(func() *zstd.Encoder {
		z, err := zstd.NewWriter(nil)
		if err != nil {
			panic(err)
		}
		return z
	})
)

// reading is a command line for a reader process.
type reading struct {
	Program, Dir string
	Args         []string
}

type readingDone struct {
	Code     int
	Out, Err string
	Peak     int // KiB of resident memory
}

func init() { helpers["readmany"] = readMany }

// readMany executes command lines from standard input in one process; a process for each would take
// ten times as long. It reports the peak of memory of each command. The process ends if a command
// takes far more than the allowed memory.
func readMany() {
	const most = (384 + 320) << 20 // the program's own budget, and a reserve
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most}); err != nil {
		panic(err)
	}
	answers := json.NewEncoder(os.Stdout)
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	var streams [2]*os.File
	for i, name := range []string{"out", "err"} {
		f, err := os.CreateTemp("", name)
		if err != nil {
			panic(err)
		}
		os.Remove(f.Name())
		streams[i] = f
	}
	var r reading
	for in.Decode(&r) == nil {
		if err := os.Chdir(r.Dir); err != nil {
			panic(err)
		}
		for _, f := range streams {
			if err := f.Truncate(0); err != nil {
				panic(err)
			}
			f.Seek(0, io.SeekStart)
		}
		null, err := os.Open(os.DevNull)
		if err != nil {
			panic(err)
		}
		os.Args, os.Stdin, os.Stdout, os.Stderr = append([]string{r.Program}, r.Args...), null, streams[0], streams[1]
		program := Main
		if r.Program == "lab" {
			program = runLab
		}
		debug.FreeOSMemory()                                                          // memory of earlier readings
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // restart the peak
			panic(err)
		}
		done := readingDone{Code: program(ours...)}
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			panic(err)
		}
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		if _, err := fmt.Sscan(peak, &done.Peak); err != nil {
			panic(err)
		}
		null.Close()
		for i, text := range []*string{&done.Out, &done.Err} {
			streams[i].Seek(0, io.SeekStart)
			b, _ := io.ReadAll(io.LimitReader(streams[i], 1<<20))
			*text = string(b)
		}
		if err := answers.Encode(done); err != nil {
			panic(err)
		}
		r = reading{}
	}
	os.Exit(0)
}

// readerProcess is a running readMany.
type readerProcess struct {
	cmd    *exec.Cmd
	in     *json.Encoder
	out    *json.Decoder
	stderr bytes.Buffer
}

func startReader(t *testing.T) *readerProcess {
	t.Helper()
	p := &readerProcess{cmd: exec.Command("readmany")}
	p.cmd.Stderr = &p.stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.out = json.NewEncoder(in), json.NewDecoder(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); p.cmd.Wait() })
	return p
}

// do executes a command line; ok is false if the process ends or hangs.
func (p *readerProcess) do(r reading) (done readingDone, ok bool) {
	watch := time.AfterFunc(5*time.Minute, func() { p.cmd.Process.Kill() })
	defer watch.Stop()
	ok = p.in.Encode(r) == nil && p.out.Decode(&done) == nil
	return done, ok
}

// passing matches parts of answers that differ from run to run.
var passing = regexp.MustCompile(`"[a-z_]*(seconds|memory_bytes|passes|resumed|per_second|threads|bytes)":[^,}]*|\d+(\.\d+)?(ns|µs|ms|s)\b`)

// TestDamagedFiles damages files of every kind that the program reads: bits flipped, cut off,
// longer, bytes copied, replaced by another kind and, if a checksum covers the whole file, sealed
// again. The commands that read a kind run in a process of at most 256 MiB. They must refuse the
// file in one line or answer as from the intact one. Sealed files, intact files of another kind,
// and plain text may change the answer.
//
//	go test ./app -run DamagedFiles -hostile -damaged 100000 -timeout 5h -v
//	go test ./app -run DamagedFiles/journal -hostile -damaged 100000 -v    # a nineteenth of them
func TestDamagedFiles(t *testing.T) {
	hostile(t)
	rng := rand.New(rand.NewPCG(3, uint64(*damaged)))
	var foreign [][]byte
	dirs := make([]string, len(fileKinds))
	for i, k := range fileKinds {
		dirs[i] = t.TempDir()
		if k.texts[0] != "" {
			if err := os.WriteFile(filepath.Join(dirs[i], k.texts[0]), []byte(k.texts[1]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if k.setup != nil {
			if err := k.setup(dirs[i]); err != nil {
				t.Fatalf("%s: %v", k.name, err)
			}
		}
		for _, line := range k.make {
			cmd := jobCommand(strings.Fields(line)...)
			cmd.Dir = dirs[i]
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %s: %v\n%s", k.name, line, err, out)
			}
		}
		for _, name := range matches(t, dirs[i], k.files) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			foreign = append(foreign, text)
		}
	}
	total, refused, same, believed := 0, 0, 0, 0
	for i := range fileKinds {
		t.Run(fileKinds[i].name, func(t *testing.T) {
			k, p := &fileKinds[i], startReader(t)
			work := t.TempDir()
			want := make([]string, len(k.reads))
			for n, line := range k.reads {
				restore(t, dirs[i], work)
				done, ok := p.do(readingOf(work, line))
				if !ok || done.Code != cli.ExitDone {
					t.Errorf("%s: %s: the intact file: %+v %s", k.name, line, done, head(p.stderr.String(), 500))
				}
				want[n] = passing.ReplaceAllString(done.Out, "")
			}
			tally, most := [3]int{}, 0
			share := (*damaged + i) / len(fileKinds)
			for n := range share {
				line := k.reads[n%len(k.reads)]
				restore(t, dirs[i], work)
				list := matches(t, work, k.files)
				name := list[rng.IntN(len(list))]
				intact, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				text, how := damage(rng, intact, foreign)
				another := strings.HasPrefix(how, "foreign") // an intact file of another kind
				forged := k.seal != nil && rng.IntN(3) == 0
				if forged {
					text, how = k.seal(intact, text), how+", sealed"
				}
				if err := os.WriteFile(name, text, 0o600); err != nil {
					t.Fatal(err)
				}
				done, ok := p.do(readingOf(work, line))
				total++
				most = max(most, done.Peak)
				answer := passing.ReplaceAllString(done.Out, "")
				problem := ""
				switch {
				case !ok:
					problem = "the process ended: " + head(p.stderr.String(), 1500)
					p = startReader(t)
				case done.Peak > 256<<10:
					problem = fmt.Sprintf("%d KiB of memory", done.Peak)
				case done.Code == cli.ExitDone && answer == want[n%len(k.reads)]:
					tally[1]++
				case done.Code == cli.ExitDone && (forged || another || k.plain):
					tally[2]++
				case done.Code == cli.ExitDone:
					problem = fmt.Sprintf("believed: %.300s\nwant %.300s", answer, want[n%len(k.reads)])
				case done.Code != cli.ExitFailed && done.Code != cli.ExitUsage || strings.Count(done.Err, "\n") < 1 || strings.Contains(done.Err, "panic") || strings.Contains(done.Err, "goroutine"):
					problem = fmt.Sprintf("%+v", done)
				default:
					tally[0]++
				}
				if problem != "" {
					kept := filepath.Join(os.TempDir(), fmt.Sprintf("damaged-%d-%d", i, n))
					os.WriteFile(kept, text, 0o600)
					t.Errorf("%s: %s, %s (kept as %s): %s", k.name, line, how, kept, problem)
					if n > 100 {
						break
					}
				}
			}
			t.Logf("%-30s %6d files: %6d refused, %6d answered as intact, %6d believed what they say, at most %d MiB", k.name, share, tally[0], tally[1], tally[2], most>>10)
			refused, same, believed = refused+tally[0], same+tally[1], believed+tally[2]
		})
	}
	t.Logf("%d damaged files: %d refused, %d answered as intact, %d forged, foreign or plain and believed", total, refused, same, believed)
}

func head(s string, n int) string { return s[:min(len(s), n)] }

func readingOf(dir, line string) reading {
	words := strings.Fields(line)
	if words[0] == "lab" {
		return reading{"lab", dir, words[1:]}
	}
	return reading{programOf(words[0]), dir, words}
}

// matches lists the files of a pattern in a directory, sorted.
func matches(t *testing.T, dir, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(list) == 0 {
		t.Fatalf("%s has no %s: %v", dir, pattern, err)
	}
	return list
}

// restore copies one directory to another, and removes everything else there.
func restore(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// damage returns a damaged copy of a text, and names the damage.
func damage(rng *rand.Rand, text []byte, foreign [][]byte) ([]byte, string) {
	b := slices.Clone(text)
	at := func() int { return rng.IntN(max(1, len(b))) }
	switch kind := rng.IntN(8); {
	case len(b) == 0 || kind == 0:
		i := rng.IntN(len(foreign))
		return foreign[i], fmt.Sprintf("foreign %d", i)
	case kind == 1:
		n := at()
		return b[:n], fmt.Sprintf("cut at %d", n)
	case kind == 2:
		n := 1 + rng.IntN(5000)
		more := make([]byte, n)
		if rng.IntN(2) == 0 {
			for i := range more {
				more[i] = byte(rng.Uint32())
			}
		}
		return append(b, more...), fmt.Sprintf("%d bytes longer", n)
	case kind == 3:
		from, to, n := at(), at(), 1+rng.IntN(64)
		copy(b[to:], text[from:min(len(text), from+n)])
		return b, fmt.Sprintf("%d bytes of %d copied to %d", n, from, to)
	case kind == 4:
		i := at()
		n := min(1+rng.IntN(8), len(b)-i)
		for j := range n {
			b[i+j] = 0xff
		}
		return b, fmt.Sprintf("%d bytes of ones at %d", n, i)
	case kind == 5: // another digit, in text
		var digits []int
		for i, c := range b {
			if c >= '0' && c <= '9' {
				digits = append(digits, i)
			}
		}
		if len(digits) > 0 {
			i := digits[rng.IntN(len(digits))]
			b[i] = '0' + (b[i]-'0'+byte(1+rng.IntN(9)))%10
			return b, fmt.Sprintf("another digit at %d", i)
		}
	}
	i, bit := at(), rng.IntN(8)
	b[i] ^= 1 << bit
	return b, fmt.Sprintf("bit %d of byte %d", bit, i)
}
