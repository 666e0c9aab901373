package memfile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

func sample() memory.Memory {
	return memory.Memory{
		ID: "mem_1a2b3c4d", Topic: `Fix "database" timeout: 100% repro \o/`,
		Tags:  []string{"database", "importance:critical", "on", "007"},
		Phase: memory.Full, Difficulty: 0.8, CreatedAt: time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC),
		CreatedSession: 42,
		Summary:        "The pool was too small.\n\n## Content\nstill summary",
		Content:        "First.\n\n## Content\nmore\n\n    code",
	}
}

func TestFormatParseRoundTrip(t *testing.T) {
	for name, change := range map[string]func(*memory.Memory){
		"full":        func(*memory.Memory) {},
		"abstract":    func(m *memory.Memory) { m.Phase, m.Content = memory.Abstract, "" },
		"no tags":     func(m *memory.Memory) { m.Tags = nil },
		"no summary":  func(m *memory.Memory) { m.Summary = "" },
		"restored":    func(m *memory.Memory) { m.Restored = true },
		"odd topic":   func(m *memory.Memory) { m.Topic = "--- # {a: b} 'x' \u2028 \U0001F600" },
		"fence":       func(m *memory.Memory) { m.Content = "a\n---\nb" },
		"backslashes": func(m *memory.Memory) { m.Summary = "x\n\\## Content\n\\\\## Content" },
	} {
		t.Run(name, func(t *testing.T) {
			m := sample()
			change(&m)
			m, err := memory.Normalize(m)
			require.NoError(t, err)
			f, err := memfile.Parse(memfile.Format(m))
			require.NoError(t, err)
			requireSame(t, m, f.Memory)
		})
	}
}

// requireSame compares two memories; empty and nil tags are the same.
func requireSame(t *testing.T, want, got memory.Memory) {
	t.Helper()
	if len(want.Tags) == 0 {
		want.Tags = nil
	}
	if len(got.Tags) == 0 {
		got.Tags = nil
	}
	require.True(t, want.CreatedAt.Equal(got.CreatedAt), "created_at %v, want %v", got.CreatedAt, want.CreatedAt)
	got.CreatedAt = want.CreatedAt
	require.Equal(t, want, got)
}

func TestFormatIsTheDocumentedForm(t *testing.T) {
	m := memory.Memory{ID: "mem_1a2b3c4d", Topic: "Fix database connection timeout",
		Tags:       []string{"database", "postgres"},
		Difficulty: 0.8, CreatedAt: time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC), CreatedSession: 42,
		Summary: "What it is about.", Content: "The detail."}
	require.Equal(t, `---
id: "mem_1a2b3c4d"
topic: "Fix database connection timeout"
tags:
  - database
  - postgres
phase: 0
difficulty: 0.8
created_at: "2026-01-15T10:30:00Z"
created_session: 42
---

## Summary
What it is about.

## Content
The detail.
`, string(memfile.Format(m)))
}

func TestParseIsLiberal(t *testing.T) {
	tests := map[string]struct {
		file string
		want memory.Memory
	}{
		"byte order mark and CRLF": {
			"\ufeff---\r\nid: mem_00000001\r\ntopic: a\r\ntags: [x, Y]\r\n---\r\n\r\n## Summary\r\ns\r\n\r\n## " +
				"Content\r\nc1\r\nc2\r\n",
			memory.Memory{ID: "mem_00000001", Topic: "a", Tags: []string{"x", "y"}, Difficulty: 0.25, Summary: "s",
				Content: "c1\nc2"},
		},
		"a conflict in a code block": {
			"---\ntopic: a\ndifficulty: 0\n---\nx\n\n```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n",
			memory.Memory{Topic: "a", Summary: "x", Content: "x\n\n```\n<<<<<<< a\n=======\n>>>>>>> b\n```"},
		},
		"our side of a merge": {
			"---\ntopic: a\ndifficulty: 0\n---\nx\n<<<<<<< ours\ny\n||||||| base\nv\n=======\nz\n>>>>>>> theirs\nw\n",
			memory.Memory{Topic: "a", Summary: "x y w", Content: "x\ny\nw", Conflicted: true},
		},
		"their side of a merge whose ours is broken": {
			"---\n<<<<<<< ours\nphase: 9\n=======\ntopic: b\n>>>>>>> theirs\ndifficulty: 0\n---\nx",
			memory.Memory{Topic: "b", Summary: "x", Content: "x", Conflicted: true},
		},
		"a conflict without its end is text": {
			"---\ntopic: a\ndifficulty: 0\n---\nx\n<<<<<<< ours\ny\n",
			memory.Memory{Topic: "a", Summary: "x <<<<<<< ours y", Content: "x\n<<<<<<< ours\ny"},
		},
		"no headings": {
			"---\ntopic: a\ndifficulty: 1\n---\n# Title\n\nFirst\nparagraph.\n\nSecond.\n",
			memory.Memory{Topic: "a", Difficulty: 1, Summary: "First paragraph.",
				Content: "# Title\n\nFirst\nparagraph.\n\nSecond."},
		},
		"quotes inside a quoted topic": {
			"---\ntopic: \"Fix \"foo\" in C:\\dir\"\ndifficulty: 0\n---\nx",
			memory.Memory{Topic: `Fix "foo" in C:\dir`, Summary: "x", Content: "x"},
		},
		"colon in a bare topic": {
			"---\ntopic: Fix: the pool: again\ndifficulty: 0\n---\nx",
			memory.Memory{Topic: "Fix: the pool: again", Summary: "x", Content: "x"},
		},
		"unknown keys, comments, offset and fraction": {
			"---\n# why\nowner: me # us\ntopic: a\nnested: {k: [1, 2]}\ncreated_at: " +
				"2026-01-15T12:30:00.5+02:00\ndifficulty: 7\n---\nx",
			memory.Memory{Topic: "a", Difficulty: 1, CreatedAt: time.Date(2026, 1, 15, 10, 30, 0, 5e8, time.UTC),
				Summary: "x", Content: "x"},
		},
		"content heading alone": {
			"---\ntopic: a\ndifficulty: 0\n---\n## Content\nx\n",
			memory.Memory{Topic: "a", Summary: "", Content: "x"},
		},
		"tags as one string, empty values": {
			"---\ntopic: a\ntags: \"B b, c\"\nphase:\ndifficulty: 0\ncreated_session: \n---\n",
			memory.Memory{Topic: "a", Tags: []string{"b-b", "c"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := memfile.Parse([]byte(test.file))
			require.NoError(t, err)
			requireSame(t, test.want, f.Memory)
			same, err := f.With(f.Memory)
			if test.want.Conflicted {
				require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
				require.Equal(t, test.file, string(f.Bytes()))
				return
			}
			require.NoError(t, err)
			if !strings.Contains(name, "topic") {
				require.Equal(t, test.file, string(same))
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, test := range map[string]struct{ file, says string }{
		"empty":        {"", `does not begin with a header`},
		"half written": {"---\nid: mem_00000001\ntopic: a\n", `does not begin with a header`},
		"no topic":     {"---\nid: mem_00000001\n---\nx", "no topic"},
		"a list":       {"---\n- a\n---\nx", "key: value"},
		"key twice":    {"---\ntopic: a\ntopic: b\n---\nx", `"topic" twice`},
		"bad id":       {"---\nid: ../../x\ntopic: a\n---\nx", `"../../x" is not a memory id`},
		"bad phase":    {"---\ntopic: a\nphase: 4\n---\nx", `phase "4" is not 0, 1, 2 or 3`},
		"bad number":   {"---\ntopic: a\ndifficulty: high\n---\nx", `difficulty "high"`},
		"bad time":     {"---\ntopic: a\ncreated_at: monday\n---\nx", `created_at "monday"`},
		"year 10000": {"---\ntopic: a\ncreated_at: 9999-12-31T23:59:59-01:00\n---\nx",
			`created_at "9999-12-31T23:59:59-01:00"`},
		"binary":       {"---\ntopic: a\n---\n\xff\xfe", "not UTF-8"},
		"NUL":          {"---\ntopic: a\n---\n\x00", "NUL"},
		"huge":         {"---\ntopic: a\n---\n" + strings.Repeat("x", memfile.MaxFileBytes), "bytes, more than"},
		"alias as tag": {"---\nx: &a [b]\ntopic: a\ntags: *a\n---\n", "tags are not a list"},
		"no good side": {"---\n<<<<<<< ours\nphase: 9\n=======\nphase: 8\n>>>>>>> theirs\n---\nx",
			"neither side of it is a memory"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := memfile.Parse([]byte(test.file))
			require.ErrorContains(t, err, test.says)
			require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err))
		})
	}
}

const handWritten = `---
# kept
owner: ann   # and bob
topic: 'old'  # a note
tags: [a]

# about time
created_at: 2026-01-15
custom:
  - {deep: true}
---
intro stays out

## Summary
text
`

func TestWithKeepsWhatItDoesNotChange(t *testing.T) {
	f, err := memfile.Parse([]byte(handWritten))
	require.NoError(t, err)
	m := f.Memory
	m.Topic, m.Tags, m.Phase = `new "one"`, []string{"a", "b"}, memory.Hint
	out, err := f.With(m)
	require.NoError(t, err)
	want := strings.Replace(handWritten, "topic: 'old'  # a note", `topic: "new \"one\"" # a note`, 1)
	want = strings.Replace(want, "tags: [a]\n", "tags:\n  - a\n  - b\n", 1)
	want = strings.Replace(want, "true}\n---", "true}\nphase: 1\n---", 1)
	require.Equal(t, want, string(out))
}

func TestWithChangesOneSection(t *testing.T) {
	file := "---\r\ntopic: a\r\ndifficulty: 0\r\n---\r\n\r\n## Summary  \r\n\r\n s\r\n\r\n\r\n## " +
		"Content\r\n\r\nold\r\n\r\n"
	f, err := memfile.Parse([]byte(file))
	require.NoError(t, err)
	m := f.Memory
	m.Content = "new\nlines"
	out, err := f.With(m)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(file, "old", "new\r\nlines", 1), string(out))

	m.Content = ""
	out, err = f.With(m)
	require.NoError(t, err)
	require.Equal(t, "---\r\ntopic: a\r\ndifficulty: 0\r\n---\r\n\r\n## Summary  \r\n\r\n s\r\n", string(out))

	f, err = memfile.Parse(out)
	require.NoError(t, err)
	m.Content = "back"
	out, err = f.With(m)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(out), " s\r\n\r\n## Content\r\nback\r\n"), "%q", out)
}

func TestWithRewritesAFlowHeader(t *testing.T) {
	f, err := memfile.Parse([]byte("---\n{topic: a, owner: {x: [1]}, difficulty: 0}\n---\nx\n"))
	require.NoError(t, err)
	m := f.Memory
	m.Topic = "b"
	out, err := f.With(m)
	require.NoError(t, err)
	require.Equal(t, "---\ntopic: \"b\"\nowner: {x: [1]}\ndifficulty: 0\n---\nx\n", string(out))
}

// TestChangeWithoutID changes a file without an id, which its reader sets from the file name.
func TestChangeWithoutID(t *testing.T) {
	f, err := memfile.Parse([]byte("---\ntopic: t\n---\nText.\n"))
	require.NoError(t, err)
	f.Memory.ID = "mem_00000001"
	m := f.Memory
	m.Topic = "u"
	out, err := f.With(m)
	require.NoError(t, err)
	require.Equal(t, "---\ntopic: \"u\"\n---\nText.\n", string(out))
	m.ID = "mem_00000002"
	out, err = f.With(m)
	require.NoError(t, err)
	require.Equal(t, "---\ntopic: \"u\"\nid: \"mem_00000002\"\n---\nText.\n", string(out))
}

func FuzzFile(f *testing.F) {
	f.Add([]byte(handWritten))
	f.Add(memfile.Format(sample()))
	f.Add(memfile.Format(doubted()))
	f.Add([]byte("---\n{topic: a, kind: [x], confidence: 7}\n---\nx\n"))
	f.Add([]byte("\ufeff---\r\ntopic: \"a \"b\"\"\r\n---\r\n## Content\r\n"))
	f.Add([]byte("---\ntopic: a\n---\n<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n"))
	f.Add([]byte("---\n{topic: a}\n---\n## Summary\n\\## Content\n## Content\n## Content"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := memfile.Parse(data)
		if err != nil {
			require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err))
			return
		}
		same, err := file.With(file.Memory)
		if file.Memory.Conflicted {
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
			return
		}
		require.NoError(t, err)
		again, err := memfile.Parse(same)
		require.NoError(t, err)
		requireSame(t, file.Memory, again.Memory)

		changed := file.Memory
		changed.Content, changed.Phase = "other", memory.Hint
		changed.Category, changed.OddCategory, changed.Confidence, changed.OddConfidence = "", false, share(0.5), false
		if out, err := file.With(changed); err == nil {
			back, err := memfile.Parse(out)
			require.NoError(t, err)
			requireSame(t, changed, back.Memory)
		}
	})
}

func FuzzFormat(f *testing.F) {
	f.Add("topic", "tag", "summary", "content")
	f.Add("\"'\\: #", "importance:low", "## Content\n\\## Content", "\n  code\n---\n")
	f.Fuzz(func(t *testing.T, topic, tag, summary, content string) {
		m, err := memory.Normalize(memory.Memory{ID: "mem_00000001", Topic: topic, Tags: []string{tag},
			Summary: summary, Content: content,
			CreatedAt: time.Unix(1e9, 0), CreatedSession: 1})
		if err != nil {
			return
		}
		file, err := memfile.Parse(memfile.Format(m))
		require.NoError(t, err)
		requireSame(t, m, file.Memory)
	})
}
