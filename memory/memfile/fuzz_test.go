package memfile_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

// FuzzConflict makes a merge conflict of two texts. Our side must be read, or theirs if ours is not
// a memory, and neither may be overwritten.
func FuzzConflict(f *testing.F) {
	f.Fuzz(func(t *testing.T, before, base, ours, theirs string) {
		sides := [][]byte{[]byte(before + line(ours)), []byte(before + line(theirs))}
		text := line(before) + "<<<<<<< HEAD\n" + line(ours)
		if base != "" {
			text += "||||||| 1234567\n" + line(base)
		}
		text += "=======\n" + line(theirs) + ">>>>>>> branch\n"
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || before != line(before) ||
			memory.HasConflictMarks(before+base+"\n"+ours+"\n"+theirs) || strings.Contains(ours+"\n"+base, "=======") {
			_, err := memfile.Parse([]byte(text)) // no text, or nested markers: any answer but a panic
			require.True(t, err == nil || memory.CodeOf(err) == memory.CodeUnreadable)
			return
		}
		require.True(t, memory.HasConflictMarks(text))
		if fenced(before) {
			return // in a code block, markers are text
		}
		requireSides(t, text, sides)
		file, err := memfile.Parse([]byte(text))
		for _, side := range sides {
			want, sideErr := memfile.Parse(side)
			if sideErr != nil || !hasHeader(side) {
				continue
			}
			require.NoError(t, err)
			require.True(t, file.Memory.Conflicted)
			require.Equal(t, text, string(file.Bytes()))
			file.Memory.Conflicted = false
			requireSame(t, want.Memory, file.Memory)
			return
		}
		require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err))
	})
}

// requireSides requires that sides are exactly those sides of a merge that are memories, ours
// first.
func requireSides(t *testing.T, text string, sides [][]byte) {
	t.Helper()
	var want, got []string
	for _, side := range sides {
		if _, err := memfile.Parse(side); err == nil && hasHeader(side) {
			want = append(want, string(side))
		}
	}
	for _, side := range memfile.Sides([]byte(text)) {
		require.False(t, side.Memory.Conflicted)
		got = append(got, string(side.Bytes()))
	}
	require.Equal(t, want, got)
}

// hasHeader reports whether a text begins with a header. Without one, a side of a merge is not a
// memory.
func hasHeader(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))), []byte("---"))
}

// line appends a line end to s unless s is empty or has one.
func line(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// fenced reports whether a text ends inside a code block.
func fenced(s string) (open bool) {
	for l := range strings.Lines(s) {
		if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
			open = !open
		}
	}
	return open
}

// FuzzCreated puts a time of any form into a file's header. If it can be read, everything that
// shows it must be able to write it.
func FuzzCreated(f *testing.F) {
	f.Fuzz(func(t *testing.T, created string) {
		file, err := memfile.Parse([]byte("---\nid: mem_00000001\ntopic: t\ncreated_at: \"" + created +
			"\"\n---\nText.\n"))
		if err != nil {
			require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err))
			return
		}
		at := file.Memory.CreatedAt
		_, err = at.MarshalJSON()
		require.NoError(t, err)
		back, err := memfile.Parse(memfile.Format(file.Memory))
		require.NoError(t, err)
		require.True(t, at.Truncate(time.Second).Equal(back.Memory.CreatedAt.Truncate(time.Second)), "%v became %v", at,
			back.Memory.CreatedAt)
	})
}
