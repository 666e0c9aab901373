package gitstore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseLog(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	out := "aa\x00Ann\x00ann@example.com\x002026-01-02T03:04:05Z\x00first\x00" + "bb\x00\x00\x00no time\x00\x00"
	require.Equal(t, []Commit{
		{Hash: "aa", Author: Author{"Ann", "ann@example.com"}, Time: at, Subject: "first"},
		{Hash: "bb"},
	}, parseLog([]byte(out)))
	require.Empty(t, parseLog(nil))
	require.Empty(t, parseLog([]byte("aa\x00Ann\x00cut off")))
}

// TestNextBlob takes objects from what git cat-file --batch prints, which is not
// believed about sizes.
func TestNextBlob(t *testing.T) {
	for _, c := range []struct{ name, out, data, rest string }{
		{"one", "aa blob 5\nhello\n", "hello", ""},
		{"one of two", "aa blob 2\nhi\nbb blob 1\nx\n", "hi", "bb blob 1\nx\n"},
		{"missing", "aa:memories/x missing\nbb blob 1\nx\n", "", "bb blob 1\nx\n"},
		{"a tree", "aa tree 3\nabc\n", "", "abc\n"},
		{"larger than all there is", "aa blob 99\nhello\n", "", ""},
		{"of negative size", "aa blob -1\nhello\n", "", ""},
		{"no size", "aa blob x\nhello\n", "", ""},
		{"nothing", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, rest := nextBlob([]byte(c.out))
			require.Equal(t, c.data, string(data))
			require.Equal(t, c.rest, string(rest))
		})
	}
}

// TestChanges counts the memories that each commit added, changed and removed, and knows their first and last author.
func TestChanges(t *testing.T) {
	const dir = ".claude/ltm/memories/"
	w := newWorked(t, "a", dir+"mem_0000000a.md", dir+"mem_0000000b.md")
	w.write("a", "not of the store")
	w.git("commit", "-qam", "other")
	w.write(dir+"mem_0000000a.md", "changed")
	w.write(dir+"mem_0000000c.md", "new")
	w.git("rm", "-q", dir+"mem_0000000b.md")
	w.git("add", "-A")
	w.git("-c", "user.name=Ada", "commit", "-qm", "second")
	all := w.Changes(t.Context(), time.Now().AddDate(0, 0, -1))
	require.Len(t, all, 2, "one commit did not change the store")
	require.Equal(t, [3]int{1, 1, 1}, [3]int{all[0].Added, all[0].Changed, all[0].Removed})
	require.Equal(t, "Ada", all[0].Author.Name)
	require.Equal(t, w.git("rev-parse", "HEAD"), all[0].Hash)
	require.Equal(t, [3]int{2, 0, 0}, [3]int{all[1].Added, all[1].Changed, all[1].Removed})
	require.Empty(t, w.Changes(t.Context(), time.Now().AddDate(0, 0, 1)))
	by := w.Authors(t.Context())["mem_0000000a"]
	require.Equal(t, [2]string{"t", "Ada"}, [2]string{by.First.Name, by.Last.Name})
	require.Empty(t, Store{}.Changes(t.Context(), time.Time{}), "without git")
}
