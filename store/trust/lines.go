package trust

import (
	"bytes"
	"slices"

	"ltm/memory"
)

// lines finds the lines of a record by their ids. Making it takes as long as a few searches through all lines.
type lines struct {
	raw    []byte
	starts []int32 // where each line starts
	before []int32 // the line before each one in its bucket, from 1; 0: none
	last   []int32 // the last line of each bucket, from 1; 0: none
}

// linesOf reads lines, which come after a "\n". One that does not end is not one: a process was killed while it wrote
// it.
func linesOf(raw []byte) *lines {
	n := bytes.Count(raw, []byte("\n"))
	buckets := 1
	for buckets < n {
		buckets *= 2
	}
	l := &lines{raw: raw, starts: make([]int32, 0, n), before: make([]int32, 0, n), last: make([]int32, buckets)}
	for start := 1; start < len(raw); {
		size := bytes.IndexByte(raw[start:], '\n')
		if size < 0 {
			break
		}
		if id, _, ok := bytes.Cut(raw[start:start+size], []byte(" ")); ok {
			bucket := bucketOf(l, id)
			l.starts, l.before = append(l.starts, int32(start)), append(l.before, l.last[bucket])
			l.last[bucket] = int32(len(l.starts))
		}
		start += size + 1
	}
	return l
}

// bucketOf returns the bucket of an id (FNV-1a).
func bucketOf[T string | []byte](l *lines, id T) int {
	h := uint32(0x811c9dc5)
	for i := range len(id) {
		h = (h ^ uint32(id[i])) * 0x01000193
	}
	return int(h) & (len(l.last) - 1)
}

// of returns the values of an entry, the newest last.
func (l *lines) of(id memory.ID) (found []string) {
	var starts []int32
	for line := l.last[bucketOf(l, string(id))]; line > 0; line = l.before[line-1] {
		starts = append(starts, l.starts[line-1])
	}
	for _, start := range slices.Backward(starts) {
		line, _, _ := bytes.Cut(l.raw[start:], []byte("\n"))
		if name, value, _ := bytes.Cut(line, []byte(" ")); string(name) == string(id) {
			found = appendValue(found, string(value))
		}
	}
	return found
}
