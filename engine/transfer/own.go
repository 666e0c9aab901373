package transfer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/memfile"
)

// SystemLTM names this program in origins.
const SystemLTM = "ltm"

// ownVersion is the version of ltm's own form.
const ownVersion = 1

// Own is ltm's own form: a JSON document with the files of memories, byte for byte, one memory a
// line and sorted by id, so that the same memories always give the same document.
//
//	{"form":"ltm","version":1,"memories":[
//	{"id":"mem_1a2b3c4d","scope":"project","file":"---\n…","archives":[{"name":"mem_1a2b3c4d.md","text":"…"}]}
//	]}
type Own struct{}

// ownEntry is a memory in the document.
type ownEntry struct {
	ID       memory.ID    `json:"id"`
	Scope    Scope        `json:"scope,omitempty"`
	File     *string      `json:"file,omitempty"`
	Archives []ownArchive `json:"archives,omitempty"`
}

type ownArchive struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Name returns "ltm".
func (Own) Name() string { return SystemLTM }

// Recognize reports whether a document begins as [WriteOwn] begins it.
func (Own) Recognize(s Source) bool {
	d := json.NewDecoder(bytes.NewReader(s.Document()))
	for _, want := range []json.Token{json.Delim('{'), "form", SystemLTM} {
		if got, err := d.Token(); err != nil || got != want {
			return false
		}
	}
	return true
}

// Read reads a document of version 1.
func (f Own) Read(s Source, _ Here) (Reading, error) {
	r := Reading{System: SystemLTM}
	version := json.RawMessage(nil)
	err := Object(s.Document(), map[string]func(*json.Decoder) error{
		"form":    Skip,
		"version": Into(&version),
		"memories": func(d *json.Decoder) error {
			if r.Version = string(version); r.Version != fmt.Sprint(ownVersion) {
				return OtherVersion(f.Name(), string(version), fmt.Sprint(ownVersion))
			}
			return Each(d, func(n int, raw json.RawMessage) { r.Items = append(r.Items, readOwn(n, raw)) })
		},
	})
	if err != nil {
		return Reading{}, err
	}
	if r.Version == "" && string(version) != fmt.Sprint(ownVersion) {
		return Reading{}, OtherVersion(f.Name(), string(version), fmt.Sprint(ownVersion))
	}
	return r, nil
}

// readOwn reads one memory.
func readOwn(n int, raw json.RawMessage) Item {
	item := Item{Entry: fmt.Sprintf("memories[%d]", n)}
	var e ownEntry
	if err := json.Unmarshal(raw, &e); err != nil {
		item.Err = Malformed(item.Entry, "%s", Plain(err))
		return item
	}
	item.Key = string(e.ID)
	item.Entry += " " + memory.Quote(string(e.ID), maxShown)
	item.Err = item.takeOwn(e)
	return item
}

func (item *Item) takeOwn(e ownEntry) error {
	if id, err := memory.ParseID(string(e.ID)); err != nil || id != e.ID {
		return Malformed(item.Entry, "its id is not that of a memory")
	}
	switch e.Scope {
	case "", ScopeProject, ScopeUser:
	default:
		return Malformed(item.Entry, "its scope is %s; allowed: project, user", memory.Quote(string(e.Scope), maxShown))
	}
	item.Scope, item.WantID, item.Own = e.Scope, e.ID, &Record{}
	if e.File != nil {
		item.Own.File = []byte(*e.File)
		file, err := memfile.Parse(item.Own.File)
		if err != nil {
			return Malformed(item.Entry, "its file cannot be read: %v", err)
		}
		if file.Memory.ID != "" && file.Memory.ID != e.ID {
			return Malformed(item.Entry, "its file has the id %s", file.Memory.ID)
		}
		item.Memory = file.Memory
	}
	names := map[string]bool{}
	for _, a := range e.Archives {
		if err := item.takeVersion(e.ID, a, names); err != nil {
			return err
		}
	}
	if e.File == nil && len(e.Archives) == 0 {
		return Malformed(item.Entry, "it has neither a file nor archives")
	}
	if item.Memory.Topic == "" || item.Memory.IsStub() {
		text := Holding{Versions: NewestFirst(item.Own.Versions)}.Text()
		if text.Topic != "" {
			item.Memory.Topic, item.Memory.CreatedAt = text.Topic, text.CreatedAt
		}
	}
	return nil
}

func (item *Item) takeVersion(id memory.ID, a ownArchive, names map[string]bool) error {
	owner, number, ok := memory.ParseArchiveName(a.Name)
	data := []byte(a.Text)
	switch {
	case !ok || owner != id:
		return Malformed(item.Entry, "%s is not the name of an archive of it", memory.Quote(a.Name, maxShown))
	case names[a.Name]:
		return Malformed(item.Entry, "the archive %s is there twice", a.Name)
	case number > 0 && a.Name != memfile.VersionName(id, number, data):
		return Malformed(item.Entry, "the text of the archive %s is not the one that its name stands for", a.Name)
	}
	if file, err := memfile.Parse(data); err != nil {
		return Malformed(item.Entry, "the archive %s cannot be read: %v", a.Name, err)
	} else if file.Memory.ID != "" && file.Memory.ID != id {
		return Malformed(item.Entry, "the archive %s has the id %s", a.Name, file.Memory.ID)
	}
	names[a.Name] = true
	item.Own.Versions = append(item.Own.Versions, Version{a.Name, data})
	return nil
}

// NewestFirst returns versions by their numbers, the newest first.
func NewestFirst(versions []Version) []Version {
	sorted := slices.Clone(versions)
	slices.SortStableFunc(sorted, func(a, b Version) int {
		_, x, _ := memory.ParseArchiveName(a.Name)
		_, y, _ := memory.ParseArchiveName(b.Name)
		return cmp.Or(y-x, strings.Compare(b.Name, a.Name))
	})
	return sorted
}

// versionLike returns the name of a version with the number of another and a new text.
func versionLike(name string, data []byte) string {
	id, number, _ := memory.ParseArchiveName(name)
	return memfile.VersionName(id, number, data)
}

// OwnRecord is a memory to export.
type OwnRecord struct {
	ID    memory.ID
	Scope Scope
	Record
}

// WriteOwn returns the document of memories, whose texts are valid UTF-8.
func WriteOwn(records []OwnRecord) ([]byte, error) {
	sorted := slices.Clone(records)
	slices.SortFunc(sorted, func(a, b OwnRecord) int {
		return strings.Compare(string(a.ID)+string(a.Scope), string(b.ID)+string(b.Scope))
	})
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"form\":%q,\"version\":%d,\"memories\":[", SystemLTM, ownVersion)
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, r := range sorted {
		if i > 0 {
			b.Truncate(b.Len() - 1)
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		entry := ownEntry{ID: r.ID, Scope: r.Scope}
		if r.File != nil {
			text := string(r.File)
			entry.File = &text
		}
		versions := NewestFirst(r.Versions)
		for _, v := range slices.Backward(versions) {
			entry.Archives = append(entry.Archives, ownArchive{v.Name, string(v.Data)})
		}
		if err := e.Encode(entry); err != nil {
			return nil, err
		}
		if b.Len() > MaxDocumentBytes {
			return nil, TooLarge("", "the document")
		}
	}
	b.WriteString("]}\n")
	return b.Bytes(), nil
}

// Size returns the bytes of all files of a record.
func (r Record) Size() int {
	n := len(r.File)
	for _, v := range r.Versions {
		n += len(v.Data)
	}
	return n
}
