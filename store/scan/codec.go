package scan

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ltm/memory"
)

func appendFile(b []byte, f *fileState) []byte {
	b = appendString(b, f.name)
	b = appendStamp(b, f.stamp)
	b = binary.AppendVarint(b, f.seen)
	b = appendString(b, f.problem)
	if f.problem != "" {
		return b
	}
	m := f.head
	b = appendString(b, string(m.ID))
	b = appendString(b, m.Topic)
	b = binary.AppendUvarint(b, uint64(len(m.Tags)))
	for _, tag := range m.Tags {
		b = appendString(b, tag)
	}
	b = binary.AppendUvarint(b, uint64(m.Phase))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.Difficulty))
	b = binary.AppendVarint(b, m.CreatedAt.Unix())
	b = binary.AppendVarint(b, int64(m.CreatedAt.Nanosecond()))
	b = binary.AppendUvarint(b, uint64(m.CreatedSession))
	b = binary.AppendVarint(b, m.ArchivedAt.Unix())
	b = appendString(b, m.ArchivedReason)
	flags := byte(0)
	if m.Restored {
		flags |= flagRestored
	}
	if m.Conflicted {
		flags |= flagConflicted
	}
	if m.Work != nil {
		return appendWork(append(b, flags|flagWork), m.Work)
	}
	return append(b, flags)
}

// The bits at the end of a memory in the cache.
const (
	flagRestored = 1 << iota
	flagConflicted
	flagWork // what follows
)

func appendWork(b []byte, w *memory.Work) []byte {
	flags := uint64(0)
	if w.Compacted {
		flags = 1
	}
	for _, n := range []uint64{uint64(w.Calls), uint64(w.Failures), uint64(w.Retries), uint64(w.Tokens), uint64(w.AgentCalls), uint64(w.AgentFailures), flags} {
		b = binary.AppendUvarint(b, n)
	}
	return appendString(b, w.Source)
}

func (r *cacheReader) work() *memory.Work {
	w := &memory.Work{}
	for _, to := range []*int{&w.Calls, &w.Failures, &w.Retries, &w.Tokens, &w.AgentCalls, &w.AgentFailures} {
		*to = int(r.uvarint())
	}
	w.Compacted = r.uvarint() == 1
	w.Source = r.string()
	return w
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStrings(b []byte, all []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, s := range all {
		b = appendString(b, s)
	}
	return b
}

func appendStamp(b []byte, s Stamp) []byte {
	return binary.AppendVarint(binary.AppendVarint(b, s.Size), s.ModTime)
}

// decodeCache reads a block: the files that it has, and those that are gone.
func decodeCache(body []byte) (*folderState, error) {
	r := &cacheReader{text: string(body)}
	s := &folderState{stamp: r.stamp(), seen: r.varint()}
	n := r.count()
	if n > MaxFiles {
		return nil, errCache
	}
	files := make([]fileState, n)
	s.files = make([]*fileState, n)
	for i := range files {
		r.file(&files[i])
		s.files[i] = &files[i]
		if !files[i].plausible() || i > 0 && files[i-1].name >= files[i].name {
			return nil, errCache
		}
	}
	if r.at < len(r.text) {
		for _, name := range r.strings() {
			s.files = append(s.files, &fileState{name: name})
		}
		s.temps = r.strings()
	}
	if r.failed || r.at != len(r.text) || !slices.IsSorted(s.temps) {
		return nil, errCache
	}
	return s, nil
}

// plausible reports whether a scan can have seen this in a file of that name. A cache
// can come with a download, and a checksum does not prove who wrote it.
func (f *fileState) plausible() bool {
	if f.problem != "" {
		return utf8.ValidString(f.problem)
	}
	m := &f.head
	id, _, ok := memory.ParseArchiveName(f.name) // which accepts the name of a memory, too
	if !ok || m.ID != id || m.Phase < memory.Full || m.Phase > memory.Removed || m.CreatedSession < 0 || memory.CheckDifficulty(m.Difficulty) != nil {
		return false
	}
	if m.Topic == "" || strings.ContainsAny(m.Topic, "\r\n") || !utf8.ValidString(m.Topic) || slices.ContainsFunc(m.Tags, notText) {
		return false
	}
	year, set := m.CreatedAt.Year(), m.ArchivedAt.Year()
	return year >= 0 && year <= 9999 && set >= 0 && set <= 9999 && utf8.ValidString(m.ArchivedReason) && (m.Work == nil || plausibleWork(*m.Work))
}

func notText(s string) bool { return !utf8.ValidString(s) }

func plausibleWork(w memory.Work) bool {
	known := w.Source == "" || w.Source == memory.SourceTranscript || w.Source == memory.SourceHooks
	return known && min(w.Calls, w.Failures, w.Retries, w.Tokens, w.AgentCalls, w.AgentFailures) >= 0
}

// cacheReader reads fields one after the other; after a failure all are zero.
// It holds the text as one string, of which the fields are parts.
type cacheReader struct {
	text   string
	at     int
	failed bool
	free   []string // for tags
}

func (r *cacheReader) uvarint() uint64 {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		if r.at >= len(r.text) {
			break
		}
		c := r.text[r.at]
		r.at++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	r.failed = true
	return 0
}

func (r *cacheReader) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads the number of things that follow; each takes at least a byte.
func (r *cacheReader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.text)-r.at) {
		r.failed = true
		return 0
	}
	return int(n)
}

func (r *cacheReader) string() string {
	n := r.count()
	s := r.text[r.at : r.at+n]
	r.at += n
	return s
}

func (r *cacheReader) strings() []string {
	all := make([]string, r.count())
	for i := range all {
		all[i] = r.string()
	}
	return all
}

func (r *cacheReader) stamp() Stamp { return Stamp{r.varint(), r.varint()} }

func (r *cacheReader) float() float64 {
	var bits uint64
	if len(r.text)-r.at < 8 {
		r.failed = true
		return 0
	}
	for i := range 8 {
		bits |= uint64(r.text[r.at+i]) << (8 * i)
	}
	r.at += 8
	return math.Float64frombits(bits)
}

// file reads into f, which is empty.
func (r *cacheReader) file(f *fileState) {
	f.name, f.stamp, f.seen, f.problem = r.string(), r.stamp(), r.varint(), r.string()
	if f.problem != "" {
		return
	}
	m := &f.head
	m.ID, m.Topic = memory.ID(r.string()), r.string()
	if n := r.count(); n > 0 {
		m.Tags = r.tags(n)
	}
	m.Phase = memory.Phase(r.uvarint())
	m.Difficulty = r.float()
	sec, nsec := r.varint(), r.varint()
	m.CreatedAt = time.Unix(sec, nsec).UTC()
	m.CreatedSession = int(r.uvarint())
	m.ArchivedAt = time.Unix(r.varint(), 0).UTC()
	m.ArchivedReason = r.string()
	flags := r.uvarint()
	m.Restored, m.Conflicted = flags&flagRestored != 0, flags&flagConflicted != 0
	if flags&flagWork != 0 {
		m.Work = r.work()
	}
}

// tags reads n strings. Lists of tags are parts of longer lists: most have a few.
func (r *cacheReader) tags(n int) []string {
	if len(r.free) < n {
		r.free = make([]string, max(n, manyTags))
	}
	tags := r.free[:n:n]
	r.free = r.free[n:]
	for i := range tags {
		tags[i] = r.string()
	}
	return tags
}

// manyTags is how many strings are allocated together.
const manyTags = 256
