package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"perfectplay/play/explore"
)

// fuzzed is a server that computes nothing and answers by the rules.
func fuzzed(f *testing.F) *Server {
	e := newService(f)
	return newTestServer(f, stub{
		Explorer: e,
		ask:      func(_ context.Context, q explore.Query) (*explore.Answer, error) { return e.Position(q) },
		analyse: func(_ context.Context, q explore.Query, report func(*explore.Answer) error) error {
			a, err := e.Position(q)
			if err != nil {
				return err
			}
			return report(a)
		},
	}, usual, nil)
}

// sane checks properties of every answer.
func sane(t *testing.T, r *http.Request, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code >= 500 || w.Code < 200 {
		t.Fatalf("%s %q: status %d: %s", r.Method, r.URL, w.Code, w.Body)
	}
	if !utf8.Valid(w.Body.Bytes()) {
		t.Fatalf("%s %q: the answer is not UTF-8", r.Method, r.URL)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Content-Security-Policy") == "" {
		t.Fatalf("%s %q: %v", r.Method, r.URL, w.Header())
	}
	if kind := w.Header().Get("Content-Type"); kind == "application/json" && !json.Valid(w.Body.Bytes()) {
		t.Fatalf("%s %q: %q is no JSON", r.Method, r.URL, w.Body)
	}
	if w.Code < 400 {
		return
	}
	var p Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Text == "" || p.Where == "" || w.Header().Get("Cache-Control") != "no-store" || w.Body.Len() > 4096 {
		t.Fatalf("%s %q: status %d, %v: %s", r.Method, r.URL, w.Code, err, w.Body)
	}
}

// FuzzRequest sends any request that package http can parse.
func FuzzRequest(f *testing.F) {
	s := fuzzed(f)
	for _, text := range []string{
		"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /api/v1/games/mnk-3x3k3/position?moves=a1,b2 HTTP/1.1\r\nHost: [::1]:80\r\nIf-None-Match: \"x\", *\r\n\r\n",
		"POST /api/v1/positions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"queries\":[]}",
		"POST /api/v1/positions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"GET /api?v1\x9e HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /%2e%2e/%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET http://localhost/api/v1/games/mnk-3x3k3/position?position=%00 HTTP/1.0\r\n\r\n",
		"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ://\r\nSec-Fetch-Site: same-site\r\n\r\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(string(text))))
		if err != nil {
			return
		}
		sane(t, r, do(s, r))
	})
}

// FuzzRoutes sends any parameters to every path.
func FuzzRoutes(f *testing.F) {
	s := fuzzed(f)
	routes := []string{
		"/api/v1/games/{}", "/api/v1/games/{}/legal", "/api/v1/games/{}/position", "/api/v1/games/{}/line", "/api/v1/games/{}/analysis",
		"/{}", "/js/{}", "/api/v1/{}",
		"/api/v1/games/{}/move", "/api/v1/games/{}/hidden", "/api/v1/games/domino/hidden/{}",
	}
	for i := range routes {
		f.Add(uint8(i), "mnk-3x3k3", "moves", "a1,b2", "position", "start")
		f.Add(uint8(i), "halma-star13-3p", "rules", "house", "values", "true")
		f.Add(uint8(i), "3x3k3", "p", "3.3.3", "limit", "7")
		f.Add(uint8(i), "star13-2p-house", "p", "2.____.___.____.1-1", "seconds", "0.5")
		f.Add(uint8(i), "domino", "deal", "7", "seat", "starter")
		f.Add(uint8(i), "halma-star37-1p", "level", "level-2", "seconds", "0.01")
		f.Add(uint8(i), "domino", "position", "02.12_04.14_25_0", "locale", "en")
	}
	f.Fuzz(func(t *testing.T, route uint8, game, name1, value1, name2, value2 string) {
		if strings.Count(game, "0")+strings.Count(game, "9") > 2 || len(game) > 60 {
			return // boards of thousands of cells take their time
		}
		path := strings.ReplaceAll(routes[int(route)%len(routes)], "{}", game)
		query := url.QueryEscape(name1) + "=" + url.QueryEscape(value1) + "&" + url.QueryEscape(name2) + "=" + url.QueryEscape(value2)
		r := &http.Request{Method: "GET", Host: "localhost", Header: http.Header{}, URL: &url.URL{Path: path, RawQuery: query}, RequestURI: path + "?" + query}
		sane(t, r, do(s, r))
	})
}

// FuzzBatch sends any body for many positions.
func FuzzBatch(f *testing.F) {
	s := fuzzed(f)
	for _, body := range []string{
		`{"queries":[{"game":"mnk-3x3k3","position":"start","moves":["b2"]}]}`,
		`{"queries":[{"game":"halma-star13-2p","position":"start","rules":"house","limit":3,"seconds":0.5},{}]}`,
		`{"queries":[{"game":"domino","position":"start","moves":[]}],"queries":null}`,
		`{"queries":[{"seconds":1e999}]}`, `{"queries":[{"limit":1.5}]}`, "{\"queries\":[{\"game\":\"\\ud800\"}]}", "[[[[[[[[", "nul",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := request("POST", "/api/v1/positions", body)
		sane(t, r, do(s, r))
	})
}
