package engine

import (
	"context"

	"ltm/memory"
	"ltm/search"
	"ltm/store"
)

// SearchArchives returns the archived memories that answer a question.
func (e *Engine) SearchArchives(ctx context.Context, text string, limit int) (memory.ArchiveRecall, error) {
	if err := memory.CheckQuery(text); err != nil {
		return memory.ArchiveRecall{}, err
	}
	result := memory.ArchiveRecall{Archives: []memory.ArchiveHit{}}
	err := e.store.View(func(v *store.View) error {
		active, err := v.Memories()
		if err != nil {
			return err
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		archives, err := e.refreshArchives(ctx, v)
		if err != nil {
			return err
		}
		how := v.Archivals(archives)
		query := search.Parse(text)
		pick := search.NewSnippets(query)
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		limit := limitOr(limit, DefaultRecall)
		o := search.Options{Limit: limit}
		if g.asks() {
			o.Limit = 0
		}
		hits, total := e.archived.index.Search(query, o)
		all := make([]scopedHit, len(hits))
		for i, h := range hits {
			all[i] = scopedHit{h, true}
		}
		free, held := g.release(v, all, limit)
		result.Total, result.HeldBack = total-held, held
		for _, h := range free {
			m, err := e.archived.text(memory.ID(h.ID), v.ReadArchive)
			if isMissing(err) {
				continue
			}
			if err != nil {
				return err
			}
			_, isActive := active.Find(m.ID)
			result.Archives = append(result.Archives, memory.ArchiveHit{ID: m.ID, Topic: m.Topic, Summary: passage(m, pick, snippetChars),
				Tags: tagsOf(m.Tags), Score: memory.Round2(h.Score), Active: isActive, ArchivedReason: how[m.ID].Reason})
		}
		return nil
	})
	return result, err
}

// refreshArchives brings the index of the archives up to date; e.mu is held.
func (e *Engine) refreshArchives(ctx context.Context, v *store.View) (*store.Snapshot, error) {
	archives, err := v.Archives()
	if err != nil {
		return nil, err
	}
	_, err = e.archived.refresh(ctx, v, archives, v.ReadArchive, -1)
	return archives, err
}

// ListArchives returns every archived memory by id, without scores.
func (e *Engine) ListArchives(context.Context) (memory.ArchiveRecall, error) {
	result := memory.ArchiveRecall{Archives: []memory.ArchiveHit{}}
	err := e.store.View(func(v *store.View) error {
		archives, err := v.Archives()
		if err != nil {
			return err
		}
		active, err := v.Memories()
		if err != nil {
			return err
		}
		how := v.Archivals(archives)
		for _, r := range archives.Records {
			_, isActive := active.Find(r.ID)
			result.Archives = append(result.Archives, memory.ArchiveHit{ID: r.ID, Topic: r.Topic, Tags: tagsOf(r.Tags), Active: isActive,
				ArchivedReason: how[r.ID].Reason, ArchivedAt: timeOrNil(how[r.ID].At)})
		}
		result.Total = len(result.Archives)
		return nil
	})
	return result, err
}

// ranksIn orders what a listing's scope holds. Of a memory that is active and
// archived, all lists the active one.
func ranksIn(v *store.View, scope memory.Scope, u use) ([]ranked, error) {
	scope, err := memory.ParseScope(string(scope))
	if err != nil {
		return nil, err
	}
	active, err := v.Memories()
	if err != nil {
		return nil, err
	}
	if scope == memory.ScopeActive {
		return rank(active, u), nil
	}
	archives, err := v.Archives()
	if err != nil {
		return nil, err
	}
	var all store.Snapshot
	if scope == memory.ScopeAll {
		all.Records = append(all.Records, active.Records...)
	}
	how := v.Archivals(archives)
	for _, r := range archives.Records {
		if _, isActive := active.Find(r.ID); isActive && scope == memory.ScopeAll {
			delete(how, r.ID)
			continue
		}
		all.Records = append(all.Records, r)
	}
	out := rank(&all, u)
	for i := range out {
		if a, ok := how[out[i].ID]; ok {
			out[i].archive = &a
		}
	}
	return out, nil
}

// ofArchive marks an entry of a listing as archived.
func ofArchive(e memory.Entry, a *store.Archival) memory.Entry {
	if a != nil {
		e.Archived, e.ArchivedReason, e.ArchivedAt = true, a.Reason, timeOrNil(a.At)
	}
	return e
}

// onlyArchived is the error about a memory that is not active any more.
func onlyArchived(v *store.View, id memory.ID, hint string) error {
	how := ""
	if a, ok := v.Archival(id); ok && a.Reason != "" {
		how = " (" + a.Reason + ")"
	}
	return memory.Errorf(memory.CodeNotFound, hint, "%s is only in the archives%s", id, how)
}
