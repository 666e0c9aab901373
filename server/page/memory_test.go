package page_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// cells returns the texts between tags, each on a line.
func cells(page string) string {
	var out []string
	for _, part := range strings.Split(page, "<") {
		if _, text, ok := strings.Cut(part, ">"); ok && strings.TrimSpace(text) != "" {
			out = append(out, strings.TrimSpace(text))
		}
	}
	return strings.Join(out, "\n")
}

// TestAChangeIsShownSideBySide asks for what each event of a history changed.
func TestAChangeIsShownSideBySide(t *testing.T) {
	f := someMemories()
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	lines := strings.Repeat("same\n", 20)
	f.past = api.Past{ID: "mem_00000001", Entries: []api.PastEntry{
		{Source: "file", Action: "not committed", Before: []byte("a <b>\r\nc\n"), After: []byte("a <i>\nc\n")},
		{Time: &at, Source: "git", Action: "updated", Commit: "2222222222aa", Why: "the plan was changed (content)",
			Author: &api.Author{Name: "Mira"},
			Before: []byte("first\n" + lines + "fifty at most\nlast\n"),
			After:  []byte("1st\n" + lines + "forty at most\n")},
		{Time: &at, Source: "log", Action: "updated", Session: 3},
		{Time: &at, Source: "git", Action: "stored", Commit: "1111111111aa", After: []byte("one\n")},
		{Time: &at, Source: "git", Action: "updated", Commit: "3333333333aa", Before: []byte("x"), After: []byte("x")},
	}}
	site, _ := newSite(t, f)
	v := enter(t, site)
	page := v.get("/memory/mem_00000001").Body.String()
	require.Contains(t, page, `href="?change=2222222222aa#change"`)
	require.Contains(t, page, `href="?change=now#change"`)
	require.Equal(t, 4, strings.Count(page, "what changed"), "the log does not have texts")
	require.NotContains(t, page, `id="change"`)

	page = v.get("/memory/mem_00000001?change=2222222222aa").Body.String()
	require.Contains(t, page, "What 2222222222 changed")
	require.Contains(t, page, `<td class="n">1</td><td class="taken"><del><mark>fir</mark>st</del></td>`+
		`<td class="n">1</td><td class="added"><ins><mark>1</mark>st</ins></td>`)
	require.Contains(t, page, `<td class="n">22</td><td class="taken"><del>f<mark>if</mark>ty at most</del></td>`+
		`<td class="n">22</td><td class="added"><ins>f<mark>or</mark>ty at most</ins></td>`)
	require.Contains(t, page, `<td class="n">23</td><td class="taken"><del>last</del></td><td class="n"></td>`)
	require.Equal(t, 6, strings.Count(page, "<td class=\"\">same</td>")/2, "three lines around each hunk")
	require.Equal(t, 1, strings.Count(page, `class="gap"`))

	page = v.get("/memory/mem_00000001?change=now").Body.String()
	require.Contains(t, page, "a &lt;<mark>b</mark>&gt;")
	require.Equal(t, 1, strings.Count(page, "<del>"), "line ends are no change")
	require.Contains(t, v.get("/memory/mem_00000001?change=1111111111aa").Body.String(), "The first text")
	require.Contains(t, v.get("/memory/mem_00000001?change=3333333333aa").Body.String(), "The texts are the same.")
	require.NotContains(t, v.get("/memory/mem_00000001?change=none").Body.String(), `id="change"`)
}

// TestLargeChangesAreCut keeps the page small, whatever was changed.
func TestLargeChangesAreCut(t *testing.T) {
	for name, text := range map[string]string{"lines": strings.Repeat("x\n", 200_000),
		"a line": strings.Repeat("y", 5<<20),
		"words":  strings.Repeat(strings.Repeat("<&>", 1000)+"\n", 1000)} {
		f := someMemories()
		f.past.Entries = []api.PastEntry{{Action: "not committed", Before: []byte("z\n"), After: []byte(text)}}
		site, _ := newSite(t, f)
		answer := enter(t, site).get("/memory/mem_00000001?change=now")
		require.Equal(t, 200, answer.Code)
		require.Contains(t, answer.Body.String(), "There is more", name)
		require.Less(t, answer.Body.Len(), 150_000, name)
	}
}

// TestWhatBelongsToAMemory shows its links, aliases and files.
func TestWhatBelongsToAMemory(t *testing.T) {
	f := someMemories()
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	f.memories = append(f.memories, api.Detail{ID: "mem_00000002", Topic: "The older one"})
	m := &f.memories[0]
	m.Supersedes, m.Related = []memory.ID{"mem_00000002"}, []memory.ID{"mem_00000003"}
	m.Aliases, f.learned = []string{"how many connections?"}, []string{"what is the limit of the pool?"}
	m.Refs = []api.Ref{{Ref: memory.Ref{Path: "db/pool.go", Line: 3, End: 5}, State: memory.RefMoved, To: "sql/pool.go",
		Commits: []api.RefCommit{{Hash: "abcdef0123456789", At: at, Subject: "move it"}}},
		{Ref: memory.Ref{Path: "db/x.go", Symbol: "Open"}, State: memory.RefFresh}}
	m.Stale = []string{"db/pool.go moved"}
	site, _ := newSite(t, f)
	text := cells(enter(t, site).get("/memory/mem_00000001").Body.String())
	for _, want := range []string{"Supersedes\nThe older one", "Related\nmem_00000003, which is not here", "stale",
		"how many connections?\nLearned from questions in this clone\nwhat is the limit of the pool?",
		"db/pool.go:3–5\nmoved\nto\nsql/pool.go\n2026-03-01 10:00 UTC\nabcdef0123\nmove it",
		"db/x.go, Open\nfresh", "Says about the same\nThe older one\n0.70"} {
		require.Contains(t, text, want)
	}
}

// TestTheBarsShowTheArithmetic has a part for each term, and they add up to the score.
func TestTheBarsShowTheArithmetic(t *testing.T) {
	site, _ := newSite(t, someMemories())
	page := enter(t, site).get("/memory/mem_00000001").Body.String()
	require.Contains(t, page, `<rect class="term-0" x="0" width="250" height="24"><title>base</title></rect>
<rect class="term-1" x="250" width="250" height="24"><title>failures</title></rect>`)
	require.Contains(t, cells(page), "base\n1.00\n0.25\n&#43;0.25\nfailures\n0.61\n0.55 of 0.75\n&#43;0.25")
	require.Contains(t, cells(page), "recency\n1.00\n0.50\n&#43;0.50")
}
