package torture_test

import "golang.org/x/sys/unix"

// skipCall makes the kernel skip the call that a thread is about to make.
func skipCall(tid int) error {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &regs); err != nil {
		return err
	}
	regs.Orig_rax = ^uint64(0)
	return unix.PtraceSetRegs(tid, &regs)
}

// setResult sets the result of the call from which a thread returns.
func setResult(tid, result int) error {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &regs); err != nil {
		return err
	}
	regs.Rax = uint64(result)
	return unix.PtraceSetRegs(tid, &regs)
}

// cwd is AT_FDCWD: the working directory of a process.
const cwd = uint64(0xffffff9c)

// oldCall names the calls that newer architectures no longer have.
func oldCall(tid int, info *callInfo) (name, path string) {
	switch info.nr {
	case unix.SYS_RENAME, unix.SYS_LINK, unix.SYS_SYMLINK:
		return "rename", at(tid, cwd, info.args[1])
	case unix.SYS_UNLINK, unix.SYS_RMDIR, unix.SYS_MKDIR, unix.SYS_CHMOD, unix.SYS_CREAT, unix.SYS_TRUNCATE:
		return "unlink", at(tid, cwd, info.args[0])
	case unix.SYS_OPEN:
		if info.args[1]&(unix.O_CREAT|unix.O_TRUNC) != 0 {
			return "open", at(tid, cwd, info.args[0])
		}
	}
	return "", ""
}
