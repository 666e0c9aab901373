package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/internal/gitstore"
	"ltm/internal/terminal"
	"ltm/memfile"
	"ltm/memory"
)

// pastEntry is one event in the history of a memory.
type pastEntry struct {
	Time    *time.Time       `json:"time"`   // null: not committed yet
	Source  string           `json:"source"` // git, log, or file: a change that is not committed
	Action  string           `json:"action"`
	Commit  string           `json:"commit,omitempty"`
	Author  *gitstore.Author `json:"author,omitempty"`
	Session int              `json:"session,omitempty"`
	Why     string           `json:"why,omitempty"` // of a commit: its subject and what it changed
}

// The sources of entries.
const (
	sourceGit  = "git"
	sourceLog  = "log"
	sourceFile = "file"
)

// pastReport is the history of a memory, newest first.
type pastReport struct {
	ID      memory.ID   `json:"id"`
	Topic   string      `json:"topic"`
	Entries []pastEntry `json:"entries"`
}

// shownHash is how many characters of a commit's hash people see.
const shownHash = 10

func (a *app) historyCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "history ID",
		Short: "Show the history of a memory: its commits, and this clone's log",
		Long: `Show the history of a memory, newest first: the commits on the current branch that changed its file,
with their authors, and its entries in this clone's log. "ltm diff" shows what a commit changed.`,
		Args: arguments(1, anID),
	}
	c.Flags().IntVar(&limit, "limit", 50, "maximum number of entries to show, 1 to 1000")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := checkRange("--limit", limit, 1, 1000); err != nil {
			return err
		}
		_, id, err := a.undoID(c.Context(), given[0])
		if err != nil {
			return err
		}
		r, err := a.pastOf(c.Context(), id, limit)
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(r)
		}
		return a.printPast(r)
	}
	return c
}

// pastOf gathers the history of a memory.
func (a *app) pastOf(ctx context.Context, id string, limit int) (pastReport, error) {
	e := a.engine(lockWait)
	parsed, versions, err := e.Versions(ctx, id)
	if err != nil {
		return pastReport{}, err
	}
	r := pastReport{ID: parsed, Entries: []pastEntry{}}
	// One more than is shown, to compare the last one with.
	commits, err := a.git(a.place()).Commits(ctx, a.memoryPath(parsed), limit+1)
	if err != nil {
		commits = nil // without git there is the log
	}
	r.Entries = append(r.Entries, commitEntries(versions.Now, commits)...)
	events, err := a.eventsOf(ctx, e, parsed, limit)
	if err != nil {
		return r, err
	}
	r.Entries = append(r.Entries, events...)
	if len(r.Entries) == 0 && versions.Now == nil && len(versions.Archived) == 0 {
		return r, memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, string(parsed),
			"there is no memory %s", parsed)
	}
	r.Topic = topicOf(append([][]byte{versions.Now}, versions.Archived...))
	slices.SortStableFunc(r.Entries, func(x, y pastEntry) int { return orderOf(y).Compare(orderOf(x)) })
	r.Entries = r.Entries[:min(limit, len(r.Entries))]
	return r, nil
}

// orderOf returns the time that an entry is sorted by. A change that is not committed is the
// newest.
func orderOf(e pastEntry) time.Time {
	if e.Time == nil {
		return time.Unix(1<<40, 0)
	}
	return *e.Time
}

func (a *app) memoryPath(id memory.ID) string {
	return filepath.Join(a.place().Store, "memories", id.File())
}

// topicOf returns the topic of the first text that has one.
func topicOf(texts [][]byte) string {
	for _, text := range texts {
		if file, err := memfile.Parse(text); err == nil && file.Memory.Topic != "" {
			return file.Memory.Topic
		}
	}
	return ""
}

// commitEntries returns an entry for each commit of a file, and one for changes that are not
// committed. Now is the file's present text.
func commitEntries(now []byte, commits []gitstore.Commit) []pastEntry {
	var entries []pastEntry
	if len(commits) > 0 && now != nil && !sameText(now, commits[0].Data) {
		_, changed := whatChanged(commits[0].Data, now)
		entries = append(entries, pastEntry{Source: sourceFile, Action: "not committed", Why: changed})
	}
	for i, c := range commits {
		var before []byte
		if i+1 < len(commits) {
			before = commits[i+1].Data
		}
		action, changed := whatChanged(before, c.Data)
		why := c.Subject
		if changed != "" {
			why += " (" + changed + ")"
		}
		entries = append(entries, pastEntry{Time: &c.Time, Source: sourceGit, Action: action, Commit: c.Hash,
			Author: &c.Author, Why: why})
	}
	return entries
}

// whatChanged returns what happened to a memory between two versions, and which parts of it
// differ.
func whatChanged(before, after []byte) (action, changed string) {
	next, err := memfile.Parse(after)
	if err != nil {
		if after == nil {
			return "removed", ""
		}
		return "changed", ""
	}
	last, err := memfile.Parse(before)
	switch {
	case err != nil && before == nil:
		return memory.ActionStored, ""
	case err != nil:
		return "changed", ""
	case next.Memory.IsStub() && !last.Memory.IsStub():
		return memory.ActionForgotten, ""
	case !next.Memory.IsStub() && last.Memory.IsStub():
		return memory.ActionRestored, ""
	}
	return memory.ActionUpdated, differences(last.Memory, next.Memory)
}

// differences lists the parts in which two versions of a memory differ.
func differences(x, y memory.Memory) string {
	var parts []string
	for _, p := range []struct {
		differs bool
		name    string
	}{
		{x.Topic != y.Topic, "topic"}, {x.Content != y.Content, "content"}, {x.Summary != y.Summary, "summary"},
		{!slices.Equal(x.Tags, y.Tags), "tags"}, {x.Difficulty != y.Difficulty, "difficulty"},
		{x.Phase != y.Phase, "phase"},
	} {
		if p.differs {
			parts = append(parts, p.name)
		}
	}
	return strings.Join(parts, ", ")
}

// sameText reports whether two files are the same except for line endings, which git may
// have changed.
func sameText(x, y []byte) bool {
	unix := func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
	return bytes.Equal(unix(x), unix(y))
}

// maxEvents is how many events of the log are searched at most.
const maxEvents = 1 << 20

// eventsOf returns the events of a memory in the log.
func (a *app) eventsOf(ctx context.Context, e *engine.Engine, id memory.ID, limit int) ([]pastEntry, error) {
	h, err := e.History(ctx, maxEvents)
	if err != nil {
		return nil, err
	}
	var entries []pastEntry
	for _, event := range h.Events {
		if event.ID == id && len(entries) < limit {
			entries = append(entries, pastEntry{Time: &event.Time, Source: sourceLog, Action: event.Action,
				Session: event.Session, Why: reason(event)})
		}
	}
	return entries, nil
}

func (a *app) printPast(r pastReport) error {
	s, now := a.screen(), time.Now()
	rows := make([][]string, 0, len(r.Entries))
	for _, e := range r.Entries {
		when, where, who := "-", e.Source, "-"
		switch {
		case e.Time != nil && s.Rich:
			when = age(now, *e.Time)
		case e.Time != nil:
			when = e.Time.UTC().Format(time.RFC3339)
		}
		if e.Commit != "" {
			where = e.Commit[:min(shownHash, len(e.Commit))]
		}
		if e.Author != nil {
			who = field(e.Author.Name)
		} else if e.Session > 0 {
			who = fmt.Sprintf("session %d", e.Session)
		}
		rows = append(rows, []string{when, where, cell(e.Action), who, field(e.Why)})
	}
	if !s.Rich {
		return a.tabs(rows)
	}
	lines := append(s.Heading(fmt.Sprintf("%s %s", r.ID, cell(r.Topic))), s.Table([]terminal.Column{
		{Title: "AGE", Right: true, Spare: true, Style: s.Dim}, {Title: "WHERE", Style: s.Dim}, {Title: "ACTION"},
		{Title: "WHO", Most: 24, Spare: true}, {Title: "WHY"},
	}, rows)...)
	return a.println(lines...)
}
