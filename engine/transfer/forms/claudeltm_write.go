package forms

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"ltm/engine/transfer"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/text/abridge"
)

// claudeDocument is what Claude-LTM exports, in the order of its keys.
type claudeDocument struct {
	Version    string        `json:"version"`
	ExportedAt string        `json:"exported_at"`
	Agent      claudeName    `json:"agent"`
	Project    claudeName    `json:"project"`
	Memories   []claudeWrite `json:"memories"`
}

type claudeName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type claudeWrite struct {
	ID           string  `json:"id"`
	Region       string  `json:"region"`
	Kind         string  `json:"kind"`
	Content      string  `json:"content"`
	Impact       string  `json:"impact"`
	Confidence   float64 `json:"confidence"`
	CreatedAt    string  `json:"created_at"`
	LastAccessed string  `json:"last_accessed"`
	ProjectID    string  `json:"project_id,omitempty"`
	Original     string  `json:"original_content,omitempty"`
	Superseded   string  `json:"superseded_by,omitempty"`
	AgentID      string  `json:"agent_id,omitempty"` // its exports have none, and its import takes it
}

// The agent that Claude-LTM assumes where none is configured.
const (
	claudeAgent     = "anima"
	claudeAgentName = "Anima"
)

// WriteClaudeLTM returns the document of memories in the form of Claude-LTM. It has no place for
// topics, tags, and links but one, and none for memories that are archived, unless another one has
// superseded them. leftOut is how many of those there are.
func WriteClaudeLTM(records []transfer.OwnRecord, here transfer.Here) (data []byte, leftOut int, err error) {
	w := claudeWriter{here: here, keys: map[memory.ID]string{}, used: map[string]bool{}, by: map[memory.ID]memory.ID{}}
	for _, r := range records {
		w.learn(r)
	}
	doc := claudeDocument{Version: claudeVersion, ExportedAt: claudeTime(here.Now),
		Agent:   claudeName{cmp.Or(w.agent, claudeAgent), cmp.Or(w.agent, claudeAgentName)},
		Project: claudeName{transfer.Slug(here.Project), here.Project}, Memories: []claudeWrite{}}
	for _, r := range records {
		if m, ok := w.entry(r); ok {
			doc.Memories = append(doc.Memories, m)
		} else {
			leftOut++
		}
	}
	if len(doc.Memories) == 0 {
		return nil, leftOut, memory.NewError(memory.CodeNotFound, memory.KindExportEmpty, "",
			"there is nothing that can be exported to the form %s", SystemClaudeLTM)
	}
	slices.SortStableFunc(doc.Memories, func(a, b claudeWrite) int {
		return cmp.Or(strings.Compare(b.CreatedAt, a.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return nil, leftOut, err
	}
	whole := regexp.MustCompile(`(?m)^(      "confidence": [01]),$`).ReplaceAll(b.Bytes(), []byte("$1.0,")) // as Python
	return bytes.TrimRight(whole, "\n"), leftOut, nil
}

type claudeWriter struct {
	here  transfer.Here
	agent string               // the first one that an origin names
	keys  map[memory.ID]string // ids there
	used  map[string]bool
	by    map[memory.ID]memory.ID // superseded → by
}

// learn collects what the entries of other records depend on.
func (w *claudeWriter) learn(r transfer.OwnRecord) {
	text, _, ok := textOf(r)
	w.keys[r.ID] = string(r.ID)
	if o := text.Origin; o != nil && o.System == SystemClaudeLTM && !w.used[o.ID] {
		w.used[o.ID] = true // a copy of a memory has its origin too
		w.keys[r.ID] = o.ID
		w.agent = cmp.Or(w.agent, o.Agent)
	}
	if !ok {
		return
	}
	for _, old := range text.Supersedes {
		w.by[old] = r.ID
	}
}

// textOf returns the full text of a record, and the reason why it is archived.
func textOf(r transfer.OwnRecord) (text memory.Memory, archived string, ok bool) {
	h := transfer.Holding{Versions: transfer.NewestFirst(r.Versions)}
	if r.File != nil {
		file, err := memfile.Parse(r.File)
		if err != nil {
			return memory.Memory{}, "", false
		}
		if h.File = file; file.Memory.IsStub() {
			archived = file.Memory.ArchivedReason
		}
	}
	text = h.Text()
	text.Agent = h.Agent()
	if h.File == nil {
		archived = memory.ReasonForgotten
	}
	return text, archived, !text.IsStub() && text.Content != "" && !text.Conflicted
}

func (w *claudeWriter) entry(r transfer.OwnRecord) (claudeWrite, bool) {
	m, archived, ok := textOf(r)
	by, superseded := w.by[r.ID]
	if !ok || archived != "" && !(superseded && archived == memory.ReasonSuperseded) {
		return claudeWrite{}, false
	}
	e := claudeWrite{ID: w.keys[r.ID], Region: "PROJECT", Kind: strings.ToUpper(string(cmp.Or(m.Category,
		memory.Learnings))), Impact: impactOf(m), Confidence: 1, CreatedAt: claudeTime(m.CreatedAt),
		ProjectID: transfer.Slug(w.here.Project)}
	e.LastAccessed, e.AgentID = e.CreatedAt, m.Agent
	if r.Scope == transfer.ScopeUser {
		e.Region, e.ProjectID = "AGENT", ""
	}
	if m.Confidence != nil {
		e.Confidence = *m.Confidence
	}
	if archived != "" {
		e.Superseded = w.keys[by]
	}
	e.Original = withTopic(m)
	e.Content = e.Original
	if m.Origin != nil && m.Origin.System == SystemClaudeLTM && m.Summary != abridge.FirstParagraph(m.Content) {
		e.Content = m.Summary // its short text, as it came from there
	}
	return e, true
}

// withTopic returns the content below the topic, unless it begins with it.
func withTopic(m memory.Memory) string {
	if strings.HasPrefix(transfer.TopicOf(m.Content), strings.TrimSuffix(m.Topic, "…")) {
		return m.Content
	}
	return m.Topic + "\n\n" + m.Content
}

func impactOf(m memory.Memory) string {
	for name, level := range impacts() {
		if level == m.Importance() {
			return name
		}
	}
	return "MEDIUM"
}

// claudeTime writes a time as Python's isoformat does. A memory without one is as old as can be.
func claudeTime(at time.Time) string {
	if at.IsZero() {
		at = time.Unix(0, 0)
	}
	at = at.UTC().Truncate(time.Microsecond)
	layout := "2006-01-02T15:04:05-07:00"
	if at.Nanosecond() != 0 {
		layout = "2006-01-02T15:04:05.000000-07:00"
	}
	return at.Format(layout)
}
