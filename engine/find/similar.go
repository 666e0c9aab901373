package find

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/finder"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/search"
)

const (
	// maxSimilar bounds how many similar memories a receipt names.
	maxSimilar = 3

	// similarCandidates is how many hits of the search are compared as texts.
	similarCandidates = 8

	// similarQuery bounds how much of a new memory is searched for, in bytes.
	similarQuery = 2 << 10

	// similarReads bounds the files that are read because the cache lacks them. With more to
	// read, the memory is stored without the comparison, which is only advice.
	similarReads = 1000
)

// Similar returns at most 3 active memories that say about the same as one, the most alike first. It counts no access.
func (e *Engine) Similar(ctx context.Context, id string) ([]api.Similar, error) {
	file, err := base.Read(e.Store, id, base.ReadActive)
	if err != nil {
		return nil, err
	}
	return e.SimilarTo(ctx, file.Memory), nil
}

// SimilarTo returns the active memories that say about the same as a new one, the most alike first. It skips those that
// the new one names already or that a person told apart from it, and memories that it cannot read.
func (e *Engine) SimilarTo(ctx context.Context, m memory.Memory) []api.Similar {
	var found []api.Similar
	_ = e.Store.View(func(v *store.View) error { // it is advice, and storing reports what is wrong with the store
		snapshot, err := v.MemoriesQuick()
		if err != nil || len(snapshot.Records) == 0 {
			return err
		}
		finding := e.Finder.Over(v)
		defer finding.Close()
		ready, err := finding.Refresh(ctx, snapshot, similarReads)
		if err != nil || !ready {
			return err
		}
		text := strings.Join(m.Aliases, "\n") + "\n" + m.Topic + "\n" + m.Content
		hits := finding.Best(search.Words(text[:min(len(text), similarQuery)]),
			search.Options{Limit: similarCandidates})
		own, marks := finder.LikenessOf(m), e.OriginsIn(v)
		g, err := e.ModelFilter(v)
		if err != nil {
			return err
		}
		for _, h := range hits {
			named := slices.Contains(slices.Concat(m.Supersedes, m.Disputes, m.Related), memory.ID(h.ID))
			if h.ID == string(m.ID) || named || g.ForeignID(memory.ID(h.ID), false) {
				continue
			}
			other, err := finding.Active(memory.ID(h.ID))
			if err != nil || !other.IsFor(m.Agent) {
				continue
			}
			if alike := own.Of(finding.Likeness(other)); alike >= search.Near {
				found = append(found, api.Similar{ID: other.ID, Topic: other.Topic, Similarity: memory.Round2(alike),
					Foreign: marks.Foreign(other.ID, false)})
			}
		}
		if len(found) == 0 {
			return nil
		}
		stats, err := base.Tolerate(v.Stats())
		found = slices.DeleteFunc(found, func(s api.Similar) bool { return stats[m.ID].TellsApart(s.ID) })
		return err
	})
	slices.SortStableFunc(found, func(a, b api.Similar) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return found[:min(len(found), maxSimilar)]
}

// SimilarNote names the memories that are similar to one that was stored.
func SimilarNote(found []api.Similar) memory.Note {
	if len(found) == 0 {
		return nil
	}
	var parts []string
	for _, s := range found {
		parts = append(parts, fmt.Sprintf("%s %q (%.2f)", trust.Named(s.ID, s.Foreign), s.Topic, s.Similarity))
	}
	return memory.Advise(memory.KindSimilar, string(found[0].ID), "similar to "+strings.Join(parts, ", "))
}
