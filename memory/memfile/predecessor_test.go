package memfile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

// predecessors returns a file as the predecessor wrote it.
func predecessors(topic string, tags ...string) []byte {
	var b strings.Builder
	b.WriteString("---\nid: \"mem_1a2b3c4d\"\ntopic: \"" + topic + "\"\ntags:\n")
	for _, tag := range tags {
		b.WriteString("  - " + tag + "\n")
	}
	b.WriteString("phase: 0\ndifficulty: 0.8\ncreated_at: \"2026-01-15T10:30:00.123456+00:00\"\ncreated_session: " +
		"3\n---\n\n## Summary\ns\n\n## Content\nc\n")
	return []byte(b.String())
}

// normalized returns tags as ltm shows them, whichever program wrote them.
func normalized(tags ...string) (out []string) {
	for _, tag := range tags {
		if n, err := memory.NormalizeTags([]string{tag}); err == nil && len(n) == 1 {
			tag = n[0]
		}
		out = append(out, tag)
	}
	return out
}

func TestThePredecessorsTags(t *testing.T) {
	odd := []string{"@x", "%x", "*x", "[x", "{x", "- x", "`x`", "error: timeout", "#x", "&x", "!x", "|", "a #b", ">",
		"x", "2026-01-15", "null", "~", "1.50"}
	for _, tag := range odd {
		t.Run(tag, func(t *testing.T) {
			file, err := memfile.Parse(predecessors("t", "first", tag, "last"))
			require.NoError(t, err)
			require.Equal(t, normalized("first", tag, "last"), file.Memory.Tags)
		})
	}
	file, err := memfile.Parse(predecessors("t", odd...))
	require.NoError(t, err)
	require.Subset(t, file.Memory.Tags, normalized(odd...))
}

func TestThePredecessorsTopics(t *testing.T) {
	for topic, want := range map[string]string{
		`C:\temp\new`:           `C:\temp\new`,
		`fix: the "pool" bug`:   `fix: the "pool" bug`,
		`say \"hello\"`:         `say "hello"`,
		`100% # of all`:         `100% # of all`,
		`a\\b`:                  `a\\b`,
		`\u00e9 is not escaped`: `\u00e9 is not escaped`,
	} {
		file, err := memfile.Parse(predecessors(topic, "x"))
		require.NoError(t, err, topic)
		require.Equal(t, want, file.Memory.Topic)
	}
}

// A change to such a file is written as YAML, and the other values read as before.
func TestAChangedFileOfThePredecessorIsOurs(t *testing.T) {
	file, err := memfile.Parse(predecessors(`C:\temp\new`, "@x", "a #b"))
	require.NoError(t, err)
	m := file.Memory
	m.Difficulty = 0.3
	data, err := file.With(m)
	require.NoError(t, err)
	again, err := memfile.Parse(data)
	require.NoError(t, err)
	require.Equal(t, m, again.Memory)
	require.Contains(t, string(data), `topic: "C:\\temp\\new"`)
	require.Contains(t, string(data), `created_at: "2026-01-15T10:30:00.123456Z"`)

	untouched, err := file.With(file.Memory)
	require.NoError(t, err)
	require.Equal(t, string(file.Bytes()), string(untouched), "a file that is not changed stays")
}

func TestTagsThatPeopleWrite(t *testing.T) {
	parse := func(tags string) []string {
		file, err := memfile.Parse([]byte("---\ntopic: t\ntags:" + tags + "\n---\n"))
		require.NoError(t, err, tags)
		return file.Memory.Tags
	}
	require.Equal(t, []string{"a", "b"}, parse("\n  - a # why\n  - b"), "a comment is a comment")
	require.Equal(t, []string{"@x", "b"}, parse("\n  - @x\n  - b"), "YAML fails")
	require.Equal(t, []string{"x", "b"}, parse("\n  - #x\n  - b"), "an empty item")
	require.Equal(t, []string{"&x", "b"}, parse("\n- &x\n- 'b'"))
	require.Empty(t, parse(` "[]"`))
	require.Empty(t, parse(` []`))
	require.Empty(t, parse(``))
	require.Equal(t, []string{"a"}, parse("\n  -\n  - a"))
}

func TestNoTagsAreWrittenAsNothing(t *testing.T) {
	data := memfile.Format(memory.Memory{ID: "mem_1a2b3c4d", Topic: "t", CreatedAt: time.Unix(1e9, 0)})
	require.Contains(t, string(data), "\ntags:\nphase: 0\n")
	file, err := memfile.Parse(data)
	require.NoError(t, err)
	require.Empty(t, file.Memory.Tags)
}

// A new topic is written into the predecessor's file as YAML, so the file must no longer be
// recognized as the predecessor's.
func TestANewTopicInAFileOfThePredecessor(t *testing.T) {
	file, err := memfile.Parse(predecessors("plain", "x"))
	require.NoError(t, err)
	m := file.Memory
	m.Topic = `C:\temp\new`
	data, err := file.With(m)
	require.NoError(t, err)
	again, err := memfile.Parse(data)
	require.NoError(t, err)
	require.Equal(t, m, again.Memory)

	none, err := memfile.Parse(predecessors("plain"))
	require.NoError(t, err)
	m = none.Memory
	m.Topic = `a\tb`
	data, err = none.With(m)
	require.NoError(t, err)
	again, err = memfile.Parse(data)
	require.NoError(t, err)
	require.Equal(t, m, again.Memory)
}
