package change

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/engine/rank"
	"ltm/engine/transfer"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

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
	err = e.Store.View(func(v *store.View) error {
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

// library answers what a plan of an import asks about a store.
type library struct {
	view     *store.View
	memories *store.Snapshot
	archives *store.Snapshot
	origins  map[memory.Origin]memory.ID // without agents
	topics   map[string][]memory.ID      // as topicKey has them
	taken    func(id string) bool        // by a memory of another store; nil: no other store
	filter   trust.Filter
}

func newLibrary(v *store.View) (*library, error) {
	l := &library{view: v, origins: map[memory.Origin]memory.ID{}, topics: map[string][]memory.ID{}}
	var err error
	if l.memories, err = v.Memories(); err != nil {
		return nil, err
	}
	if l.archives, err = v.Archives(); err != nil {
		return nil, err
	}
	for _, records := range [][]store.Record{l.memories.Records, l.memories.Stubs()} { // a memory goes before a stub
		for _, r := range records {
			if r.Origin == nil {
				continue
			}
			key := memory.Origin{System: r.Origin.System, ID: r.Origin.ID}
			if _, known := l.origins[key]; !known {
				l.origins[key] = r.ID
			}
		}
	}
	for _, r := range l.memories.Records {
		key := rank.TopicKey(r.Topic)
		l.topics[key] = append(l.topics[key], r.ID)
	}
	return l, nil
}

// OfOrigin implements [transfer.Library].
func (l *library) OfOrigin(system, id string) (memory.ID, bool) {
	found, ok := l.origins[memory.Origin{System: system, ID: id}]
	return found, ok
}

// Taken implements [transfer.Library].
func (l *library) Taken(id memory.ID) bool {
	return l.view.Taken(id) || len(l.archives.Versions(id)) > 0 || l.taken != nil && l.taken(string(id))
}

// Look implements [transfer.Library].
func (l *library) Look(id memory.ID) (transfer.Holding, error) {
	var h transfer.Holding
	if l.view.HasMemory(id) {
		data, err := l.view.ReadRaw(id)
		if err != nil {
			return h, err
		}
		if h.File, err = memfile.Parse(data); err != nil {
			return h, memory.NewError(memory.CodeUnreadable, memory.KindMemoryDamaged, string(id),
				"%s cannot be read: %v", store.MemoryPath(id.File()), err)
		}
		h.File.Memory.ID = id
		h.Foreign = l.filter.Foreign(id, data)
	}
	for _, name := range l.archives.Versions(id) {
		data, err := l.view.ReadBytes(store.ArchivePath(name))
		if err != nil {
			return h, err
		}
		h.Versions = append(h.Versions, transfer.Version{Name: name, Data: data})
	}
	return h, nil
}

// SameTopic implements [transfer.Library].
func (l *library) SameTopic(topic string) []memory.ID { return l.topics[rank.TopicKey(topic)] }

// Room implements [transfer.Library]. From [store.MaxFiles] files on, some are not looked at.
func (l *library) Room() (memories, archives int) {
	return store.MaxFiles - 1 - l.memories.Len(), store.MaxFiles - 1 - l.archives.Len()
}
