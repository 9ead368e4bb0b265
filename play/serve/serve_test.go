package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"perfectplay/game/wing"
	"perfectplay/play/explore"

	domino "perfectplay/game/domino/oracle"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
)

// must returns v. An error ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// newService returns a service like the service of the command.
func newService(t testing.TB) *explore.Service {
	t.Helper()
	e, err := explore.New(explore.Options{
		Wings: []wing.Wing{halma.Wing(), mnk.Wing(), domino.Wing()}, Memory: 512 << 20, Threads: 2, Nodes: 1 << 18,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// page is a page for tests.
var page = fstest.MapFS{
	"index.html": {Data: []byte("<!doctype html><title>page</title>")},
	"js/page.js": {Data: []byte("export {}")},
}

// newTestServer returns a server whose log must stay empty, unless a buffer receives it.
func newTestServer(t testing.TB, e explore.Explorer, b bounds, logged *bytes.Buffer) *Server {
	t.Helper()
	w := io.Writer(failing{t})
	if logged != nil {
		w = logged
	}
	s, err := newServer(Options{Explorer: e, Page: page, Version: "test", Host: "Board.example", Log: log.New(w, "", 0)}, b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// failing is a log that must stay empty.
type failing struct{ testing.TB }

func (f failing) Write(p []byte) (int, error) {
	f.Errorf("the server logs: %s", p)
	return len(p), nil
}

// request is the request of a client.
func request(method, target, body string) *http.Request {
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req := httptest.NewRequest(method, target, r)
	req.Host = "localhost"
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}

// do answers a request.
func do(s *Server, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// get answers a request for a path and reads the JSON.
func get[T any](t testing.TB, s *Server, target string) T {
	t.Helper()
	w := do(s, request(http.MethodGet, target, ""))
	var v T
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d: %s", target, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%s: %v: %s", target, err, w.Body)
	}
	return v
}

// stub is an explorer whose answers the test chooses.
type stub struct {
	explore.Explorer
	ask     func(context.Context, explore.Query) (*explore.Answer, error)
	analyse func(context.Context, explore.Query, func(*explore.Answer) error) error
}

func (s stub) Ask(ctx context.Context, q explore.Query) (*explore.Answer, error) {
	if s.ask == nil {
		return s.Explorer.Ask(ctx, q)
	}
	return s.ask(ctx, q)
}

func (s stub) Analyse(ctx context.Context, q explore.Query, report func(*explore.Answer) error) error {
	return s.analyse(ctx, q, report)
}

// TestAnswers: the API sends the library's answers whole, whatever game, rules, position and moves.
func TestAnswers(t *testing.T) {
	e := newService(t)
	s := newTestServer(t, e, usual, nil)
	for _, q := range []explore.Query{
		{Game: "halma-star13-2p", Position: "start", Moves: []string{"a1-b2", "e1-d2"}}, {Game: "halma-star37-2p", Rules: "house", Position: "start"},
		{Game: "halma-5x5p1", Rules: "filled+stay-in-goal", Position: "start"}, {Game: "halma-star13-3p", Rules: "liou", Position: "start", Limit: 1},
		{Game: "mnk-3x3k3", Position: "x2.1o1.3", Moves: []string{"b1"}}, {Game: "mnk-3x3k3", Position: "xxx.oo1.3"}, {Game: "domino", Position: "deal-7"},
	} {
		want := must(e.Ask(t.Context(), q))(t)
		query := url.Values{"position": {q.Position}, "moves": {strings.Join(q.Moves, ",")}, "rules": {q.Rules}, "limit": {strconv.Itoa(q.Limit)}}
		got := get[explore.Answer](t, s, "/api/v1/games/"+q.Game+"/position?"+query.Encode())
		for _, a := range []*explore.Answer{want, &got} { // the winner among more than two is searched for as time allows
			a.Progress, a.Winner = nil, ""
			for i := range a.Moves {
				a.Moves[i].Winner = ""
			}
		}
		a, b := must(json.Marshal(want))(t), must(json.Marshal(got))(t)
		if !bytes.Equal(a, b) || !got.Final || len(got.Force) > 0 != (q.Game == "halma-star13-3p") {
			t.Errorf("%+v:\n%s\nwant\n%s", q, b, a)
		}
	}
}

// TestLine: every move of the line is legal, and the line of a decided game is as long as its
// distance.
func TestLine(t *testing.T) {
	e := newService(t)
	s := newTestServer(t, e, usual, nil)
	for _, path := range []string{"halma-star13-2p/line", "halma-4x4p3/line?rules=sturtevant", "mnk-3x3k3/line?moves=b2,b1", "domino/line"} {
		l := get[mainLine](t, s, "/api/v1/games/"+path)
		at := l.Position
		for _, m := range l.Moves {
			c, err := e.Course(explore.Query{Game: l.Game, Rules: l.Rules, Position: at, Moves: []string{m.Move}})
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if at = c.State.String(); at != m.Position {
				t.Errorf("%s: after %s: %s, want %s", path, m.Move, m.Position, at)
			}
		}
		if l.Distance != nil && (len(l.Moves) != *l.Distance || !l.Over) {
			t.Errorf("%s: %d moves, over: %v, at distance %d", path, len(l.Moves), l.Over, *l.Distance)
		}
	}
}

// TestProblems: every error names its place, and no refusal may be kept.
func TestProblems(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	long := strings.Repeat("b2,", mostMoves+1)
	for _, c := range []struct {
		method, target, body string
		status               int
		where                string
		index                int // −1 without an index
	}{
		{"GET", "/api/v1/nothing", "", 404, "path", -1},
		{"GET", "/api/v2/games", "", 404, "path", -1},
		{"GET", "/nothing.html", "", 404, "path", -1},
		{"GET", "/js", "", 404, "path", -1},
		{"GET", "/js/", "", 404, "path", -1},
		{"GET", "/api/v1//games", "", 400, "path", -1},
		{"GET", "/api/v1/games/../games", "", 400, "path", -1},
		{"GET", "/api/v1/games/%2e%2e/games", "", 400, "path", -1},
		{"GET", "/js/..%2f..%2fetc/passwd", "", 400, "path", -1},
		{"GET", "/js/..%5c..%5cwin.ini", "", 400, "path", -1},
		{"GET", "/%ff", "", 400, "path", -1},
		{"GET", "/a%00b", "", 400, "path", -1},
		{"DELETE", "/api/v1/games", "", 405, "method", -1},
		{"POST", "/api/v1/games", "", 405, "method", -1},
		{"GET", "/api/v1/positions", "", 405, "method", -1},
		{"PUT", "/", "", 405, "method", -1},
		{"OPTIONS", "/api/v1/games", "", 405, "method", -1},
		{"GET", "/api/v1/games", "{}", 400, "body", -1},
		{"GET", "/api/v1/games?x=1", "", 400, "query", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?moves=a1&moves=a2", "", 400, "moves", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?moves=%zz", "", 400, "query", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?moves=a1;b2", "", 400, "query", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?moves=%ff", "", 400, "moves", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?position=%00", "", 400, "position", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?position=", "", 400, "position", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?position=nonsense", "", 400, "position", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?moves=b2,a1,b2", "", 400, "moves", 2},
		{"GET", "/api/v1/games/mnk-3x3k3/position?moves=a1,b1,a2,b2,a3,b3", "", 400, "moves", 5},
		{"GET", "/api/v1/games/mnk-3x3k3/position?rules=house", "", 400, "rules", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?limit=many", "", 400, "limit", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?limit=1000000", "", 400, "limit", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?limit=-1", "", 400, "limit", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?limit=99999999999999999999", "", 400, "limit", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?seconds=NaN", "", 400, "seconds", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?seconds=1e9", "", 400, "seconds", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?seconds=1e-10", "", 400, "seconds", -1},
		{"GET", "/api/v1/games/halma-star13-3p/move?level=alphabeta", "", 400, "level", -1},
		{"GET", "/api/v1/games/domino/hidden?deal=x&seat=starter&player=greedy", "", 400, "deal", -1},
		{"GET", "/api/v1/games/domino/hidden?deal=1&seat=nobody&player=greedy", "", 400, "seat", -1},
		{"GET", "/api/v1/games/domino/hidden?deal=1&seat=starter&player=nobody", "", 400, "player", -1},
		{"GET", "/api/v1/games/domino/hidden?deal=1&seat=starter&player=greedy&moves=9%7C9", "", 400, "moves", 0},
		{"GET", "/api/v1/games/domino/setup?seat=nobody&hands=_", "", 400, "seat", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/outlook?seconds=11", "", 400, "seconds", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/setup?pieces=0,x", "", 400, "pieces", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?seconds=-1", "", 400, "seconds", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/position?moves=" + long, "", 400, "moves", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/analysis?limit=1000000", "", 400, "limit", -1},
		{"GET", "/api/v1/games/mnk-3x3k3/analysis?moves=b2,b2", "", 400, "moves", 1},
		{"GET", "/api/v1/games/chess/position", "", 404, "game", -1},
		{"GET", "/api/v1/games/halma-star38-2p", "", 404, "game", -1},
		{"GET", "/api/v1/games/mnk-999x999k5", "", 404, "game", -1},
		{"GET", "/api/v1/games/halma-star13-2p?rules=nobody", "", 400, "rules", -1},
		{"POST", "/api/v1/positions", "", 415, "body", -1},
		{"POST", "/api/v1/positions", "{", 400, "body", -1},
		{"POST", "/api/v1/positions", "[]", 400, "body", -1},
		{"POST", "/api/v1/positions", "{} {}", 400, "body", -1},
		{"POST", "/api/v1/positions", `{"queries":[{"game":"mnk-3x3k3","game":"mnk-4x3k3"}]}`, 400, "body", -1},
		{"POST", "/api/v1/positions", `{"queries":[{"game":"mnk-3x3k3"}],"Queries":[]}`, 400, "body", -1},
		{"POST", "/api/v1/positions", "\x1f\x8b\x08\x00\x00", 415, "body", -1},
		{"POST", "/api/v1/positions", `{"queries":[]}`, 400, "body", -1},
		{"POST", "/api/v1/positions", `{"queries":[{"gane":"x"}]}`, 400, "body", -1},
		{"POST", "/api/v1/positions", `{"queries":[` + strings.Repeat(`{},`, mostQueries) + `{}]}`, 400, "body", -1},
		{"POST", "/api/v1/positions", `{"queries":[{"moves":[` + strings.Repeat(`"",`, mostMoves) + `""]}]}`, 400, "moves", -1},
		{"POST", "/api/v1/positions", "{\"queries\":[{\"game\":\"\xff\"}]}", 400, "body", -1},
		{"POST", "/api/v1/positions", strings.Repeat(" ", mostBody+1), 413, "body", -1},
	} {
		w := do(s, request(c.method, c.target, c.body))
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Errorf("%s %.80s: %v: %s", c.method, c.target, err, w.Body)
			continue
		}
		index := -1
		if p.Index != nil {
			index = *p.Index
		}
		if w.Code != c.status || p.Where != c.where || index != c.index || p.Text == "" {
			t.Errorf("%s %.80s %.40s: status %d, where %q, index %d: %s; want %d %q %d", c.method, c.target, c.body, w.Code, p.Where, index, p.Text, c.status, c.where, c.index)
		}
		if kept := w.Header().Get("Cache-Control"); kept != "no-store" {
			t.Errorf("%s %.80s: kept as %q", c.method, c.target, kept)
		}
		if len(p.Text) > 1000 || len(p.Given) > 1000 {
			t.Errorf("%s %.80s: an answer of %d bytes", c.method, c.target, w.Body.Len())
		}
	}
}

// TestBatch: answers and problems stand in the order of the queries, each equal to the answer
// alone.
func TestBatch(t *testing.T) {
	e := newService(t)
	s := newTestServer(t, e, usual, nil)
	w := do(s, request("POST", "/api/v1/positions", `{"queries":[
		{"game":"mnk-3x3k3","position":"start","moves":["b2"]},
		{"game":"mnk-3x3k3","position":"start","moves":["b2","b2"]},
		{"game":"nothing","position":"start"},
		{"game":"mnk-3x3k3"},
		{"game":"halma-star13-2p","rules":"house","position":"start"},
		{"game":"mnk-3x3k3","position":"start","seconds":1e9}]}`))
	var got struct{ Answers []answered }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got.Answers) != 6 {
		t.Fatalf("status %d, %v: %s", w.Code, err, w.Body)
	}
	for i, where := range []string{"", "moves", "game", "", "", "seconds"} {
		a := got.Answers[i]
		switch {
		case (a.Answer == nil) == (a.Problem == nil):
			t.Errorf("query %d has an answer and a problem, or neither", i)
		case where == "" && a.Answer == nil, where != "" && (a.Problem == nil || a.Problem.Where != where):
			t.Errorf("query %d: %+v, want a problem of %q", i, a.Problem, where)
		}
	}
	alone := get[explore.Answer](t, s, "/api/v1/games/mnk-3x3k3/position?moves=b2")
	x, _ := json.Marshal(alone)
	y, _ := json.Marshal(got.Answers[0].Answer)
	if !bytes.Equal(x, y) {
		t.Errorf("in a batch\n%s\nalone\n%s", y, x)
	}
}

// TestKept: proved answers have a tag and are not sent twice; others may not be kept.
func TestKept(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	for path, want := range map[string]string{
		"/api/v1/games/mnk-3x3k3/legal":                                string(aWeek),
		"/api/v1/games/halma-star13-2p/position":                       string(aWeek),
		"/api/v1/games/halma-star13-2p/line":                           string(aWeek),
		"/api/v1/games/mnk-3x3k3/position?position=xxx.oo1.3":          string(aWeek),
		"/api/v1/games/halma-star121-6p/position?seconds=0.01&limit=1": string(never),
		"/api/v1/games/halma-star121-6p/line?seconds=0.01&limit=1":     string(never),
		"/api/v1/games":           string(asked),
		"/api/v1/games/mnk-3x3k3": string(asked),
		"/api/v1/openapi.yaml":    string(asked),
		"/":                       string(asked),
		"/js/page.js":             string(asked),
	} {
		w := do(s, request("GET", path, ""))
		if w.Code != 200 {
			t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
			continue
		}
		h := w.Header()
		if want != "" && h.Get("Cache-Control") != want || (h.Get("ETag") == "") != (h.Get("Cache-Control") == string(never)) {
			t.Errorf("%s: Cache-Control %q and ETag %q, want %q", path, h.Get("Cache-Control"), h.Get("ETag"), want)
		}
		if h.Get("ETag") == "" {
			continue
		}
		again := request("GET", path, "")
		again.Header.Set("If-None-Match", `"other", W/`+h.Get("ETag"))
		if w := do(s, again); w.Code != 304 || w.Body.Len() > 0 || w.Header().Get("ETag") != h.Get("ETag") {
			t.Errorf("%s: again: status %d, %d bytes", path, w.Code, w.Body.Len())
		}
		again.Header.Set("If-None-Match", `"other"`)
		if w := do(s, again); w.Code != 200 {
			t.Errorf("%s: with another tag: status %d", path, w.Code)
		}
	}
}

// TestPacked: with gzip the answer is the same under another tag, and the answer on the largest
// board stays small either way.
func TestPacked(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	for path, most := range map[string]int{"/api/v1/games/mnk-70x70k5/legal": 800_000, "/api/v1/games/halma-star37-2p": 10_000, "/api/v1/openapi.yaml": 1 << 20} {
		plain := do(s, request("GET", path, ""))
		asked := request("GET", path, "")
		asked.Header.Set("Accept-Encoding", "br, gzip")
		w := do(s, asked)
		if plain.Body.Len() > most || plain.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: %d bytes, want at most %d", path, plain.Body.Len(), most)
		}
		if w.Header().Get("Content-Encoding") != "gzip" || w.Header().Get("Vary") != "Accept-Encoding" || w.Body.Len() > plain.Body.Len()/2 {
			t.Errorf("%s: %v, %d bytes of %d", path, w.Header(), w.Body.Len(), plain.Body.Len())
			continue
		}
		if w.Header().Get("ETag") == plain.Header().Get("ETag") {
			t.Errorf("%s: one tag for two answers", path)
		}
		r := must(gzip.NewReader(w.Body))(t)
		if body, err := io.ReadAll(r); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
			t.Errorf("%s: other bytes when unpacked: %v", path, err)
		}
		asked.Header.Set("If-None-Match", w.Header().Get("ETag"))
		if again := do(s, asked); again.Code != http.StatusNotModified || again.Header().Get("ETag") != w.Header().Get("ETag") {
			t.Errorf("%s: the packed answer is sent again: %d, tag %s", path, again.Code, again.Header().Get("ETag"))
		}
		asked.Header.Del("If-None-Match")
		asked.Header.Set("Accept-Encoding", "gzip;q=0")
		if w := do(s, asked); w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: packed for a client that refuses it", path)
		}
	}
}

// TestHosts: only names that a stranger's domain cannot resolve to.
func TestHosts(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST.": 200, "a.localhost:1": 200, "127.0.0.1:8080": 200, "127.8.9.1": 200,
		"[::1]:8080": 200, "[::1]": 200, "board.example": 200, "BOARD.example:80": 200,
		"": 421, "evil.example": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example:80": 421, "192.168.0.1": 421,
		"localhost@evil.example": 421, "evil.example:localhost": 421, "xlocalhost": 421, "board.example.evil": 421, "0x7f.1": 421, "[::ffff:8.8.8.8]": 421,
	} {
		r := request("GET", "/api/v1/games", "")
		r.Host = host
		if w := do(s, r); w.Code != want {
			t.Errorf("host %q: status %d, want %d", host, w.Code, want)
		}
	}
}

// TestOrigins: pages of other sites do not reach the API.
func TestOrigins(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	for _, c := range []struct {
		path    string
		headers string
		want    int
	}{
		{"/api/v1/games", "", 200},
		{"/api/v1/games", "Sec-Fetch-Site=same-origin", 200},
		{"/api/v1/games", "Sec-Fetch-Site=none", 200},
		{"/api/v1/games", "Sec-Fetch-Site=cross-site Sec-Fetch-Mode=navigate", 200},
		{"/api/v1/games", "Sec-Fetch-Site=cross-site Sec-Fetch-Mode=no-cors", 403},
		{"/api/v1/games", "Sec-Fetch-Site=same-site Sec-Fetch-Mode=cors", 403},
		{"/api/v1/games", "Origin=http://localhost", 200},
		{"/api/v1/games", "Origin=http://evil.example", 403},
		{"/api/v1/games", "Origin=null", 403},
		{"/", "Sec-Fetch-Site=cross-site Sec-Fetch-Mode=navigate", 200},
	} {
		r := request("GET", c.path, "")
		for _, h := range strings.Fields(c.headers) {
			name, value, _ := strings.Cut(h, "=")
			r.Header.Set(name, value)
		}
		w := do(s, r)
		open := w.Header().Get("Access-Control-Allow-Origin")
		if w.Code != c.want || open != "" {
			t.Errorf("%s with %s: status %d, open to %q; want %d", c.path, c.headers, w.Code, open, c.want)
		}
	}
}

// TestHeaders: every answer has the headers of a closed page.
func TestHeaders(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	for _, path := range []string{"/", "/js/page.js", "/api/v1/games", "/api/v1/games/mnk-3x3k3/position", "/nothing", "/api/v1/games/../x"} {
		h := do(s, request("GET", path, "")).Header()
		if h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';") ||
			strings.Contains(h.Get("Content-Security-Policy"), "unsafe") || !strings.HasSuffix(h.Get("Content-Security-Policy"), "; frame-ancestors 'none'") || h.Get("Content-Type") == "" {
			t.Errorf("%s: %v", path, h)
		}
	}
	w := do(s, request("HEAD", "/api/v1/games", ""))
	if w.Code != 200 || w.Header().Get("Content-Length") == "" {
		t.Errorf("HEAD: status %d, %v", w.Code, w.Header())
	}
}

// TestPanics: a request that panics fails alone, and the log says why.
func TestPanics(t *testing.T) {
	var logged bytes.Buffer
	e := stub{Explorer: newService(t), ask: func(context.Context, explore.Query) (*explore.Answer, error) { panic("no answer") }}
	s := newTestServer(t, e, usual, &logged)
	w := do(s, request("GET", "/api/v1/games/mnk-19x19k5/position", ""))
	var p Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 500 || p.Where != "server" || strings.Contains(p.Text, "no answer") {
		t.Errorf("status %d, %v: %s", w.Code, err, w.Body)
	}
	if !strings.Contains(logged.String(), "no answer") || !strings.Contains(logged.String(), "serve_test.go") {
		t.Errorf("the log says %q", logged.String())
	}
	if w := do(s, request("GET", "/api/v1/games/mnk-3x3k3/legal", "")); w.Code != 200 {
		t.Errorf("after the panic: status %d", w.Code)
	}
	// The room of the request that panicked is free again.
	if !s.room.TryAcquire(mostRoom) {
		t.Error("the panic keeps room for answers")
	}
}

// TestStream: events come in order with their ids, errors after the first event are events, and
// a browser that returns after the end gets status 204.
func TestStream(t *testing.T) {
	e := newService(t)
	first, err := e.Position(explore.Query{Game: "mnk-3x3k3", Position: "start"})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	var logged bytes.Buffer
	for _, c := range []struct {
		reports int
		err     error
		status  int
		want    string
	}{
		{2, nil, 200, "1 answer, 2 answer, end end"},
		{1, broken, 200, "1 answer, 2 problem, end end"},
		{1, &explore.Error{Fault: explore.BadQuery, Err: broken}, 200, "1 answer, 2 problem, end end"},
		{0, broken, 500, ""},
		{0, &explore.Error{Fault: explore.BadQuery, Err: broken}, 400, ""},
	} {
		s := newTestServer(t, stub{Explorer: e, analyse: func(_ context.Context, _ explore.Query, report func(*explore.Answer) error) error {
			for range c.reports {
				if err := report(first); err != nil {
					return err
				}
			}
			return c.err
		}}, usual, &logged)
		w := do(s, request("GET", "/api/v1/games/mnk-3x3k3/analysis", ""))
		var got []string
		for _, ev := range readEvents(t, w.Body) {
			got = append(got, ev.id+" "+ev.name)
		}
		if text := strings.Join(got, ", "); w.Code != c.status || w.Code == 200 && text != c.want {
			t.Errorf("%d reports and %v: status %d, events %s; want %d, %s", c.reports, c.err, w.Code, text, c.status, c.want)
		}
	}
	s := newTestServer(t, e, usual, nil)
	r := request("GET", "/api/v1/games/mnk-3x3k3/analysis", "")
	r.Header.Set("Last-Event-ID", "end")
	if w := do(s, r); w.Code != 204 {
		t.Errorf("after the end: status %d", w.Code)
	}
}

// event is a server-sent event.
type event struct{ id, name, data string }

// readEvents reads a stream to its end; nil if it is not one.
func readEvents(t testing.TB, r io.Reader) (list []event) {
	t.Helper()
	text := must(io.ReadAll(r))(t)
	for block := range strings.SplitSeq(string(text), "\n\n") {
		var ev event
		for line := range strings.SplitSeq(block, "\n") {
			name, value, _ := strings.Cut(line, ": ")
			switch name {
			case "id":
				ev.id = value
			case "event":
				ev.name = value
			case "data":
				ev.data = value
			}
		}
		if ev.name != "" {
			list = append(list, ev)
		}
	}
	return list
}

// TestPage: the page is served file by file, and an incomplete page is refused at the start.
func TestPage(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	for path, kind := range map[string]string{"/": "text/html; charset=utf-8", "/index.html": "text/html; charset=utf-8", "/?game=x": "text/html; charset=utf-8", "/js/page.js": "text/javascript; charset=utf-8"} {
		if w := do(s, request("GET", path, "")); w.Code != 200 || w.Header().Get("Content-Type") != kind {
			t.Errorf("%s: status %d, %s", path, w.Code, w.Header().Get("Content-Type"))
		}
	}
	for _, files := range []fstest.MapFS{{}, {"index.html": {}, "what.strange-kind": {}}} {
		if _, err := New(Options{Page: files}); err == nil {
			t.Errorf("a page of %d files is served", len(files))
		}
	}
}

// TestBatchDefaults: a query of a batch has the same defaults as one alone.
func TestBatchDefaults(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	one := do(s, request("GET", "/api/v1/games/mnk-3x3k3/position", "")).Body.String()
	for _, query := range []string{`{"game":"mnk-3x3k3"}`, `{"game":"mnk-3x3k3","position":""}`, `{"game":"mnk-3x3k3","position":"start"}`} {
		got := do(s, request("POST", "/api/v1/positions", `{"queries":[`+query+`]}`)).Body.String()
		if want := `{"answers":[{"answer":` + strings.TrimSpace(one) + `}]}`; strings.ReplaceAll(got, "\n", "") != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	r := request("POST", "/api/v1/positions", `{"queries":[{"game":"mnk-3x3k3"}]}`)
	r.Header.Set("Content-Encoding", "gzip")
	if w := do(s, r); w.Code != 415 {
		t.Errorf("a body of gzip: %d %s", w.Code, w.Body)
	}
}
