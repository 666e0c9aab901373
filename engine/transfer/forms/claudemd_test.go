package forms_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/memory"
)

func TestSectionsOfAMarkdownFile(t *testing.T) {
	const lines = "```"
	for name, test := range map[string]struct {
		in   string
		want []string // topic, content, topic, content
	}{
		"items": {"# A\n- one\n* two\n+ three\n1. four\n2) five\n",
			[]string{"one", "one", "two", "two", "three", "three", "four", "four", "five", "five"}},
		"nested items": {"# A\n- one\n  - two\n\n    three\n- four\n",
			[]string{"one", "one\n- two\n\n  three", "four", "four"}},
		"indented items": {"# A\n  - one\n    - two\n  - three\n",
			[]string{"one", "one\n- two", "three", "three"}},
		"a lazy line": {"# A\n- one\ntwo\n", []string{"one two", "one\ntwo"}},
		"text behind": {"# A\n- one\n\ntext\n", []string{"A", "text", "one", "one"}},
		"a tab":       {"# A\n-\tone\n\ttwo\n", []string{"one two", "one\ntwo"}},
		"code in an item": {"# A\n- one\n  " + lines + "\n  - no\n  " + lines + "\n- two\n",
			[]string{"one", "one\n" + lines + "\n- no\n" + lines, "two", "two"}},
		"code beside": {"# A\n" + lines + "\n- no\n# no\n" + lines + "\n",
			[]string{"A", lines + "\n- no\n# no\n" + lines}},
		"a longer fence": {"# A\n````\n" + lines + "\n# no\n````\n# B\n- x\n",
			[]string{"A", "````\n" + lines + "\n# no\n````"}},
		"deeper headings": {"## A\n### B\nb\n#### C\nc\n### D\nd\n## E\ne\n",
			[]string{"B", "b\n\n#### C\n\nc", "D", "d"}},
		"a closed heading":  {"## A ##\nx\n", []string{"A", "x"}},
		"not a closed one":  {"## B\n## A\nx\n## A#\ny\n", []string{"A", "x"}},
		"an empty heading":  {"# A\nx\n#\ny\n", []string{"A", "x"}},
		"below one of it":   {"# A\nx\n## A\ny\n", []string{"A", "x", "A", "y"}},
		"another case":      {"# a\nx\n", []string{"a", "x"}},
		"two of a name":     {"# A\nx\n# B\n# A\ny\n", []string{"A", "x", "A", "y"}},
		"items of a name":   {"# A\n- x\n- x\n", []string{"x", "x", "x", "x"}},
		"an item of boxes":  {"# A\n- [x] **Done**: it\n", []string{"Done: it", "[x] **Done**: it"}},
		"Windows":           {"\ufeff# A\r\n- one\r\n- two\r\n", []string{"one", "one", "two", "two"}},
		"comments":          {"# A\n- one <!-- two\n- three --> four\n", []string{"one four", "one  four"}},
		"a comment in code": {"# A\n- `<!-- one -->`\n", []string{"`<!-- one -->`", "`<!-- one -->`"}},
		"an open comment":   {"# A\n- one <!-- two\n", []string{"one <!-- two", "one <!-- two"}},
		"ltm's section": {"# A\n- one\n<!-- ltm:begin -->\n- no\n<!-- ltm:end -->\n- two\n",
			[]string{"one", "one", "two", "two"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := forms.ClaudeMD{Sections: []string{" A "}}.Read(document("C.md", test.in), here)
			require.NoError(t, err)
			check(t, r)
			var got []string
			for _, item := range r.Items {
				got = append(got, item.Memory.Topic, item.Memory.Content)
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestLongTexts(t *testing.T) {
	long := strings.Repeat("word ", 100)
	r, err := forms.ClaudeMD{Sections: []string{"A"}}.Read(document("C.md", "# A\n- "+long+"\n## "+long+"\nx\n"), here)
	require.NoError(t, err)
	check(t, r)
	for _, item := range r.Items {
		require.Len(t, []rune(item.Memory.Topic), memory.MaxTopicChars)
		require.True(t, strings.HasSuffix(item.Memory.Topic, "…"))
	}
}

// TestSeveralSections takes each section once, in the order of the file.
func TestSeveralSections(t *testing.T) {
	const text = "# A\n- one\n## B\ntwo\n# C\nthree\n# D\nfour\n"
	r, err := forms.ClaudeMD{Sections: []string{"c", "B", "A", "a"}}.Read(document("C.md", text), here)
	require.NoError(t, err)
	check(t, r)
	var got []string
	for _, item := range r.Items {
		got = append(got, item.Key)
	}
	require.Equal(t, []string{"C.md#A#one", "C.md#A#B", "C.md#C"}, got)
}

// TestSectionsToChooseFrom lists them where one that is not there was named, or none.
func TestSectionsToChooseFrom(t *testing.T) {
	many := strings.Repeat("# A\n", 100)
	for _, test := range []struct {
		named      []string
		text, want string
	}{
		{nil, "x\n# A\n- y\n## B\n- z\n", `"C.md" is taken a section at a time, and none was named` +
			"\n  line 2: \"A\", 2 entries\n  line 4: \"B\", 1 entry"},
		{[]string{"c", "A", "d"}, "x\n# A\n- y\n## B\n", `"C.md" has no section "c", "d"` +
			"\n  line 2: \"A\", 1 entry\n  line 4: \"B\", 0 entries"},
		{nil, "x\n", `"C.md" is taken a section at a time, and has none`},
		{[]string{"A"}, "", `"C.md" is taken a section at a time, and has none`},
		{[]string{""}, "#\n# A\n", `"C.md" has no section ""` + "\n  line 2: \"A\", 0 entries"},
		{nil, many, "\n  line 40: \"A\", 0 entries\n  and 60 more"},
	} {
		_, err := forms.ClaudeMD{Sections: test.named}.Read(document("C.md", test.text), here)
		require.ErrorContains(t, err, test.want)
		require.Equal(t, memory.KindImportSection, memory.KindOf(err))
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
	}
}

// TestWhichFilesAreTakenBySection tells files to choose sections of from notes.
func TestWhichFilesAreTakenBySection(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		named            []string
	}{
		{name: "CLAUDE.md", text: "# Rules\n- one\n", want: "claude-md"},
		{name: "claude.local.md", text: "text", want: "claude-md"},
		{name: "AGENTS.md", text: "---\na: b\n---\ntext", want: "claude-md"},
		{name: "rules.md", text: "# A\n- one\n# B\n- two\n", want: "claude-md"},
		{name: "rules.md", text: "text\n\n# A\n- one\n", want: "claude-md"},
		{name: "rules.md", text: "<!-- note -->\n# A\n- one\n", want: "markdown"},
		{name: "rules.md", text: "# A\n- one\n", want: "markdown"},
		{name: "rules.md", text: "# A\n- one\n", named: []string{"A"}, want: "claude-md"},
		{name: "note.md", text: "---\ntitle: N\n---\n# A\n\n## B\n\n## C\n", want: "markdown"},
		{name: ".note.md", text: "text", want: "markdown"},
		{name: "note.MD", text: "caf\xe9", want: "markdown"},
		{name: "note.md", text: "```\n# a\n# b\n```\n", want: "markdown"},
		{name: "MEMORY.md", text: "# A\n- one\n# B\n- two\n", want: "auto-memory"},
		{name: "MEMORY.md", text: "# A\n- one\n", named: []string{"A"}, want: "claude-md"},
	} {
		all := forms.All(nil)
		for i := range all {
			if _, ok := all[i].(forms.ClaudeMD); ok {
				all[i] = forms.ClaudeMD{Sections: test.named}
			}
		}
		form, err := transfer.Recognize(document(test.name, test.text), all)
		require.NoError(t, err)
		require.Equal(t, test.want, form.Name(), "%s: %s", test.name, test.text)
	}
}
