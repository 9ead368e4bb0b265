package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

// Count is a number of things: commas between the thousands in text, a plain
// number in JSON and CSV.
type Count uint64

func (n Count) String() string { return humanize.BigComma(new(big.Int).SetUint64(uint64(n))) }

// Magnitude is a large number for people: two digits and a power of ten, as in
// 2.7·10¹⁵. Numbers of at most six digits are a [Count].
func Magnitude(n *big.Int) string {
	digits := new(big.Int).Abs(n).String()
	if len(digits) <= 6 {
		return humanize.BigComma(n)
	}
	text := new(big.Float).SetInt(n).Text('e', 1) // 2.7e+15, rounded
	mantissa, exponent, _ := strings.Cut(text, "e+")
	return mantissa + "·10" + raised.Replace(strings.TrimLeft(exponent, "0"))
}

var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// Seconds is a duration: three digits and a unit in text, a number of seconds in JSON and CSV.
type Seconds time.Duration

// Since returns the time since begin.
func Since(begin time.Time) Seconds { return Seconds(time.Since(begin)) }

func (s Seconds) String() string {
	for unit := time.Duration(1); ; unit *= 10 {
		if r := time.Duration(s).Round(unit); r < 1000*unit {
			return r.String()
		}
	}
}

// number returns the nearest float64, which prints without spurious digits.
func (s Seconds) number() float64              { return float64(s) / float64(time.Second) }
func (s Seconds) MarshalJSON() ([]byte, error) { return json.Marshal(s.number()) }

// MarshalText returns a number without an exponent, for CSV.
func (s Seconds) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, s.number(), 'f', -1, 64), nil
}

func (s *Seconds) UnmarshalJSON(text []byte) error { return s.UnmarshalText(text) }

func (s *Seconds) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	*s = Seconds(math.Round(n * float64(time.Second)))
	return err
}

// Short is a count in three digits and a unit, for instance 12.3 M.
func Short(n uint64) string {
	return strings.TrimSpace(humanize.SIWithDigits(float64(n), 1, ""))
}

// Rate returns n per duration d as a rate per second for people, for instance 12.3 M/s.
func Rate[T ~int64](n uint64, d T) string {
	if d <= 0 {
		return "-"
	}
	return humanize.SIWithDigits(float64(n)/time.Duration(d).Seconds(), 1, "/s")
}

// Number adds a flag that takes a count as people write it: 1000000, 1_000_000, 1,000,000 or
// 1e6.
func Number[T ~int | ~int64 | ~uint64](cmd *cobra.Command, p *T, name string, value T, usage string) {
	*p = value
	cmd.Flags().Var(&count[T]{p}, name, usage)
}

type count[T ~int | ~int64 | ~uint64] struct{ p *T }

// numeral matches a count as people write it; two digits of exponent suffice for 64 bits.
var numeral = regexp.MustCompile(`^[0-9]+([,_][0-9]{3})*(\.[0-9]+)?([eE]\+?[0-9]{1,2})?$`)

func (n *count[T]) Set(text string) error {
	const want = "want a count, for instance 1000000 or 1e6"
	if !numeral.MatchString(text) || len(text) > 100 {
		return errors.New(want)
	}
	exact, ok := new(big.Rat).SetString(strings.NewReplacer(",", "", "_", "").Replace(text))
	if !ok || !exact.IsInt() {
		return errors.New(want)
	}
	whole := exact.Num().Uint64() // meaningless for larger numbers
	if t := T(whole); !exact.Num().IsUint64() || t < 0 || uint64(t) != whole {
		return errors.New("this number is too large")
	}
	*n.p = T(whole)
	return nil
}

func (n *count[T]) String() string {
	if n.p == nil {
		return "0"
	}
	return fmt.Sprint(*n.p)
}

func (n *count[T]) Type() string { return "count" }
