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
				who := a.git(a.place()).AuthorsOf(c.Context(), d.ID)
				if i > 0 {
					lines = append(lines, "")
				}
				shown = append(shown, authoredDetail{d, who.List()})
				if s := a.screen(); s.Rich {
					lines = append(lines, richMemory(s, d, who, time.Now())...)
				} else {
					lines = append(lines, plainMemory(d, who)...)
				}
			}
			if a.asJSON {
				return printAnswers(a, s, shown, memoryList{shown}, nil)
			}
			return a.println(lines...)
		})
	}
	return c
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
	for _, f := range memoryFacts(d) {
		lines = append(lines, fmt.Sprintf("%-11s %s", f.name, f.value))
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

// fact is something that is known about a memory.
type fact struct {
	name, value string
	words       string // for people
	first       bool   // in the first of their lines
}

// memoryFacts returns what only some memories have, for people and for programs.
func memoryFacts(d api.Detail) []fact {
	var all []fact
	add := func(name, value, before string) {
		if value != "" {
			all = append(all, fact{name: name, value: value, words: before + value})
		}
	}
	for _, alias := range d.Aliases {
		add("alias", cell(alias), "also: ")
	}
	add("scope", api.Whose{Scope: d.Scope, OverriddenBy: d.OverriddenBy}.String(), "scope ")
	add("origin", api.Whose{Foreign: d.Foreign}.String(), "origin ")
	for _, f := range d.Marks.Facts() {
		before := map[string]string{"importance": "", "kind": "", "agent": "for "}
		words, known := before[f.Name]
		if !known {
			words = f.Name + " "
		}
		add(f.Name, cell(f.Value), words)
		all[len(all)-1].first = true
	}
	add("client", cell(d.Client), "written by ")
	for _, link := range linkLines(d) {
		add(link[0], link[1], link[0]+" ")
	}
	for _, line := range refLines(d) {
		add("ref", line, "speaks of ")
	}
	if d.Signature != "" {
		add("signature", signature(d), "signature ")
	}
	if d.Conflicted {
		add("conflict", "unresolved merge conflict; this is our side, and ltm edit shows both", "")
	}
	if len(d.Note) > 0 {
		all = append(all, fact{name: "note", value: clean(say(d.Note)), words: cell(say(d.Note))})
	}
	return all
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
	for _, f := range memoryFacts(d) {
		if f.first {
			lines[0] += " · " + f.words
		} else {
			lines = append(lines, f.words)
		}
	}
	if len(d.Tags) > 0 {
		lines = append(lines, "tags "+strings.ReplaceAll(tagList(d.Tags), ",", ", "))
	}
	return lines
}
