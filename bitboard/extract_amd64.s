//go:build !purego

#include "textflag.h"

// Kernels over pext and pdep. The compiler has no intrinsic for them, and a
// call is several times dearer than the instruction: README.md has the
// figures, and the slice forms are for those who have more than one word.
//
// Each kernel tests useBMI2 itself and leaves for its portable twin with a
// jump, which passes the caller's arguments on. That saves the second call
// that a dispatcher in Go would make.
//
// Masks of 128 cells: with k = cells of the mask in the low word, the k-bit
// seam is crossed by a rotation and a mask of k ones, because rotations, unlike
// shifts, are right for k = 64 too.

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

#define LO     AX
#define HI     BX
#define MASKLO DX
#define MASKHI SI
#define K      CX // cells of the mask in the low word
#define ONES   DI // K ones
#define SEAM   R8
#define SRC    R9
#define DST    R10
#define LEN    R11

// COUNT sets K and ONES from MASKLO.
#define COUNT \
	POPCNTQ MASKLO, K \
	MOVQ    $-1, ONES \
	BZHIQ   K, ONES, ONES

// EXTRACT turns LO, HI into the result in LO, HI.
#define EXTRACT \
	PEXTQ MASKLO, LO, LO \
	PEXTQ MASKHI, HI, HI \
	ROLQ  CX, HI         \
	ANDNQ HI, ONES, SEAM \
	ANDQ  ONES, HI       \
	ORQ   SEAM, LO

// DEPOSIT turns LO, HI into the result in LO, HI.
#define DEPOSIT \
	ANDQ  ONES, HI       \
	ANDNQ LO, ONES, SEAM \
	ORQ   SEAM, HI       \
	RORQ  CX, HI         \
	PDEPQ MASKLO, LO, LO \
	PDEPQ MASKHI, HI, HI

// func extract128(lo, hi, maskLo, maskHi uint64) (outLo, outHi uint64)
TEXT ·extract128(SB), NOSPLIT, $0-48
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ maskLo+16(FP), MASKLO
	MOVQ maskHi+24(FP), MASKHI
	MOVQ lo+0(FP), LO
	MOVQ hi+8(FP), HI
	COUNT
	EXTRACT
	MOVQ LO, outLo+32(FP)
	MOVQ HI, outHi+40(FP)
	RET
portable:
	JMP ·extract128Portable(SB)

// func deposit128(lo, hi, maskLo, maskHi uint64) (outLo, outHi uint64)
TEXT ·deposit128(SB), NOSPLIT, $0-48
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ maskLo+16(FP), MASKLO
	MOVQ maskHi+24(FP), MASKHI
	MOVQ lo+0(FP), LO
	MOVQ hi+8(FP), HI
	COUNT
	DEPOSIT
	MOVQ LO, outLo+32(FP)
	MOVQ HI, outHi+40(FP)
	RET
portable:
	JMP ·deposit128Portable(SB)

// func extractSlice64(dst, src []uint64, mask uint64)
TEXT ·extractSlice64(SB), NOSPLIT, $0-56
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ dst_base+0(FP), DST
	MOVQ src_base+24(FP), SRC
	MOVQ src_len+32(FP), LEN
	MOVQ mask+48(FP), MASKLO
	LEAQ (SRC)(LEN*8), SRC
	LEAQ (DST)(LEN*8), DST
	NEGQ LEN
loop:
	MOVQ  (SRC)(LEN*8), LO
	PEXTQ MASKLO, LO, LO
	MOVQ  LO, (DST)(LEN*8)
	INCQ  LEN
	JNE   loop
	RET
portable:
	JMP ·extractSlice64Portable(SB)

// func depositSlice64(dst, src []uint64, mask uint64)
TEXT ·depositSlice64(SB), NOSPLIT, $0-56
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ dst_base+0(FP), DST
	MOVQ src_base+24(FP), SRC
	MOVQ src_len+32(FP), LEN
	MOVQ mask+48(FP), MASKLO
	LEAQ (SRC)(LEN*8), SRC
	LEAQ (DST)(LEN*8), DST
	NEGQ LEN
loop:
	MOVQ  (SRC)(LEN*8), LO
	PDEPQ MASKLO, LO, LO
	MOVQ  LO, (DST)(LEN*8)
	INCQ  LEN
	JNE   loop
	RET
portable:
	JMP ·depositSlice64Portable(SB)

// func extractSlice128(dst, src []Set128, mask Set128)
TEXT ·extractSlice128(SB), NOSPLIT, $0-64
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ dst_base+0(FP), DST
	MOVQ src_base+24(FP), SRC
	MOVQ src_len+32(FP), LEN
	MOVQ mask_Lo+48(FP), MASKLO
	MOVQ mask_Hi+56(FP), MASKHI
	COUNT
loop:
	MOVQ (SRC), LO
	MOVQ 8(SRC), HI
	EXTRACT
	MOVQ LO, (DST)
	MOVQ HI, 8(DST)
	ADDQ $16, SRC
	ADDQ $16, DST
	DECQ LEN
	JNE  loop
	RET
portable:
	JMP ·extractSlice128Portable(SB)

// func depositSlice128(dst, src []Set128, mask Set128)
TEXT ·depositSlice128(SB), NOSPLIT, $0-64
	CMPB ·useBMI2(SB), $0
	JEQ  portable
	MOVQ dst_base+0(FP), DST
	MOVQ src_base+24(FP), SRC
	MOVQ src_len+32(FP), LEN
	MOVQ mask_Lo+48(FP), MASKLO
	MOVQ mask_Hi+56(FP), MASKHI
	COUNT
loop:
	MOVQ (SRC), LO
	MOVQ 8(SRC), HI
	DEPOSIT
	MOVQ LO, (DST)
	MOVQ HI, 8(DST)
	ADDQ $16, SRC
	ADDQ $16, DST
	DECQ LEN
	JNE  loop
	RET
portable:
	JMP ·depositSlice128Portable(SB)
