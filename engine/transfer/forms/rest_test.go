package forms_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/memory"
)

func TestRelationsOfEngram(t *testing.T) {
	relation := func(to, kind, status string) string {
		return `{"source_id":"a","target_id":"` + to + `","relation":"` + kind + `","judgment_status":"` + status + `"}`
	}
	for list, name := range map[string]string{"relations": "the list", "memory_relations": "its table"} {
		r, err := forms.Engram{}.Read(document("e", `{"version":"0.2.0","observations":[
			{"sync_id":"a","title":"a","content":"a"},{"sync_id":"b","title":"b","content":"b"},
			{"sync_id":"c","title":"c","content":"c"},{"sync_id":"d","title":"d","content":"d"},
			{"sync_id":"e","title":"e","content":"e"},{"sync_id":"f","title":"f","content":"f"}],
			"`+list+`":[`+relation("b", "conflicts_with", "judged")+`,`+relation("c", "related", "judged")+`,`+
			relation("d", "not_conflict", "judged")+`,`+relation("e", "supersedes", "pending")+`,`+
			relation("f", "scoped", "judged")+`,`+relation("f", "supersedes", "judged")+`,`+
			relation("a", "related", "judged")+`,`+relation("x", "related", "judged")+`]}`), here)
		require.NoError(t, err, name)
		a := r.Items[0]
		require.Equal(t, []string{"b"}, a.Disputes, name)
		require.Equal(t, []string{"c", "f"}, a.Related, "%s: the first relation of two counts", name)
		require.Empty(t, a.Supersedes, "%s: nobody judged it", name)
	}
}

func TestRelationsOfUnknownEntities(t *testing.T) {
	r, err := forms.ServerMemory{}.Read(document("m", `{"type":"relation","from":"x","to":"a","relationType":"is"}
		{"type":"entity","name":"a","entityType":"t","observations":["","o"]}`), here)
	require.NoError(t, err)
	require.Len(t, r.Items, 1)
	require.Equal(t, "- o", r.Items[0].Memory.Content)
	require.Empty(t, r.Items[0].Related)
}

func TestFilesThatWereNotRead(t *testing.T) {
	s := directory(map[string]string{"MEMORY.md": "", "a.md": "", "memories/mem_00000001.md": "# A",
		"memories/mem_00000002.md": "---\nid: mem_00000002\ntopic: B\nphase: 2\n---\n## Summary\ns\n",
		"archives/mem_00000002.md": "---\nid: mem_00000002\ntopic: B\n---\n## Content\nfull\n"})
	for i := range s.Files {
		s.Files[i].Err, s.Files[i].Data = fs.ErrPermission, nil
		if s.Files[i].Name == "memories/mem_00000002.md" {
			s.Files[i].Err = nil
			s.Files[i].Data = []byte("---\nid: mem_00000002\ntopic: B\nphase: 2\n---\n## Summary\ns\n")
		}
	}
	for _, form := range []transfer.Form{forms.AutoMemory{}, forms.Markdown{}} {
		r, err := form.Read(s, here)
		require.NoError(t, err)
		require.Equal(t, "permission denied", errorsOf(r)["a.md"], form.Name())
	}
	r, err := forms.Predecessor{}.Read(s, here)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"memories/mem_00000001.md": "permission denied"}, errorsOf(r))
	faded := r.Items[1]
	require.Equal(t, "s", faded.Memory.Content)
	require.Equal(t, "mem_00000002.md in archives cannot be read: the text is shortened",
		memory.Note(faded.Remarks).String())
}

func TestStubsOfThePredecessor(t *testing.T) {
	stub := "---\nid: mem_00000001\ntopic: A\nphase: 3\narchived: 2026-01-15\narchived_reason: forgotten\n" +
		"disputes: [mem_00000009]\n---\n"
	r, err := forms.Predecessor{}.Read(directory(map[string]string{"memories/mem_00000001.md": stub,
		"memories/mem_00000002.md": stub, "index.json": "{}",
		"archives/mem_00000001.md":            "---\nid: mem_00000001\ntopic: A\n---\n## Content\nold\n",
		"archives/mem_00000001.1.5e884898.md": "---\nid: mem_00000001\ntopic: A\n---\n## Content\nnew\n"}), here)
	require.NoError(t, err)
	require.Len(t, r.Items, 1)
	require.Equal(t, "new", r.Items[0].Memory.Content)
	require.Equal(t, "forgotten", r.Items[0].Archived.Reason)
	require.Equal(t, "2026-01-15", r.Items[0].Archived.Day.Format("2006-01-02"))
	require.Equal(t, []string{"mem_00000009"}, r.Items[0].Disputes)
	require.Equal(t, "1 empty stub left out", memory.Note(r.Remarks).String())
}

func TestTimesWithoutAZone(t *testing.T) {
	notes := directory(map[string]string{"a.md": "---\ncreated: 2026-01-15 10:00\n---\nx"})
	r, err := forms.Markdown{}.Read(notes, transfer.Here{})
	require.NoError(t, err)
	require.Equal(t, "2026-01-15T10:00:00Z", r.Items[0].Memory.CreatedAt.Format("2006-01-02T15:04:05Z07:00"))
	r, err = forms.Markdown{}.Read(notes, here)
	require.NoError(t, err)
	require.Equal(t, "2026-01-15T08:00:00Z", r.Items[0].Memory.CreatedAt.Format("2006-01-02T15:04:05Z07:00"))
}

// texts returns the key of each item with its topic and text.
func texts(r transfer.Reading) map[string][2]string {
	found := map[string][2]string{}
	for _, item := range r.Items {
		found[item.Key] = [2]string{item.Memory.Topic, item.Memory.Content}
	}
	return found
}

// TestBulletsOfAutoMemory makes memories of what MEMORY.md says besides its index.
func TestBulletsOfAutoMemory(t *testing.T) {
	const index = "# Memory\n- Fees\n- Use `pnpm`. Not npm.\n  - since May\n- [Proxy](proxy.md) — hook\n" +
		"- [Gone](gone.md) — drain first\n- [Wiki](https://example.com/wiki.md)\n\n## Fees\n\nRounded.\n\n- a\n- a\n"
	want := map[string][2]string{
		"MEMORY.md#Memory#Fees":        {"Fees", "Fees"},
		"MEMORY.md#Memory#Use `pnpm`.": {"Use `pnpm`.", "Use `pnpm`. Not npm.\n- since May"},
		"MEMORY.md#Memory#[Wiki](https://example.com/wiki.md)": {"[Wiki](https://example.com/wiki.md)",
			"[Wiki](https://example.com/wiki.md)"},
		"MEMORY.md#Memory#Fees (2)":   {"Fees", "Rounded."},
		"MEMORY.md#Memory#Fees#a":     {"a", "a"},
		"MEMORY.md#Memory#Fees#a (2)": {"a", "a"},
	}
	r, err := forms.AutoMemory{}.Read(document("MEMORY.md", index), here)
	require.NoError(t, err)
	check(t, r)
	require.Equal(t, want, texts(r))
	require.Equal(t, "2 topics in other files left out", memory.Note(r.Remarks).String())

	r, err = forms.AutoMemory{}.Read(directory(map[string]string{"MEMORY.md": index, "proxy.md": "It drops."}), here)
	require.NoError(t, err)
	check(t, r)
	const gone = "[Gone](gone.md) — drain first"
	want["MEMORY.md#Memory#"+gone] = [2]string{gone, gone}
	want["proxy.md"] = [2]string{"Proxy", "It drops."}
	require.Equal(t, want, texts(r))
	require.Empty(t, r.Remarks)
}

// TestTopicsOfNotes reads the topic that a header says, and drops no agent silently.
func TestTopicsOfNotes(t *testing.T) {
	for text, want := range map[string]string{
		"---\ntopic: From the header\n---\n# Heading\ntext":                    "From the header",
		"---\ntopic: From the header\ndescription: d\nname: n\n---\ntext":      "From the header",
		"---\ntopic: From the header\ntitle: The title\n---\ntext":             "The title",
		"---\ntopic: ''\n---\n# Heading\ntext":                                 "Heading",
		"---\ntopic: {a: b}\n---\ntext":                                        "note",
		"<!-- ltm:begin -->\n# Long-term memory\n<!-- ltm:end -->\n# Rest\nit": "Rest",
	} {
		r, err := forms.Markdown{}.Read(document("note.md", text), here)
		require.NoError(t, err)
		check(t, r)
		require.Len(t, r.Items, 1)
		require.Equal(t, want, r.Items[0].Memory.Topic, text)
		require.Equal(t, "note.md", r.Items[0].Key)
	}
	s := directory(map[string]string{"MEMORY.md": "", "a.md": "---\ntopic: Pools\nagent: reviewer\n---\nIt is 20.",
		"b.md": "See [[pools]]."})
	for _, form := range []transfer.Form{forms.AutoMemory{}, forms.Markdown{}} {
		r, err := form.Read(s, here)
		require.NoError(t, err)
		require.Equal(t, "Pools", r.Items[0].Memory.Topic)
		require.Empty(t, r.Items[0].Memory.Agent)
		require.Equal(t, `its agent, "reviewer", was left out`, memory.Note(r.Items[0].Remarks).String())
		if form.Name() == "markdown" {
			require.Equal(t, []string{"a.md"}, r.Items[1].Related)
		}
	}
}

// TestNotesWithoutANameOfAFile reads notes on standard input.
func TestNotesWithoutANameOfAFile(t *testing.T) {
	r, err := forms.Markdown{}.Read(document("-", "---\npermalink: ops/pool\n---\nIt is 20."), here)
	require.NoError(t, err)
	check(t, r)
	require.Equal(t, map[string][2]string{"ops/pool": {"", "It is 20."}}, texts(r))
	r, err = forms.Markdown{}.Read(document("-", "# Pool\nIt is 20."), here)
	require.NoError(t, err)
	require.ErrorContains(t, r.Items[0].Err, "neither a permalink nor a file name")
	r, err = forms.Markdown{}.Read(document("a.md", " \n"), here)
	require.NoError(t, err)
	require.Empty(t, r.Items)
	require.Equal(t, "1 empty file left out", memory.Note(r.Remarks).String())
}
