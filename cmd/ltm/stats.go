package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/internal/plural"
	"ltm/memory/api"
)

func (a *app) statsCommand() *cobra.Command {
	c := &cobra.Command{Use: "stats", Args: noArguments()}
	c.RunE = func(c *cobra.Command, _ []string) error {
		done := a.progress("reading the memories")
		stats, err := a.shelves(lockWait).Statistics(c.Context(), a.scope)
		done()
		return answer(a, stats, err, a.printStats)
	}
	return c
}

// barWidth is the width of the bar of all memories.
const barWidth = 20

// printStats prints a table in which each group has a section. Programs get every part, and people
// those that have memories.
func (a *app) printStats(st api.Statistics) error {
	s := a.screen()
	summary := fmt.Sprintf("memories: %d with those out of sight, about %d tokens; archives: %d; "+
		"the next session starts with: %d, %d tokens",
		st.Memories, st.Tokens, st.Archives, st.Context.Memories, st.Context.Tokens)
	var rows [][]string
	for _, g := range st.Groups {
		title := g.By
		for _, p := range g.Parts {
			row := []string{title, p.Name, strconv.Itoa(p.Memories), strconv.Itoa(p.Tokens),
				strconv.Itoa(p.ContextTokens)}
			if s.Rich {
				if p.Memories == 0 {
					continue
				}
				title = "" // once for each group
				most := st.Memories
				if g.By == "archives" {
					most = st.Archives
				}
				row = append(row[:2:2], append([]string{terminal.Bar(p.Memories, most, barWidth)}, row[2:]...)...)
			}
			rows = append(rows, row)
		}
	}
	if !s.Rich {
		if err := a.tabs(rows); err != nil {
			return err
		}
		return a.println(append([]string{summary}, dayLines(s, st.Days)...)...)
	}
	lines := wrapped(s, summary)
	if len(rows) > 0 {
		lines = append(append(lines, ""), s.Table([]terminal.Column{
			{Title: "BY", Style: s.Bold}, {Title: ""}, {Title: "", Spare: true, Most: barWidth},
			{Title: "MEMORIES", Right: true}, {Title: "TOKENS", Spare: true, Right: true},
			{Title: "CONTEXT", Spare: true, Right: true},
		}, rows)...)
	}
	return a.println(append(lines, dayLines(s, st.Days)...)...)
}

// mostDayLines is how many days have a line.
const mostDayLines = 14

// dayLines says what happened by day. In a pipe that is one line: programs get the days as JSON.
func dayLines(s terminal.Screen, days []api.DayCount) []string {
	if len(days) == 0 {
		return nil
	}
	sessions, prompts, most := 0, 0, 0
	for _, d := range days {
		sessions, prompts, most = sessions+d.Sessions, prompts+d.Prompts, max(most, d.Prompts)
	}
	summary := fmt.Sprintf("since %s: %s, %s with memories", days[0].Day, plural.Of(sessions, "session", "sessions"),
		plural.Of(prompts, "prompt", "prompts"))
	if !s.Rich {
		return []string{summary}
	}
	var rows [][]string
	for _, d := range days[max(0, len(days)-mostDayLines):] {
		rows = append(rows, []string{d.Day, terminal.Bar(d.Prompts, most, barWidth), strconv.Itoa(d.Prompts),
			strconv.Itoa(d.Sessions)})
	}
	lines := append([]string{""}, wrapped(s, summary)...)
	return append(append(lines, ""), s.Table([]terminal.Column{
		{Title: "DAY", Style: s.Bold}, {Title: "", Spare: true, Most: barWidth}, {Title: "PROMPTS", Right: true},
		{Title: "SESSIONS", Spare: true, Right: true},
	}, rows)...)
}
