package audit

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/links"
	"ltm/store"
)

const maxNamed = 5

// links remarks on links between memories that a person should know about. None of them is a
// problem: branches that correct one memory merge cleanly, and both corrections stay.
func (s *Survey) links() {
	graph := links.New(withArchives(s.Active, s.archives))
	for _, id := range graph.Named() {
		s.corrections(graph, id)
	}
	for _, cycle := range graph.Cycles() {
		s.add(finding{kind: kindCycle, where: string(cycle[0]), remark: true, next: memory.KindFoundCycle,
			subject: string(cycle[0]), reason: named(cycle) + " supersede each other, so none of them is superseded"})
	}
	for _, m := range s.Active.Records {
		f := finding{where: store.MemoryPath(m.File()), remark: true, subject: string(m.ID), kind: kindLink}
		if unknown := graph.Unknown(m.ID); len(unknown) > 0 {
			f.reason = "it names " + named(unknown) + ", which the store does not have"
			f.next = memory.KindFoundLinkUnknown
			s.add(f)
		}
		if graph.NamesItself(m.ID) {
			f.reason, f.next = "it names itself, which does not count", memory.KindFoundLinkSelf
			s.add(f)
		}
		if m.OddLinks {
			f.kind = kindOdd
			f.reason = "its links, agent, commit, origin or signature cannot all be read; the rest does not count"
			f.next = memory.KindFoundLinks
			s.add(f)
		}
		if m.LinksLeft > 0 {
			f.kind, f.next = kindOdd, memory.KindFoundLinks
			f.reason = fmt.Sprintf("its %d links do not count: those of all memories together are more than %d",
				m.LinksLeft, store.MaxLinks)
			s.add(f)
		}
		if m.OddTags {
			f.kind, f.next = kindOdd, memory.KindFoundLinks
			f.reason = fmt.Sprintf("it has more than %d tags; the rest does not count", memory.MaxReadTags)
			s.add(f)
		}
	}
}

// corrections finds active memories that others supersede, and memories that several active ones
// do, as two branches can leave them.
func (s *Survey) corrections(graph *links.Graph, id memory.ID) {
	var by []memory.ID
	for _, newer := range graph.SupersededBy(id) {
		if m := graph.Memory(newer); m.Phase.Active() && !graph.InCycle(id, newer) {
			by = append(by, newer)
		}
	}
	if len(by) == 0 {
		return
	}
	if m, ok := s.Active.Find(id); ok && !m.Restored {
		s.add(finding{kind: kindSuperseded, where: store.MemoryPath(m.File()), remark: true, subject: string(id),
			reason: supersede(by) + " it, and it was changed since or left active by a merge",
			next:   memory.KindFoundSupersededBy})
	}
	isOne := make(map[memory.ID]bool, len(by))
	for _, newer := range by {
		isOne[newer] = true
	}
	rivals := slices.DeleteFunc(by, func(a memory.ID) bool {
		isNewer := func(b memory.ID) bool { return isOne[b] && !graph.InCycle(a, b) }
		return slices.ContainsFunc(graph.SupersededBy(a), isNewer)
	})
	if len(rivals) > 1 {
		s.add(finding{kind: kindCorrections, where: string(id), remark: true, subject: string(rivals[0]),
			reason: supersede(rivals) + " it, and none of them the other",
			next:   memory.KindFoundCorrections})
	}
}

// supersede begins a sentence about what memories supersede.
func supersede(by []memory.ID) string {
	if len(by) == 1 {
		return named(by) + " supersedes"
	}
	return named(by) + " supersede"
}

// named lists ids in words, or only the first of many.
func named(ids []memory.ID) string {
	texts := make([]string, 0, maxNamed)
	for _, id := range ids[:min(len(ids), maxNamed)] {
		texts = append(texts, string(id))
	}
	switch more := len(ids) - len(texts); {
	case more > 0:
		return strings.Join(texts, ", ") + " and " + plural.Of(more, "other", "others")
	case len(texts) > 1:
		last := len(texts) - 1
		return strings.Join(texts[:last], ", ") + " and " + texts[last]
	}
	return texts[0]
}

// withArchives iterates over the headers of the memories, their stubs, and the archives that have neither, as archived.
func withArchives(active, archives *store.Snapshot) iter.Seq[*memory.Memory] {
	var old []*memory.Memory
	for i := range archives.Records {
		m := *archives.Records[i].Memory
		_, isActive := active.Find(m.ID)
		_, isStub := active.FindStub(m.ID)
		if !isActive && !isStub {
			m.Phase = memory.Removed
			old = append(old, &m)
		}
	}
	return func(yield func(*memory.Memory) bool) {
		for m := range active.All() {
			if !yield(m) {
				return
			}
		}
		for _, m := range old {
			if !yield(m) {
				return
			}
		}
	}
}
