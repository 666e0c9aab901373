package scan

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// folderState is what the last scan saw of a directory. It is immutable.
type folderState struct {
	stamp Stamp // of the directory itself
	seen  int64
	files []*fileState // by name
	temps []string     // temporary files, by name
	young bool         // there are files that are not stable

	changed changeTime
}

func findFile(files []*fileState, name string) (int, bool) {
	return slices.BinarySearchFunc(files, name, func(f *fileState, name string) int {
		return strings.Compare(f.name, name)
	})
}

// scanner looks at the files of one directory.
type scanner struct {
	root  *os.Root
	now   int64
	reads *atomic.Uint64  // counts readings
	long  *atomic.Int64   // bytes of long headers that may still be decoded
	ctx   context.Context // when it ends, no more files are read
}

// Decoding a header takes far longer than reading it, and a small clone can have thousands of long ones: git packs
// equal lines to almost nothing. Those of a directory are decoded as long as they have no more than maxLong bytes
// together, not counting freeHeader bytes of each, which most do not exceed. Shorter ones can still have links, which
// cost all commands time and memory.
const (
	freeHeader = 512
	maxLong    = 4 << 20

	// MaxLinks is how many links of the memories in a directory count.
	MaxLinks = 100_000

	// Crowded is the problem of a file whose header is not decoded.
	Crowded = "its header is long, and those of all files together are longer than 4 MiB"
)

// settle decides in the order of names which long headers and which links count, as files are read in any order: in
// one look, no more than maxLong bytes of long headers are decoded before, and as many here. The list stays as it is:
// others may have it.
func (c scanner) settle(dir *os.File, files []*fileState) []*fileState {
	c.long.Store(math.MaxInt64) // each that fits is decoded
	var long int64
	var links int
	settled := make([]*fileState, 0, len(files))
	for _, f := range files {
		if f.problem == Crowded && long+f.long <= maxLong || f.leavesLinks() && links+f.links <= MaxLinks {
			if f = c.file(dir, f.name, nil); f == nil {
				continue
			}
		}
		if f.problem != Crowded && long+f.long > maxLong {
			crowded := &fileState{name: f.name, stamp: f.stamp, seen: f.seen, problem: Crowded, read: f.read,
				long: f.long}
			crowded.changed.is(f.changed.first.Load())
			f = crowded
		}
		if f.problem != Crowded {
			long += f.long
		}
		if links+f.links <= MaxLinks {
			links += f.links
		} else if !f.leavesLinks() {
			f = f.withoutLinks()
		}
		settled = append(settled, f)
	}
	return settled
}

// scan lists a directory of memory files and reads those that changed since prev. With quick, and if the stamp of the
// directory has not changed, stable files are not looked at, so that edits in place are missed. It returns prev itself
// if nothing changed. If the context ends first, it returns that error, and a state to go on from.
func (c scanner) scan(prev *folderState, quick bool) (*folderState, error) {
	dir, err := c.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	stamp, changed, _, err := stat(dir, c.root, ".")
	if err != nil {
		return nil, err
	}
	next := &folderState{stamp: stamp, seen: c.now}
	next.changed.is(changed)
	same := prev != nil && prev.stamp == stamp && stamp.stable(prev.seen) && prev.changed.is(changed)
	if same && quick && !prev.young {
		return prev, nil
	}
	var names []string
	if same { // no name came or went
		names, next.temps = namesOf(prev.files), prev.temps
	} else if names, next.temps, err = listFolder(dir); err != nil {
		return nil, err
	}
	var known []*fileState
	if prev != nil {
		known = prev.files
	}
	c.long.Store(maxLong)
	next.files = c.look(dir, names, known, same && quick)
	if err := c.ctx.Err(); err != nil {
		next.stamp, next.young = Stamp{}, true // equal to none: the next scan lists the files
		return next, err
	}
	next.files = c.settle(dir, next.files)
	if same && slices.Equal(next.files, known) {
		return prev, nil
	}
	next.young = hasYoung(next.files)
	return next, nil
}

// hidden begins the names of files that are not looked at: temporary files, and those of other programs.
const hidden = "."

// IsTemp reports whether a name is that of a temporary file of a memory or an archive.
func IsTemp(name string) bool {
	target, ok := atomicfile.TempOf(name)
	if !ok {
		return false
	}
	_, _, ok = memory.ParseArchiveName(target) // which accepts the name of a memory, too
	return ok
}

// listFolder returns the names of the files to look at, and those of temporary files, both sorted.
func listFolder(dir *os.File) (names, temps []string, err error) {
	err = eachName(dir, func(name string) bool {
		switch {
		case !strings.HasPrefix(name, hidden):
			names = append(names, name)
		case IsTemp(name) && len(temps) < MaxFiles:
			temps = append(temps, name)
		}
		return len(names) < MaxFiles
	})
	slices.Sort(names)
	slices.Sort(temps)
	return names, temps, err
}

func namesOf(files []*fileState) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.name
	}
	return names
}

func hasYoung(files []*fileState) bool {
	return slices.ContainsFunc(files, func(f *fileState) bool { return !f.stable() })
}

// eachName calls fn for the names in a directory, in the order of the system, until fn
// returns false. It never has all names in memory.
func eachName(dir *os.File, fn func(name string) bool) error {
	for {
		names, err := dir.Readdirnames(1024)
		for _, name := range names {
			if !fn(name) {
				return nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// parallelScan is the number of files from which on all cores look at them.
const parallelScan = 200

// look returns the states of the files with these names, which are sorted. Files that
// are known and stable are not read again; with believe they are not looked at either.
func (c scanner) look(dir *os.File, names []string, known []*fileState, believe bool) []*fileState {
	if len(names) <= parallelScan {
		return c.lookAt(dir, names, known, believe)
	}
	parts := 2 * runtime.GOMAXPROCS(0)
	found := make([][]*fileState, parts)
	var wait sync.WaitGroup
	for i := range parts {
		part := names[i*len(names)/parts : (i+1)*len(names)/parts]
		wait.Go(func() { found[i] = c.lookAt(dir, part, known, believe) })
	}
	wait.Wait()
	return slices.Concat(found...)
}

func (c scanner) lookAt(dir *os.File, names []string, known []*fileState, believe bool) []*fileState {
	found := make([]*fileState, 0, len(names))
	at := 0
	if len(names) > 0 {
		at, _ = findFile(known, names[0])
	}
	for _, name := range names {
		for at < len(known) && known[at].name < name {
			at++
		}
		var old *fileState
		if at < len(known) && known[at].name == name {
			old = known[at]
		}
		if believe && old != nil && old.stable() {
			found = append(found, old)
		} else if c.ctx.Err() != nil {
			if old != nil {
				found = append(found, old)
			}
		} else if state := c.file(dir, name, old); state != nil {
			found = append(found, state)
		}
	}
	return found
}

// file returns the state of one file: the old one if that is stable and the stamp has
// not changed, and nil if the file is gone.
func (c scanner) file(dir *os.File, name string, old *fileState) *fileState {
	stamp, changed, isRegular, err := stat(dir, c.root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && old != nil && old.stamp == stamp && old.stable() && old.changed.is(changed) {
		return old
	}
	state := &fileState{name: name, stamp: stamp, seen: c.now, read: c.reads.Add(1)}
	state.changed.is(changed)
	switch {
	case err != nil:
		state.problem, state.seen = Problem(err), 0 // not gone, and to be looked at again
		return state.or(old)
	case !isRegular:
		state.problem = regular.ErrKind.Error()
		return state
	}
	file, err := read(c.root, name, func(header int) bool {
		state.long = int64(max(0, header-freeHeader))
		return state.long == 0 || c.long.Add(-state.long) >= 0
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		state.problem = Problem(err)
		if memory.CodeOf(err) == "" && !errors.Is(err, regular.ErrSize) {
			state.seen = 0 // no stamp tells when the disk gives it, or it is allowed: look again
		}
	default:
		m := file.Memory
		m.Summary, m.Content = "", ""
		state.head, state.links = &m, linksOf(&m)
	}
	return state.or(old)
}
