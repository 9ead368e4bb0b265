// Package parts divides long jobs into parts that do not depend on each other, one
// process each on any machine, and keeps what a part has found in a file of its own.
// It knows no game, no command and no scheduler beyond two variables of the
// environment; see [Parse].
//
// A job is a list of tasks, the same in every process: [Divide] gives each of them to
// one part by what it costs. What a task has found is JSON. A [File] holds what the
// tasks of one part have found so far, and of which job; [Gather] reads those of all
// parts and refuses what does not make a whole.
package parts
