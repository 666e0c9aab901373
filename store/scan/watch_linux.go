package scan

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// watch tells what changed in a directory since it was last asked. The kernel queues an
// event before the call that makes the change returns, so an empty queue proves that
// nothing changed, without a look at the files and whatever their clock.
type watch struct {
	queue *os.File
	fd    int
	info  os.FileInfo // of the watched directory, the first one if there are several
	ended bool        // a directory is gone, and the kernel reports no more events
}

// watchedEvents are all events that can change what a scan sees.
const watchedEvents = unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CLOSE_WRITE | unix.IN_CREATE | unix.IN_DELETE |
	unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF

// localFileSystems lists the file systems on which this kernel makes every change. On
// others (network, directories that a virtual machine shares) events can be missing.
func localFileSystems() []int64 {
	return []int64{
		unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.F2FS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
	}
}

// newWatch watches open directories. It returns nil where events can be missing.
func newWatch(folders ...*os.Root) *watch {
	var dirs []*os.File
	defer func() {
		for _, dir := range dirs {
			_ = dir.Close()
		}
	}()
	for _, folder := range folders {
		dir, err := folder.Open(".")
		if err != nil {
			return nil
		}
		dirs = append(dirs, dir)
		var fs unix.Statfs_t
		if unix.Fstatfs(int(dir.Fd()), &fs) != nil || !slices.Contains(localFileSystems(), int64(fs.Type)) {
			return nil
		}
	}
	info, err := dirs[0].Stat()
	if err != nil {
		return nil
	}
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil
	}
	w := &watch{queue: os.NewFile(uintptr(fd), "inotify"), fd: fd, info: info}
	for _, dir := range dirs {
		// By its descriptor, so that it is this directory and not another of its name.
		if _, err := unix.InotifyAddWatch(fd, fmt.Sprintf("/proc/self/fd/%d", dir.Fd()), watchedEvents); err != nil {
			w.close()
			return nil
		}
	}
	return w
}

// changes returns the sorted names of the files in the directory with events since the
// last call. It reports false if the kernel dropped some.
func (w *watch) changes() (names []string, complete bool) {
	complete = w.events(func(name string, _ uint32) {
		if name != "" { // it is the directory's own attributes otherwise
			names = append(names, name)
		}
	})
	slices.Sort(names)
	return slices.Compact(names), complete
}

// changed reports whether files have changed since the last call. known is false if more than files
// may have: the directories themselves, directories in them, or something that the kernel dropped.
func (w *watch) changed() (changed, known bool) {
	known = w.events(func(name string, mask uint32) {
		changed = true
		w.ended = w.ended || name == "" || mask&unix.IN_ISDIR != 0
	})
	return changed, known && !w.ended
}

// quiet reports whether nothing at all has happened since the last call, and whether the watch goes on.
func (w *watch) quiet() (quiet, alive bool) {
	quiet = true
	alive = w.events(func(string, uint32) { quiet = false })
	return quiet, alive && !w.ended
}

// events calls fn for each event since the last call. It reports false if the kernel dropped some.
func (w *watch) events(fn func(name string, mask uint32)) (complete bool) {
	var buf [16 << 10]byte
	complete = true
	for {
		n, err := unix.Read(w.fd, buf[:])
		if err == unix.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			return complete && (err == nil || err == unix.EAGAIN)
		}
		for events := buf[:n]; len(events) >= unix.SizeofInotifyEvent; {
			var name string
			var mask uint32
			name, mask, events = nextEvent(events)
			w.ended = w.ended || mask&lastEvents != 0
			complete = complete && mask&(lastEvents|unix.IN_Q_OVERFLOW) == 0
			fn(name, mask)
		}
	}
}

// lastEvents are the events after which the kernel reports no more.
const lastEvents = unix.IN_IGNORED | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_UNMOUNT

// nextEvent returns the first event: the name in the directory, or "" for the directory
// itself, and what happened.
func nextEvent(events []byte) (name string, mask uint32, rest []byte) {
	const maskAt, lengthAt = 4, 12 // in struct inotify_event, of the system's byte order
	mask = binary.NativeEndian.Uint32(events[maskAt:])
	end := min(unix.SizeofInotifyEvent+int(binary.NativeEndian.Uint32(events[lengthAt:])), len(events))
	name, _, _ = strings.Cut(string(events[unix.SizeofInotifyEvent:end]), "\x00")
	return name, mask, events[end:]
}

// watches reports whether this directory is the one that is watched. Another one can
// have taken its place, even with the same inode number.
func (w *watch) watches(folder os.FileInfo) bool {
	return w != nil && !w.ended && os.SameFile(w.info, folder)
}

func (w *watch) close() {
	if w != nil {
		_ = w.queue.Close()
	}
}
