package torture_test

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// skipCall makes the kernel skip the call that a thread is about to make. On ARM64 the number of a
// call is in a register set of its own.
func skipCall(tid int) error {
	none := int32(-1)
	io := unix.Iovec{Base: (*byte)(unsafe.Pointer(&none)), Len: uint64(unsafe.Sizeof(none))}
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_SETREGSET, uintptr(tid), unix.NT_ARM_SYSTEM_CALL,
		uintptr(unsafe.Pointer(&io)), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// setResult sets the result of the call from which a thread returns.
func setResult(tid, result int) error {
	var regs unix.PtraceRegsArm64
	if err := unix.PtraceGetRegSetArm64(tid, unix.NT_PRSTATUS, &regs); err != nil {
		return err
	}
	regs.Regs[0] = uint64(result)
	return unix.PtraceSetRegSetArm64(tid, unix.NT_PRSTATUS, &regs)
}

// oldCall names nothing: ARM64 never had the older calls.
func oldCall(int, *callInfo) (name, path string) { return "", "" }
