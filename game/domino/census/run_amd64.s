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

// func runAVX512(code *uint32, slots, pips *uint64)
TEXT ·runAVX512(SB), NOSPLIT, $0-24
	MOVQ code+0(FP), CODE
	MOVQ slots+8(FP), SLOTS
	MOVQ pips+16(FP), PIPS
next:
	MOVL    (CODE), KIND
	MOVWLZX AX, LEFT
	SHRL    $16, KIND
	CMPL    KIND, $3
	JEQ     done
	MOVL    4(CODE), DST
	ADDQ    $8, CODE
	CMPL    KIND, $1
	JB      sum
	MOVL    (CODE), SRC
	VMOVDQU64 (SLOTS)(SRC*1), Z0
	VMOVDQU64 64(SLOTS)(SRC*1), Z1
	JEQ     most
least:
	ADDQ    $4, CODE
	DECL    LEFT
	JZ      store
	MOVL    (CODE), SRC
	VPMINUB (SLOTS)(SRC*1), Z0, Z0
	VPMINUB 64(SLOTS)(SRC*1), Z1, Z1
	JMP     least
most:
	ADDQ    $4, CODE
	DECL    LEFT
	JZ      store
	MOVL    (CODE), SRC
	VPMAXUB (SLOTS)(SRC*1), Z0, Z0
	VPMAXUB 64(SLOTS)(SRC*1), Z1, Z1
	JMP     most
sum:
	VPXORQ  Z0, Z0, Z0
	VPXORQ  Z1, Z1, Z1
	TESTL   LEFT, LEFT
	JZ      store
more:
	MOVL    (CODE), SRC
	VPADDB  (PIPS)(SRC*1), Z0, Z0
	VPADDB  64(PIPS)(SRC*1), Z1, Z1
	ADDQ    $4, CODE
	DECL    LEFT
	JNZ     more
store:
	VMOVDQU64 Z0, (SLOTS)(DST*1)
	VMOVDQU64 Z1, 64(SLOTS)(DST*1)
	JMP     next
done:
	VZEROUPPER
	RET

// func runAVX2(code *uint32, slots, pips *uint64)
TEXT ·runAVX2(SB), NOSPLIT, $0-24
	MOVQ code+0(FP), CODE
	MOVQ slots+8(FP), SLOTS
	MOVQ pips+16(FP), PIPS
next:
	MOVL    (CODE), KIND
	MOVWLZX AX, LEFT
	SHRL    $16, KIND
	CMPL    KIND, $3
	JEQ     done
	MOVL    4(CODE), DST
	ADDQ    $8, CODE
	CMPL    KIND, $1
	JB      sum
	MOVL    (CODE), SRC
	VMOVDQU (SLOTS)(SRC*1), Y0
	VMOVDQU 32(SLOTS)(SRC*1), Y1
	VMOVDQU 64(SLOTS)(SRC*1), Y2
	VMOVDQU 96(SLOTS)(SRC*1), Y3
	JEQ     most
least:
	ADDQ    $4, CODE
	DECL    LEFT
	JZ      store
	MOVL    (CODE), SRC
	VPMINUB (SLOTS)(SRC*1), Y0, Y0
	VPMINUB 32(SLOTS)(SRC*1), Y1, Y1
	VPMINUB 64(SLOTS)(SRC*1), Y2, Y2
	VPMINUB 96(SLOTS)(SRC*1), Y3, Y3
	JMP     least
most:
	ADDQ    $4, CODE
	DECL    LEFT
	JZ      store
	MOVL    (CODE), SRC
	VPMAXUB (SLOTS)(SRC*1), Y0, Y0
	VPMAXUB 32(SLOTS)(SRC*1), Y1, Y1
	VPMAXUB 64(SLOTS)(SRC*1), Y2, Y2
	VPMAXUB 96(SLOTS)(SRC*1), Y3, Y3
	JMP     most
sum:
	VPXOR   Y0, Y0, Y0
	VPXOR   Y1, Y1, Y1
	VPXOR   Y2, Y2, Y2
	VPXOR   Y3, Y3, Y3
	TESTL   LEFT, LEFT
	JZ      store
more:
	MOVL    (CODE), SRC
	VPADDB  (PIPS)(SRC*1), Y0, Y0
	VPADDB  32(PIPS)(SRC*1), Y1, Y1
	VPADDB  64(PIPS)(SRC*1), Y2, Y2
	VPADDB  96(PIPS)(SRC*1), Y3, Y3
	ADDQ    $4, CODE
	DECL    LEFT
	JNZ     more
store:
	VMOVDQU Y0, (SLOTS)(DST*1)
	VMOVDQU Y1, 32(SLOTS)(DST*1)
	VMOVDQU Y2, 64(SLOTS)(DST*1)
	VMOVDQU Y3, 96(SLOTS)(DST*1)
	JMP     next
done:
	VZEROUPPER
	RET
