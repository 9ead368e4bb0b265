package app

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
	"perfectplay/play/serve"
	"perfectplay/play/serve/web"
)

// The load of TestServeLoad: its duration, the number of clients, whether analyses run as
// well, and the pause of a client between questions.
var (
	loadTime    = flag.Duration("load", 0, "load the server of TestServeLoad for this long; 0 is a thousand requests")
	loadClients = flag.Int("clients", 8, "clients of TestServeLoad at once")
	loadAnalyst = flag.Bool("analyst", true, "one more client of TestServeLoad begins analyses and leaves them")
	loadThink   = flag.Duration("think", 0, "the time between a client's requests in TestServeLoad")
)

// server is a running process of solve serve.
type server struct {
	cmd    *exec.Cmd
	url    string // ends in a slash
	peak   string // name of the file for the peak of memory, see peakFile
	stdout *bufio.Reader
	stderr strings.Builder
}

// served returns the service of a program's games, and the address of a server in this process.
func served(t *testing.T, a *family.App) (*explore.Service, string) {
	t.Helper()
	service, err := explore.New(explore.Options{Wings: a.Wings(), Memory: 512 << 20, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	s, err := serve.New(serve.Options{Explorer: service, Page: web.Files(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	http := httptest.NewServer(s)
	t.Cleanup(http.Close)
	return service, http.URL
}

// startServer runs solve serve and waits for its address.
func startServer(t *testing.T, args ...string) *server {
	t.Helper()
	return started(t, solveCommand(append([]string{"serve"}, args...)...))
}

// started runs a command that serves, and waits for its address.
func started(t *testing.T, cmd *exec.Cmd) *server {
	t.Helper()
	s := &server{cmd: cmd, peak: filepath.Join(t.TempDir(), "peak")}
	if runtime.GOOS == "linux" {
		s.cmd.Env = append(s.cmd.Environ(), peakFile+"="+s.peak)
	}
	s.cmd.Stderr = &s.stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.stdout = bufio.NewReader(out)
	line, err := s.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, s.stderr.String())
	}
	s.url = strings.TrimSpace(line)
	return s
}

// end interrupts the server, which must end silently by itself.
func (s *server) end(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	more, _ := io.ReadAll(s.stdout)
	if err := s.cmd.Wait(); err != nil || len(more) > 0 || s.stderr.Len() > 0 {
		t.Errorf("%v, more on stdout: %q, on stderr: %s", err, more, s.stderr.String())
	}
}

// get returns the response to a request.
func (s *server) get(ctx context.Context, client *http.Client, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	if err != nil {
		return nil, err
	}
	return client.Do(req)
}

// ask asks for the value of a position.
func (s *server) ask(ctx context.Context, client *http.Client, path string) (*explore.Answer, error) {
	resp, err := s.get(ctx, client, path)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: status %d: %.300s", path, resp.StatusCode, body)
	}
	a := new(explore.Answer)
	return a, json.Unmarshal(body, a)
}

// TestServe: the command prints only its address, serves the page and the API, and ends
// without an error when interrupted.
func TestServe(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("no process can be interrupted there")
	}
	s := startServer(t, "--mem", "64MiB", "--threads", "1")
	u, err := url.Parse(s.url)
	if err != nil || u.Hostname() != "127.0.0.1" || u.Port() == "0" || u.Path != "/" {
		t.Fatalf("the address is %q", s.url)
	}
	resp, err := s.get(t.Context(), http.DefaultClient, "")
	if err != nil {
		t.Fatal(err)
	}
	page, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != 200 || !strings.Contains(string(page), "<title>") {
		t.Errorf("the page: status %d: %.200s", resp.StatusCode, page)
	}
	a, err := s.ask(t.Context(), http.DefaultClient, "api/v1/games/mnk-3x3k3/position?moves=b2,b1")
	if err != nil || a.Value != explore.Win || a.Distance == nil || *a.Distance != 5 {
		t.Errorf("%+v, %v", a, err)
	}
	// A running stream does not delay the end.
	stream, err := s.get(t.Context(), http.DefaultClient, "api/v1/games/halma-star121-2p/analysis")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	s.end(t)
}

// TestServeLoad asks a server with a table of star 37 for positions of random games, with many
// clients at once, beside analyses that come and go. Every answer must be final and agree with
// the others. With -load it prints their times, and the server's memory must stay within --mem
// and 64 MiB.
func TestServeLoad(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("no process can be interrupted there")
	}
	if testing.Short() {
		t.Skip("solves star 37; not with -short")
	}
	const mem = 256 << 20
	dir := t.TempDir()
	table := filepath.Join(dir, "star37.table")
	if out, err := solveCommand("strong", "halma-star37-2p", "--rules", "house", "--distances", "--table", table).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := startServer(t, "--tables", dir, "--mem", cli.Size(mem).String(), "--threads", "2")
	positions := randomPositions(t, 2000)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: *loadClients + 8}}
	probe := func(position string) string {
		return "api/v1/games/halma-star37-2p/position?rules=house&position=" + position
	}
	if a, err := s.ask(t.Context(), client, probe("start")); err != nil || a.Source.Kind != "table" || a.Distance == nil || *a.Distance != 29 {
		t.Fatalf("%+v, %v", a, err)
	}

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if *loadTime > 0 {
		time.AfterFunc(*loadTime, stop)
	}
	var asked, analyses atomic.Int64
	var known sync.Map // distances by position
	times := make([][]time.Duration, *loadClients)
	var work sync.WaitGroup
	begin := time.Now()
	for c := range *loadClients {
		r := rand.New(rand.NewPCG(uint64(c), 1))
		work.Go(func() {
			time.Sleep(rand.N(*loadThink + 1)) // clients do not ask all at once
			for *loadTime > 0 || asked.Add(1) <= 1000 {
				position := positions[r.IntN(len(positions))]
				from := time.Now()
				a, err := s.ask(ctx, client, probe(position))
				took := time.Since(from)
				if ctx.Err() != nil {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				times[c] = append(times[c], took)
				worth := fmt.Sprint(a.Value)
				if a.Distance != nil {
					worth += fmt.Sprint(*a.Distance)
				}
				if before, loaded := known.LoadOrStore(position, worth); !a.Final || a.Position != position || loaded && before != worth {
					t.Errorf("%s: %s, and earlier %v", position, worth, before)
				}
				if *loadThink > 0 {
					select {
					case <-ctx.Done():
						return
					case <-time.After(*loadThink/2 + rand.N(*loadThink)):
					}
				}
			}
		})
	}
	// One client analyses a position that is in no table, and stops early.
	analysed, enough := context.WithCancel(ctx)
	var analyst sync.WaitGroup
	analyst.Go(func() {
		for *loadAnalyst && analysed.Err() == nil {
			one, cancel := context.WithTimeout(analysed, 300*time.Millisecond)
			if resp, err := s.get(one, client, "api/v1/games/halma-star73-2p/analysis?rules=house"); err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				analyses.Add(1)
			}
			cancel()
		}
	})
	work.Wait()
	elapsed := time.Since(begin)
	enough()
	analyst.Wait()
	client.CloseIdleConnections()
	if a, err := s.ask(t.Context(), client, probe("start")); err != nil || *a.Distance != 29 {
		t.Errorf("after the load: %+v, %v", a, err)
	}
	s.end(t)

	all := slices.Concat(times...)
	slices.Sort(all)
	if len(all) < 500 {
		t.Fatalf("%d answers", len(all))
	}
	at := func(share float64) time.Duration {
		return all[int(share*float64(len(all)-1))].Round(10 * time.Microsecond)
	}
	t.Logf("%d clients, think %v: %d answers in %v, %.0f/s; p50 %v, p90 %v, p99 %v, most %v; %d analyses begun and left",
		*loadClients, *loadThink, len(all), elapsed.Round(time.Millisecond), float64(len(all))/elapsed.Seconds(), at(0.5), at(0.9), at(0.99), at(1), analyses.Load())
	if runtime.GOOS != "linux" {
		return
	}
	if resident := peakOf(t, s.peak); resident > mem+64<<20 {
		t.Errorf("%v resident with --mem %v", resident, cli.Size(mem))
	}
}

// randomPositions are positions of star 37 from random games.
func randomPositions(t *testing.T, n int) (list []string) {
	t.Helper()
	g, err := halma.ByID("halma-star37-2p", "house")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(37, 1))
	for len(list) < n {
		s := g.Start()
		for range 60 {
			if s.Result() != game.Ongoing {
				break
			}
			list = append(list, s.String())
			moves := s.Moves(nil)
			s.Make(moves[r.IntN(len(moves))])
		}
	}
	return list[:n]
}
