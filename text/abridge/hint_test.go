package abridge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
	"ltm/text/abridge"
)

// TestHintsOfRealMemories compares the hints of testdata/*.md with golden files.
func TestHintsOfRealMemories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			content, err := os.ReadFile(name)
			require.NoError(t, err)
			got := abridge.Hint(strings.TrimSpace(string(content)))
			golden.Require(t, strings.TrimSuffix(name, ".md")+".hint", got+"\n")
			require.Equal(t, got, abridge.Hint(got), "the hint of a hint")
			require.Less(t, len(got), len(content))
		})
	}
}

func TestHint(t *testing.T) {
	filler := "\n\nNobody needs this paragraph any more.\n\n    indented\n\nNor this one."
	long := strings.Repeat("word ", 60)
	bigCode := "```\n" + strings.Repeat("line\n", 11) + "```"
	for _, tt := range []struct{ name, content, want string }{
		{"one paragraph", "Just this.", "Just this."},
		{"first paragraph", "First, as\n  it was.  " + filler, "First, as\nit was."},
		{"title left out", "# Title\n\nFirst." + filler, "First."},
		{"title that is a label stays", "# Decision\n\nFirst." + filler, "# Decision\n\nFirst."},
		{"heading of what is kept", "Intro.\n\n## A\n\n### B\n\n- x\n\n## C\n\nGone.",
			"Intro.\n\n## A\n\n### B\n\n- x"},
		{"underlined headings", "Intro.\n\nPart `A`\n---\n\n- x" + filler, "Intro.\n\n## Part `A`\n\n- x"},
		{"what announces a list", "Intro.\n\nGone.\n\nThese failed:\n\n- x" + filler, "Intro.\n\nThese failed:\n\n- x"},
		{"bullets of every kind", "Intro.\n\n* a\n\n+ b\n\n- c\n\n\n  * d" + filler, "Intro.\n\n- a\n- b\n- c\n  - d"},
		{"numbers as they are written", "Intro.\n\n3. c\n4. d\n\n10) e" + filler, "Intro.\n\n3. c\n4. d\n10) e"},
		{"tasks", "Intro.\n\n- [ ] open\n- [x] done" + filler, "Intro.\n\n- [ ] open\n- [x] done"},
		{"wrapped item", "Intro.\n\n- one\n  two\nthree\n- four" + filler, "Intro.\n\n- one two three\n- four"},
		{"item of two paragraphs", "Intro.\n\n- one\n\n  gone" + filler, "Intro.\n\n- one"},
		{"nested items", "Intro.\n\n- a\n  - b\n    - gone\n  - c\n  - d\n  - gone" + filler,
			"Intro.\n\n- a\n  - b\n  - c\n  - d"},
		{"empty items", "Intro.\n\n-\n- a\n-\n" + filler, "Intro.\n\n- a"},
		{"long item", "Intro.\n\n- " + long + filler, "Intro.\n\n- " + strings.TrimSpace(long[:199]) + "…"},
		{"long item ends before a code span", "Intro.\n\n- " + long[:190] + "`" + long + "`" + filler,
			"Intro.\n\n- " + strings.TrimSpace(long[:190]) + "…"},
		{"code of an item", "Intro.\n\n- a\n\n  ```sh\n  x\n    y\n\n  z\n  ```" + filler,
			"Intro.\n\n- a\n  ```sh\n  x\n    y\n\n  z\n  ```"},
		{"item that is code", "Intro.\n\n- ~~~\n  x\n  ~~~" + filler, "Intro.\n\n- ~~~\n  x\n  ~~~"},
		{"code of a nested item", "Intro.\n\n- a\n  - b\n    ```\n    x\n    ```" + filler, "Intro.\n\n- a\n  - b"},
		{"long code of an item", "Intro.\n\n- a\n  " + strings.ReplaceAll(bigCode, "\n", "\n  ") + filler,
			"Intro.\n\n- a"},
		{"code after the first paragraph", "Run:\n```sh\nmake\n```" + filler, "Run:\n\n```sh\nmake\n```"},
		{"a fence within a fence", "Run:\n````md\n```\nx\n```\n````" + filler, "Run:\n\n````md\n```\nx\n```\n````"},
		{"long code after the first paragraph", "Run:\n" + bigCode + filler, "Run:"},
		{"unclosed code", "Run:\n```sh\nmake\n\n- no item" + filler, "Run:"},
		{"code elsewhere", "Intro.\n\nGone.\n\n```\nx\n```" + filler, "Intro."},
		{"quote", "> Intro\n> here.\n>\n> - a\n>\n> gone" + filler, "Intro\nhere.\n\n- a"},
		{"table after the first paragraph", "Intro.\n\n| a | b |\n|---|:-:|\n| 1 | 2 |" + filler,
			"Intro.\n\n| a | b |\n|---|:-:|\n| 1 | 2 |"},
		{"html", "<details>\n\nIntro.\n\n</details>" + filler, "Intro."},
		{"label and sentence", "Intro.\n\nGone.\n\n**Fix:** raise it, e.g. to 20. Then wait." + filler,
			"Intro.\n\n**Fix:** raise it, e.g. to 20."},
		{"section of a label", "Intro.\n\n## The fix\n\nRaise it. Then wait." + filler,
			"Intro.\n\n## The fix\n\nRaise it."},
		{"code of a label", "Intro.\n\n## Fix\n\nRun. Wait.\n\n```\nx\n```" + filler,
			"Intro.\n\n## Fix\n\nRun.\n\n```\nx\n```"},
		{"only lists", "- a\n\n  gone\n- b", "- a\n- b"},
		{"only headings", "# A\n\n\n## B\n\n\n<br>\n\n# C", "# A\n\n## B\n\n# C"},
		{"headings and code", "# A\n\n```\nx\n```\n\n## B\n\n" + bigCode, "# A\n\n```\nx\n```\n\n## B"},
		{"only long code", bigCode, bigCode},
		{"only very long code", "```\n" + strings.Repeat("line\n", 1000) + "```", "line"},
		{"only html", "<div>\nx\n</div>", "<div>\nx\n</div>"},
		{"nothing", "", ""},
		{"an indented line is not an item", "Intro\n    - and no item" + filler, "Intro\n    - and no item"},
		{"wide letters", "连接池太小。" + filler + "\n\n- 已改为 20。", "连接池太小。\n\n- 已改为 20。"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := abridge.Hint(tt.content)
			require.Equal(t, tt.want, got)
			require.Equal(t, got, abridge.Hint(got), "the hint of a hint")
		})
	}
}

func TestHintCutsALongParagraphAfterASentence(t *testing.T) {
	sentence := "This sentence of the first paragraph has some sixty characters.\n"
	got := abridge.Hint(strings.Repeat(sentence, 100))
	require.Equal(t, strings.TrimSpace(strings.Repeat(sentence, 15)), got) // 15 × 64 = 960, the next ends beyond 1,000
	got = abridge.Hint("```" + strings.Repeat("word. ", 300) + "```")
	// 3 + 166 × 6 = 999
	require.Equal(t, strings.TrimSpace(strings.Repeat("word. ", 166)), got, "half a code span would open a code block")
	got = abridge.Hint(strings.Repeat("語", 5000))
	require.Equal(t, strings.Repeat("語", 999)+"…", got)
}

func TestHintTakesSmallerPointsWhenThereIsNoRoomForLargeOnes(t *testing.T) {
	large := "- large\n  ```\n  " + strings.Repeat("x", 780) + "\n  ```\n" // 805 bytes in a hint
	got := abridge.Hint("Intro.\n\n" + strings.Repeat(large, 9) + "- small\n\nGone.")
	require.Equal(t, "Intro.\n\n"+strings.Repeat(large, 7)+"- small", got) // 7 × 805 = 5,635
	require.Equal(t, got, abridge.Hint(got))
}

func TestHintIsSmallWhateverTheSize(t *testing.T) {
	for name, content := range worstCases() {
		t.Run(name, func(t *testing.T) {
			got := abridge.Hint(content)
			require.True(t, utf8.ValidString(got))
			require.LessOrEqual(t, len(got), len(content))
			if strings.Trim(content, " \t\n`-") != "" { // otherwise it has no text
				require.Less(t, len(got), 8000)
				require.NotEmpty(t, abridge.FirstParagraph(content))
				require.NotEmpty(t, abridge.FirstSentence(content))
			}
		})
	}
}
