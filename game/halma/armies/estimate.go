package armies

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
)

// Estimate returns the processor time of a solve, all threads together. It works on a sample of the
// rows for a part of a second, with answers that come at random over a number of plies.
func Estimate(ctx context.Context, t *halma.Armies, o Options) (time.Duration, error) {
	b, err := newBoard(t)
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	random := rand.New(rand.NewPCG(1, 1))
	var some, all []time.Duration // a row of each kind
	var rows []float64            // rows of each kind that are positions
	for kind := range b.kinds {
		k := &b.kinds[kind]
		h := b.kernel.newHand(kind)
		// For each ply the new answers, and these with all before. Others are never answered.
		var fresh, answers [newsPlies][]uint64
		for p := range fresh {
			fresh[p], answers[p] = make([]uint64, k.words), make([]uint64, k.words)
		}
		for a := range k.size {
			first := random.IntN(newsPlies * 3 / 2)
			for p := first; p < newsPlies; p++ {
				answers[p][a>>6] |= 1 << (a & 63)
			}
			if first < newsPlies {
				fresh[first][a>>6] |= 1 << (a & 63)
			}
		}
		var sets [5][]uint64
		for i := range sets {
			sets[i] = make([]uint64, k.words)
		}
		free, yes, known, news, out := sets[0], sets[1], sets[2], sets[3], sets[4]
		batch := make([][]int, 0, batchRows)
		var sum [2]time.Duration
		begin := host.ThreadTime()
		drawn, met := 0, 0
		for met < sampledRows && (met == 0 || host.ThreadTime()-begin < sampleTime/time.Duration(b.period)) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			for batch = batch[:0]; len(batch) < batchRows; drawn++ {
				ranks := make([]int, b.n-1)
				for i := range ranks {
					ranks[i] = random.IntN(b.kinds[(kind+1+i)%b.period].size)
				}
				if h.lie(ranks[:b.n-2]) && h.begin(ranks[b.n-2]) {
					batch = append(batch, ranks)
				}
			}
			// The clock is read once a batch: reading it takes longer than a row of few armies.
			for question := range sum {
				from := host.ThreadTime()
				for _, ranks := range batch {
					h.lie(ranks[:b.n-2])
					h.begin(ranks[b.n-2])
					h.free(free)
					for p := range fresh {
						for j, x := range free {
							yes[j], news[j], out[j] = x&answers[p][j], x&fresh[p][j], 0
							known[j] = yes[j]
						}
						if h.begin(ranks[b.n-2]); question == 0 {
							h.some(news, out)
						} else {
							h.all(news, yes, known, out)
						}
					}
				}
				sum[question] += host.ThreadTime() - from
			}
			met += len(batch)
		}
		some, all = append(some, sum[0]/time.Duration(met)), append(all, sum[1]/time.Duration(met))
		share := 1.0
		for i := 1; i < b.n; i++ {
			share *= float64(b.kinds[(kind+i)%b.period].size)
		}
		rows = append(rows, share*float64(met)/float64(drawn))
	}
	total := 0.0
	for _, q := range b.questions(o.Named) {
		for _, at := range b.orbit(q) {
			row := all[at.kind]
			if at.Ours&1 != 0 {
				row = some[at.kind]
			}
			total += rows[at.kind] * (float64(row)*sampleScale + float64(rowTime))
		}
	}
	return time.Duration(total), nil
}

const (
	sampledRows = 4096
	batchRows   = 64
	newsPlies   = 16
	sampleTime  = 200 * time.Millisecond
	// sampleScale is the share of its sample's time that a row takes: many plies bring few new
	// positions. rowTime is its further time for packing and transposing. Both are fitted to whole
	// solves of boards of 13 to 73 cells with three, four and six armies.
	sampleScale = 0.37
	rowTime     = 550 * time.Nanosecond
)
