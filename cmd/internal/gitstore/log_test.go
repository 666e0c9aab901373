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
