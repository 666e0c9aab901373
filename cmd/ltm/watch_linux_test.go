package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// started is one program that was started.
type started struct {
	Program string // the file that runs, without symbolic links
	Dir     string
	Args    []string
	Environ []string
}

// watch runs a program and writes down, as lines of JSON, every program that it
// or one of its descendants starts, itself included: watch FILE PROGRAM ARGS... It
// is a process of its own because a tracer waits for all of its children.
func watch() {
	status, err := watchProgram(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "watch:", err)
		status = exitFailure
	}
	os.Exit(status)
}

func watchProgram(file string, argv []string) (status int, err error) {
	runtime.LockOSThread()
	program, err := exec.LookPath(argv[0])
	if err != nil {
		return 0, err
	}
	log, err := os.Create(file)
	if err != nil {
		return 0, err
	}
	defer log.Close()
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	pid, err := syscall.ForkExec(program, argv, &syscall.ProcAttr{
		Dir: dir, Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Ptrace: true},
	})
	if err != nil {
		return 0, err
	}
	return follow(pid, json.NewEncoder(log))
}

// follow traces a process and its descendants to their ends. It returns the exit
// status of the first.
func follow(pid int, log *json.Encoder) (status int, err error) {
	const events = unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE |
		unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_EXITKILL
	known := map[int]bool{}
	for {
		var wait unix.WaitStatus
		tid, err := unix.Wait4(-1, &wait, unix.WALL, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.ECHILD:
			return status, nil
		case err != nil:
			return 0, err
		case !wait.Stopped():
			if tid == pid {
				status = wait.ExitStatus()
			}
			continue
		}
		deliver := 0
		switch signal := wait.StopSignal(); {
		case tid == pid && !known[pid]: // it has just begun
			if err := unix.PtraceSetOptions(pid, events); err != nil {
				return 0, err
			}
			err = note(log, tid)
		case signal == unix.SIGTRAP && wait.TrapCause() == unix.PTRACE_EVENT_EXEC:
			err = note(log, tid)
		case signal == unix.SIGTRAP, signal == unix.SIGSTOP && !known[tid]: // another event, or a new thread
		default:
			deliver = int(signal)
		}
		known[tid] = true
		if err != nil {
			return 0, err
		}
		if err := unix.PtraceCont(tid, deliver); err != nil && err != unix.ESRCH { // killed meanwhile
			return 0, err
		}
	}
}

// note writes down what a process runs.
func note(log *json.Encoder, pid int) error {
	var s started
	var err error
	proc := fmt.Sprintf("/proc/%d", pid)
	if s.Program, err = os.Readlink(filepath.Join(proc, "exe")); err != nil {
		return err
	}
	if s.Dir, err = os.Readlink(filepath.Join(proc, "cwd")); err != nil {
		return err
	}
	for name, list := range map[string]*[]string{"cmdline": &s.Args, "environ": &s.Environ} {
		data, err := os.ReadFile(filepath.Join(proc, name))
		if err != nil {
			return err
		}
		*list = strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
	}
	return log.Encode(s)
}
