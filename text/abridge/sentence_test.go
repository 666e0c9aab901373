package abridge_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/text/abridge"
)

func TestFirstSentence(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"blank", " \n\n\t\n", ""},
		{"plain", "It works. So does this.", "It works."},
		{"question", "Why does it hang? The lock is held.", "Why does it hang?"},
		{"exclamation", "Never do this! It breaks.", "Never do this!"},
		{"mixed signs", "Really?! Yes.", "Really?!"},
		{"name with a mark", "File.stream! with a list reads in chunks. Use it.",
			"File.stream! with a list reads in chunks."},
		{"name with a mark and a slash", "Call Enum.map!/2 first. Then stop.", "Call Enum.map!/2 first."},
		{"name with a mark and arguments", "Call valid?(x) or empty? before it. Then stop.",
			"Call valid?(x) or empty? before it."},
		{"name with a mark, first", "empty? returns true for nil. So it passed.", "empty? returns true for nil."},
		{"name with a mark before an operator", "Skip it if nil? || empty? && !valid? == true. Then stop.",
			"Skip it if nil? || empty? && !valid? == true."},
		{"name with a mark at the end", "Never call save! The validations run twice.", "Never call save!"},
		{"lower case after a question", "why does it hang? it waits for the lock.", "why does it hang?"},
		{"lower case after several marks", "really?! the lock is held.", "really?!"},
		{"no end", "Pool size is 20", "Pool size is 20"},
		{"lower case after it", "pool was too small. raised to 20.", "pool was too small."},
		{"e.g.", "Use a pool, e.g. pgxpool, for this. Then close it.", "Use a pool, e.g. pgxpool, for this."},
		{"E.g. before a capital", "Some drivers, e.g. Postgres ones, hang. Others fail.",
			"Some drivers, e.g. Postgres ones, hang."},
		{"i.e.", "The first, i.e. The Pool, leaks. Close it.", "The first, i.e. The Pool, leaks."},
		{"etc. inside", "Redis, Kafka etc. are down. Restart.", "Redis, Kafka etc. are down."},
		{"etc. at the end", "Check Redis, Kafka, etc. Then restart.", "Check Redis, Kafka, etc."},
		{"etc. in parentheses", "The queues (Kafka, etc.) are down. Restart.", "The queues (Kafka, etc.) are down."},
		{"version", "Needs v1.2 of Go. Older ones fail.", "Needs v1.2 of Go."},
		{"version at the end", "It broke in v1.2. Older ones work.", "It broke in v1.2."},
		{"decimal", "It takes 1.5 s to start. Too long.", "It takes 1.5 s to start."},
		{"file name", "See main.go for it. Then test.", "See main.go for it."},
		{"file name at the end", "The bug is in main.go. It was fixed.", "The bug is in main.go."},
		{"file names listed", "Both (main.go. , foo.yaml) need it. Edit them.", "Both (main.go. , foo.yaml) need it."},
		{"file name and comma", "Change main.go., foo.yaml and bar.toml. Then run.",
			"Change main.go., foo.yaml and bar.toml."},
		{"Node.js", "Node.js 22 and .NET fail here. Go works.", "Node.js 22 and .NET fail here."},
		{"code span", "Call `pool.Close(). Then wait!` at the end. Always.",
			"Call `pool.Close(). Then wait!` at the end."},
		{"code span with backticks", "Call ``a ` b. C`` now. Always.", "Call ``a ` b. C`` now."},
		{"code span at the end", "Never call `os.Exit`. It skips defers.", "Never call `os.Exit`."},
		{"open backtick", "A ` alone. Then more.", "A ` alone."},
		{"url", "See https://example.com/a.b?c=d. It explains.", "See https://example.com/a.b?c=d."},
		{"link", "See [the docs. Part 2](https://x.y/z. w) for it. Or not.",
			"See [the docs. Part 2](https://x.y/z. w) for it."},
		{"autolink", "See <https://x.y/?a.> first. Then go.", "See <https://x.y/?a.> first."},
		{"ellipsis inside", "It waits... and then hangs. Kill it.", "It waits... and then hangs."},
		{"ellipsis sign inside", "It waits… and then hangs. Kill it.", "It waits… and then hangs."},
		{"ellipsis at the end", "It waits and waits... Then it hangs.", "It waits and waits..."},
		{"initials", "J. R. Smith found it. We fixed it.", "J. R. Smith found it."},
		{"country", "The U.S. region is slow. Use another.", "The U.S. region is slow."},
		{"title", "Ask Dr. Who about it. Or not.", "Ask Dr. Who about it."},
		{"figure", "As in fig. 3 it grows. Then it falls.", "As in fig. 3 it grows."},
		{"number", "Allow max. 5 connections. More fail.", "Allow max. 5 connections."},
		{"the word no", "The answer is no. It cannot.", "The answer is no."},
		{"parentheses", "It fails (on Linux. Not on macOS.) every night. Wait.",
			"It fails (on Linux. Not on macOS.) every night."},
		{"sentence in parentheses", "(It fails on Linux.) Use macOS.", "(It fails on Linux.)"},
		{"open parenthesis", "It fails :( every night. Wait.", "It fails :( every night."},
		{"quotes", `He said "it works." Then it broke.`, `He said "it works."`},
		{"quote inside", `The "why?" is open. So is the how.`, `The "why?" is open.`},
		{"bold", "**It works.** Then more.", "**It works.**"},
		{"chinese", "连接池太小。已改为 20。", "连接池太小。"},
		{"japanese, quoted", "「遅い！」原因は不明。", "「遅い！」"},
		{"wrapped lines", "The pool was\ntoo small. It is\nnow 20.", "The pool was too small."},
		{"paragraphs", "The pool was too small\n\nIt is now 20.", "The pool was too small"},
		{"heading first", "# Title\n\nThe text. More.", "The text."},
		{"only headings", "# Title\n## Sub", "Title"},
		{"list", "- first thing\n- second thing", "first thing"},
		{"numbered list", "1. Do this. And that.\n2. Do more.", "Do this."},
		{"list after a line", "Steps\n- one", "Steps"},
		{"quote", "> Said so. Yes.", "Said so."},
		{"fence after a line", "Run it\n```\nx\n```", "Run it"},
		{"hash tag", "#123 is the cause. Fix it.", "#123 is the cause."},
		{"only signs", "...", "..."},
		{"only a sign and more", ". . Then", ". . Then"},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, abridge.FirstSentence(tt.text)) })
	}
}

func TestFirstSentenceIsShort(t *testing.T) {
	for _, tt := range []struct{ name, text, end string }{
		{"words", strings.Repeat("word ", 200), " word…"},
		{"one word", strings.Repeat("x", 1000), "x…"},
		{"one word of wide letters", strings.Repeat("語", 1000), "語…"},
		{"a code span across the limit", strings.Repeat("word ", 50) + "`" + strings.Repeat("code ", 50) + "`",
			" word…"},
		{"a link across the limit", strings.Repeat("word ", 50) + "[" + strings.Repeat("code ", 50) + "](x)", " word…"},
		{"a long sentence with an end", strings.Repeat("word ", 70) + "end. Next.", " word…"},
		{"nothing but a code span", "`" + strings.Repeat("code ", 100) + "`", " code…"},
		{"many lines", strings.Repeat("word\n", 100_000), " word…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := abridge.FirstSentence(tt.text)
			require.LessOrEqual(t, utf8.RuneCountInString(got), 300)
			require.GreaterOrEqual(t, utf8.RuneCountInString(got), 200)
			require.True(t, utf8.ValidString(got))
			require.True(t, strings.HasSuffix(got, tt.end), got)
		})
	}
	exact := strings.Repeat("x", 299) + "."
	require.Equal(t, exact, abridge.FirstSentence(exact), "300 characters fit")
	require.Equal(t, exact, abridge.FirstSentence(exact+" More."))
}

func TestFirstParagraph(t *testing.T) {
	sentence := strings.Repeat("word ", 19) + "end." // 99 characters
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"plain", "One.\nTwo.\n\nThree.", "One. Two."},
		{"heading first", "# Title\n\nText here.\n\nMore.", "Text here."},
		{"underlined heading", "Title\n=====\nText here.", "Text here."},
		{"bold line as a heading", "**Problem**\n\nIt hangs.", "It hangs."},
		{"bold sentence", "**Never run it twice.**\n\nMore.", "**Never run it twice.**"},
		{"code first", "```go\nfunc main() {}\n```\n\nThat hangs.", "That hangs."},
		{"list first", "- first `a. b`\n  goes on\n- second\n\nText.", "first `a. b` goes on"},
		{"list announced", "Three causes:\n\n- pool;\n- lock.\n- disk", "Three causes: pool; lock; disk"},
		{"announces code", "Run this:\n\n```\nmake\n```", "Run this:"},
		{"quote", "> They said\n> so.\n\nText.", "They said so."},
		{"html first", "<div>\nx\n</div>\n\nText.", "Text."},
		{"table first", "| a | b |\n|---|---|\n| 1 | 2 |\n\nText.", "Text."},
		{"only a heading", "## Only this", "Only this"},
		{"only code", "```sh\n\n  make test\nmake\n```", "make test"},
		{"only long code", "```sh\n" + strings.Repeat("make test\n", 50) + "```", "make test"},
		{"only indented code", "    make test\n    make", "make test"},
		{"only a table", "| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |"},
		{"only html", "<div>\nx\n</div>", "<div>"},
		{"only a rule", "---", "---"},
		{"unclosed fence", "```\ncode\n\nmore", "code"},
		{"links and code as they were", "See [x](y \"z\"), `a  b` and **c**.", "See [x](y \"z\"), `a  b` and **c**."},
		{"cut after a sentence", strings.TrimSpace(strings.Repeat(sentence+" ", 7)),
			strings.TrimSpace(strings.Repeat(sentence+" ", 5))},
		{"cut between words", strings.Repeat("word ", 200), strings.TrimSpace(strings.Repeat("word ", 100)) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := abridge.FirstParagraph(tt.text)
			require.Equal(t, tt.want, got)
			require.LessOrEqual(t, utf8.RuneCountInString(got), 500)
		})
	}
}

// TestRestates has summaries that a reader of the content needs, and such as are derived from it.
func TestRestates(t *testing.T) {
	long := strings.Repeat("word ", 200)
	for _, tt := range []struct {
		summary, content string
		want             bool
	}{
		{"", "Text.", true}, {"One. Two.", "One.\nTwo.\n\nThree.", true}, {"Two.", "One. Two.", true},
		{"Causes: pool; lock", "# Title\n\nCauses:\n\n- pool\n- lock\n", true},
		{abridge.FirstParagraph(long), long, true},
		{"Causes: pool", "Causes:\n\n- pool\n- lock\n", false}, {"It hangs.", "It waits.", false},
		{"It hangs.", "", false},
	} {
		require.Equal(t, tt.want, abridge.Restates(tt.summary, tt.content), "%q of %q", tt.summary, tt.content)
	}
}
