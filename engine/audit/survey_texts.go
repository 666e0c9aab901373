package audit

import (
	"fmt"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// merges finds unresolved merges. Two stubs of one memory, and two versions
// in one archive, can both be kept; a person decides about the others.
func (s *Survey) merges() {
	for _, m := range s.Active.Records {
		if m.Conflicted {
			s.add(finding{kind: kindMerge, where: store.MemoryPath(m.File()),
				reason: "our side is served until a person resolves it",
				next:   memory.KindFoundMergeText})
		}
	}
	for _, m := range s.Active.Stubs() {
		if m.Conflicted {
			s.add(s.stubMerge(m))
		}
	}
	for _, m := range s.archives.Unresolved {
		s.add(finding{kind: kindMerge, where: store.ArchivePath(m.File()), reason: "it holds two versions",
			action: actionResolve})
	}
}

// texts finds stubs that keep a text. It is not served, and a search in the archives reads it.
func (s *Survey) texts() {
	for _, m := range s.Active.Stubs() {
		if m.KeepsText && !m.Conflicted {
			s.add(finding{kind: kindText, where: store.MemoryPath(m.File()), action: actionArchiveText,
				reason: "it has phase: 3, which archives it, and still a text, which is not served"})
		}
	}
}

// stubMerge is a merge in which our side archived the memory.
func (s *Survey) stubMerge(m store.Record) finding {
	f := finding{kind: kindMerge, where: store.MemoryPath(m.File())}
	data, err := s.view.ReadRaw(m.ID)
	sides := memfile.Sides(data)
	if err == nil && len(sides) == 2 && sides[0].Memory.IsStub() && sides[1].Memory.IsStub() {
		f.reason, f.action = "both branches archived the memory", actionResolve
		return f
	}
	f.reason = "our side archived the memory, and theirs changed it"
	f.next = memory.KindFoundMergeArchived
	return f
}

// lost finds memories whose full text is neither in their file nor the newest version of their archive.
func (s *Survey) lost() {
	broken := map[memory.ID]bool{}
	for _, p := range s.archives.Problems {
		if id, ok := idOfName(p.File, true); ok {
			broken[id] = true
		}
	}
	look := func(m store.Record, path string) {
		newest, ok := s.archives.Find(m.ID)
		if broken[m.ID] || m.Conflicted && !m.IsStub() || ok && (newest.Phase == memory.Full || newest.Conflicted) ||
			m.KeepsText {
			return
		}
		s.add(lostText(m, path, ok))
	}
	for _, m := range s.Active.Records {
		if m.Phase != memory.Full {
			look(m, store.MemoryPath(m.File()))
		}
	}
	for _, m := range s.Active.Stubs() {
		if m.ArchivedReason != memory.ReasonErased {
			look(m, store.MemoryPath(m.File()))
		}
	}
	for _, m := range s.archives.Records {
		_, isActive := s.Active.Find(m.ID)
		_, isStub := s.Active.FindStub(m.ID)
		if !isActive && !isStub {
			look(m, store.ArchivePath(m.File()))
		}
	}
}

func lostText(m store.Record, path string, archived bool) finding {
	what := fmt.Sprintf("the memory is fading (%s)", m.Phase)
	if m.IsStub() {
		what = "only a stub of the memory is left"
	}
	where := "there is no archive of it"
	if archived {
		where = "the newest version in its archive is not the full text"
	}
	return finding{kind: kindLost, where: path, target: string(m.ID), action: actionRecover,
		reason: what + ", and " + where}
}

// odd remarks on values of the header that cannot be read, and count as absent.
func (s *Survey) odd() {
	fields := api.Fields()
	for _, m := range s.Active.Records {
		for _, field := range fields {
			if field.Remark != nil && field.IsOdd(m.Memory) {
				s.add(finding{kind: kindOdd, where: store.MemoryPath(m.File()), remark: true, subject: string(m.ID),
					reason: field.Remark.Text, next: field.Remark.Kind})
			}
		}
	}
}
