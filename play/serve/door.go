package serve

import (
	"net"
	"net/http"
	"sync"
	"time"

	"perfectplay/internal/host"
)

// door is a listener with a bounded number of connections. A connection is silent until its request
// has come, and between requests. If all places are taken, a connection that has been silent for the
// time patience makes way: the longest silent connection of the address with the most silent
// connections. Without such a connection the next client waits in the system's
// queue. So no request is cut off.
type door struct {
	net.Listener
	most     int
	patience time.Duration

	mu      sync.Mutex
	open    int
	silent  map[*guest]time.Time // since when
	changed sync.Cond            // a connection was closed or fell silent, or the door was closed
	waiting bool                 // a connection waits for a place
	closed  bool
}

func newDoor(l net.Listener, most int, patience time.Duration) *door {
	d := &door{Listener: l, most: most, patience: patience, silent: map[*guest]time.Time{}}
	d.changed.L = &d.mu
	return d
}

type guest struct {
	net.Conn
	door    *door
	address string
	gone    bool
}

// Accept implements net.Listener.
func (d *door) Accept() (net.Conn, error) {
	c, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g := &guest{Conn: c, door: d, address: addressOf(c)}
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.open >= d.most && !d.closed {
		d.waiting = true
		d.makeWay()
	}
	d.waiting = false
	d.open++
	d.hush(g)
	return g, nil
}

// makeWay closes a connection that has been silent long enough, or waits until there is such a
// connection or a free place.
func (d *door) makeWay() {
	oldest := d.longestSilent()
	if oldest == nil {
		d.changed.Wait() // no connection is silent: all are being answered
		return
	}
	rest := d.patience - time.Since(d.silent[oldest])
	switch {
	case rest > 0:
		alarm := time.AfterFunc(rest, func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.changed.Broadcast()
		})
		defer alarm.Stop()
		d.changed.Wait()
	case host.HasInput(oldest.Conn):
		d.silent[oldest] = time.Now() // the server has not read its request yet
	default:
		d.leave(oldest)
		_ = oldest.Conn.Close() // the client is gone, so an error does not matter
	}
}

// longestSilent returns the longest silent connection of the address with the most silent
// connections; nil if no connection is silent.
func (d *door) longestSilent() (longest *guest) {
	each := map[string]int{}
	for g := range d.silent {
		each[g.address]++
	}
	for g, since := range d.silent {
		if longest == nil || each[g.address] > each[longest.address] ||
			each[g.address] == each[longest.address] && since.Before(d.silent[longest]) {
			longest = g
		}
	}
	return longest
}

// crowded reports whether a connection waits for a place; then answered connections should close.
func (d *door) crowded() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waiting
}

// Close implements net.Listener.
func (d *door) Close() error {
	d.mu.Lock()
	d.closed = true
	d.changed.Broadcast()
	d.mu.Unlock()
	return d.Listener.Close()
}

// state records the state of a connection; it is the server's hook.
func (d *door) state(c net.Conn, s http.ConnState) {
	g, ok := c.(*guest)
	if !ok {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case g.gone:
	case s == http.StateActive:
		delete(d.silent, g)
	case s == http.StateIdle:
		d.hush(g)
	}
}

// hush records that a guest is silent from now on.
func (d *door) hush(g *guest) {
	d.silent[g] = time.Now()
	d.changed.Signal()
}

// leave frees the place of a guest, once.
func (d *door) leave(g *guest) {
	if g.gone {
		return
	}
	g.gone = true
	delete(d.silent, g)
	d.open--
	d.changed.Signal()
}

// Close implements net.Conn.
func (g *guest) Close() error {
	g.door.mu.Lock()
	g.door.leave(g)
	g.door.mu.Unlock()
	return g.Conn.Close()
}

func addressOf(c net.Conn) string {
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil {
		return c.RemoteAddr().String()
	}
	return host
}
