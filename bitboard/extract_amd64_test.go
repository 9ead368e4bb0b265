//go:build amd64 && !purego

package bitboard

import (
	"testing"

	"github.com/klauspost/cpuid/v2"
)

func TestWhyNoBMI2(t *testing.T) {
	for _, c := range []struct {
		name   string
		vendor cpuid.Vendor
		family int
		lacks  bool
		use    bool
	}{
		{name: "Haswell", vendor: cpuid.Intel, family: 6, use: true},
		{name: "AMD Excavator", vendor: cpuid.AMD, family: 0x15},
		{name: "AMD Zen 1 and 2", vendor: cpuid.AMD, family: 0x17},
		{name: "Hygon Dhyana", vendor: cpuid.Hygon, family: 0x18},
		{name: "AMD Zen 3 and 4", vendor: cpuid.AMD, family: 0x19, use: true},
		{name: "AMD Zen 5", vendor: cpuid.AMD, family: 0x1a, use: true},
		{name: "Ivy Bridge", vendor: cpuid.Intel, family: 6, lacks: true},
	} {
		cpu := cpuid.CPUInfo{VendorID: c.vendor, Family: c.family}
		if !c.lacks {
			cpu.Enable(cpuid.BMI2)
		}
		if why := whyNoBMI2(&cpu); (why == "") != c.use {
			t.Errorf("%s: %q", c.name, why)
		}
	}
}
