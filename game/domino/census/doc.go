// Package census solves all games of block dominoes: 68,640,549,120, a starter's hand and a
// second hand each. [New] begins a part and [Census.Run] solves it; [Load] reads its file,
// [Merge] adds all parts up. [Complete] is the summary of the whole census.
//
// # How
//
// The legal moves depend on which numbers on the tiles are equal, not on their size. So games
// fall into classes under renaming the seven numbers, with the starting double renamed to 0|0:
// 874 families of starter's hands, and for each the second hands up to the renamings that keep
// the starter's. One graph of merged positions serves a class; only the pips at the ends differ.
// A [program] is the graph as sums, maxima and minima, and a kernel computes it for 128 labelings
// (ways to rename) at a time, a byte each.
//
//	starter class ─┐
//	second hand ───┴─ exact.Graph ── program ── run × blocks of 128 labelings
//	                      │                          │
//	                 lines of play            score by labeling
//	                      └───── tally: by double, value, lines, sign, hand ──┘
//
// A labeling counts if the starting double becomes the highest of the doubles dealt: see [lanes].
// A class with symmetries counts every game once.
//
// # Kernels
//
// run has three implementations: AVX-512, AVX2, and portable code with eight labelings in a word,
// which tests compare. Scores are below 128, so that comparisons in words have a bit to borrow.
//
// # Files
//
// A part of the census is a file with its tally. A checkpoint has the same form, and resumes to the
// same bytes. [Merge] refuses parts that do not make a whole.
package census
