package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

func of[T any](v T) *T { return &v }

// TestPatches changes a memory with the summary "Lead." that says "It is 20.".
func TestPatches(t *testing.T) {
	const content = "Lead.\n\nIt is 20."
	for name, test := range map[string]struct {
		patch            api.Patch
		content, summary string
		tags             []string
	}{
		"append": {api.Patch{Append: of("\n It is 30. \n")}, content + "\n\n It is 30.", "Lead.",
			[]string{"db", "go"}},
		"append a part of the end": {api.Patch{Append: of("is 20.")}, content + "\n\nis 20.", "Lead.",
			[]string{"db", "go"}},
		"append with a heading": {api.Patch{Append: of("## Content\n\nMore.")}, content + "\n\n## Content\n\nMore.",
			"Lead.", []string{"db", "go"}},
		"summary": {api.Patch{Summary: of(" The pool. ")}, content, " The pool.",
			[]string{"db", "go"}},
		"summary with a heading": {api.Patch{Summary: of("## Content")}, content, "## Content",
			[]string{"db", "go"}},
		"summary and content": {api.Patch{Summary: of("The pool."), Content: of("New.")}, "New.", "The pool.",
			[]string{"db", "go"}},
		"no summary of its own": {api.Patch{Summary: of(""), Content: of("New.")}, "New.", "New.",
			[]string{"db", "go"}},
		"add": {api.Patch{AddTags: []string{"A B", "go", "a-b"}}, content, "Lead.",
			[]string{"db", "go", "a-b"}},
		"remove": {api.Patch{RemoveTags: []string{" DB ", "unknown"}}, content, "Lead.",
			[]string{"go"}},
		"add and remove": {api.Patch{AddTags: []string{"x"}, RemoveTags: []string{"db", "go"}}, content,
			"Lead.", []string{"x"}},
		"importance": {api.Patch{Importance: memory.Critical}, content, "Lead.",
			[]string{"db", "go", "importance:critical"}},
		"importance as a tag": {api.Patch{AddTags: []string{"importance:low"}}, content, "Lead.",
			[]string{"db", "go", "importance:low"}},
		"importance and tags": {api.Patch{Importance: memory.Low, Tags: &[]string{"x"}}, content, "Lead.",
			[]string{"x", "importance:low"}},
		"importance that tags name": {api.Patch{Importance: memory.Low, AddTags: []string{"importance:low"}}, content,
			"Lead.", []string{"db", "go", "importance:low"}},
		"no importance": {api.Patch{Importance: memory.Normal}, content, "Lead.", []string{"db", "go"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool size", content, 0.5, "db", "go")
			receipt, err := f.Update(f.ctx, string(id), test.patch)
			require.NoError(t, err)
			m := f.header(id)
			require.Equal(t, test.tags, m.Tags, "files have the importance as a tag, answers do not")
			require.Equal(t, m.PlainTags(), receipt.Tags)
			if receipt.Importance == "" {
				receipt.Importance = memory.Normal
			}
			require.Equal(t, m.Importance(), receipt.Importance)
			d, err := f.Peek(f.ctx, string(id))
			require.NoError(t, err)
			require.Equal(t, []any{test.content, test.summary, m.PlainTags()}, []any{d.Content, d.Summary, d.Tags})
			report, err := f.Check(f.ctx)
			require.NoError(t, err)
			require.True(t, report.OK, report.Summary)
		})
	}
}

// TestImportanceReplacesTheOldOne has one level at a time, however it is given.
func TestImportanceReplacesTheOldOne(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5, "importance:critical")
	for _, p := range []api.Patch{{AddTags: []string{"importance:low"}}, {Importance: memory.Important},
		{RemoveTags: []string{"importance:important"}}} {
		_, err := f.Update(f.ctx, string(id), p)
		require.NoError(t, err)
	}
	require.Empty(t, f.header(id).Tags)
}

// TestBadPatches compares the whole message of each refusal, and requires that nothing has
// changed.
func TestBadPatches(t *testing.T) {
	many := make([]string, memory.MaxTags)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	conflict := "<<<<<<< a\nx\n=======\ny\n>>>>>>> b"
	for name, test := range map[string]struct {
		patch api.Patch
		want  string
	}{
		"nothing":            {api.Patch{AddTags: []string{}, RemoveTags: []string{}}, `there is nothing to update`},
		"content and append": {api.Patch{Content: of("a"), Append: of("b")}, `both content and append were given`},
		"append nothing": {api.Patch{Append: of(" \n\t")},
			`the text to append is empty; append is the text to add, as markdown`},
		"append NUL": {api.Patch{Append: of("a\x00b")},
			`the content holds a NUL byte; only text can be stored`},
		"append what is there": {api.Patch{Append: of("It is 20.")}, `mem_00000001 already ends with this text`},
		"append a conflict":    {api.Patch{Append: of(conflict)}, `the content holds a merge conflict`},
		"append too much": {api.Patch{Append: of(strings.Repeat("x", memory.MaxContentBytes))},
			`the content has 262162 bytes; at most 262144 bytes (256 KiB) are allowed`},
		"a long summary": {api.Patch{Summary: of(strings.Repeat("é", 1001))},
			`the summary has 1001 characters; a summary has at most 1000`},
		"a summary of NUL": {api.Patch{Summary: of("\x00")},
			`the summary holds a NUL byte; only text can be stored`},
		"a summary of bytes": {api.Patch{Summary: of("\xff")},
			`the summary is not valid UTF-8; only UTF-8 text can be stored`},
		"a conflict as summary": {api.Patch{Summary: of(conflict)}, `the summary has merge conflict markers`},
		"tags in two ways": {api.Patch{Tags: &[]string{"a"}, AddTags: []string{"b"}},
			`tags were given together with tags to add or remove`},
		"in and out": {api.Patch{AddTags: []string{"A b"}, RemoveTags: []string{"a-B"}},
			`tag "a-b" was given both to add and to remove`},
		"an empty tag": {api.Patch{AddTags: []string{"a", " "}},
			`a tag to add is empty; a tag is a word of 1 to 50 characters`},
		"no tag to remove": {api.Patch{RemoveTags: []string{"#"}},
			`a tag to remove is empty; a tag is a word of 1 to 50 characters`},
		"a long tag": {api.Patch{AddTags: []string{strings.Repeat("x", 51)}},
			`tag "` + strings.Repeat("x", 51) + `" is too long; a tag has at most 50 characters`},
		"too many tags": {api.Patch{AddTags: many},
			`that makes 21 tags; at most 20 tags are allowed, and an importance counts as one`},
		"no such importance": {api.Patch{Importance: "urgent"},
			`"urgent" is not an importance; allowed: critical, important, normal, low`},
		"no such tag": {api.Patch{AddTags: []string{"importance:urgent"}},
			`"importance:urgent" is not an importance; allowed: critical, important, normal, low`},
		"two importances": {api.Patch{Importance: memory.Low, AddTags: []string{"importance:critical"}},
			`the importance is low, but a tag says critical`},
		"tags against it": {api.Patch{Importance: memory.Low, Tags: &[]string{"importance:critical"}},
			`the importance is low, but a tag says critical`},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool size", "Lead.\n\nIt is 20.", 0.5, "db")
			before := f.everyFile()
			_, err := f.Update(f.ctx, string(id), test.patch)
			require.EqualError(t, err, test.want)
			require.True(t, memory.Refused(err))
			require.Equal(t, before, f.everyFile())
		})
	}
}

// TestImportanceOfADraft gives a new memory its level.
func TestImportanceOfADraft(t *testing.T) {
	f := newEngine(t)
	r, err := f.Remember(f.ctx, api.Draft{Topic: "t", Content: "c", Tags: []string{"db"}, Importance: memory.Important})
	require.NoError(t, err)
	require.Equal(t, []any{[]string{"db"}, memory.Important}, []any{r.Tags, r.Importance})
	before := f.everyFile()
	for want, d := range map[string]api.Draft{
		`"urgent" is not an importance; allowed: critical, important, normal, low`: {Importance: "urgent"},
		`the importance is low, but a tag says critical`: {Importance: memory.Low,
			Tags: []string{"importance:critical"}},
		`that makes 21 tags; at most 20 tags are allowed, and an importance counts as one`: {Importance: memory.Low,
			Tags: strings.Fields("a b c d e f g h i j k l m n o p q r s t")},
	} {
		d.Topic, d.Content = "another", "text"
		_, err := f.Remember(f.ctx, d)
		require.EqualError(t, err, want)
	}
	require.Equal(t, before, f.everyFile())
}

// TestAReducedMemoryIsExtendedInFull appends to a memory of which the file has a
// part, and changes its summary.
func TestAReducedMemoryIsExtendedInFull(t *testing.T) {
	for name, patch := range map[string]api.Patch{"append": {Append: of("It is 30.")},
		"summary": {Summary: of("The pool.")}} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool size", longText(), 0.5)
			f.fade(id, memory.Abstract)
			_, err := f.WriteFading(f.ctx, api.EvictOptions{})
			require.NoError(t, err)
			require.NotContains(t, f.file(id), "A detail")
			_, err = f.Update(f.ctx, string(id), patch)
			require.NoError(t, err)
			m := f.header(id)
			require.Equal(t, memory.Full, m.Phase)
			require.True(t, strings.HasPrefix(m.Content, longText()), m.Content)
			require.Equal(t, memory.Full, f.phase(id))
			f.requireVersions(id, longText())
			report, err := f.Check(f.ctx)
			require.NoError(t, err)
			require.True(t, report.OK, report.Summary)
		})
	}
}

// TestWhatIsLeftIsNotExtended refuses to extend a reduced memory without a full text.
func TestWhatIsLeftIsNotExtended(t *testing.T) {
	f := newEngine(t)
	f.remember("Another", "It makes the store.", 0.5)
	const id = memory.ID("mem_0000abcd")
	require.NoError(t, os.WriteFile(f.memoryFile(id),
		[]byte("---\nid: mem_0000abcd\ntopic: Pool size\nphase: 2\n---\n\n## Summary\nThe pool.\n"), 0o644))
	before := f.everyFile()
	_, err := f.Update(f.ctx, string(id), api.Patch{Append: of("It is 30.")})
	require.EqualError(t, err,
		"the full text of mem_0000abcd is missing, and only what is left of it could be extended")
	require.Equal(t, memory.KindAppendNoFull, memory.KindOf(err))
	require.Equal(t, before, f.everyFile())
}

// withForeignArchive makes a memory of this clone whose file is reduced, and a full
// text in the archives that a repository brought.
func withForeignArchive(t *testing.T) (*fixture, memory.ID) {
	f := newEngine(t)
	id := f.remember("Pool size", longText(), 0.5)
	f.fade(id, memory.Hint)
	_, err := f.WriteFading(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	archived, err := os.ReadFile(f.archiveFile(id))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(f.archiveFile(id),
		[]byte(strings.ReplaceAll(string(archived), "A detail", "A canary")), 0o644))
	return f, id
}

// TestTextHeldBackIsNotExtended extends what a person has not approved, for a model.
func TestTextHeldBackIsNotExtended(t *testing.T) {
	f, id := withForeignArchive(t)
	f.set("trust", "ask", settings.Clone)
	clock := func() time.Time { return f.now }
	e := engine.New(engine.Options{Store: store.New(f.places, clock), Now: clock, LockWait: patience, ToModel: true})
	before := f.workTree()
	for _, patch := range []api.Patch{{Append: of("More.")}, {Summary: of("The pool.")}} {
		_, err := e.Update(f.ctx, string(id), patch)
		require.ErrorContains(t, err, string(id)+" is held back")
		require.Equal(t, before, f.workTree())
	}
	_, err := e.Update(f.ctx, string(id), api.Patch{AddTags: []string{"db"}})
	require.NoError(t, err, "its own part may be changed")
}

// TestTextFromElsewhereStaysFromElsewhere extends it where it is only marked.
func TestTextFromElsewhereStaysFromElsewhere(t *testing.T) {
	f, id := withForeignArchive(t)
	_, err := f.Update(f.ctx, string(id), api.Patch{Append: of("More.")})
	require.NoError(t, err)
	require.Contains(t, f.header(id).Content, "A canary")
	trusted, err := f.Trusted(f.ctx)
	require.NoError(t, err)
	require.Len(t, trusted.Foreign, 1)
	require.Equal(t, id, trusted.Foreign[0].ID)
}
