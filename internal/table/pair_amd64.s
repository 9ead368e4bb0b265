//go:build !race && !purego

#include "textflag.h"

// Two words at an address that is a multiple of 16 are read or written in one
// access: processors with AVX promise that no other one sees half of it (AMD64
// Architecture Programmer's Manual, volume 2, 7.3.2; Intel 64 Software Developer's
// Manual, volume 3, 9.1.1). So entries of two words need neither a lock nor a count to
// be read. A probe that locks its bucket takes the line from whoever has it, and the
// way from one processor to another costs more than memory.

// func loadPair(p *uint64) (a, k uint64)
TEXT ·loadPair(SB), NOSPLIT, $0-24
	MOVQ    p+0(FP), AX
	VMOVDQA (AX), X0
	VMOVDQU X0, a+8(FP)
	RET

// func storePair(p *uint64, a, k uint64)
TEXT ·storePair(SB), NOSPLIT, $0-24
	MOVQ    p+0(FP), AX
	VMOVQ   a+8(FP), X0 // one by one: a load of both would wait for the two stores of the caller
	VPINSRQ $1, k+16(FP), X0, X0
	VMOVDQA X0, (AX)
	RET
