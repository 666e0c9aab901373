package page_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/server/page"
)

// TestTimeCountsByDay has charts of the same days, and the same in a table.
func TestTimeCountsByDay(t *testing.T) {
	f := someMemories()
	f.now = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	f.memories[0].CreatedAt = api.Time{Time: f.now.AddDate(0, 0, -3)}
	gone := f.now.AddDate(0, 0, -1)
	f.memories = append(f.memories, api.Detail{ID: "mem_00000002", Topic: "Old",
		CreatedAt: api.Time{Time: f.now.AddDate(-1, 0, 0)}, Archived: true, ArchivedAt: &gone})
	f.events = func() []memory.Event {
		return []memory.Event{{Time: gone, Action: memory.ActionForgotten, ID: "mem_00000002"},
			{Time: f.now.AddDate(0, 0, -3), Action: memory.ActionStored, ID: "mem_00000001"}}
	}
	f.days = []api.DayCount{{Day: "no day", Prompts: 99}, {Day: "2025-01-01", Prompts: 7},
		{Day: "2026-03-09", Sessions: 2, Prompts: 5}, {Day: "2026-03-10", Prompts: 1}}
	f.commits = []page.Commit{{Hash: "0123456789abcdef", Author: "Ada", Subject: "keep <them>", Time: gone,
		Counts: [3]int{12, 0, 1}}}
	site, _ := newSite(t, f)
	v := enter(t, site)
	page := v.get("/time").Body.String()
	changes := between(t, page, `aria-labelledby="changes"`, "</figure>")
	require.Contains(t, changes, "2026-03-09: 1 faded or forgotten")
	require.Contains(t, changes, "<span>Nov 11</span><span>Dec 10</span><span>Jan 9</span>", "120 days at most")
	require.Contains(t, changes, "<span>2</span><span>1</span><span>0</span>", "the values of its heights")
	commits := between(t, page, `aria-labelledby="commits"`, "</figure>")
	require.Contains(t, commits, "2026-03-09: 12 added, 1 removed")
	require.Contains(t, commits, "<span>20</span><span>10</span><span>0</span>")
	growth := between(t, page, `aria-labelledby="growth"`, "</figure>")
	require.Contains(t, growth, "2026-03-08: 2 in sight")
	require.Contains(t, growth, "2026-03-09: 1 in sight, 1 out of sight, forgotten or superseded")
	require.Contains(t, growth, "2025-11-11: 1 in sight")
	prompts := between(t, page, `aria-labelledby="prompts"`, "</figure>")
	require.Equal(t, 2, strings.Count(prompts, "<rect"))
	require.Contains(t, prompts, `<rect class="term-0" x="1180" y="17" width="8" height="83"/>`)
	require.Contains(t, prompts, `<rect class="term-0" x="1190" y="84" width="8" height="16"/>`)
	require.Contains(t, prompts, "at most 5")
	require.Contains(t, prompts, "<span>6</span><span>3</span><span>0</span>")
	require.Contains(t, between(t, page, `aria-labelledby="sessions"`, "</figure>"), "2026-03-09: 2 sessions")
	table := between(t, page, `class="days-table"`, "</table>")
	require.Equal(t, 3, strings.Count(table, `<th scope="row">`), "days on which something happened")
	row := between(t, table, "2026-03-09</th>", "</tr>")
	require.Equal(t, []string{"0", "0", "1", "0", "12", "0", "1", "1", "1", "5", "2"}, countsIn(row))

	f.days = []api.DayCount{{Day: "2026-03-09", Prompts: 1_000_000}, {Day: "2026-03-10", Prompts: 1}}
	prompts = between(t, v.get("/time").Body.String(), `aria-labelledby="prompts"`, "</figure>")
	require.Contains(t, prompts, `y="99" width="8" height="1"/>`, "what is more than nothing is seen")
	own := v.get("/time?scope=user").Body.String()
	require.NotContains(t, own, `aria-labelledby="prompts"`)
	require.Contains(t, own, "counted in each project")
}

// TestTimeListsCommitsAndGroupsEvictions has the commits between the events of this clone, and the evictions of a
// session in one row.
func TestTimeListsCommitsAndGroupsEvictions(t *testing.T) {
	f := someMemories()
	at := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	f.now = at
	f.events = func() (all []memory.Event) {
		for i := range 50 {
			all = append(all, memory.Event{Time: at, Action: memory.ActionEvicted, ID: "mem_00000001",
				Topic: fmt.Sprint("Faded ", i), Session: 7 - i/48})
		}
		for _, hours := range []int{49, 49, 73} {
			all = append(all, memory.Event{Time: at.Add(-time.Duration(hours) * time.Hour), ID: "mem_00000001",
				Action: memory.ActionApproved})
		}
		return all
	}
	f.commits = []page.Commit{{Hash: "0123456789abcdef", Author: "Ada", Subject: "keep <them>",
		Time: at.AddDate(0, 0, -1), Counts: [3]int{1, 2, 0}}}
	site, _ := newSite(t, f)
	rows := strings.Split(between(t, enter(t, site).get("/time").Body.String(), `<ol class="history">`, "</ol>"),
		"<li><time")
	require.Len(t, rows, 6)
	require.Contains(t, rows[1], "<b>evicted</b> 48 memories in session 7")
	require.Contains(t, rows[1], "Faded 47")
	require.Contains(t, rows[2], "<b>evicted</b> 2 memories in session 6")
	require.Contains(t, rows[3], `<b>commit</b> <code>0123456789</code> by Ada: 1 added, 2 changed`)
	require.Contains(t, rows[3], "keep &lt;them&gt;")
	require.Contains(t, rows[4], "<b>approved</b> 2 memories")
	require.Contains(t, rows[5], "<b>approved</b> <a", "a day before")
}

// countsIn returns the texts of a row's cells.
func countsIn(row string) (out []string) {
	for cell := range strings.SplitSeq(row, `<td class="n">`) {
		if text, _, ok := strings.Cut(cell, "</td>"); ok {
			out = append(out, text)
		}
	}
	return out
}

func TestTimeOfNothing(t *testing.T) {
	f := someMemories()
	f.memories, f.events = nil, func() []memory.Event { return nil }
	site, _ := newSite(t, f)
	v := enter(t, site)
	page := v.get("/time").Body.String()
	require.Contains(t, page, "Nothing has happened yet")
	require.NotContains(t, page, "<svg class=\"days\"")
}
