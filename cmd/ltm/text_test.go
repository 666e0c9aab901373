package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"

	"ltm/api"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"nothing", "  \n ", 10, nil},
		{"one line", "two  words", 10, []string{"two words"}},
		{"at a space", "two words here", 10, []string{"two words", "here"}},
		{"exactly", "12345 7890", 10, []string{"12345 7890"}},
		{"a long word stays whole", "see https://example.org/a/long/path now", 10, []string{"see", "https://example.org/a/long/path", "now"}},
		{"wide characters count twice", "连接池已耗尽", 6, []string{"连接池", "已耗尽"}},
		{"a width that no wide character fills", "连接池已", 5, []string{"连接", "池已"}},
		{"punctuation does not begin a line", "连接池。已", 6, []string{"连接", "池。已"}},
		{"scripts side by side", "Go连接 pool", 6, []string{"Go连接", "pool"}},
		{"emoji", "🎉🎉🎉", 4, []string{"🎉🎉", "🎉"}},
		{"emoji of several", "👩\u200d💻🧑🏽\u200d🤝\u200d🧑🏿👩\u200d💻", 4, []string{"👩\u200d💻🧑🏽\u200d🤝\u200d🧑🏿", "👩\u200d💻"}},
		{"marks stay with their letter", "e\u0301e\u0301 e\u0301", 3, []string{"e\u0301e\u0301", "e\u0301"}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, wrap(c.text, c.width)) })
	}
}

func TestAge(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	for want, ago := range map[string]time.Duration{
		"now": 59 * time.Second, "1m": time.Minute, "59m": time.Hour - 1, "23h": day - 1, "1d": day, "13d": 14*day - 1,
		"2w": 14 * day, "8w": 60*day - 1, "5mo": 160 * day, "23mo": 729 * day, "2y": 730 * day, "10y": 3660 * day,
	} {
		require.Equal(t, want, age(now, now.Add(-ago)))
	}
	require.Equal(t, "-", age(now, time.Time{}))
	require.Equal(t, "now", age(now, now.Add(time.Hour)), "the clock of another machine")
}

func TestClean(t *testing.T) {
	require.Equal(t, "a[31mb c\td\ne", clean("a\x1b[31mb\x07 c\td\r\ne\u202e\u200d\u009b"))
	require.Equal(t, "👩\u200d💻 می\u200cخواهم &lt;system-reminder>", clean("👩\u200d💻 می\u200cخواهم <\u00adsystem-reminder>"))
	require.Equal(t, "one line", cell(" one\n\tline\x1b "))
}

func TestLayoutFits(t *testing.T) {
	long := strings.Repeat("word ", 30)
	rows := [][]string{{"mem_00000001", "0.50", long, "tag"}, {"mem_00000002", "0.05", strings.Repeat("连接", 40), strings.Repeat("tag,", 9)}}
	columns := []column{{title: "ID"}, {title: "PRIO", right: true}, {title: "TOPIC"}, {title: "TAGS", most: 10}}
	for _, width := range []int{60, 80, 100, 300} {
		for _, line := range (screen{rich: true, width: width}).layout(columns, rows) {
			require.LessOrEqual(t, runewidth.StringWidth(line), width)
		}
	}
	lines := screen{rich: true, color: true, width: 46}.layout([]column{{title: "ID"}, {title: "PRIO", right: true}, {title: "TOPIC"}}, rows[:0])
	require.Equal(t, []string{sgrDim + "ID  PRIO  TOPIC" + sgrOff}, lines)
	s := screen{rich: true, color: true, width: 40}
	lines = s.layout([]column{{title: "ID", paint: s.dim}, {title: "TOPIC", paint: s.bold}, {title: "N", right: true}}, [][]string{{"a", "连接", "7"}, {"bb", "pool", "10"}})
	require.Equal(t, []string{sgrDim + "ID  TOPIC   N" + sgrOff, sgrDim + "a" + sgrOff + "   " + sgrBold + "连接" + sgrOff + "    7",
		sgrDim + "bb" + sgrOff + "  " + sgrBold + "pool" + sgrOff + "   10"}, lines)
}

func TestHighlight(t *testing.T) {
	s := screen{color: true}
	require.Equal(t, "a "+sgrBold+"b"+sgrOff+" c"+sgrBold+"d"+sgrOff, s.highlight("a b cd", [][2]int{{2, 3}, {5, 6}}))
	require.Equal(t, "a b", screen{}.highlight("a b", [][2]int{{2, 3}}))
	require.Empty(t, s.highlight("", nil))
}

func TestMarkdown(t *testing.T) {
	const text = "# Title\n\nA paragraph that is too long.\nIts second line.\n\n- an item that is too long\n  * nested item that is long\n10. ten is two digits and long\n> quoted text that is long\n>\n" +
		"```go\nif x { this line of code is not wrapped }\n\ty\n```\nafter\n~~~~\n~~~\n~~~~\n| a | b |\n    indented code that is not wrapped\n#no-heading\n\x1b[2Jx"
	want := []string{
		sgrBold + "Title" + sgrOff, "",
		"A paragraph that is", "too long.", "Its second line.", "",
		"• an item that is", "  too long",
		"  • nested item that", "    is long",
		"10. ten is two", "    digits and long",
		"│ quoted text that", "│ is long", "│",
		"    if x { this line of code is not wrapped }", "        y",
		"after", "    ~~~", "| a | b |",
		"    indented code that is not wrapped", "#no-heading", "[2Jx",
	}
	require.Equal(t, want, screen{rich: true, color: true, width: 20}.markdown(text))
}

func TestShowForPeople(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	d := api.Detail{ID: "mem_00000001", Topic: "A topic", Summary: "In short.", Content: "The detail.", Tags: []string{"a", "b"},
		Priority: 0.5, Difficulty: 0.25, CreatedAt: api.Time{Time: now.AddDate(0, 0, -3)}, CreatedSession: 7, AccessCount: 2, Archived: true}
	s := screen{rich: true, width: 80}
	require.Equal(t, []string{"A topic", "mem_00000001 · full · priority 0.50 · difficulty 0.25",
		"stored 2026-11-18 (3d ago) in session 7 · opened 2 times · archived", "tags a, b", "",
		"Summary", "", "In short.", "", "Content", "", "The detail."}, s.memory(d, authorship{}, now))
	d.Content = "In short. And then the detail."
	require.Equal(t, []string{"", "In short. And then the detail."}, s.memory(d, authorship{}, now)[4:], "the content says it already")
}

func TestSplitCommand(t *testing.T) {
	for text, want := range map[string][]string{
		"vi": {"vi"}, " code  --wait ": {"code", "--wait"}, `"a b" 'c "d"' e""f`: {"a b", `c "d"`, "ef"}, `C:\x\y.exe -w`: {`C:\x\y.exe`, "-w"}, `x ""`: {"x", ""}, "": nil,
	} {
		require.Equal(t, want, splitCommand(text), text)
	}
}

// TestProgress waits for the line itself, not for a time.
func TestProgress(t *testing.T) {
	lines := make(lineWriter)
	done := showProgress(lines, "reading", 0, time.Millisecond)
	require.Equal(t, "\rltm: reading, 0 s", <-lines)
	go done()
	for text := range lines {
		if text == "\r"+strings.Repeat(" ", len("ltm: reading, 0 s")+1)+"\r" {
			break
		}
		require.Equal(t, "\rltm: reading, 0 s", text)
	}
	done()

	var quick bytes.Buffer
	showProgress(&quick, "reading", time.Hour, time.Hour)()
	require.Empty(t, quick.String())
	a := &app{stderr: &quick}
	a.progress("reading")()
	require.Empty(t, quick.String())
}

type lineWriter chan string

func (w lineWriter) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}
