//go:build js || wasip1

package cli

import "syscall"

// hangup is a signal that the program catches anyway, since this system has no terminals.
const hangup = syscall.SIGTERM
