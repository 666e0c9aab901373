package memfile

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// The keys that more than their own rows look for.
const (
	keyID         = "id"
	keyTopic      = "topic"
	keyTags       = "tags"
	keyPhase      = "phase"
	keyCreatedAt  = "created_at"
	keyAliases    = "aliases"
	keySupersedes = "supersedes"
	keyDisputes   = "disputes"
	keyRelated    = "related"
)

// unknownDifficulty is the difficulty of a file that states none: that of work about which nothing
// is known, as in ltm/priority.
const unknownDifficulty = 0.25

// table lists the keys of a header that ltm reads and writes, in the order in which it writes them. It keeps all
// other keys unchanged.
type table []field

// field is one key of a header.
type field struct {
	key string
	in  where
	// set takes the value of a key that has a single one. An error makes the file unreadable.
	set func(m *memory.Memory, value string) error
	// read takes the value of any other key.
	read func(m *memory.Memory, n *yaml.Node) error
	// write returns the value as YAML. Two memories with the same text have the same value.
	write func(m *memory.Memory) string
	// present reports whether the memory has a value; nil: it always does. Without one, the key has no line.
	present func(m *memory.Memory) bool
	// fresh is present for a new header, where it differs.
	fresh func(m *memory.Memory) bool
	// odd reports whether the file can have a value that was not read whole; nil: the memory does not say.
	odd func(m *memory.Memory) bool
	// twice is called after a header with the key twice, as a merge of two branches can leave it. It must not keep the
	// memory from being served; nil: it does.
	twice func(m *memory.Memory)
}

// where says which files have a key.
type where int

const (
	everywhere where = iota
	inText           // not in stubs
	inStub
)

// fields is the table of ltm. It is made when it is first used, because most hooks do without it.
var fields = sync.OnceValue(func() table { return slices.Concat(firstFields(), optionalFields(), stubFields()) })

// find returns the row of a key, or nil.
func (t table) find(key string) *field {
	for i := range t {
		if t[i].key == key {
			return &t[i]
		}
	}
	return nil
}

// header returns a header between its two fences, of a stub or of another file.
func (t table) header(m *memory.Memory, kind where) string {
	var b strings.Builder
	b.WriteString(fence + "\n")
	for _, f := range t {
		if (f.in == everywhere || f.in == kind) && f.has(m) && (f.fresh == nil || f.fresh(m)) {
			b.WriteString(f.line(m))
		}
	}
	b.WriteString(fence + "\n")
	return b.String()
}

func (f *field) has(m *memory.Memory) bool { return f.present == nil || f.present(m) }

// line returns the lines of the key.
func (f *field) line(m *memory.Memory) string { return f.key + ":" + f.value(m) + "\n" }

// value returns what follows the colon.
func (f *field) value(m *memory.Memory) string {
	text := f.write(m)
	if text == "" || text[0] == '\n' {
		return text
	}
	return " " + text
}

// differs reports whether two memories have different values.
func (f *field) differs(a, b *memory.Memory) bool {
	return f.has(a) != f.has(b) || f.has(a) && f.write(a) != f.write(b) || f.odd != nil && f.odd(a) != f.odd(b)
}

// take reads the value of the key.
func (f *field) take(m *memory.Memory, n *yaml.Node) error {
	if f.read != nil {
		return f.read(m, n)
	}
	value, ok := scalar(n)
	switch {
	case !ok:
		return unreadable("%q is not a single value", f.key)
	case value == "":
		return nil
	}
	return f.set(m, value)
}

// firstFields are those that every memory has, and what was measured of the work behind it.
func firstFields() table {
	return table{
		{key: keyID, set: readID, write: func(m *memory.Memory) string { return strconv.Quote(string(m.ID)) }},
		{key: keyTopic, write: func(m *memory.Memory) string { return strconv.Quote(m.Topic) },
			set: func(m *memory.Memory, v string) error {
				m.Topic = strings.Join(strings.Fields(v), " ")
				return nil
			}},
		{key: keyTags, read: readTags, write: func(m *memory.Memory) string {
			var b strings.Builder
			for _, tag := range m.Tags {
				b.WriteString("\n  - " + quoteTag(tag))
			}
			return b.String()
		}},
		{key: keyPhase, set: readPhase, write: func(m *memory.Memory) string { return strconv.Itoa(int(m.Phase)) }},
		{key: "difficulty", in: inText, set: readDifficulty,
			write: func(m *memory.Memory) string { return decimal(m.Difficulty) }},
		{key: keyCreatedAt, in: inText,
			set: func(m *memory.Memory, v string) (err error) {
				m.CreatedAt, err = parseTime(keyCreatedAt, v)
				return err
			},
			write: func(m *memory.Memory) string {
				if m.CreatedAt.IsZero() {
					return ""
				}
				return strconv.Quote(m.CreatedAt.UTC().Format(time.RFC3339Nano))
			}},
		{key: "created_session", in: inText, set: readSession,
			write: func(m *memory.Memory) string { return strconv.Itoa(m.CreatedSession) }},
		{key: "work", in: inText, write: func(m *memory.Memory) string { return formatWork(m.Work) },
			fresh: func(m *memory.Memory) bool { return m.Work != nil },
			odd:   func(m *memory.Memory) bool { return m.Work == nil },
			read: func(m *memory.Memory, n *yaml.Node) error {
				m.Work = readWork(n)
				return nil
			}},
		{key: "restored_from_archive", in: inText, set: readRestored,
			fresh: func(m *memory.Memory) bool { return m.Restored },
			write: func(m *memory.Memory) string { return strconv.FormatBool(m.Restored) }},
	}
}

// optionalFields are those that only some memories have. None of their values can keep a memory from being served.
func optionalFields() table {
	return table{
		{key: keyAliases, read: readAliases, write: func(m *memory.Memory) string { return formatAliases(m.Aliases) },
			present: func(m *memory.Memory) bool { return len(m.Aliases) > 0 },
			odd:     func(m *memory.Memory) bool { return m.OddAliases },
			twice:   func(m *memory.Memory) { m.OddAliases = true }},
		{key: "kind", read: readKind, write: func(m *memory.Memory) string { return string(m.Category) },
			present: func(m *memory.Memory) bool { return m.Category != "" },
			odd:     func(m *memory.Memory) bool { return m.OddCategory },
			twice:   func(m *memory.Memory) { m.Category, m.OddCategory = "", true }},
		{key: "confidence", read: readConfidence,
			write:   func(m *memory.Memory) string { return decimal(*m.Confidence) },
			present: func(m *memory.Memory) bool { return m.Confidence != nil },
			odd:     func(m *memory.Memory) bool { return m.OddConfidence },
			twice:   func(m *memory.Memory) { m.Confidence, m.OddConfidence = nil, true }},
		linksField(keySupersedes, func(m *memory.Memory) *[]memory.ID { return &m.Supersedes }),
		linksField(keyDisputes, func(m *memory.Memory) *[]memory.ID { return &m.Disputes }),
		linksField(keyRelated, func(m *memory.Memory) *[]memory.ID { return &m.Related }),
		markField("agent", func(m *memory.Memory) *string { return &m.Agent }, isName),
		markField("client", func(m *memory.Memory) *string { return &m.Client }, isName),
		markField("commit", func(m *memory.Memory) *string { return &m.Commit }, func(v string) (string, bool) {
			v = strings.ToLower(v)
			return v, memory.IsCommit(v)
		}),
		{key: "origin", read: readOrigin, write: func(m *memory.Memory) string { return formatOrigin(m.Origin) },
			present: func(m *memory.Memory) bool { return m.Origin != nil },
			twice:   func(m *memory.Memory) { m.Origin, m.OddLinks = nil, true }},
		{key: "refs", read: readRefs, write: func(m *memory.Memory) string { return formatRefs(m.Refs) },
			present: func(m *memory.Memory) bool { return len(m.Refs) > 0 },
			odd:     func(m *memory.Memory) bool { return m.OddRefs },
			twice:   func(m *memory.Memory) { m.OddRefs = true }},
		markField("signature", func(m *memory.Memory) *string { return &m.Signature },
			func(v string) (string, bool) { return v, memory.IsSignature(v) }),
	}
}

// stubFields are those of stubs alone.
func stubFields() table {
	return table{
		{key: "archived", in: inStub, present: func(m *memory.Memory) bool { return !m.ArchivedAt.IsZero() },
			write: func(m *memory.Memory) string { return strconv.Quote(m.ArchivedAt.UTC().Format(time.DateOnly)) },
			odd:   func(m *memory.Memory) bool { return !m.ArchivedAt.Equal(m.ArchivedAt.Truncate(24 * time.Hour)) },
			set: func(m *memory.Memory, v string) (err error) {
				m.ArchivedAt, err = parseTime("archived", v)
				return err
			}},
		{key: "archived_reason", in: inStub, present: func(m *memory.Memory) bool { return m.ArchivedReason != "" },
			write: func(m *memory.Memory) string { return m.ArchivedReason },
			set: func(m *memory.Memory, v string) error {
				m.ArchivedReason = memory.KnownReason(v)
				return nil
			}},
	}
}

func isName(v string) (string, bool) {
	_, err := memory.NormalizeAgent(v)
	return v, err == nil
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func readID(m *memory.Memory, v string) (err error) {
	if m.ID, err = memory.ParseID(v); err != nil {
		return unreadable("%s is not a memory id", memory.Quote(v, 60))
	}
	return nil
}

// readPhase reads a digit or, as people write it, the predecessor's name of a phase.
func readPhase(m *memory.Memory, v string) error {
	for phase, names := range [][]string{{"0", "full"}, {"1", "hint"}, {"2", "abstract"}, {"3"}} {
		if slices.Contains(names, v) {
			m.Phase = memory.Phase(phase)
			return nil
		}
	}
	return unreadable("phase %s is not 0, 1, 2 or 3", memory.Quote(v, 40))
}

func readDifficulty(m *memory.Memory, v string) error {
	d, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(d) {
		return unreadable("difficulty %s is not a number", memory.Quote(v, 40))
	}
	m.Difficulty = memory.Clamp01(d)
	return nil
}

func readSession(m *memory.Memory, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return unreadable("created_session %s is not a whole number", memory.Quote(v, 40))
	}
	m.CreatedSession = n
	return nil
}

func readRestored(m *memory.Memory, v string) (err error) {
	if m.Restored, err = strconv.ParseBool(v); err != nil {
		return unreadable("restored_from_archive %s is not true or false", memory.Quote(v, 40))
	}
	return nil
}

// readKind reads the kind of a memory. An unknown kind counts as none: it must not keep the memory from being served.
func readKind(m *memory.Memory, n *yaml.Node) error {
	value, ok := scalar(n)
	if !ok {
		m.OddCategory = true
		return nil
	}
	category, err := memory.ParseCategory(value)
	m.Category, m.OddCategory = category, err != nil
	return nil
}

// readConfidence reads the confidence in a memory. One that cannot be read counts as absent.
func readConfidence(m *memory.Memory, n *yaml.Node) error {
	value, ok := scalar(n)
	if ok && value == "" {
		return nil
	}
	v, err := strconv.ParseFloat(value, 64)
	if ok && err == nil {
		m.Confidence, err = memory.Sureness(v)
	}
	m.OddConfidence = !ok || err != nil
	return nil
}

// scalar returns a single value, "" for null. ok is false if n is something else.
func scalar(n *yaml.Node) (value string, ok bool) {
	if n.Kind != yaml.ScalarNode {
		return "", false
	}
	if n.Tag == "!!null" {
		return "", true
	}
	return strings.TrimSpace(n.Value), true
}
