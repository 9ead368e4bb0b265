//go:build linux

package cluster

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurm is a controller, a munge daemon and node daemons in a directory of their own.
type slurm struct {
	dir, conf string
	daemons   map[string]*exec.Cmd // munged, slurmctld and nodes by name
}

// nodes names the nodes, all on this machine.
var nodes = []string{"n1", "n2", "n3"}

// firstPort is the controller's port. The nodes' ports follow it.
const firstPort = 26917

// newSlurm starts Slurm and ends it with the test. It skips the test if Slurm is missing or
// may not be started.
func newSlurm(t *testing.T) *slurm {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("PERFECTPLAY_REQUIRE") == "slurm" {
				t.Fatal(err)
			}
			t.Skipf("no Slurm: %v", err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("no Slurm: its daemons want root")
	}
	// The name of t.TempDir() is too long for a socket.
	dir, err := os.MkdirTemp("", "slurm-")
	if err != nil {
		t.Fatal(err)
	}
	s := &slurm{dir: dir, conf: filepath.Join(dir, "slurm.conf"), daemons: map[string]*exec.Cmd{}}
	t.Cleanup(func() {
		s.command("scancel", "--full", "--user=root").Run()
		for name := range s.daemons {
			s.kill(t, name, syscall.SIGKILL)
		}
		os.RemoveAll(dir)
	})
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	var conf strings.Builder
	fmt.Fprintf(&conf, `ClusterName=perfectplay
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=cred_expire=5,socket=%[2]s/munge.sock
SlurmctldPort=%[3]d
StateSaveLocation=%[2]s/state
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/%%n.pid
SlurmdSpoolDir=%[2]s/%%n
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdLogFile=%[2]s/%%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerParameters=sched_interval=1,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdTimeout=5
KillWait=2
MinJobAge=300
PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP
`, host, dir, firstPort)
	for i, n := range nodes {
		fmt.Fprintf(&conf, "NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=1 RealMemory=4000\n", n, host, firstPort+1+i)
		if err := os.MkdirAll(filepath.Join(dir, n), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.conf, []byte(conf.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "state"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "munge.key"), bytes.Repeat([]byte(t.Name()), 64), 0o400); err != nil {
		t.Fatal(err)
	}
	s.start(t, "munged")
	s.wait(t, "munge", 10*time.Second, func() bool { _, err := os.Stat(filepath.Join(dir, "munge.sock")); return err == nil })
	s.start(t, "slurmctld")
	for _, n := range nodes {
		s.start(t, n)
	}
	s.wait(t, "three idle nodes", 60*time.Second, func() bool {
		out, _ := s.command("sinfo", "-h", "-N", "-o", "%t").Output()
		return strings.Count(string(out), "idle") == len(nodes)
	})
	return s
}

// command returns a command that talks to this Slurm.
func (s *slurm) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+s.conf)
	return cmd
}

// start starts a daemon in the foreground, as a child that can be ended by its process id.
func (s *slurm) start(t *testing.T, name string) {
	t.Helper()
	var cmd *exec.Cmd
	switch name {
	case "munged":
		at := func(file string) string { return filepath.Join(s.dir, file) }
		cmd = s.command("munged", "-F", "-f", "--key-file="+at("munge.key"), "--socket="+at("munge.sock"), "--pid-file="+at("munge.pid"),
			"--log-file="+at("munged.log"), "--seed-file="+at("munge.seed"))
	case "slurmctld":
		cmd = s.command("slurmctld", "-D", "-f", s.conf)
	default:
		cmd = s.command("slurmd", "-D", "-f", s.conf, "-N", name)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.daemons[name] = cmd
}

func (s *slurm) kill(t *testing.T, name string, sig syscall.Signal) {
	t.Helper()
	cmd := s.daemons[name]
	if cmd == nil {
		return
	}
	delete(s.daemons, name)
	if err := cmd.Process.Signal(sig); err != nil {
		t.Logf("%s: %v", name, err)
	}
	cmd.Wait()
}

// wait polls the function holds until it returns true. After the time within it fails the test.
func (s *slurm) wait(t *testing.T, what string, within time.Duration, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s after %v\n%s", what, within, s.state())
		}
	}
}

// state returns Slurm's lists of jobs and of failed nodes, for the message of a failed test.
func (s *slurm) state() string {
	queue, _ := s.command("squeue", "-a").CombinedOutput()
	nodes, _ := s.command("sinfo", "-N", "-R").CombinedOutput()
	return string(queue) + string(nodes)
}

// settle waits until no job is queued or running.
func (s *slurm) settle(t *testing.T) {
	t.Helper()
	s.wait(t, "end of all jobs", 20*time.Minute, func() bool {
		out, err := s.command("squeue", "-h", "-o", "%i").Output()
		return err == nil && len(bytes.TrimSpace(out)) == 0
	})
}

// running waits until a task of the job in a directory runs. It returns the task's process of
// solve and Slurm's name of the task.
func (s *slurm) running(t *testing.T, dir string) (pid int, task string) {
	t.Helper()
	s.wait(t, "running task", 60*time.Second, func() bool {
		pid, task = process(dir)
		return pid > 0
	})
	return pid, task
}

// process finds a process of solve below a script of Slurm that works in a directory.
func process(dir string) (pid int, task string) {
	list, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range list {
		if at, err := os.Readlink(link); err != nil || at != dir {
			continue
		}
		of := filepath.Dir(link)
		line, err1 := os.ReadFile(filepath.Join(of, "cmdline"))
		env, err2 := os.ReadFile(filepath.Join(of, "environ"))
		if err1 != nil || err2 != nil || !bytes.Contains(line, []byte("--part\x00auto/")) {
			continue
		}
		var array, id string
		for v := range bytes.SplitSeq(env, []byte{0}) {
			name, value, _ := strings.Cut(string(v), "=")
			switch name {
			case "SLURM_ARRAY_JOB_ID":
				array = value
			case "SLURM_ARRAY_TASK_ID":
				id = value
			}
		}
		if n, err := strconv.Atoi(filepath.Base(of)); err == nil && array != "" {
			return n, array + "_" + id
		}
	}
	return 0, ""
}
