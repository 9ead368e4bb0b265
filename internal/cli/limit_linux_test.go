package cli

import (
	"os"
	"os/exec"
	"testing"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// TestAddressSpace runs this test again in processes with limits: a job without --mem takes a
// share of what is left, a larger --mem is refused, and the error says so if there is no room
// for the program itself.
func TestAddressSpace(t *testing.T) {
	const variable = "CLI_TEST_LIMIT"
	limits := map[string]struct {
		resource int
		more     Size // more than the process has mapped
	}{"address space": {unix.RLIMIT_AS, 3 << 30}, "data": {unix.RLIMIT_DATA, 3 << 30}, "too little": {unix.RLIMIT_AS, runtimeMemory / 2}}
	if name := os.Getenv(variable); name != "" {
		limit := limits[name]
		// Under a very high limit, the room left shows how much the process has mapped.
		const far = 1 << 45
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: far, Max: far}); err != nil {
			t.Fatal(err)
		}
		left, ok := addressSpace()
		if !ok || left >= far {
			t.Fatalf("%v of %v are left", left, Size(far))
		}
		cur := uint64(far-left) + uint64(limit.more)
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: cur, Max: far}); err != nil {
			t.Fatal(err)
		}
		if err := enoughMemory(); (err != nil) != (limit.more < runtimeMemory) {
			t.Fatalf("%v more: %v", limit.more, err)
		}
		if limit.more < runtimeMemory {
			return
		}
		if got := Machine(); got > limit.more-runtimeMemory || got < limit.more/2 {
			t.Errorf("%v more may be mapped, but a job %v", limit.more, got)
		}
		try := func(least Size, args ...string) error {
			var r Resources
			cmd := &cobra.Command{RunE: func(cmd *cobra.Command, _ []string) error { return r.Resolve(cmd, least, 0) }}
			r.Flags(cmd)
			cmd.SetArgs(args)
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			return cmd.Execute()
		}
		if err := try(1 << 20); err != nil {
			t.Error(err)
		}
		if err := try(1<<20, "--mem", "4GiB"); Code(err) != ExitUsage {
			t.Errorf("4GiB: %v, want a refusal", err)
		}
		if err := try(4 << 30); Code(err) != ExitUsage {
			t.Errorf("a job that needs 4GiB: %v, want a refusal", err)
		}
		return
	}
	for name := range limits {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestAddressSpace$")
			cmd.Env = append(os.Environ(), variable+"="+name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
