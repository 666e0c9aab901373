package transfer_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/memory"
	"ltm/memory/memfile"
)

// requireClaudeLTM requires that Claude-LTM imports a document: its rules, and those that its own
// exports follow.
func requireClaudeLTM(t *testing.T, data []byte) (memories []map[string]any) {
	t.Helper()
	require.NotEqual(t, byte('\n'), data[len(data)-1], "no newline at the end")
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, data, "", "  "))
	require.Equal(t, indented.String(), string(data), "two spaces")
	require.NotContains(t, string(data), `\u00`, "letters are not escaped")
	require.Equal(t, []string{"version", "exported_at", "agent", "project", "memories"}, keysOf(t, data))
	var doc struct {
		Version    string            `json:"version"`
		ExportedAt string            `json:"exported_at"`
		Agent      map[string]string `json:"agent"`
		Project    map[string]string `json:"project"`
		Memories   []json.RawMessage `json:"memories"`
	}
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Equal(t, "1.0", doc.Version)
	iso := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$`)
	require.Regexp(t, iso, doc.ExportedAt)
	require.NotEmpty(t, doc.Agent["id"])
	require.NotEmpty(t, doc.Project["id"])
	order := []string{"id", "region", "kind", "content", "impact", "confidence", "created_at", "last_accessed",
		"project_id", "original_content", "previous_memory_id", "superseded_by", "agent_id"}
	ids, last := map[any]bool{}, "~"
	for _, raw := range doc.Memories {
		var m map[string]any
		require.NoError(t, json.Unmarshal(raw, &m))
		at := -1
		for _, key := range keysOf(t, raw) {
			next := slices.Index(order, key)
			require.Greater(t, next, at, "%s is unknown, or not in its place", key)
			at = next
		}
		for _, key := range order[:8] {
			require.Contains(t, m, key)
			require.NotEqual(t, "", m[key], key)
		}
		require.Contains(t, []any{"AGENT", "PROJECT"}, m["region"])
		require.Equal(t, m["region"] == "PROJECT", m["project_id"] != nil)
		require.Contains(t, []any{"EMOTIONAL", "ARCHITECTURAL", "LEARNINGS", "ACHIEVEMENTS"}, m["kind"])
		require.Contains(t, []any{"LOW", "MEDIUM", "HIGH", "CRITICAL"}, m["impact"])
		require.True(t, m["confidence"].(float64) >= 0 && m["confidence"].(float64) <= 1)
		require.Contains(t, string(raw), `"confidence": `)
		require.Regexp(t, iso, m["created_at"])
		require.Regexp(t, iso, m["last_accessed"])
		require.False(t, ids[m["id"]], "%v is there twice", m["id"])
		require.LessOrEqual(t, m["created_at"], last, "newest first")
		ids[m["id"]], last = true, m["created_at"].(string)
		memories = append(memories, m)
	}
	for _, m := range memories {
		if by := m["superseded_by"]; by != nil {
			require.True(t, ids[by])
		}
	}
	return memories
}

// keysOf returns the keys of an object in their order.
func keysOf(t *testing.T, data []byte) (keys []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	_, err := d.Token()
	require.NoError(t, err)
	for d.More() {
		key, err := d.Token()
		require.NoError(t, err)
		keys = append(keys, key.(string))
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
	}
	return keys
}

func TestWriteClaudeLTM(t *testing.T) {
	shelf := newShelf()
	shelf.Apply(t, plan(t, shelf, claudeSample(t, "claude-ltm.json"), claudeOptions(), nil))
	data, left, err := forms.WriteClaudeLTM(shelf.Records(), there())
	require.NoError(t, err)
	require.Equal(t, 1, left, "the forgotten one")
	memories := requireClaudeLTM(t, data)
	require.Len(t, memories, 12)

	// What came from there goes back as it was, but for the zone of times, and that of the person.
	var doc struct {
		Memories []map[string]any `json:"memories"`
	}
	require.NoError(t, json.Unmarshal(claudeSample(t, "claude-ltm.json"), &doc))
	was := map[any]map[string]any{}
	for _, m := range doc.Memories {
		was[m["id"]] = m
	}
	for _, m := range memories {
		for _, key := range []string{"kind", "content", "impact", "confidence", "original_content", "superseded_by"} {
			if m["id"] == "ARCH-2026-02-03-001" && key == "content" {
				continue // its short text is a sentence of another one
			}
			require.Equal(t, was[m["id"]][key], m[key], "%v: %s", m["id"], key)
		}
	}
	again := plan(t, shelf, data, claudeOptions(), nil)
	require.NoError(t, again.Err())
	require.False(t, again.Changes(), "%+v", again.Steps)
}

func TestWriteClaudeLTMOfOtherMemories(t *testing.T) {
	half := 0.5
	record := func(m memory.Memory, scope transfer.Scope) transfer.OwnRecord {
		return transfer.OwnRecord{ID: m.ID, Scope: scope, Record: transfer.Record{File: memfile.Format(m)}}
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	data, left, err := forms.WriteClaudeLTM([]transfer.OwnRecord{
		record(memory.Memory{ID: "mem_00000001", Topic: "The port", Summary: "s", Content: "It is 8443 & <open>.",
			Tags: []string{"importance:critical"}, Category: memory.Achievements, CreatedAt: now}, transfer.ScopeUser),
		record(memory.Memory{ID: "mem_00000002", Topic: "It is 8443.", Content: "It is 8443.\nAnd more.",
			Confidence: &half, Tags: []string{"importance:low", "net"}, Agent: "shop:reviewer"}, transfer.ScopeProject),
		{ID: "mem_00000003", Record: transfer.Record{File: []byte("not a memory")}},
	}, there())
	require.NoError(t, err)
	require.Equal(t, 0, left)
	memories := requireClaudeLTM(t, data)
	require.Equal(t, map[string]any{"id": "mem_00000001", "region": "AGENT", "kind": "ACHIEVEMENTS",
		"content": "The port\n\nIt is 8443 & <open>.", "original_content": "The port\n\nIt is 8443 & <open>.",
		"impact": "CRITICAL", "confidence": 1.0, "created_at": "2026-01-02T03:04:05.000006+00:00",
		"last_accessed": "2026-01-02T03:04:05.000006+00:00"}, memories[0])
	byID := slices.IndexFunc(memories, func(m map[string]any) bool { return m["id"] == "mem_00000002" })
	m := memories[byID]
	require.Equal(t, "LEARNINGS", m["kind"], "none")
	require.Equal(t, "It is 8443.\nAnd more.", m["content"], "the topic is in it")
	require.Equal(t, "1970-01-01T00:00:00+00:00", m["created_at"])
	require.Equal(t, "LOW", m["impact"])
	require.Equal(t, "shop:reviewer", m["agent_id"])
	shelf := newShelf()
	p := plan(t, shelf, data, claudeOptions(), nil)
	require.NoError(t, p.Err())
	shelf.Apply(t, p)
	require.Equal(t, "shop:reviewer", shelf.Memory(t, p.Steps[byID].ID).Agent)
	require.Equal(t, "anima", shelf.Memory(t, p.Steps[byID].ID).Origin.Agent)
	require.Contains(t, string(data), "\"confidence\": 1.0,\n")
	require.Contains(t, string(data), "\"confidence\": 0.5,\n")

	_, _, err = forms.WriteClaudeLTM(nil, there())
	require.Equal(t, memory.KindExportEmpty, memory.KindOf(err))
	require.True(t, strings.Contains(err.Error(), "claude-ltm"))
}
