//go:build !purego

#include "textflag.h"

// The compiler has no intrinsic for pext and pdep. Each kernel tests useBMI2
// itself and leaves for its portable twin with a jump, which passes the caller's
// arguments on: a dispatcher in Go, which contains two calls and so is not
// inlined, made the callers in README.md 14 to 27 % slower.

// func extract64(x, mask uint64) uint64
TEXT ·extract64(SB), NOSPLIT, $0-24
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ x+0(FP), AX
	MOVQ mask+8(FP), DX
	PEXTQ DX, AX, AX
	MOVQ AX, ret+16(FP)
	RET
portable:
	JMP ·extract64Portable(SB)

// func deposit64(x, mask uint64) uint64
TEXT ·deposit64(SB), NOSPLIT, $0-24
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ x+0(FP), AX
	MOVQ mask+8(FP), DX
	PDEPQ DX, AX, AX
	MOVQ AX, ret+16(FP)
	RET
portable:
	JMP ·deposit64Portable(SB)
