package store_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// held lists which of these ids the record holds with their content.
func held(t *testing.T, s *store.Store, ids ...memory.ID) (found []memory.ID) {
	t.Helper()
	require.NoError(t, s.View(func(v *store.View) error {
		record, err := v.Trust()
		for _, id := range ids {
			if record.Holds(id, fileOf(id, "topic "+string(id))) {
				require.True(t, record.Knows(id))
				found = append(found, id)
			}
			require.False(t, record.Holds(id, fileOf(id, "another")))
		}
		return err
	}))
	return found
}

// putOwn writes memories as this clone's own.
func (f *fixture) putOwn(ids ...memory.ID) {
	f.t.Helper()
	for _, id := range ids {
		f.put(id, "topic "+string(id))
	}
}

func TestTheRecordKnowsWhatWasWrittenHere(t *testing.T) {
	for _, n := range []int{1, 2, 3, 100} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f := newStore(t)
			var written, others []memory.ID
			for i := range n {
				written = append(written, memory.ID(fmt.Sprintf("mem_%08x", 2*i+1)))
				others = append(others, memory.ID(fmt.Sprintf("mem_%08x", 2*i)))
			}
			f.putOwn(written...)
			require.Equal(t, written, held(t, f.reopen(), written...))
			require.Empty(t, held(t, f.reopen(), append(others, "mem_ffffffff")...))

			require.NoError(t, f.update(func(tx *store.Tx) error { return tx.Revoke(written[0]) }))
			require.Equal(t, len(written)-1, len(held(t, f.reopen(), written...)))
			require.NoError(t, f.update(func(tx *store.Tx) error {
				return tx.Approve(written[0], fileOf(written[0], "topic "+string(written[0])))
			}))
			require.Equal(t, written, held(t, f.reopen(), written...))
		})
	}
}

// A record and its lines hold nothing without the secret that they were made with,
// and a line holds for one memory alone.
func TestARecordFromElsewhereHoldsNothing(t *testing.T) {
	f, g := newStore(t), newStore(t)
	f.putOwn("mem_00000001")
	g.putOwn("mem_00000002")
	line := f.read("clone/trust")
	for name, record := range map[string]string{
		"another clone's":  line,
		"another memory's": strings.ReplaceAll(g.read("clone/trust"), "mem_00000002", "mem_00000001"),
		"all":              strings.ReplaceAll(line, "mem_00000001", "all"),
	} {
		g.write("clone/trust", record)
		require.Empty(t, held(t, g.reopen(), "mem_00000001", "mem_00000002"), name)
		require.NoError(t, g.View(func(v *store.View) error {
			trust, err := v.Trust()
			require.False(t, trust.All(), name)
			return err
		}))
	}
}

// What a repository brings is in the work tree, and counts for nothing there.
func TestARecordInTheWorkTreeCountsForNothing(t *testing.T) {
	f := newStore(t)
	require.NoError(t, os.MkdirAll(f.path("memories"), 0o755))
	f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "topic mem_00000001")))
	g := newStore(t)
	g.putOwn("mem_00000001")
	for _, name := range []string{"trust", "trust.key"} {
		f.write(name, g.read("clone/"+name))
	}
	require.Empty(t, held(t, f.Store, "mem_00000001"))
	f.put("mem_00000002", "another")
	require.Empty(t, held(t, f.reopen(), "mem_00000001"))
}

func TestVersionsOfWhatIsOursAreOurs(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	f.putOwn(id)
	full := fileOf(id, "topic "+string(id))
	stub := memfile.FormatStub(memory.Memory{ID: id, Topic: "t"}, f.now, memory.ReasonForgotten)
	require.NoError(t, f.update(func(tx *store.Tx) error {
		if err := tx.WriteArchive(id, full); err != nil {
			return err
		}
		return tx.WriteMemory(id, stub)
	}))
	changed := fileOf(id, "changed")
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.RestoreMemory(id, full, changed) }))
	require.NoError(t, f.View(func(v *store.View) error {
		trust, err := v.Trust()
		for name, data := range map[string][]byte{"full": full, "stub": stub, "changed": changed} {
			require.True(t, trust.Holds(id, data), name)
		}
		return err
	}))
}

func TestWhatCameFromElsewhereStaysSo(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	f.putOwn("mem_00000002")
	theirs := fileOf(id, "theirs")
	f.write("memories/mem_00000001.md", string(theirs))
	require.NoError(t, f.update(func(tx *store.Tx) error {
		return tx.WriteMemory(id,
			fileOf(id, "topic "+string(id)))
	}))
	require.Empty(t, held(t, f.reopen(), id), "ours by a change of theirs")
	require.NoError(t, f.update(func(tx *store.Tx) error {
		if err := tx.WriteArchive(id, theirs); err != nil {
			return err
		}
		return tx.RestoreMemory(id, theirs, fileOf(id, "topic "+string(id)))
	}))
	require.Empty(t, held(t, f.reopen(), id))
}

func TestARecordThatCannotBeReadIsAnError(t *testing.T) {
	f := newStore(t)
	f.putOwn("mem_00000001")
	require.NoError(t, os.Remove(f.path("clone/trust")))
	require.NoError(t, os.Mkdir(f.path("clone/trust"), 0o755))
	err := f.update(func(tx *store.Tx) error { return tx.WriteMemory("mem_00000002", fileOf("mem_00000002", "two")) })
	require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err))
	require.Equal(t, memory.KindTrustDamaged, memory.KindOf(err))
	require.NoFileExists(t, f.path("memories/mem_00000002.md"))
	require.NoError(t, f.update((*store.Tx).RenewTrust))
	require.DirExists(t, f.path("clone/trust.damaged"))
	f.putOwn("mem_00000002")
	require.Equal(t, []memory.ID{"mem_00000002"}, held(t, f.reopen(), "mem_00000001", "mem_00000002"))
}

func TestASecretIsMadeOnceAndPrivate(t *testing.T) {
	f := newStore(t)
	f.putOwn("mem_00000001")
	key := f.read("clone/trust.key")
	require.Regexp(t, "^[0-9a-f]{64}\n$", key)
	info, err := os.Stat(f.path("clone/trust.key"))
	require.NoError(t, err)
	if runtime.GOOS != "windows" { // which has no such bits
		require.Zero(t, info.Mode().Perm()&0o077)
	}
	f.putOwn("mem_00000002")
	require.Equal(t, key, f.read("clone/trust.key"))

	f.write("clone/trust.key", "damaged")
	f.put("mem_00000003", "three")
	require.Equal(t, "damaged", f.read("clone/trust.key"), "a person sees to it")
	require.Empty(t, held(t, f.reopen(), "mem_00000001"))
}

// Lines of values that no longer count are dropped, and no other.
func TestARecordOfManyChangesIsKeptShort(t *testing.T) {
	f := newStore(t)
	f.putOwn("mem_00000001")
	require.NoError(t, f.update(func(tx *store.Tx) error {
		for i := range 3000 {
			if err := tx.Approve("mem_00000002", fmt.Appendf(nil, "%d", i)); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Less(t, strings.Count(f.read("clone/trust"), "\n"), 2100)
	require.Equal(t, []memory.ID{"mem_00000001"}, held(t, f.reopen(), "mem_00000001"))
	require.NoError(t, f.View(func(v *store.View) error {
		trust, err := v.Trust()
		require.True(t, trust.Holds("mem_00000002", []byte("2999")))
		return err
	}))
}
