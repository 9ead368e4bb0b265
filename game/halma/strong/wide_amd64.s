//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The comments of wide_amd64.go describe the kernels. DI is the word; R8 and R9 are places of cells
// in its lists.

// func wideBegin(w *wideWord, cells int) (hops int)
TEXT ·wideBegin(SB), NOSPLIT, $0-24
	MOVQ w+0(FP), DI
	MOVQ cells+8(FP), CX
	SHLQ $5, CX
	VPXOR Y0, Y0, Y0
	XORL R8, R8
clear:
	CMPQ R8, CX
	JGE  steps
	VMOVDQU wideWord_to(DI)(R8*1), Y1
	VMOVDQU Y1, wideWord_flood(DI)(R8*1)
	VMOVDQU Y0, wideWord_near(DI)(R8*1)
	VMOVDQU Y0, wideWord_alone(DI)(R8*1)
	ADDQ $32, R8
	JMP  clear
steps:
	LEAQ wideWord_steps(DI), SI
	MOVQ wideWord_stepCount(DI), CX
	TESTQ CX, CX
	JEQ  hops
step:
	MOVL wideStep_a(SI), R8
	MOVL wideStep_b(SI), R9
	VMOVDQU wideWord_to(DI)(R9*1), Y1
	VPAND wideWord_empty(DI)(R8*1), Y1, Y1
	VPOR  wideWord_near(DI)(R8*1), Y1, Y1
	VMOVDQU Y1, wideWord_near(DI)(R8*1)
	ADDQ $wideStep__size, SI
	DECQ CX
	JNE  step
hops:
	LEAQ wideWord_all(DI), SI
	LEAQ wideWord_hops(DI), DX
	MOVQ wideWord_allCount(DI), CX
	XORL AX, AX
	TESTQ CX, CX
	JEQ  done
hop:
	MOVL wideHop_a(SI), R8
	MOVL wideHop_b(SI), R9
	MOVL wideHop_over(SI), R10
	VMOVDQU wideWord_empty(DI)(R8*1), Y1
	VPAND wideWord_empty(DI)(R9*1), Y1, Y1
	VMOVDQU wideWord_empty(DI)(R10*1), Y2
	VPANDN Y1, Y2, Y1
	VPTEST Y1, Y1
	JEQ  next
	MOVL R8, wideHop_a(DX)
	MOVL R9, wideHop_b(DX)
	VMOVDQU Y1, wideHop_lanes(DX)
	ADDQ $wideHop__size, DX
	INCQ AX
	VPAND wideWord_to(DI)(R9*1), Y1, Y2
	VPOR  wideWord_near(DI)(R8*1), Y2, Y2
	VMOVDQU Y2, wideWord_near(DI)(R8*1)
	VPAND wideWord_to(DI)(R8*1), Y1, Y2
	VPOR  wideWord_near(DI)(R9*1), Y2, Y2
	VMOVDQU Y2, wideWord_near(DI)(R9*1)
	VPOR  wideWord_alone(DI)(R8*1), Y1, Y2
	VMOVDQU Y2, wideWord_alone(DI)(R8*1)
	VPOR  wideWord_alone(DI)(R9*1), Y1, Y2
	VMOVDQU Y2, wideWord_alone(DI)(R9*1)
next:
	ADDQ $wideHop__size, SI
	DECQ CX
	JNE  hop
done:
	MOVQ AX, hops+16(FP)
	VZEROUPPER
	RET

// func wideSpread(w *wideWord, hops int)
//
// Forth along the hops and back, until nothing is new forth.
TEXT ·wideSpread(SB), NOSPLIT, $0-16
	MOVQ w+0(FP), DI
	MOVQ hops+8(FP), DX
	TESTQ DX, DX
	JEQ  done
again:
	LEAQ wideWord_hops(DI), SI
	MOVQ DX, CX
	VPXOR Y7, Y7, Y7
forth:
	MOVL wideHop_a(SI), R8
	MOVL wideHop_b(SI), R9
	VMOVDQU wideWord_flood(DI)(R8*1), Y1
	VMOVDQU wideWord_flood(DI)(R9*1), Y2
	VPOR Y1, Y2, Y3
	VPAND wideHop_lanes(SI), Y3, Y3
	VPAND Y1, Y2, Y4
	VPANDN Y3, Y4, Y4
	VPOR Y4, Y7, Y7
	VPOR Y3, Y1, Y1
	VPOR Y3, Y2, Y2
	VMOVDQU Y1, wideWord_flood(DI)(R8*1)
	VMOVDQU Y2, wideWord_flood(DI)(R9*1)
	ADDQ $wideHop__size, SI
	DECQ CX
	JNE  forth
	VPTEST Y7, Y7
	JEQ  done
	MOVQ DX, CX
back:
	SUBQ $wideHop__size, SI
	MOVL wideHop_a(SI), R8
	MOVL wideHop_b(SI), R9
	VMOVDQU wideWord_flood(DI)(R8*1), Y1
	VMOVDQU wideWord_flood(DI)(R9*1), Y2
	VPOR Y1, Y2, Y3
	VPAND wideHop_lanes(SI), Y3, Y3
	VPOR Y3, Y1, Y1
	VPOR Y3, Y2, Y2
	VMOVDQU Y1, wideWord_flood(DI)(R8*1)
	VMOVDQU Y2, wideWord_flood(DI)(R9*1)
	DECQ CX
	JNE  back
	JMP  again
done:
	VZEROUPPER
	RET

// func wideEnd(w *wideWord, cells int) bool
TEXT ·wideEnd(SB), NOSPLIT, $0-17
	MOVQ w+0(FP), DI
	MOVQ cells+8(FP), CX
	SHLQ $5, CX
	VPXOR Y7, Y7, Y7
	XORL R8, R8
cell:
	CMPQ R8, CX
	JGE  done
	VMOVDQU wideWord_to(DI)(R8*1), Y1
	VPANDN wideWord_flood(DI)(R8*1), Y1, Y2
	VPOR wideWord_near(DI)(R8*1), Y2, Y2
	VMOVDQU Y2, wideWord_near(DI)(R8*1)
	VPANDN Y1, Y2, Y2
	VPAND wideWord_alone(DI)(R8*1), Y2, Y2
	VMOVDQU Y2, wideWord_alone(DI)(R8*1)
	VPOR Y2, Y7, Y7
	ADDQ $32, R8
	JMP  cell
done:
	VPTEST Y7, Y7
	SETNE ret+16(FP)
	VZEROUPPER
	RET

// func wideFirst(w *wideWord, cells int)
TEXT ·wideFirst(SB), NOSPLIT, $0-16
	MOVQ w+0(FP), DI
	MOVQ cells+8(FP), CX
	SHLQ $5, CX
	VPXOR Y7, Y7, Y7
	XORL R8, R8
cell:
	CMPQ R8, CX
	JGE  done
	VMOVDQU wideWord_alone(DI)(R8*1), Y1
	VPANDN Y1, Y7, Y2
	VPANDN Y1, Y2, Y1
	VPOR Y2, Y7, Y7
	VMOVDQU Y1, wideWord_alone(DI)(R8*1)
	VMOVDQU Y2, wideWord_flood(DI)(R8*1)
	VMOVDQU Y2, wideWord_first(DI)(R8*1)
	ADDQ $32, R8
	JMP  cell
done:
	VZEROUPPER
	RET

// func wideSettle(w *wideWord, cells int) bool
TEXT ·wideSettle(SB), NOSPLIT, $0-17
	MOVQ w+0(FP), DI
	MOVQ cells+8(FP), CX
	SHLQ $5, CX
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORL R8, R8
meet:
	CMPQ R8, CX
	JGE  met
	VMOVDQU wideWord_flood(DI)(R8*1), Y1
	VPAND wideWord_to(DI)(R8*1), Y1, Y1
	VMOVDQU wideWord_first(DI)(R8*1), Y2
	VPANDN Y1, Y2, Y1
	VPOR Y1, Y6, Y6
	ADDQ $32, R8
	JMP  meet
met:
	XORL R8, R8
cell:
	CMPQ R8, CX
	JGE  done
	VMOVDQU wideWord_flood(DI)(R8*1), Y1
	VPAND wideWord_to(DI)(R8*1), Y1, Y2
	VPAND Y6, Y2, Y2
	VPOR wideWord_near(DI)(R8*1), Y2, Y2
	VMOVDQU Y2, wideWord_near(DI)(R8*1)
	VPANDN wideWord_alone(DI)(R8*1), Y1, Y1
	VMOVDQU Y1, wideWord_alone(DI)(R8*1)
	VPOR Y1, Y7, Y7
	ADDQ $32, R8
	JMP  cell
done:
	VPTEST Y7, Y7
	SETNE ret+16(FP)
	VZEROUPPER
	RET
