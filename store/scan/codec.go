package scan

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ltm/internal/cachefile"
	"ltm/memory"
)

func appendFile(b []byte, f *fileState) []byte {
	b = cachefile.AppendString(b, f.name)
	b = appendStamp(b, f.stamp)
	b = binary.AppendVarint(b, f.seen)
	b = cachefile.AppendString(b, f.problem)
	if f.problem != "" {
		return b
	}
	m := f.head
	b = cachefile.AppendString(b, string(m.ID))
	b = cachefile.AppendString(b, m.Topic)
	b = cachefile.AppendStrings(b, m.Tags)
	b = binary.AppendUvarint(b, uint64(m.Phase))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.Difficulty))
	b = binary.AppendVarint(b, m.CreatedAt.Unix())
	b = binary.AppendVarint(b, int64(m.CreatedAt.Nanosecond()))
	b = binary.AppendUvarint(b, uint64(m.CreatedSession))
	b = binary.AppendVarint(b, m.ArchivedAt.Unix())
	b = cachefile.AppendString(b, m.ArchivedReason)
	flags := uint64(0)
	if m.Restored {
		flags |= flagRestored
	}
	if m.Conflicted {
		flags |= flagConflicted
	}
	if m.OddCategory {
		flags |= flagOddCategory
	}
	if m.OddConfidence {
		flags |= flagOddConfidence
	}
	if m.Category != "" {
		flags |= flagCategory
	}
	if m.Confidence != nil {
		flags |= flagConfidence
	}
	if m.Work != nil {
		flags |= flagWork
	}
	if hasLinks(m) {
		flags |= flagLinks
	}
	if m.OddAliases {
		flags |= flagOddAliases
	}
	if len(m.Aliases) > 0 {
		flags |= flagAliases
	}
	if len(m.Refs) > 0 || m.OddRefs {
		flags |= flagRefs
	}
	b = binary.AppendUvarint(b, flags)
	if m.Category != "" {
		b = cachefile.AppendString(b, string(m.Category))
	}
	if m.Confidence != nil {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*m.Confidence))
	}
	if m.Work != nil {
		b = appendWork(b, m.Work)
	}
	if flags&flagLinks != 0 {
		b = appendLinks(b, m)
	}
	if len(m.Aliases) > 0 {
		b = cachefile.AppendStrings(b, m.Aliases)
	}
	if flags&flagRefs != 0 {
		b = appendRefs(b, m)
	}
	return b
}

// The bits at the end of a memory in the cache. Values follow in the order category,
// confidence, work, links, aliases, references. Most memories have no links, and one byte of flags.
const (
	flagRestored = 1 << iota
	flagConflicted
	flagWork
	flagOddCategory
	flagOddConfidence
	flagCategory
	flagConfidence
	flagLinks
	flagOddAliases
	flagAliases
	flagRefs
)

func appendWork(b []byte, w *memory.Work) []byte {
	flags := uint64(0)
	if w.Compacted {
		flags = 1
	}
	for _, n := range []int{w.Calls, w.Failures, w.Retries, w.Tokens, w.AgentCalls, w.AgentFailures} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, flags)
	return cachefile.AppendString(b, w.Source)
}

func (r *stateReader) work() *memory.Work {
	w := &memory.Work{}
	for _, to := range []*int{&w.Calls, &w.Failures, &w.Retries, &w.Tokens, &w.AgentCalls, &w.AgentFailures} {
		*to = int(r.Uvarint())
	}
	w.Compacted = r.Uvarint() == 1
	w.Source = r.Field()
	return w
}

func appendStamp(b []byte, s Stamp) []byte {
	return binary.AppendVarint(binary.AppendVarint(b, s.Size), s.ModTime)
}

// decodeState reads the fields of a block: the files that it has, and those that are
// gone.
func decodeState(fields []byte) (*folderState, error) {
	r := &stateReader{Reader: cachefile.NewReader(string(fields))}
	s := &folderState{stamp: r.stamp(), seen: r.Varint()}
	n := r.Count(1)
	if n > MaxFiles {
		return nil, cachefile.ErrDamaged
	}
	files := make([]fileState, n)
	s.files = make([]*fileState, n)
	for i := range files {
		r.file(&files[i])
		s.files[i] = &files[i]
		if !files[i].plausible() || i > 0 && files[i-1].name >= files[i].name {
			return nil, cachefile.ErrDamaged
		}
	}
	if r.Len() > 0 {
		for _, name := range r.Fields() {
			s.files = append(s.files, &fileState{name: name})
		}
		s.temps = r.Fields()
	}
	if !r.Complete() || !slices.IsSorted(s.temps) {
		return nil, cachefile.ErrDamaged
	}
	return s, nil
}

// plausible reports whether a scan can have found this in a file of that name. A cache
// can come with a download, and a checksum does not prove who wrote it.
func (f *fileState) plausible() bool {
	if f.problem != "" {
		return utf8.ValidString(f.problem)
	}
	m := &f.head
	id, _, ok := memory.ParseArchiveName(f.name) // which accepts the name of a memory, too
	if !ok || m.ID != id || m.Phase < memory.Full || m.Phase > memory.Removed {
		return false
	}
	if m.CreatedSession < 0 || memory.CheckDifficulty(m.Difficulty) != nil {
		return false
	}
	if m.Topic == "" || strings.ContainsAny(m.Topic, "\r\n") || notText(m.Topic) ||
		slices.ContainsFunc(m.Tags, notText) || notText(m.ArchivedReason) {
		return false
	}
	if m.Category != "" && !slices.Contains(memory.Categories(), m.Category) {
		return false
	}
	if m.Confidence != nil {
		if sure, err := memory.Sureness(*m.Confidence); err != nil || sure == nil {
			return false
		}
	}
	if len(m.Aliases) > memory.MaxAliases || slices.ContainsFunc(m.Aliases, isNoAlias) {
		return false
	}
	return plausibleLinks(m) && plausibleRefs(m) && plausibleTime(m.CreatedAt) && plausibleTime(m.ArchivedAt) &&
		(m.Work == nil || plausibleWork(*m.Work))
}

// plausibleTime reports whether RFC 3339 can express a time.
func plausibleTime(t time.Time) bool { return t.Year() >= 0 && t.Year() <= 9999 }

func isNoAlias(s string) bool { return !memory.IsAlias(s) }

func notText(s string) bool { return !utf8.ValidString(s) }

func plausibleWork(w memory.Work) bool {
	known := w.Source == "" || w.Source == memory.SourceTranscript || w.Source == memory.SourceHooks
	return known && min(w.Calls, w.Failures, w.Retries, w.Tokens, w.AgentCalls, w.AgentFailures) >= 0
}

// stateReader reads a state from one string, of which its texts are parts.
type stateReader struct {
	cachefile.Reader[string]
	free []string // for tags

	freeRefs []memory.Ref
}

func (r *stateReader) stamp() Stamp { return Stamp{r.Varint(), r.Varint()} }

// file reads into f, which is empty.
func (r *stateReader) file(f *fileState) {
	f.name, f.stamp, f.seen, f.problem = r.Field(), r.stamp(), r.Varint(), r.Field()
	if f.problem != "" {
		return
	}
	m := &f.head
	m.ID, m.Topic = memory.ID(r.Field()), r.Field()
	if n := r.Count(1); n > 0 {
		m.Tags = r.tags(n)
	}
	m.Phase = memory.Phase(r.Uvarint())
	m.Difficulty = r.Float64()
	sec, nsec := r.Varint(), r.Varint()
	m.CreatedAt = time.Unix(sec, nsec).UTC()
	m.CreatedSession = int(r.Uvarint())
	m.ArchivedAt = time.Unix(r.Varint(), 0).UTC()
	m.ArchivedReason = r.Field()
	flags := r.Uvarint()
	m.Restored, m.Conflicted = flags&flagRestored != 0, flags&flagConflicted != 0
	m.OddCategory, m.OddConfidence = flags&flagOddCategory != 0, flags&flagOddConfidence != 0
	if flags&flagCategory != 0 {
		m.Category = memory.Category(r.Field())
	}
	if flags&flagConfidence != 0 {
		v := r.Float64()
		m.Confidence = &v
	}
	if flags&flagWork != 0 {
		m.Work = r.work()
	}
	if flags&flagLinks != 0 {
		r.links(m)
	}
	m.OddAliases = flags&flagOddAliases != 0
	if flags&flagAliases != 0 {
		m.Aliases = r.tags(r.Count(1))
	}
	if flags&flagRefs != 0 {
		r.refs(m)
	}
}

// tags reads n strings. Lists of tags are parts of longer lists: most have a few.
func (r *stateReader) tags(n int) []string {
	if len(r.free) < n {
		r.free = make([]string, max(n, manyTags))
	}
	tags := r.free[:n:n]
	r.free = r.free[n:]
	for i := range tags {
		tags[i] = r.Field()
	}
	return tags
}

// manyTags is how many strings are allocated together.
const manyTags = 256
