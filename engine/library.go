package engine

import (
	"ltm/engine/transfer"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// library answers what a plan of an import asks about a store.
type library struct {
	view     *store.View
	memories *store.Snapshot
	archives *store.Snapshot
	origins  map[memory.Origin]memory.ID // without agents
	topics   map[string][]memory.ID      // as topicKey has them
	taken    func(id string) bool        // by a memory of another store; nil: no other store
	guard    guard
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
		key := topicKey(r.Topic)
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
		h.Foreign = l.guard.foreign(id, data)
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
func (l *library) SameTopic(topic string) []memory.ID { return l.topics[topicKey(topic)] }

// Room implements [transfer.Library]. From [store.MaxFiles] files on, some are not looked at.
func (l *library) Room() (memories, archives int) {
	return store.MaxFiles - 1 - l.memories.Len(), store.MaxFiles - 1 - l.archives.Len()
}
