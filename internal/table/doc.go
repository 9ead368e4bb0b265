// Package table is the transposition table of the tree searches: a fixed block
// of memory that maps exact position keys to small payloads. It knows no game
// and no search; the caller decides what a payload means, and how two payloads of one
// key combine.
//
// # Layout
//
// The block is an array of buckets of one cache line (two lines where a line
// does not hold two entries). A bucket holds as many entries as fit:
//
//	word      0      1        2…       …
//	        ┌───────┬────────┬────────┬─────────────┬────────┬─────
//	bucket  │ count │ A (0)  │ [B (0)]│ key words   │ A (1)  │ …
//	        └───────┴────────┴────────┴─────────────┴────────┴─────
//	count   stores into the bucket; bit 63: lock
//	A       bits 57–62: effort class, the table's
//	        bits 0–56: the caller's, never all zero
//
// Where entries fill the bucket to its last word there is no count, and bit 63 of
// the first A is the lock.
//
// B exists only in tables made with two payload words. The key is stored in
// full and compared in full, so a hash collision costs time and never truth.
//
// # Replacement
//
// TwoBig in the sense of Breuker, Uiterwijk and van den Herik, "Replacement
// schemes for transposition tables" (ICCA Journal 17(4), 1994): all entries of a
// bucket but the last keep the payloads of most effort, the last one takes
// all others. An entry pushed out of the first tier moves to the last slot.
// [Config].Recent asks for TwoBig1 instead, which prefers the newer of two
// entries of equal effort.
//
// # Hash
//
// The table hashes keys itself, by Fingerprint64 of github.com/dgryski/go-farm, see [Table.Hash].
// A mixer of our own, which folded products of 64 bits, stood here before. A whole search takes
// with Fingerprint64, in processor time: 0.98 times as long with keys of one word (star 37 for
// two, limit 24), 0.98 with two (star 73 for two, limit 25), 1.04 with three (star 121 for three,
// limit 38; 0.95 on another day), 1.02 on a 5×5 board, four in a row (limit 13). These are medians
// of 5 to 8 pairs on an Intel Xeon with 2 processors. Nodes move by less than 0.2 %, since other
// entries are replaced.
//
// # Concurrency
//
// Probe and Store may be called from any number of goroutines. A Store locks one
// bucket for a few loads and stores by setting the top bit of its first word,
// which lies in the line the operation needs anyway, and counts itself there when
// it is done. A Probe writes nothing: it reads the count, the entries and the count
// again. If the bucket was not locked and both counts are equal, no Store came between.
// The count has 63 bits, so it does not wrap around.
//
// Entries of two words, a key and a payload, fill a bucket without a count. Where the
// processor reads and writes 16 bytes in one access (pair_amd64.s), a Store writes
// each entry so, and a Probe reads one entry after the other and writes nothing: each
// is always complete. Elsewhere, and if longer entries fill a bucket, a Probe locks it,
// too. No other method may run beside Grow and Clear.
//
// # Memory
//
// The block is mapped once, at its full size, with huge pages where the system
// has them, and never grows beyond its budget. Use starts with a small prefix
// and doubles when the caller calls [Table.Grow], because on many machines the
// first touch of memory is far slower than the search of a small game.
package table
