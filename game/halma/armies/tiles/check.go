package tiles

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Check reads every block, compares checksums and signature, and counts all
// positions again. threads 0 means all processors; progress, if not nil, gets the
// share done, never concurrently.
func (t *Table) Check(ctx context.Context, threads int, progress func(done float64)) error {
	i := &t.info
	counts, sum := newCounts(i), sha256.New()
	err := t.eachTile(ctx, threads, progress, func(j *tileJob) error {
		first, rows := t.shapes[j.kind].tile(j.tile)
		for set := range i.Sets {
			for row := first; row < first+rows; {
				block, _, n := t.shapes[j.kind].block(i, set, row)
				j.at = t.offsets(j.at[:0], j.kind, row, n)
				raw, err := t.unpack(block, int(j.at[n]), j.raw)
				if err != nil {
					return err
				}
				j.raw = raw
				j.digest.Write(raw)
				if err := j.count(set, raw); err != nil {
					return fmt.Errorf("tiles: %s: block %d: %w", t.name, block, err)
				}
				row += n
			}
		}
		return nil
	}, func(j *tileJob) error {
		sum.Write(j.digest.Sum(nil))
		counts.add(j)
		return nil
	})
	if err != nil {
		return err
	}
	for kind, sets := range counts {
		for set, c := range sets {
			if c != i.Counts[kind][set] {
				return fmt.Errorf("tiles: %s: set %b has %d wins, %d losses and %d draws, the description says %d, %d and %d", t.name, i.Sets[set],
					c.Wins, c.Losses, c.Draws, i.Counts[kind][set].Wins, i.Counts[kind][set].Losses, i.Counts[kind][set].Draws)
			}
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != i.Signature {
		return fmt.Errorf("tiles: %s: the signature is %s, the description says %s", t.name, got, i.Signature)
	}
	return nil
}
