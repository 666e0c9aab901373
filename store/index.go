package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
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
	CreatedAt  IndexTime    `json:"created_at"`

	SupersededBy []memory.ID `json:"superseded_by,omitempty"` // by memories and stubs, sorted
}

// Equal reports whether two entries are equal.
func (e IndexEntry) Equal(o IndexEntry) bool {
	return slices.Equal(e.Tags, o.Tags) && e.Topic == o.Topic && e.Phase == o.Phase && e.Difficulty == o.Difficulty &&
		sameTime(e.CreatedAt, o.CreatedAt) && slices.Equal(e.SupersededBy, o.SupersededBy)
}

// sameTime reports whether two texts are the same time, to the second: other programs write fractions and offsets.
func sameTime(a, b IndexTime) bool {
	x, errA := time.Parse(time.RFC3339, string(a))
	y, errB := time.Parse(time.RFC3339, string(b))
	if errA != nil || errB != nil {
		return a == b
	}
	return x.Truncate(time.Second).Equal(y.Truncate(time.Second))
}

// Index is the content of index.json.
type Index map[memory.ID]IndexEntry

type indexJSON struct {
	Version  int   `json:"version"`
	Memories Index `json:"memories"`
}

// IndexTime is in RFC 3339. Empty, and null in the file, is unknown.
type IndexTime string

func (t IndexTime) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

func entryOf(m memory.Memory, by []memory.ID) IndexEntry {
	tags := m.Tags
	if tags == nil {
		tags = []string{}
	}
	created := IndexTime("")
	if !m.CreatedAt.IsZero() {
		created = IndexTime(m.CreatedAt.UTC().Format(time.RFC3339))
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

func decodeIndex(data []byte) (Index, error) {
	v := indexJSON{Memories: Index{}}
	err := decodeVersioned(indexFile, data, &v, &v.Version)
	return v.Memories, err
}

// Index returns the content of index.json.
func (v *View) Index() (Index, error) {
	return readVersioned(v.root, indexFile, Index{}, decodeIndex)
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
	data, err := encodeJSON(indexJSON{formatVersion, IndexOf(snapshot)})
	if err != nil || bytes.Equal(old, data) {
		return err
	}
	return tx.standing(storageError(atomicfile.Replace(tx.root, indexFile, data), "write", indexFile))
}
