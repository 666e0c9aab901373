package audit

import (
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/store"
)

// volatile looks at what belongs to this clone: stats, state, and the record of
// what was written here. Counters of memories that have no file may belong to
// another branch, which is no fault.
func (s *Survey) volatile() {
	if _, err := s.view.Stats(); err != nil {
		s.damaged("stats.json", err, memory.KindFoundCounters)
	}
	if _, err := s.view.State(); err != nil {
		s.damaged("state.json", err, memory.KindFoundState)
	}
	if _, err := s.view.Trust(); err != nil {
		s.damaged("trust", err, memory.KindFoundTrust)
	}
	bad, err := s.view.BadLogLines()
	switch {
	case err != nil:
		s.add(finding{kind: kindLog, where: "log.jsonl", remark: true, reason: err.Error()})
	case bad > 0:
		s.add(finding{kind: kindLog, where: "log.jsonl", remark: true, reason: plural.Of(bad, "line", "lines") +
			" that cannot be read" +
			"; the log is shown without them, and they go in time"})
	}
}

// settings looks at what people write for all clones.
func (s *Survey) settings() {
	if _, err := s.view.SharedConfig(); err != nil {
		s.add(finding{kind: kindUnreadable, where: "config.json", reason: err.Error(), next: memory.KindFoundConfig})
	}
}

// strays remarks on what lies in the store and is neither a memory nor at work.
func (s *Survey) strays() {
	for _, stray := range s.view.Strays() {
		f := finding{where: stray.Path, remark: true, next: memory.KindFoundOther}
		switch stray.Kind {
		case store.Foreign:
			f.kind, f.reason = kindForeign, "it is "+s.view.Shape(stray.Path).String()+" that is not ltm's"
		case store.Leftover:
			f.kind, f.reason, f.next, f.action = kindLeftover, "a process was cut off while it wrote", "",
				actionRemoveTemp
		case store.Rejected:
			f.kind, f.reason = kindRejected, "an edited text that could not be stored"
			f.next = memory.KindFoundRejected
		case store.Damaged:
			f.kind, f.reason, f.next = kindDamaged, "it could not be read, and was kept when a new one took its place",
				memory.KindFoundDamaged
		case store.OldLocal:
			f.kind, f.reason = kindOlder,
				"it is of the time before the project became a git repository, and its counters and settings count "+
					"no more"
			f.next = memory.KindFoundOldLocal
		case store.Predecessors:
			f.kind, f.reason = kindOlder, "the predecessor left it, and it counts for nothing here"
			f.next = memory.KindFoundOlder
		}
		s.add(f)
	}
}
