package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dgryski/go-farm"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"perfectplay/play/serve/web"
)

// handler answers a request, or writes nothing and returns an error.
type handler func(w *response, r *http.Request) error

// response writes an answer within a bounded time from the first byte on.
type response struct {
	http.ResponseWriter
	write time.Duration
	begun bool
	turn  func() // ends the turn to read, may be nil; see inTurn
}

func (w *response) begin() {
	if !w.begun {
		w.begun = true
		w.deadline(0)
		if w.turn != nil {
			w.turn() // the next request may begin to read: a slow client delays nobody
		}
	}
}

const (
	slowest      = 64 << 10 // bytes a second at which a client must read a long answer
	worthPacking = 1400     // bytes from which answers are compressed: smaller ones fit one packet
	packedTag    = "-gzip"  // ends the tag of a compressed answer
)

// deadline gives a client time to read n bytes from now on. It ignores errors: the writers of
// tests have no deadlines.
func (w *response) deadline(n int) {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.write + time.Duration(n)*time.Second/slowest))
}

func (w *response) WriteHeader(status int) {
	w.begin()
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// policy is the page's policy; no page may frame it.
const policy = web.Policy + "; frame-ancestors 'none'"

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := &response{ResponseWriter: w, write: s.bounds.write}
	defer s.survive(out, r)
	h := out.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.ContentLength != 0 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.bounds.body))
	}
	if p := s.refuse(r); p != nil {
		s.fail(out, r, p)
		return
	}
	s.mux.ServeHTTP(out, r)
}

// survive answers a request that panicked. Other requests continue.
func (s *Server) survive(w *response, r *http.Request) {
	failure := recover()
	if failure == nil {
		return
	}
	if failure == http.ErrAbortHandler {
		panic(failure)
	}
	s.o.Log.Printf("panic at %s %s: %v\n%s", r.Method, shown(r.URL.RequestURI()), failure, debug.Stack())
	if w.begun {
		panic(http.ErrAbortHandler) // the client must not mistake half an answer for a whole one
	}
	s.fail(w, r, fmt.Errorf("panic: %v", failure))
}

// refuse returns why the server refuses a request before reading its body.
func (s *Server) refuse(r *http.Request) *Problem {
	p := r.URL.Path
	switch {
	case !s.mayCall(r):
		return wrong(http.StatusMisdirectedRequest, "host", "host %q: this server goes by localhost, its address and the name it was started with", shown(r.Host)).about(r.Host)
	case !utf8.ValidString(p):
		return wrong(http.StatusBadRequest, "path", "the path is not UTF-8").about(p)
	case !utf8.ValidString(r.URL.RawQuery):
		return wrong(http.StatusBadRequest, "query", "the query is not UTF-8").about(r.URL.RawQuery)
	case !strings.HasPrefix(p, "/") || r.URL.RawPath != "" || strings.ContainsFunc(p, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' }):
		return wrong(http.StatusBadRequest, "path", "the path has escapes or characters that no path here has").about(p)
	case path.Clean(p) != p && path.Clean(p)+"/" != p:
		return wrong(http.StatusBadRequest, "path", "the path has empty parts or dots").about(p)
	case r.ContentLength != 0 && r.Method != http.MethodPost:
		return wrong(http.StatusBadRequest, "body", "a %s request has no body here", r.Method)
	case strings.HasPrefix(p, "/api/") && foreign(r):
		return wrong(http.StatusForbidden, "origin", "another site's page asks: the API is for the page of this server, and for programs").about(r.Header.Get("Origin"))
	}
	return nil
}

// foreign reports whether a browser asks for another site's page. A link that a person follows
// is not foreign.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Header.Get("Sec-Fetch-Mode") != "navigate"
	case "":
		origin := r.Header.Get("Origin")
		if origin == "" {
			return false
		}
		u, err := url.Parse(origin)
		return err != nil || u.Host != r.Host
	}
	return false
}

// serve makes a handler for package http: for these methods only, with the handler's error as
// the answer.
func (s *Server) serve(h handler, methods ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out := w.(*response)
		if !slices.Contains(methods, r.Method) {
			out.Header().Set("Allow", strings.Join(methods, ", "))
			s.fail(out, r, wrong(http.StatusMethodNotAllowed, "method", "%s: want %s", shown(r.Method), strings.Join(methods, " or ")).about(r.Method))
			return
		}
		if err := h(out, r); err != nil {
			s.fail(out, r, err)
		}
	}
}

func (s *Server) fail(w *response, r *http.Request, err error) {
	p := problemOf(err)
	if p == nil {
		p = failed()
	}
	if p.Status == http.StatusInternalServerError {
		s.o.Log.Printf("%s %s: %v", r.Method, shown(r.URL.RequestURI()), err)
	}
	if w.begun {
		return // a stream reports its own errors
	}
	switch {
	case p.Status == http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	case r.ContentLength != 0:
		w.Header().Set("Connection", "close") // the rest of the body is not read
	}
	body, _ := json.Marshal(p) // strings and a number always encode
	send(w, r, p.Status, "application/json", append(body, '\n'), never)
}

// keep is the time for which a client may keep an answer. Clients may keep proved answers for a
// week only: newer versions may say more.
type keep string

const (
	aWeek keep = "public, max-age=604800"
	asked keep = "no-cache" // only after asking the server whether it has changed
	never keep = "no-store"
)

// send writes an answer, or 304 if the client has it.
func send(w *response, r *http.Request, status int, kind string, body []byte, k keep) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", string(k))
	if k != never {
		h.Set("ETag", tagOf(body))
		if tag := matching(r.Header.Get("If-None-Match"), tagOf(body)); tag != "" {
			h.Set("ETag", tag)
			h.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.begin()
	w.deadline(len(body))
	pack()(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		out.WriteHeader(status)
		_, _ = out.Write(body) // a client that does not read is gone
	})).ServeHTTP(w, r)
}

// pack compresses answers for clients that accept it. A compressed answer has a tag of its own.
var pack = sync.OnceValue(func() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(worthPacking), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ExceptContentTypes([]string{"image/png"}), gzhttp.SuffixETag(packedTag))
	if err != nil {
		panic("serve: " + err.Error())
	}
	return wrap
})

func tagOf(body []byte) string {
	lo, hi := farm.Fingerprint128(body)
	return fmt.Sprintf(`"%016x%016x"`, hi, lo)
}

// matching returns the tag that a header If-None-Match names: tag itself, or the tag of the
// compressed answer. It returns "" if the header names neither.
func matching(header, tag string) string {
	for one := range strings.SplitSeq(header, ",") {
		switch one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); {
		case one == "*":
			return tag
		case strings.Replace(one, packedTag+`"`, `"`, 1) == tag:
			return one
		}
	}
	return ""
}

// sendJSON sends a value as JSON. If err, the error of making the value, is not nil, sendJSON
// returns err.
func sendJSON(w *response, r *http.Request, v any, err error, k keep) error {
	if err != nil {
		return err
	}
	body, err := encode(v)
	if err != nil {
		return err
	}
	send(w, r, http.StatusOK, "application/json", body, k)
	return nil
}

// encode returns a value as JSON that is not embedded in a page: < stays <.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// nowhere answers for paths that the API does not have.
func nowhere(_ *response, r *http.Request) error {
	return wrong(http.StatusNotFound, "path", "there is no %s; see /api/v1/openapi.yaml", shown(r.URL.Path)).about(r.URL.Path)
}

type params map[string]string

// readParams reads the known parameters of a path, each at most once.
func readParams(r *http.Request, known ...string) (params, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, wrong(http.StatusBadRequest, "query", "the query cannot be read: %s", shown(err.Error()))
	}
	p := params{}
	for name, list := range values {
		if !slices.Contains(known, name) {
			return nil, wrong(http.StatusBadRequest, "query", "unknown parameter %q: want %s", shown(name), cmp.Or(strings.Join(known, ", "), "none")).about(name)
		}
		if len(list) > 1 {
			return nil, wrong(http.StatusBadRequest, name, "%s is given %d times", name, len(list))
		}
		p[name] = list[0]
	}
	for name, value := range p {
		if err := valid(name, value); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// valid refuses invalid UTF-8 and control characters.
func valid(where, text string) error {
	if i := badByte(text); i >= 0 {
		return wrong(http.StatusBadRequest, where, "%s is not UTF-8: byte %d is 0x%02x", where, i, text[i]).about(text)
	}
	if i := strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }); i >= 0 {
		return wrong(http.StatusBadRequest, where, "%s has a control character, 0x%02x, at byte %d", where, text[i], i).about(text)
	}
	return nil
}

// badByte is the offset of the first byte that is not UTF-8, −1 without any.
func badByte(text string) int {
	for i, c := range text {
		if c == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}
