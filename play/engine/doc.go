// Package engine plays any game over a line protocol, for programs that do not
// use this library. [Engine.Converse] holds one conversation; [Start] runs a program
// that speaks the protocol and makes a player of it. docs/engine.md describes the protocol for
// users.
//
// # Protocol
//
// A command is one line, and is answered, in order, with one line: "=", or "= "
// and the answer, or "? " and an error, quoted. After an error the game is as
// before. Longer output, such as a picture or the values of all moves, comes before
// the line with the equals sign and does not begin with = or ?. Empty lines and
// comments after # are not answered. [Commands] lists all commands.
//
// A line that begins with { is a question in JSON, and is answered with lines of
// JSON, the last of which has "done":true, see [Question]. It does not touch the
// game of the other commands.
//
// Commands sent while the engine thinks wait; only a stop that comes first takes effect at
// once. The end of input is like quit, and ends unbounded thinking.
package engine
