package forms_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/transfer/forms"
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
		"another case":      {"# a\nx\n", []string{"a", "x"}},
		"two of a name":     {"# A\nx\n# B\n# A\ny\n", nil}, // below
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
			r, err := forms.ClaudeMD{Section: " A "}.Read(document("C.md", test.in), here)
			require.NoError(t, err)
			var got []string
			for _, item := range r.Items {
				if item.Err == nil {
					got = append(got, item.Memory.Topic, item.Memory.Content)
				}
			}
			if name == "two of a name" { // the second one has the id of the first
				require.Equal(t, []string{"A", "x"}, got)
				require.Len(t, r.Items, 2)
				return
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestLongTexts(t *testing.T) {
	long := strings.Repeat("word ", 100)
	r, err := forms.ClaudeMD{Section: "A"}.Read(document("C.md", "# A\n- "+long+"\n## "+long+"\nx\n"), here)
	require.NoError(t, err)
	check(t, r)
	for _, item := range r.Items {
		require.Len(t, []rune(item.Memory.Topic), memory.MaxTopicChars)
		require.True(t, strings.HasSuffix(item.Memory.Topic, "…"))
	}
}
