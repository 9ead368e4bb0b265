package app

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"perfectplay/internal/cli"
)

// TestServeMemory: the resident memory of a server exceeds --mem by at most 64 MiB while
// clients ask for more solutions than fit, more analyses at once than it has tables, and the
// largest answers.
func TestServeMemory(t *testing.T) {
	hostile(t)
	const mem = 128 << 20
	s := startServer(t, "--mem", cli.Size(mem).String(), "--threads", "2")
	ctx, stop := context.WithTimeout(t.Context(), 4*time.Second)
	defer stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	var answers, bytes atomic.Int64
	var work sync.WaitGroup
	loop := func(method, path, body string) {
		work.Go(func() {
			for ctx.Err() == nil {
				req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				if body == "" {
					req.Body, req.ContentLength = nil, 0
				}
				req.Header.Set("Content-Type", "application/json")
				resp, err := client.Do(req)
				if err != nil {
					if ctx.Err() == nil {
						t.Error(err)
					}
					return
				}
				n, _ := io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode >= 500 && resp.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("%s: status %d", path, resp.StatusCode)
				}
				if resp.StatusCode == http.StatusServiceUnavailable {
					time.Sleep(100 * time.Millisecond) // sooner than Retry-After says
				}
				answers.Add(1)
				bytes.Add(n)
			}
		})
	}
	for _, game := range []string{
		"halma-star37-2p?rules=house", "halma-star37-2p?rules=base", "halma-5x5p3?rules=sturtevant", "halma-6x6p3?rules=base", "halma-star13-4p?rules=liou",
		"mnk-4x4k3?moves=b2", "mnk-5x5k4?moves=c3", "domino?moves=4|4", "halma-star121-6p?rules=base", "mnk-70x70k5?moves=a1",
	} {
		for _, of := range []string{"position", "analysis", "line", "legal"} {
			id, parameters, _ := strings.Cut(game, "?")
			loop(http.MethodGet, fmt.Sprintf("api/v1/games/%s/%s?%s", id, of, parameters), "")
		}
	}
	large := `{"game":"mnk-70x70k5","position":"start","limit":1},`
	for range 20 {
		loop(http.MethodPost, "api/v1/positions", `{"queries":[`+strings.Repeat(large, 20)+`{"game":"domino","position":"start"}]}`)
	}
	work.Wait()
	client.CloseIdleConnections()
	s.end(t)
	resident := peakOf(t, s.peak)
	t.Logf("%d answers, %v; --mem %v: %v resident at most", answers.Load(), cli.Size(bytes.Load()), cli.Size(mem), resident)
	if resident > mem+64<<20 {
		t.Errorf("%v resident with --mem %v", resident, cli.Size(mem))
	}
}
