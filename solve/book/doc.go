// Package book keeps what searches have proved in a file: intervals for the number of plies within
// which a side forces a win, for positions whose proof took many nodes. Searches start from it, go
// deeper and add to it. It knows games only by their contract, and searches only by [solve.Fact].
//
// # The file
//
// A book is a file of bbolt (go.etcd.io/bbolt, format 2): a B+tree with copy on write, whose
// transactions are atomic, even if the process is killed. It has a bucket, here called a shelf, for
// each game under each rule set. The shelf's name is the id, the rules and the digits of
// [game.Fingerprint], with a zero byte between them. If the meaning of rules changes, or the keys,
// the fingerprint differs, and the old facts are not read.
//
// The key of a fact is one byte, 0 where there are no more than two seats and else
// the number of the hero's seat from 1, and the key words of the position (see
// [game.Keyer]: exact, up to symmetry), 8 bytes each, the first byte the highest.
// Its value is
//
//	byte 1 or 2                                   the form of the value
//	five unsigned varints                         WinOver, WinBy, LossOver, LossBy, Nodes
//	an unsigned varint                            the best move in the key's frame, plus 1; 0 for none
//	in form 2 twice: an unsigned varint, bytes    notes, and their length, see [Notes]
//	text                                          the position, as the game writes it
//	4 bytes, the first the lowest                 CRC-32C of shelf, key and all before
//
// where 32767 plies mean never. With the text a program that has other keys can check the fact.
// Notes are for the prover of one game; other searches neither read nor write them.
//
// # Processes
//
// The file is open, and locked, only for the milliseconds of a read or a write, so any number of
// processes may read and extend one book at once. New facts are written within about a second. Two
// facts about one position are combined: intervals only shrink. Facts that contradict each other
// are an error, and nothing is written.
package book
