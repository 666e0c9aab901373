package forms

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"ltm/engine/transfer"
	"ltm/memory"
)

// SystemClaudeLTM names Claude-LTM in origins. It is also the name of its form.
const SystemClaudeLTM = "claude-ltm"

// claudeVersion is the only version of the form, which its program writes and does not read.
const claudeVersion = "1.0"

// forgottenMark begins the notes that Claude-LTM keeps of what was forgotten.
const forgottenMark = "[FORGOTTEN] "

// ClaudeLTM reads the export of Claude-LTM 0.5.0: a JSON object with version, exported_at, agent,
// project and memories. Its export has no signatures; Signatures may hold those of its database.
type ClaudeLTM struct {
	Signatures *Signatures
}

// Name returns "claude-ltm".
func (ClaudeLTM) Name() string { return SystemClaudeLTM }

// Recognize reports whether a document is an object with version, agent and memories.
func (ClaudeLTM) Recognize(s transfer.Source) bool {
	data := s.Document()
	if data == nil || !bytes.Contains(data, []byte(`"memories"`)) || !bytes.Contains(data, []byte(`"agent"`)) {
		return false
	}
	seen := 0
	see := func(d *json.Decoder) error {
		if seen++; seen == 3 {
			return errSeen
		}
		return transfer.Skip(d)
	}
	err := transfer.Object(data, map[string]func(*json.Decoder) error{"version": see, "agent": see, "memories": see})
	return seen >= 2 && err != nil // one that is cut off is still its own
}

// errSeen ends the reading of a document in which all keys have been seen.
var errSeen = errors.New("seen")

// claudeEntry is a memory in the document. Every value is kept as it is written, so that an error can
// name it, and because a signature covers some.
type claudeEntry struct {
	ID         json.RawMessage `json:"id"`
	Region     json.RawMessage `json:"region"`
	Kind       json.RawMessage `json:"kind"`
	Content    json.RawMessage `json:"content"`
	Impact     json.RawMessage `json:"impact"`
	Confidence json.RawMessage `json:"confidence"`
	CreatedAt  json.RawMessage `json:"created_at"`
	ProjectID  json.RawMessage `json:"project_id"`
	Original   json.RawMessage `json:"original_content"`
	Previous   json.RawMessage `json:"previous_memory_id"`
	Superseded json.RawMessage `json:"superseded_by"`
	AgentID    json.RawMessage `json:"agent_id"`
}

// Read reads a document of version 1.0.
func (f ClaudeLTM) Read(s transfer.Source, here transfer.Here) (transfer.Reading, error) {
	var agent, project struct {
		ID string `json:"id"`
	}
	version, entries := json.RawMessage("null"), []json.RawMessage{}
	err := transfer.Object(s.Document(), map[string]func(*json.Decoder) error{
		"version": transfer.Into(&version), "agent": transfer.Into(&agent), "project": transfer.Into(&project),
		"memories": func(d *json.Decoder) error {
			return transfer.Each(d, func(_ int, raw json.RawMessage) { entries = append(entries, raw) })
		},
	})
	if err != nil {
		return transfer.Reading{}, err
	}
	var number string
	if json.Unmarshal(version, &number) != nil || number != claudeVersion {
		return transfer.Reading{}, transfer.OtherVersion(f.Name(), strings.Trim(string(version), `"`), claudeVersion)
	}
	r := transfer.Reading{System: SystemClaudeLTM, Version: number, Project: project.ID, Agent: agent.ID}
	zoneless := 0
	for n, raw := range entries {
		e := claudeReader{agent: agent.ID, here: here, signatures: f.Signatures}
		item := e.read(n, raw)
		if e.zoneless {
			zoneless++
		}
		r.Items = append(r.Items, item)
	}
	if zoneless > 0 {
		r.Remarks = append(r.Remarks, memory.Remark{Text: fmt.Sprintf(
			"%d times have no zone and count as times in the zone %s", zoneless, zoneName(here))})
	}
	return r, nil
}

// zoneName returns the zone's name for people: the zone of this machine is called "Local".
func zoneName(here transfer.Here) string {
	zone := cmp.Or(here.Zone, time.UTC)
	name, _ := here.Now.In(zone).Zone()
	if zone.String() != "Local" {
		name = zone.String()
	}
	return name
}

// claudeReader reads one memory.
type claudeReader struct {
	agent      string
	here       transfer.Here
	signatures *Signatures
	zoneless   bool
	entry      string
	err        error // the first one
}

func (c *claudeReader) fail(format string, args ...any) {
	if c.err == nil {
		c.err = transfer.Malformed(c.entry, format, args...)
	}
}

// text returns a string. Without one it is "", which is an error if it is required.
func (c *claudeReader) text(key string, raw json.RawMessage, need need) string {
	if len(raw) == 0 || string(raw) == "null" {
		if need == required {
			c.fail("%s is missing", key)
		}
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		c.fail("%s is not a text", key)
	}
	return s
}

// need reports whether a key must be there.
type need int

const (
	optional need = iota
	required
)

func (c *claudeReader) read(n int, raw json.RawMessage) transfer.Item {
	c.entry = fmt.Sprintf("memories[%d]", n)
	item := transfer.Item{Entry: c.entry, Agent: c.agent}
	var e claudeEntry
	if err := json.Unmarshal(raw, &e); err != nil || !bytes.HasPrefix(raw, []byte("{")) {
		item.Err = transfer.Malformed(c.entry, "it is not an object")
		return item
	}
	item.Key = c.text("id", e.ID, required)
	c.entry += " " + memory.Quote(item.Key, 60)
	item.Entry = c.entry
	if item.WantID = uuidID(item.Key); item.Key == "" {
		c.fail("id is empty")
	}
	item.Project = c.text("project_id", e.ProjectID, optional)
	region := c.text("region", e.Region, required)
	item.Scope = c.scope(region)
	if item.Scope == transfer.ScopeUser {
		item.Project = ""
	}
	m := &item.Memory
	m.Category = c.category(c.text("kind", e.Kind, required))
	m.Tags = memory.WithImportance(nil, c.importance(c.text("impact", e.Impact, required)))
	m.Confidence = c.confidence(e.Confidence)
	agent, err := memory.NormalizeAgent(c.text("agent_id", e.AgentID, optional))
	if m.Agent = agent; err != nil {
		c.fail("%v", err)
	}
	m.CreatedAt = c.time(c.text("created_at", e.CreatedAt, required), &item)
	c.texts(&item, e)
	item.Err = c.err
	if c.err == nil && c.signatures != nil {
		c.signatures.judge(&item, e)
	}
	return item
}

// texts reads the texts and what they decide.
func (c *claudeReader) texts(item *transfer.Item, e claudeEntry) {
	content := c.text("content", e.Content, required)
	original := cmp.Or(c.text("original_content", e.Original, optional), content)
	if item.WantID == "" && seedID().MatchString(item.Key) {
		content, original = withoutPrefixes(content), withoutPrefixes(original)
	}
	m := &item.Memory
	if m.Content = original; content != original {
		m.Summary = content
	}
	previous := c.text("previous_memory_id", e.Previous, optional)
	if by := c.text("superseded_by", e.Superseded, optional); by != "" {
		item.SupersededBy = []string{by}
	}
	if m.Confidence != nil && *m.Confidence == 0 && strings.HasPrefix(content, forgottenMark) {
		if item.Forgets = previous; previous == "" {
			item.Forgets = "(unknown)"
		}
		return
	}
	if strings.TrimSpace(original) == "" {
		c.fail("content and original_content are empty")
	}
}

func (c *claudeReader) scope(region string) transfer.Scope {
	switch strings.ToUpper(region) {
	case "AGENT":
		return transfer.ScopeUser
	case "PROJECT":
		return transfer.ScopeProject
	}
	c.fail("region is %s; allowed: AGENT, PROJECT", memory.Quote(region, 40))
	return ""
}

func (c *claudeReader) category(kind string) memory.Category {
	switch strings.ToUpper(kind) {
	case "EMOTIONAL", "ARCHITECTURAL", "LEARNINGS", "ACHIEVEMENTS":
		return memory.Category(strings.ToLower(kind))
	}
	c.fail("kind is %s; allowed: EMOTIONAL, ARCHITECTURAL, LEARNINGS, ACHIEVEMENTS", memory.Quote(kind, 40))
	return ""
}

// impacts are the importances by their names there.
func impacts() map[string]memory.Importance {
	return map[string]memory.Importance{"CRITICAL": memory.Critical, "HIGH": memory.Important, "MEDIUM": memory.Normal,
		"LOW": memory.Low}
}

func (c *claudeReader) importance(impact string) memory.Importance {
	level, ok := impacts()[strings.ToUpper(impact)]
	if !ok {
		c.fail("impact is %s; allowed: CRITICAL, HIGH, MEDIUM, LOW", memory.Quote(impact, 40))
	}
	return level
}

func (c *claudeReader) confidence(raw json.RawMessage) *float64 {
	if len(raw) == 0 {
		return nil
	}
	var v *float64
	if json.Unmarshal(raw, &v) != nil || v == nil {
		c.fail("confidence is not a number")
		return nil
	}
	sure, err := memory.RoundedSureness(*v)
	if err != nil {
		c.fail("confidence is %v; allowed: a number from 0 to 1", *v)
	}
	return sure
}

// time reads a time as Python's isoformat writes it: with an offset, or in this machine's zone.
func (c *claudeReader) time(text string, item *transfer.Item) time.Time {
	if text == "" {
		c.fail("created_at is empty")
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	known := err == nil && at.Year() > 0
	if err != nil {
		at, known = timeOf(text, c.here.Zone)
		c.zoneless = known
	}
	if !known {
		c.fail("created_at is %s, which is not a time such as 2026-02-27T18:02:11+01:00", memory.Quote(text, 40))
		return time.Time{}
	}
	if at.After(c.here.Now) {
		item.Remarks = append(item.Remarks, memory.Remark{Text: "it was created in the future, at " + text})
	}
	return at.UTC()
}

var uuid = pattern(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// uuidID returns the id that people know a memory by: the first eight digits of its UUID.
func uuidID(key string) memory.ID {
	if !uuid().MatchString(key) {
		return ""
	}
	id, err := memory.ParseID(key[:8])
	if err != nil {
		return ""
	}
	return id
}

// seedID matches the ids of memories that came from Claude-LTM's own files of seeds.
func seedID() *regexp.Regexp { return regexp.MustCompile(`^[A-Z]+-\d{4}-\d{2}-\d{2}-\d+$`) }

// withoutPrefixes takes the marks of Claude-LTM's block off the starts of lines.
func withoutPrefixes(text string) string {
	return regexp.MustCompile(`(?m)^⚠?~(EMOT|ARCH|LEARN|ACHV):(LOW|MED|HIGH|CRIT)\??\| ?`).ReplaceAllString(text, "")
}
