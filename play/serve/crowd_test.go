package serve

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The crowd of TestCrowd.
var (
	crowdTime    = flag.Duration("crowd", 0, "for how long each crowd of TestCrowd asks; 0 is five questions a client")
	crowdClients = flag.Int("clients", 200, "clients of TestCrowd at once")
	crowdIdle    = flag.Int("idle", 1000, "connections of TestCrowd that ask nothing")
)

// TestCrowd: many clients of one address ask at once: over one connection, over a new connection
// for each question, with pauses, or on more connections than the server has places, beside silent
// connections. Every question gets its answer or 503. With -v it prints counts and rates for
// bench/crowd.sh.
func TestCrowd(t *testing.T) {
	clients, silent := *crowdClients, *crowdIdle
	if testing.Short() {
		clients, silent = 80, 200
	}
	few := usual
	few.connections, few.silent = 50, time.Hour // on a busy machine a client may be slow to begin
	for _, c := range []struct {
		name   string
		bounds bounds
		idle   int
		kept   bool
		pause  time.Duration // time that a client pauses between its questions
	}{
		{"kept", usual, 0, true, 0},
		{"kept beside idle", usual, silent, true, 0},
		{"fresh", usual, 0, false, 0},
		{"fresh beside idle", usual, silent, false, 0},
		{"pausing", usual, 0, true, 200 * time.Millisecond},
		{"pausing beside idle", usual, silent, true, 200 * time.Millisecond},
		{"kept, few places", few, 20, true, 0},
		{"fresh, few places", few, 20, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, _ := listen(t, newService(t), c.bounds)
			alive(t, address)
			idle(t, address, c.idle)
			until := time.Now().Add(*crowdTime)
			times := make([][]time.Duration, clients)
			var refused atomic.Int64
			var work sync.WaitGroup
			begin := time.Now()
			for i := range times {
				work.Go(func() {
					var asks asker
					defer asks.close()
					time.Sleep(c.pause * time.Duration(i) / time.Duration(len(times))) // not all at once
					for n := 0; n < 5 || time.Now().Before(until); n++ {
						from := time.Now()
						status, err := asks.ask(address, c.kept)
						switch {
						case err != nil:
							t.Errorf("question %d of client %d: %v", n, i, err)
							return
						case status == http.StatusServiceUnavailable:
							refused.Add(1)
							time.Sleep(100 * time.Millisecond)
						case status != http.StatusOK:
							t.Errorf("status %d", status)
						default:
							times[i] = append(times[i], time.Since(from))
						}
						time.Sleep(c.pause)
					}
				})
			}
			work.Wait()
			took := time.Since(begin)
			all := slices.Sorted(slices.Values(slices.Concat(times...)))
			if len(all) == 0 {
				t.Fatal("no answer")
			}
			t.Logf("%d answers and %d times 503 in %v, %.0f/s; median %v, 99 of 100 %v, most %v", len(all), refused.Load(), took.Round(time.Millisecond),
				float64(len(all))/took.Seconds(), all[len(all)/2], all[len(all)*99/100], all[len(all)-1])
		})
	}
}

// idle keeps connections open until the test ends. They send nothing, half a request, or a
// single request, and come again when the server closes them.
func idle(t *testing.T, address string, most int) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		all.Wait()
	})
	half, whole := "GET / HTTP/1.1\r\nHost: localhost\r\n", "\r\n"
	for i := range most {
		text := []string{"", half, half + whole}[i%3]
		c := dial(t, address, text)
		all.Go(func() {
			for ctx.Err() == nil {
				stop := context.AfterFunc(ctx, func() { c.Close() })
				_, _ = io.Copy(io.Discard, c)
				stop()
				c.Close()
				time.Sleep(time.Duration(i) * time.Millisecond) // not all at once
				again, err := net.Dial("tcp", address)
				if err != nil {
					continue
				}
				c = again
				_, _ = io.WriteString(c, text)
			}
			c.Close()
		})
	}
}

// asker is a client that asks a quick question again and again.
type asker struct {
	conn net.Conn
	in   *bufio.Reader
}

func (a *asker) close() {
	if a.conn != nil {
		a.conn.Close()
		a.conn = nil
	}
}

// ask returns the status of a complete answer. It keeps the connection if keep is true and the
// server does not close it.
func (a *asker) ask(address string, keep bool) (status int, err error) {
	if a.conn == nil {
		if a.conn, err = net.Dial("tcp", address); err != nil {
			return 0, err
		}
		a.in = bufio.NewReader(a.conn)
	}
	_ = a.conn.SetDeadline(time.Now().Add(2 * time.Minute))
	if _, err := fmt.Fprintf(a.conn, "GET /api/v1/games/mnk-3x3k3/position?moves=b2 HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return 0, err
	}
	resp, err := http.ReadResponse(a.in, nil)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, resp.Body)
	if err == nil && n != resp.ContentLength {
		err = errors.New("half an answer")
	}
	if !keep || resp.Close {
		a.close()
	}
	return resp.StatusCode, err
}

// TestSlowReaders: clients that do not read long answers delay nobody, however many there are.
func TestSlowReaders(t *testing.T) {
	patient := usual
	patient.write, patient.ending = time.Hour, 100*time.Millisecond
	address, _ := listen(t, newService(t), patient)
	connections := 40
	if testing.Short() {
		connections = 10
	}
	for range connections {
		// The answers are longer than the system buffers for a client that reads nothing.
		c := dial(t, address, strings.Repeat("GET /api/v1/games/mnk-70x70k5 HTTP/1.1\r\nHost: localhost\r\n\r\n", 40))
		line, err := bufio.NewReaderSize(c, 16).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "HTTP/1.1 200 ") {
			t.Fatalf("%q, %v", line, err)
		}
	}
	alive(t, address)
}
