//go:build !(js || wasip1)

package cli

import "syscall"

// hangup is the signal of a terminal that closes.
const hangup = syscall.SIGHUP
