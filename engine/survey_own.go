package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/store"
)

const anew = "ltm fix begins it anew and keeps this one beside it"

// volatile looks at what belongs to this clone: stats, state, and the record of
// what was written here.
func (s *survey) volatile() {
	stats, err := s.view.Stats()
	if err != nil {
		s.damaged("stats.json", err, anew)
	} else if !s.view.SharedWorktrees() && !s.active.Full { // else another work tree may have the memory, or it was not looked at
		for _, id := range slices.Sorted(maps.Keys(stats)) {
			s.statsOf(id)
		}
	}
	if _, err := s.view.State(); err != nil {
		s.damaged("state.json", err, anew)
	}
	elsewhere, err := s.view.InspectTrust()
	switch {
	case err != nil:
		s.damaged(".trust.json", err, anew+"; what is here counts as from elsewhere until ltm trust --all")
	case elsewhere:
		s.add(finding{kind: kindElsewhere, where: ".trust.json", remark: true, reason: "it was made in another folder and counts for nothing here",
			todo: "after a copy or a restored backup, ltm trust --all takes the memories for yours"})
	}
	bad, err := s.view.BadLogLines()
	switch {
	case err != nil:
		s.add(finding{kind: kindLog, where: ".log.jsonl", remark: true, reason: err.Error()})
	case bad > 0:
		s.add(finding{kind: kindLog, where: ".log.jsonl", remark: true, reason: plural(bad, "line", "lines") + " that cannot be read",
			todo: "ltm log passes over them, and they go in time"})
	}
}

// statsOf looks at the stats of one memory. While its unreadable file stays where
// it is, so do they.
func (s *survey) statsOf(id memory.ID) {
	if _, ok := s.active.Find(id); ok {
		return
	}
	reason := "stats.json has it, and there is no " + memoriesPath(id.File())
	for _, f := range s.found {
		if f.where != memoriesPath(id.File()) {
			continue
		}
		if f.action != actionArchiveFile {
			return
		}
		reason = "stats.json has it, and its file cannot be read"
	}
	s.add(finding{kind: kindStats, where: string(id), reason: reason, action: actionDropStats})
}

// settings looks at what people write for all clones.
func (s *survey) settings() {
	if _, err := s.view.SharedConfig(); err != nil {
		s.add(finding{kind: kindUnreadable, where: "config.json", reason: err.Error(),
			todo: "mend it by hand, or take it away: its settings do not count, and ltm leaves it alone"})
	}
}

// rules looks at what keeps this clone's own files out of git. In a store that is
// not in git, or by a person's wish, they may be gone: it is no damage.
func (s *survey) rules() {
	for _, r := range s.view.LackingRules() {
		s.add(finding{kind: kindRules, where: r.File, remark: true, action: actionRules,
			reason: fmt.Sprintf("it lacks %s", strings.Join(r.Lines, ", "))})
	}
}

// strays remarks on what lies in the store and is neither a memory nor at work.
func (s *survey) strays() {
	for _, stray := range s.view.Strays() {
		f := finding{where: stray.Path, remark: true, todo: "ltm leaves it alone"}
		switch stray.Kind {
		case store.Foreign:
			f.kind, f.reason = kindForeign, "it is "+s.view.Shape(stray.Path).String()+" that is not ltm's"
		case store.Leftover:
			f.kind, f.reason, f.todo, f.action = kindLeftover, "a process was cut off while it wrote", "", actionRemoveTemp
		case store.Rejected:
			f.kind, f.reason = kindRejected, "a text from ltm edit that could not be stored"
			f.todo = "ltm edit ID --from takes it up again; remove it when nobody needs it"
		case store.Damaged:
			f.kind, f.reason, f.todo = kindDamaged, "it could not be read, and was kept when a new one took its place", "remove it when nobody needs it"
		case store.LoneNote:
			f.kind, f.reason = kindLoneNote, "it tells of an archive that is not here"
			f.todo = "it is passed over, until a merge brings the archive"
		case store.BadNote:
			f.kind, f.reason = kindBadNote, "its name is not an id, a time and a word"
			f.todo = "ltm passes over it"
		}
		s.add(f)
	}
}
