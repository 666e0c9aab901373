package audit

import (
	"ltm/engine/settings"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/store"
)

// volatile checks the files of this clone: stats, state, candidates, the trust record and the log. Counters of memories
// without a file may belong to another branch, so they are not reported.
func (s *Survey) volatile() {
	if _, err := s.view.Stats(); err != nil {
		s.damaged("stats.json", err, memory.KindFoundCounters)
	}
	if _, err := s.view.State(); err != nil {
		s.damaged("state.json", err, memory.KindFoundState)
	}
	// One of a newer version keeps nothing from being repaired.
	if _, err := s.view.Candidates(); memory.CodeOf(err) == memory.CodeUnreadable {
		s.damaged("candidates.json", err, memory.KindFoundCounters)
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
			" that cannot be read; they are skipped, and removed when the log is trimmed"})
	}
}

// settings checks the team settings, which people edit.
func (s *Survey) settings() {
	const file = "config.json"
	team, err := s.view.TeamConfig()
	if err != nil {
		s.add(finding{kind: kindUnreadable, where: file, reason: err.Error(), next: memory.KindFoundConfig})
		return
	}
	for _, k := range settings.Imposed(team) {
		s.add(finding{kind: kindSetting, where: file, remark: true, reason: k.NoEffect(),
			next: memory.KindFoundSetting, subject: k.Name})
	}
}

// strays adds remarks about files in the store that are neither memories nor in use.
func (s *Survey) strays() {
	for _, stray := range s.view.Strays() {
		f := finding{where: stray.Path, remark: true, next: memory.KindFoundOther}
		switch stray.Kind {
		case store.Unknown:
			f.kind, f.reason = kindUnknown, "it is "+s.view.Shape(stray.Path).String()+" that ltm did not write"
		case store.Leftover:
			f.kind, f.reason, f.next, f.action = kindLeftover, "a process was killed while it was writing", "",
				actionRemoveTemp
		case store.Rejected:
			f.kind, f.reason = kindRejected, "an edited text that could not be stored"
			f.next = memory.KindFoundRejected
		case store.Damaged:
			f.kind, f.reason = kindDamaged, "it could not be read; it was renamed, and a new file has replaced it"
			f.next = memory.KindFoundDamaged
		case store.OldLocal:
			f.kind = kindOlder
			f.reason = "it is from before the project became a git repository, and ltm does not read it"
			f.next = memory.KindFoundOldLocal
		case store.Predecessors:
			f.kind, f.reason = kindOlder, "the predecessor left it, and ltm does not read it"
			f.next = memory.KindFoundOlder
		}
		s.add(f)
	}
}
