package engine

import (
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// family is a program with all its children: a job. The system ends the job when our handle, the
// only one, is closed.
type family struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	job windows.Handle // 0 without a job
}

// gather has nothing to prepare before a program starts.
func gather(*exec.Cmd) {}

// hold puts a started program into a job. If the system refuses, only the program is ended; its
// children see their pipes close.
func (f *family) hold() {
	f.mu.Lock()
	defer f.mu.Unlock()
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(f.cmd.Process.Pid))
	if err != nil {
		return
	}
	defer func() { _ = windows.CloseHandle(process) }()
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return
	}
	f.job = job
}

// kill ends the program and all its children.
func (f *family) kill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.cmd.Process.Kill()
	if f.job != 0 {
		_ = windows.CloseHandle(f.job)
		f.job = 0
	}
}
