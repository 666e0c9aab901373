package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/terminal"
	"ltm/memory/api"
)

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
	require.Equal(t, "👩\u200d💻 می\u200cخواهم &lt;system-reminder>",
		clean("👩\u200d💻 می\u200cخواهم <\u00adsystem-reminder>"))
	require.Equal(t, "one line", cell(" one\n\tline\x1b "))
}

func TestShowForPeople(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	d := api.Detail{ID: "mem_00000001", Topic: "A topic", Summary: "In short.", Content: "The detail.",
		Tags: []string{"a", "b"}, Priority: 0.5, Difficulty: 0.25, CreatedAt: api.Time{Time: now.AddDate(0, 0, -3)},
		CreatedSession: 7, AccessCount: 2, Archived: true}
	s := terminal.Screen{Rich: true, Width: 80}
	require.Equal(t, []string{"A topic", "mem_00000001 · whole · priority 0.50 · difficulty 0.25",
		"stored 2026-11-18 (3d ago) in session 7 · opened 2 times", "tags a, b", "",
		"Summary", "", "In short.", "", "Content", "", "The detail."}, richMemory(s, d, gitstore.Authorship{}, now))
	d.Content = "In short. And then the detail."
	require.Equal(t, []string{"", "In short. And then the detail."}, richMemory(s, d, gitstore.Authorship{}, now)[4:],
		"the content says it already")
	d.Content = "\x1b[2JIn short."
	require.Equal(t, []string{"", "[2JIn short."}, richMemory(s, d, gitstore.Authorship{}, now)[4:],
		"what a terminal would obey")
}

func TestSplitCommand(t *testing.T) {
	for text, want := range map[string][]string{
		"vi": {"vi"}, " code  --wait ": {"code", "--wait"}, `"a b" 'c "d"' e""f`: {"a b", `c "d"`, "ef"},
		`C:\x\y.exe -w`: {`C:\x\y.exe`, "-w"}, `x ""`: {"x", ""}, "": nil,
	} {
		require.Equal(t, want, splitCommand(text), text)
	}
}

// TestProgress shows none where no person sees it.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	a := &app{stderr: &out}
	a.progress("reading")()
	require.Empty(t, out.String())
}
