package scan

import (
	"os"
	"unsafe"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/cachefile"
	"ltm/internal/fs/regular"
)

// maxCacheBytes is the size limit of a cache file.
const maxCacheBytes = 16 << 20

// format returns the kind and version of the cache.
func format() cachefile.Format { return cachefile.Format{Magic: "ltm-scan", Version: 13} }

// loadCache reads what the last scan of another process saw, or returns nil. A missing or damaged cache only costs
// time.
func loadCache(dir *os.Root, name string) *folderState {
	if dir == nil {
		return nil
	}
	data, err := regular.Read(dir, name, maxCacheBytes)
	if err != nil {
		return nil
	}
	block, _ := format().Cut(data)
	fields, _, err := cachefile.Next(block)
	if err != nil {
		return nil
	}
	state, err := decodeState(textOf(fields))
	if err != nil {
		return nil
	}
	state.young = hasYoung(state.files)
	return state
}

// textOf returns bytes that never change again as a string. A copy of the cache would take a hook longer than
// decoding it: each page of memory that it touches first counts.
func textOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// save writes a state for other processes, best effort.
func save(caches func(make bool) *os.Root, name string, state *folderState) {
	if dir := caches(true); dir != nil {
		header := format().Header()
		data := appendState(cachefile.Begin(header), state)
		cachefile.End(data, len(header))
		_ = atomicfile.ReplaceFast(dir, name, data)
	}
}
