// Package engine plays any game over a line protocol, for programs that have no
// library of ours. [Engine.Converse] holds one conversation; [Start] runs a program
// that speaks the protocol and makes a player of it; [Lines] reads lines of a
// person or a program without blocking the end of a context. docs/engine.md is the
// protocol for users.
//
// # Protocol
//
// A command is one line, and is answered, in order, with one line: "=", or "= "
// and the answer, or "? " and what is wrong, quoted. After an error the game is as
// before. What takes more lines, such as a picture or the values of all moves,
// comes before the line with the equals sign and does not begin with = or ?. Empty
// lines and what follows # are not answered. [Commands] lists all commands.
//
// A line that begins with { is a question in JSON, and is answered with lines of
// JSON, the last of which has "done":true, see [Question]. It does not touch the
// game of the other commands.
//
// What thinks keeps its time. Commands sent while it does wait, and so does what
// follows them; only a stop that comes first takes effect at once. The end of input
// is like quit, and ends what would go on for ever.
package engine
