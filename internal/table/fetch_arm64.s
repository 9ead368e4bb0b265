//go:build !purego

#include "textflag.h"

// See fetch_amd64.s.

// func fetch(p *uint64)
TEXT ·fetch(SB), NOSPLIT, $0-8
	MOVD p+0(FP), R0
	PRFM (R0), PLDL1KEEP
	RET
