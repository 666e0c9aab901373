// Package past gathers the history of a memory: the commits of its file, an uncommitted change, and this clone's log.
package past

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ltm/cmd/internal/gitstore"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// The sources of entries.
const (
	sourceGit  = "git"
	sourceLog  = "log"
	sourceFile = "file"
)

// Path returns the path of a memory's file in the store of a place.
func Path(place locate.Place, id memory.ID) string {
	return filepath.Join(place.Store, "memories", id.File())
}

// Of returns at most limit events of a memory, the newest first. The engine and git are those of one store.
func Of(ctx context.Context, e *engine.Engine, git gitstore.Store, id string, limit int) (api.Past, error) {
	parsed, versions, err := e.Versions(ctx, id)
	if err != nil {
		return api.Past{}, err
	}
	r := api.Past{ID: parsed, Entries: []api.PastEntry{}}
	// One more than is shown, to compare the last one with.
	commits, _ := git.Commits(ctx, Path(git.Place, parsed), limit+1) // without git there is the log
	r.Entries = append(r.Entries, commitEntries(versions.Now, commits)...)
	events, err := eventsOf(ctx, e, parsed, limit)
	if err != nil {
		return r, err
	}
	r.Entries = append(r.Entries, events...)
	if len(r.Entries) == 0 && versions.Now == nil && len(versions.Archived) == 0 {
		return r, memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, string(parsed),
			"there is no memory %s", parsed)
	}
	topic, text := topicOf(append([][]byte{versions.Now}, versions.Archived...))
	r.Topic, r.Foreign = topic, topic != "" && e.FromElsewhere(ctx, parsed, text)
	slices.SortStableFunc(r.Entries, func(x, y api.PastEntry) int { return orderOf(y).Compare(orderOf(x)) })
	r.Entries = r.Entries[:min(limit, len(r.Entries))]
	return r, nil
}

// orderOf returns the time that an entry is sorted by. A change that is not committed is the newest.
func orderOf(e api.PastEntry) time.Time {
	if e.Time == nil {
		return time.Unix(1<<40, 0)
	}
	return *e.Time
}

// topicOf returns the topic of the first text that has one, and the text.
func topicOf(texts [][]byte) (string, []byte) {
	for _, text := range texts {
		if file, err := memfile.Parse(text); err == nil && file.Memory.Topic != "" {
			return file.Memory.Topic, text
		}
	}
	return "", nil
}

// commitEntries returns an entry for each commit of a file, and one for changes that are not
// committed. Now is the file's present text.
func commitEntries(now []byte, commits []gitstore.Commit) []api.PastEntry {
	var entries []api.PastEntry
	if len(commits) > 0 && now != nil && !SameText(now, commits[0].Data) {
		_, changed := whatChanged(commits[0].Data, now)
		entries = append(entries, api.PastEntry{Source: sourceFile, Action: "not committed", Why: changed,
			Before: commits[0].Data, After: now})
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
		entries = append(entries, api.PastEntry{Time: &c.Time, Source: sourceGit, Action: action, Commit: c.Hash,
			Author: &api.Author{Name: c.Author.Name, Email: c.Author.Email}, Why: why, Before: before, After: c.Data})
	}
	return entries
}

// whatChanged returns what happened to a memory between two versions, and which parts of it differ.
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
	parts := api.Differences(last.Memory, next.Memory)
	if last.Memory.Phase != next.Memory.Phase {
		parts = append(parts, "phase")
	}
	return memory.ActionUpdated, strings.Join(parts, ", ")
}

// SameText reports whether two files are the same except for line endings, which git may have changed.
func SameText(x, y []byte) bool {
	unix := func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
	return bytes.Equal(unix(x), unix(y))
}

// eventsOf returns the events of a memory in the log.
func eventsOf(ctx context.Context, e *engine.Engine, id memory.ID, limit int) ([]api.PastEntry, error) {
	h, err := e.History(ctx, id, limit)
	if err != nil {
		return nil, err
	}
	var entries []api.PastEntry
	for _, event := range h.Events {
		entries = append(entries, api.PastEntry{Time: &event.Time, Source: sourceLog, Action: event.Action,
			Session: event.Session, Why: Reason(event)})
	}
	return entries, nil
}

// Reason returns what an event says besides its action: the phases of an eviction, and why.
func Reason(e memory.Event) string {
	var parts []string
	if e.From != nil && e.To != nil {
		parts = append(parts, e.From.String()+" → "+e.To.String())
	}
	if e.Why != "" {
		parts = append(parts, e.Why)
	}
	return strings.Join(parts, ": ")
}
