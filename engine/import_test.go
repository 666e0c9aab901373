package engine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ltm/engine/change"
	"ltm/engine/transfer"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// reading makes a document of notes by name.
func reading(notes ...transfer.Item) change.Import {
	for i := range notes {
		notes[i].Entry = notes[i].Key
	}
	return change.Import{Form: "notes", Source: "notes.json",
		Reading: transfer.Reading{System: "notes", Items: notes},
		Options: transfer.Options{Scope: transfer.ScopeProject}}
}

// note is an entry with a text.
func note(key, text string) transfer.Item {
	return transfer.Item{Key: key, Memory: memory.Memory{Content: text}}
}

// document reads what an export wrote.
func document(t testing.TB, data []byte) change.Import {
	t.Helper()
	s := transfer.Source{Name: "a.json", Files: []transfer.File{{Name: "a.json", Data: data}}}
	require.True(t, transfer.Own{}.Recognize(s))
	r, err := transfer.Own{}.Read(s, transfer.Here{})
	require.NoError(t, err)
	return change.Import{Form: "ltm", Source: "a.json", Reading: r,
		Options: transfer.Options{Scope: transfer.ScopeProject}}
}

func (f *fixture) export() []byte {
	f.t.Helper()
	records, _, err := f.Records(f.ctx, api.IncludeAll, "", transfer.ScopeProject)
	require.NoError(f.t, err)
	data, err := transfer.WriteOwn(records)
	require.NoError(f.t, err)
	return data
}

// files returns the files of a store that a team shares.
func (f *fixture) files() map[string]string {
	f.t.Helper()
	found := map[string]string{}
	for _, folder := range []string{"memories", "archives"} {
		entries, err := os.ReadDir(filepath.Join(f.dir, folder))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(f.t, err)
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(f.dir, folder, e.Name()))
			require.NoError(f.t, err)
			found[folder+"/"+e.Name()] = string(data)
		}
	}
	return found
}

func TestImport(t *testing.T) {
	f := newEngine(t)
	here := f.remember("The pool", "It has 20 connections.", 0.5)
	first, second := note("a", "The first text."), note("b", "The second text.")
	second.Related = []string{"a"}
	first.Proof = transfer.Proven
	plan, err := f.Import(f.ctx, reading(first, second, transfer.Item{Key: "c", Memory: memory.Memory{
		Topic: "the POOL", Content: "It  has 20 connections."}}))
	require.NoError(t, err)
	require.Equal(t, transfer.Counts{New: 2, Skipped: 1}, plan.Counts)
	require.Equal(t, string(here)+" has the same topic and content", plan.Steps[2].Reason)

	d, err := f.Peek(f.ctx, string(plan.Steps[1].ID))
	require.NoError(t, err)
	require.Equal(t, "The second text.", d.Content)
	require.InDelta(t, 0.25, d.Difficulty, 0)
	foreign, err := f.Trusted(f.ctx)
	require.NoError(t, err)
	require.Len(t, foreign.Foreign, 1, "what was proven is approved")
	require.Equal(t, plan.Steps[1].ID, foreign.Foreign[0].ID)

	before := f.files()
	plan, err = f.Import(f.ctx, reading(first, second))
	require.NoError(t, err)
	require.False(t, plan.Changes())
	require.Equal(t, before, f.files())

	list, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	require.Len(t, list.Changes, 2, "one for the first memory, one for the import")
	require.Equal(t, `2 memories from "notes.json" (notes)`, list.Changes[0].Why)
}

func TestImportIsAllOrNothing(t *testing.T) {
	f := newEngine(t)
	bad := note("bad", "The password: hunter2hunter2 for the database.")
	i := reading(note("a", "A text."), bad, note("", "no key"))
	_, err := f.Import(f.ctx, i)
	require.Equal(t, memory.KindImportRefused, memory.KindOf(err))
	require.ErrorContains(t, err, "bad: the topic seems to hold a credential")
	require.NotContains(t, err.Error(), "hunter2")
	require.NoDirExists(t, f.dir, "not even a store is made")

	i = reading(note("a", "A text."), bad)
	_, err = f.Import(f.ctx, i)
	require.Equal(t, memory.KindImportSecret, memory.KindOf(err))
	require.Equal(t, memory.CodeSecret, memory.CodeOf(err))
	i.DryRun = true
	plan, err := f.Import(f.ctx, i)
	require.Error(t, err)
	require.Len(t, plan.Steps, 2)
	i.DryRun, i.Options.SkipBad = false, true
	plan, err = f.Import(f.ctx, i)
	require.NoError(t, err)
	require.Equal(t, transfer.Counts{New: 1, Refused: 1}, plan.Counts)
	i.Options.SkipBad, i.Redact = false, true
	plan, err = f.Import(f.ctx, i)
	require.NoError(t, err)
	require.Positive(t, plan.Counts.Masked)
	for name, text := range f.files() {
		require.NotContains(t, text, "hunter2", name)
	}
}

func TestUndoOfAnImport(t *testing.T) {
	f := newEngine(t)
	kept := f.remember("The pool", "It has 20 connections.", 0.5)
	superseding := note("new", "The text that holds now.")
	superseding.Supersedes = []string{"old"}
	old := note("old", "The text that held before.")
	i := reading(superseding, old, note("x", "Another one."))
	plan, err := f.Import(f.ctx, i)
	require.NoError(t, err)
	require.Equal(t, 3, plan.Counts.New)
	updated := reading(note("x", "Another text of it."))
	updated.Options.Known = transfer.KnownUpdate
	_, err = f.Import(f.ctx, updated)
	require.NoError(t, err)

	r := f.undo()
	require.Equal(t, `took back: imported 1 memory from "notes.json" (notes)`, r.Message.String())
	d, err := f.Peek(f.ctx, string(plan.Steps[2].ID))
	require.NoError(t, err)
	require.Equal(t, "Another one.", d.Content)

	require.Contains(t, f.undo().Message.String(), `took back: imported 3 memories from "notes.json" (notes)`)
	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	require.Len(t, list.Memories, 1)
	require.Equal(t, kept, list.Memories[0].ID)
	for _, step := range plan.Steps {
		require.Contains(t, f.file(step.ID), "archived_reason: undone")
		d, err := f.PeekArchive(f.ctx, string(step.ID))
		require.NoError(t, err)
		require.NotEmpty(t, d.Content)
	}
	_, err = f.Restore(f.ctx, string(plan.Steps[2].ID), "")
	require.NoError(t, err)
	again, err := f.Import(f.ctx, i)
	require.NoError(t, err)
	require.Equal(t, 2, again.Counts.New)
}

func TestUndoOfAnImportKeepsWhatChanged(t *testing.T) {
	f := newEngine(t)
	plan, err := f.Import(f.ctx, reading(note("a", "The first text."), note("b", "The second text.")))
	require.NoError(t, err)
	a, b := plan.Steps[0].ID, plan.Steps[1].ID
	text := strings.ReplaceAll(f.file(a), "The first text.", "By hand.")
	require.NoError(t, os.WriteFile(f.memoryFile(a), []byte(text), 0o644))
	r := f.undo()
	require.Contains(t, r.Message.String(), "1 memory stayed as something else has changed them since")
	require.Equal(t, text, f.file(a))
	require.Contains(t, f.file(b), "archived_reason: undone")

	// Another import brings back what was undone, and only that.
	plan, err = f.Import(f.ctx, reading(note("a", "The first text."), note("b", "The second text.")))
	require.Equal(t, memory.KindImportChanged, memory.KindOf(err))
	i := reading(note("a", "The first text."), note("b", "The second text."))
	i.Options.Known = transfer.KnownKeep
	plan, err = f.Import(f.ctx, i)
	require.NoError(t, err)
	require.Equal(t, transfer.Counts{New: 1, Skipped: 1}, plan.Counts)
	require.Equal(t, b, plan.Steps[1].ID)
	require.Equal(t, text, f.file(a))

	require.NoError(t, os.WriteFile(f.memoryFile(b), []byte(text), 0o644))
	_, err = f.Undo(f.ctx, "")
	require.Equal(t, memory.KindGroupChanged, memory.KindOf(err))
}

// furnished makes a random store, with what people and merges leave in files.
func furnished(t *testing.T, r *rand.Rand) *fixture {
	f := newEngine(t)
	var ids []memory.ID
	for n := range 3 + r.IntN(12) {
		id := f.remember(fmt.Sprintf("Topic %d \"quoted\" ü", n),
			fmt.Sprintf("Text %d.\n\n- one\n- two\t<b>&\u2028", n), 0.5)
		ids = append(ids, id)
		text := f.file(id)
		switch r.IntN(8) {
		case 0:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 1:
			text = strings.Replace(text, "phase: 0", "# by hand\nmine: {a: 1}\nphase: 0", 1)
		case 2:
			text = strings.Replace(text, "phase: 0", "supersedes: ["+string(ids[0])+"]\nsignature: v1:x:y\nphase: 0", 1)
		case 3:
			text = "\ufeff" + text
		case 4:
			text = "# Only text\n\nWithout a header.\n"
		case 5:
			text = strings.TrimRight(text, "\n")
		}
		require.NoError(t, os.WriteFile(f.memoryFile(id), []byte(text), 0o644))
		content := fmt.Sprintf("Another text %d.", n)
		for range r.IntN(3) {
			content += " And more."
			_, err := f.Update(f.ctx, string(id), api.Patch{Content: &content})
			require.NoError(t, err)
		}
		switch r.IntN(5) {
		case 0:
			_, err := f.Forget(f.ctx, string(id))
			require.NoError(t, err)
		case 1:
			_, err := f.Erase(f.ctx, string(id))
			require.NoError(t, err)
		case 2:
			_, err := f.Forget(f.ctx, string(id))
			require.NoError(t, err)
			require.NoError(t, os.Remove(f.memoryFile(id))) // only archives are left
		}
	}
	return f
}

func TestExportAndImportGiveTheSameBytes(t *testing.T) {
	for seed := range uint64(10) {
		f := furnished(t, rand.New(rand.NewPCG(seed, 1)))
		data := f.export()
		require.Equal(t, data, f.export())
		other := newEngine(t)
		plan, err := other.Import(other.ctx, document(t, data))
		require.NoError(t, err)
		require.Equal(t, f.files(), other.files())
		require.Equal(t, string(data), string(other.export()))
		require.Equal(t, len(plan.Steps), plan.Counts.New)

		for _, e := range []*fixture{f, other} { // where it comes from, and where it went
			plan, err = e.Import(e.ctx, document(t, data))
			require.NoError(t, err)
			require.False(t, plan.Changes(), "%+v", plan.Steps)
		}
	}
}

func TestImportOfTwoStoresWithOneID(t *testing.T) {
	f, other := newEngine(t), newEngine(t)
	other.now = f.now.Add(time.Hour)
	here := f.remember("Ours", "A text of ours.", 0.5)
	require.Equal(t, here, other.remember("Theirs", "A text of theirs.", 0.5))
	linked := other.remember("Linked", "See the other one.", 0.5)
	text := strings.Replace(other.file(linked), "phase: 0", "related: ["+string(here)+"]\nphase: 0", 1)
	require.NoError(t, os.WriteFile(other.memoryFile(linked), []byte(text), 0o644))
	content := "A newer text of theirs."
	_, err := other.Update(other.ctx, string(here), api.Patch{Content: &content})
	require.NoError(t, err)

	plan, err := f.Import(f.ctx, document(t, other.export()))
	require.NoError(t, err)
	require.Equal(t, 2, plan.Counts.New)
	require.Equal(t, "Ours", f.topic(here))
	theirs := plan.Steps[0].ID
	require.NotEqual(t, here, theirs)
	file, err := memfile.Parse([]byte(f.file(theirs)))
	require.NoError(t, err)
	require.Equal(t, &memory.Origin{System: "ltm", ID: string(here)}, file.Memory.Origin)
	require.Contains(t, f.file(linked), "related: ["+string(theirs)+"]")
	archived, err := f.PeekArchive(f.ctx, string(theirs))
	require.NoError(t, err)
	require.Equal(t, "A text of theirs.", archived.Content)

	plan, err = f.Import(f.ctx, document(t, other.export()))
	require.NoError(t, err)
	require.False(t, plan.Changes(), "%+v", plan.Steps)
}

func (f *fixture) topic(id memory.ID) string {
	f.t.Helper()
	d, err := f.Peek(f.ctx, string(id))
	require.NoError(f.t, err)
	return d.Topic
}

// TestImportOfALaterExport takes what has changed in the other store, as far as it is asked to.
func TestImportOfALaterExport(t *testing.T) {
	f, other := newEngine(t), newEngine(t)
	id := other.remember("Topic", "The first text.", 0.5)
	gone := other.remember("Another", "Another text.", 0.5)
	_, err := f.Import(f.ctx, document(t, other.export()))
	require.NoError(t, err)
	content := "The second text."
	_, err = other.Update(other.ctx, string(id), api.Patch{Content: &content})
	require.NoError(t, err)
	_, err = other.Forget(other.ctx, string(gone))
	require.NoError(t, err)

	i := document(t, other.export())
	_, err = f.Import(f.ctx, i)
	require.Equal(t, memory.KindImportChanged, memory.KindOf(err))
	require.ErrorContains(t, err, "its text has changed")
	require.ErrorContains(t, err, "it is archived")
	i.Options.Known = transfer.KnownUpdate
	plan, err := f.Import(f.ctx, i)
	require.NoError(t, err)
	require.Equal(t, transfer.Counts{Updated: 2, Archived: 1}, plan.Counts)
	require.Equal(t, other.file(id), f.file(id))
	require.Contains(t, f.file(gone), "archived_reason: forgotten")
	archived, err := f.PeekArchive(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, "The first text.", archived.Content)

	// The other store lacks what was changed here: nothing is to be done there.
	content = "The third text."
	_, err = f.Update(f.ctx, string(id), api.Patch{Content: &content})
	require.NoError(t, err)
	plan, err = f.Import(f.ctx, document(t, other.export()))
	require.NoError(t, err)
	require.False(t, plan.Changes())
	require.Equal(t, "it is here already, and was changed here since", plan.Steps[0].Reason)

	// Archived texts are added when asked for.
	i = document(t, f.export())
	i.Options.Known = transfer.KnownKeep
	plan, err = other.Import(other.ctx, i)
	require.NoError(t, err)
	require.Positive(t, plan.Counts.Merged)
	plan, err = other.Import(other.ctx, i)
	require.NoError(t, err)
	require.False(t, plan.Changes())
}

func BenchmarkImport(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var notes []transfer.Item
			for i := range n {
				topic := fmt.Sprintf("Topic number %d about component %d\n\n", i, i%97)
				notes = append(notes, note(fmt.Sprint(i), topic+
					strings.Repeat(fmt.Sprintf("Detail %d of the component. ", i), 50)))
			}
			for b.Loop() {
				b.StopTimer()
				f := newEngine(b)
				b.StartTimer()
				_, err := f.Import(f.ctx, reading(notes...))
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkExport(b *testing.B) {
	f := filled(b, 10000)
	var data []byte
	for b.Loop() {
		data = f.export()
	}
	require.True(b, bytes.HasPrefix(data, []byte(`{"form":"ltm"`)))
	b.SetBytes(int64(len(data)))
}

// TestImportsAtOnce imports one document in several processes: one of them does.
func TestImportsAtOnce(t *testing.T) {
	f := newEngine(t)
	f.remember("Topic", "Text.", 0.5)
	var notes []transfer.Item
	for n := range 50 {
		notes = append(notes, note(fmt.Sprint(n), fmt.Sprint("Text ", n)))
	}
	counts := make(chan int, 4)
	for range cap(counts) {
		go func() {
			plan, err := f.reopen(new(counter)).Import(f.ctx, reading(slices.Clone(notes)...))
			assert.NoError(t, err)
			counts <- plan.Counts.New
		}()
	}
	sum := 0
	for range cap(counts) {
		sum += <-counts
	}
	require.Equal(t, 50, sum)
	require.Len(t, f.files(), 51)
}

// TestImportWhereNothingCanBeWritten changes nothing, and says what is wrong.
func TestImportWhereNothingCanBeWritten(t *testing.T) {
	f := newEngine(t)
	f.remember("Topic", "Text.", 0.5)
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "archives"), nil, 0o644)) // in the place of the directory
	old := note("old", "The text that held before.")
	superseding := note("new", "The text that holds now.")
	superseding.Supersedes = []string{"old"}
	_, err := f.Import(f.ctx, reading(superseding, old))
	require.Equal(t, memory.CodeStorage, memory.CodeOf(err))
	require.NoError(t, os.Remove(filepath.Join(f.dir, "archives")))
	require.Len(t, f.files(), 1)
	_, err = f.Import(f.ctx, reading(superseding, old))
	require.NoError(t, err)
}

// TestUpdateOfAForeignMemoryApprovesOnlyTheDocument imports entries whose origins a hostile clone
// claims.
func TestUpdateOfAForeignMemoryApprovesOnlyTheDocument(t *testing.T) {
	f := newEngine(t)
	team := f.remember("The pool", "It has 20 connections.", 0.5)
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "memories", "mem_66666666.md"), []byte(
		"---\nid: mem_66666666\ntopic: Evil\nagent: nobody\ntags: [evil]\nsupersedes: ["+string(team)+"]\n"+
			"origin: {system: notes, id: a}\n---\n## Content\nEvil.\n"), 0o644))
	i := reading(note("a", "The honest text."))
	i.DryRun = true
	plan, err := f.Import(f.ctx, i)
	require.Equal(t, memory.KindImportChanged, memory.KindOf(err))
	require.Equal(t, transfer.ActionChanged, plan.Steps[0].Action)
	require.Equal(t, []string{"what is here was not written or approved in this clone"}, plan.Steps[0].Remarks)

	i.DryRun, i.Options.Known, i.Options.Trust = false, transfer.KnownUpdate, true
	plan, err = f.Import(f.ctx, i)
	require.NoError(t, err)
	require.Equal(t, transfer.Counts{Updated: 1}, plan.Counts)
	d, err := f.Peek(f.ctx, "mem_66666666")
	require.NoError(t, err)
	require.Equal(t, "The honest text.", d.Content)
	require.Empty(t, d.Supersedes)
	require.Empty(t, d.Tags)
	require.Empty(t, d.Agent)
	require.Contains(t, f.idsOf(api.IncludeActive), team, "it is still in sight")
}

// TestAStubWithoutATextKeepsNothingOut imports an entry that a hostile clone claims was forgotten.
func TestAStubWithoutATextKeepsNothingOut(t *testing.T) {
	f := newEngine(t)
	f.remember("The pool", "It has 20 connections.", 0.5)
	stub := func(id, origin string) {
		require.NoError(t, os.WriteFile(filepath.Join(f.dir, "memories", id+".md"), []byte("---\nid: "+id+
			"\ntopic: Evil\nphase: 3\narchived: 2026-01-01\narchived_reason: forgotten\norigin: {system: notes, id: "+
			origin+"}\n---\n"), 0o644))
	}
	stub("mem_66666666", "a")
	stub("mem_77777777", "b")
	require.NoError(t, os.MkdirAll(filepath.Join(f.dir, "archives"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "archives", "mem_77777777.md"),
		[]byte("---\ntopic: Evil\norigin: {system: notes, id: b}\n---\nEvil.\n"), 0o644))
	plan, err := f.Import(f.ctx, reading(note("a", "The honest text."), note("b", "Another honest text.")))
	require.NoError(t, err)
	require.Equal(t, transfer.Counts{New: 1, Skipped: 1}, plan.Counts)
	require.Empty(t, plan.Steps[0].Remarks)
	require.Equal(t, "it is archived here (forgotten)", plan.Steps[1].Reason)
	require.Equal(t, []string{"what is here was not written or approved in this clone"}, plan.Steps[1].Remarks)
	d, err := f.Peek(f.ctx, "mem_66666666")
	require.NoError(t, err)
	require.Equal(t, "The honest text.", d.Content)
}
