package scan

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
)

// A cold process finds what the last scan saw in cache/FOLDER.bin: a magic number
// and blocks, each with its length, a checksum, and fields with their lengths. The
// first block has every file; each later one has what a scan found changed. The
// checksum of a block is taken on from that of the block before, so that one counts
// only after what its writer had read: two processes may append at the same time.
// A cache that is missing, damaged or of another version only costs time.
const (
	cacheMagic = "ltm-scan-5\n"

	// maxCacheBytes bounds what is read of a cache file.
	maxCacheBytes = 16 << 20

	// blockHead is the length of a block and its checksum.
	blockHead = 2 * 4

	// minCacheTail is how many bytes may be appended, at least, before the file is
	// written anew; most may be as many as the first block has.
	minCacheTail = 16 << 10
)

var errCache = errors.New("damaged cache")

// scanCache is what a process knows of a cache file.
type scanCache struct {
	state       *folderState // what it holds; nil: nothing
	sum         uint32       // of the last block
	first, tail int          // bytes of the first block and of those after it
}

// loadCache returns what a cache file holds. Blocks from a damaged one on, which the
// next save takes away, do not count.
func loadCache(dir *os.Root, name string) scanCache {
	if dir == nil {
		return scanCache{}
	}
	data, err := regular.Read(dir, name, maxCacheBytes)
	rest, ok := bytes.CutPrefix(data, []byte(cacheMagic))
	if err != nil || !ok {
		return scanCache{}
	}
	c := scanCache{}
	later := map[string]*fileState{} // what blocks after the first say
	for len(rest) > 0 {
		state, sum, size, err := readBlock(rest, c.sum)
		if err != nil || c.state == nil && slices.ContainsFunc(state.files, (*fileState).isGone) {
			c.tail = math.MaxInt32 / 2 // nothing is appended to it
			break
		}
		if c.state == nil {
			c.state, c.first = state, size
		} else {
			for _, f := range state.files {
				later[f.name] = f
			}
			state.files = c.state.files
			c.state, c.tail = state, c.tail+size
		}
		c.sum, rest = sum, rest[size:]
	}
	if c.state != nil {
		c.state.files = mergeFiles(c.state.files, slices.Collect(maps.Values(later)))
		c.state.young = hasYoung(c.state.files)
	}
	return c
}

// readBlock takes a block off the front of data. sum is that of the block before.
func readBlock(data []byte, sum uint32) (state *folderState, next uint32, size int, err error) {
	if len(data) < blockHead {
		return nil, 0, 0, errCache
	}
	length, next := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	if uint64(length) > uint64(len(data)-blockHead) {
		return nil, 0, 0, errCache
	}
	size = blockHead + int(length)
	body := data[blockHead:size]
	if crc32.Update(sum, crc32.IEEETable, body) != next {
		return nil, 0, 0, errCache
	}
	state, err = decodeCache(body)
	return state, next, size, err
}

// save leaves a state for other processes, best effort: what differs from the file
// is appended to it. The directory is made when it is missing.
func (c *scanCache) save(caches func(make bool) *os.Root, name string, state *folderState) {
	block := encodeCache(state, c.state, c.sum)
	if c.state != nil && c.tail+len(block) <= max(minCacheTail, c.first) {
		if dir := caches(false); dir != nil && appendTo(dir, name, block) == nil {
			*c = scanCache{state, blockSum(block), c.first, c.tail + len(block)}
			return
		}
	}
	block = encodeCache(state, nil, 0)
	*c = scanCache{state, blockSum(block), len(block), 0}
	if dir := caches(true); dir != nil {
		_ = atomicfile.ReplaceFast(dir, name, append([]byte(cacheMagic), block...))
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

func blockSum(block []byte) uint32 { return binary.LittleEndian.Uint32(block[4:]) }

// encodeCache returns the block after the one with that checksum: how a state differs
// from the one before, of which nil has no files.
func encodeCache(s, before *folderState, sum uint32) []byte {
	if before == nil {
		before = &folderState{}
	}
	changed, gone := s.since(before)
	b := make([]byte, blockHead, blockHead+64+len(changed)*160)
	b = appendStamp(b, s.stamp)
	b = binary.AppendVarint(b, s.seen)
	b = binary.AppendUvarint(b, uint64(len(changed)))
	for _, f := range changed {
		b = appendFile(b, f)
	}
	if len(gone)+len(s.temps) > 0 {
		b = appendStrings(appendStrings(b, gone), s.temps)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-blockHead))
	binary.LittleEndian.PutUint32(b[4:], crc32.Update(sum, crc32.IEEETable, b[blockHead:]))
	return b
}

// since lists the files that another state has not, or otherwise, and the names that
// only the other one has.
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
