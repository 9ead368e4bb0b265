//go:build amd64 && !purego

package bitboard

import (
	"fmt"

	"github.com/klauspost/cpuid/v2"

	"perfectplay/internal/impl"
)

// useBMI2 says whether the kernels in extract_amd64.s use pext and pdep.
var useBMI2 bool

var _ = impl.Register("bitboard", "bmi2", &useBMI2, whyNoBMI2(&cpuid.CPU))

// whyNoBMI2 returns the reason not to use pext and pdep on cpu, or "". On AMD and Hygon
// processors before Zen 3 (family 25) they are microcode, slower than the portable code.
func whyNoBMI2(cpu *cpuid.CPUInfo) string {
	if !cpu.Supports(cpuid.BMI2) {
		return "the processor lacks BMI2"
	}
	if (cpu.VendorID == cpuid.AMD || cpu.VendorID == cpuid.Hygon) && cpu.Family < 0x19 {
		return fmt.Sprintf("pext and pdep are microcoded on AMD family %d", cpu.Family)
	}
	return ""
}

// Each function below uses pext or pdep if useBMI2 is set and otherwise jumps to its portable twin.

//go:noescape
func extract64(x, mask uint64) uint64

//go:noescape
func deposit64(x, mask uint64) uint64

//go:noescape
func extract128(x, mask Set128) Set128

//go:noescape
func deposit128(x, mask Set128) Set128

//go:noescape
func extractWords(dst, x, mask []uint64)

//go:noescape
func depositWords(dst, x, mask []uint64)
