package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine/settings"
	"ltm/internal/plural"
	"ltm/memory/api"
	packets "ltm/packet/client"
)

func (a *app) statusCommand() *cobra.Command {
	c := &cobra.Command{Use: "status", Args: noArguments()}
	line := c.Flags().Bool("line", false, "one short line, for the status line of Claude Code")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *line && a.asJSON {
			return invalid("ltm status --json has the same and more", "--line and --json exclude each other")
		}
		if *line {
			return a.statusLine(c.Context())
		}
		done := a.progress("reading the memories")
		read := a.engine(lockWait).Status
		if a.scope == "" {
			read = a.shelves(lockWait).Status
		}
		s, err := read(c.Context())
		done()
		if err != nil {
			return err
		}
		return answer(a, statusReport{s, a.waiting()}, nil, a.printStatus)
	}
	return c
}

func (a *app) printStatus(s statusReport) error {
	eviction := "never"
	if s.LastEviction != nil {
		eviction = s.LastEviction.Format(time.RFC3339)
	}
	lines := []string{
		fmt.Sprintf("store          %s (%s)", cell(s.StorePath), a.place().Why),
		fmt.Sprintf("this clone     %s", cell(s.ClonePath)),
		fmt.Sprintf("caches         %s", cell(s.CachePath)),
		fmt.Sprintf("memories       %d in sight (%d whole, %d hint, %d abstract), %d out of sight", s.TotalMemories,
			s.ByPhase.Full, s.ByPhase.Hint, s.ByPhase.Abstract, s.ByPhase.OutOfSight),
		fmt.Sprintf("importance     %d critical, %d important, %d low", s.ByImportance.Critical,
			s.ByImportance.Important, s.ByImportance.Low),
		fmt.Sprintf("archives       %d forgotten or superseded (ltm archives)", s.TotalArchived),
		fmt.Sprintf("elsewhere      %d memories and archives; trust is %v (ltm trust)", s.FromElsewhere,
			s.Config["trust"]),
		fmt.Sprintf("context        %s (ltm context)", budgetText(s.Config["context_style"], s.Context)),
		fmt.Sprintf("sessions       %d", s.SessionCount),
		fmt.Sprintf("last eviction  %s", eviction),
		fmt.Sprintf("size           %d bytes", s.StorageSizeBytes),
		fmt.Sprintf("version        %s", s.Version),
		fmt.Sprintf("health         %s", clean(say(s.Health))),
	}
	if s.Stale > 0 {
		lines = append(lines, fmt.Sprintf("stale          %d (ltm stale)", s.Stale))
	}
	if s.TotalPackets > 0 {
		lines = append(lines, fmt.Sprintf("packets        %d (%d done)", s.TotalPackets, s.DonePackets))
	}
	if s.User != nil {
		lines = append(lines, "your own       "+shelfLine(*s.User)+" (ltm user)")
	}
	return a.println(append(lines, waitingLines(s.Unsent)...)...)
}

// isStatusLine reports whether the arguments ask for the line alone. Then run does without the other
// commands, because the client draws the line again and again.
func isStatusLine(args []string) bool { return slices.Equal(args, []string{"status", "--line"}) }

// statusLine prints how many memories there are, and how many of them need a look. Without a store it prints nothing.
func (a *app) statusLine(ctx context.Context) error {
	s, err := a.engine(lockWait).StatusLine(ctx)
	if err != nil || !s.Exists {
		return err
	}
	text := "ltm: " + plural.Of(s.Memories, "memory", "memories")
	if s.Uses != (api.Uses{}) {
		text += fmt.Sprintf(" (%s)", s.Uses)
	}
	if s.Stale > 0 {
		text += fmt.Sprintf(", %d may be stale", s.Stale)
	}
	if s.HeldBack > 0 {
		text += fmt.Sprintf(", %d held back", s.HeldBack)
	}
	if s.Idle > 0 {
		text += fmt.Sprintf(", %d to tidy", s.Idle)
	}
	return a.println(text)
}

// statusReport is the answer of ltm status.
type statusReport struct {
	api.Status
	Unsent []packets.Waiting `json:"unsent,omitempty"` // packets that wait, and those that a server refused
}

func (a *app) statsCommand() *cobra.Command {
	return &cobra.Command{Use: "stats", Args: noArguments(), RunE: func(c *cobra.Command, _ []string) error {
		done := a.progress("reading the memories")
		stats, err := a.shelves(lockWait).Statistics(c.Context(), a.scope)
		done()
		return answer(a, stats, err, a.printStats)
	}}
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
	uses := fmt.Sprintf("in this clone: %s", st.Uses)
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
		return a.println(append([]string{summary, uses}, dayLines(s, st.Days)...)...)
	}
	lines := append(wrapped(s, summary), wrapped(s, uses)...)
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
	rows := each(days[max(0, len(days)-mostDayLines):], func(d api.DayCount) []string {
		return []string{d.Day, terminal.Bar(d.Prompts, most, barWidth), strconv.Itoa(d.Prompts),
			strconv.Itoa(d.Sessions)}
	})
	lines := append([]string{""}, wrapped(s, summary)...)
	return append(append(lines, ""), s.Table([]terminal.Column{
		{Title: "DAY", Style: s.Bold}, {Title: "", Spare: true, Most: barWidth}, {Title: "PROMPTS", Right: true},
		{Title: "SESSIONS", Spare: true, Right: true},
	}, rows)...)
}

func (a *app) contextCommand() *cobra.Command {
	c := &cobra.Command{Use: "context", Args: noArguments()}
	var q api.ContextQuery
	agentFlag(c, &q.Agent, "as a session with the agent `NAME` gets it")
	c.Flags().StringVar(&q.Style, "style", "", "full or compact, instead of the setting context_style")
	c.Flags().IntVar(&q.Budget, "budget", 0, "the size in `TOKENS`, instead of the setting context_budget_tokens")
	whole := c.Flags().Int("whole", 0, "how many memories are shown whole, instead of the setting memories_to_load")
	c.Flags().StringVar(&q.Profile, "profile", "", "balanced or classic, instead of the setting priority_profile")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("whole") {
			q.Whole = whole
		}
		block, err := a.shelves(lockWait).NextContext(c.Context(), q)
		return answer(a, block, err, a.printContext)
	}
	return c
}

func (a *app) printContext(block api.Context) error {
	if block.Text == "" {
		why := "there are none to show"
		if block.Limit == "count" {
			why = "memories_to_load is 0"
		}
		fmt.Fprintln(a.stderr, "the next session starts without memories: "+why)
		return nil
	}
	if err := a.println(block.Text); err != nil { // which is already safe, and has tags of its own
		return err
	}
	fmt.Fprintln(a.stderr, contextSummary(block))
	return nil
}

// contextSummary says in one line how large a block is and what limited it.
func contextSummary(block api.Context) string {
	text := fmt.Sprintf("%d characters, about %d tokens; shown: %d of %d", block.Characters, block.Tokens,
		len(block.Memories), len(block.Memories)+block.NotShown)
	switch block.Limit {
	case "tokens":
		text += fmt.Sprintf("; the limit is context_budget_tokens (%d)", block.Budget.Tokens)
	case "client":
		text += fmt.Sprintf("; the limit is the client's, which shows at most %d characters, not "+
			"context_budget_tokens (%d)", block.Budget.Characters, block.Budget.Tokens)
	case "count":
		text += "; the limit is memories_to_load, others are shown by title"
	}
	return text
}

// budgetText is a budget in the status.
func budgetText(style any, b api.Budget) string {
	text := fmt.Sprintf("%v, at most %d tokens", style, b.Tokens)
	if b.ByClient {
		text += fmt.Sprintf("; the client's limit of %d characters is lower", b.Characters)
	}
	return text
}

func (a *app) whyCommand() *cobra.Command {
	c := &cobra.Command{Use: "why ID", Args: arguments(1, anID)}
	c.RunE = func(c *cobra.Command, given []string) error {
		_, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		why, err := a.shelves(lockWait).Why(c.Context(), id, a.scope)
		return answer(a, why, err, a.printWhy)
	}
	return c
}

func (a *app) printWhy(w api.Why) error {
	head := fmt.Sprintf("%s %s", w.ID, markedTopic(w.Topic, w.Foreign))
	if w.Scope != "" {
		head += " (" + string(w.Scope) + ")"
	}
	lines := []string{head, "", "priority    " + score(w.Priority)}
	lines = append(lines, termLines(w.PriorityTerms)...)
	lines = append(lines, "difficulty  "+score(w.Difficulty))
	lines = append(lines, termLines(w.DifficultyTerms)...)
	lines = append(lines, "")
	for _, note := range w.Notes {
		lines = append(lines, clean(note))
	}
	return a.println(lines...)
}

// termLines shows the arithmetic of a score, one term per line: what is left for the term to take a
// share of, if that is how it counts, its weight and its value.
func termLines(terms []api.Term) []string {
	lines := make([]string, 0, len(terms))
	for _, t := range terms {
		rest := ""
		if t.Rest != 0 {
			rest = fmt.Sprintf("%.2f × ", t.Rest)
		}
		lines = append(lines, fmt.Sprintf("  %+.2f = %s%.2f × %.2f %s", t.Points, rest, t.Weight, t.Value, t.Name))
	}
	return lines
}

// settingList is what config prints for programs.
type settingList struct {
	Settings []api.Setting `json:"settings"`
}

func (a *app) configCommand() *cobra.Command {
	var reset, team bool
	c := &cobra.Command{Use: "config [KEY [VALUE]]", Args: arguments(2)}
	c.Flags().BoolVar(&reset, "reset", false, "reset KEY to its default")
	c.Flags().BoolVar(&team, "shared", false, "change the setting for the team, in config.json, which git tracks")
	c.RunE = func(c *cobra.Command, given []string) error {
		chosen, err := a.configure(c, given, reset, team)
		return answer(a, settingList{chosen}, err, func(settingList) error {
			return a.table("KEY|VALUE|SOURCE|DESCRIPTION", each(chosen, func(s api.Setting) []string {
				return []string{s.Key, fmt.Sprint(s.Value), s.Source, s.Help}
			}))
		})
	}
	return c
}

func (a *app) configure(c *cobra.Command, given []string, reset, team bool) ([]api.Setting, error) {
	e := a.engine(lockWait)
	layer := settings.Clone
	if team {
		layer = settings.Team
	}
	switch {
	case reset && len(given) != 1:
		return nil, invalid("ltm config --reset KEY", "--reset takes one key")
	case reset:
		s, err := e.ResetConfig(c.Context(), given[0], layer)
		return []api.Setting{s}, err
	case len(given) == 2:
		s, err := e.SetConfig(c.Context(), given[0], given[1], layer)
		return []api.Setting{s}, err
	case len(given) == 1:
		s, err := e.Setting(c.Context(), given[0])
		return []api.Setting{s}, err
	}
	return e.Config(c.Context())
}
