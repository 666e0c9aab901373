package scan

import (
	"cmp"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"unsafe"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/cachefile"
	"ltm/internal/fs/regular"
)

// The cache file tells a new process what the last scan saw. Its first block has every
// file; each later one has the changes that one scan found. A missing or damaged cache
// only costs time.
const (
	// maxCacheBytes is the size limit of a cache file.
	maxCacheBytes = 16 << 20

	// minCacheTail is how many bytes may be appended before the file is rewritten, if
	// its first block is not larger.
	minCacheTail = 16 << 10
)

// format returns the kind and version of the cache.
func format() cachefile.Format { return cachefile.Format{Magic: "ltm-scan", Version: 11} }

// scanCache is what a process knows about a cache file.
type scanCache struct {
	state       *folderState // what it holds; nil: nothing
	sum         uint32       // of the last block
	first, tail int          // bytes of the first block and of those after it
}

// loadCache reads a cache file up to the first damaged block. The next save rewrites a
// damaged file.
func loadCache(dir *os.Root, name string) scanCache {
	if dir == nil {
		return scanCache{}
	}
	data, err := regular.Read(dir, name, maxCacheBytes)
	if err != nil {
		return scanCache{}
	}
	rest, ok := format().Cut(data)
	if !ok {
		return scanCache{}
	}
	c := scanCache{}
	later := map[string]*fileState{} // what blocks after the first say
	for len(rest) > 0 {
		fields, after, sum, err := cachefile.Next(rest, c.sum)
		var state *folderState
		if err == nil {
			state, err = decodeState(textOf(fields))
		}
		if err != nil || c.state == nil && slices.ContainsFunc(state.files, (*fileState).isGone) {
			c.tail = math.MaxInt32 / 2 // nothing is appended to it
			break
		}
		size := len(rest) - len(after)
		if c.state == nil {
			c.state, c.first = state, size
		} else {
			for _, f := range state.files {
				later[f.name] = f
			}
			state.files = c.state.files
			c.state, c.tail = state, c.tail+size
		}
		c.sum, rest = sum, after
	}
	if c.state != nil {
		c.state.files = mergeFiles(c.state.files, slices.Collect(maps.Values(later)))
		c.state.young = hasYoung(c.state.files)
	}
	return c
}

// textOf returns bytes that never change again as a string. A copy of the cache would take a hook longer than
// decoding it: each page of memory that it touches first counts.
func textOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// save writes a state to the cache file, best effort: it appends what differs, or
// rewrites the file.
func (c *scanCache) save(caches func(make bool) *os.Root, name string, state *folderState) {
	if c.state != nil {
		block := cachefile.Begin(nil)
		block = appendState(block, state, c.state)
		sum := cachefile.End(block, 0, c.sum)
		if c.tail+len(block) <= max(minCacheTail, c.first) {
			if dir := caches(false); dir != nil && appendTo(dir, name, block) == nil {
				*c = scanCache{state, sum, c.first, c.tail + len(block)}
				return
			}
		}
	}
	header := format().Header()
	data := appendState(cachefile.Begin(header), state, &folderState{})
	sum := cachefile.End(data, len(header), 0)
	*c = scanCache{state, sum, len(data) - len(header), 0}
	if dir := caches(true); dir != nil {
		_ = atomicfile.ReplaceFast(dir, name, data)
	}
}

func appendTo(dir *os.Root, name string, data []byte) error {
	if info, err := regular.Info(dir, name); err != nil || info == nil {
		return cmp.Or(err, fs.ErrNotExist)
	}
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return cmp.Or(err, f.Close())
}

// since lists the files that are new or changed since another state, and the names of
// those that are gone.
func (f *folderState) since(before *folderState) (changed []*fileState, gone []string) {
	old := before.files
	for _, file := range f.files {
		for len(old) > 0 && old[0].name < file.name {
			gone, old = append(gone, old[0].name), old[1:]
		}
		if len(old) > 0 && old[0].name == file.name {
			if old[0] != file {
				changed = append(changed, file)
			}
			old = old[1:]
		} else {
			changed = append(changed, file)
		}
	}
	return changed, append(gone, namesOf(old)...)
}
