package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// TestWhatReplacesATextArchivesIt changes a memory in every way, and requires a
// version of what it said exactly where its text was replaced.
func TestWhatReplacesATextArchivesIt(t *testing.T) {
	archives := map[string]bool{"content": true, "appended": true, "summary": true, "topic": true, "tags": false,
		"added tags": false, "importance": false, "difficulty": false, "edited": true, "pinned": false,
		"forgotten": true, "faded": true}
	require.Len(t, everyChange(), len(archives))
	for name, change := range everyChange() {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool size", "Lead.\n\nIt is 20.", 0.5)
			before := f.file(id)
			change.do(f, id)
			if archives[name] {
				require.Equal(t, []string{before}, f.versions(id))
			} else {
				require.Empty(t, f.versions(id))
			}
		})
	}
}

// TestArchivesAreWriteOnce replaces a text many times: what is a version stays as
// it is, under its name.
func TestArchivesAreWriteOnce(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 0.", 0.5)
	for i, text := range []string{"It is 1.", "It is 2.", "It is 0.", "It is 3."} {
		before := f.workTree()
		f.update(id, text)
		after := f.workTree()
		for name, was := range before {
			if strings.HasPrefix(name, "archives/") {
				require.Equal(t, was, after[name])
			}
		}
		require.Len(t, after, len(before)+1)
		require.Len(t, f.versions(id), i+1)
	}
	f.requireVersions(id, "It is 0.", "It is 2.", "It is 1.", "It is 0.")
}

// TestEditingNothingArchivesNothing saves a file as it was.
func TestEditingNothingArchivesNothing(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.edit(id, "no such text", "")
	f.edit(id, "difficulty: 0.5", "difficulty: 0.7")
	require.Empty(t, f.versions(id))
	f.edit(id, "It is 20.", "It is 30.")
	f.requireVersions(id, "It is 20.")
}

// unresolved leaves a memory as a merge that failed does. Both sides have a header of
// their own.
func (f *fixture) unresolved(id memory.ID, ours, theirs string) {
	f.t.Helper()
	text := f.file(id)
	conflict := "<<<<<<< HEAD\n" + ours + "\n=======\n" + theirs + "\n>>>>>>> other\n"
	require.NoError(f.t, os.WriteFile(f.memoryFile(id), []byte(strings.ReplaceAll(text, f.content(id)+"\n", conflict)),
		0o644))
}

// TestResolvingAMergeArchivesBothSides has a person write a text of their own, take
// one side, or keep both.
func TestResolvingAMergeArchivesBothSides(t *testing.T) {
	for name, c := range map[string]struct {
		resolved string
		want     []string
	}{
		"as a text of its own": {"It is 50.", []string{"It is 40.", "It is 30."}},
		"as our side":          {"It is 30.", []string{"It is 40."}},
		"as their side":        {"It is 40.", []string{"It is 30."}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool size", "It is 20.", 0.5)
			sound := f.file(id)
			f.unresolved(id, "It is 30.", "It is 40.")
			_, before, err := f.File(f.ctx, string(id))
			require.NoError(t, err)
			_, err = f.EditFile(f.ctx, id, before, []byte(strings.ReplaceAll(sound, "It is 20.", c.resolved)))
			require.NoError(t, err)
			require.Equal(t, c.resolved, f.content(id))
			f.requireVersions(id, c.want...)
			f.undo()
			require.Equal(t, string(before), f.file(id), "the merge as it was")
		})
	}
}

// TestAnUnresolvedMergeIsNotReplaced refuses what would write over one side.
func TestAnUnresolvedMergeIsNotReplaced(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.unresolved(id, "It is 30.", "It is 40.")
	before := f.workTree()
	content := "It is 50."
	for name, do := range map[string]func() error{
		"update":  func() error { _, err := f.Update(f.ctx, string(id), api.Patch{Content: &content}); return err },
		"forget":  func() error { _, err := f.Forget(f.ctx, string(id)); return err },
		"pin":     func() error { _, err := f.Pin(f.ctx, []string{string(id)}, memory.Critical); return err },
		"restore": func() error { _, err := f.Restore(f.ctx, string(id), ""); return err },
	} {
		require.Equal(t, memory.CodeConflict, memory.CodeOf(do()), name)
		require.Equal(t, before, f.workTree(), name)
	}
}

// TestAFileThatIsNoMemoryCanBeRepairedByHand replaces bytes that no archive can
// hold: they can be taken back.
func TestAFileThatIsNoMemoryCanBeRepairedByHand(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	sound := f.file(id)
	require.NoError(t, os.WriteFile(f.memoryFile(id), []byte("---\nno end"), 0o644))
	_, err := f.EditFile(f.ctx, id, []byte("---\nno end"), []byte(sound))
	require.NoError(t, err)
	require.Equal(t, sound, f.file(id))
	require.Empty(t, f.versions(id))
	f.undo()
	require.Equal(t, "---\nno end", f.file(id))
}

// TestAMergeOfAStubAndATextIsResolvedByHand has a memory that one branch archived
// and another one changed: nothing but a person's text takes the place of both.
func TestAMergeOfAStubAndATextIsResolvedByHand(t *testing.T) {
	const id = "mem_00000005"
	const path, archive = "memories/" + id + ".md", "archives/" + id + ".md"
	for name, c := range map[string]struct {
		text     string
		archived bool
		want     []string // in the archives afterwards
	}{
		"with their text":        {"Theirs changed it.", true, []string{"All of it."}},
		"with a text of its own": {"Something else.", true, []string{"All of it.", "Theirs changed it."}},
		"without an archive":     {"Something else.", false, []string{"Theirs changed it."}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBroken(t, "unresolved")
			before := b.files()[path]
			resolved := strings.ReplaceAll(b.files()[archive], "All of it.", c.text)
			if !c.archived {
				require.NoError(t, os.Remove(b.path(archive)))
			}
			_, err := b.engine().Restore(t.Context(), id, "")
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
			require.Equal(t, before, b.files()[path])
			_, data, err := b.engine().File(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, before, string(data))
			_, err = b.engine().EditFile(t.Context(), id, data, []byte(resolved))
			require.NoError(t, err)
			require.Equal(t, resolved, b.files()[path])
			var archived []string
			for name, text := range b.files() {
				if strings.HasPrefix(name, "archives/"+id) {
					file, err := memfile.Parse([]byte(text))
					require.NoError(t, err)
					require.False(t, file.Memory.IsStub(), "a stub has nothing to archive")
					archived = append(archived, file.Memory.Content)
				}
			}
			require.ElementsMatch(t, c.want, archived)
		})
	}
}

func TestADraftHasWhatTheFileSays(t *testing.T) {
	d := newEngine(t).Draft([]byte("---\nid: mem_00000001\ntopic: Pool\ntags: [db, importance:critical, pool]\n" +
		"phase: 0\ndifficulty: 0.5\ncreated_at: 2026-01-15T10:30:00Z\n---\n\nFifty.\n"))
	require.Equal(t, api.Draft{Topic: "Pool", Content: "Fifty.", Tags: []string{"db", "pool"},
		Importance: memory.Critical}, d)
}
