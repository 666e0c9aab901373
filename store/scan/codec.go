package scan

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ltm/internal/fs/cachefile"
	"ltm/memory"
)

// The bits of what a memory has besides name, topic, tags and session, of which most have
// nothing. The values follow in this order.
const (
	withRestored = 1 << iota
	withConflict
	withOddCategory
	withOddConfidence
	withOddAliases
	withArchived
	withConfidence
	withWork
	withLinks
	withAliases
	withRefs
	withText
	withOddTags
	withLinksLeft
)

// head appends the texts of a header, and those of its values that rows do not have.
func (e *encoder) head(m *memory.Memory) {
	b := cachefile.AppendString(e.texts, m.Topic)
	b = cachefile.AppendStrings(b, m.Tags)
	b = binary.AppendUvarint(b, uint64(m.CreatedSession))
	with := uint64(0)
	for _, bit := range []struct {
		bit uint64
		is  bool
	}{{withRestored, m.Restored}, {withConflict, m.Conflicted}, {withOddCategory, m.OddCategory},
		{withOddConfidence, m.OddConfidence}, {withOddAliases, m.OddAliases},
		{withArchived, !m.ArchivedAt.IsZero() || m.ArchivedReason != ""}, {withConfidence, m.Confidence != nil},
		{withWork, m.Work != nil}, {withLinks, hasLinks(m)}, {withAliases, len(m.Aliases) > 0},
		{withRefs, len(m.Refs) > 0 || m.OddRefs}, {withText, m.KeepsText},
		{withOddTags, m.OddTags}, {withLinksLeft, m.LinksLeft > 0}} {
		if bit.is {
			with |= bit.bit
		}
	}
	b = binary.AppendUvarint(b, with)
	if with&withArchived != 0 {
		b = binary.AppendVarint(b, m.ArchivedAt.Unix())
		b = cachefile.AppendString(b, m.ArchivedReason)
	}
	if with&withConfidence != 0 {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*m.Confidence))
	}
	if with&withWork != 0 {
		b = appendWork(b, m.Work)
	}
	if with&withLinks != 0 {
		b = appendLinks(b, m)
	}
	if with&withAliases != 0 {
		b = cachefile.AppendStrings(b, m.Aliases)
	}
	if with&withRefs != 0 {
		odd := uint64(0)
		if m.OddRefs {
			odd = 1
		}
		b = binary.AppendUvarint(b, uint64(len(m.Refs))<<1|odd)
		for _, r := range m.Refs {
			b = binary.AppendUvarint(b, e.number(r))
		}
	}
	if with&withLinksLeft != 0 {
		b = binary.AppendUvarint(b, uint64(m.LinksLeft))
	}
	e.texts = b
}

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

func appendStamp(b []byte, s Stamp) []byte {
	return binary.AppendVarint(binary.AppendVarint(b, s.Size), s.ModTime)
}

// decoder reads the headers of a block. Their texts are parts of the block.
type decoder struct {
	cachefile.Reader[string]
	block *block
	bad   bool // a reference leads out of the block

	reuse      bool     // a header is of no use after the next one: nothing is allocated for its lists
	chunk      int      // how many strings are allocated together
	free       []string // for lists, or what is in those of the header if they are reused
	some       []memory.Ref
	work       memory.Work
	confidence float64
}

// manyStrings is how many strings are allocated together if all headers are read.
const manyStrings = 256

// head reads the header of a file, which was checked before, into m, which is empty.
func (d *decoder) head(row int, m *memory.Memory) { d.body(row, d.begin(row), m) }

// begin goes to the texts of a file and returns its name.
func (d *decoder) begin(row int) string {
	texts := d.block.texts
	at := min(uint64(d.block.u32(row, atText)), uint64(len(texts)))
	d.Reader = cachefile.NewReader(texts[at:])
	if d.reuse {
		d.free = d.free[:0]
	}
	return d.Field()
}

// body reads the rest of a header.
func (d *decoder) body(row int, name string, m *memory.Memory) {
	t := d.block.traits(row)
	m.ID = memory.ID(name[:min(len(name), idLength)])
	m.Difficulty, m.Phase = t.difficulty, t.phase
	m.CreatedAt = time.Unix(t.sec, int64(t.nsec)).UTC()
	if t.rank < uint8(len(memory.Categories())) {
		m.Category = memory.Categories()[t.rank]
	}
	m.Topic = d.Field()
	m.Tags = d.list()
	m.CreatedSession = int(d.Uvarint())
	if with := d.Uvarint(); with != 0 {
		d.rest(with, m)
	}
}

// list reads strings, or nil if there are none. Lists are parts of longer lists: most have a few.
func (d *decoder) list() []string {
	n := d.Count(1)
	if n == 0 {
		return nil
	}
	var all []string
	if d.reuse {
		from := len(d.free)
		d.free = slices.Grow(d.free, n)[:from+n]
		all = d.free[from:]
	} else {
		if len(d.free) < n {
			d.free = make([]string, max(n, d.chunk))
		}
		all, d.free = d.free[:n:n], d.free[n:]
	}
	for i := range all {
		all[i] = d.Field()
	}
	return all
}

// rest reads what only some headers have.
func (d *decoder) rest(with uint64, m *memory.Memory) {
	m.Restored, m.Conflicted = with&withRestored != 0, with&withConflict != 0
	m.OddCategory, m.OddConfidence = with&withOddCategory != 0, with&withOddConfidence != 0
	m.OddAliases, m.KeepsText = with&withOddAliases != 0, with&withText != 0
	m.OddTags = with&withOddTags != 0
	if with&withArchived != 0 {
		m.ArchivedAt = time.Unix(d.Varint(), 0).UTC()
		m.ArchivedReason = d.Field()
	}
	if with&withConfidence != 0 {
		m.Confidence = &d.confidence
		if !d.reuse {
			m.Confidence = new(float64)
		}
		*m.Confidence = d.Float64()
	}
	if with&withWork != 0 {
		m.Work = &d.work
		if !d.reuse {
			m.Work = &memory.Work{}
		}
		d.readWork(m.Work)
	}
	if with&withLinks != 0 {
		d.links(m)
	}
	if with&withAliases != 0 {
		m.Aliases = d.list()
	}
	if with&withRefs != 0 {
		d.readRefs(m)
	}
	if with&withLinksLeft != 0 {
		m.LinksLeft = int(d.Uvarint())
	}
}

func (d *decoder) readWork(w *memory.Work) {
	for _, to := range []*int{&w.Calls, &w.Failures, &w.Retries, &w.Tokens, &w.AgentCalls, &w.AgentFailures} {
		*to = int(d.Uvarint())
	}
	w.Compacted = d.Uvarint() == 1
	w.Source = d.Field()
}

// plausible reports whether a scan can have found this header in a file of that name.
func plausible(name string, m *memory.Memory) bool {
	id, _, ok := memory.ParseArchiveName(name) // which accepts the name of a memory, too
	if !ok || m.ID != id || m.Phase < memory.Full || m.Phase > memory.Removed || m.KeepsText && !m.IsStub() {
		return false
	}
	if len(m.Tags) > memory.MaxReadTags || m.CreatedSession < 0 || memory.CheckDifficulty(m.Difficulty) != nil {
		return false
	}
	if m.Topic == "" || strings.IndexByte(m.Topic, '\r') >= 0 || strings.IndexByte(m.Topic, '\n') >= 0 ||
		notText(m.Topic) || slices.ContainsFunc(m.Tags, notText) || notText(m.ArchivedReason) {
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
	return plausibleLinks(m) && len(m.Refs) <= memory.MaxRefs && plausibleTime(m.CreatedAt) &&
		plausibleTime(m.ArchivedAt) && (m.Work == nil || plausibleWork(*m.Work))
}

// The first second that RFC 3339 can express, and the one after the last.
const (
	firstSecond = -62167219200 // 0000-01-01
	endOfTime   = 253402300800 // 10000-01-01
)

// plausibleTime reports whether RFC 3339 can express a time.
func plausibleTime(t time.Time) bool { return t.Unix() >= firstSecond && t.Unix() < endOfTime }

func isNoAlias(s string) bool { return !memory.IsAlias(s) }

func notText(s string) bool { return !utf8.ValidString(s) }

func plausibleWork(w memory.Work) bool {
	known := w.Source == "" || w.Source == memory.SourceTranscript || w.Source == memory.SourceHooks
	return known && min(w.Calls, w.Failures, w.Retries, w.Tokens, w.AgentCalls, w.AgentFailures) >= 0
}
