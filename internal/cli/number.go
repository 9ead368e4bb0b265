package cli

import (
	"math/big"
	"time"

	"github.com/dustin/go-humanize"
)

// Count returns a count for people, with commas between the thousands.
func Count[T ~int | ~int64 | ~uint64 | ~uint32 | ~int32](n T) string {
	return humanize.BigComma(new(big.Int).SetUint64(uint64(n)))
}

// BigCount is [Count] for numbers of any size.
func BigCount(n *big.Int) string { return humanize.BigComma(n) }

// Rate returns n per second for people, for instance 12.3 M/s.
func Rate(n uint64, d time.Duration) string {
	if d <= 0 {
		return "-"
	}
	return humanize.SIWithDigits(float64(n)/d.Seconds(), 1, "/s")
}

// Seconds returns a duration for people: three digits, in s, ms or µs.
func Seconds(d time.Duration) string {
	for unit := time.Duration(1); ; unit *= 10 {
		if r := d.Round(unit); r < 1000*unit {
			return r.String()
		}
	}
}
