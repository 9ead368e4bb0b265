//go:build js || wasip1

package cli

import "syscall"

// hangup is a signal that is caught in any case: there are no terminals here.
const hangup = syscall.SIGTERM
