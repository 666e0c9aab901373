package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/trust"
	"ltm/internal/didyoumean"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Retag adds tags to memories and removes others. If one memory cannot be changed, none is. It
// does not count as an access.
func (e *Engine) Retag(ctx context.Context, ids, add, remove []string) ([]api.Receipt, error) {
	parsed, err := base.ParseIDs(ids)
	if err != nil {
		return nil, err
	}
	p := api.Patch{AddTags: add, RemoveTags: remove}
	if err := cleanTags(&p); err != nil {
		return nil, err
	}
	return e.retag(ctx, func(*base.Tx) ([]memory.ID, error) { return parsed, nil },
		func(tags []string) []string { return patchedTags(tags, p) })
}

// RenameTag renames a tag in the memories of ids or, without any, in all active ones that have
// it. Archives are not changed.
func (e *Engine) RenameTag(ctx context.Context, old, name string, ids []string) ([]api.Receipt, error) {
	parsed, err := base.ParseIDs(ids)
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
	chosen := func(tx *base.Tx) ([]memory.ID, error) { return tagged(tx.View, tags[0], parsed) }
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

// rewrite writes what plan makes of the memories that chosen returns, or nothing if one of them cannot be changed.
func (e *Engine) rewrite(ctx context.Context, why string, chosen func(*base.Tx) ([]memory.ID, error),
	plan func(*base.Tx, memory.ID) (pin, error), receipt func(p pin, foreign bool) api.Receipt) ([]api.Receipt, error) {
	receipts := []api.Receipt{}
	err := e.Change(ctx, func(tx *base.Tx) error {
		ids, err := chosen(tx)
		if err != nil {
			return err
		}
		state, err := base.Tolerate(tx.State())
		if err != nil {
			return err
		}
		plans := make([]pin, 0, len(ids))
		for _, id := range ids {
			p, err := plan(tx, id)
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
				tx.Note(e.Sessions.Find(state, ""), memory.Event{Action: memory.ActionUpdated, ID: p.ID, Topic: p.Topic,
					Why: why})
			}
			receipts = append(receipts, receipt(p, e.OriginsIn(tx.View).Foreign(p.ID, false)))
		}
		return nil
	})
	return e.receipts(receipts), err
}

// retag changes the tags of the memories that chosen returns.
func (e *Engine) retag(ctx context.Context, chosen func(*base.Tx) ([]memory.ID, error),
	change func([]string) []string) ([]api.Receipt, error) {
	plan := func(tx *base.Tx, id memory.ID) (pin, error) { return e.planTags(tx, id, change) }
	return e.rewrite(ctx, "tags", chosen, plan, pin.tagReceipt)
}

func (e *Engine) planTags(tx *base.Tx, id memory.ID, change func([]string) []string) (pin, error) {
	file, err := base.ReadActive(tx.View, id)
	if err != nil {
		return pin{}, err
	}
	before := file.Memory
	if err := e.Admit(tx.View, id, file.Bytes()); err != nil {
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
	if _, err := trust.Screen(&m, before, false); err != nil {
		return pin{}, err
	}
	data, err := file.With(m)
	return pin{m, data}, err
}

func (p pin) tagReceipt(foreign bool) api.Receipt {
	tags := p.PlainTags()
	how := "is tagged " + trust.QuotedFrom(strings.Join(tags, ", "), foreign)
	if len(tags) == 0 {
		how = "has no tags"
	}
	if p.data == nil {
		how += " as before"
	}
	return receiptOf(p.Memory, memory.Say(fmt.Sprintf("%s %s: %s", trust.Named(p.ID, foreign), how,
		trust.QuotedFrom(p.Topic, foreign))))
}

// Pin sets the importance of memories; [memory.Normal] removes it. If one of them cannot be
// changed, none is. It does not count as an access.
func (e *Engine) Pin(ctx context.Context, ids []string, level memory.Importance) ([]api.Receipt, error) {
	parsed, err := base.ParseIDs(ids)
	if err != nil {
		return nil, err
	}
	return e.rewrite(ctx, "importance "+string(level), func(*base.Tx) ([]memory.ID, error) { return parsed, nil },
		func(tx *base.Tx, id memory.ID) (pin, error) { return planPin(tx, id, level) },
		func(p pin, foreign bool) api.Receipt { return p.receipt(level, foreign) })
}

// pin is a memory with its new tags and the bytes to write, or nil if its file stays as it is.
type pin struct {
	memory.Memory
	data []byte
}

func planPin(tx *base.Tx, id memory.ID, level memory.Importance) (pin, error) {
	file, err := tx.Read(id)
	if base.IsMissing(err) && tx.HasArchive(id) {
		return pin{}, memory.NewError(memory.CodeNotFound, memory.KindEditArchived, string(id),
			"%s is only in the archives", id)
	}
	if err != nil {
		return pin{}, err
	}
	m := file.Memory
	tags := memory.WithImportance(m.Tags, level)
	if slices.Equal(tags, m.Tags) || level == m.Importance() && len(tags) == len(m.Tags) {
		return pin{m, nil}, nil
	}
	if err := memory.CheckTagCount(id, tags, len(m.Tags)); err != nil {
		return pin{}, err
	}
	m.Tags = tags
	data, err := file.With(m)
	return pin{m, data}, err
}

func (p pin) receipt(level memory.Importance, foreign bool) api.Receipt {
	verb := "is now"
	if p.data == nil {
		verb = "was already"
	}
	return receiptOf(p.Memory, memory.Say(fmt.Sprintf("%s %s %s: %s", trust.Named(p.ID, foreign), verb, level,
		trust.QuotedFrom(p.Topic, foreign))))
}
