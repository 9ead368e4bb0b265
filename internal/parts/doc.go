// Package parts divides long jobs into independent parts, one process each on any machine, and
// keeps the results of a part in a file.
//
// A job is a list of tasks, the same in every process: [Divide] gives each of them to one part by
// its cost. The result of a task is JSON. A [File] holds the results so far of one part and its
// job; [Gather] reads the files of all parts and refuses an incomplete set.
package parts
