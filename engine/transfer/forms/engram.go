package forms

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"ltm/engine/transfer"
	"ltm/internal/plural"
	"ltm/memory"
)

// Engram is the output of `engram export` of Gentleman-Programming/engram: one JSON object with version, exported_at,
// sessions, observations and prompts, and since 0.2.0 relations between observations. An observation becomes a memory.
// Sessions, prompts and deleted observations do not.
type Engram struct{}

type engramExport struct {
	Version      *string             `json:"version"`
	Sessions     []json.RawMessage   `json:"sessions"`
	Observations []engramObservation `json:"observations"`
	Prompts      []json.RawMessage   `json:"prompts"`
	Relations    []engramRelation    `json:"relations"`
	Table        []engramRelation    `json:"memory_relations"` // the same, by the name of its table
}

type engramObservation struct {
	ID        int64   `json:"id"`
	SyncID    string  `json:"sync_id"`
	Type      string  `json:"type"`
	Title     string  `json:"title"`
	Content   string  `json:"content"`
	Project   *string `json:"project"`
	Scope     string  `json:"scope"`
	TopicKey  *string `json:"topic_key"`
	Pinned    bool    `json:"pinned"`
	CreatedAt string  `json:"created_at"`
	DeletedAt *string `json:"deleted_at"`
}

type engramRelation struct {
	SourceID       string `json:"source_id"`
	TargetID       string `json:"target_id"`
	Relation       string `json:"relation"`
	JudgmentStatus string `json:"judgment_status"`
}

// Name implements [transfer.Form].
func (Engram) Name() string { return "engram" }

// Recognize implements [transfer.Form].
func (Engram) Recognize(s transfer.Source) bool {
	data := bytes.TrimLeft(bytes.TrimPrefix(s.Document(), []byte(byteOrderMark)), " \t\r\n")
	if len(data) == 0 || data[0] != '{' {
		return false
	}
	head := data[:min(len(data), 4<<10)]
	return bytes.Contains(head, []byte(`"version"`)) && bytes.Contains(head, []byte(`"exported_at"`)) &&
		bytes.Contains(data, []byte(`"observations"`))
}

// Read implements [transfer.Form].
func (f Engram) Read(s transfer.Source, here transfer.Here) (transfer.Reading, error) {
	r := transfer.Reading{System: f.Name()}
	if s.Dir || len(s.Files) != 1 {
		return r, transfer.Malformed(s.Name, "%s is a directory; the form %s is one file", quoted(s.Name), f.Name())
	}
	data := bytes.TrimPrefix(s.Files[0].Data, []byte(byteOrderMark))
	if !utf8.Valid(data) {
		return r, transfer.Malformed(s.Name, "%s is not UTF-8 text", quoted(s.Name))
	}
	var version struct{ Version *string }
	if err := json.Unmarshal(data, &version); err != nil || version.Version == nil {
		return r, notEngram(s.Name, err)
	}
	r.Version = *version.Version
	// These are the versions of the export, which are not those of the program.
	if err := knownVersion(f.Name(), r.Version, []string{"0.1.0", "0.2.0"}); err != nil {
		return r, err
	}
	var v engramExport
	if err := json.Unmarshal(data, &v); err != nil {
		return r, notEngram(s.Name, err)
	}
	deleted := 0
	for i, o := range v.Observations {
		if o.DeletedAt != nil && *o.DeletedAt != "" {
			deleted++
			continue
		}
		r.Items = append(r.Items, o.item(i, here, s.Files[0].Modified))
	}
	relateObservations(r.Items, append(v.Relations, v.Table...))
	keepKeysApart(r.Items)
	r.Remarks = append(leftOut(len(v.Sessions), "session", "sessions"), leftOut(len(v.Prompts), "prompt", "prompts")...)
	r.Remarks = append(r.Remarks, leftOut(deleted, "deleted observation", "deleted observations")...)
	return r, nil
}

func notEngram(name string, err error) error {
	if err == nil {
		return transfer.Malformed(name, `%s is not an export of engram: it has no "version"`, quoted(name))
	}
	return transfer.Malformed(name, "%s is not an export of engram: %v", quoted(name), err)
}

// knownVersion refuses other versions of a form than those.
func knownVersion(form, version string, known []string) error {
	if slices.Contains(known, version) {
		return nil
	}
	return transfer.OtherVersion(form, version, known...)
}

// leftOut remarks how much of a document is not taken.
func leftOut(n int, one, many string) []memory.Remark {
	if n == 0 {
		return nil
	}
	return memory.Say(plural.Of(n, one, many) + " left out")
}

// item makes an item of an observation.
func (o engramObservation) item(i int, here transfer.Here, modified time.Time) transfer.Item {
	key := cmp.Or(o.SyncID, "observation-"+strconv.FormatInt(o.ID, 10))
	item := transfer.Item{Entry: "observations[" + strconv.Itoa(i) + "] " + quoted(o.Title), Key: key}
	topic := cmp.Or(memory.ClipTopic(o.Title), title(o.Content))
	at, ok := timeOf(o.CreatedAt, time.UTC) // SQLite's datetime('now')
	if !ok {
		at = modified
		if o.CreatedAt != "" {
			item.Err = transfer.Malformed(item.Entry, "its created_at, %s, is not a time", quoted(o.CreatedAt))
		}
	}
	item.Memory = memory.Memory{Topic: topic, Content: o.Content, CreatedAt: at}
	if strings.TrimSpace(o.Content) == "" {
		item.Memory.Content = o.Title
	}
	if strings.TrimSpace(item.Memory.Content) == "" {
		item.Err = transfer.Malformed(item.Entry, "it has neither a title nor a content")
	}
	item.Memory.Tags, item.Remarks = tagsOf(o.Type)
	if o.Pinned {
		item.Memory.Tags = memory.WithImportance(item.Memory.Tags, memory.Critical)
	}
	if o.Project != nil {
		item.Project = *o.Project
	}
	if o.Scope == "personal" || o.Scope == "global" {
		item.Scope = transfer.ScopeUser
	}
	return item
}

// relateObservations adds the relations that were judged.
func relateObservations(items []transfer.Item, relations []engramRelation) {
	index := map[string]int{}
	for i, item := range items {
		index[item.Key] = i
	}
	seen := map[[2]string]bool{}
	for _, rel := range relations {
		from, known := index[rel.SourceID]
		_, target := index[rel.TargetID]
		pair := [2]string{rel.SourceID, rel.TargetID}
		if !known || !target || rel.SourceID == rel.TargetID || rel.JudgmentStatus != "judged" || seen[pair] {
			continue
		}
		item := &items[from]
		switch rel.Relation {
		case "supersedes":
			item.Supersedes = append(item.Supersedes, rel.TargetID)
		case "conflicts_with":
			item.Disputes = append(item.Disputes, rel.TargetID)
		case "related", "compatible", "scoped":
			item.Related = append(item.Related, rel.TargetID)
		default:
			continue
		}
		seen[pair] = true
	}
	for i := range items {
		for _, list := range []*[]string{&items[i].Related, &items[i].Supersedes, &items[i].Disputes} {
			var remarks []memory.Remark
			*list, remarks = bounded(*list)
			items[i].Remarks = append(items[i].Remarks, remarks...)
		}
	}
}

// keepKeysApart refuses entries whose key another one has.
func keepKeysApart(items []transfer.Item) {
	first := map[string]string{}
	for i := range items {
		item := &items[i]
		entry, known := first[item.Key]
		switch {
		case !known:
			first[item.Key] = item.Entry
		case item.Err == nil:
			item.Err = transfer.Malformed(item.Entry, "it has the same id as %s", entry)
		}
	}
}
