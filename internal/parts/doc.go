// Package parts divides long jobs into independent parts, one process each on any
// machine, and keeps the results of a part in a file. It knows no game, no command and no
// scheduler but a few variables of the environment; see [Parse].
//
// A job is a list of tasks, the same in every process: [Divide] gives each of them to
// one part by its cost. The result of a task is JSON. A [File] holds the results so far of
// one part and its job; [Gather] reads those of all parts and refuses an incomplete set.
package parts
