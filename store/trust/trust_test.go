package trust_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store/trust"
)

// clone is a directory with a record and a secret.
func clone(t *testing.T) (root *os.Root, key string) {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	key = filepath.Join(root.Name(), "person", "trust.key")
	_, err = trust.MakeKey(key)
	require.NoError(t, err)
	return root, key
}

func read(t *testing.T, root *os.Root, key string) *trust.Record {
	t.Helper()
	r, err := trust.Read(root, trust.ReadKey(key))
	require.NoError(t, err)
	return r
}

func TestRecord(t *testing.T) {
	root, key := clone(t)
	r := read(t, root, key)
	require.NoError(t, r.Note(root, "mem_00000001", []byte("one\ntwo\n")))
	require.NoError(t, r.Note(root, "mem_00000002", []byte("other")))
	require.NoError(t, r.Revoke(root, "mem_00000002"))
	for name, r := range map[string]*trust.Record{"the one that noted": r, "read again": read(t, root, key)} {
		require.True(t, r.Holds("mem_00000001", []byte("one\ntwo\n")), name)
		require.True(t, r.Holds("mem_00000001", []byte("one\r\ntwo\r\n")), "%s: git changes line ends", name)
		require.False(t, r.Holds("mem_00000001", []byte("one")), name)
		require.False(t, r.Holds("mem_00000003", []byte("one\ntwo\n")), "%s: another memory", name)
		require.True(t, r.Knows("mem_00000001"), name)
		require.False(t, r.Knows("mem_00000002"), "%s: it was revoked", name)
		require.False(t, r.All(), name)
	}
	require.NoError(t, r.SetAll(root, true))
	require.True(t, read(t, root, key).All())
	require.NoError(t, r.SetAll(root, false))
	require.False(t, read(t, root, key).All())
}

// TestAnotherSecret reads a record that was written elsewhere.
func TestAnotherSecret(t *testing.T) {
	root, key := clone(t)
	r := read(t, root, key)
	require.NoError(t, r.Note(root, "mem_00000001", []byte("one")))
	require.NoError(t, r.SetAll(root, true))
	_, other := clone(t)
	for name, r := range map[string]*trust.Record{
		"of another clone": read(t, root, other), "none": read(t, root, "missing"),
	} {
		require.False(t, r.Holds("mem_00000001", []byte("one")), name)
		require.False(t, r.All(), name)
	}
	require.False(t, read(t, root, "missing").HasKey())
}

// TestOneOfSeveralMakesTheSecret has a second process that comes later, and a person's
// damaged file, which stays.
func TestOneOfSeveralMakesTheSecret(t *testing.T) {
	_, key := clone(t)
	first := trust.ReadKey(key)
	require.Len(t, first, 32)
	again, err := trust.MakeKey(key)
	require.NoError(t, err)
	require.Nil(t, again, "there is one")
	require.Equal(t, first, trust.ReadKey(key))
	require.NoError(t, os.WriteFile(key, []byte("damaged"), 0o600))
	require.Nil(t, trust.ReadKey(key))
	made, err := trust.MakeKey(key)
	require.NoError(t, err)
	require.Nil(t, made)
}

// TestApprovalsAreTakenBack one after the other, and not once something else was recorded.
func TestApprovalsAreTakenBack(t *testing.T) {
	const id, other = "mem_00000001", "mem_00000002"
	root, key := clone(t)
	file := func() string {
		data, err := os.ReadFile(filepath.Join(root.Name(), trust.File))
		require.NoError(t, err)
		return string(data)
	}
	takeBack := func(want bool, name string, ids ...memory.ID) {
		t.Helper()
		before := file()
		ok, err := read(t, root, key).TakeBack(root, name, ids...)
		require.NoError(t, err)
		require.Equal(t, want, ok)
		require.Equal(t, want, before != file())
	}
	approve := func(name string, id memory.ID, contents ...string) {
		t.Helper()
		var all [][]byte
		for _, c := range contents {
			all = append(all, []byte(c))
		}
		require.NoError(t, read(t, root, key).Approve(root, name, id, all...))
	}
	require.NoError(t, read(t, root, key).Note(root, id, []byte("mine")))
	takeBack(false, "one", id)

	own := file()
	approve("one", id, "theirs", "theirs before", "mine", "theirs")
	approve("one", other, "another")
	r := read(t, root, key)
	for _, content := range []string{"theirs", "theirs before", "mine"} {
		require.True(t, r.Holds(id, []byte(content)))
	}
	approve("two", id, "theirs")
	takeBack(false, "one", id, other)
	takeBack(true, "two", id)
	require.True(t, read(t, root, key).Holds(id, []byte("theirs")), "the second approval added nothing")
	takeBack(false, "two", id)
	takeBack(true, "one", id, other)
	require.Equal(t, own, file())
	r = read(t, root, key)
	require.True(t, r.Holds(id, []byte("mine")))
	require.False(t, r.Holds(id, []byte("theirs")) || r.Knows(other) || r.Revoked(other))
	takeBack(false, "one", id)

	require.NoError(t, read(t, root, key).Revoke(root, id))
	approve("three", id, "theirs")
	require.False(t, read(t, root, key).Revoked(id))
	takeBack(true, "three", id)
	require.True(t, read(t, root, key).Revoked(id), "as it was before")

	approve("four", id, "theirs")
	approve("four", other, "another")
	require.NoError(t, read(t, root, key).Note(root, id, []byte("written since")))
	takeBack(false, "four", id)
	takeBack(false, "four", other, id)
	takeBack(true, "four", other)

	approve("", other, "another")
	takeBack(false, "", other)
}
