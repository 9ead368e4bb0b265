package cli

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
)

// Count is a number of things: commas between the thousands in text, a plain
// number in JSON and CSV.
type Count uint64

// String returns the count for people.
func (n Count) String() string { return humanize.BigComma(new(big.Int).SetUint64(uint64(n))) }

// BigCount is the text of a [Count] for numbers of any size.
func BigCount(n *big.Int) string { return humanize.BigComma(n) }

// Seconds is a time that something took: three digits and a unit in text, a
// number of seconds in JSON and CSV.
type Seconds time.Duration

// Since returns the time since begin.
func Since(begin time.Time) Seconds { return Seconds(time.Since(begin)) }

// String returns the time for people: three digits, in s, ms or µs.
func (s Seconds) String() string {
	for unit := time.Duration(1); ; unit *= 10 {
		if r := time.Duration(s).Round(unit); r < 1000*unit {
			return r.String()
		}
	}
}

// number returns the time in seconds: the nearest float64, so that it prints with
// no more digits than it has.
func (s Seconds) number() float64 { return float64(s) / float64(time.Second) }

// MarshalJSON returns a number.
func (s Seconds) MarshalJSON() ([]byte, error) { return json.Marshal(s.number()) }

// MarshalText returns a number without an exponent, for CSV.
func (s Seconds) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, s.number(), 'f', -1, 64), nil
}

// UnmarshalText reads a number of seconds.
func (s *Seconds) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	*s = Seconds(math.Round(n * float64(time.Second)))
	return err
}

// Rate returns n per second for people, for instance 12.3 M/s.
func Rate[T ~int64](n uint64, d T) string {
	if d <= 0 {
		return "-"
	}
	return humanize.SIWithDigits(float64(n)/time.Duration(d).Seconds(), 1, "/s")
}
