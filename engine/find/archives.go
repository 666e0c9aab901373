package find

import (
	"context"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/finder"
	"ltm/engine/rank"
	"ltm/engine/trust"
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
	err := e.Store.View(func(v *store.View) error {
		u, state, err := e.Usage(v)
		if err != nil {
			return err
		}
		finding := e.Finder.Over(v)
		defer finding.Close()
		query := search.Parse(text)
		sight := u.Sight()
		archived := api.Query{Include: api.IncludeArchives}
		if sight.Wanted, err = e.heard(v, state, archived, ofKind(&query, "")); err != nil {
			return err
		}
		g, err := e.ModelFilter(v)
		if err != nil {
			return err
		}
		limit := rank.LimitOr(limit, rank.DefaultRecall)
		q := api.Query{Limit: limit}
		if g.HoldsBack() {
			q.Limit = rank.Unlimited
		}
		all, total, err := finding.Find(ctx, api.IncludeArchives, query, options(q), sight)
		if err != nil {
			return err
		}
		free, held := release(g, all)
		free = free[:min(len(free), limit)]
		result.Total = total - held
		if result.HeldBack, err = rank.HeldBack(g, api.IncludeArchives); err != nil {
			return err
		}
		result.Archives, err = archiveHits(v, finding, free, query, u, e.Origins(v, u.Settings))
		return err
	})
	return result, err
}

// archiveHits turns hits among the memories out of sight into answers.
func archiveHits(v *store.View, finding *finder.Search, found []finder.Hit,
	query search.Query, u rank.Usage, marks *trust.Origins) ([]api.ArchiveHit, error) {
	active, _, how, err := rank.BothDirectories(v)
	if err != nil {
		return nil, err
	}
	pick, hits := search.NewSnippets(query).Taking(finder.TakenBy(found)), []api.ArchiveHit{}
	for _, h := range found {
		m, err := finding.Memory(h)
		if base.IsMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		_, isActive := active.Find(m.ID)
		reason := rank.ArchivedReason(active, m.ID, how[m.ID])
		if h.Faded {
			isActive, reason = false, u.OutOfSightReason(m.ID)
		}
		hits = append(hits, api.ArchiveHit{ID: m.ID, Topic: m.Topic,
			Summary: finder.Passage(m, pick, rank.SnippetChars), Tags: m.PlainTags(),
			Importance: m.Marked(), Score: memory.Round2(h.Score), Active: isActive,
			ArchivedReason: reason, Foreign: marks.Foreign(m.ID, h.Archived),
			SupersededBy: base.Few(u.Standings.Get().SupersededBy(m.ID))})
	}
	return hits, nil
}

// ListArchives returns every memory out of sight by id, without scores.
func (e *Engine) ListArchives(context.Context) (api.ArchiveRecall, error) {
	result := api.ArchiveRecall{Archives: []api.ArchiveHit{}}
	err := e.Store.View(func(v *store.View) error {
		u, _, err := e.Usage(v)
		if err != nil {
			return err
		}
		out, err := rank.OutOfSight(v, u)
		if err != nil {
			return err
		}
		active, err := v.Memories()
		if err != nil {
			return err
		}
		g, err := e.ModelFilter(v)
		if err != nil {
			return err
		}
		marks := e.Origins(v, u.Settings)
		slices.SortFunc(out, func(a, b rank.Ranked) int { return strings.Compare(string(a.ID), string(b.ID)) })
		for _, r := range out {
			if rank.ForeignIn(g)(r) {
				result.HeldBack++
				continue
			}
			_, isActive := active.Find(r.ID)
			result.Archives = append(result.Archives, api.ArchiveHit{ID: r.ID, Topic: r.Topic, Tags: r.PlainTags(),
				Importance: r.Memory.Marked(), Active: isActive && !r.Faded,
				Foreign:        marks.Foreign(r.ID, !r.Faded),
				ArchivedReason: r.Archive.Reason, ArchivedAt: timeOrNil(r.Archive.At),
				SupersededBy: base.Few(u.Standings.Get().SupersededBy(r.ID))})
		}
		result.Total = len(result.Archives)
		return nil
	})
	return result, err
}

// whyArchived returns why a hit is out of sight or in the archives.
func (a lookup) whyArchived(h finder.Hit) string {
	id := memory.ID(h.ID)
	if h.Faded {
		return a.u.OutOfSightReason(id)
	}
	active, err := a.view.MemoriesQuick()
	if err != nil {
		return ""
	}
	how, _ := a.view.Archival(id)
	return rank.ArchivedReason(active, id, how)
}
