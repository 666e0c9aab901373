package find

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Tags returns the tags of the memories in sight, the most used first.
func (e *Engine) Tags(ctx context.Context) ([]api.TagCount, error) {
	list, err := e.List(ctx, api.ListFilter{AnyAgent: true, Limit: rank.Unlimited})
	if err != nil {
		return nil, err
	}
	used := map[string]int{}
	for _, m := range list.Memories {
		for _, tag := range m.Tags {
			used[tag]++
		}
	}
	counts := make([]api.TagCount, 0, len(used))
	for tag, n := range used {
		counts = append(counts, api.TagCount{Tag: tag, Memories: n})
	}
	slices.SortFunc(counts, func(a, b api.TagCount) int {
		return cmp.Or(cmp.Compare(b.Memories, a.Memories), strings.Compare(a.Tag, b.Tag))
	})
	return counts, nil
}

// hasTags reports whether a memory has all of these tags, written in any way, and the importance that they name.
func hasTags(m memory.Memory, tags []string) bool {
	for _, tag := range tags {
		tag = strings.ToLower(strings.TrimSpace(tag))
		has := tag == "" || slices.Contains(m.Tags, tag)
		if memory.IsImportanceTag(tag) {
			level, err := memory.ParseImportance(tag)
			has = err == nil && m.Importance() == level
		}
		if !has {
			return false
		}
	}
	return true
}

// Aliases returns the aliases of an active memory. It does not count as an access.
func (e *Engine) Aliases(ctx context.Context, id string) (api.Aliases, error) {
	return base.Read(e.Store, id, func(v *store.View, id memory.ID) (api.Aliases, error) {
		file, err := base.ReadActive(v, id)
		if err != nil {
			return api.Aliases{}, err
		}
		stats, err := base.Tolerate(v.Stats())
		if err != nil {
			return api.Aliases{}, err
		}
		return e.AliasesOf(v, file.Memory, stats[id].Questions()), nil
	})
}

func (e *Engine) AliasesOf(v *store.View, m memory.Memory, learned []string) api.Aliases {
	all := api.Aliases{ID: m.ID, Topic: m.Topic, Aliases: m.Aliases, Learned: learned}
	if all.Aliases == nil {
		all.Aliases = []string{}
	}
	if all.Learned == nil {
		all.Learned = []string{}
	}
	all.Scope, all.Foreign = base.Scope(v), e.OriginsIn(v).Foreign(m.ID, false)
	return all
}
