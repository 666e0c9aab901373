package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

func (a *app) showCommand() *cobra.Command {
	c := &cobra.Command{Use: "show ID...", Args: arguments(anyNumber, anID)}
	archived := c.Flags().Bool("archives", false, "show the archived version, without restoring it")
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.withIDs(c.Context(), given, memoryList{[]authoredDetail{}}, func(e *engine.Engine, s selection) error {
			get := e.Peek
			if *archived {
				get = e.PeekArchive
			}
			var shown []authoredDetail
			var lines []string
			for i, id := range s.ids {
				d, err := get(c.Context(), id)
				if err != nil {
					return err
				}
				d = a.shelves(lockWait).MarkOverridden(d)
				detail, who := a.withAuthors(c.Context(), d)
				if i > 0 {
					lines = append(lines, "")
				}
				shown, lines = append(shown, detail), append(lines, a.memoryLines(d, who)...)
			}
			if a.asJSON {
				return printAnswers(a, s, shown, memoryList{shown}, nil)
			}
			return a.println(lines...)
		})
	}
	return c
}

// memoryLines returns the lines of a memory, for people or for programs.
func (a *app) memoryLines(d api.Detail, who gitstore.Authorship) []string {
	if s := a.screen(); s.Rich {
		return richMemory(s, d, who, time.Now())
	}
	return plainMemory(d, who)
}

// plainMemory returns the lines of a memory for programs.
func plainMemory(d api.Detail, who gitstore.Authorship) []string {
	lines := []string{
		quoted(d, d.Topic), "",
		fmt.Sprintf("id          %s", d.ID),
		fmt.Sprintf("state       %s", stateOf(d)),
		fmt.Sprintf("priority    %s", score(d.Priority)),
		fmt.Sprintf("difficulty  %s", score(d.Difficulty)),
		fmt.Sprintf("tags        %s", tagList(d.Tags)),
		fmt.Sprintf("created     %s (session %d)", day(d.CreatedAt.Time), d.CreatedSession),
		fmt.Sprintf("authors     %s", field(authorNames(who))),
		"accessed    " + plural.Of(d.AccessCount, "time", "times"),
	}
	named := rowsOf(d.Aliases, func(alias string) []string { return []string{"alias", cell(alias)} })
	for _, line := range whoseLines(d.Whose) {
		named = append(named, line[:])
	}
	confidence, signed, conflict := "", "", ""
	if d.Confidence != nil {
		confidence = sureness(*d.Confidence)
	}
	if d.Signature != "" {
		signed = signature(d)
	}
	if d.Conflicted {
		conflict = conflictNote
	}
	named = append(named, []string{"importance", string(d.Importance)}, []string{"kind", string(d.Category)},
		[]string{"agent", cell(d.Agent)}, []string{"confidence", confidence})
	for _, line := range linkLines(d) {
		named = append(named, line[:])
	}
	for _, line := range refLines(d) {
		named = append(named, []string{"ref", line})
	}
	named = append(named, []string{"signature", signed}, []string{"conflict", conflict},
		[]string{"note", clean(say(d.Note))})
	for _, line := range named {
		if line[1] != "" {
			lines = append(lines, fmt.Sprintf("%-11s %s", line[0], line[1]))
		}
	}
	lines = append(lines, "", "Summary", "", quoted(d, d.Summary))
	if d.Content != "" {
		lines = append(lines, "", "Content", "", quoted(d, d.Content))
	}
	return lines
}

// quoted makes a text of a memory safe to show. One from elsewhere is quoted, so that no line of it can pass for what
// ltm says of the memory.
func quoted(d api.Detail, text string) string {
	if d.Foreign && text != "" {
		return safe.Quote(text)
	}
	return clean(text)
}

// whoseLines says whose a memory is and where it comes from, as names and values.
func whoseLines(w api.Whose) (lines [][2]string) {
	origin := api.Whose{Foreign: w.Foreign}.String()
	w.Foreign = false
	for _, line := range [][2]string{{"scope", w.String()}, {"origin", origin}} {
		if line[1] != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// conflictNote is shown for a memory whose file has an unresolved merge conflict.
const conflictNote = "unresolved merge conflict; this is our side, and ltm edit shows both"

// richMemory returns the lines of a memory for people.
func richMemory(s terminal.Screen, d api.Detail, who gitstore.Authorship, now time.Time) []string {
	lines := s.Heading(cell(d.Topic))
	for _, fact := range facts(d, who, now) {
		lines = append(lines, s.Faint(fact)...)
	}
	lines = append(lines, "")
	summary := strings.TrimSpace(d.Summary)
	if d.Content != "" && (summary == "" || strings.Contains(d.Content, summary)) {
		return append(lines, s.Markdown(quoted(d, d.Content))...)
	}
	lines = append(append(lines, s.Bold("Summary"), ""), s.Markdown(quoted(d, summary))...)
	if d.Content != "" {
		lines = append(append(lines, "", s.Bold("Content"), ""), s.Markdown(quoted(d, d.Content))...)
	}
	return lines
}

// stateOf returns the state of a memory, and since when it is in it, as far as that is known.
func stateOf(d api.Detail) string {
	if d.ArchivedReason == "" {
		return d.State()
	}
	return strings.TrimSpace(d.State() + " " + since(d.ArchivedAt))
}

// sureness is a confidence, and whether it counts as unsure.
func sureness(confidence float64) string {
	if memory.IsUnsure(&confidence) {
		return score(confidence) + ", unsure"
	}
	return score(confidence)
}

// facts returns what is known about a memory besides its text.
func facts(d api.Detail, who gitstore.Authorship, now time.Time) []string {
	stored := "stored " + day(d.CreatedAt.Time)
	if days := now.Sub(d.CreatedAt.Time) / (24 * time.Hour); !d.CreatedAt.IsZero() && days > 0 {
		stored += " (" + age(now, d.CreatedAt.Time) + " ago)"
	}
	if d.CreatedSession > 0 {
		stored += fmt.Sprintf(" in session %d", d.CreatedSession)
	}
	times := fmt.Sprintf("opened %d times", d.AccessCount)
	if d.AccessCount == 1 {
		times = "opened once"
	}
	lines := []string{
		fmt.Sprintf("%s · %s · priority %s · difficulty %s", d.ID, stateOf(d), score(d.Priority), score(d.Difficulty)),
		stored + " · " + times,
	}
	if names := authorNames(who); names != "" {
		lines = append(lines, "written by "+names)
	}
	for _, alias := range d.Aliases {
		lines = append(lines, "also: "+cell(alias))
	}
	for _, mark := range whoseLines(d.Whose) {
		lines = append(lines, mark[0]+" "+mark[1])
	}
	for _, link := range linkLines(d) {
		lines = append(lines, link[0]+" "+link[1])
	}
	for _, line := range refLines(d) {
		lines = append(lines, "speaks of "+line)
	}
	if d.Signature != "" {
		lines = append(lines, "signature "+signature(d))
	}
	if d.Conflicted {
		lines = append(lines, conflictNote)
	}
	if len(d.Note) > 0 {
		lines = append(lines, cell(say(d.Note)))
	}
	if d.Importance != "" {
		lines[0] += " · " + string(d.Importance)
	}
	if d.Category != "" {
		lines[0] += " · " + string(d.Category)
	}
	if d.Agent != "" {
		lines[0] += " · for " + cell(d.Agent)
	}
	if d.Confidence != nil {
		lines[0] += " · confidence " + sureness(*d.Confidence)
	}
	if len(d.Tags) > 0 {
		lines = append(lines, "tags "+strings.ReplaceAll(tagList(d.Tags), ",", ", "))
	}
	return lines
}
