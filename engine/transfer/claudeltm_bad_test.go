package transfer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/memory"
)

const someID = "6b94c7a0-31e5-4a68-9c7f-d820b3e4f107"

// TestClaudeLTMBadEntries has one bad value each. The others of the document can still be taken.
func TestClaudeLTMBadEntries(t *testing.T) {
	for _, c := range []struct {
		key    string
		value  any
		reason string
	}{
		{"id", missing, "id is missing"},
		{"id", "", "id is empty"},
		{"id", 7, "id is not a text"},
		{"id", "5a13e8f2-9d46-47c0-b2ea-06f5c1d87906", "another entry has the same id"},
		{"region", "TEAM", `region is "TEAM"; allowed: AGENT, PROJECT`},
		{"region", missing, "region is missing"},
		{"kind", "FACTS", `kind is "FACTS"; allowed: EMOTIONAL, ARCHITECTURAL, LEARNINGS, ACHIEVEMENTS`},
		{"impact", "HUGE", `impact is "HUGE"; allowed: CRITICAL, HIGH, MEDIUM, LOW`},
		{"confidence", "high", "confidence is not a number"},
		{"confidence", nil, "confidence is not a number"},
		{"confidence", 1.5, "confidence is 1.5; allowed: a number from 0 to 1"},
		{"created_at", nil, "created_at is missing"},
		{"created_at", "", "created_at is empty"},
		{"created_at", "yesterday", `created_at is "yesterday", which is not a time such as 2026-02-27T18:02:11+01:00`},
		{"created_at", 3, "created_at is not a text"},
		{"content", []string{"a"}, "content is not a text"},
		{"original_content", map[string]any{}, "original_content is not a text"},
		{"superseded_by", 3, "superseded_by is not a text"},
		{"agent_id", 3, "agent_id is not a text"},
		{"agent_id", "a\nb", `"a\nb" is not the name of an agent`},
		{"original_content", "  \n", "content and original_content are empty"},
		{"original_content", strings.Repeat("x", memory.MaxContentBytes+1), "the content has 262145 bytes"},
		{"original_content", "a\x00b", "NUL byte"},
	} {
		t.Run(fmt.Sprintf("%s %v", c.key, c.reason), func(t *testing.T) {
			p := plan(t, newShelf(), change(t, someID, map[string]any{c.key: c.value}), claudeOptions(), nil)
			require.Equal(t, 1, p.Counts.Refused)
			require.ErrorContains(t, p.Err(), c.reason)
			require.ErrorContains(t, p.Err(), "memories[")
			require.Equal(t, memory.KindImportRefused, memory.KindOf(p.Err()))

			o := claudeOptions()
			o.SkipBad = true
			p = plan(t, newShelf(), change(t, someID, map[string]any{c.key: c.value}), o, nil)
			require.NoError(t, p.Err())
			require.Equal(t, 12, p.Counts.New)
		})
	}
}

func TestClaudeLTMBadDocuments(t *testing.T) {
	whole := string(claudeSample(t, "claude-ltm.json"))
	for name, c := range map[string]struct{ text, err string }{
		"cut off":         {whole[:len(whole)/2], "the JSON text ends too early"},
		"not an object":   {"[" + whole + "]", "it is not a JSON object"},
		"two":             {whole + whole, "something follows the JSON object"},
		"empty":           {"", "it is empty"},
		"binary":          {"\xff\xfe\x00", "it is not UTF-8 text"},
		"another version": {strings.Replace(whole, `"version": "1.0"`, `"version": "2.0"`, 1), `version "2.0" of the form claude-ltm cannot be read; allowed: 1.0`},
		"version number":  {strings.Replace(whole, `"version": "1.0"`, `"version": 1`, 1), `version "1" of the form claude-ltm cannot be read; allowed: 1.0`},
		"no version":      {strings.Replace(whole, `"version": "1.0",`, ``, 1), `version "null" of the form claude-ltm`},
		"memories twice":  {strings.Replace(whole, `"version"`, `"memories": [], "version"`, 1), `it has the key "memories" twice`},
		"no list":         {`{"version":"1.0","agent":{},"memories":{"a":1}}`, "its entries are not a list"},
		"agent a list":    {`{"version":"1.0","agent":[],"memories":[]}`, "agent"},
		"too many": {`{"version":"1.0","agent":{},"memories":[` + strings.Repeat("1,", 1_000_000) + `1]}`,
			"it has more than 20000 entries"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := forms.ClaudeLTM{}.Read(claudeSource([]byte(c.text)), there())
			require.ErrorContains(t, err, c.err)
			require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
		})
	}
	p := plan(t, newShelf(), []byte(`{"version":"1.0","agent":{},"memories":[null,[],3,"x"]}`), claudeOptions(), nil)
	require.Equal(t, 4, p.Counts.Refused)
	require.ErrorContains(t, p.Err(), "memories[1]: it is not an object")
}

func TestClaudeLTMProjects(t *testing.T) {
	o := claudeOptions()
	o.Project = "Tide Pool"
	p := plan(t, newShelf(), claudeSample(t, "claude-ltm.json"), o, nil)
	require.Equal(t, memory.KindImportProject, memory.KindOf(p.Err()))
	require.ErrorContains(t, p.Err(), `it is from the project "tidepool", and this one is "Tide Pool"`)
	require.Equal(t, 3, p.Counts.New, "those of the person")
	o.AnyProject = true
	require.NoError(t, plan(t, newShelf(), claudeSample(t, "claude-ltm.json"), o, nil).Err())
	o.AnyProject, o.Project = false, "TidePool"
	require.NoError(t, plan(t, newShelf(), claudeSample(t, "claude-ltm.json"), o, nil).Err())
}

func TestClaudeLTMScopes(t *testing.T) {
	o := claudeOptions()
	o.Force = ""
	p := plan(t, newShelf(), claudeSample(t, "claude-ltm.json"), o, nil)
	require.Equal(t, memory.KindImportScope, memory.KindOf(p.Err()))
	require.Equal(t, 3, p.Counts.Refused)
}

func TestClaudeLTMLinksThatLeadNowhere(t *testing.T) {
	shelf := newShelf()
	p := plan(t, shelf, change(t, "3e5a8c16-b7f4-4d39-9e08-91c2d4f6a704", map[string]any{"superseded_by": "gone"}),
		claudeOptions(), nil)
	require.NoError(t, p.Err())
	shelf.Apply(t, p)
	require.Equal(t, memory.ReasonSuperseded, shelf.Memory(t, redis).ArchivedReason)
	require.Empty(t, shelf.Memory(t, tables).Supersedes)
	require.Contains(t, fmt.Sprint(p.Steps), `what superseded it, "gone", is missing`)
}

func TestClaudeLTMCircles(t *testing.T) {
	shelf := newShelf()
	p := plan(t, shelf, change(t, "4f60b3d9-2a17-4b8c-8d51-e7f309a2c505",
		map[string]any{"superseded_by": "3e5a8c16-b7f4-4d39-9e08-91c2d4f6a704"}), claudeOptions(), nil)
	require.NoError(t, p.Err())
	shelf.Apply(t, p)
	require.False(t, shelf.Memory(t, redis).IsStub())
	require.False(t, shelf.Memory(t, tables).IsStub())
	require.Empty(t, shelf.Memory(t, tables).Supersedes)
	require.Contains(t, fmt.Sprint(p.Steps), "none of them is archived")
	p = plan(t, newShelf(), change(t, someID, map[string]any{"superseded_by": someID}), claudeOptions(), nil)
	require.NoError(t, p.Err())
	require.Contains(t, fmt.Sprint(p.Steps[8]), "none of them is archived")
}

func TestClaudeLTMTakenIDs(t *testing.T) {
	shelf := newShelf()
	shelf.Memories[proxy.File()] = []byte("---\nid: mem_6b94c7a0\ntopic: other\n---\nother\n")
	p := plan(t, shelf, claudeSample(t, "claude-ltm.json"), claudeOptions(), nil)
	require.NoError(t, p.Err())
	shelf.Apply(t, p)
	require.Equal(t, "other", shelf.Memory(t, proxy).Topic)
	id, ok := shelf.OfOrigin("claude-ltm", someID)
	require.True(t, ok)
	require.NotEqual(t, proxy, id)
	require.False(t, plan(t, shelf, claudeSample(t, "claude-ltm.json"), claudeOptions(), nil).Changes())

	shelf = newShelf()
	first := plan(t, shelf, claudeSample(t, "claude-ltm.json"), claudeOptions(), nil)
	second := plan(t, newShelf(), claudeSample(t, "claude-ltm.json"), claudeOptions(), nil)
	require.Equal(t, first, second, "two people who import one document get the same files")
}

func TestClaudeLTMDuplicates(t *testing.T) {
	shelf := newShelf()
	text := "Ines enjoys bird names for branches."
	shelf.Memories["mem_00000001.md"] = []byte("---\nid: mem_00000001\ntopic: ines  ENJOYS bird names for branches.\n" +
		"---\n## Summary\n\n## Content\n" + text + "\n")
	p := plan(t, shelf, claudeSample(t, "claude-ltm.json"), claudeOptions(), nil)
	require.NoError(t, p.Err())
	require.Equal(t, 12, p.Counts.New)
	require.Contains(t, fmt.Sprint(p.Steps), "mem_00000001 has the same topic and content")
}

// TestClaudeLTMNotes has a note about a note, and notes about what is not there.
func TestClaudeLTMNotes(t *testing.T) {
	note := func(id, previous string) string {
		return fmt.Sprintf(`{"id":%q,"region":"PROJECT","kind":"LEARNINGS","content":"[FORGOTTEN] x...","impact":"LOW",`+
			`"confidence":0.0,"created_at":"2026-01-01T00:00:00","original_content":"y","previous_memory_id":%s}`, id, previous)
	}
	text := `{"id":"a","region":"PROJECT","kind":"LEARNINGS","content":"a text","impact":"LOW","created_at":"2026-01-01",` +
		`"superseded_by":"b"}`
	doc := `{"version":"1.0","agent":{"id":"w"},"memories":[` + strings.Join([]string{text, note("b", `"a"`),
		note("c", `"b"`), note("d", `"gone"`), note("e", "null")}, ",") + `]}`
	shelf := newShelf()
	p := plan(t, shelf, []byte(doc), claudeOptions(), nil)
	require.NoError(t, p.Err())
	require.Equal(t, transfer.Counts{New: 1, Archived: 1, Skipped: 4}, p.Counts)
	shelf.Apply(t, p)
	require.Len(t, shelf.Memories, 1)
	require.Len(t, shelf.Archives, 1)
}

func TestClaudeLTMSeeds(t *testing.T) {
	p := plan(t, newShelf(), change(t, "ARCH-2026-02-03-001", map[string]any{
		"original_content": "~ARCH:HIGH| One retry budget.\n⚠~LEARN:MED?|Nothing inside."}), claudeOptions(), nil)
	require.Equal(t, "One retry budget.", p.Steps[6].Topic)
	require.Contains(t, string(p.Steps[6].Writes[0].Data), "One retry budget.\nNothing inside.")
}

func TestClaudeLTMFuture(t *testing.T) {
	p := plan(t, newShelf(), change(t, someID, map[string]any{"created_at": "2036-01-01T00:00:00+00:00"}),
		claudeOptions(), nil)
	require.NoError(t, p.Err())
	require.Equal(t, []string{"it was created in the future, at 2036-01-01T00:00:00+00:00"}, p.Steps[8].Remarks)
	require.Contains(t, string(p.Steps[8].Writes[0].Data), "2036-01-01T00:00:00Z")
}
