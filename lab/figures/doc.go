// Command figures writes the figures of docs/data into the documents:
//
//	go generate ./lab/figures                             writes the pages anew
//	go run ./lab/figures measure FILE [COLUMN=VALUE...]   runs commands and fills rows
//
// A mark, which Markdown does not show, names rows of a table. In the text it names one row:
//
//	It takes <!-- atlas.csv game=halma-7x7p3 rules=sturtevant: {{secs .processor_seconds}} -->8 s<!-- / -->.
//
// Above the head of a table it names the rows of the body:
//
//	<!-- rows mnk.csv kind=proof: {{.board}} | {{n .nodes}} -->
//
// After the colon stands a template of text/template with the functions of [formats]. A condition
// COLUMN=A|B takes rows with either value. by=A+B before all conditions joins rows that follow
// each other with the same A and B; their other cells become lists with bars.
//
// The column command of a table holds a command line as a user types it. measure runs it in an
// empty directory and puts the first record of its JSON into the columns of the same names. A
// name may be a path:
// moves.0.value, coalitions.*.distance for all elements, wins_in.last for the last place that is
// not 0. Commands may be joined by " && "; columns of the second begin with "2:". The column
// file:NAME has the size of a file that a command wrote. The columns machine, commit, date,
// processor_seconds (user and system) and peak_bytes (resident, Linux only) describe the run.
package main

//go:generate go run . pages ../../README.md ../../docs ../../game ../../solve
