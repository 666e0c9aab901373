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
		archives, err := v.Archives()
		if err != nil {
			return err
		}
		active, err := v.Memories()
		if err != nil {
			return err
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		if _, err := e.archived.refresh(ctx, v, archives, v.ReadArchive, -1); err != nil {
			return err
		}
		query := search.Parse(text)
		pick := search.NewSnippets(query)
		hits, total := e.archived.index.Search(query, search.Options{Limit: limitOr(limit, DefaultRecall)})
		result.Total = total
		for _, h := range hits {
			m, err := e.archived.text(memory.ID(h.ID), v.ReadArchive)
			if isMissing(err) {
				continue
			}
			if err != nil {
				return err
			}
			_, isActive := active.Find(m.ID)
			result.Archives = append(result.Archives, memory.ArchiveHit{ID: m.ID, Topic: m.Topic, Summary: passage(m, pick, snippetChars),
				Tags: tagsOf(m.Tags), Score: memory.Round2(h.Score), Active: isActive})
		}
		return nil
	})
	return result, err
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
		for _, r := range archives.Records {
			_, isActive := active.Find(r.ID)
			result.Archives = append(result.Archives, memory.ArchiveHit{ID: r.ID, Topic: r.Topic, Tags: tagsOf(r.Tags), Active: isActive})
		}
		result.Total = len(result.Archives)
		return nil
	})
	return result, err
}
