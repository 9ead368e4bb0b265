// Package cli is shared by all subcommands of the program: exit codes, flags with the
// same meaning everywhere, output of answers and progress, and profiles. It knows no game
// and no engine.
//
// A subcommand that computes has a [Job] for its flags, returns records from [Run],
// and uses [Count], [Seconds] and [Size] for its figures. [Grid] and [Fields] print
// the records for people.
//
// A subcommand returns an error and never exits by itself:
//
//	nil                 exit 0, done
//	any error           exit 1, failed
//	[Usagef]            exit 2, the command line asks for something impossible
//	[context.Canceled]  exit 130, stopped by a signal after printing its results
//
// An error is printed as one line on stderr. The answer alone goes to stdout.
package cli
