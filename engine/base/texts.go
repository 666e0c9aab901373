package base

import (
	"slices"

	"ltm/eviction"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/links"
	"ltm/memory/memfile"
	"ltm/store"
)

// ReadActive reads an active memory. For one that is only in the archives the error says so.
func ReadActive(v *store.View, id memory.ID) (*memfile.File, error) {
	file, err := v.Read(id)
	if IsMissing(err) && v.HasArchive(id) {
		return nil, OnlyArchived(v, id, memory.KindOnlyArchived)
	}
	return file, err
}

// OnlyArchived is the error about a memory that was archived.
func OnlyArchived(v *store.View, id memory.ID, kind memory.Kind) error {
	how := ""
	if a, ok := v.Archival(id); ok && a.Reason != "" {
		how = " (" + a.Reason + ")"
		if memories, err := v.MemoriesQuick(); err == nil && a.Reason == memory.ReasonSuperseded {
			if by := Successors(memories.Links(), id); len(by) > 0 {
				how = " (" + a.Reason + " by " + IDList(by) + ")"
			}
		}
	}
	return memory.NewError(memory.CodeNotFound, kind, string(id), "%s is only in the archives%s", id, how)
}

// ArchivedText returns the text that a stub keeps or, without one, the newest full version of the
// archives, or else the newest readable one.
func ArchivedText(v *store.View, id memory.ID) (*memfile.File, error) {
	newest, err := v.ReadArchive(id)
	if err == nil && newest.Memory.KeepsText {
		return newest, nil
	}
	if full, err := v.NewestFull(id); full != nil || err != nil {
		return full, err
	}
	return newest, err // though reduced
}

// ReduceTo returns a memory reduced to a phase. A memory that is already that far is returned as
// it is; one that cannot be reduced so far is reduced as far as possible.
func ReduceTo(m memory.Memory, to memory.Phase) memory.Memory {
	for m.Phase < to {
		next, err := eviction.Reduce(m, m.Phase+1)
		if err != nil {
			return m
		}
		m = next
	}
	return m
}

// BytesOf turns a reader of files into a reader of their bytes.
func BytesOf(read func(memory.ID) (*memfile.File, error)) func(memory.ID) ([]byte, error) {
	return func(id memory.ID) ([]byte, error) {
		file, err := read(id)
		if err != nil {
			return nil, err
		}
		return file.Bytes(), nil
	}
}

// IDList joins ids, or only the first of many.
func IDList(ids []memory.ID) string {
	text := memory.JoinIDs(Few(ids))
	if more := len(ids) - maxMarks; more > 0 {
		text += " and " + plural.Of(more, "other", "others")
	}
	return text
}

func Few(ids []memory.ID) []memory.ID { return ids[:min(len(ids), maxMarks)] }

// maxMarks bounds how many links of one sort an answer about several memories shows of each. A
// hostile file can name many.
const maxMarks = 3

// Successors returns the memories that hold in the place of one that was superseded.
func Successors(graph *links.Graph, id memory.ID) []memory.ID {
	return graph.Ends(id, func(m *memory.Memory) bool {
		// One that was taken out, for good or for now, does not hold, and neither does what it said of others.
		taken := []string{memory.ReasonForgotten, memory.ReasonErased, memory.ReasonUndone}
		return !m.IsStub() || !slices.Contains(taken, m.ArchivedReason)
	})
}

// Scope returns the scope of answers from a store: that of a project goes without saying.
func Scope(v *store.View) api.Scope { return ScopeOf(v.Own()) }

// ScopeOf returns the scope of a memory in answers.
func ScopeOf(own bool) api.Scope {
	if own {
		return api.ScopeUser
	}
	return ""
}

// Read returns what read finds of the memory with that id, in one view of the store.
func Read[T any](s *store.Store, id string, read func(*store.View, memory.ID) (T, error)) (found T, err error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return found, err
	}
	err = s.View(func(v *store.View) error {
		found, err = read(v, parsed)
		return err
	})
	return found, err
}
