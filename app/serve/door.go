package serve

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// door is a listener that lets a bounded number of connections in, and so many
// silent ones from each address: those that have not sent a whole header, or wait
// between requests. Where there are too many, the one that has been silent for the
// longest time goes; who is being answered stays. So silence shuts nobody out.
type door struct {
	net.Listener
	most, silentEach int

	mu     sync.Mutex
	open   int
	silent list.List // of *guest, the longest silent in front
	each   map[string]int
	freed  sync.Cond // a connection was closed, or the door
	closed bool
}

func newDoor(l net.Listener, most, silentEach int) *door {
	d := &door{Listener: l, most: most, silentEach: silentEach, each: map[string]int{}}
	d.freed.L = &d.mu
	return d
}

// guest is a connection that came in.
type guest struct {
	net.Conn
	door    *door
	address string
	place   *list.Element // among the silent, nil while it is being answered
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
		if oldest := d.silent.Front(); oldest != nil {
			d.dismiss(oldest.Value.(*guest))
		} else {
			d.freed.Wait() // all are being answered
		}
	}
	if d.each[g.address] >= d.silentEach {
		for e := d.silent.Front(); e != nil; e = e.Next() {
			if oldest := e.Value.(*guest); oldest.address == g.address {
				d.dismiss(oldest)
				break
			}
		}
	}
	d.open++
	d.hush(g)
	return g, nil
}

// Close implements net.Listener.
func (d *door) Close() error {
	d.mu.Lock()
	d.closed = true
	d.freed.Broadcast()
	d.mu.Unlock()
	return d.Listener.Close()
}

// state notes what the server does with a connection; it is its hook.
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
		d.rouse(g)
	case s == http.StateIdle:
		d.hush(g)
	}
}

// hush notes that a guest is silent from now on.
func (d *door) hush(g *guest) {
	if g.place == nil {
		g.place = d.silent.PushBack(g)
		d.each[g.address]++
	}
}

// rouse notes that a guest is not silent any more.
func (d *door) rouse(g *guest) {
	if g.place == nil {
		return
	}
	d.silent.Remove(g.place)
	g.place = nil
	if d.each[g.address]--; d.each[g.address] == 0 {
		delete(d.each, g.address)
	}
}

// dismiss closes a guest's connection.
func (d *door) dismiss(g *guest) {
	d.leave(g)
	_ = g.Conn.Close() // nobody is left to be told
}

// leave frees the place of a guest, once.
func (d *door) leave(g *guest) {
	if g.gone {
		return
	}
	g.gone = true
	d.rouse(g)
	d.open--
	d.freed.Signal()
}

// Close implements net.Conn.
func (g *guest) Close() error {
	g.door.mu.Lock()
	g.door.leave(g)
	g.door.mu.Unlock()
	return g.Conn.Close()
}

// addressOf is a client's address without its port.
func addressOf(c net.Conn) string {
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil {
		return c.RemoteAddr().String()
	}
	return host
}
