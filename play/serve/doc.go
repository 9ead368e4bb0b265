// Package serve answers questions about positions over HTTP, as a thin client of
// package explore, and serves the page. It knows games only by their boards and texts.
//
// [New] makes a [Server], an [http.Handler]; [Server.Serve] runs it on a listener
// until its context ends.
//
//	/                 the page
//	/api/v1/          the API that openapi.yaml describes
//
// # What a request may do
//
// A request that is not completely understood is refused with a 4xx status and a
// [Problem]: guard.go looks at the host, the path, the method, the
// origin and the sizes, query.go at the parameters. Browsers reach the API from
// the server's own page only. The server writes nothing to the disk.
//
// # What a request may cost
//
// Header, body, number of moves and of queries, time, connections, streams and the
// memory of answers under way are bounded; clients that read or write too slowly
// are cut off. A panic ends its request alone.
package serve
