package audit

import (
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/store"
)

const (
	anew  = memory.DoFix + " starts a new one and keeps this one beside it"
	heals = "the next change of it, or " + memory.DoFix + ", starts a new one and keeps this one beside it"
)

// volatile looks at what belongs to this clone: stats, state, and the record of
// what was written here. Counters of memories that have no file may belong to
// another branch, which is no fault.
func (s *Survey) volatile() {
	if _, err := s.view.Stats(); err != nil {
		s.damaged("stats.json", err, heals)
	}
	if _, err := s.view.State(); err != nil {
		s.damaged("state.json", err, heals+"; settings of this clone have to be set again")
	}
	if _, err := s.view.Trust(); err != nil {
		s.damaged("trust", err, anew+"; what is here counts as from elsewhere until a person approves it "+memory.DoTrust)
	}
	bad, err := s.view.BadLogLines()
	switch {
	case err != nil:
		s.add(finding{kind: kindLog, where: "log.jsonl", remark: true, reason: err.Error()})
	case bad > 0:
		s.add(finding{kind: kindLog, where: "log.jsonl", remark: true, reason: plural.Of(bad, "line", "lines") + " that cannot be read",
			todo: "the log is shown without them, and they go in time"})
	}
}

// settings looks at what people write for all clones.
func (s *Survey) settings() {
	if _, err := s.view.SharedConfig(); err != nil {
		s.add(finding{kind: kindUnreadable, where: "config.json", reason: err.Error(),
			todo: "mend it by hand, or take it away: its settings do not count, and ltm leaves it alone"})
	}
}

// strays remarks on what lies in the store and is neither a memory nor at work.
func (s *Survey) strays() {
	for _, stray := range s.view.Strays() {
		f := finding{where: stray.Path, remark: true, todo: "ltm leaves it alone"}
		switch stray.Kind {
		case store.Foreign:
			f.kind, f.reason = kindForeign, "it is "+s.view.Shape(stray.Path).String()+" that is not ltm's"
		case store.Leftover:
			f.kind, f.reason, f.todo, f.action = kindLeftover, "a process was cut off while it wrote", "", actionRemoveTemp
		case store.Rejected:
			f.kind, f.reason = kindRejected, "an edited text that could not be stored"
			f.todo = memory.DoEditFrom + " takes it up again; remove it when it is not needed"
		case store.Damaged:
			f.kind, f.reason, f.todo = kindDamaged, "it could not be read, and was kept when a new one took its place", "remove it when nobody needs it"
		case store.OldLocal:
			f.kind, f.reason = kindOlder, "it is of the time before the project became a git repository, and its counters and settings count no more"
			f.todo = "remove it; edited texts that could not be stored are in .local/rejected"
		case store.Predecessors:
			f.kind, f.reason = kindOlder, "the predecessor left it, and it counts for nothing here"
			f.todo = "remove it (git rm if git tracks it) when nothing else uses it"
		}
		s.add(f)
	}
}
