//go:build !purego

#include "textflag.h"

// The program of a graph (program.go) for 128 labelings: two registers of 64
// bytes, or four of 32. One load and one operation for every move of the
// graph; what limits it are the loads, and mispredicted ends of the inner loop.

#define CODE  SI
#define SLOTS DI
#define PIPS  BX
#define KIND  AX
#define LEFT  CX // sources left
#define DST   DX
#define SRC   R8

// RUN is the body of a kernel; its arguments are what depends on the registers:
// a slot loaded, least, most and sum taken with another one, zero, a slot stored.
#define RUN(LOAD, LEAST, MOST, ZERO, ADD, STORE) \
	MOVQ code+0(FP), CODE   \
	MOVQ slots+8(FP), SLOTS \
	MOVQ pips+16(FP), PIPS  \
next:                           \
	MOVL    (CODE), KIND    \
	MOVWLZX AX, LEFT        \
	SHRL    $16, KIND       \
	CMPL    KIND, $3        \
	JEQ     done            \
	MOVL    4(CODE), DST    \
	ADDQ    $8, CODE        \
	CMPL    KIND, $1        \
	JB      sum             \
	MOVL    (CODE), SRC     \
	LOAD                    \
	JEQ     most            \
least:                          \
	ADDQ    $4, CODE        \
	DECL    LEFT            \
	JZ      store           \
	MOVL    (CODE), SRC     \
	LEAST                   \
	JMP     least           \
most:                           \
	ADDQ    $4, CODE        \
	DECL    LEFT            \
	JZ      store           \
	MOVL    (CODE), SRC     \
	MOST                    \
	JMP     most            \
sum:                            \
	ZERO                    \
	TESTL   LEFT, LEFT      \
	JZ      store           \
more:                           \
	MOVL    (CODE), SRC     \
	ADD                     \
	ADDQ    $4, CODE        \
	DECL    LEFT            \
	JNZ     more            \
store:                          \
	STORE                   \
	JMP     next            \
done:                           \
	VZEROUPPER              \
	RET

#define WITH2(OP, FROM) OP (FROM)(SRC*1), Z0, Z0; OP 64(FROM)(SRC*1), Z1, Z1
#define LOAD2           VMOVDQU64 (SLOTS)(SRC*1), Z0; VMOVDQU64 64(SLOTS)(SRC*1), Z1
#define LEAST2          WITH2(VPMINUB, SLOTS)
#define MOST2           WITH2(VPMAXUB, SLOTS)
#define ZERO2           VPXORQ Z0, Z0, Z0; VPXORQ Z1, Z1, Z1
#define ADD2            WITH2(VPADDB, PIPS)
#define STORE2          VMOVDQU64 Z0, (SLOTS)(DST*1); VMOVDQU64 Z1, 64(SLOTS)(DST*1)

// func runAVX512(code *uint32, slots, pips *uint64)
TEXT ·runAVX512(SB), NOSPLIT, $0-24
	RUN(LOAD2, LEAST2, MOST2, ZERO2, ADD2, STORE2)

#define WITH4(OP, FROM) \
	OP (FROM)(SRC*1), Y0, Y0; OP 32(FROM)(SRC*1), Y1, Y1; OP 64(FROM)(SRC*1), Y2, Y2; OP 96(FROM)(SRC*1), Y3, Y3
#define LOAD4 \
	VMOVDQU (SLOTS)(SRC*1), Y0; VMOVDQU 32(SLOTS)(SRC*1), Y1; VMOVDQU 64(SLOTS)(SRC*1), Y2; VMOVDQU 96(SLOTS)(SRC*1), Y3
#define LEAST4 WITH4(VPMINUB, SLOTS)
#define MOST4  WITH4(VPMAXUB, SLOTS)
#define ZERO4  VPXOR Y0, Y0, Y0; VPXOR Y1, Y1, Y1; VPXOR Y2, Y2, Y2; VPXOR Y3, Y3, Y3
#define ADD4   WITH4(VPADDB, PIPS)
#define STORE4 \
	VMOVDQU Y0, (SLOTS)(DST*1); VMOVDQU Y1, 32(SLOTS)(DST*1); VMOVDQU Y2, 64(SLOTS)(DST*1); VMOVDQU Y3, 96(SLOTS)(DST*1)

// func runAVX2(code *uint32, slots, pips *uint64)
TEXT ·runAVX2(SB), NOSPLIT, $0-24
	RUN(LOAD4, LEAST4, MOST4, ZERO4, ADD4, STORE4)
