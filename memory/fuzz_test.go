package memory_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// requireRefused holds an error about what a person gave to its form.
func requireRefused(t *testing.T, err error) {
	t.Helper()
	require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
	require.True(t, utf8.ValidString(err.Error()))
	require.NotContains(t, err.Error(), "\n")
	require.Less(t, len(err.Error()), 1000, "the error quotes too much")
}

// FuzzConflict puts two texts on the sides of a merge that git could not settle:
// our side is what is read, theirs when ours is no memory, and nothing is written
// over either.
func FuzzConflict(f *testing.F) {
	f.Fuzz(func(t *testing.T, before, base, ours, theirs string) {
		sides := [][]byte{[]byte(before + line(ours)), []byte(before + line(theirs))}
		text := line(before) + "<<<<<<< HEAD\n" + line(ours)
		if base != "" {
			text += "||||||| 1234567\n" + line(base)
		}
		text += "=======\n" + line(theirs) + ">>>>>>> branch\n"
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || before != line(before) || memory.HasConflictMarks(before+base+"\n"+ours+"\n"+theirs) || strings.Contains(ours+"\n"+base, "=======") {
			_, err := memory.Parse([]byte(text)) // no text, or marks within marks: any answer but a panic
			require.True(t, err == nil || memory.CodeOf(err) == memory.CodeUnreadable)
			return
		}
		require.True(t, memory.HasConflictMarks(text))
		if fenced(before) {
			return // in a code block marks are text
		}
		requireSides(t, text, sides)
		file, err := memory.Parse([]byte(text))
		for _, side := range sides {
			want, sideErr := memory.Parse(side)
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

// requireSides requires that the sides of a merge are those that are memories, ours
// first.
func requireSides(t *testing.T, text string, sides [][]byte) {
	t.Helper()
	var want, got []string
	for _, side := range sides {
		if _, err := memory.Parse(side); err == nil && hasHeader(side) {
			want = append(want, string(side))
		}
	}
	for _, side := range memory.Sides([]byte(text)) {
		require.False(t, side.Memory.Conflicted)
		got = append(got, string(side.Bytes()))
	}
	require.Equal(t, want, got)
}

// hasHeader reports whether a text begins with a header: a side of a merge without
// one is not a memory.
func hasHeader(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))), []byte("---"))
}

// line ends a text that is not empty as a line.
func line(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// fenced says whether a text ends within a block of code.
func fenced(s string) (open bool) {
	for l := range strings.Lines(s) {
		if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
			open = !open
		}
	}
	return open
}

func FuzzID(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if id, ok := memory.IDFromFile(s); ok {
			require.Equal(t, s, id.File(), "a file has one name")
		}
		if id, number, ok := memory.ParseArchiveName(s); ok {
			require.Regexp(t, `^mem_[0-9a-f]{8}$`, string(id))
			require.Equal(t, number == 0, s == id.File())
			require.Regexp(t, fmt.Sprintf(`^%s(\.%d\.[0-9a-f]{8})?\.md$`, id, number), s)
		}
		id, err := memory.ParseID(s)
		if err != nil {
			requireRefused(t, err)
			return
		}
		require.Regexp(t, `^mem_[0-9a-f]{8}$`, string(id))
		for _, form := range []string{string(id), id.File(), strings.ToUpper(string(id)), " " + string(id) + "\n", strings.TrimPrefix(string(id), "mem_")} {
			again, err := memory.ParseID(form)
			require.NoError(t, err)
			require.Equal(t, id, again)
		}
		back, ok := memory.IDFromFile(id.File())
		require.True(t, ok)
		require.Equal(t, id, back)
	})
}

// FuzzWords reads the small words of tools and commands: a phase, a scope, an
// importance.
func FuzzWords(f *testing.F) {
	f.Fuzz(func(t *testing.T, s, tag string) {
		if phase, err := memory.ParsePhase(s); err == nil {
			require.True(t, phase.Active())
			again, err := memory.ParsePhase(phase.String())
			require.NoError(t, err)
			require.Equal(t, phase, again)
		} else {
			requireRefused(t, err)
		}
		if scope, err := memory.ParseScope(s); err == nil {
			require.Contains(t, []memory.Scope{memory.ScopeActive, memory.ScopeArchives, memory.ScopeAll}, scope)
		} else {
			requireRefused(t, err)
		}
		level, err := memory.ParseImportance(s)
		if err != nil {
			requireRefused(t, err)
			level = memory.Critical
		}
		tags := memory.WithImportance([]string{tag, s}, level)
		require.Equal(t, level, memory.ImportanceOf(tags))
		require.Equal(t, tags, memory.WithImportance(tags, level), "a second time changes nothing")
	})
}

func FuzzTags(f *testing.F) {
	f.Fuzz(func(t *testing.T, list string) {
		tags, err := memory.NormalizeTags(strings.Split(list, "|"))
		if err != nil {
			requireRefused(t, err)
			return
		}
		require.LessOrEqual(t, len(tags), memory.MaxTags)
		for i, tag := range tags {
			require.NotEmpty(t, tag)
			require.True(t, utf8.ValidString(tag))
			require.LessOrEqual(t, utf8.RuneCountInString(tag), memory.MaxTagChars)
			require.False(t, strings.ContainsFunc(tag, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == ',' }), "%q", tag)
			require.NotContains(t, tags[:i], tag)
		}
		again, err := memory.NormalizeTags(tags)
		require.NoError(t, err)
		require.Equal(t, tags, again)
	})
}

func FuzzAge(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		age, err := memory.ParseAge(s)
		if err != nil {
			requireRefused(t, err)
			return
		}
		require.Positive(t, age)
		again, err := memory.ParseAge(age.String())
		require.NoError(t, err)
		require.Equal(t, age, again)
	})
}

// FuzzTexts holds what is stored to one form, and to its limits.
func FuzzTexts(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		for name, text := range map[string]struct {
			normalize func(string) (string, error)
			fits      func(string) bool
		}{
			"topic": {memory.NormalizeTopic, func(s string) bool {
				return s != "" && utf8.RuneCountInString(s) <= memory.MaxTopicChars && !strings.ContainsAny(s, "\r\n")
			}},
			"content": {memory.NormalizeContent, func(s string) bool {
				return s != "" && len(s) <= memory.MaxContentBytes && !strings.ContainsRune(s, '\r')
			}},
			"summary": {memory.NormalizeSummary, func(s string) bool {
				return utf8.RuneCountInString(s) <= memory.MaxSummaryChars && !strings.ContainsRune(s, '\r')
			}},
		} {
			got, err := text.normalize(s)
			if err != nil {
				requireRefused(t, err)
				continue
			}
			require.True(t, utf8.ValidString(got) && text.fits(got), "%s: %q", name, got)
			again, err := text.normalize(got)
			require.NoError(t, err, name)
			require.Equal(t, got, again, name)
		}
		first := memory.FirstParagraph(s)
		require.LessOrEqual(t, utf8.RuneCountInString(first), memory.MaxSummaryChars)
		require.NotContains(t, first, "\n")
		require.True(t, utf8.ValidString(first) || !utf8.ValidString(s))

		tags := memory.AutoTags(s)
		require.LessOrEqual(t, len(tags), 10)
		require.True(t, slices.IsSorted(tags))
		normal, err := memory.NormalizeTags(tags)
		require.NoError(t, err)
		require.Equal(t, tags, normal)
	})
}

// FuzzCreated writes a time of any form into a file's header: what is read can be
// written by everything that shows it.
func FuzzCreated(f *testing.F) {
	f.Fuzz(func(t *testing.T, created string) {
		file, err := memory.Parse([]byte("---\nid: mem_00000001\ntopic: t\ncreated_at: \"" + created + "\"\n---\nText.\n"))
		if err != nil {
			require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err))
			return
		}
		at := file.Memory.CreatedAt
		_, err = at.MarshalJSON()
		require.NoError(t, err)
		back, err := memory.Parse(memory.Format(file.Memory))
		require.NoError(t, err)
		require.True(t, at.Truncate(time.Second).Equal(back.Memory.CreatedAt.Truncate(time.Second)), "%v became %v", at, back.Memory.CreatedAt)
	})
}
