package engine

import (
	"context"
	"slices"
	"strings"

	"ltm/engine/finder"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/search"
)

// SearchArchives returns the memories out of sight that match a query: those that were archived,
// and those that have faded completely.
func (e *Engine) SearchArchives(ctx context.Context, text string, limit int) (api.ArchiveRecall, error) {
	if err := memory.CheckQuery(text); err != nil {
		return api.ArchiveRecall{}, err
	}
	result := api.ArchiveRecall{Archives: []api.ArchiveHit{}}
	err := e.store.View(func(v *store.View) error {
		u, state, err := e.usage(v)
		if err != nil {
			return err
		}
		finding := e.finder.Over(v)
		defer finding.Close()
		query := search.Parse(text)
		sight := u.sight()
		archived := api.Query{Include: api.IncludeArchives}
		if sight.Wanted, err = e.heard(v, state, archived, ofKind(&query, "")); err != nil {
			return err
		}
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		limit := limitOr(limit, DefaultRecall)
		q := api.Query{Limit: limit}
		if g.asks() {
			q.Limit = unlimited
		}
		all, total, err := finding.Find(ctx, api.IncludeArchives, query, options(q), sight)
		if err != nil {
			return err
		}
		free, held := g.release(all)
		free = free[:min(len(free), limit)]
		result.Total = total - held
		if result.HeldBack, err = g.heldBack(api.IncludeArchives); err != nil {
			return err
		}
		result.Archives, err = archiveHits(v, finding, free, query, u, e.marker(v, u.settings))
		return err
	})
	return result, err
}

// archiveHits turns hits among the memories out of sight into answers.
func archiveHits(v *store.View, finding *finder.Search, found []finder.Hit,
	query search.Query, u use, marks *marker) ([]api.ArchiveHit, error) {
	active, _, how, err := bothDirectories(v)
	if err != nil {
		return nil, err
	}
	pick, hits := search.NewSnippets(query).Taking(finder.TakenBy(found)), []api.ArchiveHit{}
	for _, h := range found {
		m, err := finding.Memory(h)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		_, isActive := active.Find(m.ID)
		reason := archivedReason(active, m.ID, how[m.ID])
		if h.Faded {
			isActive, reason = false, u.outOfSightReason(m.ID)
		}
		hits = append(hits, api.ArchiveHit{ID: m.ID, Topic: m.Topic, Summary: finder.Passage(m, pick, snippetChars),
			Tags: m.PlainTags(), Importance: m.Marked(), Score: memory.Round2(h.Score), Active: isActive,
			ArchivedReason: reason, Foreign: marks.look(m.ID, h.Archived),
			SupersededBy: few(u.said.get().supersededBy(m.ID))})
	}
	return hits, nil
}

// bothDirectories returns what is in memories/ and the texts out of sight, and when and why the
// latter were archived.
func bothDirectories(v *store.View) (active, archives *store.Snapshot, how map[memory.ID]store.Archival, err error) {
	if active, err = v.Memories(); err != nil {
		return nil, nil, nil, err
	}
	if archives, err = v.ArchivedTexts(); err != nil {
		return nil, nil, nil, err
	}
	how, err = v.Archivals(archives)
	return active, archives, how, err
}

// ListArchives returns every memory out of sight by id, without scores.
func (e *Engine) ListArchives(context.Context) (api.ArchiveRecall, error) {
	result := api.ArchiveRecall{Archives: []api.ArchiveHit{}}
	err := e.store.View(func(v *store.View) error {
		u, _, err := e.usage(v)
		if err != nil {
			return err
		}
		out, err := outOfSight(v, u)
		if err != nil {
			return err
		}
		active, err := v.Memories()
		if err != nil {
			return err
		}
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		marks := e.marker(v, u.settings)
		slices.SortFunc(out, func(a, b ranked) int { return strings.Compare(string(a.ID), string(b.ID)) })
		for _, r := range out {
			if g.lookRanked(r) {
				result.HeldBack++
				continue
			}
			_, isActive := active.Find(r.ID)
			result.Archives = append(result.Archives, api.ArchiveHit{ID: r.ID, Topic: r.Topic, Tags: r.PlainTags(),
				Importance: r.Memory.Marked(), Active: isActive && !r.faded,
				Foreign:        marks.look(r.ID, !r.faded),
				ArchivedReason: r.archive.Reason, ArchivedAt: timeOrNil(r.archive.At),
				SupersededBy: few(u.said.get().supersededBy(r.ID))})
		}
		result.Total = len(result.Archives)
		return nil
	})
	return result, err
}

// outOfSight lists the archives of memories that were archived or whose files are reduced, and
// the memories that have faded completely in this clone.
func outOfSight(v *store.View, u use) ([]ranked, error) {
	active, archives, how, err := bothDirectories(v)
	if err != nil {
		return nil, err
	}
	var out []ranked
	for _, r := range archives.Records {
		if finder.OnlyArchived(active, r.ID) {
			a := how[r.ID]
			a.Reason = archivedReason(active, r.ID, a)
			out = append(out, ranked{Memory: *r.Memory, order: u.orderOf(r.Memory), archive: &a})
		}
	}
	for _, r := range active.Records {
		if !u.inSight(*r.Memory) {
			m := *r.Memory
			m.Phase = memory.Removed
			out = append(out, ranked{Memory: m, order: u.orderOf(r.Memory), faded: true,
				archive: &store.Archival{Reason: u.outOfSightReason(m.ID)}})
		}
	}
	return out, nil
}

// archivedReason returns why a memory has an archive that is its full text.
func archivedReason(active *store.Snapshot, id memory.ID, how store.Archival) string {
	if _, ok := active.Find(id); ok {
		return memory.ReasonFading
	}
	return how.Reason
}

// whyArchived returns why a hit is out of sight or in the archives.
func (a asking) whyArchived(h finder.Hit) string {
	id := memory.ID(h.ID)
	if h.Faded {
		return a.u.outOfSightReason(id)
	}
	active, err := a.view.MemoriesQuick()
	if err != nil {
		return ""
	}
	how, _ := a.view.Archival(id)
	return archivedReason(active, id, how)
}

// ranksIn returns the memories that a listing includes, by priority. With [api.IncludeAll], a
// memory that is in sight and has an archive is listed once, as active.
func ranksIn(v *store.View, include api.Include, u use) ([]ranked, error) {
	include, err := api.ParseInclude(string(include))
	if err != nil {
		return nil, err
	}
	active, err := v.Memories()
	if err != nil {
		return nil, err
	}
	if include == api.IncludeActive {
		return rank(active, u), nil
	}
	out, err := outOfSight(v, u)
	if err != nil {
		return nil, err
	}
	if include == api.IncludeAll {
		out = slices.DeleteFunc(out, func(r ranked) bool {
			m, ok := active.Find(r.ID)
			return ok && u.inSight(*m.Memory)
		})
		out = append(out, rank(active, u)...)
	}
	sortRanked(out, "")
	return out, nil
}

// ofArchive marks an entry of a listing as archived.
func ofArchive(e api.Entry, a *store.Archival) api.Entry {
	if a != nil {
		e.Archived, e.ArchivedReason, e.ArchivedAt = true, a.Reason, timeOrNil(a.At)
	}
	return e
}

// onlyArchived is the error about a memory that was archived.
func onlyArchived(v *store.View, id memory.ID, kind memory.Kind) error {
	how := ""
	if a, ok := v.Archival(id); ok && a.Reason != "" {
		how = " (" + a.Reason + ")"
		if memories, err := v.MemoriesQuick(); err == nil && a.Reason == memory.ReasonSuperseded {
			if by := successors(memories.Links(), id); len(by) > 0 {
				how = " (" + a.Reason + " by " + idList(by) + ")"
			}
		}
	}
	return memory.NewError(memory.CodeNotFound, kind, string(id), "%s is only in the archives%s", id, how)
}
