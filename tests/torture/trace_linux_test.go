//go:build amd64 || arm64

package torture_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// fault is what to do at one of the calls that change files.
type fault struct {
	at     int           // the number of the call, from 1; 0 for none
	kill   bool          // kill the process instead of making the call
	errno  syscall.Errno // fail the call with this error
	lasts  bool          // and all later calls
	inside string        // count only calls on files in this directory, except in its "tmp"
	opens  bool          // also count opened files
}

func (f fault) String() string {
	switch {
	case f.at == 0:
		return "untouched"
	case f.kill:
		return fmt.Sprintf("killed before call %d", f.at)
	case f.lasts:
		return fmt.Sprintf("%s from call %d on", unix.ErrnoName(f.errno), f.at)
	}
	return fmt.Sprintf("%s at call %d", unix.ErrnoName(f.errno), f.at)
}

// traced is the result of a traced process.
type traced struct {
	outcome
	calls  []string       // the calls that changed files, in order
	opens  map[string]int // how often each file and directory was opened
	struck bool           // the fault occurred
}

// tracer follows all threads of one process.
type tracer struct {
	pid    int
	fault  fault
	result traced
	failed map[int]bool // threads whose current call is to fail
	alive  map[int]bool // threads seen
}

// trace runs a command and applies the fault to it.
func trace(t *testing.T, f fault, c command) traced {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	stdin := filepath.Join(t.TempDir(), "stdin")
	require.NoError(t, os.WriteFile(stdin, []byte(c.stdin), 0o600))
	in, err := os.Open(stdin)
	require.NoError(t, err)
	defer in.Close()
	var ends [2][2]*os.File // of the pipes for standard output and error
	var texts [2]chan []byte
	for i := range ends {
		ends[i][0], ends[i][1], err = os.Pipe()
		require.NoError(t, err)
		texts[i] = make(chan []byte, 1)
		go func() {
			text, _ := io.ReadAll(ends[i][0]) // ends when the process does
			texts[i] <- text
		}()
	}
	pid, err := syscall.ForkExec(binary(t), append([]string{"ltm"}, c.args...), &syscall.ProcAttr{
		Dir: c.dir, Env: c.env, Files: []uintptr{in.Fd(), ends[0][1].Fd(), ends[1][1].Fd()},
		Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true}, // its own group, to wait for
	})
	require.NoError(t, err)
	tr := &tracer{pid: pid, fault: f, failed: map[int]bool{}, alive: map[int]bool{pid: true}}
	err = tr.run()
	for i := range ends {
		ends[i][1].Close()
	}
	tr.result.stdout, tr.result.stderr = string(<-texts[0]), string(<-texts[1])
	for i := range ends {
		ends[i][0].Close()
	}
	require.NoError(t, err, "tracing %s", c)
	return tr.result
}

// run follows the process to its end.
func (tr *tracer) run() error {
	var status unix.WaitStatus
	if _, err := wait4(tr.pid, &status); err != nil {
		return err
	}
	if !status.Stopped() {
		return fmt.Errorf("the process did not stop when it began: %x", status)
	}
	const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(tr.pid, options); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	if err := unix.PtraceSyscall(tr.pid, 0); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	for {
		tid, err := wait4(-tr.pid, &status)
		if err != nil {
			return fmt.Errorf("wait: %w", err)
		}
		switch {
		case status.Exited() || status.Signaled():
			if tid == tr.pid { // the leader's end is reported last
				tr.result.status, tr.result.killed = status.ExitStatus(), status.Signaled()
				return nil
			}
		case status.Stopped():
			if err := tr.stop(tid, status.StopSignal()); err != nil && err != unix.ESRCH { // killed in the meantime
				return err
			}
		}
	}
}

// wait4 waits for a process, or for any thread of a group of processes.
func wait4(pid int, status *unix.WaitStatus) (int, error) {
	for {
		tid, err := unix.Wait4(pid, status, unix.WALL, nil)
		if err != unix.EINTR {
			return tid, err
		}
	}
}

// stop handles one stop of a thread and resumes it.
func (tr *tracer) stop(tid int, signal unix.Signal) error {
	deliver := 0
	switch {
	case signal == unix.SIGTRAP|0x80:
		if err := tr.syscall(tid); err != nil {
			return err
		}
	case signal == unix.SIGTRAP: // a clone
	case signal == unix.SIGSTOP && !tr.alive[tid]: // a new thread starts
	default:
		deliver = int(signal)
	}
	tr.alive[tid] = true
	return unix.PtraceSyscall(tid, deliver)
}

// callInfo is the kernel's struct ptrace_syscall_info.
type callInfo struct {
	op     uint8
	_      [3]uint8
	arch   uint32
	ip, sp uint64
	nr     uint64
	args   [6]uint64
	_      [2]uint64
}

// syscall handles the entry to, or the exit from, a system call.
func (tr *tracer) syscall(tid int) error {
	var info callInfo
	if _, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(tid),
		unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0); errno != 0 {
		return errno
	}
	if info.op != unix.PTRACE_SYSCALL_INFO_ENTRY {
		if !tr.failed[tid] {
			return nil
		}
		delete(tr.failed, tid)
		return setResult(tid, -int(tr.fault.errno))
	}
	if tr.fault.opens && info.nr == unix.SYS_OPENAT {
		tr.countOpen(at(tid, info.args[0], info.args[1]))
	}
	name := changing(tid, &info, tr.fault.inside)
	if name == "" {
		return nil
	}
	tr.result.calls = append(tr.result.calls, name)
	n := len(tr.result.calls)
	if n != tr.fault.at && !(tr.fault.lasts && tr.fault.at > 0 && n > tr.fault.at) {
		return nil
	}
	tr.result.struck = true
	if err := skipCall(tid); err != nil {
		return err
	}
	if tr.fault.kill {
		return unix.Kill(tr.pid, unix.SIGKILL)
	}
	tr.failed[tid] = true
	return nil
}

// changing returns the name and file of a call that changes files, or "". It ignores pipes and the
// standard streams.
func changing(tid int, info *callInfo, inside string) string {
	name, path := "", ""
	switch info.nr {
	case unix.SYS_FLOCK:
		if info.args[1]&unix.LOCK_UN == 0 { // unlocking cannot fail
			name, path = "flock", descriptor(tid, int32(info.args[0]))
		}
	case unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_WRITEV, unix.SYS_FTRUNCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC,
		unix.SYS_FCHMOD:
		if info.args[0] > 2 {
			name, path = callName(info.nr), descriptor(tid, int32(info.args[0]))
		}
	case unix.SYS_OPENAT:
		if info.args[2]&(unix.O_CREAT|unix.O_TRUNC) != 0 {
			name, path = "openat", at(tid, info.args[0], info.args[1])
		}
	case unix.SYS_UNLINKAT, unix.SYS_MKDIRAT, unix.SYS_FCHMODAT, unix.SYS_UTIMENSAT:
		name, path = callName(info.nr), at(tid, info.args[0], info.args[1])
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT:
		name, path = callName(info.nr), at(tid, info.args[2], info.args[3])
	case unix.SYS_SYMLINKAT:
		name, path = "symlinkat", at(tid, info.args[1], info.args[2])
	default:
		name, path = oldCall(tid, info)
	}
	if path == inside && name != "" {
		return name + " ."
	}
	if name == "" || !strings.HasPrefix(path, inside+"/") || strings.HasPrefix(path, inside+"/tmp/") {
		return ""
	}
	return name + " " + strings.TrimPrefix(path, inside+"/")
}

func callName(nr uint64) string {
	names := map[uint64]string{
		unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite", unix.SYS_WRITEV: "writev",
		unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fdatasync",
		unix.SYS_FCHMOD: "fchmod", unix.SYS_UNLINKAT: "unlinkat", unix.SYS_MKDIRAT: "mkdirat",
		unix.SYS_FCHMODAT: "fchmodat", unix.SYS_UTIMENSAT: "utimensat", unix.SYS_RENAMEAT: "renameat",
		unix.SYS_RENAMEAT2: "renameat2", unix.SYS_LINKAT: "linkat",
	}
	return names[nr]
}

// descriptor returns the path of an open file of a thread.
func descriptor(tid int, fd int32) string {
	link := fmt.Sprintf("/proc/%d/fd/%d", tid, fd)
	if fd == unix.AT_FDCWD {
		link = fmt.Sprintf("/proc/%d/cwd", tid)
	}
	path, err := os.Readlink(link)
	if err != nil {
		return ""
	}
	return path
}

// at returns the path of a name relative to an open directory.
func at(tid int, fd, name uint64) string {
	text := stringAt(tid, uintptr(name))
	if filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(descriptor(tid, int32(fd)), text)
}

// stringAt reads a string of the process.
func stringAt(tid int, addr uintptr) string {
	var text []byte
	for len(text) < 4096 {
		chunk := make([]byte, 64)
		n, err := unix.PtracePeekData(tid, addr+uintptr(len(text)), chunk)
		if i := bytes.IndexByte(chunk[:n], 0); i >= 0 {
			return string(append(text, chunk[:i]...))
		}
		if err != nil || n == 0 {
			break
		}
		text = append(text, chunk[:n]...)
	}
	return string(text)
}
