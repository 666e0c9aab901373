package memfile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

func TestTextWithoutAHeader(t *testing.T) {
	for name, c := range map[string]struct{ text, topic string }{
		"a heading":             {"# The pool is small\n\nTen connections.\n", "The pool is small"},
		"a later heading":       {"Notes.\n\n## The pool ##\n\nTen.\n", "The pool"},
		"lines":                 {"\n\n  Use   make.\nNot go build.\n", "Use make."},
		"one line":              {"Use make.", "Use make."},
		"sections":              {"## Summary\nUse make.\n\n## Content\nIt sets the tags.\n", "Use make."},
		"code is not a heading": {"Run it:\n```\n# make\n```\n", "Run it:"},
		"a tag, not a heading":  {"#build with make\n", "#build with make"},
		"CRLF and a mark":       {"\xef\xbb\xbf# The pool\r\n\r\nTen.\r\n", "The pool"},
		"a long line":           {strings.Repeat("é", 300), strings.Repeat("é", 199) + "…"},
		"a rule further on":     {"One.\n\n---\n\nTwo.\n", "One."},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := memfile.Parse([]byte(c.text))
			require.NoError(t, err)
			m := file.Memory
			require.Equal(t, c.topic, m.Topic)
			require.True(t, m.CreatedAt.IsZero())
			require.Equal(t, memory.Full, m.Phase)
			require.NotEmpty(t, m.Content+m.Summary)

			m.ID = "mem_1a2b3c4d"
			m.Tags = []string{"x"}
			changed, err := file.With(m)
			require.NoError(t, err)
			again, err := memfile.Parse(changed)
			require.NoError(t, err)
			require.Equal(t, m, again.Memory)
			require.Contains(t, string(changed), "\ntags:")
			kept := strings.TrimPrefix(c.text, "\xef\xbb\xbf")
			require.True(t, strings.HasSuffix(string(changed), kept), "the text is as it was: %q", changed)
		})
	}
}

func TestWhatIsNotTextWithoutAHeader(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":            "",
		"blank":              "\n \n",
		"a mark":             "\xef\xbb\xbf\n",
		"a header torn off":  "---\nid: mem_1a2b3c4d\ntopic: t\n",
		"headings alone":     "## Summary\n\n## Content\n",
		"a merge":            "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n",
		"a piece of a merge": "<<<<<<< HEAD\na\n",
	} {
		_, err := memfile.Parse([]byte(text))
		require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err), name)
	}
}

// An unknown time is left out of a file instead of being written as year 1.
func TestAnUnknownTimeIsWrittenAsNothing(t *testing.T) {
	data := memfile.Format(memory.Memory{ID: "mem_1a2b3c4d", Topic: "t"})
	require.Contains(t, string(data), "\ncreated_at:\n")
	file, err := memfile.Parse(data)
	require.NoError(t, err)
	require.True(t, file.Memory.CreatedAt.IsZero())
	m := file.Memory
	m.CreatedAt = time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC)
	data, err = file.With(m)
	require.NoError(t, err)
	require.Contains(t, string(data), "\ncreated_at: \"2026-01-15T10:30:00Z\"\n")
}
