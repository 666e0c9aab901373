package forms_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/memory"
)

// entity is a line of a graph.
func entity(name string) string {
	return fmt.Sprintf(`{"type":"entity","name":%q,"entityType":"t","observations":["o"]}`, name)
}

func TestDocumentsThatCannotBeRead(t *testing.T) {
	var (
		auto, md, graph = forms.AutoMemory{}, forms.ClaudeMD{Sections: []string{"A"}}, forms.ServerMemory{}
		engram, p       = forms.Engram{}, forms.Predecessor{}
	)
	store := map[string]string{"memories/mem_00000001.md": "# A\n"}
	for name, test := range map[string]struct {
		form transfer.Form
		in   transfer.Source
		want string
		kind memory.Kind
	}{
		"auto: a file":    {auto, document("a", "x"), `"a" has no MEMORY.md`, ""},
		"auto: no index":  {auto, directory(map[string]string{"a.md": "x"}), "has no MEMORY.md", ""},
		"md: a directory": {md, directory(nil), `"dir" is a directory`, ""},
		"md: not UTF-8":   {md, document("C.md", "# A\n\xff"), `"C.md" is not UTF-8 text`, ""},
		"md: no section": {md, document("C.md", "# B\n## C\n"),
			`"C.md" has no section "A"` + "\n  line 1: \"B\", 0 entries", memory.KindImportSection},
		"graph: a word": {graph, document("m", entity("a")+"\n\nnope\n"),
			`line 3 of "m": it is not a JSON object`, ""},
		"graph: cut off": {graph, document("m", entity("a")+"\n"+entity("b")[:20]),
			`line 2 of "m": it is not a JSON object`, ""},
		"graph: an array": {graph, document("m", "[]"), `line 1 of "m": it is not a JSON object`, ""},
		"graph: no type": {graph, document("m", `{"entities":[],"relations":[]}`),
			`line 1 of "m": it has no "type"`, ""},
		"graph: a type": {graph, document("m", `{"type":"note"}`),
			`line 1 of "m": its type is "note"; allowed: entity, relation`, ""},
		"graph: no name": {graph, document("m", `{"type":"entity","entityType":"","observations":[]}`),
			`an entity has "name"`, ""},
		"graph: blank": {graph, document("m", entity(" ")), "empty name", ""},
		"graph: no to": {graph, document("m", `{"type":"relation","from":"a","relationType":"b"}`),
			`a relation has "from", "to"`, ""},
		"graph: numbers": {graph, document("m", `{"type":"entity","name":"a","entityType":"t","observations":[1]}`),
			"it is not an entity", ""},
		"graph: relation": {graph, document("m", `{"type":"relation","from":1,"to":"b","relationType":"c"}`),
			"it is not a relation", ""},
		"graph: UTF-8": {graph, document("m", "{\"type\":\"entity\xff\"}"),
			"line 1 of \"m\": it is not UTF-8 text", ""},
		"graph: a dir": {graph, directory(nil), `"dir" is a directory`, ""},
		"engram: newer": {engram, document("e", `{"version":"0.3.0","observations":{}}`),
			`version "0.3.0" of the form engram cannot be read; allowed: 0.1.0, 0.2.0`, memory.KindImportVersion},
		"engram: none":     {engram, document("e", `{"observations":[]}`), `it has no "version"`, ""},
		"engram: a number": {engram, document("e", `{"version":1}`), `"e" is not an export of engram`, ""},
		"engram: cut off": {engram, document("e", `{"version":"0.2.0","observations":[{"id":1`),
			`"e" is not an export of engram`, ""},
		"engram: types": {engram, document("e", `{"version":"0.2.0","observations":{}}`),
			`"e" is not an export of engram`, ""},
		"engram: UTF-8": {engram, document("e", "{\"version\":\"0.2.0\xff\"}"), `not UTF-8`, ""},
		"engram: a dir": {engram, directory(nil), `"dir" is a directory`, ""},
		"engram: deep": {engram, document("e", `{"version":`+strings.Repeat("[", 1e6)),
			`"e" is not an export of engram`, ""},
		"store: none": {p, directory(map[string]string{"memories/x.md": ""}),
			"is not a store of the predecessor", ""},
		"store: newer": {p, directory(map[string]string{"index.json": `{"version":2}`,
			"memories/mem_00000001.md": store["memories/mem_00000001.md"]}),
			`version "2" of the form predecessor cannot be read; allowed: 1`, memory.KindImportVersion},
		"store: index": {p, directory(map[string]string{"index.json": `{"version":`,
			"memories/mem_00000001.md": store["memories/mem_00000001.md"]}),
			"index.json of \"dir\" cannot be read", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if test.kind == "" {
				test.kind = memory.KindImportMalformed
			}
			_, err := test.form.Read(test.in, here)
			require.ErrorContains(t, err, test.want)
			require.Equal(t, test.kind, memory.KindOf(err))
			require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
		})
	}
}

func TestNothingIsRecognizedInOtherDocuments(t *testing.T) {
	for _, s := range []transfer.Source{
		document("a.json", "{}"), document("a.txt", "# Text"),
		document("a.json", `{"version":1,"memories":[]}`),
		document("empty", ""), directory(nil), directory(map[string]string{"a.txt": "x", ".git/x.md": "y"}),
		document("big", strings.Repeat("x", 2<<20)), document("a.json", `{"type":"entity"`), {Name: "nothing"},
	} {
		_, err := transfer.Recognize(s, forms.All(nil))
		require.Equal(t, memory.KindImportUnknown, memory.KindOf(err), "%v", s.Files)
		require.ErrorContains(t, err, "claude-md, auto-memory, predecessor, markdown, engram, server-memory")
	}
}

// errorsOf maps entries to what is wrong with them.
func errorsOf(r transfer.Reading) map[string]string {
	found := map[string]string{}
	for _, item := range r.Items {
		if item.Err != nil {
			found[item.Entry] = item.Err.Error()
		}
	}
	return found
}

func TestOneBadEntryDoesNotHideTheOthers(t *testing.T) {
	bomb := "---\na: &a [x, x]\nb: &b [*a, *a]\n---\n"
	r, err := forms.Markdown{}.Read(directory(map[string]string{
		"good.md": "# Good\n\ntext", "latin.md": "caf\xe9", "bomb.md": bomb, "../up.md": "# Up",
		"cafe.md": "caf\xc3\xa9",
	}), here)
	require.NoError(t, err)
	check(t, r)
	require.Len(t, r.Items, 4, "what is not below the directory is not read")
	bad := errorsOf(r)
	require.Len(t, bad, 2)
	require.Equal(t, "the file is not UTF-8 text", bad["latin.md"])
	require.Contains(t, bad["bomb.md"], "the front matter uses YAML aliases")

	r, err = forms.AutoMemory{}.Read(directory(map[string]string{"MEMORY.md": "- [A](a.md)\n\xff", "a.md": "x"}), here)
	require.NoError(t, err)
	require.Contains(t, errorsOf(r)["MEMORY.md"], "not UTF-8")
	require.Len(t, r.Items, 2)

	r, err = forms.Predecessor{}.Read(directory(map[string]string{
		"memories/mem_00000001.md": "---\nid: x\n", "memories/mem_00000002.md": "# Fine\n\ntext",
		"memories/mem_00000003.md": "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "memories/notes.txt": "",
	}), here)
	require.NoError(t, err)
	require.Len(t, errorsOf(r), 2)
	require.Equal(t, "1 unknown file left out", memory.Note(r.Remarks).String())

	r, err = forms.ServerMemory{}.Read(document("m", entity("a")+"\n"+entity("a")+"\n"), here)
	require.NoError(t, err)
	require.Equal(t, map[string]string{`line 2 "a"`: "it is the second entity of that name"}, errorsOf(r))

	r, err = forms.Engram{}.Read(document("e", `{"version":"0.1.0","observations":[
		{"id":1,"title":"a","content":"b","created_at":"yesterday"},{"id":2,"title":"c","content":""},
		{"id":2,"title":"d","content":"e"}]}`), here)
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		`observations[0] "a"`: `its created_at, "yesterday", is not a time`,
		`observations[2] "d"`: `it has the same id as observations[1] "c"`,
	}, errorsOf(r))
}

func TestNamesOfFilesAndNotes(t *testing.T) {
	r, err := forms.Markdown{}.Read(directory(map[string]string{
		"a\nb.md": "x", "c\x1b[31m.md": "y", "caf\xe9.md": "z", "ok.md": "---\npermalink: \"a\\u0000b\"\n---\nw",
	}), here)
	require.NoError(t, err)
	var entries []string
	for _, item := range r.Items {
		entries = append(entries, item.Entry)
	}
	require.Equal(t, []string{`"a\nb.md"`, `"c\x1b[31m.md"`, `"caf\xe9.md"`, "ok.md"}, entries)
	require.Equal(t, "ok.md", r.Items[3].Key, "a permalink that cannot be stored is not one")
}

func TestNotesAreBounded(t *testing.T) {
	files := map[string]string{}
	var index strings.Builder
	long := strings.Repeat("x", memory.MaxTagChars+1)
	index.WriteString("---\ntags: [t, t, " + long + ", importance:critical]\n---\n")
	for i := range 80 {
		files[fmt.Sprintf("n%02d.md", i)] = "text"
		fmt.Fprintf(&index, "[[n%02d]] #tag%d\n", i, i)
	}
	files["index.md"] = index.String()
	r, err := forms.Markdown{}.Read(directory(files), here)
	require.NoError(t, err)
	check(t, r)
	item := r.Items[0]
	require.Equal(t, "index.md", item.Key)
	require.Len(t, item.Related, memory.MaxLinks)
	require.Len(t, item.Memory.Tags, memory.MaxTags)
	require.Equal(t, "30 links left out; its importance, \"critical\", was left out; 62 tags left out",
		sortedNote(item.Remarks))
	require.NotContains(t, item.Memory.Tags, "importance:critical", "only ltm knows what that means")
}

func sortedNote(remarks []memory.Remark) string {
	if len(remarks) == 2 && strings.Contains(remarks[0].Text, "link") {
		remarks = []memory.Remark{remarks[1], remarks[0]}
	}
	return memory.Note(remarks).String()
}

// TestSlowInput reads texts that are slow for careless code.
func TestSlowInput(t *testing.T) {
	const size = 1 << 18
	start := time.Now()
	for name, text := range map[string]string{
		"comments": strings.Repeat("<!---->", size/7),
		"opened":   strings.Repeat("<!--", size/4),
		"links":    strings.Repeat("[[", size/2),
		"titles":   strings.Repeat("[a](", size/4),
		"ticks":    strings.Repeat("` ``", size/4),
		"items":    strings.Repeat("- a\n", size/4),
		"nested":   strings.Repeat(" ", 100) + strings.Repeat("- ", size/2),
		"headings": strings.Repeat("# a\n## b\n", size/9),
		"tags":     strings.Repeat("#a ", size/3),
		"quotes":   strings.Repeat("> ", size/2),
		"stars":    strings.Repeat("*", size),
		"fences":   strings.Repeat("```\n", size/4),
		"header":   "---\n" + strings.Repeat("a: [\n", 12<<10) + "---\n",
		"keys":     "---\n" + strings.Repeat("- a: b: c\n", 6<<10) + "---\n",
		"depth":    "---\n" + strings.Repeat("[", 60<<10) + "\n---\n",
		"braces":   "---\na: " + strings.Repeat("{", 60<<10) + "\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := forms.Markdown{}.Read(directory(map[string]string{"a.md": text, "b.md": text}), here)
			require.NoError(t, err)
			_, err = forms.AutoMemory{}.Read(directory(map[string]string{"MEMORY.md": text}), here)
			require.NoError(t, err)
			_, err = forms.ClaudeMD{}.Read(document("CLAUDE.md", "# A\n"+text), here)
			require.Equal(t, memory.KindImportSection, memory.KindOf(err))
			require.Less(t, len(err.Error()), 10_000)
			_, err = forms.ClaudeMD{Sections: []string{"a"}}.Read(document("CLAUDE.md", "# A\n"+text), here)
			require.NoError(t, err)
		})
	}
	require.Less(t, time.Since(start), time.Minute)
}
