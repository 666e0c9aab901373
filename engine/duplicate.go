package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/engine/finder"
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

// refuseDuplicate returns an error if an active memory has the same topic and content as m. One
// that is held back from a model does not count, because the model could not change it.
func (e *Engine) refuseDuplicate(v *store.View, m memory.Memory) error {
	g, err := e.toModel(v)
	if err != nil {
		return err
	}
	same, err := duplicate(v, m, g)
	if err == nil && same != "" {
		return memory.NewError(memory.CodeConflict, memory.KindDuplicate, string(same),
			"%s already has the same topic and content", same)
	}
	return err
}

// duplicate returns the active memory, not held back, that has the same topic and content as m,
// or "". White space and the case of the topic are ignored. Only files with the same topic are
// read.
func duplicate(v *store.View, m memory.Memory, g guard) (memory.ID, error) {
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return "", err
	}
	content := ""
	for _, r := range snapshot.Records {
		if !sameTopic(r.Topic, m.Topic) || !r.IsFor(m.Agent) {
			continue // a memory of another agent is out of sight for this one
		}
		if content == "" {
			content = flat(m.Content)
		}
		if int64(len(content)) > r.Stamp().Size {
			continue
		}
		file, err := v.Read(r.ID)
		if isMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
			continue
		}
		if err != nil {
			return "", err
		}
		if sameTopic(file.Memory.Topic, m.Topic) && flat(file.Memory.Content) == content &&
			!g.foreign(r.ID, file.Bytes()) {
			return r.ID, nil
		}
	}
	return "", nil
}

// sameTopic reports whether a topic, which people may have edited, equals a normalized one but
// for case and white space.
func sameTopic(topic, normalized string) bool {
	return strings.EqualFold(topic, normalized) || hasLooseSpace(topic) && strings.EqualFold(flat(topic), normalized)
}

// flat returns a text with every run of white space replaced by one space.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// hasLooseSpace reports whether flat may change a text. It may err towards true.
func hasLooseSpace(text string) bool {
	space := true // before the first character
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' && space, c < ' ', c >= utf8.RuneSelf:
			return true
		default:
			space = c == ' '
		}
	}
	return space
}

// Similar returns at most 3 active memories that say about the same as one, the most alike first. It counts no access.
func (e *Engine) Similar(ctx context.Context, id string) ([]api.Similar, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return nil, err
	}
	var m memory.Memory
	err = e.store.View(func(v *store.View) error {
		file, err := readActive(v, parsed)
		if err == nil {
			m = file.Memory
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return e.similar(ctx, m), nil
}

// similar returns the active memories that say about the same as a new one, the most alike first. It skips those that
// the new one names already, and memories that it cannot read.
func (e *Engine) similar(ctx context.Context, m memory.Memory) []api.Similar {
	var found []api.Similar
	_ = e.store.View(func(v *store.View) error { // it is advice, and storing reports what is wrong with the store
		snapshot, err := v.MemoriesQuick()
		if err != nil || len(snapshot.Records) == 0 {
			return err
		}
		finding := e.finder.Over(v)
		defer finding.Close()
		ready, err := finding.Refresh(ctx, snapshot, similarReads)
		if err != nil || !ready {
			return err
		}
		text := strings.Join(m.Aliases, "\n") + "\n" + m.Topic + "\n" + m.Content
		hits := finding.Best(search.Words(text[:min(len(text), similarQuery)]),
			search.Options{Limit: similarCandidates})
		own, marks := finder.LikenessOf(m), e.markerIn(v)
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		for _, h := range hits {
			named := slices.Contains(slices.Concat(m.Supersedes, m.Disputes, m.Related), memory.ID(h.ID))
			if h.ID == string(m.ID) || named || g.lookAt(memory.ID(h.ID), false) {
				continue
			}
			other, err := finding.Active(memory.ID(h.ID))
			if err != nil || !other.IsFor(m.Agent) {
				continue
			}
			if alike := own.Of(finding.Likeness(other)); alike >= search.Near {
				found = append(found, api.Similar{ID: other.ID, Topic: other.Topic, Similarity: memory.Round2(alike),
					Foreign: marks.look(other.ID, false)})
			}
		}
		return nil
	})
	slices.SortStableFunc(found, func(a, b api.Similar) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return found[:min(len(found), maxSimilar)]
}

// similarNote names the memories that are similar to one that was stored.
func similarNote(found []api.Similar) memory.Note {
	if len(found) == 0 {
		return nil
	}
	var parts []string
	for _, s := range found {
		parts = append(parts, fmt.Sprintf("%s %q (%.2f)", named(s.ID, s.Foreign), s.Topic, s.Similarity))
	}
	return memory.Advise(memory.KindSimilar, string(found[0].ID), "similar to "+strings.Join(parts, ", "))
}
