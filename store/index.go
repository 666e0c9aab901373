package store

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

const (
	memoriesDir = "memories"
	archivesDir = "archives"

	// indexFile lists the memories for other programs. A team can ask for it.
	indexFile = "index.json"
)

// IndexEntry is a memory in index.json.
type IndexEntry struct {
	Topic      string       `json:"topic"`
	Tags       []string     `json:"tags"`
	Phase      memory.Phase `json:"phase"`
	Difficulty float64      `json:"difficulty"`
	CreatedAt  string       `json:"created_at"` // RFC 3339; empty, and null in the file: unknown

	SupersededBy []memory.ID `json:"superseded_by,omitempty"` // by memories and stubs, sorted
}

// Equal reports whether two entries are equal.
func (e IndexEntry) Equal(o IndexEntry) bool {
	return slices.Equal(e.Tags, o.Tags) && e.Topic == o.Topic && e.Phase == o.Phase && e.Difficulty == o.Difficulty &&
		sameTime(e.CreatedAt, o.CreatedAt) && slices.Equal(e.SupersededBy, o.SupersededBy)
}

// sameTime reports whether two texts are the same time, to the second: other programs write fractions and offsets.
func sameTime(a, b string) bool {
	x, errA := time.Parse(time.RFC3339, a)
	y, errB := time.Parse(time.RFC3339, b)
	if errA != nil || errB != nil {
		return a == b
	}
	return x.Truncate(time.Second).Equal(y.Truncate(time.Second))
}

// Index is the content of index.json.
type Index map[memory.ID]IndexEntry

type indexJSON struct {
	Version  int                       `json:"version"`
	Memories map[memory.ID]*IndexEntry `json:"memories"`
}

// entryOf returns the entry that a record should have.
func entryOf(m memory.Memory, by []memory.ID) IndexEntry {
	tags := m.Tags
	if tags == nil {
		tags = []string{}
	}
	created := ""
	if !m.CreatedAt.IsZero() {
		created = m.CreatedAt.UTC().Format(time.RFC3339)
	}
	return IndexEntry{m.Topic, tags, m.Phase, m.Difficulty, created, by}
}

// IndexOf returns the index that a snapshot should have.
func IndexOf(s *Snapshot) Index {
	index := make(Index, len(s.Records))
	for _, r := range s.Records {
		index[r.ID] = entryOf(*r.Memory, s.Links().SupersededBy(r.ID))
	}
	return index
}

// encodeIndex returns what encodeJSON would, in a fraction of its time: every stored memory rewrites the whole file.
func encodeIndex(index Index) []byte {
	b := make([]byte, 0, 64+len(index)*256)
	b = append(b, "{\n  \"version\": "...)
	b = strconv.AppendInt(b, formatVersion, 10)
	b = append(b, ",\n  \"memories\": {"...)
	for i, id := range slices.Sorted(maps.Keys(index)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n    "...)
		b = appendJSONString(b, string(id))
		b = appendEntry(append(b, ": {"...), index[id])
		b = append(b, "\n    }"...)
	}
	if len(index) > 0 {
		b = append(b, "\n  "...)
	}
	return append(b, "}\n}\n"...)
}

func appendEntry(b []byte, e IndexEntry) []byte {
	b = appendJSONString(append(b, "\n      \"topic\": "...), e.Topic)
	b = append(b, ",\n      \"tags\": ["...)
	for i, tag := range e.Tags {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSONString(append(b, "\n        "...), tag)
	}
	if len(e.Tags) > 0 {
		b = append(b, "\n      "...)
	}
	b = append(b, "],\n      \"phase\": "...)
	b = strconv.AppendInt(b, int64(e.Phase), 10)
	b = append(b, ",\n      \"difficulty\": "...)
	b = strconv.AppendFloat(b, e.Difficulty, 'f', -1, 64)
	b = append(b, ",\n      \"created_at\": "...)
	if e.CreatedAt == "" {
		b = append(b, "null"...)
	} else {
		b = appendJSONString(b, e.CreatedAt)
	}
	if len(e.SupersededBy) == 0 {
		return b
	}
	b = append(b, ",\n      \"superseded_by\": ["...)
	for i, id := range e.SupersededBy {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSONString(append(b, "\n        "...), string(id))
	}
	return append(b, "\n      ]"...)
}

// appendJSONString quotes s. Only text that is not plain ASCII needs encoding/json.
func appendJSONString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := encodeJSON(s)
			if err != nil {
				return append(b, `""`...) // encoding a string never fails
			}
			return append(b, bytes.TrimSuffix(quoted, []byte("\n"))...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func decodeIndex(name string, data []byte) (Index, error) {
	var v indexJSON
	if err := decodeVersioned(name, data, &v, &v.Version); err != nil {
		return nil, err
	}
	index := make(Index, len(v.Memories))
	for id, e := range v.Memories {
		if e != nil {
			index[id] = *e
		}
	}
	return index, nil
}

// Index returns the content of index.json.
func (v *View) Index() (Index, error) {
	return readVersioned(v.root, indexFile, Index{}, func(b []byte) (Index, error) { return decodeIndex(indexFile, b) })
}

// WriteIndex brings index.json up to date with the memories, for other programs: ltm itself reads the memories. It
// writes the file only if its bytes differ, and refuses to replace one of a newer version.
func (tx *Tx) WriteIndex() error {
	snapshot, err := tx.Memories()
	if err != nil {
		return err
	}
	if _, err := tx.Index(); memory.CodeOf(err) == memory.CodeConflict {
		return err
	}
	old, err := regular.Read(tx.root, indexFile, maxJSONBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !notOurs(err) {
		return storageError(err, "read", indexFile)
	}
	data := encodeIndex(IndexOf(snapshot))
	if bytes.Equal(old, data) {
		return nil
	}
	return tx.standing(storageError(atomicfile.Replace(tx.root, indexFile, data), "write", indexFile))
}
