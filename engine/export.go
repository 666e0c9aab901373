package engine

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/engine/transfer"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Exported is the content of an export.
type Exported struct {
	Memories int `json:"memories"` // active ones
	Archived int `json:"archived"` // memories that are only archived
	LeftOut  int `json:"left_out"` // files that cannot be read
}

// Records returns the memories to export, by id, with all their archived versions: those of one agent, or all without
// one.
func (e *Engine) Records(_ context.Context, include api.Include, agent string, scope transfer.Scope) (
	[]transfer.OwnRecord, Exported, error) {
	include, err := api.ParseInclude(string(include))
	if err == nil {
		agent, err = memory.NormalizeAgent(agent)
	}
	if err != nil {
		return nil, Exported{}, err
	}
	var all []transfer.OwnRecord
	var done Exported
	err = e.store.View(func(v *store.View) error {
		lib, err := newLibrary(v)
		if err != nil {
			return err
		}
		done.LeftOut = len(lib.memories.Problems) + len(lib.archives.Problems)
		size := 0
		for _, id := range lib.ids() {
			h, err := lib.Look(id)
			if err != nil {
				return err
			}
			if h.Active() != (include == api.IncludeActive) && include != api.IncludeAll ||
				agent != "" && h.Agent() != agent {
				continue
			}
			r := transfer.OwnRecord{ID: id, Scope: scope}
			if h.File != nil {
				r.File = h.File.Bytes()
			}
			if include != api.IncludeActive {
				r.Versions = slices.DeleteFunc(h.Versions, func(v transfer.Version) bool { return !utf8.Valid(v.Data) })
			}
			if h.Active() {
				done.Memories++
			} else {
				done.Archived++
			}
			if size += r.Size(); size > transfer.MaxDocumentBytes {
				return transfer.TooLarge("", "the document")
			}
			all = append(all, r)
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		what := ""
		if agent != "" {
			what = " for the agent " + memory.Quote(agent, memory.MaxAgentChars)
		}
		err = memory.NewError(memory.CodeNotFound, memory.KindExportEmpty, "", "there is nothing to export%s", what)
	}
	return all, done, err
}

// ids returns the ids of all memories, stubs and archives, sorted.
func (l *library) ids() []memory.ID {
	var ids []memory.ID
	for _, records := range [][]store.Record{l.memories.Records, l.memories.Stubs(), l.archives.Records,
		l.archives.Stubs()} {
		for _, r := range records {
			ids = append(ids, r.ID)
		}
	}
	slices.SortFunc(ids, func(a, b memory.ID) int { return strings.Compare(string(a), string(b)) })
	return slices.Compact(ids)
}
