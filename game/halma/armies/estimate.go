package armies

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
)

// Estimate says how much processor time a solve takes, all threads together. It
// runs the inner loop for a part of a second on a sample of the rows of this
// board, with answers that come at random over a number of plies, and scales the
// time up.
func Estimate(ctx context.Context, t *halma.Armies, o Options) (time.Duration, error) {
	b, err := newBoard(t)
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	random := rand.New(rand.NewPCG(1, 1))
	clock := clockTime()
	var some, all []time.Duration // for a row of each kind
	var rows []float64            // that are positions, of each kind
	for kind := range b.kinds {
		k := &b.kinds[kind]
		h := b.kernel.newHand(kind)
		fresh, answers := make([]uint64, k.words), make([]uint64, k.words)
		known, out, free := make([]uint64, k.words), make([]uint64, k.words), make([]uint64, k.words)
		ranks := make([]int, b.n-1)
		ply := make([]uint8, k.size)
		var sum [2]time.Duration
		begin := host.ThreadTime()
		drawn, met := 0, 0
		for ; met < sampledRows && (met < 4 || host.ThreadTime()-begin < sampleTime/time.Duration(b.period)); drawn++ {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			for i := range ranks {
				ranks[i] = random.IntN(b.kinds[(kind+1+i)%b.period].size)
			}
			if !h.lie(ranks[:b.n-2]) || !h.begin(ranks[b.n-2]) {
				continue
			}
			met++
			h.free(free)
			for a := range ply {
				ply[a] = uint8(random.IntN(sampledPlies))
			}
			clear(answers)
			for p := range uint8(sampledPlies * 2 / 3) { // the others are never answered
				clear(fresh)
				each(free, func(a int) {
					if ply[a] == p {
						fresh[a>>6] |= 1 << (a & 63)
					}
				})
				for j, x := range fresh {
					answers[j] |= x
				}
				for question, do := range [2]func(){
					func() { h.some(fresh, out) },
					func() { h.all(fresh, answers, known, out) },
				} {
					copy(known, answers)
					clear(out)
					h.begin(ranks[b.n-2])
					from := host.ThreadTime()
					do()
					sum[question] += max(0, host.ThreadTime()-from-clock)
				}
			}
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
			total += rows[at.kind] * float64(row) * estimateScale
		}
	}
	return time.Duration(total), nil
}

// clockTime is what reading the clock takes, which is more than a row of few armies does.
func clockTime() time.Duration {
	const readings = 1000
	begin := host.ThreadTime()
	for range readings {
		host.ThreadTime()
	}
	return (host.ThreadTime() - begin) / readings
}

const (
	sampledRows  = 4096
	sampledPlies = 24
	sampleTime   = 200 * time.Millisecond
	// estimateScale is by how much a solve takes longer than its sample: packing,
	// transposing, and plies in which a row has little that is new. Fitted to whole
	// solves.
	estimateScale = 0.38
)
