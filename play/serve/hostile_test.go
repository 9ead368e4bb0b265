package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"perfectplay/internal/host"
	"perfectplay/play/explore"
)

// slow is a listener for slow clients. Each connection takes the next number from sends: the bytes
// that its client sends, or prompt for a client that is not slow. Deadlines of the server pass when
// a client has sent its bytes, or when it does not read more than the first part of an answer. So no
// test depends on the speed of the machine.
type slow struct {
	net.Listener
	sends chan int
}

// prompt is the number of a client that is not slow.
const prompt = -1

func newSlow(t *testing.T) slow {
	t.Helper()
	return slow{must(net.Listen("tcp", "127.0.0.1:0"))(t), make(chan int, 100)}
}

// dial opens the connection of a slow client.
func (l slow) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	l.sends <- len(text)
	return dial(t, l.Addr().String(), text)
}

// alive is [alive] by a prompt client.
func (l slow) alive(t *testing.T) {
	t.Helper()
	l.sends <- prompt
	alive(t, l.Addr().String())
}

func (l slow) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	left := <-l.sends
	if left == prompt {
		return c, nil
	}
	return &slowConn{Conn: c, left: left}, nil
}

type slowConn struct {
	net.Conn
	left    int         // bytes that the client still sends
	bounded atomic.Bool // a deadline for reading is set
	begun   atomic.Bool // the first part of an answer is written
}

func (c *slowConn) SetReadDeadline(at time.Time) error {
	c.bounded.Store(!at.IsZero())
	if time.Now().Before(at) {
		at = time.Time{}
	}
	return c.Conn.SetReadDeadline(at)
}

func (c *slowConn) Read(p []byte) (int, error) {
	if c.left == 0 && c.bounded.Load() {
		return 0, os.ErrDeadlineExceeded
	}
	n, err := c.Conn.Read(p)
	c.left -= n
	return n, err
}

func (c *slowConn) SetWriteDeadline(at time.Time) error {
	switch {
	case at.IsZero():
	case c.begun.Load():
		at = time.Now().Add(20 * time.Millisecond)
	default:
		at = time.Time{}
	}
	return c.Conn.SetWriteDeadline(at)
}

func (c *slowConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.begun.Store(true)
	return n, err
}

// listen runs a server on loopback until the test ends or stop is called, and returns its
// address.
func listen(t *testing.T, e explore.Explorer, b bounds) (address string, end func()) {
	t.Helper()
	l := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	return l.Addr().String(), listenOn(t, e, b, l)
}

// listenOn is listen on a listener.
func listenOn(t *testing.T, e explore.Explorer, b bounds, l net.Listener) (end func()) {
	t.Helper()
	s := newTestServer(t, e, b, nil)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	end = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(2 * time.Minute):
			t.Error("the server did not end")
		}
	})
	t.Cleanup(end)
	return end
}

// dial opens a connection and sends some text.
func dial(t *testing.T, address, text string) net.Conn {
	t.Helper()
	c := must(net.Dial("tcp", address))(t)
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(2 * time.Minute))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// ended reads a connection until the server closes it.
func ended(c net.Conn) (string, error) {
	text, err := io.ReadAll(c)
	if e, ok := err.(net.Error); ok && e.Timeout() {
		return string(text), err
	}
	return string(text), nil // a connection that was reset is closed, too
}

// alive asks a question that the server must answer.
func alive(t *testing.T, address string) {
	t.Helper()
	client := http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	resp := must(client.Get("http://" + address + "/api/v1/games/mnk-3x3k3/position?moves=b2"))(t)
	defer resp.Body.Close()
	var a explore.Answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || resp.StatusCode != 200 || a.Value != explore.Draw {
		t.Errorf("status %d, %v, value %q", resp.StatusCode, err, a.Value)
	}
}

// settle waits until there are no more goroutines than before.
func settle(t *testing.T, before int) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	now := 0
	for range 1200 {
		if now = runtime.NumGoroutine(); now <= before {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16) // show the goroutines left
	t.Errorf("%d goroutines, %d before\n%s", now, before, stacks[:runtime.Stack(stacks, true)])
}

// TestSlow: slow senders are cut off and delay nobody.
func TestSlow(t *testing.T) {
	l := newSlow(t)
	listenOn(t, newService(t), usual, l)
	l.alive(t)
	before := runtime.NumGoroutine()
	post := "POST /api/v1/positions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
	var clients []net.Conn
	for _, begin := range []string{"", "GET", "GET / HTTP/1.1\r\nHost: localhost\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ", post, post + "{"} {
		for range 8 {
			clients = append(clients, l.dial(t, begin))
		}
	}
	l.alive(t)
	for i, c := range clients {
		text, err := ended(c)
		if err != nil {
			t.Errorf("connection %d was not ended: %v", i, err)
		}
		if i >= 4*8 && !strings.HasPrefix(text, "HTTP/1.1 408 ") && !strings.HasPrefix(text, "HTTP/1.1 503 ") {
			t.Errorf("connection %d: %q", i, text)
		}
	}
	settle(t, before)
	l.alive(t)
}

// TestSilent: more silent connections from one address than the server holds shut nobody out;
// the longest silent are closed.
func TestSilent(t *testing.T) {
	patient := usual
	patient.header, patient.connections, patient.silent = time.Hour, 200, 50*time.Millisecond
	address, _ := listen(t, newService(t), patient)
	var silent []net.Conn
	for i := range 3 * patient.connections {
		silent = append(silent, dial(t, address, []string{"", "GET / HTTP/1.1\r\nHost: local"}[i%2]))
	}
	alive(t, address)
	// A busy server reads half a request late, and counts its silence from then.
	for i := 0; i < 2*patient.connections; i += 2 {
		if text, err := ended(silent[i]); err != nil || text != "" {
			t.Fatalf("connection %d of %d: %q, %v; want its end", i, len(silent), text, err)
		}
	}
}

// TestUnread: a request that waits for the server is not silence, even for a long time.
func TestUnread(t *testing.T) {
	inner := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	d := newDoor(inner, 2, time.Nanosecond)
	defer d.Close()
	accept := func(text string) net.Conn {
		dial(t, inner.Addr().String(), text)
		c := must(d.Accept())(t)
		t.Cleanup(func() { c.Close() })
		return c
	}
	asks := accept("GET /").(*guest)
	if !host.HasInput(asks.Conn) && runtime.GOOS == "windows" {
		t.Skip("the system does not say what is unread")
	}
	for !host.HasInput(asks.Conn) {
		runtime.Gosched()
	}
	silent := accept("").(*guest)
	accept("")
	if asks.gone || !silent.gone {
		t.Errorf("the asking one is gone: %v; the silent one: %v", asks.gone, silent.gone)
	}
}

// TestBusy: when every place is busy, the next client waits for one, and nobody is sent away.
func TestBusy(t *testing.T) {
	a, b := net.Pipe()
	defer b.Close()
	inner := &pipes{conns: make(chan net.Conn, 2)}
	d := newDoor(inner, 1, time.Nanosecond)
	inner.conns <- a
	first := must(d.Accept())(t)
	d.state(first, http.StateActive)
	c, _ := net.Pipe()
	inner.conns <- c
	second := make(chan net.Conn)
	go func() {
		c, _ := d.Accept()
		second <- c
	}()
	select {
	case <-second:
		t.Fatal("two connections through a door for one")
	case <-time.After(20 * time.Millisecond):
	}
	first.Close()
	first.Close() // closing frees one place, not two
	if got := <-second; got == nil || d.open != 1 {
		t.Errorf("%v, %d open", got, d.open)
	}
}

// pipes is a listener of connections made by the test.
type pipes struct {
	net.Listener
	conns chan net.Conn
}

func (p *pipes) Accept() (net.Conn, error) { return <-p.conns, nil }

// TestLarge: requests that are too large are refused as soon as possible.
func TestLarge(t *testing.T) {
	address, _ := listen(t, newService(t), usual)
	head := "POST /api/v1/positions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	const large = 100 << 20
	moves := strings.Repeat("b1-c4,", 1_000_000)
	for name, c := range map[string]struct {
		begin  string
		more   string // sent until the server closes, at most 100 MB
		status string
	}{
		"length":  {head + fmt.Sprintf("Content-Length: %d\r\n\r\n", large), strings.Repeat(" ", 1<<16), "413"},
		"chunks":  {head + "Transfer-Encoding: chunked\r\n\r\n", "10000\r\n" + strings.Repeat(" ", 1<<16) + "\r\n", "413"},
		"header":  {"GET / HTTP/1.1\r\nHost: localhost\r\n", "X-A: " + strings.Repeat("a", 1<<12) + "\r\n", "431"},
		"line":    {"GET /", strings.Repeat("a", 1<<12), "431"},
		"moves":   {"GET /api/v1/games/halma-star37-2p/position?moves=", moves, "431"},
		"get":     {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n", strings.Repeat(" ", 1<<16), "400"},
		"upload":  {"PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n", strings.Repeat(" ", 1<<16), "400"},
		"numbers": {head + "Content-Length: 99999999999999999999\r\n\r\n", "", "400"},
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, address, c.begin)
			line := make(chan string, 1)
			go func() {
				text, _ := bufio.NewReader(conn).ReadString('\n')
				line <- text
			}()
			sent := 0
			for c.more != "" && sent < large {
				n, err := io.WriteString(conn, c.more)
				if sent += n; err != nil {
					break
				}
			}
			if sent >= large {
				t.Errorf("the server takes %d bytes", sent)
			}
			select {
			case text := <-line:
				// A server that closes with input unread may reset the connection
				// before the answer is read.
				if text != "" && !strings.HasPrefix(text, "HTTP/1.1 "+c.status+" ") {
					t.Errorf("%q, want %s", text, c.status)
				}
			case <-time.After(2 * time.Minute):
				t.Error("no answer")
			}
		})
	}
	alive(t, address)
}

// TestStreamsEnd: streams free their resources when their clients go away or the server ends.
func TestStreamsEnd(t *testing.T) {
	e := newService(t)
	address, end := listen(t, e, usual)
	alive(t, address)
	before := runtime.NumGoroutine()
	open := func(ctx context.Context, position string) *http.Response {
		t.Helper()
		req := must(http.NewRequestWithContext(ctx, "GET", "http://"+address+"/api/v1/games/halma-star73-2p/analysis?moves="+position, nil))(t)
		resp := must(http.DefaultClient.Do(req))(t)
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("status %d", resp.StatusCode)
		}
		return resp
	}
	var inUse [3]uint64
	for round := range inUse {
		ctx, cancel := context.WithCancel(context.Background())
		var all []*http.Response
		for range 12 {
			all = append(all, open(ctx, ""))
		}
		for _, resp := range all {
			if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
				t.Error(err)
			}
		}
		cancel()
		for _, resp := range all {
			resp.Body.Close()
		}
		settle(t, before)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		inUse[round] = m.HeapAlloc
	}
	// Caches of the first round, such as tables of the game, stay.
	if inUse[2] > inUse[0]+8<<20 {
		t.Errorf("the heap grows from %d to %d bytes", inUse[0], inUse[2])
	}
	alive(t, address)
	resp := open(context.Background(), "")
	defer resp.Body.Close()
	go end()
	events := readEvents(t, resp.Body)
	if n := len(events); n == 0 || events[n-1].name != "end" {
		t.Errorf("the stream ended after %d events without saying so", n)
	}
	end()
	if _, err := net.Dial("tcp", address); err == nil {
		t.Error("somebody still listens")
	}
}

// TestStreamsBounded: the number of streams is bounded, and a stream whose client does not read
// ends.
func TestStreamsBounded(t *testing.T) {
	e := newService(t)
	a, err := e.Position(explore.Query{Game: "halma-star121-2p", Position: "start"})
	if err != nil {
		t.Fatal(err)
	}
	chatty := stub{Explorer: e, analyse: func(ctx context.Context, _ explore.Query, report func(*explore.Answer) error) error {
		for ctx.Err() == nil {
			if err := report(a); err != nil {
				return err
			}
		}
		return nil
	}}
	few := usual
	few.streams = 20
	l := newSlow(t)
	listenOn(t, chatty, few, l)
	l.alive(t)
	before := runtime.NumGoroutine()
	var streams []net.Conn
	for range few.streams {
		c := l.dial(t, "GET /api/v1/games/mnk-3x3k3/analysis HTTP/1.1\r\nHost: localhost\r\n\r\n")
		line, err := bufio.NewReaderSize(c, 16).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "HTTP/1.1 200 ") {
			t.Fatalf("%q, %v", line, err)
		}
		streams = append(streams, c)
	}
	// The streams send as fast as the system takes their data and end when nobody reads it.
	// Until the last one ends, another may or may not get a place.
	settle(t, before)
	for _, c := range streams {
		c.Close()
	}
	l.alive(t)

	waiting := stub{Explorer: e, analyse: func(ctx context.Context, _ explore.Query, report func(*explore.Answer) error) error {
		if err := report(a); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}}
	address, _ := listen(t, waiting, few)
	for range few.streams {
		c := dial(t, address, "GET /api/v1/games/mnk-3x3k3/analysis HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if _, err := bufio.NewReaderSize(c, 16).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	resp := must(http.Get("http://" + address + "/api/v1/games/mnk-3x3k3/analysis"))(t)
	resp.Body.Close()
	if resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("one stream more: status %d", resp.StatusCode)
	}
	alive(t, address)
}

// TestLong: a game of the greatest length that a request may name is played through, whatever
// else waits.
func TestLong(t *testing.T) {
	e := newService(t)
	s := newTestServer(t, e, usual, nil)
	at := must(e.Course(explore.Query{Game: "halma-star121-6p", Position: "start"}))(t).State
	// Random play neither ends nor reaches a position three times.
	var moves []string
	rng := rand.New(rand.NewPCG(7, 7))
	for len(moves) < mostMoves {
		list := at.Moves(nil)
		m := list[rng.IntN(len(list))]
		moves = append(moves, at.MoveString(m))
		at.Make(m)
	}
	body, err := json.Marshal(batch{[]explore.Query{{Game: "halma-star121-6p", Position: "start", Moves: moves, Seconds: 0.01, Limit: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Answers []answered }
	w := do(s, request("POST", "/api/v1/positions", string(body)))
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Answers) != 1 || got.Answers[0].Answer == nil || len(got.Answers[0].Answer.Path) != len(moves) {
		t.Errorf("status %d, %v: %.300s", w.Code, err, w.Body)
	}
}

// TestSmallFirst: answers for small boards do not wait for answers for large boards. Answers for
// large boards wait for each other, but not for ever.
func TestSmallFirst(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	if !s.room.TryAcquire(mostRoom) || !s.large.TryAcquire(largeStreams) {
		t.Fatal("somebody holds room")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for path, want := range map[string]int{
		"mnk-3x3k3/position": 200, "mnk-3x3k3/analysis": 200, "halma-star121-6p/legal": 200,
		"mnk-70x70k5/legal": 503, "mnk-70x70k5/position": 503, "mnk-70x70k5/analysis": 503,
	} {
		r := request("GET", "/api/v1/games/"+path, "")
		if want == 503 {
			r = r.WithContext(ctx)
		}
		if w := do(s, r); w.Code != want {
			t.Errorf("%s: status %d, want %d: %.200s", path, w.Code, want, w.Body)
		}
	}
	s.room.Release(mostRoom)
	if w := do(s, request("GET", "/api/v1/games/mnk-70x70k5/legal", "")); w.Code != 200 {
		t.Errorf("with room: status %d", w.Code)
	}
}
