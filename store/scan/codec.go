package scan

import (
	"encoding/binary"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"ltm/internal/fs/cachefile"
	"ltm/memory"
)

// codec writes the values of a block, or reads them: one description of what a block has does both. Texts that are read
// share memory with the block.
type codec struct {
	out     []byte
	in      cachefile.Reader[string]
	reading bool
	bad     bool // a list is longer than any
}

func integer[T ~int | ~int64](c *codec, v *T) {
	if c.reading {
		*v = T(c.in.Varint())
	} else {
		c.out = binary.AppendVarint(c.out, int64(*v))
	}
}

func text[T ~string](c *codec, v *T) {
	if c.reading {
		*v = T(c.in.Field())
	} else {
		c.out = cachefile.AppendString(c.out, string(*v))
	}
}

func float(c *codec, v *float64) {
	if c.reading {
		*v = c.in.Float64()
	} else {
		c.out = binary.LittleEndian.AppendUint64(c.out, math.Float64bits(*v))
	}
}

func moment(c *codec, v *time.Time) {
	sec, nsec := v.Unix(), v.Nanosecond()
	integer(c, &sec)
	integer(c, &nsec)
	if c.reading {
		*v = time.Unix(sec, int64(nsec)).UTC()
	}
}

func flags(c *codec, all ...*bool) {
	bits := 0
	for i, v := range all {
		if *v {
			bits |= 1 << i
		}
	}
	integer(c, &bits)
	if !c.reading {
		return // views share what is written: not even the same value is set
	}
	for i, v := range all {
		*v = bits>>i&1 == 1
	}
}

func list[T any](c *codec, all *[]T, item func(*codec, *T)) {
	n := len(*all)
	integer(c, &n)
	if c.reading && (n < 0 || n > MaxFiles) {
		c.bad = true
		return
	}
	if c.reading && n > 0 {
		*all = make([]T, n)
	}
	for i := range *all {
		item(c, &(*all)[i])
	}
}

func optional[T any](c *codec, v **T, value func(*codec, *T)) {
	is := *v != nil
	flags(c, &is)
	if !is {
		return
	}
	if c.reading {
		*v = new(T)
	}
	value(c, *v)
}

func stamp(c *codec, s *Stamp) {
	integer(c, &s.Size)
	integer(c, &s.ModTime)
}

func ref(c *codec, r *memory.Ref) {
	for _, v := range []*string{&r.Path, &r.Blob, &r.Symbol, &r.Near} {
		text(c, v)
	}
	integer(c, &r.Line)
	integer(c, &r.End)
}

func work(c *codec, w *memory.Work) {
	for _, v := range []*int{&w.Calls, &w.Failures, &w.Retries, &w.Tokens, &w.AgentCalls, &w.AgentFailures} {
		integer(c, v)
	}
	flags(c, &w.Compacted)
	text(c, &w.Source)
}

func origin(c *codec, o *memory.Origin) {
	text(c, &o.System)
	text(c, &o.ID)
	text(c, &o.Agent)
}

// head is a memory without its id and its texts.
func head(c *codec, m *memory.Memory) {
	text(c, &m.Topic)
	text(c, &m.Category)
	integer(c, &m.Phase)
	float(c, &m.Difficulty)
	moment(c, &m.CreatedAt)
	integer(c, &m.CreatedSession)
	list(c, &m.Tags, text[string])
	list(c, &m.Aliases, text[string])
	for _, ids := range []*[]memory.ID{&m.Supersedes, &m.Disputes, &m.Related} {
		list(c, ids, text[memory.ID])
	}
	list(c, &m.Refs, ref)
	integer(c, &m.LinksLeft)
	for _, v := range []*string{&m.Agent, &m.Client, &m.Commit, &m.Signature, &m.ArchivedReason} {
		text(c, v)
	}
	moment(c, &m.ArchivedAt)
	flags(c, &m.OddTags, &m.Restored, &m.Conflicted, &m.OddAliases, &m.OddCategory, &m.OddConfidence, &m.OddRefs,
		&m.OddLinks, &m.KeepsText)
	optional(c, &m.Confidence, float)
	optional(c, &m.Work, work)
	optional(c, &m.Origin, origin)
}

func file(c *codec, f *fileState) {
	text(c, &f.name)
	stamp(c, &f.stamp)
	integer(c, &f.seen)
	integer(c, &f.long)
	text(c, &f.problem)
	if f.problem == "" {
		head(c, f.head)
	}
}

// appendState appends a state.
func appendState(b []byte, s *folderState) []byte {
	c := codec{out: slices.Grow(b, 64+len(s.files)*256)}
	stamp(&c, &s.stamp)
	integer(&c, &s.seen)
	n := len(s.files)
	integer(&c, &n)
	for _, f := range s.files {
		file(&c, f)
	}
	list(&c, &s.temps, text[string])
	return c.out
}

// decodeState reads what appendState wrote. The state shares memory with
// the fields. It fails with [cachefile.ErrDamaged] if no scan can have found all of that: a cache can come with a
// download, and a checksum does not prove who wrote it.
func decodeState(fields string) (*folderState, error) {
	c := codec{in: cachefile.NewReader(fields), reading: true}
	s := &folderState{}
	stamp(&c, &s.stamp)
	integer(&c, &s.seen)
	n := 0
	if integer(&c, &n); n < 0 || n > min(MaxFiles, c.in.Len()) {
		return nil, cachefile.ErrDamaged
	}
	files, heads := make([]fileState, n), make([]memory.Memory, n)
	s.files = make([]*fileState, n)
	for i := range files {
		f := &files[i]
		f.head = &heads[i]
		file(&c, f)
		if c.bad || c.in.Failed() || i > 0 && files[i-1].name >= f.name || !f.check() {
			return nil, cachefile.ErrDamaged
		}
		s.files[i] = f
	}
	list(&c, &s.temps, text[string])
	if c.bad || !c.in.Complete() || !slices.IsSorted(s.temps) {
		return nil, cachefile.ErrDamaged
	}
	return s, nil
}

// check completes what was read of a file, and reports whether a scan can have found it.
func (f *fileState) check() bool {
	if f.problem != "" {
		f.head = nil
		return utf8.ValidString(f.problem)
	}
	f.head.ID, f.links = memory.ID(f.name[:min(len(f.name), idLength)]), linksOf(f.head)
	return plausible(f.name, f.head)
}
