package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/internal/didyoumean"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Tags returns the tags of the memories in sight, the most used first.
func (e *Engine) Tags(ctx context.Context) ([]api.TagCount, error) {
	list, err := e.List(ctx, api.ListFilter{AnyAgent: true, Limit: unlimited})
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

// Retag adds tags to memories and removes others. If one memory cannot be changed, none is. It
// does not count as an access.
func (e *Engine) Retag(ctx context.Context, ids, add, remove []string) ([]api.Receipt, error) {
	parsed, err := parseIDs(ids)
	if err != nil {
		return nil, err
	}
	p := api.Patch{AddTags: add, RemoveTags: remove}
	if err := cleanTags(&p); err != nil {
		return nil, err
	}
	return e.retag(ctx, func(*changing) ([]memory.ID, error) { return parsed, nil },
		func(tags []string) []string { return patchedTags(tags, p) })
}

// RenameTag renames a tag in the memories of ids or, without any, in all active ones that have
// it. Archives are not changed.
func (e *Engine) RenameTag(ctx context.Context, old, name string, ids []string) ([]api.Receipt, error) {
	parsed, err := parseIDs(ids)
	if err != nil {
		return nil, err
	}
	tags, err := memory.NormalizeTags([]string{old, name})
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(tags, memory.IsImportanceTag) {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindImportanceRenamed, old,
			"an importance is not a tag and cannot be renamed")
	}
	if len(tags) < 2 {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindTagsSame, old, "%q and %q are the same tag", old,
			name)
	}
	chosen := func(tx *changing) ([]memory.ID, error) { return tagged(tx.View, tags[0], parsed) }
	return e.retag(ctx, chosen, func(has []string) []string {
		at := slices.Index(has, tags[0])
		if at < 0 {
			return has
		}
		if slices.Contains(has, tags[1]) {
			return slices.Delete(has, at, at+1)
		}
		has[at] = tags[1]
		return has
	})
}

// tagged returns ids or, without any, the memories that have the tag.
func tagged(v *store.View, tag string, ids []memory.ID) ([]memory.ID, error) {
	if len(ids) > 0 {
		return ids, nil
	}
	s, err := v.Memories()
	if err != nil {
		return nil, err
	}
	var others []string
	for _, r := range s.Records {
		if slices.Contains(r.Tags, tag) {
			ids = append(ids, r.ID)
		}
		others = append(others, r.PlainTags()...)
	}
	if len(ids) > 0 {
		return ids, nil
	}
	slices.Sort(others)
	kind, subject := memory.KindTagUnknown, tag
	if near := didyoumean.To(tag, slices.Compact(others)); len(near) > 0 {
		kind, subject = memory.KindTagMisspelt, near[0]
	}
	return nil, memory.NewError(memory.CodeNotFound, kind, subject, "no memory has the tag %q", tag)
}

// retag changes the tags of the memories that chosen returns.
func (e *Engine) retag(ctx context.Context, chosen func(*changing) ([]memory.ID, error),
	change func([]string) []string) ([]api.Receipt, error) {
	receipts := []api.Receipt{}
	err := e.update(ctx, func(tx *changing) error {
		ids, err := chosen(tx)
		if err != nil {
			return err
		}
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		plans := make([]pin, 0, len(ids))
		for _, id := range ids {
			p, err := e.planTags(tx, id, change)
			if err != nil {
				return err
			}
			plans = append(plans, p)
		}
		for _, p := range plans {
			if p.data != nil {
				if err := tx.WriteMemory(p.ID, p.data); err != nil {
					return err
				}
				tx.note(e.sessions.Find(state, ""), memory.Event{Action: memory.ActionUpdated, ID: p.ID, Topic: p.Topic,
					Why: "tags"})
			}
			receipts = append(receipts, p.tagReceipt(e.markerIn(tx.View).look(p.ID, false)))
		}
		return nil
	})
	return e.receipts(receipts), err
}

func (e *Engine) planTags(tx *changing, id memory.ID, change func([]string) []string) (pin, error) {
	file, err := readActive(tx.View, id)
	if err != nil {
		return pin{}, err
	}
	before := file.Memory
	if err := e.admit(tx.View, id, file.Bytes()); err != nil {
		return pin{}, err
	}
	m := before
	m.Tags = change(slices.Clone(before.Tags))
	if slices.Equal(m.Tags, before.Tags) {
		return pin{before, nil}, nil
	}
	if err := memory.CheckTagCount(id, m.Tags, len(before.Tags)); err != nil {
		return pin{}, err
	}
	if _, err := screen(&m, before, false); err != nil {
		return pin{}, err
	}
	data, err := file.With(m)
	return pin{m, data}, err
}

func (p pin) tagReceipt(foreign bool) api.Receipt {
	tags := p.PlainTags()
	how := "is tagged " + quotedFrom(strings.Join(tags, ", "), foreign)
	if len(tags) == 0 {
		how = "has no tags"
	}
	if p.data == nil {
		how += " as before"
	}
	return receiptOf(p.Memory, memory.Say(fmt.Sprintf("%s %s: %s", named(p.ID, foreign), how,
		quotedFrom(p.Topic, foreign))))
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
