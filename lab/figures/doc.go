// Command figures keeps the figures of the documents: each is a cell of a table in
// docs/data, and stands in as many pages as name it.
//
//	go generate ./lab/figures                             writes the pages anew
//	go run ./lab/figures measure FILE [COLUMN=VALUE...]   runs commands and fills rows
//
// A page names rows by marks, which Markdown does not show. In the text, of one row:
//
//	It takes <!-- atlas.csv game=halma-7x7p3 rules=sturtevant: {{secs .processor_seconds}} -->8 s<!-- / -->.
//
// Above the head of a table, whose body is then made of rows:
//
//	<!-- rows mnk.csv kind=proof: {{.board}} | {{n .nodes}} -->
//
// What follows the colon is a template of text/template with the functions of [formats].
// A condition COLUMN=A|B takes rows with either value. by=A+B before all conditions makes one row
// of rows that follow each other with the same A and B; its other cells are lists with bars.
//
// A table's column command is what a user types. measure runs it in an empty directory
// and puts the answer's JSON into the columns of the same names: the first record's
// value, or, after dots, an element's: moves.0.value, coalitions.*.distance for the list
// of all, wins_in.last for the last place that is not 0. Commands may be joined by " && "; columns of the second begin with "2:". The
// file that a command wrote has its size in file:NAME. The columns machine, commit, date,
// processor_seconds (user and system) and peak_bytes (resident, Linux only) say how the
// row was measured; a second command has its own, with "2:" in front.
package main

//go:generate go run . pages ../../README.md ../../docs ../../game ../../solve
