package engine_test

import (
	"context"
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

// TestArchivedIsSaidOfWhatIsThere reads a memory before and after it was forgotten, restored,
// replaced and reduced.
func TestArchivedIsSaidOfWhatIsThere(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", longText(), 0.5)
	show := func() api.Detail {
		d, err := f.Get(f.ctx, string(id))
		require.NoError(t, err)
		return d
	}
	requireActive := func() {
		t.Helper()
		d := show()
		require.Equal(t, []any{false, "", true, ""},
			[]any{d.Archived, d.ArchivedReason, d.ArchivedAt == nil, d.Note.String()})
	}
	requireActive()
	f.forget(id)
	f.restore(id)
	requireActive()
	f.update(id, longText()+"\n\nMore.")
	requireActive()
	earlier, err := f.PeekArchive(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, longText(), earlier.Content)
	require.True(t, earlier.Archived)
	require.Equal(t, "an earlier text; [earlier_text "+string(id)+"]", spelled(earlier.Note))

	f.fade(id, memory.Hint)
	require.Equal(t, longText()+"\n\nMore.", show().Content, "a view takes nothing away")
	requireActive()
	f.fade(id, memory.Hint)
	_, err = f.WriteFading(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	d := show()
	require.Equal(t, memory.Hint, d.Phase)
	require.True(t, d.Archived)
	require.Equal(t, "its file has only a part of it; [part_only "+string(id)+"]", spelled(d.Note))
	full, err := f.PeekArchive(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, []any{longText() + "\n\nMore.", true, ""}, []any{full.Content, full.Archived, full.Note.String()})
	require.Equal(t, memory.Hint, f.header(id).Phase, "looking restores nothing")
}

// TestSeveralAtOnce asks for memories that are there and others that are not.
func TestSeveralAtOnce(t *testing.T) {
	f := newEngine(t)
	one, two, gone := f.remember("One", "First.", 0.5), f.remember("Two", "Second.", 0.5),
		f.remember("Three", "Third.", 0.5)
	f.forget(gone)
	ids := []string{string(two), "mem_0000ffff", string(gone), string(one), string(two)}
	got, err := f.GetMany(f.ctx, ids)
	require.NoError(t, err)
	require.Equal(t, []string{"Two", "there is no memory mem_0000ffff",
		"mem_00000003 is only in the archives (forgotten)", "One"}, told(got))
	for _, id := range []memory.ID{one, two} {
		require.Equal(t, 1, f.stats()[id].AccessCount)
	}
	require.Equal(t, 1, got[0].Detail.AccessCount)

	got, err = f.PeekArchives(f.ctx, ids)
	require.NoError(t, err)
	require.Equal(t, []string{"there is no archive mem_00000002", "there is no archive mem_0000ffff", "Three",
		"there is no archive mem_00000001"}, told(got))
	require.Equal(t, 1, f.stats()[one].AccessCount, "reading an archive is not an access")
}

// told returns the topics of the memories that were found, and the errors about the others.
func told(got []api.Got) []string {
	var all []string
	for _, g := range got {
		text := g.Detail.Topic
		if g.Err != nil {
			text, _, _ = strings.Cut(g.Err.Error(), ";")
		}
		all = append(all, text)
	}
	return all
}

// TestBadListsOfIDs changes nothing and names what is wrong.
func TestBadListsOfIDs(t *testing.T) {
	f := newEngine(t)
	id := f.remember("One", "First.", 0.5)
	many := make([]string, 21)
	for i := range many {
		many[i] = fmt.Sprintf("mem_%08x", i)
	}
	before := f.everyFile()
	for want, ids := range map[string][]string{
		"no ids were given; 1 to 20 are allowed":                         {},
		"21 ids were given; at most 20 are allowed":                      many,
		`"../../x" is not a memory id; an id is "mem_" and 8 hex digits`: {string(id), "../../x"},
		`"" is not a memory id; an id is "mem_" and 8 hex digits`:        {""},
	} {
		_, err := f.GetMany(f.ctx, ids)
		require.Error(t, err)
		require.Equal(t, want, err.Error())
	}
	require.Equal(t, before, f.everyFile())
}

// TestLongOnesAreAskedForAlone asks for two memories that are too long for one answer.
func TestLongOnesAreAskedForAlone(t *testing.T) {
	f := newEngine(t)
	one, two := f.remember("One", strings.Repeat("a", 100<<10), 0.5),
		f.remember("Two", strings.Repeat("b", 40<<10), 0.5)
	got, err := f.GetMany(f.ctx, []string{string(one), string(two)})
	require.NoError(t, err)
	require.Equal(t, []string{"One", "mem_00000002 is too long to be shown together with the others"}, told(got))
	require.Zero(t, f.stats()[two].AccessCount)
}

// TestMemoriesHeldBackAreNotShownTogether asks for one that a repository brought, and
// for its archive.
func TestMemoriesHeldBackAreNotShownTogether(t *testing.T) {
	f := newEngine(t)
	own := f.remember("Own", "First.", 0.5)
	f.set("trust", "ask", settings.Clone)
	const foreign = memory.ID("mem_0000abcd")
	text := []byte("---\nid: mem_0000abcd\ntopic: canary\n---\n\n## Summary\ncanary\n\n## Content\ncanary\n")
	require.NoError(t, os.WriteFile(f.memoryFile(foreign), text, 0o644))
	require.NoError(t, os.MkdirAll(f.dir+"/archives", 0o755))
	require.NoError(t, os.WriteFile(f.archiveFile(foreign), text, 0o644))
	clock := func() time.Time { return f.now }
	e := engine.New(engine.Options{Store: store.New(f.places, clock), Now: clock, LockWait: patience, ToModel: true})
	for _, read := range []func(context.Context, []string) ([]api.Got, error){e.GetMany, e.PeekArchives} {
		got, err := read(f.ctx, []string{string(foreign), string(own)})
		require.NoError(t, err)
		require.Equal(t, "mem_0000abcd is held back: it was not written in this clone", got[0].Err.Error())
		require.Equal(t, memory.KindMemoryHeldBack, memory.KindOf(got[0].Err))
		require.NotContains(t, fmt.Sprint(got), "canary")
	}
	_, err := e.PeekArchive(f.ctx, string(foreign))
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
}

// TestMemoriesHeldBackAreNotNamed by one that corrects them: their ids are words of whoever brought them.
func TestMemoriesHeldBackAreNotNamed(t *testing.T) {
	f := newEngine(t)
	old, archived, active := f.remember("Old", "First.", 0.5), memory.ID("mem_0000abcd"), memory.ID("mem_0000abce")
	text := "---\nid: %s\ntopic: canary\n---\n\n## Summary\ncanary\n\n## Content\ncanary\n"
	require.NoError(t, os.MkdirAll(f.dir+"/archives", 0o755))
	require.NoError(t, os.WriteFile(f.archiveFile(archived), fmt.Appendf(nil, text, archived), 0o644))
	require.NoError(t, os.WriteFile(f.memoryFile(active), fmt.Appendf(nil, text, active), 0o644))
	r, err := f.Remember(f.ctx, api.Draft{Topic: "New", Content: "Second.", Supersedes: []string{string(old)}})
	require.NoError(t, err)
	data, err := os.ReadFile(f.memoryFile(r.ID))
	require.NoError(t, err)
	named := strings.Replace(string(data), string(old), fmt.Sprintf("%s, %s, %s", old, archived, active), 1)
	require.NoError(t, os.WriteFile(f.memoryFile(r.ID), []byte(named), 0o644))
	_, err = f.Approve(f.ctx, []string{string(r.ID)})
	require.NoError(t, err)

	clock := func() time.Time { return f.now }
	e := engine.New(engine.Options{Store: store.New(f.places, clock), Now: clock, LockWait: patience, ToModel: true})
	supersedes := func(e *engine.Engine) []memory.ID {
		d, err := e.Get(f.ctx, string(r.ID))
		require.NoError(t, err)
		return d.Supersedes
	}
	all := []memory.ID{old, archived, active}
	require.Equal(t, all, supersedes(e))
	f.set("trust", "ask", settings.Clone)
	require.Equal(t, []memory.ID{old}, supersedes(e))
	require.Equal(t, all, supersedes(f.Engine), "a person sees what is held back")
}
