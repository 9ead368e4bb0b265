// Package serve answers over HTTP what positions are worth: a thin client of
// package explore, and the page that a browser shows. It knows no games but by
// their boards and texts, and computes nothing; time, memory and threads are the
// budget of the service behind it.
//
// [New] makes a [Server], an [http.Handler]; [Server.Serve] runs it on a listener
// until its context ends.
//
//	/                 the page
//	/api/v1/          the API that openapi.yaml describes
//
// # What a request may do
//
// A request is refused with a 4xx status and a [Problem] unless it can be
// understood completely: guard.go looks at the host, the path, the method, the
// origin and the sizes, query.go at the parameters. Browsers reach the API from
// the server's own page only. Nothing is ever written to the disk.
//
// # What a request may cost
//
// Header, body, number of moves and of queries, time, connections, streams and the
// memory of answers under way are bounded; whoever reads or writes too slowly is
// cut off. A panic ends its request alone.
package serve
