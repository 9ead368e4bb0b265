// Package engine plays m,n,k-games over a line protocol, for programs that have
// no library of ours. [Engine.Converse] holds one conversation; [Lines] reads
// lines of a person or a program without blocking the end of a context.
//
// # Protocol
//
// A command is one line, and is answered, in order, with one line: "=", or "= "
// and the answer, or "? " and what is wrong, quoted. After an error the game is as
// before. The board picture alone takes more lines; they come before the line with
// the equals sign and do not begin with = or ?. Empty lines and what follows # are
// not answered. [Commands] lists all of them.
//
// go and hint keep their time, see package player. Commands sent while they think
// wait, and so does what follows them; only a stop that comes first takes effect
// at once. The end of input is like quit.
package engine
