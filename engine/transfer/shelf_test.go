package transfer_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"ltm/engine/transfer"
	"ltm/memory"
	"ltm/memory/memfile"
)

// shelf is a store in memory: its files by the names of memories, and of archives.
type shelf struct {
	Memories, Archives map[string][]byte
	Own                map[string]bool // contents that count as written here
	Foreign            bool            // all memories count as from elsewhere
	Most               int             // memories, and archives, that it takes; 0: as many as a store
}

// newShelf returns an empty shelf.
func newShelf() *shelf {
	return &shelf{Memories: map[string][]byte{}, Archives: map[string][]byte{}, Own: map[string]bool{}}
}

// OfOrigin implements [transfer.Library].
func (s *shelf) OfOrigin(system, id string) (memory.ID, bool) {
	for _, name := range slices.Sorted(maps.Keys(s.Memories)) {
		file, err := memfile.Parse(s.Memories[name])
		if err != nil || file.Memory.Origin == nil {
			continue
		}
		if file.Memory.Origin.System == system && file.Memory.Origin.ID == id {
			return file.Memory.ID, true
		}
	}
	return "", false
}

// Taken implements [transfer.Library].
func (s *shelf) Taken(id memory.ID) bool {
	return s.Memories[id.File()] != nil || len(s.versions(id)) > 0
}

// Look implements [transfer.Library].
func (s *shelf) Look(id memory.ID) (transfer.Holding, error) {
	h := transfer.Holding{Versions: s.versions(id), Foreign: s.Foreign}
	if data := s.Memories[id.File()]; data != nil {
		file, err := memfile.Parse(data)
		if err != nil {
			return h, err
		}
		h.File = file
	}
	return h, nil
}

func (s *shelf) versions(id memory.ID) []transfer.Version {
	var found []transfer.Version
	for name, data := range s.Archives {
		if of, _, ok := memory.ParseArchiveName(name); ok && of == id {
			found = append(found, transfer.Version{Name: name, Data: data})
		}
	}
	slices.SortFunc(found, func(a, b transfer.Version) int {
		_, x, _ := memory.ParseArchiveName(a.Name)
		_, y, _ := memory.ParseArchiveName(b.Name)
		return y - x
	})
	return found
}

// SameTopic implements [transfer.Library].
func (s *shelf) SameTopic(topic string) []memory.ID {
	var found []memory.ID
	for _, name := range slices.Sorted(maps.Keys(s.Memories)) {
		if file, err := memfile.Parse(s.Memories[name]); err == nil && strings.EqualFold(file.Memory.Topic, topic) {
			id, _ := memory.IDFromFile(name)
			found = append(found, id)
		}
	}
	return found
}

// Room implements [transfer.Library].
func (s *shelf) Room() (memories, archives int) {
	most := s.Most
	if most == 0 {
		most = transfer.MaxFiles
	}
	return most - len(s.Memories), most - len(s.Archives)
}

// Memory returns a memory, or a stub.
func (s *shelf) Memory(t testing.TB, id memory.ID) memory.Memory {
	t.Helper()
	file, err := memfile.Parse(s.Memories[id.File()])
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return file.Memory
}

// Records returns what an export carries.
func (s *shelf) Records() []transfer.OwnRecord {
	records := map[memory.ID]*transfer.OwnRecord{}
	of := func(id memory.ID) *transfer.OwnRecord {
		if records[id] == nil {
			records[id] = &transfer.OwnRecord{ID: id, Scope: transfer.ScopeProject}
		}
		return records[id]
	}
	for name, data := range s.Memories {
		id, _ := memory.IDFromFile(name)
		of(id).File = data
	}
	for name, data := range s.Archives {
		id, _, _ := memory.ParseArchiveName(name)
		r := of(id)
		r.Versions = append(r.Versions, transfer.Version{Name: name, Data: data})
	}
	var list []transfer.OwnRecord
	for _, r := range records {
		list = append(list, *r)
	}
	return list
}

// Apply carries a plan out.
func (s *shelf) Apply(t testing.TB, p transfer.Plan) {
	t.Helper()
	for _, step := range p.Steps {
		for _, w := range step.Writes {
			if w.Own {
				s.Own[string(w.ID)+string(w.Data)] = true
			}
			switch w.Place {
			case transfer.InMemories:
				s.Memories[w.ID.File()] = w.Data
			case transfer.InArchivesAs:
				if s.Archives[w.Name] != nil {
					t.Fatalf("%s is there", w.Name)
				}
				s.Archives[w.Name] = w.Data
			case transfer.InArchives:
				s.archive(w.ID, w.Data)
			case transfer.Replaced, transfer.Aside:
				s.archive(w.ID, s.Memories[w.ID.File()])
				if w.Place == transfer.Aside {
					s.Memories[w.ID.File()] = memfile.FormatStub(s.Memory(t, w.ID), time.Unix(1e9, 0), w.Reason)
				}
			}
		}
	}
}

func (s *shelf) archive(id memory.ID, data []byte) {
	number := 0
	if have := s.versions(id); len(have) > 0 {
		_, number, _ = memory.ParseArchiveName(have[0].Name)
		number++
	}
	s.Archives[memfile.VersionName(id, number, data)] = data
}
