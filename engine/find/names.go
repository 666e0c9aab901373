package find

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"ltm/engine/trust"
	"ltm/internal/didyoumean"
	"ltm/memory"
	"ltm/store"
)

const mostNamed = 10

// FindIDs resolves ids as people type them, whole or as a prefix with or without "mem_". It returns each id once, in
// the order given. A prefix must match exactly one memory, stub or archive; otherwise the error lists the matches. For
// an id that is not in the store the error lists similar ones. Without a store, whole ids are returned as they are.
//
// It is only for people: its errors show topics of memories that are held back from a model.
func (e *Engine) FindIDs(_ context.Context, texts []string) ([]memory.ID, error) {
	found := make([]memory.ID, 0, len(texts))
	err := e.Store.View(func(v *store.View) error {
		for _, text := range texts {
			id, err := e.findID(v, text)
			if err != nil {
				return err
			}
			if !slices.Contains(found, id) {
				found = append(found, id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (e *Engine) findID(v *store.View, text string) (memory.ID, error) {
	id, err := memory.ParseID(text)
	if err == nil && (!v.Exists() || v.Taken(id) || v.HasArchive(id) || v.HasLeft(id)) { // it can be erased
		return id, nil
	}
	begin, ok := memory.ParseIDPrefix(text)
	if !ok {
		return "", err
	}
	topics, unread := allTopics(v)
	if unread != nil {
		return "", unread
	}
	if err == nil {
		return "", unknownID(id, topics, e.OriginsIn(v))
	}
	others := func(id memory.ID) bool { return !strings.HasPrefix(string(id), begin) }
	fit := slices.DeleteFunc(slices.Sorted(maps.Keys(topics)), others)
	switch len(fit) {
	case 0:
		return "", memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, begin, "no id begins with %q", begin)
	case 1:
		return fit[0], nil
	}
	return "", memory.NewError(memory.CodeInvalid, memory.KindIDAmbiguous, begin,
		"%d ids begin with %q\n%s", len(fit), begin, strings.Join(namedLines(fit, topics, e.OriginsIn(v)), "\n"))
}

// unknownID returns the error for an id that is not in the store.
func unknownID(id memory.ID, topics map[memory.ID]string, marks *trust.Origins) error {
	names := make([]string, 0, len(topics))
	for _, id := range slices.Sorted(maps.Keys(topics)) {
		names = append(names, string(id))
	}
	var close []memory.ID
	for _, name := range didyoumean.To(string(id), names) {
		close = append(close, memory.ID(name))
	}
	if len(close) == 0 {
		return memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, string(id), "there is no memory %s", id)
	}
	return memory.NewError(memory.CodeNotFound, memory.KindMemoryMisspelt, string(id),
		"there is no memory %s\n%s", id, strings.Join(namedLines(close, topics, marks), "\n"))
}

// namedLines returns a line for each memory, for an error message.
func namedLines(ids []memory.ID, topics map[memory.ID]string, marks *trust.Origins) []string {
	var lines []string
	for _, id := range ids[:min(len(ids), mostNamed)] {
		foreign := topics[id] != "" && marks.ForeignAnywhere(id)
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %s  %s", trust.Named(id, foreign),
			trust.QuotedFrom(topics[id], foreign)), " "))
	}
	if more := len(ids) - mostNamed; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return lines
}

// allTopics returns the topic of every memory, stub and archive by id, or "" if it cannot be read.
// Erased memories are left out.
func allTopics(v *store.View) (map[memory.ID]string, error) {
	topics := map[memory.ID]string{}
	active, err := v.Memories()
	if err != nil {
		return nil, err
	}
	archives, err := v.Archives()
	if err != nil {
		return nil, err
	}
	for _, s := range []*store.Snapshot{archives, active} {
		for _, p := range s.Problems {
			if id, ok := memory.IDFromFile(path.Base(p.File)); ok {
				topics[id] = ""
			}
		}
	}
	for _, r := range slices.Concat(archives.Records, active.Stubs()) {
		if r.ArchivedReason != memory.ReasonErased {
			state := memory.State(memory.Removed, true, r.ArchivedReason)
			topics[r.ID] = strings.TrimSpace(stubTopic(archives, r) + " (" + state + ")")
		}
	}
	for _, r := range active.Records {
		topics[r.ID] = r.Topic
	}
	return topics, nil
}

// stubTopic is the topic of an archived memory. That of the archive comes first: it decides where the memory is from,
// and the stub may have come with a pull.
func stubTopic(archives *store.Snapshot, stub store.Record) string {
	if archived, ok := archives.Find(stub.ID); ok {
		return archived.Topic
	}
	return stub.Topic
}
