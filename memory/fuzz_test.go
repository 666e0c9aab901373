package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// requireRefused checks the form of an error about invalid input.
func requireRefused(t *testing.T, err error) {
	t.Helper()
	require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
	require.True(t, utf8.ValidString(err.Error()))
	require.NotContains(t, err.Error(), "\n")
	require.Less(t, len(err.Error()), 1000, "the error quotes too much")
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
		for _, form := range []string{string(id), id.File(), strings.ToUpper(string(id)), " " + string(id) + "\n",
			strings.TrimPrefix(string(id), "mem_")} {
			again, err := memory.ParseID(form)
			require.NoError(t, err)
			require.Equal(t, id, again)
		}
		back, ok := memory.IDFromFile(id.File())
		require.True(t, ok)
		require.Equal(t, id, back)
	})
}

// FuzzWords parses phases and importance levels.
func FuzzWords(f *testing.F) {
	f.Fuzz(func(t *testing.T, s, tag string) {
		if phase, err := memory.ParsePhase(s); err == nil {
			require.True(t, phase.Active() || phase == memory.Removed)
			again, err := memory.ParsePhase(phase.String())
			require.NoError(t, err)
			require.Equal(t, phase, again)
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
			require.False(t, strings.ContainsFunc(tag,
				func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == ',' }), "%q", tag)
			require.NotContains(t, tags[:i], tag)
		}
		again, err := memory.NormalizeTags(tags)
		require.NoError(t, err)
		require.Equal(t, tags, again)
	})
}

// FuzzTexts checks that normalized texts are stable and within their limits.
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
		tags := memory.AutoTags(s)
		require.LessOrEqual(t, len(tags), 10)
		require.True(t, slices.IsSorted(tags))
		normal, err := memory.NormalizeTags(tags)
		require.NoError(t, err)
		require.Equal(t, tags, normal)
	})
}
