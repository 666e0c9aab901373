package abridge_test

import (
	"iter"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"ltm/memory"
	"ltm/text/abridge"
)

// worstCases are contents of the maximum size that are hard to parse: many lines, long lines, deep
// nesting, unclosed blocks.
func worstCases() iter.Seq2[string, string] {
	fill := func(s string) string { return strings.Repeat(s, memory.MaxContentBytes/len(s)) }
	staircase := func(marker string) string {
		var b strings.Builder
		for i := 0; b.Len() < memory.MaxContentBytes/2; i += len(marker) {
			b.WriteString(strings.Repeat(" ", i) + marker + "x\n")
		}
		return b.String()
	}
	cases := map[string]string{
		"one paragraph of one line": fill("word "),
		"one paragraph of lines":    fill("some words in a line\n"),
		"one word":                  fill("x"),
		"one wide word":             fill("語"),
		"paragraphs":                fill("Some words. And more.\n\n"),
		"items":                     fill("- item\n"),
		"numbered items":            fill("1. item\n"),
		"loose items":               fill("- item\n\n"),
		"empty items":               fill("-\n") + "\nx",
		"items in one line":         fill("- ") + "x",
		"numbers in one line":       fill("1. ") + "x",
		"quotes in one line":        fill("> ") + "x",
		"quotes of 1,000":           fill(strings.Repeat("> ", 1000) + "x\n"),
		"staircase of items":        staircase("- "),
		"staircase of quotes":       staircase("> "),
		"staircase and blank lines": staircase("- ")[:4000] + "x\n" + fill("\n") + "y",
		"blank lines":               "x\n" + fill("\n") + "y",
		"spaces":                    "x\n" + fill(" ") + "y",
		"tabs":                      "x\n" + fill("\t") + "y",
		"open fence":                "```\n" + fill("x\n"),
		"fences":                    fill("```\n"),
		"fences that grow":          "x\n" + staircase("```"),
		"items with code": "x\n\n" + fill("- item\n  - "+strings.Repeat("nested ", 30)+"\n  ```\n"+
			strings.Repeat("  "+strings.Repeat("x", 70)+"\n", 10)+"  ```\n"),
		"headings":         fill("# h\n"),
		"underlines":       fill("x\n===\n"),
		"html":             fill("<div>\n"),
		"open html":        fill("<a b=\"") + "x",
		"comments":         fill("<!-- ") + "x",
		"backticks":        fill("` `` ``` ") + "x",
		"open parentheses": "x " + fill("(a. ") + ")",
		"open brackets":    "x " + fill("[a. ") + "](",
		"link definitions": fill("[a]: b \"\n"),
		"rules":            fill("- - -\n") + "x",
		"one rule":         fill("- "),
		"full stops":       "x" + fill("."),
		"sentences":        fill("A. "),
		"tables":           fill("|a|b|\n|-|-|\n|1|2|\n\n") + "x",
		"one table":        "x\n\n|a|b|\n|-|-|\n" + fill("|1|2|\n"),
		"bold lines":       fill("**b**\n\n"),
		"labels":           fill("Fix: a. b.\n\n"),
	}
	return func(yield func(string, string) bool) {
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			if !yield(name, cases[name]) {
				return
			}
		}
	}
}

// fenceOpen reports whether text appended to md becomes code.
func fenceOpen(md string) bool {
	src := []byte(md + "\n\nend")
	blocks := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	_, open := blocks.Parse(text.NewReader(src)).LastChild().(*ast.FencedCodeBlock)
	return open
}

func FuzzHint(f *testing.F) {
	files, err := filepath.Glob("testdata/*.md")
	require.NoError(f, err)
	for _, name := range files {
		content, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(content))
	}
	for _, content := range worstCases() {
		f.Add(content[:min(len(content), 600)])
	}
	f.Fuzz(func(t *testing.T, content string) {
		// as the store does
		content = strings.NewReplacer("\r", "", "\x00", "").Replace(strings.ToValidUTF8(content, ""))
		checkReduced(t, content)
	})
}

// checkReduced checks the properties that every reduction must have.
func checkReduced(t *testing.T, content string) {
	t.Helper()
	got := abridge.Hint(content)
	require.LessOrEqual(t, len(got), len(content))
	require.True(t, utf8.ValidString(got))
	require.Equal(t, got, abridge.Hint(got), "the hint of a hint of %q", content)
	if strings.TrimSpace(content) != "" {
		require.NotEmpty(t, strings.TrimSpace(got), "%q", content)
	}
	if !fenceOpen(content) {
		require.False(t, fenceOpen(got), "a fence was left open: %q became %q", content, got)
	}
	for _, line := range []string{abridge.FirstParagraph(content), abridge.FirstSentence(content)} {
		require.True(t, utf8.ValidString(line))
		require.NotContains(t, line, "\n")
		require.LessOrEqual(t, utf8.RuneCountInString(line), 500)
	}
}

// TestHintOfRandomMarkdown joins random markdown tokens, which random bytes rarely contain.
func TestHintOfRandomMarkdown(t *testing.T) {
	tokens := []string{"- ", "* ", "1. ", "2) ", "123456789. ", "[ ] ", "> ", "  ", "    ", "\t", "\n", "\n", "\n\n",
		"```", "````", "~~~", "`", "``",
		"x", "word ", "a. B", "e.g. ", "Fix: ", "**b**", "**", "# ", "## Fix", "===", "---", "|a|b|\n|-|-|\n", "<div>",
		"</div>", "<!--", "(", ")",
		"[", "](", ":", "\\", "…", "语。", "Decision\n\n", "```\ncode\n```\n", "  ```\n  code\n  ```\n",
		strings.Repeat("long ", 50),
		strings.Repeat("long. ", 300) + "\n"}
	random := rand.New(rand.NewSource(1))
	for range 3000 {
		var b strings.Builder
		for range 1 + random.Intn(40) {
			b.WriteString(tokens[random.Intn(len(tokens))])
		}
		checkReduced(t, b.String())
	}
}

func BenchmarkHint(b *testing.B) {
	content, err := os.ReadFile("testdata/incident.md")
	require.NoError(b, err)
	benchmark := func(name, content string) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				abridge.Hint(content)
			}
		})
	}
	benchmark("usual", string(content))
	for name, content := range worstCases() {
		benchmark("worst/"+name, content)
	}
}

func BenchmarkFirstSentence(b *testing.B) {
	text := "Use a pool, e.g. `pgxpool.New`, for this (see main.go. It is there). Then close it."
	for b.Loop() {
		abridge.FirstSentence(text)
	}
}

func BenchmarkFirstParagraph(b *testing.B) {
	content, err := os.ReadFile("testdata/incident.md")
	require.NoError(b, err)
	for b.Loop() {
		abridge.FirstParagraph(string(content))
	}
}
