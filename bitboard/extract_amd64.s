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

// func extract128(x, mask Set128) Set128
TEXT ·extract128(SB), NOSPLIT, $0-48
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ mask_Lo+16(FP), DX
	MOVQ mask_Hi+24(FP), BX
	POPCNTQ DX, CX
	MOVQ x_Lo+0(FP), AX
	PEXTQ DX, AX, AX
	MOVQ x_Hi+8(FP), DX
	PEXTQ BX, DX, DX
	SHLXQ CX, DX, BX
	MOVQ CX, R8
	XORQ $63, R8
	MOVQ DX, R9
	SHRQ $1, R9
	SHRXQ R8, R9, R9
	XORL R10, R10
	CMPQ CX, $64
	CMOVQEQ DX, R9 // the lower word is full
	CMOVQEQ R10, BX
	ORQ  BX, AX
	MOVQ AX, ret_Lo+32(FP)
	MOVQ R9, ret_Hi+40(FP)
	RET
portable:
	JMP ·extract128Portable(SB)

// func deposit128(x, mask Set128) Set128
TEXT ·deposit128(SB), NOSPLIT, $0-48
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ mask_Lo+16(FP), DX
	MOVQ mask_Hi+24(FP), BX
	POPCNTQ DX, CX
	MOVQ x_Lo+0(FP), AX
	MOVQ x_Hi+8(FP), R8
	PDEPQ DX, AX, R10
	SHRXQ CX, AX, AX
	LEAQ (R8)(R8*1), R9
	MOVQ CX, DX
	XORQ $63, DX
	SHLXQ DX, R9, R9
	ORQ  R9, AX
	CMPQ CX, $64
	CMOVQEQ R8, AX // the lower word takes all of x's
	PDEPQ BX, AX, AX
	MOVQ R10, ret_Lo+32(FP)
	MOVQ AX, ret_Hi+40(FP)
	RET
portable:
	JMP ·deposit128Portable(SB)

// func extractWords(dst, x, mask []uint64)
//
// DI next word of dst, R9 what is to come there, CX how many bits of it there are.
TEXT ·extractWords(SB), NOSPLIT, $0-72
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ mask_base+48(FP), DX
	MOVQ mask_len+56(FP), R8
	LEAQ (SI)(R8*8), SI
	LEAQ (DX)(R8*8), DX
	NEGQ R8
	XORL CX, CX
	XORL R9, R9
	TESTQ R8, R8
	JEQ  done
loop:
	MOVQ (DX)(R8*8), R11
	MOVQ (SI)(R8*8), AX
	PEXTQ R11, AX, AX
	POPCNTQ R11, R11
	SHLXQ CX, AX, BX
	ORQ  BX, R9
	MOVQ R9, (DI)
	MOVQ CX, BX
	XORQ $63, BX
	SHRQ $1, AX
	SHRXQ BX, AX, AX // what the word has no room for
	ADDQ R11, CX
	CMPQ CX, $64
	CMOVQCC AX, R9
	MOVQ CX, BX
	SHRQ $6, BX
	LEAQ (DI)(BX*8), DI
	ANDQ $63, CX
	INCQ R8
	JNE  loop
done:
	MOVQ R9, (DI)
	RET
portable:
	JMP ·extractWordsPortable(SB)

// func depositWords(dst, x, mask []uint64)
//
// SI next word of x, CX how many of its bits are taken.
TEXT ·depositWords(SB), NOSPLIT, $0-72
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ mask_base+48(FP), DX
	MOVQ mask_len+56(FP), R8
	LEAQ (DI)(R8*8), DI
	LEAQ (DX)(R8*8), DX
	NEGQ R8
	XORL CX, CX
	TESTQ R8, R8
	JEQ  done
loop:
	MOVQ (DX)(R8*8), R11
	SHRXQ CX, (SI), AX
	MOVQ 8(SI), BX
	ADDQ BX, BX
	MOVQ CX, R9
	XORQ $63, R9
	SHLXQ R9, BX, BX
	ORQ  BX, AX
	PDEPQ R11, AX, AX
	ORQ  AX, (DI)(R8*8)
	POPCNTQ R11, R11
	ADDQ R11, CX
	MOVQ CX, BX
	SHRQ $6, BX
	LEAQ (SI)(BX*8), SI
	ANDQ $63, CX
	INCQ R8
	JNE  loop
done:
	RET
portable:
	JMP ·depositWordsPortable(SB)
