package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/git/gitdir"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// newLinked returns a store in a linked work tree of a clone, by the files that git has there.
func newLinked(t *testing.T) *fixture {
	t.Helper()
	top := t.TempDir()
	common, dir := filepath.Join(top, "git"), filepath.Join(top, "git", "worktrees", "side")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/side\n", "commondir": "../..\n",
		"gitdir": filepath.Join(top, ".git") + "\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(top, ".git"), []byte("gitdir: "+dir+"\n"), 0o644))
	places := placesIn(top)
	places.Tree, places.Clone = filepath.Join(dir, "ltm"), filepath.Join(common, "ltm")
	places.Key = filepath.Join(places.Clone, "trust.key")
	places.Git = gitdir.Clone{Top: top, Dir: dir, Common: common}
	return storeAt(t, places)
}

// remove removes the linked work tree, as far as git knows, and returns what it left.
func (f *fixture) remove() map[memory.ID]string {
	f.t.Helper()
	require.NoError(f.t, os.RemoveAll(f.places.Git.Dir))
	left := map[memory.ID]string{}
	require.NoError(f.t, f.View(func(v *store.View) error {
		for _, l := range v.Left() {
			file, err := memfile.Parse(l.Data)
			require.NoError(f.t, err)
			left[l.ID] = file.Memory.Topic
		}
		return nil
	}))
	return left
}

// TestCopiesAreBounded keeps the newest, whether they come one by one or at once.
func TestCopiesAreBounded(t *testing.T) {
	f := newLinked(t)
	f.put("mem_ffffffff", "the first")
	require.NoError(t, f.update(func(tx *store.Tx) error {
		b := tx.NewBatch()
		for i := range 1100 {
			id := memory.ID(fmt.Sprintf("mem_%08x", i))
			if err := b.WriteMemory(id, fileOf(id, fmt.Sprint(i))); err != nil {
				return err
			}
		}
		return b.Commit(memory.Event{Action: memory.ActionImported})
	}))
	copies, err := filepath.Glob(filepath.Join(f.places.Clone, "uncommitted", "side-*", "*.md"))
	require.NoError(t, err)
	require.Len(t, copies, 1000)
	require.NoFileExists(t, filepath.Join(filepath.Dir(copies[0]), "mem_ffffffff.md"))
}

// TestACopyHasTheFullText, whatever fading did to the file since, and goes when a person forgot it.
func TestACopyHasTheFullText(t *testing.T) {
	f := newLinked(t)
	hint, when := memory.Memory{Topic: "hint", Phase: memory.Hint, Summary: "s"}, time.Unix(1e9, 0)
	stub := memory.Memory{Topic: "stub"}
	for id, after := range map[memory.ID][]byte{
		"mem_00000001": memfile.Format(hint),
		"mem_00000002": memfile.FormatStub(stub, when, memory.ReasonEvicted),
		"mem_00000003": memfile.FormatStub(stub, when, memory.ReasonForgotten),
		"mem_00000004": fileOf("mem_00000004", "new text"),
	} {
		f.put(id, "first text")
		require.NoError(t, f.update(func(tx *store.Tx) error { return tx.WriteMemory(id, after) }))
	}
	require.NoError(t, os.RemoveAll(filepath.Join(f.dir, "memories")))
	require.Equal(t, map[memory.ID]string{"mem_00000001": "first text", "mem_00000002": "first text",
		"mem_00000004": "new text"}, f.remove())
}
