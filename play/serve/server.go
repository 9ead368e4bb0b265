package serve

import (
	"context"
	_ "embed"
	"errors"
	"io/fs"
	"log"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"perfectplay/internal/host"
	"perfectplay/play/explore"
)

// Options configure a server.
type Options struct {
	Explorer explore.Explorer // required
	Page     fs.FS            // the files of the page, index.html among them; nil for no page
	Version  string           // version of the program
	// Host is a name or address by which browsers may call the server, besides
	// localhost, loopback addresses and the address that they have connected to.
	Host string
	// Threads is the number of threads for an outlook or a move while no other request of this kind
	// is under way; 0 stands for 1.
	Threads int
	// Log receives internal errors; nil is the standard logger.
	Log *log.Logger
}

// Bounds of a request.
const (
	mostMoves    = 10_000 // moves in a query, or in all queries of a batch together
	mostLimit    = 10_000 // plies
	mostQueries  = 100    // queries of a batch
	mostSeconds  = 60
	mostLook     = 10     // seconds of an outlook, which takes a thread
	leastSeconds = 0.001  // seconds of the shortest question
	mostAnalysis = 86_400 // seconds
	mostBody     = 256 << 10
	mostHeader   = 32 << 10
	mostText     = 16 << 10  // bytes of a position's text
	largeAnswer  = 128 << 10 // bytes of an answer that waits for room
	mostRoom     = 16 << 20  // bytes of all large answers under way
	mostSmall    = 16 << 20  // bytes of all other answers under way
	largeStreams = 2         // streams of large answers at once
	mostBodies   = 16        // request bodies that are read or wait, at once
	mostBatches  = 3         // batches that are answered at once
	mostBatch    = 4 << 20   // bytes of the answers to one batch
)

// bounds are the limits of a server; tests have smaller limits.
type bounds struct {
	connections int
	streams     int
	silent      time.Duration // silence after which a connection makes way for another
	turn        time.Duration // longest wait for room and for a processor
	header      time.Duration // time for a client to send a header
	body        time.Duration // time for a client to send a body
	write       time.Duration // time for a client to read an answer or an event of a stream
	idle        time.Duration // longest pause between requests of a connection
	ending      time.Duration // time for requests under way at the end of the server
}

var usual = bounds{
	connections: 1536, streams: 64, silent: time.Second, turn: 20 * time.Second, header: 5 * time.Second, body: 10 * time.Second,
	write: 20 * time.Second, idle: time.Minute, ending: 3 * time.Second,
}

// Server answers requests. It is safe for concurrent use.
type Server struct {
	o       Options
	bounds  bounds
	mux     *http.ServeMux
	page    map[string]asset
	reading *semaphore.Weighted // requests that read positions
	bodies  *semaphore.Weighted // requests with a body
	batches *semaphore.Weighted // bodies being answered
	room    *semaphore.Weighted // bytes of large answers
	small   *semaphore.Weighted // bytes of other answers
	streams *semaphore.Weighted
	looks   *semaphore.Weighted // outlooks under way
	large   *semaphore.Weighted // streams of large answers
}

// spec is the description of the API.
//
//go:embed openapi.yaml
var spec []byte

// New returns a server. The error is about the page's files.
func New(o Options) (*Server, error) { return newServer(o, usual) }

func newServer(o Options, b bounds) (*Server, error) {
	if o.Log == nil {
		o.Log = log.Default()
	}
	s := &Server{
		o: o, bounds: b, mux: http.NewServeMux(),
		reading: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))),
		bodies:  semaphore.NewWeighted(mostBodies),
		batches: semaphore.NewWeighted(mostBatches),
		room:    semaphore.NewWeighted(mostRoom),
		small:   semaphore.NewWeighted(mostSmall),
		streams: semaphore.NewWeighted(int64(b.streams)),
		looks:   semaphore.NewWeighted(int64(max(runtime.GOMAXPROCS(0), 2))),
		large:   semaphore.NewWeighted(largeStreams),
	}
	var err error
	if s.page, err = assets(o.Page); err != nil {
		return nil, err
	}
	for path, h := range map[string]handler{
		"/api/v1/{$}":                   bare(s.about),
		"/api/v1/openapi.yaml":          s.inRoom(bare(s.description)),
		"/api/v1/games":                 s.inRoom(bare(s.games)),
		"/api/v1/games/{game}":          s.inTurn(s.game, "rules"),
		"/api/v1/games/{game}/legal":    s.placed(s.legal),
		"/api/v1/games/{game}/position": s.placed(s.position, "limit", "seconds"),
		"/api/v1/games/{game}/line":     s.placed(s.line, "limit", "seconds"),
		"/api/v1/games/{game}/move":     s.placed(s.move, "limit", "seconds", "level"),
		"/api/v1/games/{game}/hidden":   s.inTurn(s.hidden, "deal", "seat", "player", "moves"),
		"/api/v1/games/{game}/setup":    s.inTurn(s.setup, "rules", "seat", "pieces", "hands", "ends"),
		"/api/v1/games/{game}/report":   s.placed(s.report, "seconds"),
		"/api/v1/games/{game}/outlook":  s.streamed(mostLook, s.holdOutlook, s.look),
		"/api/v1/games/{game}/analysis": s.streamed(mostAnalysis, s.holdAnalysis, s.analyse),
		"/api/":                         nowhere,
		"/":                             s.inRoom(s.file),
	} {
		s.mux.HandleFunc(path, s.serve(h, http.MethodGet, http.MethodHead))
	}
	s.mux.HandleFunc("/api/v1/positions", s.serve(bare(s.positions), http.MethodPost))
	return s, nil
}

// Serve answers on a listener, which it closes, until the context ends. Then streams end, and
// searches answer with their facts so far. The error is nil after the end of the context.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	d := newDoor(l, min(s.bounds.connections, host.OpenFiles()/2), s.bounds.silent)
	srv := &http.Server{
		ConnState: d.state,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if d.crowded() {
				w.Header().Set("Connection", "close") // the next request of this client takes its turn
			}
			s.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: s.bounds.header,
		IdleTimeout:       s.bounds.idle,
		MaxHeaderBytes:    mostHeader,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          s.o.Log,
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(d) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stop()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.bounds.ending)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil {
		srv.Close() // requests that are still under way have had their time
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// mayCall reports whether a request may name the server by its host: only names that a
// stranger's domain cannot resolve to.
func (s *Server) mayCall(r *http.Request) bool {
	name := r.Host
	if alone, _, err := net.SplitHostPort(name); err == nil {
		name = alone
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || s.o.Host != "" && name == strings.ToLower(s.o.Host) {
		return true
	}
	ip := net.ParseIP(name)
	if ip == nil {
		return false
	}
	here, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ip.IsLoopback() || here != nil && here.IP.Equal(ip)
}
