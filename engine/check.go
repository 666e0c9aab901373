package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/store"
)

// Check compares the parts of the store. It changes nothing.
func (e *Engine) Check(context.Context) (memory.CheckReport, error) {
	var report memory.CheckReport
	err := e.store.View(func(v *store.View) (err error) {
		report, err = e.check(v)
		return err
	})
	return report, err
}

func (e *Engine) check(v *store.View) (memory.CheckReport, error) {
	r := memory.CheckReport{OrphanedFiles: []string{}, MissingFiles: []memory.ID{}, OrphanedStats: []memory.ID{},
		OrphanedArchives: []string{}, UnreadableFiles: []memory.FileProblem{}, StaleEntries: []memory.ID{}, Conflicts: []string{}}
	active, err := v.Memories()
	if err != nil {
		return r, err
	}
	archives, err := v.Archives()
	if err != nil {
		return r, err
	}
	for _, p := range active.Problems {
		r.UnreadableFiles = append(r.UnreadableFiles, memory.FileProblem{File: memoriesPath(p.File), Reason: p.Reason})
	}
	for _, m := range active.Records {
		if m.Conflicted {
			r.Conflicts = append(r.Conflicts, memoriesPath(m.ID.File()))
		}
	}
	index, err := v.Index()
	note(&r, "index.json", err)
	var lacking []memory.ID
	lacking, r.MissingFiles, r.StaleEntries = compare(active, index)
	for _, id := range lacking {
		r.OrphanedFiles = append(r.OrphanedFiles, memoriesPath(id.File()))
	}
	archiveIndex, err := v.ArchiveIndex()
	note(&r, "archive_index.json", err)
	checkArchives(&r, archives, archiveIndex)
	stats, err := v.Stats()
	note(&r, "stats.json", err)
	for id := range stats {
		if _, ok := active.Find(id); !ok && !v.SharedWorktrees() { // another work tree may have it
			r.OrphanedStats = append(r.OrphanedStats, id)
		}
	}
	slices.Sort(r.OrphanedStats)
	_, err = v.State()
	note(&r, "state.json", err)
	_, err = v.SharedConfig()
	note(&r, "config.json", err)
	r.OK = plain(&r) == ""
	if r.Warnings, err = criticalWarnings(v, active); err != nil {
		return r, err
	}
	r.Summary = strings.Join(slices.Concat([]string{summarize(&r, len(active.Records))}, r.Warnings), "; warning: ")
	return r, nil
}

// note adds a file of the store that cannot be read to a report.
func note(r *memory.CheckReport, file string, err error) {
	if err != nil {
		r.UnreadableFiles = append(r.UnreadableFiles, memory.FileProblem{File: file, Reason: err.Error()})
	}
}

// checkArchives names archives that the archive index lacks, or shows otherwise,
// and entries of it without a file.
func checkArchives(r *memory.CheckReport, archives *store.Snapshot, index store.Index) {
	lacking, missing, stale := compare(archives, index)
	for _, id := range slices.Concat(lacking, stale) {
		r.OrphanedArchives = append(r.OrphanedArchives, archivesPath(id.File()))
	}
	for _, p := range archives.Problems {
		r.OrphanedArchives = append(r.OrphanedArchives, archivesPath(p.File))
	}
	r.MissingFiles = append(r.MissingFiles, missing...)
	slices.Sort(r.OrphanedArchives)
}

// compare tells a folder from its index: files that the index lacks, entries
// without a file, and entries that differ. All are in order.
func compare(s *store.Snapshot, index store.Index) (lacking, missing, stale []memory.ID) {
	missing, stale = []memory.ID{}, []memory.ID{}
	for id, want := range store.IndexOf(s) {
		entry, ok := index[id]
		switch {
		case !ok:
			lacking = append(lacking, id)
		case !entry.Equal(want):
			stale = append(stale, id)
		}
	}
	for id := range index {
		if _, ok := s.Find(id); !ok {
			missing = append(missing, id)
		}
	}
	slices.Sort(lacking)
	slices.Sort(missing)
	slices.Sort(stale)
	return lacking, missing, stale
}

func memoriesPath(name string) string { return "memories/" + name }
func archivesPath(name string) string { return "archives/" + name }

// plain counts the problems of a report in words; "" is none.
func plain(report *memory.CheckReport) string {
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, plural(n, one, many))
		}
	}
	add(len(report.UnreadableFiles), "unreadable file", "unreadable files")
	add(len(report.Conflicts), "memory with an unsettled merge", "memories with an unsettled merge")
	add(len(report.OrphanedFiles), "memory that the index lacks", "memories that the index lacks")
	add(len(report.MissingFiles), "index entry without a file", "index entries without a file")
	add(len(report.StaleEntries), "stale index entry", "stale index entries")
	add(len(report.OrphanedStats), "stats entry without a memory", "stats entries without a memory")
	add(len(report.OrphanedArchives), "archive out of index", "archives out of index")
	return strings.Join(parts, ", ")
}

func summarize(report *memory.CheckReport, memories int) string {
	if report.OK {
		return fmt.Sprintf("in order: %s", plural(memories, "memory", "memories"))
	}
	advice := "ltm_fix (ltm fix) repairs it, with dry_run it shows how"
	if len(report.Conflicts) > 0 {
		advice = "settle merges in their files; " + advice
	}
	return plain(report) + "; " + advice
}
