// Package table is the transposition table of the tree searches: a fixed block of memory that
// maps exact position keys to small payloads. It knows no game and no search; the caller defines
// payloads, and how two payloads of one key combine.
//
// # Layout
//
// The block is an array of buckets of one cache line, or two lines if one does not hold two
// entries. A bucket holds as many entries as fit:
//
//	word      0      1        2…       …
//	        ┌───────┬────────┬────────┬─────────────┬────────┬─────
//	bucket  │ count │ A (0)  │ [B (0)]│ key words   │ A (1)  │ …
//	        └───────┴────────┴────────┴─────────────┴────────┴─────
//	count   stores into the bucket; bit 63: lock
//	A       bits 57–62: effort class, the table's
//	        bits 0–56: the caller's, never all zero
//
// If entries fill the bucket to its last word there is no count, and bit 63 of the first A is
// the lock. B exists only in tables with two payload words. Keys are stored and compared in
// full: a hash collision costs time, not truth.
//
// # Replacement
//
// TwoBig of Breuker, Uiterwijk and van den Herik, "Replacement schemes for transposition tables"
// (ICCA Journal 17(4), 1994): all entries of a bucket but the last keep the payloads of most
// effort. The last entry takes all other payloads, and the entry that a payload of more effort
// pushes out. [Config].Recent chooses TwoBig1, which prefers the newer of two entries of equal
// effort.
//
// # Hash
//
// The table hashes keys itself, by Fingerprint64 of github.com/dgryski/go-farm, so that it does
// not depend on a game's hash.
//
// # Concurrency
//
// Probe and Store may be called from any number of goroutines; no other method may run beside
// Grow and Clear.
//
//  1. A Store locks its bucket by the top bit of the first word, in the cache line that it
//     needs anyway, and counts itself there when it is done.
//  2. A Probe writes nothing: it reads the count, the entries and the count again. If the
//     bucket was not locked and both counts are equal, no Store came between. The count has 63
//     bits and does not wrap around.
//  3. Entries of two words, a key and a payload, fill a bucket without a count. If the
//     processor reads and writes 16 bytes in one access (pair_amd64.s), each entry is always
//     complete, and a Probe needs no lock.
//  4. Otherwise a Probe of a bucket without a count locks it.
//
// # Memory
//
// The block is mapped once at its full size, with huge pages where the system has them. Use
// starts with a small prefix and doubles with [Table.Grow], because the first touch of memory
// may take longer than the search of a small game.
package table
