package audit

import (
	"ltm/memory"
	"ltm/store"
)

// signatures finds memories whose signatures do not hold, and those that others miss.
func (s *Survey) signatures(known Signatures) {
	for _, m := range s.Active.Records {
		f := finding{where: store.MemoryPath(m.File()), subject: string(m.ID)}
		switch {
		case known.Altered(m):
			f.kind, f.next = kindAltered, memory.KindFoundAltered
			f.reason = "it does not say what was signed"
		case known.Missed(m):
			f.kind, f.next, f.remark = kindUnsigned, memory.KindFoundUnsigned, true
			f.reason = "the team requires signatures, so other clones hold it back"
		default:
			continue
		}
		s.add(f)
	}
}
