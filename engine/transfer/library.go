package transfer

import (
	"slices"

	"ltm/memory"
	"ltm/memory/memfile"
)

// Library answers a plan's questions about the store that is imported into.
type Library interface {
	// OfOrigin returns the memory, or the stub, with an origin. The agent does not matter.
	OfOrigin(system, id string) (memory.ID, bool)

	// Taken reports whether a memory, a stub or an archive has an id.
	Taken(memory.ID) bool

	// Look returns what there is of an id.
	Look(memory.ID) (Holding, error)

	// SameTopic returns the active memories with a topic, ignoring case and white space.
	SameTopic(topic string) []memory.ID

	// Room returns how many more memories and archives the store takes.
	Room() (memories, archives int)
}

// Holding is what a store contains of one memory.
type Holding struct {
	File     *memfile.File // of memories/, a stub among them; nil: only archives are left
	Versions []Version     // of archives/, the newest first
	Foreign  bool          // File was not written or approved in this clone
}

// Active reports whether it is a memory that was not archived.
func (h Holding) Active() bool { return h.File != nil && !h.File.Memory.IsStub() }

// Agent returns the agent for whose sessions the memory is, or "".
func (h Holding) Agent() string {
	if h.File != nil {
		return h.File.Memory.Agent
	}
	return h.Text().Agent
}

// Text returns the memory in full: its file's, or that of the newest archived full text.
func (h Holding) Text() memory.Memory {
	if h.Active() && h.File.Memory.Phase == memory.Full {
		return h.File.Memory
	}
	for _, v := range h.Versions {
		if file, err := memfile.Parse(v.Data); err == nil && file.Memory.Phase == memory.Full {
			return file.Memory
		}
	}
	if h.File != nil {
		return h.File.Memory
	}
	return memory.Memory{}
}

// Had reports whether one of the archived texts is accepted by same.
func (h Holding) Had(same func(memory.Memory) bool) bool {
	return slices.ContainsFunc(h.Versions, func(v Version) bool {
		file, err := memfile.Parse(v.Data)
		return err == nil && same(file.Memory)
	})
}
