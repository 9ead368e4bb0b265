//go:build js || wasip1

package cli

import "syscall"

// hangup is any signal that is caught anyway: here are no terminals.
const hangup = syscall.SIGTERM
