module teeko

go 1.26.0

require perfectplay v0.0.0

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace perfectplay => ../..
