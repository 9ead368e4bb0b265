//go:build linux || darwin || freebsd

package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	mnkwing "perfectplay/game/mnk/oracle"
	"perfectplay/play/player"
)

// left lists the programs of a directory that still run.
func left(t *testing.T, dir string) (list []int) {
	entries := must(os.ReadDir(dir))(t)
	for _, e := range entries {
		pid := must(strconv.Atoi(e.Name()))(t)
		if !ended(pid) {
			list = append(list, pid)
		}
	}
	return list
}

// ended reports whether a process is gone, or an abandoned zombie.
func ended(pid int) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, ok := strings.Cut(string(stat), ") ")
	return err == nil && ok && state[0] == 'Z'
}

// TestHostile: a program that floods, stays silent or leaves processes behind costs its time and a
// little more, and leaves nothing running. The same holds for a program whose context ends.
func TestHostile(t *testing.T) {
	g := must(mnkwing.Wing().Open("mnk-9x9k5", ""))(t)
	for _, how := range []string{
		"is silent", "floods", "floods without lines", "floods suggestions", "floods errors", "leaves others behind",
		"ready is silent", "ready floods", "ready floods without lines", "ready floods errors", "ready leaves others behind",
	} {
		for _, protocol := range []string{"lines", "gomocup", "gomocup interrupted"} {
			t.Run(how+" "+protocol, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				command := []string{"env", behaviour + "=hostile " + how, pids + "=" + dir, os.Args[0]}
				ready := time.Millisecond
				if strings.HasPrefix(how, "ready") {
					ready = time.Minute
				}
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				var p player.Player
				var err error
				if protocol == "lines" {
					p, err = Start(ctx, how, command, g, ready)
				} else {
					p, err = StartGomocup(ctx, how, command, g, mnkwing.Wing(), ready)
				}
				if err == nil {
					if strings.HasSuffix(protocol, "interrupted") {
						interrupt()
					}
					_, err = p.Move(ctx, g.Start(), player.Clock{Time: 20 * time.Millisecond})
					if err := p.Close(); err != nil {
						t.Error(err)
					}
				}
				if bad := new(Fault); !errors.As(err, &bad) {
					t.Errorf("%v is no fault of the program", err)
				}
				for running := left(t, dir); len(running) > 0; running = left(t, dir) {
					time.Sleep(time.Millisecond) // wait until they have ended
				}
			})
		}
	}
}
